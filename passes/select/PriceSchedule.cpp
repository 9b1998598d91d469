//===- PriceSchedule.cpp - Cycles of an op that runs by a schedule --------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: schedules of different kinds are to be compared before any of them
// is compiled.
//
// Choice: each becomes the loops that the passes will make of it, as data, with
// what one iteration executes and which bytes it touches. A register tile is
// loops as well, the innermost ones, among whose iterations its instructions
// are divided evenly. What the passes do at ends of loops is a nest of its own
// where a tile of its own does it, else a whole tile.
//
// Consequence: target/NestCost.h is the only place that knows what a loop
// costs, and the files named Price… the only ones that know what a schedule is
// as loops: those of products, reductions, windows and groups have their own.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/BuiltinTypes.h"
#include "passes/analysis/DimRoles.h"
#include "passes/analysis/Transposition.h"
#include "passes/select/SchedulePricer.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace mlir;

namespace ein {

/// The loops over blocks, or single points, that the schedule asks for.
SmallVector<Level> SchedulePricer::getBlocks() const {
  SmallVector<Level> levels;
  for (int64_t dim : schedule.getLoopOrder(sizes.size()))
    if (double tile = getTile(dim); tile != 0 && sizes[dim] > 1)
      levels.push_back({dim, sizes[dim], std::min(tile, sizes[dim]), true});
  return levels;
}

NestArray SchedulePricer::getInPlace(unsigned operand, ArrayRef<Level> levels,
                                     double bytes) const {
  NestArray result = {{}, bytes, true, isOutput(operand)};
  result.hasOpenStrides =
      ShapedType::isDynamicShape(linalg::LinalgOp(op).getStaticLoopRanges());
  if (!surroundings.loops.empty())
    result.strides = loopStrides[operand];
  for (const Level &level : levels)
    result.strides.push_back(getStride(operand, level.dim));
  if (isOutput(operand))
    result.isRead = readsResult;
  return result;
}

/// Those of rows that begin at multiples of their width do not; others begin
/// anywhere.
double SchedulePricer::getSplitShare(unsigned operand, int64_t along,
                                     double bytes) const {
  for (int64_t dim = 0, e = sizes.size(); dim < e; ++dim)
    if (dim != along &&
        std::fmod(std::abs(getStride(operand, dim)), bytes) != 0)
      return std::min(bytes / double(target.machine.lineBytes), 1.0);
  return 0;
}

NestArray SchedulePricer::getBeside(unsigned operand, ArrayRef<Level> levels,
                                    size_t numOutside) const {
  NestArray result = {SmallVector<double>(levels.size(), 0), widths[operand],
                      false, false};
  for (int64_t dim = 0, e = sizes.size(); dim < e; ++dim)
    if (getStride(operand, dim) != 0 && getInner(dim) > 1)
      result.steps.push_back(
          {std::abs(getStride(operand, dim)), getInner(dim)});
  for (size_t i = 0; i < numOutside; ++i)
    result.strides[i] = getStride(operand, levels[i].dim);
  result.beside = numOutside;
  return result;
}

/// What is multiplied between two copies of an operand's blocks.
void SchedulePricer::addOthers(unsigned operand, ArrayRef<Level> levels,
                               size_t numOutside,
                               SmallVectorImpl<NestArray> &arrays) const {
  if (numOutside == 0)
    return;
  for (unsigned other = 0; other < getNumOperands(); ++other)
    if (other != operand)
      arrays.push_back(getBeside(other, levels, numOutside));
}

/// Adds a nest in the loops round the op, and to `part` as well. What is not in
/// place is the same memory in each round of these.
void SchedulePricer::addNest(ArrayRef<Level> levels, ArrayRef<NestArray> arrays,
                             const NestWork &work, NestCost *part) {
  LoopNest nest;
  for (const Surroundings::Loop &loop : surroundings.loops)
    nest.loops.push_back({loop.extent, loop.step, /*isBlock=*/true});
  for (const Level &level : levels)
    nest.loops.push_back({level.extent, level.step, level.isBlock});
  nest.arrays.assign(arrays.begin(), arrays.end());
  for (NestArray &array : nest.arrays) {
    if (array.strides.size() < nest.loops.size())
      array.strides.insert(array.strides.begin(), surroundings.loops.size(), 0);
    if (array.beside)
      *array.beside += surroundings.loops.size();
  }
  nest.work = work;
  nest.work.hasMaskRegisters = target.maskedOps;
  NestCost cost = priceNest(nest, target.machine);
  prices.total.add(cost);
  if (part)
    part->add(cost);
  if (part != &prices.copies)
    return;
  double rounds = 1;
  for (const NestLoop &loop : nest.loops)
    rounds *= std::max(loop.extent / loop.step, 1.0);
  for (const NestArray &array : nest.arrays)
    if (array.isWritten)
      prices.copiedBytes += rounds * array.bytes;
}

/// Point by point along the last dim of the result, `lanes` of them at once.
/// What `isInRegisters` is there already, and stays.
void SchedulePricer::addElementwise(double lanes, bool isInRegisters) {
  int64_t inner = schedule.kind == Schedule::Vectorize && lanes > 1
                      ? schedule.vectorDim
                      : int64_t(sizes.size()) - 1;
  SmallVector<int64_t> order = schedule.getLoopOrder(sizes.size());
  llvm::erase(order, inner);
  SmallVector<Level> levels;
  for (int64_t dim : order)
    levels.push_back({dim, sizes[dim], 1});
  if (inner >= 0)
    levels.push_back({inner, sizes[inner], lanes});
  SmallVector<NestArray> operands;
  NestWork work;
  work.vectorBits = lanes * widths.back() * 8;
  for (unsigned i = 0; i < getNumOperands(); ++i) {
    if (isInRegisters && isOutput(i))
      continue;
    bool isAlong = inner >= 0 && getStride(i, inner) != 0;
    operands.push_back(
        getInPlace(i, levels, (isAlong ? lanes : 1) * widths[i]));
    work.loads += operands.back().isRead && (isAlong || isOutput(i));
    work.stores += isOutput(i) && (inner < 0 || !isSummed(inner));
  }
  // Past the caches go whole lines; the ends of a row are under masks.
  if (schedule.kind == Schedule::Vectorize && isStreamed()) {
    operands.back().isStreamed = true;
    double vectors = std::max(sizes[inner] / lanes, 1.0);
    work.maskedStores = 2 / vectors;
    work.loopEnds = 1 / vectors;
  }
  work.fmas = fmas;
  work.adds = adds;
  work.logic = logic;
  work.scalars = 2;
  if (inner >= 0 && isSummed(inner)) {
    work.chainedFmas = fmas > 0;
    work.chainedAdds = fmas == 0;
  }
  addNest(levels, operands, work);
}

/// Whether stores of `op` go past the caches: it says so, and has enough.
bool SchedulePricer::isStreamed() const {
  double bytes = widths.back();
  for (auto [dim, size] : llvm::enumerate(sizes))
    bytes *= isSummed(dim) ? 1 : size;
  return schedule.streamBytes != 0 && bytes >= double(schedule.streamBytes) &&
         target.machine.memory.stream != 0;
}

/// Squares of vectors: each is read along one dim and written along the other.
/// Or whole rows, as vectors of them.
void SchedulePricer::addTranspose() {
  TransposeDims dims = *getTransposeDims(op);
  double lanes = double(std::max<int64_t>(schedule.lanes, 1));
  double width = widths.back(), line = double(target.machine.lineBytes);
  unsigned out = getNumOperands() - 1;
  SmallVector<Level> levels = getBlocks();
  for (AffineExpr axis : maps.back().getResults()) {
    int64_t dim = cast<AffineDimExpr>(axis).getPosition();
    if (dim != dims.row && dim != dims.column && getTile(dim) != 1)
      levels.push_back({dim, getInner(dim), 1});
  }
  Level along = {dims.row, getInner(dims.row), lanes},
        across = {dims.column, 1, 1};
  bool isWhole = true;
  for (int64_t dim = 0, e = sizes.size(); dim < e; ++dim)
    if (dim != dims.row && std::fmod(std::abs(getStride(out, dim)), line) != 0)
      isWhole = false;
  bool isPast = isStreamed() && lanes * width == line;
  if (dims.column >= 0) {
    across = {dims.column, getInner(dims.column), lanes};
    bool canBuffer = canBufferSquares(getInner(dims.row), getInner(dims.column),
                                      width, lanes);
    isPast &= isWhole || canBuffer;
    // What is written past the caches needs no order, and is read in that of
    // memory.
    bool isByRows = isPast && isWhole;
    levels.push_back(isByRows ? along : across);
    levels.push_back(isByRows ? across : along);
    levels.push_back({dims.column, std::min(lanes, sizes[dims.column]), 1});
  } else {
    isPast &= isWhole;
    levels.push_back(along);
  }

  NestWork work;
  work.vectorBits = lanes * width * 8;
  work.scalars = work.stores = 1;
  work.fmas = fmas, work.adds = adds, work.logic = logic;
  SmallVector<NestArray> arrays;
  for (unsigned i = 0; i < out; ++i) {
    if (maps[i].getNumResults() == 0)
      continue;
    arrays.push_back(getInPlace(i, levels, widths[i]));
    arrays.back().isIndependent = true;
    bool isTurned = dims.column >= 0 && getLastDim(maps[i]) == dims.column;
    if (isTurned)
      // Of a square each row is read, and not each column.
      arrays.back().strides.back() = getStride(i, dims.row);
    if (isTurned || getStride(i, dims.row) != 0)
      arrays.back().bytes *= lanes, work.loads += 1;
    work.shuffles += isTurned ? std::log2(std::max(lanes, 2.0)) : 0;
  }
  NestArray written = getInPlace(out, levels, lanes * width);
  written.isIndependent = true;
  written.isStreamed = isPast;
  if (dims.column < 0 || !isPast || isWhole) {
    arrays.push_back(written);
    addNest(levels, arrays, work);
    return;
  }
  // The squares to a buffer, and its rows from there, their ends under masks.
  NestArray buffer = {SmallVector<double>(levels.size() - 3, 0), lanes * width,
                      false, true};
  double row = getInner(dims.row) * width + line;
  buffer.strides.append({row, width, row});
  arrays.push_back(buffer);
  addNest(levels, arrays, work);
  std::swap(buffer.isRead, buffer.isWritten);
  levels.pop_back_n(3);
  levels.push_back({dims.column, getInner(dims.column), 1});
  levels.push_back(along);
  buffer.strides.pop_back_n(3);
  buffer.strides.append({row, width});
  written = getInPlace(out, levels, lanes * width);
  written.isStreamed = true;
  double vectors = std::max(getInner(dims.row) / lanes, 1.0);
  NestWork copy;
  copy.vectorBits = work.vectorBits;
  copy.loads = 2, copy.stores = copy.scalars = 1;
  copy.maskedStores = 2 / vectors;
  copy.loopEnds = 1 / vectors;
  addNest(levels, {buffer, written}, copy);
}

std::optional<SchedulePrice> SchedulePricer::price(const Schedule &wanted) {
  schedule = wanted;
  prices = SchedulePrice();
  if (llvm::is_contained(sizes, 0.0))
    return prices;
  switch (schedule.kind) {
  case Schedule::Loops:
    addElementwise(1);
    return prices;
  case Schedule::Vectorize:
    addElementwise(std::max(1.0, getTile(schedule.vectorDim)));
    return prices;
  case Schedule::PackedGemm:
    addGemm();
    return prices;
  case Schedule::Dot:
    addDot();
    return prices;
  case Schedule::Gett:
    if (!addGett())
      return std::nullopt;
    return prices;
  case Schedule::Transpose:
    addTranspose();
    return prices;
  case Schedule::Window:
    addWindow();
    return prices;
  case Schedule::Reduce:
    addReduction();
    return prices;
  case Schedule::Epilogue:
    addElementwise(target.getLanes(unsigned(8 * widths.back())),
                   /*isInRegisters=*/true);
    return prices;
  case Schedule::LibraryCall:
  case Schedule::SplitSum:
  case Schedule::Rows:
    return std::nullopt;
  }
  llvm_unreachable("unknown schedule");
}

OpPricer::OpPricer(linalg::LinalgOp op, const TargetInfo &target,
                   const Surroundings &surroundings,
                   const AssumedExtents &assumed, bool isQuick) {
  auto add = [&](ArrayRef<int64_t> extents) {
    pricers.push_back(std::make_unique<SchedulePricer>(op, target, surroundings,
                                                       extents, isQuick));
  };
  if (assumed.empty())
    add({});
  for (ArrayRef<int64_t> extents : assumed)
    add(extents);
}

OpPricer::~OpPricer() = default;

std::optional<NestCost> OpPricer::price(const Schedule &schedule) {
  std::optional<SchedulePrice> prices = priceParts(schedule);
  if (!prices)
    return std::nullopt;
  // Each counts as much as the others, whatever there is to do: the mean of
  // what a point takes.
  double points = pricers.front()->countPoints(), sum = prices->total.cycles;
  for (const auto &other : ArrayRef(pricers).drop_front())
    sum += other->price(schedule)->total.cycles * points / other->countPoints();
  prices->total.cycles = sum / double(pricers.size());
  return prices->total;
}

double OpPricer::getNumPoints() const { return pricers.front()->countPoints(); }

std::optional<SchedulePrice> OpPricer::priceParts(const Schedule &schedule) {
  return pricers.front()->price(schedule);
}

} // namespace ein
