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
// the code decides when it runs. How little that is follows from what the op
// takes (PriceSchedule.h) and what the machine takes to start threads.
//
//===----------------------------------------------------------------------===//

#include "passes/select/SelectThreads.h"
#include "passes/analysis/DimRoles.h"
#include "passes/analysis/SumParts.h"
#include "passes/select/PriceSchedule.h"
#include "target/Threads.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace ein {

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

int64_t getPointsForThreads(linalg::LinalgOp op, const TargetInfo &target,
                            const Schedule &schedule) {
  OpPricer pricer(op, target);
  std::optional<NestCost> cost = pricer.price(schedule);
  if (!cost || cost->cycles == 0)
    return 1;
  double points = getCyclesForThreads(target.machine) * pricer.getNumPoints() /
                  cost->cycles;
  // The code compares it with what it counts when it runs, and counts roughly.
  return int64_t(llvm::PowerOf2Ceil(uint64_t(std::max(points, 1.0))));
}

/// What a dim is cut into for a loop or a panel: its extent, or the block.
static int64_t getBlock(const Schedule &schedule, ArrayRef<int64_t> sizes,
                        int64_t dim) {
  return schedule.tile[dim] ? schedule.tile[dim] : sizes[dim];
}

/// Whether the panels of one block fit where a thread has its own.
static bool canOwnPanels(linalg::LinalgOp op, const TargetInfo &target,
                         const Schedule &schedule) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t depth = getBlock(schedule, sizes, schedule.k), width = 0;
  auto add = [&](unsigned input, int64_t dim, int64_t tile) {
    if (!schedule.pack[input])
      return true;
    int64_t extent = getBlock(schedule, sizes, dim);
    if (ShapedType::isDynamic(extent) || ShapedType::isDynamic(depth))
      return false;
    width += llvm::alignTo(extent, tile);
    return true;
  };
  bool areKnown = add(schedule.lhs, schedule.m, schedule.mr) &&
                  add(1 - schedule.lhs, schedule.n, schedule.nr);
  if (!areKnown)
    return false;
  if (width == 0)
    return true; // there are none
  int64_t bytes = getElementBits(op) / 8;
  // Two buffers of one shape are kept apart by a panel more.
  return (width + schedule.nr) * depth * bytes <= target.privateBytes;
}

/// How many register tiles one product has, over all of its blocks.
static int64_t getNumTiles(ArrayRef<int64_t> sizes, const Schedule &schedule) {
  int64_t m = sizes[schedule.m], n = sizes[schedule.n];
  if (ShapedType::isDynamic(m) || ShapedType::isDynamic(n))
    return ShapedType::kDynamic;
  return getNumPoints({int64_t(llvm::divideCeil(m, schedule.mr)),
                       int64_t(llvm::divideCeil(n, schedule.nr))});
}

/// Gives the register tiles to threads, or the outermost loop.
static void selectParallelGemm(linalg::LinalgOp op, const TargetInfo &target,
                               int64_t least, bool isOutside,
                               Schedule &schedule) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (isFewer(getNumPoints(sizes), least))
    return;
  schedule.minPoints = least;
  schedule.parallelDim = schedule.n;
  int64_t m = sizes[schedule.m], n = sizes[schedule.n], k = sizes[schedule.k];
  bool isSmall = isFewer(getNumPoints({m, n, k}), least);
  // Threads start for each product, if they share its tiles; if they share the
  // products, some may have one of few more than others.
  bool isShort = isFewer(getNumPoints({m, n, k}), kUsualThreads * least) ||
                 isFewer(getNumTiles(sizes, schedule), kUsualThreads);
  // Loops that give each product, or block of columns, to one thread.
  AffineMap results = op.getIndexingMapsArray().back();
  auto isOutsideTiles = [&](int64_t dim) {
    return results.isFunctionOfDim(dim) && dim != schedule.n &&
           schedule.tile[dim] == 1;
  };
  int64_t outer = schedule.interchange[0], next = schedule.interchange[1];
  int64_t loops = 1, count = sizes[outer];
  if (isFewer(count, kUsualThreads) && isOutsideTiles(next)) {
    loops = 2;
    count = getNumPoints({count, sizes[next]});
  }
  if (!isOutside && !isSmall && (isFewer(count, kUsualThreads) || !isShort))
    return;
  // A thread has its panels on its stack.
  if (isOutsideTiles(outer) && canOwnPanels(op, target, schedule)) {
    schedule.parallelDim = outer;
    schedule.parallelLoops = loops;
  } else if (isSmall) {
    schedule.parallelDim = -1;
  }
}

/// Gives the first dim that is not short and that every result has to threads.
static void selectParallelDim(linalg::LinalgOp op, const TargetInfo &target,
                              int64_t least, Schedule &schedule) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (isFewer(getNumPoints(sizes), least))
    return;
  SmallVector<int64_t> order = schedule.interchange;
  if (order.empty())
    order = llvm::to_vector(llvm::seq<int64_t>(0, sizes.size()));
  for (int64_t dim : order) {
    bool isResultDim = llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &c) {
      return op.getMatchingIndexingMap(&c).isFunctionOfDim(dim);
    });
    // The iterations of its loop, where that goes over tiles.
    bool isTiled = schedule.kind == Schedule::Window &&
                   schedule.tile[dim] != 0 &&
                   !ShapedType::isDynamic(sizes[dim]);
    int64_t count =
        isTiled ? llvm::divideCeil(sizes[dim], schedule.tile[dim]) : sizes[dim];
    // Whole tiles of a reduction's result, pages at most.
    int64_t block = 0;
    if (schedule.kind == Schedule::Reduce && dim == schedule.vectorDim) {
      int64_t width = schedule.unroll * schedule.lanes;
      int64_t page =
          int64_t(target.machine.pageBytes) * 8 / int64_t(getElementBits(op));
      block = ShapedType::isDynamic(count)
                  ? page
                  : std::min(page, count / kUsualThreads);
      block = std::max(block / width, int64_t(1)) * width;
      if (!ShapedType::isDynamic(count))
        count = llvm::divideCeil(count, block);
    }
    if (!isResultDim || isFewer(count, kUsualThreads))
      continue;
    if (schedule.kind == Schedule::Reduce) {
      llvm::erase(schedule.interchange, dim);
      schedule.interchange.insert(schedule.interchange.begin(), dim);
      schedule.tile[dim] = std::max<int64_t>(schedule.tile[dim], block);
    }
    schedule.parallelDim = dim;
    schedule.minPoints = least;
    return;
  }
}

/// The dim to split: of a matrix product its k; of loops the outermost one
/// that is not short, so that parts lie together.
static int64_t getSplitDim(linalg::LinalgOp op, const Schedule &schedule,
                           int64_t shortest) {
  if (schedule.kind == Schedule::PackedGemm)
    return schedule.k;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (auto [dim, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
    if (iterator == utils::IteratorType::reduction &&
        !isFewer(sizes[dim], shortest))
      return dim;
  return -1;
}

/// A SplitSum in place of a schedule that has little for threads to share.
static std::optional<Schedule> selectSplit(linalg::LinalgOp op,
                                           const TargetInfo &target,
                                           int64_t least,
                                           const Schedule &schedule) {
  // A part's sum is read and added up once, which its own additions hide; and
  // with fewer parts some threads would have none. The result's bits depend on
  // these numbers, so they are the same for all machines.
  constexpr int64_t kParts = 32, kGrain = 256, kFewestParts = 8;
  bool isGemm = schedule.kind == Schedule::PackedGemm;
  bool isShared =
      isGemm ? schedule.parallelDim >= 0 && schedule.parallelDim != schedule.n
             : schedule.parallelDim >= 0;
  bool isLoops =
      schedule.kind == Schedule::Loops || schedule.kind == Schedule::Dot ||
      schedule.kind == Schedule::Window || schedule.kind == Schedule::Reduce;
  if (isShared || (!isGemm && !isLoops) || failed(matchSplit(op)))
    return std::nullopt;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (isFewer(getNumPoints(sizes), least) ||
      (isGemm && !isFewer(getNumTiles(sizes, schedule), kUsualThreads)))
    return std::nullopt;

  Schedule split;
  split.kind = Schedule::SplitSum;
  split.k = getSplitDim(op, schedule, kFewestParts * kGrain);
  split.parts = kParts;
  split.grain = kGrain;
  if (split.k < 0 || isFewer(sizes[split.k], kFewestParts * kGrain))
    return std::nullopt;
  // The parts' sums fit a near cache.
  auto type = cast<RankedTensorType>(op.getDpsInits()[0].getType());
  int64_t elements = getNumPoints(type.getShape());
  int64_t most = target.getNearBytes() / kParts;
  if (ShapedType::isDynamic(elements) ||
      elements > most * 8 / getElementBits(op))
    return std::nullopt;
  return split;
}

void selectThreads(linalg::LinalgOp op, const TargetInfo &target, bool splits,
                   bool isOutside, Schedule &schedule) {
  // A library has threads of its own, or none.
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (llvm::is_contained(op.getStaticLoopRanges(), 0) ||
      schedule.kind == Schedule::LibraryCall ||
      schedule.kind == Schedule::Epilogue || schedule.kind == Schedule::Gett ||
      (generic && generic.getLibraryCall()))
    return;
  int64_t least = getPointsForThreads(op, target, schedule);
  if (schedule.kind == Schedule::PackedGemm)
    selectParallelGemm(op, target, least, isOutside, schedule);
  else
    selectParallelDim(op, target, least, schedule);
  if (splits)
    if (std::optional<Schedule> split =
            selectSplit(op, target, least, schedule))
      schedule = *split;
}

} // namespace ein
