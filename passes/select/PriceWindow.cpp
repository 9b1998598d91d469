//===- PriceWindow.cpp - Cycles of sums over windows ----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: the tile that asks for the fewest loads of each sum is the largest
// one that registers hold, and often not the fastest. Where the steps of a
// window are straight code, its neighbours in the tile read the same elements,
// and LLVM keeps these from one step to the next: of 7 pixels by 2 vectors and
// windows of 3, 18 vectors beside 14 sums, of which 16 registers lose half.
//
// Choice: what several windows of a tile read is loaded once, and is kept from
// the step that reads it to the next one that does. What then has no register
// is written and read again. The tiles at the ends of dims are nests of their
// own.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/IeeeMinMax.h"
#include "passes/analysis/WindowAnalysis.h"
#include "passes/select/SchedulePricer.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <limits>

using namespace mlir;

namespace ein {

/// How many different values a subscript has in a tile of `counts` of each dim.
static double countPlaces(const LinearSubscript &subscript,
                          ArrayRef<double> counts) {
  double product = 1;
  for (auto [coefficient, count] :
       llvm::zip_equal(subscript.coefficients, counts))
    product *= coefficient == 0 ? 1 : count;
  return std::min(product, getSpan(subscript, counts));
}

namespace {

/// What a tile reads of an input while its straight code runs once: `counts` is
/// how many places of each dim a step has, `side` how many vectors each place.
class TileReads {
public:
  TileReads(ArrayRef<LinearSubscript> subscripts, int64_t vectorDim,
            ArrayRef<double> counts, double side)
      : subscripts(subscripts), vectorDim(vectorDim), counts(counts),
        side(side) {
    ofStep = all = count();
  }

  /// All steps along one more dim, from the innermost outwards.
  void addSteps(int64_t dim, double size);

  double ofStep, all;
  /// So many of what has been read is read again: by the next step along some
  /// dim, or along one inside of it.
  double kept = 0;

private:
  double count() const {
    double places = side;
    for (const LinearSubscript &subscript : subscripts)
      if (subscript.coefficients[vectorDim] == 0)
        places *= countPlaces(subscript, counts);
    return places;
  }

  ArrayRef<LinearSubscript> subscripts;
  int64_t vectorDim;
  SmallVector<double> counts;
  double side;
};

} // namespace

void TileReads::addSteps(int64_t dim, double size) {
  double before = all;
  counts[dim] = size;
  all = count();
  if (size <= 1)
    return;
  double shared = (before * size - all) / (size - 1);
  kept = shared + kept * (1 - shared / before);
}

/// How often two values are combined where what windows have in common along an
/// axis of the image, the first along which there are several in the tile, is
/// gathered once and joined in each of them.
static double countGathered(ArrayRef<LinearSubscript> subscripts,
                            int64_t vectorDim, ArrayRef<double> rows,
                            ArrayRef<int64_t> straight, ArrayRef<double> sizes,
                            double vectors) {
  SmallVector<double> counts(rows);
  for (int64_t dim : straight)
    counts[dim] = sizes[dim];
  double gathered = vectors, joined = vectors;
  for (double count : rows)
    joined *= count;
  bool isFound = false;
  for (const LinearSubscript &subscript : subscripts) {
    ArrayRef<int64_t> coefficients = subscript.coefficients;
    if (coefficients[vectorDim] != 0)
      continue;
    double places = 1, inTile = 1, inWindow = 1;
    for (auto [dim, coefficient] : llvm::enumerate(coefficients)) {
      if (coefficient == 0)
        continue;
      places *= counts[dim];
      (llvm::is_contained(straight, int64_t(dim)) ? inWindow : inTile) *=
          counts[dim];
    }
    bool isShared = !isFound && inTile > 1 && inWindow > 1;
    isFound |= isShared;
    gathered *= isShared ? countPlaces(subscript, counts) : places;
    joined *= isShared ? inWindow : 1;
  }
  return isFound ? gathered + joined : std::numeric_limits<double>::infinity();
}

int64_t SchedulePricer::getGroupDim() const {
  return schedule.widening > 1 ? int64_t(sizes.size()) - 1 : -1;
}

/// What one iteration of the tile's loops executes, which are over its vectors:
/// a step of `sums` for one of them.
NestWork SchedulePricer::getWindowWork(const WindowTiles &tiles,
                                       ArrayRef<int64_t> sums) {
  int64_t vectorDim = schedule.vectorDim, groupDim = getGroupDim();
  double lanes = double(std::max<int64_t>(schedule.lanes, 1));
  double vectors = std::ceil(tiles.steps[vectorDim] / lanes), points = vectors;
  SmallVector<double> rows(tiles.steps);
  rows[vectorDim] = 1;
  for (double count : rows)
    points *= count;
  ArrayRef<int64_t> straight = getStraight(sums);
  double steps = 1, depth = 1;
  for (int64_t dim : straight)
    steps *= sizes[dim];
  for (int64_t dim : sums)
    depth *= sizes[dim];
  double last = straight.empty() ? 1 : sizes[straight.back()];
  bool isGathered = schedule.ieeeMinMax && straight.size() == sums.size();
  bool isWitnessed = schedule.ieeeMinMax && hasWitness(op);
  double loads = 0, held = 0, most = 0, kept = 0, combined = steps * points;
  // What is extended, and loads for what lies in two lines.
  double extended = 0, split = 0;
  for (unsigned i = 0; i + 1 < getNumOperands(); ++i) {
    auto subscripts = getLinearSubscripts(maps[i]);
    if (!subscripts)
      continue;
    AffineMap map = groupDim < 0 ? maps[i] : dropGroup(maps[i]);
    double step = double(getStepAlong(map, vectorDim).value_or(0));
    TileReads reads(*subscripts, vectorDim, rows, step == 0 ? 1 : vectors);
    for (int64_t dim : llvm::reverse(straight))
      reads.addSteps(dim, sizes[dim]);
    // Every second element is two loads, and a shuffle between them.
    double read = reads.all * (step > 1 ? 2 * step - 1 : 1);
    loads += read;
    if (step == 1)
      split += read * getSplitShare(i, vectorDim, lanes * widths[i]);
    Type number = getElementTypeOrSelf(op->getOperand(i).getType());
    if (schedule.dot.empty() && isa<FloatType>(number) &&
        widths[i] < widths.back())
      extended += read;
    if (step != 0 && reads.kept > 0) {
      kept = std::max(kept, reads.kept);
      if (isGathered)
        combined =
            std::min(combined, countGathered(*subscripts, vectorDim, rows,
                                             straight, sizes, vectors));
      continue;
    }
    // Of one input each goes from memory into a sum.
    held += reads.ofStep;
    most = std::max(most, reads.ofStep);
  }
  // Windows that are tracked are taken one after the other, and what they share
  // is kept.
  double needed = points + kept + held - most + 2;
  if (schedule.ieeeMinMax)
    needed =
        IeeeMinMax::kValues * (isGathered ? vectors * (last + 1) : points) + 1;
  // What has a witness is kept until that has been asked.
  if (isWitnessed)
    needed = points + (isGathered ? vectors * last : 0) + 3;
  double registers = double(target.vectorRegisters);
  double spilled = std::max(needed - registers, 0.0) * steps / last;
  double all = steps * points, share = combined / all;
  NestWork work;
  work.vectorBits = lanes * widths.back() * 8;
  work.fmas = fmas;
  work.adds = adds * share;
  work.logic = logic;
  // The signs of zeros and what is no number are gathered beside a maximum.
  if (isWitnessed) {
    work.fmas += IeeeMinMax::kOfWitness * loads / all;
    work.logic += (IeeeMinMax::kOfDoubt * points + IeeeMinMax::kOfDoubts) /
                  (depth * points);
  } else if (schedule.ieeeMinMax) {
    work.logic += IeeeMinMax::kBeside * share;
  }
  work.loads = (loads + split + spilled) / all;
  work.logic += extended / all;
  bool isMasked =
      schedule.masked && std::fmod(tiles.extents[vectorDim], lanes) != 0;
  work.maskedStores = isMasked ? 1 / (depth * vectors) : 0;
  work.stores = spilled / all + 1 / depth - work.maskedStores;
  // What is too much of products is added up beside them, once for all rows.
  if (schedule.dotOffset)
    work.fmas += fmas * vectors / points;
  work.scalars = 4 / all;
  (fmas > 0 ? work.chainedFmas : work.chainedAdds) = 1 / points;
  if (straight.size() < sums.size())
    work.loopEnds = 1 / (depth * points);
  return work;
}

/// The array as the nest reads and writes it. What a tile and the steps that
/// are straight code have of an input is one piece with steps: windows have
/// places in common, which loops over both would count twice.
NestArray SchedulePricer::getWindowArray(unsigned operand,
                                         const WindowTiles &tiles,
                                         ArrayRef<Level> levels,
                                         ArrayRef<int64_t> sums) const {
  int64_t vectorDim = schedule.vectorDim;
  double lanes = double(std::max<int64_t>(schedule.lanes, 1));
  bool isAlong = getStride(operand, vectorDim) != 0;
  double group = isOutput(operand) ? 1 : double(schedule.widening);
  NestArray array = getInPlace(operand, levels,
                               (isAlong ? lanes : 1) * group * widths[operand]);
  auto subscripts = getLinearSubscripts(maps[operand]);
  if (isOutput(operand) || !subscripts)
    return array;
  ArrayRef<int64_t> straight = getStraight(sums);
  SmallVector<double> counts(tiles.steps);
  counts[vectorDim] = 1;
  for (int64_t dim : straight)
    counts[dim] = sizes[dim];
  // The loops of the tile stand behind those over tiles.
  SmallVector<bool> isKnown(sizes.size(), false);
  for (auto [level, stride] : llvm::zip_equal(
           levels, MutableArrayRef(array.strides).take_back(levels.size()))) {
    bool isInside =
        llvm::is_contained(straight, level.dim) || isKnown[level.dim];
    isKnown[level.dim] = true;
    if (isInside && level.dim != vectorDim)
      stride = 0;
  }
  for (auto [subscript, stride] :
       llvm::zip(*subscripts, axisStrides[operand])) {
    double count = countPlaces(subscript, counts);
    if (count > 1)
      array.steps.push_back(
          {std::abs(stride) * (getSpan(subscript, counts) - 1) / (count - 1),
           count});
  }
  return array;
}

void SchedulePricer::addWindowTiles(const WindowTiles &tiles, NestCost *part) {
  double lanes = double(std::max<int64_t>(schedule.lanes, 1));
  SmallVector<Level> levels, tile;
  SmallVector<int64_t> sums;
  for (int64_t dim : schedule.interchange) {
    if (dim == getGroupDim())
      continue;
    if (isSummed(dim)) {
      if (getTile(dim) == 0)
        sums.push_back(dim);
      else
        levels.push_back({dim, sizes[dim], 1});
      continue;
    }
    double step = tiles.steps[dim];
    levels.push_back({dim, tiles.extents[dim], step});
    if (step > 1)
      tile.push_back({dim, step, dim == schedule.vectorDim ? lanes : 1});
  }
  for (int64_t dim : sums)
    levels.push_back({dim, sizes[dim], 1});
  llvm::append_range(levels, tile);
  SmallVector<NestArray> operands;
  for (unsigned i = 0; i < getNumOperands(); ++i)
    operands.push_back(getWindowArray(i, tiles, levels, sums));
  // Sums that are all inside start from a fill in registers.
  bool isInside = llvm::none_of(schedule.interchange, [&](int64_t dim) {
    return isSummed(dim) && getTile(dim) != 0;
  });
  if (isInside && op.getDpsInits()[0].getDefiningOp<linalg::FillOp>())
    operands.back().isRead = false;
  addNest(levels, operands, getWindowWork(tiles, sums), part);
}

void SchedulePricer::addWindow() {
  // What all tiles have, and then those at the end of each dim.
  SmallVector<WindowTiles> all(1);
  all.front().extents.assign(sizes.size(), 1);
  all.front().steps.assign(sizes.size(), 1);
  for (int64_t dim : schedule.interchange) {
    if (isSummed(dim))
      continue;
    double step = std::max(getTile(dim), 1.0), size = sizes[dim];
    double whole = std::floor(size / step) * step, rest = size - whole;
    SmallVector<WindowTiles> next;
    for (auto [extent, tile] : {std::pair(whole, step), std::pair(rest, rest)})
      for (const WindowTiles &tiles : all) {
        if (extent == 0)
          continue;
        next.push_back(tiles);
        next.back().extents[dim] = extent;
        next.back().steps[dim] = tile;
      }
    all = std::move(next);
  }
  for (const WindowTiles &tiles : all) {
    bool isWhole = llvm::all_of(schedule.interchange, [&](int64_t dim) {
      return isSummed(dim) || tiles.steps[dim] == std::max(getTile(dim), 1.0);
    });
    addWindowTiles(tiles, isWhole ? nullptr : &prices.edges);
  }
}

} // namespace ein
