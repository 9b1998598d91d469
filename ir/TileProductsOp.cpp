//===- TileProductsOp.cpp - ein.tile_products -----------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"

using namespace mlir;

namespace ein {

LogicalResult TileProductsOp::verify() {
  VectorType lhs = getLhs().getType(), rhs = getRhs().getType(),
             tile = getStart().getType();
  SmallVector<int64_t> shape = {lhs.getDimSize(0), rhs.getDimSize(1)};
  if (tile.getShape() != ArrayRef(shape))
    return emitOpError("has ") << shape[0] << " rows and " << shape[1]
                               << " columns, which its tile has not";
  if (lhs.getDimSize(1) != rhs.getDimSize(0) ||
      lhs.getDimSize(2) != rhs.getDimSize(2))
    return emitOpError("has ")
           << lhs.getDimSize(1) << " groups of " << lhs.getDimSize(2) << " and "
           << rhs.getDimSize(0) << " of " << rhs.getDimSize(2);
  Type narrow = lhs.getElementType(), sum = tile.getElementType();
  if (narrow != rhs.getElementType() ||
      isa<FloatType>(narrow) != isa<FloatType>(sum))
    return emitOpError("does not add up products of ")
           << narrow << " and " << rhs.getElementType() << " in " << sum;
  if (lhs.getDimSize(2) * narrow.getIntOrFloatBitWidth() !=
      sum.getIntOrFloatBitWidth())
    return emitOpError("has groups that do not fill ") << sum;
  if ((getLhsUnsigned() || getRhsUnsigned()) && isa<FloatType>(sum))
    return emitOpError("has no unsigned numbers in ") << narrow;
  return success();
}

} // namespace ein
