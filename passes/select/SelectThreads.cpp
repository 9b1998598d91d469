//===- SelectThreads.cpp - What threads share -----------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads get loops of which no iteration needs what another computes, so a
// result is the same bits whatever their number: nobody shares a sum. A matrix
// product gives them its register tiles (the packed panels are shared); if it
// is known to be too small for that, or to have few tiles, the loop over its
// products, each of which has panels of its own on a stack. Any other op gives
// them a dim of its results.
//
// Where that leaves nothing to share, or few register tiles, and what is
// reduced is long, the reduction is split into parts. Their number depends on
// the sizes only. Each part has a C of its own; those are few, as the C is
// small, and what it takes to combine them is little, as the parts are long.
//
// What is known to be too small runs in one thread; where sizes are dynamic,
// the code decides when it runs.
//
//===----------------------------------------------------------------------===//

#include "passes/select/SelectThreads.h"
#include "passes/analysis/DimRoles.h"
#include "passes/analysis/SumParts.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace ein {

/// Of so few iterations, several threads do not get about as many each.
static constexpr int64_t kFew = 16;

/// A loop of so many times what threads are worth starting for hides the start.
static constexpr int64_t kStarts = 16;

/// The product of static extents of at least 1, or kDynamic.
static int64_t getNumPoints(ArrayRef<int64_t> sizes) {
  if (ShapedType::isDynamicShape(sizes))
    return ShapedType::kDynamic;
  int64_t points = 1;
  for (int64_t size : sizes)
    if (llvm::MulOverflow(points, size, points))
      return std::numeric_limits<int64_t>::max();
  return points;
}

static bool isFewer(int64_t points, int64_t least) {
  return !ShapedType::isDynamic(points) && points < least;
}

/// What a dim is cut into for a loop or a panel: its extent, or the block.
static int64_t getBlock(const Strategy &strategy, ArrayRef<int64_t> sizes,
                        int64_t dim) {
  return strategy.tile[dim] ? strategy.tile[dim] : sizes[dim];
}

/// Whether the panels of one block fit where a thread has its own.
static bool canOwnPanels(linalg::LinalgOp op, const TargetInfo &target,
                         const Strategy &strategy) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t depth = getBlock(strategy, sizes, strategy.k), width = 0;
  auto add = [&](unsigned input, int64_t dim, int64_t tile) {
    if (!strategy.pack[input])
      return true;
    int64_t extent = getBlock(strategy, sizes, dim);
    if (ShapedType::isDynamic(extent) || ShapedType::isDynamic(depth))
      return false;
    width += llvm::alignTo(extent, tile);
    return true;
  };
  bool areKnown = add(strategy.lhs, strategy.m, strategy.mr) &&
                  add(1 - strategy.lhs, strategy.n, strategy.nr);
  if (!areKnown)
    return false;
  if (width == 0)
    return true; // there are none
  int64_t bytes = getElementBits(op) / 8;
  // Two buffers of one shape are kept apart by a panel more.
  return (width + strategy.nr) * depth * bytes <= target.privateBytes;
}

/// How many register tiles one product has, over all of its blocks.
static int64_t getNumTiles(ArrayRef<int64_t> sizes, const Strategy &strategy) {
  int64_t m = sizes[strategy.m], n = sizes[strategy.n];
  if (ShapedType::isDynamic(m) || ShapedType::isDynamic(n))
    return ShapedType::kDynamic;
  return getNumPoints({int64_t(llvm::divideCeil(m, strategy.mr)),
                       int64_t(llvm::divideCeil(n, strategy.nr))});
}

/// Gives the register tiles to threads, or the outermost loop.
static void selectParallelGemm(linalg::LinalgOp op, const TargetInfo &target,
                               bool isOutside, Strategy &strategy) {
  // One version: it is the large one that threads are for.
  strategy.inPlaceBytes = strategy.smallVersionMr = strategy.smallVersionNr = 0;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t least = target.parallelMultiplyAdds;
  if (isFewer(getNumPoints(sizes), least))
    return;
  strategy.minPoints = least;
  strategy.parallelDim = strategy.n;
  int64_t m = sizes[strategy.m], n = sizes[strategy.n], k = sizes[strategy.k];
  bool isSmall = isFewer(getNumPoints({m, n, k}), least);
  // Threads start for each product, if they share its tiles.
  bool isShort = isFewer(getNumPoints({m, n, k}), kStarts * least) ||
                 isFewer(getNumTiles(sizes, strategy), kFew);
  // Loops that give each product, or block of columns, to one thread.
  AffineMap results = op.getIndexingMapsArray().back();
  auto isOutsideTiles = [&](int64_t dim) {
    return results.isFunctionOfDim(dim) && dim != strategy.n &&
           strategy.tile[dim] == 1;
  };
  int64_t outer = strategy.interchange[0], next = strategy.interchange[1];
  int64_t loops = 1, count = sizes[outer];
  if (isFewer(count, kFew) && isOutsideTiles(next)) {
    loops = 2;
    count = getNumPoints({count, sizes[next]});
  }
  if (!isOutside && !isSmall && (isFewer(count, kFew) || !isShort))
    return;
  // A thread has its panels on its stack.
  if (isOutsideTiles(outer) && canOwnPanels(op, target, strategy)) {
    strategy.parallelDim = outer;
    strategy.parallelLoops = loops;
  } else if (isSmall) {
    strategy.parallelDim = -1;
  }
}

/// Gives the first dim that is not short and that every result has to threads.
static void selectParallelDim(linalg::LinalgOp op, const TargetInfo &target,
                              Strategy &strategy) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t least = strategy.kind == Strategy::Dot ? target.parallelMultiplyAdds
                                                 : target.parallelPoints;
  if (isFewer(getNumPoints(sizes), least))
    return;
  SmallVector<int64_t> order = strategy.interchange;
  if (order.empty())
    order = llvm::to_vector(llvm::seq<int64_t>(0, sizes.size()));
  for (int64_t dim : order) {
    bool isResultDim = llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &c) {
      return op.getMatchingIndexingMap(&c).isFunctionOfDim(dim);
    });
    // The iterations of its loop, where that goes over tiles.
    bool isTiled = strategy.kind == Strategy::Window &&
                   strategy.tile[dim] != 0 &&
                   !ShapedType::isDynamic(sizes[dim]);
    int64_t count =
        isTiled ? llvm::divideCeil(sizes[dim], strategy.tile[dim]) : sizes[dim];
    // Whole tiles of a reduction's result, pages at most.
    int64_t block = 0;
    if (strategy.kind == Strategy::Reduce && dim == strategy.vectorDim) {
      constexpr int64_t kPage = 4096, kMany = 64;
      int64_t width = strategy.unroll * strategy.lanes;
      int64_t page = kPage * 8 / int64_t(getElementBits(op));
      block =
          ShapedType::isDynamic(count) ? page : std::min(page, count / kMany);
      block = std::max(block / width, int64_t(1)) * width;
      if (!ShapedType::isDynamic(count))
        count = llvm::divideCeil(count, block);
    }
    if (!isResultDim || isFewer(count, kFew))
      continue;
    if (strategy.kind == Strategy::Reduce) {
      llvm::erase(strategy.interchange, dim);
      strategy.interchange.insert(strategy.interchange.begin(), dim);
      strategy.tile[dim] = std::max<int64_t>(strategy.tile[dim], block);
    }
    strategy.parallelDim = dim;
    strategy.minPoints = least;
    return;
  }
}

/// The dim to split: of a matrix product its k; of loops the outermost one
/// that is not short, so that parts lie together.
static int64_t getSplitDim(linalg::LinalgOp op, const Strategy &strategy,
                           int64_t shortest) {
  if (strategy.kind == Strategy::PackedGemm)
    return strategy.k;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (auto [dim, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
    if (iterator == utils::IteratorType::reduction &&
        !isFewer(sizes[dim], shortest))
      return dim;
  return -1;
}

/// A SplitSum in place of a strategy that has little for threads to share.
static std::optional<Strategy> selectSplit(linalg::LinalgOp op,
                                           const TargetInfo &target,
                                           const Strategy &strategy) {
  // A part's sum is read and added up once, which its own additions hide; and
  // with fewer parts some threads would have none.
  constexpr int64_t kParts = 32, kGrain = 256, kFewestParts = 8;
  bool isGemm = strategy.kind == Strategy::PackedGemm;
  bool isShared =
      isGemm ? strategy.parallelDim >= 0 && strategy.parallelDim != strategy.n
             : strategy.parallelDim >= 0;
  bool isLoops =
      strategy.kind == Strategy::Loops || strategy.kind == Strategy::Dot ||
      strategy.kind == Strategy::Window || strategy.kind == Strategy::Reduce;
  if (isShared || (!isGemm && !isLoops) || failed(matchSplit(op)))
    return std::nullopt;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t least = isGemm ? target.parallelMultiplyAdds : target.parallelPoints;
  if (isFewer(getNumPoints(sizes), least) ||
      (isGemm && !isFewer(getNumTiles(sizes, strategy), kFew)))
    return std::nullopt;

  Strategy split;
  split.kind = Strategy::SplitSum;
  split.k = getSplitDim(op, strategy, kFewestParts * kGrain);
  split.parts = kParts;
  split.grain = kGrain;
  if (split.k < 0 || isFewer(sizes[split.k], kFewestParts * kGrain))
    return std::nullopt;
  // The parts' sums fit a near cache.
  auto type = cast<RankedTensorType>(op.getDpsInits()[0].getType());
  int64_t elements = getNumPoints(type.getShape());
  int64_t most = target.l2Bytes / 2 / kParts;
  if (ShapedType::isDynamic(elements) ||
      elements > most * 8 / getElementBits(op))
    return std::nullopt;
  return split;
}

void selectThreads(linalg::LinalgOp op, const TargetInfo &target, bool splits,
                   bool isOutside, Strategy &strategy) {
  // A library has threads of its own, or none.
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (llvm::is_contained(op.getStaticLoopRanges(), 0) ||
      strategy.kind == Strategy::LibraryCall ||
      strategy.kind == Strategy::Epilogue || strategy.kind == Strategy::Gett ||
      (generic && generic.getLibraryCall()))
    return;
  if (strategy.kind == Strategy::PackedGemm)
    selectParallelGemm(op, target, isOutside, strategy);
  else
    selectParallelDim(op, target, strategy);
  if (splits)
    if (std::optional<Strategy> split = selectSplit(op, target, strategy))
      strategy = *split;
}

} // namespace ein
