//===- SelectAlternatives.cpp - Schedules for other sizes -----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: which schedule is the cheapest depends on sizes, and dynamic ones
// are known when the code runs.
//
// Choice: the selection runs again with other sizes assumed (AssumedSizes.h):
// all dynamic dims small, and each of them small where the others are large.
// Where what it finds is cheaper there than what the code would do so far, this
// becomes an alternative, up to the size where both take as long. That size is
// searched for on the model, between the assumed ones.
//
// Consequence: no rule says what is small. Code and the time to compile it grow
// with each version, so there are few, the best ones.
//
//===----------------------------------------------------------------------===//

#include "passes/select/SelectAlternatives.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/ElementBytes.h"
#include "passes/analysis/Symmetry.h"
#include "passes/select/PriceSchedule.h"
#include "passes/select/SelectGemm.h"
#include "passes/select/SelectSymmetric.h"
#include <cmath>

using namespace mlir;

namespace ein {

/// Of each loop; dynamic ones as getAssumedExtents says.
static SmallVector<int64_t> getUsualExtents(linalg::LinalgOp op) {
  SmallVector<int64_t> extents = findRanges(op, findSurroundings(op));
  for (int64_t &extent : extents)
    if (ShapedType::isDynamic(extent))
      extent = kAssumedSize;
  return extents;
}

AssumedExtents getAssumedExtents(linalg::LinalgOp op) {
  if (findRanges(op, findSurroundings(op)) == op.getStaticLoopRanges())
    return {};
  return {getUsualExtents(op)};
}

namespace {

/// A version costs code. What it saves has to be more than what a price is
/// wrong by.
constexpr double kLeastGain = 1.05;

/// Dims that are made smaller together: one, rows and columns of a symmetric
/// product, or all.
using Direction = SmallVector<int64_t>;

/// What is the cheapest where the dims of a direction are so large.
struct Way {
  size_t direction;
  int64_t size;
  AssumedExtents assumed;
  Schedule schedule;
  bool isTaken = false;
};

class AlternativeFinder {
public:
  AlternativeFinder(linalg::LinalgOp op, const TargetInfo &target,
                    const GivenChoices &given, Schedule &schedule)
      : op(op), target(target), given(given), schedule(schedule),
        ranges(op.getStaticLoopRanges()), usual(getUsualExtents(op)),
        directions(getDirections()) {}

  void run();

private:
  SmallVector<int64_t> getDims() const;
  SmallVector<Direction> getDirections() const;
  SmallVector<int64_t> getSizes(const Direction &direction);
  void limitOthers(SmallVectorImpl<int64_t> &extents);
  AssumedExtents getAssumed(const Direction &direction, int64_t size);
  double price(const Schedule &way, const AssumedExtents &assumed) const;
  /// What the code would do so far.
  const Schedule &getTaken(ArrayRef<int64_t> assumed) const;
  void updateAlternatives();
  int64_t findCrossover(const Direction &direction, const Schedule &small,
                        const Schedule &large, int64_t least, int64_t most);
  AssumedExtents getShapes(const Direction &direction, int64_t size);
  Guard makeGuard(const Direction &direction, int64_t size);
  bool holds(const Guard &guard, ArrayRef<int64_t> extents) const;

  linalg::LinalgOp op;
  const TargetInfo &target;
  const GivenChoices &given;
  Schedule &schedule;
  SmallVector<int64_t> ranges, usual;
  SmallVector<Direction> directions;
  std::vector<Way> ways; // of a direction from large sizes to small ones
};

} // namespace

/// The dynamic ones that make a difference. Products have loops outside of
/// theirs, which repeat them.
SmallVector<int64_t> AlternativeFinder::getDims() const {
  SmallVector<int64_t> dims;
  bool isProduct =
      schedule.kind == Schedule::PackedGemm || schedule.kind == Schedule::Dot;
  for (int64_t dim = 0, e = ranges.size(); dim < e; ++dim)
    if (ShapedType::isDynamic(ranges[dim]) && usual[dim] >= kAssumedSize &&
        (!isProduct || dim == schedule.m || dim == schedule.n ||
         dim == schedule.k))
      dims.push_back(dim);
  return dims;
}

SmallVector<Direction> AlternativeFinder::getDirections() const {
  SmallVector<int64_t> dims = getDims();
  SmallVector<Direction> directions;
  if (dims.empty())
    return directions;
  directions.push_back(dims);
  if (dims.size() == 1 || dims.size() > Listed::kDimsAlone)
    return directions;
  // Rows and columns of a symmetric product are the same.
  bool isSquare = schedule.kind == Schedule::PackedGemm &&
                  isSymmetric(op, schedule.m, schedule.n);
  for (int64_t dim : dims) {
    if (isSquare && dim == schedule.n)
      continue;
    Direction direction = {dim};
    if (isSquare && dim == schedule.m)
      direction.push_back(schedule.n);
    directions.push_back(direction);
  }
  return directions;
}

/// Which sizes of a direction are looked at, from large ones to small ones. A
/// tensor of many dims is no larger than a matrix is.
SmallVector<int64_t> AlternativeFinder::getSizes(const Direction &direction) {
  size_t rank = 0;
  for (AffineMap map : op.getIndexingMapsArray())
    rank = std::max<size_t>(rank, llvm::count_if(direction, [&](int64_t dim) {
                              return map.isFunctionOfDim(dim);
                            }));
  if (rank <= 2)
    return llvm::to_vector(ArrayRef<int64_t>(kSmallerSizes));
  double largest = countExtent(double(kAssumedSize), rank);
  SmallVector<int64_t> sizes = {std::llround(largest)};
  for (int64_t size : kSmallerSizes)
    if (int64_t less = std::llround(largest * double(size) / kAssumedSize);
        less > 1)
      sizes.push_back(less);
  return sizes;
}

/// The dynamic loops that make no difference go so far that no tensor is larger
/// than a matrix is.
void AlternativeFinder::limitOthers(SmallVectorImpl<int64_t> &extents) {
  SmallVector<int64_t> dims = getDims();
  auto isOther = [&](int64_t dim) {
    return ShapedType::isDynamic(ranges[dim]) && usual[dim] == kAssumedSize &&
           !llvm::is_contained(dims, dim);
  };
  double limit = kAssumedSize;
  for (AffineMap map : op.getIndexingMapsArray()) {
    double rest = double(kAssumedSize) * double(kAssumedSize);
    int numOthers = 0;
    for (int64_t dim = 0, e = ranges.size(); dim < e; ++dim)
      if (map.isFunctionOfDim(dim) && isOther(dim))
        ++numOthers;
      else if (map.isFunctionOfDim(dim))
        rest /= double(std::max<int64_t>(extents[dim], 1));
    if (numOthers > 0)
      limit = std::min(limit, std::pow(rest, 1.0 / numOthers));
  }
  for (int64_t dim = 0, e = ranges.size(); dim < e; ++dim)
    if (isOther(dim))
      extents[dim] = std::max<int64_t>(std::llround(limit), 1);
}

AssumedExtents AlternativeFinder::getAssumed(const Direction &direction,
                                             int64_t size) {
  AssumedExtents assumed;
  for (double spread : kSpreads) {
    SmallVector<int64_t> &extents = assumed.emplace_back(usual);
    for (int64_t dim : direction)
      extents[dim] = std::max<int64_t>(std::llround(spread * double(size)), 1);
    limitOthers(extents);
  }
  return assumed;
}

double AlternativeFinder::price(const Schedule &way,
                                const AssumedExtents &assumed) const {
  std::optional<NestCost> cost =
      OpPricer(op, target, Surroundings(), assumed).price(way);
  return cost ? cost->cycles : std::numeric_limits<double>::infinity();
}

bool AlternativeFinder::holds(const Guard &guard,
                              ArrayRef<int64_t> extents) const {
  return llvm::all_of(guard, [&](const SizeBound &bound) {
    double points = 1;
    for (int64_t dim : bound.dims)
      points *= double(extents[dim]);
    return points <= double(bound.bound);
  });
}

const Schedule &AlternativeFinder::getTaken(ArrayRef<int64_t> assumed) const {
  for (const Schedule::Alternative &alternative : schedule.alternatives)
    if (holds(alternative.guard, assumed))
      return alternative.schedule;
  return schedule;
}

/// What counts where the bounds of a guard are to be found: also shapes that
/// are long in one dim, or short in one, as far as inputs are no larger.
AssumedExtents AlternativeFinder::getShapes(const Direction &direction,
                                            int64_t size) {
  AssumedExtents shapes = getAssumed(direction, size);
  if (direction.size() == 1)
    return shapes;
  Guard guard = makeGuard(direction, size);
  for (int64_t other : direction)
    for (bool isLong : {true, false}) {
      SmallVector<int64_t> extents = usual;
      for (int64_t dim : direction)
        extents[dim] = (dim == other) == isLong
                           ? size * Listed::kStretch
                           : std::max<int64_t>(size / Listed::kStretch, 1);
      limitOthers(extents);
      if (holds(guard, extents))
        shapes.push_back(std::move(extents));
    }
  return shapes;
}

/// The largest size at which `small` takes no longer; at `least` it does not,
/// and at `most` it does.
int64_t AlternativeFinder::findCrossover(const Direction &direction,
                                         const Schedule &small,
                                         const Schedule &large, int64_t least,
                                         int64_t most) {
  while (most - least > 1) {
    int64_t middle = least + (most - least) / 2;
    AssumedExtents assumed = getShapes(direction, middle);
    if (price(small, assumed) <= price(large, assumed))
      least = middle;
    else
      most = middle;
  }
  return least;
}

/// One dim is at most so large; of several it is what each input has of them.
Guard AlternativeFinder::makeGuard(const Direction &direction, int64_t size) {
  Guard guard;
  for (OpOperand *input : op.getDpsInputOperands()) {
    SizeBound bound;
    bound.bound = 1;
    for (int64_t dim : direction)
      if (op.getMatchingIndexingMap(input).isFunctionOfDim(dim)) {
        bound.dims.push_back(dim);
        bound.bound *= size;
      }
    if (!bound.dims.empty() && !llvm::is_contained(guard, bound))
      guard.push_back(std::move(bound));
  }
  // What the result alone has.
  for (int64_t dim : direction)
    if (llvm::none_of(guard, [&](const SizeBound &bound) {
          return llvm::is_contained(bound.dims, dim);
        }))
      guard.push_back({{dim}, size, /*isLeast=*/false});
  return guard;
}

/// Of one direction the smaller sizes come first, and go up to where what is
/// taken of larger ones, or the schedule itself, is as good.
void AlternativeFinder::updateAlternatives() {
  schedule.alternatives.clear();
  for (size_t number = 0; number < directions.size(); ++number) {
    size_t first = schedule.alternatives.size();
    int64_t above = kAssumedSize;
    Schedule large = schedule;
    for (const Way &way : ways) {
      if (way.direction != number || !way.isTaken)
        continue;
      int64_t most = findCrossover(directions[number], way.schedule, large,
                                   way.size, above);
      schedule.alternatives.insert(
          schedule.alternatives.begin() + ptrdiff_t(first),
          {makeGuard(directions[number], most), way.schedule});
      above = way.size;
      large = way.schedule;
    }
  }
  if (schedule.symmetric == 0 || !ShapedType::isDynamic(ranges[schedule.k]))
    return;
  // To move an element costs as much as some tens of multiply-adds.
  Schedule whole = schedule;
  whole.alternatives.clear();
  whole.symmetric = 0;
  Guard guard = {{{schedule.k}, schedule.symmetric - 1, /*isLeast=*/false}};
  schedule.alternatives.push_back({std::move(guard), std::move(whole)});
}

void AlternativeFinder::run() {
  updateAlternatives();
  for (auto [number, direction] : llvm::enumerate(directions))
    for (int64_t size : getSizes(direction)) {
      GivenChoices choices = given;
      choices.assumed = getAssumed(direction, size);
      ways.push_back(
          {number, size, choices.assumed, selectSchedule(op, target, choices)});
    }
  // Each time the one that saves most, beside those that there are.
  for (size_t i = 0; i < Listed::kAlternatives; ++i) {
    Way *best = nullptr;
    double most = kLeastGain;
    for (Way &way : ways) {
      const Schedule &now = getTaken(way.assumed.front());
      if (way.isTaken || way.schedule == now)
        continue;
      double gain = price(now, way.assumed) / price(way.schedule, way.assumed);
      if (gain >= most) {
        most = gain;
        best = &way;
      }
    }
    if (!best)
      return;
    best->isTaken = true;
    updateAlternatives();
  }
}

/// For tests: what all inputs of at most 2 KiB are read in place by. Either
/// version has several register tiles then.
static void forceVersions(linalg::LinalgOp op, const TargetInfo &target,
                          Schedule &schedule) {
  constexpr int64_t kForced = 2048;
  GivenChoices choices;
  choices.packing = "near";
  std::vector<Candidate> ways = listPackedGemms(op, target, choices);
  if (ways.empty())
    return;
  Guard guard;
  for (OpOperand *input : op.getDpsInputOperands()) {
    SizeBound bound;
    bound.bound = kForced / getScalarBytes(getElementTypeOrSelf(input->get()));
    for (int64_t dim : {schedule.m, schedule.n, schedule.k})
      if (op.getMatchingIndexingMap(input).isFunctionOfDim(dim))
        bound.dims.push_back(dim);
    guard.push_back(std::move(bound));
  }
  schedule.alternatives.push_back({std::move(guard), ways.front().schedule});
}

void selectAlternatives(linalg::LinalgOp op, const TargetInfo &target,
                        const GivenChoices &given, Schedule &schedule) {
  if (!ShapedType::isDynamicShape(op.getStaticLoopRanges()))
    return;
  switch (schedule.kind) {
  case Schedule::Loops:
  case Schedule::LibraryCall:
  case Schedule::Epilogue:
  case Schedule::SplitSum:
  case Schedule::Rows:
    return;
  default:
    break;
  }
  if (given.packing == "versions" && schedule.kind == Schedule::PackedGemm)
    forceVersions(op, target, schedule);
  else if (given.packing == "auto" || given.packing == "rows")
    AlternativeFinder(op, target, given, schedule).run();
}

} // namespace ein
