//===- SelectInPlace.cpp - Operands that are read where they are ----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Few rows of C leave no time for a copy of B: each part of it is used once for
// each tile of rows. Read where it is, it comes along its rows, a few of them
// to a block of k, so that what C is added up in stays near; and each tile of
// rows fetches a part of the next columns, as the hardware does not see them
// coming.
//
//===----------------------------------------------------------------------===//

#include "passes/select/SelectInPlace.h"
#include "abi/CacheLine.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/DimRoles.h"
#include "passes/analysis/SizeBounds.h"
#include <numeric>

using namespace mlir;

namespace ein {

/// How many accumulators an element of C has: of complex numbers one for each
/// part of A's element (see Vectorize.cpp).
unsigned getNumSums(linalg::LinalgOp op) {
  return isa<ComplexType>(getElementTypeOrSelf(op.getDpsInits()[0])) ? 2 : 1;
}

/// What a matrix of the accumulator's type takes; infinite if that is dynamic.
double getMatrixBytes(linalg::LinalgOp op, ArrayRef<int64_t> extents) {
  if (ShapedType::isDynamicShape(extents))
    return std::numeric_limits<double>::infinity();
  double bytes = getElementBits(op) / 8.0;
  for (int64_t extent : extents)
    bytes *= extent;
  return bytes;
}

int64_t getPrefetchDistance(linalg::LinalgOp op, const TargetInfo &target,
                            const Schedule &schedule) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  unsigned rhs = 1 - schedule.lhs;
  int64_t m = sizes[schedule.m], n = sizes[schedule.n];
  int64_t k =
      schedule.tile[schedule.k] ? schedule.tile[schedule.k] : sizes[schedule.k];
  AffineMap map = op.getIndexingMapsArray()[rhs];
  if (schedule.pack[rhs] || schedule.rowsFirst || schedule.kPack != 1 ||
      getNumSums(op) != 1 || ShapedType::isDynamic(m) ||
      ShapedType::isDynamic(n) || ShapedType::isDynamic(k) || m == 1 ||
      n < 2 * schedule.nr || getLastDim(map) != schedule.n)
    return 0;
  auto type = cast<ShapedType>(op.getDpsInputs()[rhs].getType());
  int64_t bytes = getElementBits(op) / 8;
  int64_t passes = llvm::divideCeil(m, schedule.mr);
  if (schedule.rowRemainder != 0)
    --passes;
  bool isFar = !type.hasStaticShape() ||
               type.getNumElements() * bytes > int64_t(target.l2Bytes) / 2;
  if (!isFar || k * schedule.nr * bytes > int64_t(target.l2Bytes) / 4)
    return 0;
  int64_t lines = llvm::divideCeil(schedule.nr, getElementsPerLine(8 * bytes));
  return llvm::divideCeil(lines, passes);
}

} // namespace ein
