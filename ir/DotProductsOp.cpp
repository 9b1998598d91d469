//===- DotProductsOp.cpp - ein.dot_products -------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace ein {

LogicalResult DotProductsOp::verify() {
  VectorType lhs = getLhs().getType(), rhs = getRhs().getType(),
             tile = getStart().getType();
  int64_t group = lhs.getDimSize(1);
  if (rhs.getDimSize(1) != group || !llvm::isPowerOf2_64(group))
    return emitOpError("has groups of ")
           << group << " and " << rhs.getDimSize(1);
  constexpr int64_t kBlock = 2, kLaneBits = 32;
  int64_t rows = lhs.getDimSize(0), columns = rhs.getDimSize(0);
  if (isLaneByLane() && rows != columns)
    return emitOpError("has ") << rows << " and " << columns
                               << " groups, of which each sum has one";
  SmallVector<int64_t> shape = {rows, columns};
  if (isLaneByLane())
    shape = {rows};
  if (hasBlocks())
    shape = {rows / kBlock, columns / kBlock, kBlock * kBlock};
  if (tile.getShape() != ArrayRef(shape) ||
      (hasBlocks() && (rows % kBlock != 0 || columns % kBlock != 0)))
    return emitOpError("has ") << rows << " rows and " << columns
                               << " columns, which its tile has not";
  Type narrow = lhs.getElementType(), sum = tile.getElementType();
  if (narrow != rhs.getElementType() ||
      isa<FloatType>(narrow) != isa<FloatType>(sum) ||
      narrow.getIntOrFloatBitWidth() >= sum.getIntOrFloatBitWidth())
    return emitOpError("does not add up products of ")
           << narrow << " and " << rhs.getElementType() << " in " << sum;
  if ((getLhsUnsigned() || getRhsUnsigned()) && isa<FloatType>(sum))
    return emitOpError("has no unsigned numbers in ") << narrow;
  if (getIntrinsic() && !getIntrinsic()->starts_with("llvm."))
    return emitOpError("has no intrinsic `") << *getIntrinsic() << "`";
  if (getIntrinsic().has_value() != getBits().has_value())
    return emitOpError("has an intrinsic or a width of registers alone");
  if (getBits() && (*getBits() <= 0 || *getBits() % kLaneBits != 0 ||
                    !llvm::isPowerOf2_64(*getBits())))
    return emitOpError("has no registers of ") << *getBits() << " bits";
  if (hasBlocks() && !getIntrinsic())
    return emitOpError("has blocks, and no intrinsic that they are for");
  return success();
}

} // namespace ein
