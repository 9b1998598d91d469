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
// all dynamic dims small, two of three, and each where the others are large.
// What it finds has a price at each shape of a grid, in which every dim is
// large or small. The list of alternatives grows by the one, at the place in
// the list, that saves most in the mean of all shapes. Then the bound of each
// goes to where it takes as long as what comes after it. That size is searched
// for on the model.
//
// Consequence: no rule says what is small, nor which of two alternatives is
// asked for first. Code and the time to compile it grow with each version, so
// there are few, the best ones.
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

/// A schedule, and what it takes at each shape of the grid.
struct Way {
  Schedule schedule;
  std::vector<double> cycles;
};

/// A way where the dims of a direction are at most so large.
struct Version {
  const Way *way;
  size_t direction;
  /// At the first size it is taken, at the second one it is not.
  int64_t size, next;
  Guard guard;
};

/// In the order in which guards are asked.
using VersionList = std::vector<Version>;

class AlternativeFinder {
public:
  AlternativeFinder(linalg::LinalgOp op, const TargetInfo &target,
                    const GivenChoices &given, Schedule &schedule)
      : op(op), target(target), given(given), schedule(schedule),
        ranges(op.getStaticLoopRanges()), usual(getUsualExtents(op)),
        axes(getAxes()), directions(getDirections()) {}

  void run();

private:
  SmallVector<int64_t> getDims() const;
  SmallVector<Direction> getAxes() const;
  SmallVector<Direction> getDirections() const;
  SmallVector<int64_t> getSizes(const Direction &direction);
  void limitOthers(SmallVectorImpl<int64_t> &extents);
  SmallVector<int64_t> getExtents(const Direction &direction, int64_t size);
  AssumedExtents getAssumed(ArrayRef<int64_t> sizes);
  double price(const Schedule &way, const AssumedExtents &assumed) const;
  std::vector<SmallVector<int64_t>> getGrid();
  const Way *addWay(Schedule found);
  VersionList listVersions();
  /// What the code does, of the alternatives that there are.
  const Schedule &getTaken(ArrayRef<int64_t> extents) const;
  bool addBest(VersionList &list, const VersionList &versions) const;
  int64_t findBound(const Version &version);
  void setAlternatives(const VersionList &list);
  void addWholeProduct();
  AssumedExtents getShapes(const Direction &direction, int64_t size);
  Guard makeGuard(const Direction &direction, int64_t size);
  bool holds(const Guard &guard, ArrayRef<int64_t> extents) const;

  linalg::LinalgOp op;
  const TargetInfo &target;
  const GivenChoices &given;
  Schedule &schedule;
  SmallVector<int64_t> ranges, usual;
  /// What is made small alone, and what is made small together.
  SmallVector<Direction> axes, directions;
  std::vector<SmallVector<int64_t>> grid;
  std::vector<std::unique_ptr<Way>> ways; // the schedule itself first
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

SmallVector<Direction> AlternativeFinder::getAxes() const {
  SmallVector<int64_t> dims = getDims();
  SmallVector<Direction> axes;
  if (dims.size() > Listed::kDimsAlone) {
    axes.push_back(dims);
    return axes;
  }
  // Rows and columns of a symmetric product are the same.
  bool isSquare = schedule.kind == Schedule::PackedGemm &&
                  isSymmetric(op, schedule.m, schedule.n);
  for (int64_t dim : dims) {
    if (isSquare && dim == schedule.n && llvm::is_contained(dims, schedule.m))
      continue;
    axes.push_back({dim});
    if (isSquare && dim == schedule.m && llvm::is_contained(dims, schedule.n))
      axes.back().push_back(schedule.n);
  }
  return axes;
}

/// Everything, two axes of three, and each.
SmallVector<Direction> AlternativeFinder::getDirections() const {
  SmallVector<Direction> directions;
  auto add = [&](const Direction *without) {
    Direction &direction = directions.emplace_back();
    for (const Direction &axis : axes)
      if (&axis != without)
        direction.append(axis);
  };
  if (axes.size() > 1)
    add(nullptr);
  if (axes.size() > 2)
    for (const Direction &axis : axes)
      add(&axis);
  directions.append(axes);
  return directions;
}

/// Which smaller sizes of a direction are looked at, from large to small. A
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

SmallVector<int64_t> AlternativeFinder::getExtents(const Direction &direction,
                                                   int64_t size) {
  SmallVector<int64_t> extents = usual;
  for (int64_t dim : direction)
    extents[dim] = size;
  return extents;
}

/// Those round these sizes; where a size is as large as usual there are none.
AssumedExtents AlternativeFinder::getAssumed(ArrayRef<int64_t> sizes) {
  AssumedExtents assumed;
  for (double spread : kSpreads) {
    SmallVector<int64_t> &extents = assumed.emplace_back(sizes);
    for (auto [extent, most] : llvm::zip(extents, usual))
      if (extent != most)
        extent = std::max<int64_t>(std::llround(spread * double(extent)), 1);
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

const Schedule &AlternativeFinder::getTaken(ArrayRef<int64_t> extents) const {
  for (const Schedule::Alternative &alternative : schedule.alternatives)
    if (holds(alternative.guard, extents))
      return alternative.schedule;
  return schedule;
}

/// What counts where the bounds of a guard are to be found: also shapes that
/// are long in one dim, or short in one, as far as inputs are no larger.
AssumedExtents AlternativeFinder::getShapes(const Direction &direction,
                                            int64_t size) {
  AssumedExtents shapes = getAssumed(getExtents(direction, size));
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

/// Every axis as large as usual or small. Tensors of more than two dims are no
/// larger than a matrix is, so that they have few of those; what directions
/// have for them is there too.
std::vector<SmallVector<int64_t>> AlternativeFinder::getGrid() {
  std::vector<SmallVector<int64_t>> grid = {usual};
  if (axes.size() > 1)
    for (const Direction &axis : axes)
      for (size_t i = 0, e = grid.size(); i < e; ++i)
        for (int64_t size : kSmallerSizes) {
          SmallVector<int64_t> extents = grid[i];
          for (int64_t dim : axis)
            extents[dim] = size;
          grid.push_back(std::move(extents));
        }
  llvm::erase_if(grid, [&](ArrayRef<int64_t> extents) {
    return llvm::any_of(op.getIndexingMapsArray(), [&](AffineMap map) {
      double points = 1;
      for (const Direction &direction : directions)
        if (direction.size() == 1 && map.isFunctionOfDim(direction.front()))
          points *= double(extents[direction.front()]);
      return points > double(kAssumedSize) * double(kAssumedSize);
    });
  });
  for (const Direction &direction : directions)
    for (int64_t size : getSizes(direction))
      if (SmallVector<int64_t> extents = getExtents(direction, size);
          !llvm::is_contained(grid, extents))
        grid.push_back(std::move(extents));
  return grid;
}

const Way *AlternativeFinder::addWay(Schedule found) {
  found.alternatives.clear();
  for (const std::unique_ptr<Way> &way : ways)
    if (way->schedule == found)
      return way.get();
  std::vector<double> cycles;
  for (ArrayRef<int64_t> extents : grid)
    cycles.push_back(price(found, getAssumed(extents)));
  ways.push_back(std::make_unique<Way>(Way{std::move(found), cycles}));
  return ways.back().get();
}

/// What is selected at each size of each direction, from there on to each of
/// the larger sizes. Until a bound is searched for it is half way to the next
/// size, by factors.
VersionList AlternativeFinder::listVersions() {
  VersionList versions;
  for (size_t number = 0; number < directions.size(); ++number) {
    const Direction &direction = directions[number];
    SmallVector<int64_t> sizes = getSizes(direction);
    for (size_t at = 0; at < sizes.size(); ++at) {
      GivenChoices choices = given;
      choices.assumed = getAssumed(getExtents(direction, sizes[at]));
      const Way *way = addWay(selectSchedule(op, target, choices));
      if (way == ways.front().get())
        continue;
      for (size_t last = 0; last <= at; ++last) {
        int64_t size = sizes[last];
        int64_t next = last > 0 ? sizes[last - 1] : kAssumedSize;
        if (llvm::any_of(versions, [&](const Version &version) {
              return version.way == way && version.direction == number &&
                     version.size == size;
            }))
          continue;
        int64_t bound = std::llround(std::sqrt(double(size) * double(next)));
        versions.push_back(
            {way, number, size, next, makeGuard(direction, bound)});
      }
    }
  }
  return versions;
}

/// Adds the version that saves most in the mean of all shapes, where in the
/// list it does. Returns false if none is worth its code.
bool AlternativeFinder::addBest(VersionList &list,
                                const VersionList &versions) const {
  auto getTaken = [&](const VersionList &list, size_t shape) -> const Way & {
    for (const Version &version : list)
      if (holds(version.guard, grid[shape]))
        return *version.way;
    return *ways.front();
  };
  VersionList best;
  double most = 0;
  for (const Version &version : versions)
    for (size_t place = 0; place <= list.size(); ++place) {
      VersionList longer = list;
      longer.insert(longer.begin() + ptrdiff_t(place), version);
      double saved = 0, gain = 1;
      for (size_t shape = 0; shape < grid.size(); ++shape) {
        double ratio = getTaken(list, shape).cycles[shape] /
                       getTaken(longer, shape).cycles[shape];
        saved += std::log(ratio);
        gain = std::max(gain, ratio);
      }
      if (saved > most && gain >= kLeastGain) {
        most = saved;
        best = std::move(longer);
      }
    }
  if (best.empty())
    return false;
  list = std::move(best);
  return true;
}

/// The largest size at which it takes no longer than what comes after it, which
/// is what there is so far.
int64_t AlternativeFinder::findBound(const Version &version) {
  int64_t least = version.size, most = version.next;
  while (most - least > 1) {
    int64_t middle = least + (most - least) / 2;
    double saved = 0;
    for (ArrayRef<int64_t> shape :
         getShapes(directions[version.direction], middle)) {
      AssumedExtents assumed = {SmallVector<int64_t>(shape)};
      saved += std::log(price(getTaken(shape), assumed) /
                        price(version.way->schedule, assumed));
    }
    (saved >= 0 ? least : most) = middle;
  }
  return least;
}

void AlternativeFinder::setAlternatives(const VersionList &list) {
  for (const Version &version : llvm::reverse(list)) {
    int64_t bound = findBound(version);
    schedule.alternatives.insert(
        schedule.alternatives.begin(),
        {makeGuard(directions[version.direction], bound),
         version.way->schedule});
  }
}

/// Of few sums all of a symmetric product: to move an element costs as much as
/// some tens of multiply-adds.
void AlternativeFinder::addWholeProduct() {
  if (schedule.symmetric == 0 || !ShapedType::isDynamic(ranges[schedule.k]))
    return;
  Schedule whole = schedule;
  whole.alternatives.clear();
  whole.symmetric = 0;
  Guard guard = {{{schedule.k}, schedule.symmetric - 1, /*isLeast=*/false}};
  schedule.alternatives.push_back({std::move(guard), std::move(whole)});
}

void AlternativeFinder::run() {
  addWholeProduct();
  if (axes.empty())
    return;
  grid = getGrid();
  addWay(schedule);
  for (auto [extents, cycles] : llvm::zip(grid, ways.front()->cycles))
    cycles = price(getTaken(extents), getAssumed(extents));
  VersionList versions = listVersions(), list;
  while (list.size() < Listed::kAlternatives && addBest(list, versions))
    ;
  setAlternatives(list);
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
