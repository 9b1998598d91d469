//===- PriceReduction.cpp - Cycles of a reduction in vectors --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Along vectors a reduction goes by several at once, then by one, then by what
// is less than one. How many at once are best depends on the size as well as on
// how long an addition takes: more of them wait for less and leave more behind,
// where each waits for the one before, and behind a row they are added up.
//
// All of it is one nest over vectors, among which what each step takes is
// divided: a step is one for what it waits for, and for its counter.
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/IeeeMinMax.h"
#include "passes/analysis/Reductions.h"
#include "passes/select/SchedulePricer.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace mlir;

namespace ein {

/// What a row is gone over by: so many vectors, the last one counted as whole,
/// in so many steps.
struct SchedulePricer::RowSteps {
  double vectors = 0, steps = 0;
  bool hasHead = false;
};

/// As ReductionVectorizer::getParts has it.
SchedulePricer::RowSteps SchedulePricer::getRowSteps() const {
  double lanes = double(schedule.lanes), left = getInner(schedule.vectorDim);
  auto count = double(std::max<int64_t>(schedule.unroll, 1));
  RowSteps row;
  auto take = [&](double vectors) {
    double steps = std::floor(left / (vectors * lanes));
    left -= steps * vectors * lanes;
    row.steps += steps;
    row.vectors += steps * vectors;
  };
  if (schedule.aligned) {
    row = {1, 1, /*hasHead=*/true};
    // It takes half of a vector on the average.
    left = std::max(left - lanes / 2, 0.0);
  }
  // Each sum of maxima takes two vectors at a time.
  if (schedule.ieeeMinMax && isSummed(schedule.vectorDim))
    take(2 * count);
  take(count);
  if (count > 1)
    take(1);
  if (left > 0) {
    ++row.vectors;
    row.steps += schedule.masked ? 1 : left;
  }
  return row;
}

/// What vectors of an operand that begin at any element take, as loads: those
/// across two lines are two.
double SchedulePricer::getLoadsOfVector(unsigned operand, double bytes) const {
  double line = double(target.machine.lineBytes), piece = std::min(bytes, line);
  auto isBetween = [&](double stride) {
    return std::fmod(std::abs(stride), piece) != 0;
  };
  bool isAnywhere =
      !loopStrides.empty() && llvm::any_of(loopStrides[operand], isBetween);
  for (int64_t dim = 0, e = sizes.size(); dim < e; ++dim)
    isAnywhere |=
        dim != schedule.vectorDim && isBetween(getStride(operand, dim));
  return isAnywhere ? 1 + piece / line : 1;
}

/// What products of narrow factors take beside themselves: the sum of one
/// factor and a move of the other; and what makes words or floats of them.
void SchedulePricer::addNarrowProducts(NestWork &work) const {
  std::optional<NarrowFactors> factors = getNarrowFactors(op);
  if (!factors)
    return;
  if (schedule.dotOffset) {
    work.fmas += fmas;
    ++work.logic;
  }
  if (!schedule.dot.empty())
    return;
  constexpr double kFactors = 2;
  if (factors->lhs.getType().isBF16()) {
    // Both halves of each, and a product of each.
    work.fmas += fmas;
    work.logic += 2 * kFactors;
    return;
  }
  for (Value factor : {factors->lhs, factors->rhs})
    if (factor.getType().isInteger(8))
      ++work.shuffles;
  ++work.adds;
}

void SchedulePricer::addReduction() {
  int64_t along = schedule.vectorDim;
  SmallVector<Level> levels = getBlocks(), sums;
  for (int64_t dim : schedule.interchange) {
    if (dim == along || getTile(dim) == 1)
      continue;
    // Those that have no tile of their own are in the order of the loops.
    if (isSummed(dim))
      sums.push_back({dim, getInner(dim), 1});
    else if (getTile(dim) == 0)
      levels.push_back({dim, getInner(dim), 1});
  }
  RowSteps row = getRowSteps();
  double lanes = double(schedule.lanes);
  Level vectors = {along, row.vectors * lanes, lanes};
  // A vector of sums stays in registers for all that is added to it.
  bool isRow = isSummed(along);
  if (isRow)
    levels.append(sums.begin(), sums.end());
  levels.push_back(vectors);
  if (!isRow)
    levels.append(sums.begin(), sums.end());
  double added = 1;
  for (const Level &level : sums)
    added *= std::max(level.extent, 1.0);

  NestWork work;
  double widening = double(std::max<int64_t>(schedule.widening, 1));
  double widest = widths.back() / widening, perStep = row.steps / row.vectors;
  SmallVector<NestArray> operands;
  for (unsigned i = 0; i < getNumOperands(); ++i) {
    bool isAlong = getStride(i, along) != 0;
    operands.push_back(
        getInPlace(i, levels, (isAlong ? lanes : 1) * widths[i]));
    if (isOutput(i)) {
      work.loads += isAlong ? 1 / added : 0;
      work.stores += isAlong ? 1 / added : 0;
      continue;
    }
    if (isAlong)
      widest = std::max(widest, widths[i]);
    work.loads += !isAlong      ? perStep
                  : row.hasHead ? 1
                                : getLoadsOfVector(i, lanes * widths[i]);
  }
  work.vectorBits = lanes * widest * 8;
  work.fmas = fmas;
  work.adds = adds;
  work.logic = logic;
  if (isRow && schedule.widening > 1)
    addNarrowProducts(work);
  work.scalars = 2 * perStep;
  work.chainedFmas = fmas > 0 ? perStep : 0;
  work.chainedAdds = fmas > 0 ? 0 : perStep;
  if (schedule.ieeeMinMax && hasWitness(op)) {
    // A witness waits for itself; a maximum along a row does so meanwhile.
    work.fmas += IeeeMinMax::kOfWitness;
    if (isRow) {
      work.chainedAdds = 0;
      work.chainedFmas += perStep;
    }
    double vectorsOfTile = isRow ? row.vectors * added : added,
           tile = isRow ? 1 : double(std::max<int64_t>(schedule.unroll, 1));
    work.logic += (isRow ? 0 : IeeeMinMax::kOfDoubt) / vectorsOfTile +
                  IeeeMinMax::kOfDoubts / (tile * vectorsOfTile);
  } else if (schedule.ieeeMinMax) {
    // Signs, and what is a number, are gathered beside the largest; who
    // compares into a mask waits as long as who multiplies.
    work.logic += IeeeMinMax::kBeside;
    work.chainedFmas += perStep;
    work.logic += isRow ? 0 : IeeeMinMax::kAround / added;
  }
  if (isRow) {
    // The sums of a row become one: in pairs, then across lanes.
    auto count = double(std::max<int64_t>(schedule.unroll, 1));
    double halvings = std::log2(std::max(lanes / widening, 2.0)),
           rowVectors = row.vectors * added;
    work.adds += (count - 1 + halvings) / rowVectors;
    work.shuffles += halvings / rowVectors;
    work.chainedAdds += (std::ceil(std::log2(count)) + halvings) / rowVectors;
    work.stores += 1 / rowVectors;
  }
  addNest(levels, operands, work);
}

} // namespace ein
