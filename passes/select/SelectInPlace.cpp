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

/// Whether B is read where it is although it comes from a far cache, as each
/// part of it is read by a few tiles of rows only, which can fetch it for each
/// other (`prefetchDistance`). Of a B whose rows are no longer than a page,
/// several tiles more do not pay for a copy either: 128 to 256 rows were 1.07
/// to 1.13 times as fast in place, with rows of 8 KiB as fast, with 12 KiB 0.87
/// times.
bool isRhsStreamed(linalg::LinalgOp op, const TargetInfo &target,
                   StringRef packing, const Strategy &strategy) {
  constexpr int64_t kMostRows = 96, kMostOfPages = 256, kPage = 4096;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t m = sizes[strategy.m], n = sizes[strategy.n], k = sizes[strategy.k];
  if (packing != "auto" || getNumSums(op) != 1 ||
      ShapedType::isDynamicShape({m, n, k}))
    return false;
  Value rhs = op.getDpsInputs()[1 - strategy.lhs];
  int64_t bytes = getElementBits(op) / 8;
  return getElementTypeOrSelf(rhs.getType()) ==
             getElementTypeOrSelf(op.getDpsInits()[0].getType()) &&
         getLastDim(op.getIndexingMapsArray()[1 - strategy.lhs]) ==
             strategy.n &&
         m <= (n * bytes <= kPage ? kMostOfPages : kMostRows) &&
         n * bytes % (target.vectorBits / 8) == 0 &&
         getMatrixBytes(op, {k, n}) > target.l2Bytes / 2.0;
}

/// Whether the left-hand side is read where it is, row beside row, and comes
/// from memory or the last cache.
bool areRowsStreamed(linalg::LinalgOp op, const TargetInfo &target,
                     StringRef packing, const Strategy &strategy) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  AffineMap map = op.getIndexingMapsArray()[strategy.lhs];
  int64_t last = getLastDim(map);
  return packing != "always" && last == strategy.k &&
         getElementTypeOrSelf(op.getDpsInputs()[strategy.lhs].getType()) ==
             getElementTypeOrSelf(op.getDpsInits()[0].getType()) &&
         getMatrixBytes(op, {sizes[strategy.m], sizes[strategy.k]}) >
             target.l2Bytes / 2.0;
}

/// How much of k is one block. Few rows times a large B that is read in place:
/// as many rows of B as keep reading it along its rows, from one to the next,
/// while a sum of as many columns as it has is kept in a near cache.
int64_t getDepth(linalg::LinalgOp op, const TargetInfo &target,
                 const Blocking &blocking, const Strategy &strategy) {
  constexpr int64_t kLeast = 16, kPerRow = 8, kMost = 128;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t m = sizes[strategy.m], n = sizes[strategy.n];
  int64_t k = getLargestRanges(op)[strategy.k];
  if (strategy.pack[1 - strategy.lhs] || ShapedType::isDynamic(m))
    return blocking.kc;
  bool isLarge = getMatrixBytes(op, {n, k}) > target.l2Bytes / 2.0;
  bool isOneTile = !ShapedType::isDynamic(n) && n <= strategy.nr;
  if (!isLarge || isOneTile)
    return blocking.kc;
  int64_t depth = std::min({blocking.kc, std::max(kLeast, kPerRow * m), kMost});
  if (m == 1 || ShapedType::isDynamic(n))
    return depth;
  // The rows of a panel are as far apart as B has columns: if that is a large
  // power of two, they share a few sets of the near cache, half of whose ways
  // they may have.
  constexpr int64_t kWays = 16;
  int64_t way = target.l2Bytes / kWays;
  int64_t apart = std::gcd(n * int64_t(getElementBits(op) / 8), way);
  int64_t fit = way / apart * (kWays / 2);
  return std::min(depth, std::max(kLeast, fit));
}

/// How many cache lines of B's next panel a step of k prefetches. A panel of a
/// B in place is pieces of many rows, which the hardware does not see coming;
/// the first tile of rows would wait for all of it, and a few more tiles cannot
/// make up for that.
int64_t getPrefetchDistance(linalg::LinalgOp op, const TargetInfo &target,
                            const Strategy &strategy) {
  constexpr int64_t kMostPasses = 48;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  unsigned rhs = 1 - strategy.lhs;
  int64_t m = sizes[strategy.m], n = sizes[strategy.n];
  int64_t k =
      strategy.tile[strategy.k] ? strategy.tile[strategy.k] : sizes[strategy.k];
  AffineMap map = op.getIndexingMapsArray()[rhs];
  if (strategy.pack[rhs] || strategy.rowsFirst || strategy.kPack != 1 ||
      getNumSums(op) != 1 || ShapedType::isDynamic(m) ||
      ShapedType::isDynamic(n) || ShapedType::isDynamic(k) || m == 1 ||
      n < 2 * strategy.nr || getLastDim(map) != strategy.n)
    return 0;
  auto type = cast<ShapedType>(op.getDpsInputs()[rhs].getType());
  int64_t bytes = getElementBits(op) / 8;
  int64_t passes = llvm::divideCeil(m, strategy.mr);
  if (strategy.rowRemainder != 0)
    --passes;
  bool isFar = !type.hasStaticShape() ||
               type.getNumElements() * bytes > int64_t(target.l2Bytes) / 2;
  if (!isFar || passes > kMostPasses ||
      k * strategy.nr * bytes > int64_t(target.l2Bytes) / 4)
    return 0;
  int64_t lines = llvm::divideCeil(strategy.nr, getElementsPerLine(8 * bytes));
  return llvm::divideCeil(lines, passes);
}

} // namespace ein
