//===- Plan.cpp - How a contraction is distributed ------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "distribute/Plan.h"
#include "distribute/Costs.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace ein::distribute {

namespace {

/// An array under a grid, by the rank that has the largest block.
struct ArrayCost {
  double block = 0, home = 0, moved = 0; // bytes
  int64_t sharers = 1;
  /// Something moves between them.
  bool isShared = false;
  /// A step's part of a sum is kept by all of them.
  bool isSpread = false;
};

} // namespace

static bool hasDim(const Operand &operand, unsigned dim) {
  return std::find(operand.dims.begin(), operand.dims.end(), dim) !=
         operand.dims.end();
}

static ArrayCost getArrayCost(const Contraction &contraction, const Grid &grid,
                              unsigned array, std::optional<unsigned> avoided) {
  const Operand &operand = contraction.getArray(array);
  BlockLayout layout = makeLayout(contraction, grid, array, avoided);
  ArrayCost cost;
  cost.sharers = layout.countSharers();
  cost.isShared = cost.sharers > 1 && !contraction.isEmpty();
  cost.isSpread =
      layout.sharedDim && operand.dims[*layout.sharedDim] != avoided;
  double elements = 1, piece = 1, leastPiece = 1;
  for (unsigned i = 0; i != operand.dims.size(); ++i) {
    unsigned dim = operand.dims[i];
    int64_t local = getLargestPart(contraction.extents[dim], grid[dim]);
    bool isShared = layout.sharedDim == i;
    elements *= double(local);
    piece *= double(isShared ? getLargestPart(local, cost.sharers) : local);
    leastPiece *= double(isShared ? local / cost.sharers : local);
  }
  if (!layout.sharedDim && cost.sharers > 1)
    leastPiece = 0;
  cost.block = elements * operand.elementBytes;
  cost.home = piece * operand.elementBytes;
  cost.moved = (elements - leastPiece) * operand.elementBytes;
  return cost;
}

int64_t countOthers(int64_t elements, int64_t sharers) {
  return elements - elements / std::max<int64_t>(sharers, 1);
}

double getMessages(int64_t sharers) {
  int64_t rounds = 0;
  while ((int64_t(1) << rounds) < sharers)
    ++rounds;
  return double(rounds);
}

double getLargestWork(const Contraction &contraction, const Grid &grid) {
  double flops = 0;
  for (const Work &work : contraction.getWork()) {
    double points = work.flops;
    for (unsigned dim : work.dims)
      points *= double(getLargestPart(contraction.extents[dim], grid[dim]));
    flops += points;
  }
  return flops;
}

namespace {

/// The memory of a grid, in steps along a dim or at once.
struct MemoryUse {
  std::vector<ArrayCost> arrays;
  double home = 0;
  /// Bytes, and those for each element of a panel's width.
  double fixed = 0, perElement = 0;
  /// When all is computed: parts of sums, and those that come from others, by
  /// slabs as large as what a rank keeps. Then inputs are there no more.
  double atEnd = 0;
  /// What others add in a step to a sum: for each element of a panel's width,
  /// and at most.
  double addedPerElement = 0, addedMost = 0;

  double getPanels(double width) const {
    return perElement * width + std::min(addedPerElement * width, addedMost);
  }
  int64_t local = 1; // elements that a rank has of the dim
};

} // namespace

/// Whether a rank has one element of each dim that is outside of this one.
static bool isOutermost(const Contraction &contraction, const Grid &grid,
                        unsigned array, unsigned dim) {
  for (unsigned outer : contraction.getArray(array).dims) {
    if (outer == dim)
      break;
    if (getLargestPart(contraction.extents[outer], grid[outer]) > 1)
      return false;
  }
  return true;
}

static MemoryUse getMemoryUse(const Contraction &contraction, const Grid &grid,
                              std::optional<unsigned> dim) {
  MemoryUse use;
  if (dim)
    use.local = getLargestPart(contraction.extents[*dim], grid[*dim]);
  for (unsigned array = 0; array != contraction.getNumArrays(); ++array) {
    use.arrays.push_back(getArrayCost(contraction, grid, array, dim));
    const ArrayCost &own = use.arrays.back();
    use.home += own.home;
    bool isStepped = dim && hasDim(contraction.getArray(array), *dim);
    double slice = own.block / double(std::max<int64_t>(use.local, 1));
    if (!own.isShared) {
      // A panel is copied unless it lies at home in one piece.
      if (isStepped && !isOutermost(contraction, grid, array, *dim))
        use.perElement += slice;
      continue;
    }
    bool isOutput = contraction.isOutput(array);
    if (!isStepped)
      use.fixed += own.block;
    if (!isStepped && isOutput)
      use.atEnd += own.block + own.home;
    if (!isStepped)
      continue;
    use.perElement += slice;
    int64_t bytes = contraction.getArray(array).elementBytes;
    if (isOutput && own.isSpread) {
      // A rank has a panel of a sum, and what others add to its part of it, by
      // slabs as large as what it keeps.
      use.addedPerElement =
          double(countOthers(int64_t(slice) / bytes, own.sharers) * bytes);
      use.addedMost = own.home;
    } else {
      // One panel is computed with while the next one is on its way.
      use.perElement += slice;
    }
  }
  use.fixed += use.home;
  use.atEnd += use.home;
  return use;
}

/// What does not fit in one step, in steps along `dim`: as few as do fit; none
/// if there are no such steps.
static std::optional<GridCost> costSteps(const Contraction &contraction,
                                         const Grid &grid, double maxMemory,
                                         const Network &network,
                                         std::optional<unsigned> dim) {
  MemoryUse use = getMemoryUse(contraction, grid, dim);
  GridCost cost;
  cost.home = use.home;
  cost.memory = use.fixed;
  if (dim) {
    if (use.local < 2 || use.perElement == 0)
      return std::nullopt;
    // The wider one: what is added is the less of both.
    double room = maxMemory - use.fixed;
    double width =
        std::floor(std::max(room / (use.perElement + use.addedPerElement),
                            (room - use.addedMost) / use.perElement));
    // Two panels of half are the block, and no less.
    int64_t widest = (use.local + 1) / 2;
    int64_t panel = width >= double(widest) ? widest : int64_t(width);
    if (panel < 1)
      return std::nullopt;
    cost.steps = {*dim, getLargestPart(use.local, panel)};
    cost.memory +=
        use.getPanels(double(getLargestPart(use.local, cost.steps.count)));
  }
  cost.memory = std::max(cost.memory, use.atEnd);
  if (cost.memory > maxMemory)
    return std::nullopt;
  double stepped = 0, once = 0;
  for (unsigned array = 0; array != contraction.getNumArrays(); ++array) {
    const ArrayCost &own = use.arrays[array];
    if (!own.isShared)
      continue;
    bool isStepped = dim && hasDim(contraction.getArray(array), *dim);
    double times = isStepped ? double(cost.steps.count) : 1;
    cost.moved += own.moved;
    (isStepped ? stepped : once) +=
        own.moved / network.bytes +
        network.latency * times * getMessages(own.sharers);
  }
  cost.moveSeconds = stepped + once;
  cost.computeSeconds = getLargestWork(contraction, grid) / network.flops;
  double count = double(cost.steps.count);
  cost.seconds = once + (stepped + cost.computeSeconds) / count +
                 std::max(stepped, cost.computeSeconds) * (count - 1) / count;
  return cost;
}

double getLeastMemory(const Contraction &contraction, const Grid &grid) {
  MemoryUse once = getMemoryUse(contraction, grid, std::nullopt);
  double least = std::max(once.fixed, once.atEnd);
  for (unsigned dim = 0; dim != grid.size(); ++dim) {
    MemoryUse use = getMemoryUse(contraction, grid, dim);
    if (use.local > 1 && use.perElement != 0)
      least =
          std::min(least, std::max(use.fixed + use.getPanels(1), use.atEnd));
  }
  return least;
}

std::optional<GridCost> costGrid(const Contraction &contraction,
                                 const Grid &grid, double maxMemory,
                                 const Network &network) {
  if (std::optional<GridCost> cost =
          costSteps(contraction, grid, maxMemory, network, std::nullopt))
    return cost;
  std::optional<GridCost> best;
  // Sums first, as their steps leave the result where it is.
  for (bool isSummed : {true, false})
    for (unsigned dim = 0; dim != grid.size(); ++dim)
      if (hasDim(contraction.output, dim) != isSummed)
        if (std::optional<GridCost> cost =
                costSteps(contraction, grid, maxMemory, network, dim))
          if (!best || cost->moveSeconds < best->moveSeconds)
            best = cost;
  return best;
}

int64_t countMovedElements(const BlockLayout &layout, int64_t rank) {
  if (rank >= countRanks(layout.grid) || layout.countSharers() == 1)
    return 0;
  return getNeededBlock(layout, rank).countElements() -
         getHomeBlock(layout, rank).countElements();
}

Plan makePlan(const Contraction &contraction, const Grid &grid,
              const GridCost &cost) {
  Plan plan;
  plan.grid = grid;
  plan.steps = cost.steps;
  plan.flops = getLargestWork(contraction, grid);
  plan.homeBytes = int64_t(cost.home);
  plan.memoryBytes = int64_t(cost.memory);
  plan.computeSeconds = cost.computeSeconds;
  plan.moveSeconds = cost.moveSeconds;
  plan.seconds = cost.seconds;
  std::optional<unsigned> avoided;
  if (cost.steps.count > 1)
    avoided = cost.steps.dim;
  int64_t ranks = countRanks(grid);
  for (unsigned array = 0; array != contraction.getNumArrays(); ++array) {
    const Operand &operand = contraction.getArray(array);
    plan.layouts.push_back(makeLayout(contraction, grid, array, avoided));
    ArrayCost own = getArrayCost(contraction, grid, array, avoided);
    if (!own.isShared)
      continue;
    Collective collective;
    collective.kind = contraction.isOutput(array)
                          ? CollectiveKind::ReduceScatter
                          : CollectiveKind::AllGather;
    collective.array = array;
    collective.sharers = own.sharers;
    collective.times =
        avoided && hasDim(operand, *avoided) ? cost.steps.count : 1;
    collective.bytesPerRank = int64_t(own.moved);
    // Each element is at home once, and moves to, or from, each other sharer.
    double elements = operand.elementBytes;
    for (unsigned dim : operand.dims)
      elements *= double(contraction.extents[dim]);
    collective.totalBytes = elements * double(own.sharers - 1);
    plan.totalBytes += collective.totalBytes;
    plan.collectives.push_back(collective);
  }
  for (int64_t rank = 0; rank != ranks; ++rank) {
    int64_t bytes = 0;
    for (const Collective &collective : plan.collectives)
      bytes += countMovedElements(plan.layouts[collective.array], rank) *
               contraction.getArray(collective.array).elementBytes;
    plan.bytesMoved = std::max(plan.bytesMoved, bytes);
  }
  return plan;
}

std::optional<Plan> planGrid(const Contraction &contraction, const Grid &grid,
                             int64_t maxMemoryBytes, const Network &network) {
  std::optional<GridCost> cost =
      costGrid(contraction, grid, getMemoryLimit(maxMemoryBytes), network);
  if (!cost)
    return std::nullopt;
  return makePlan(contraction, grid, *cost);
}

double getMemoryLimit(int64_t maxMemoryBytes) {
  return maxMemoryBytes == 0 ? std::numeric_limits<double>::infinity()
                             : double(maxMemoryBytes);
}

} // namespace ein::distribute
