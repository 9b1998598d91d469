//===- PriceProducts.cpp - Cycles of a contraction's tiles ----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product of matrices as loops: its register tiles, the panels that they
// read, the half that is copied from a symmetric one, and tiles of dot
// products. What PriceSchedule.cpp says of loops holds here.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/BuiltinTypes.h"
#include "passes/select/SchedulePricer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace mlir;

namespace ein {

/// The bytes of an element in a panel: a group of them fills one of the result.
/// What a matrix unit multiplies stays as narrow as it is.
double SchedulePricer::getPackedWidth() const {
  if (schedule.hasTiles())
    return widths[schedule.lhs];
  return widths.back() / double(schedule.kPack);
}

/// A copy of the operand in panels of `width` along `dim`, as often as loops
/// outside of it come round.
void SchedulePricer::addPack(unsigned operand, int64_t dim, double width) {
  SmallVector<Level> blocks = getBlocks(), levels;
  size_t needed = 0;
  for (auto [i, level] : llvm::enumerate(blocks))
    if (getStride(operand, level.dim) != 0)
      needed = i + 1;
  levels.append(blocks.begin(), blocks.begin() + needed);
  size_t numOutside = levels.size();
  bool isAcross = std::abs(getStride(operand, dim)) > widths[operand];
  double packedWidth = getPackedWidth();
  double depth = getInner(schedule.k);
  NestArray panel = {SmallVector<double>(numOutside, 0), 0, false, true};
  panel.strides.push_back(depth * packedWidth);
  panel.strides.push_back(width * packedWidth);
  levels.push_back({dim, getInner(dim), width});
  NestWork work;
  work.vectorBits = target.vectorBits;
  if (!isAcross) {
    levels.push_back({schedule.k, depth, 1});
    panel.bytes = width * packedWidth;
    work.loads = work.stores =
        std::max(1.0, panel.bytes * 8 / double(target.vectorBits));
    work.scalars = 2;
    work.loopEnds = 1 / depth;
    SmallVector<NestArray> arrays = {
        panel, getInPlace(operand, levels, width * widths[operand])};
    addOthers(operand, levels, numOutside, arrays);
    addNest(levels, arrays, work, &prices.copies);
    return;
  }
  // A register that is a tile has a row of A as it lies, a line at a time.
  if (schedule.hasTiles() && !hasOuterProducts() &&
      operand == unsigned(schedule.lhs)) {
    double line = double(schedule.kPack);
    levels.push_back({dim, getInner(dim), 1});
    levels.push_back({schedule.k, depth, line});
    panel.strides.back() = line * packedWidth;
    panel.strides.push_back(width * line * packedWidth);
    panel.bytes = line * packedWidth;
    work.loads = work.stores = work.scalars = 1;
    work.loopEnds = line / depth;
    SmallVector<NestArray> arrays = {panel,
                                     getInPlace(operand, levels, panel.bytes)};
    addOthers(operand, levels, numOutside, arrays);
    addNest(levels, arrays, work, &prices.copies);
    return;
  }
  // Rows lie apart; squares of them are transposed in registers. If what is
  // along k lies apart as well, elements are moved one by one.
  bool isAlong = std::abs(getStride(operand, schedule.k)) <= widths[operand];
  double lanes =
      isAlong
          ? std::min(double(target.getLanes(unsigned(8 * packedWidth))), depth)
          : 1;
  levels.push_back({schedule.k, depth, lanes});
  NestArray read = getInPlace(operand, levels, lanes * widths[operand]);
  levels.push_back({dim, width, 1});
  read.strides.push_back(getStride(operand, dim));
  panel.strides.push_back(lanes * packedWidth);
  panel.bytes = lanes * packedWidth;
  work.loads = work.stores = work.scalars = 1;
  work.shuffles = std::log2(std::max(lanes, 2.0));
  work.loopEnds = 1 / width;
  SmallVector<NestArray> arrays = {panel, read};
  addOthers(operand, levels, numOutside, arrays);
  addNest(levels, arrays, work, &prices.copies);
}

/// The tiles of the nest, mr by nr, over so many rows and columns of C.
void SchedulePricer::addTiles(double rows, double columns, double mr, double nr,
                              NestCost *part) {
  if (rows <= 0 || columns <= 0)
    return;
  unsigned lhs = schedule.lhs, rhs = 1 - lhs, out = 2;
  auto limit = [&](int64_t dim, double size) {
    return dim == schedule.m   ? std::min(size, rows)
           : dim == schedule.n ? std::min(size, columns)
                               : size;
  };
  SmallVector<Level> levels = getBlocks();
  for (Level &level : levels) {
    level.extent = limit(level.dim, level.extent);
    level.step = std::min(level.step, level.extent);
  }
  size_t numBlocks = levels.size();
  Level byRows = {schedule.m, limit(schedule.m, getInner(schedule.m)), mr},
        byColumns = {schedule.n, limit(schedule.n, getInner(schedule.n)), nr};
  levels.push_back(schedule.rowsFirst ? byRows : byColumns);
  levels.push_back(schedule.rowsFirst ? byColumns : byRows);
  double depth = getInner(schedule.k);
  levels.push_back({schedule.k, depth, double(schedule.kPack)});
  levels.push_back({schedule.m, mr, 1});

  double width = widths[out], packedWidth = getPackedWidth();
  auto getPanel = [&](int64_t dim, double side) {
    NestArray panel = {SmallVector<double>(numBlocks, 0), 0, true, false};
    for (const Level &level : ArrayRef(levels).drop_front(numBlocks)) {
      bool isRow = level.dim == schedule.m && level.step == 1 && mr > 1;
      panel.strides.push_back(level.dim == schedule.k ? side * packedWidth
                              : level.dim != dim      ? 0
                              : isRow                 ? packedWidth
                                                      : depth * packedWidth);
    }
    return panel;
  };
  double step = double(schedule.kPack);
  NestArray a = schedule.pack[lhs]
                    ? getPanel(schedule.m, mr)
                    : getInPlace(lhs, levels, step * widths[lhs]);
  if (schedule.pack[lhs])
    a.bytes = step * packedWidth;
  NestArray b = schedule.pack[rhs] ? getPanel(schedule.n, nr)
                                   : getInPlace(rhs, levels, nr * widths[rhs]);
  if (schedule.pack[rhs])
    b.bytes = nr * step * packedWidth;
  if (schedule.prefetchDistance != 0)
    b.fetchedAhead = std::numeric_limits<double>::infinity();
  // Columns of C that lie apart, as a batch is inside of them, are read and
  // written one by one.
  double columnStride = std::abs(getStride(out, schedule.n));
  bool isApart = columnStride > width;
  NestArray c = getInPlace(out, levels, isApart ? width : nr * width);
  if (isApart)
    c.steps.push_back({columnStride, nr});

  double lanes = target.getLanes(unsigned(8 * width));
  double vectors = std::ceil(nr / lanes);
  // It is fetched when the sums of its tile begin.
  if (schedule.prefetch != 0)
    c.fetchedAhead = depth / step * mr * vectors * std::max(fmas, 1.0) /
                     double(target.machine.fmas);
  double read =
      vectors * (1 + (schedule.pack[rhs]
                          ? 0
                          : getSplitShare(rhs, schedule.n, lanes * width)));
  double started = vectors * step / depth *
                   (1 + getSplitShare(out, schedule.n, lanes * width)),
         written = started;
  if (isApart)
    started = written = nr * step / depth;
  // The last columns are a whole tile, whose loads and stores have masks;
  // where these are vectors, they take registers.
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  // Of a last block that is shorter nobody sees that it is whole tiles.
  double block = getTile(schedule.n);
  bool isOpen = ShapedType::isDynamic(ranges[schedule.n]) ||
                (block != 0 && std::fmod(sizes[schedule.n], block) != 0);
  bool isMasked =
      std::fmod(columns, nr) != 0 || (isOpen && schedule.colRemainderNr == 0);
  double masks =
      isMasked && !schedule.pack[rhs] && !target.maskedOps ? vectors : 0;
  // Of complex numbers each part of an element of A has sums of its own.
  double parts =
      isa<ComplexType>(getElementTypeOrSelf(op.getDpsInits()[0])) ? 2 : 1;
  // Rows that may not be there have an address each, which each step advances.
  bool hasAddresses = !schedule.pack[lhs] && schedule.rowRemainder == 0 &&
                      mr > kAddressesAtOnce &&
                      (ShapedType::isDynamic(ranges[schedule.m]) ||
                       std::fmod(sizes[schedule.m], mr) != 0);
  double sums = mr * vectors * parts;
  double left = double(target.vectorRegisters) - sums - vectors - masks;
  double spilled = std::max(1 - left, 0.0);
  // Of more rows than registers have addresses for, whose stride is open, LLVM
  // loads all numbers of A before it multiplies. With no registers for these it
  // moves every sum.
  if (hasAddresses && ShapedType::isDynamic(ranges[schedule.m]) && left < mr)
    spilled = sums;
  NestWork work;
  work.vectorBits = std::min<double>(nr, lanes) * width * 8;
  work.fmas = vectors * (parts == 2 ? parts : std::max(fmas, 1.0));
  // Numbers of A that are moved as they are read take units that products may
  // need as well.
  if (schedule.dotOffset && !schedule.pack[lhs])
    work.fmas =
        std::max(work.fmas, (work.fmas + 1) * double(target.machine.fmas) /
                                double(target.machine.vectorAlu));
  work.loads = parts + (read + spilled) / mr + started;
  work.logic = masks / mr;
  work.stores = written + spilled / mr;
  if (hasOuterProducts()) {
    // Each of a register of groups of A by one of B's, whatever is in them.
    double rows = double(schedule.dotRows);
    double products = std::ceil(mr / rows) * std::ceil(nr / rows) / mr;
    work.fmas = products * double(target.machine.fmas) /
                double(target.machine.outerProducts);
    work.loads = (a.bytes + b.bytes / mr) * 8 / work.vectorBits + started;
  } else if (schedule.hasTiles()) {
    // A matrix unit takes a row of A, for a register's columns, in a cycle, and
    // reads a line of each factor.
    work.fmas = vectors * double(target.machine.fmas);
    work.loads = 1 + b.bytes / double(target.machine.lineBytes) / mr + started;
  }
  // Without mask registers lanes that are known are written by plain stores.
  bool isKnown =
      !ShapedType::isDynamic(ranges[schedule.n]) && getTile(schedule.n) == 0;
  if (isMasked && isKnown && !target.maskedOps) {
    auto rest = int64_t(std::fmod(std::fmod(columns, nr), lanes));
    work.stores += (llvm::popcount(uint64_t(rest)) - 1) * step / depth;
  } else if (isMasked) {
    work.maskedStores = step / depth;
    work.stores -= work.maskedStores;
  }
  work.scalars = 3 / (mr * double(std::max<int64_t>(schedule.unroll, 1)));
  if (hasAddresses) {
    work.scalars += 1;
    work.loads += 1 - kAddressesAtOnce / mr;
  }
  bool isForeseen = getTile(schedule.k) == 0 &&
                    !ShapedType::isDynamic(ranges[schedule.k]) &&
                    depth / step <= kForeseenSteps;
  if (depth / step > double(schedule.unroll) && !isForeseen)
    work.loopEnds = step / (depth * mr);
  // Of an open sum the last block has a loop more, for what unrolling leaves.
  if (ShapedType::isDynamic(ranges[schedule.k]) && schedule.unroll > 1)
    work.loopEnds += step / (sizes[schedule.k] * mr);
  // Where all of k is one piece of code, and the last rows or columns may be
  // fewer than a tile has, LLVM orders it by rows, of which the machine has
  // some at once.
  bool isClamped =
      !schedule.pack[lhs] &&
      (ShapedType::isDynamic(ranges[schedule.m]) || std::fmod(rows, mr) != 0) &&
      rows > mr;
  bool hasLastRows =
      schedule.rowRemainder != 0 &&
      (mr == double(schedule.mr) || mr == double(schedule.rowRemainder));
  bool isByRows =
      (isClamped || hasLastRows || (isMasked && !target.maskedOps)) &&
      double(schedule.unroll) >= depth / step;
  work.chainedFmas = 1 / (isByRows ? std::min(mr, kSumsAtOnce) : mr);
  // A sum that no register is left for goes through memory in each step.
  const MachineModel &machine = target.machine;
  if (spilled > 0)
    work.chainedFmas *= 1 + 2 * double(machine.l1.latency) /
                                std::max(double(machine.fmaLatency), 1.0);
  if (!schedule.hasTiles()) {
    addNest(levels, {a, b, c}, work, part);
    return;
  }
  // C is in registers while the sums go on: its lines, which may all be in the
  // same few sets of L1, come and go once.
  work.loads -= started, work.stores = 0;
  size_t numTileLoops = numBlocks + 2;
  NestArray beside = c;
  beside.beside = numTileLoops;
  addNest(levels, {a, b, beside}, work, part);
  levels.truncate(numTileLoops);
  NestArray tile = getInPlace(out, levels, nr * width);
  tile.steps.push_back({std::abs(getStride(out, schedule.m)), mr});
  NestWork moves;
  moves.vectorBits = work.vectorBits;
  moves.loads = moves.stores = mr * vectors;
  if (hasOuterProducts()) {
    // By way of memory, and two functions.
    moves.loads *= 2, moves.stores *= 2;
    moves.calls = 2;
  }
  addNest(levels, {tile}, moves, part);
}

void SchedulePricer::addGemm() {
  unsigned lhs = schedule.lhs, rhs = 1 - lhs;
  double mr = double(schedule.mr), nr = double(schedule.nr);
  if (schedule.pack[rhs])
    addPack(rhs, schedule.n, nr);
  if (schedule.pack[lhs])
    addPack(lhs, schedule.m, mr);
  double rows = sizes[schedule.m], columns = sizes[schedule.n];
  double edgeRows = double(schedule.rowRemainder),
         edgeColumns = schedule.colRemainderNr ? std::fmod(columns, nr) : 0;
  double mainRows = rows - edgeRows, mainColumns = columns - edgeColumns;
  // Above the diagonal, and its squares, nothing is computed.
  if (schedule.symmetric != 0) {
    double computed =
        std::min((1 + double(schedule.symmetric) / columns) / 2, 1.0);
    mainColumns *= computed;
    edgeColumns *= computed;
    addMirror();
  }
  addTiles(mainRows, mainColumns, mr, nr);
  // The sums of B's columns are one more row, for each block of A.
  if (schedule.dotOffset)
    addTiles(std::ceil(rows / getInner(schedule.m)), columns, 1, nr);
  addTiles(edgeRows, mainColumns, edgeRows, nr, &prices.edges);
  // Columns whose tiles have another height have their last rows in these.
  double edgeMr = double(schedule.colRemainderMr),
         edgeNr = double(schedule.colRemainderNr);
  bool isSplit = edgeMr == mr;
  addTiles(isSplit ? mainRows : rows, edgeColumns, edgeMr, edgeNr,
           &prices.edges);
  if (isSplit)
    addTiles(edgeRows, edgeColumns, edgeRows, edgeNr, &prices.edges);
}

/// Squares below the diagonal, transposed into a buffer and from there to above
/// it.
void SchedulePricer::addMirror() {
  double square = double(schedule.symmetric), width = widths.back();
  double lanes = target.getLanes(unsigned(8 * width));
  SmallVector<Level> levels;
  for (const Level &level : getBlocks())
    if (level.dim != schedule.m && level.dim != schedule.n &&
        level.dim != schedule.k)
      levels.push_back(level);
  double rows = sizes[schedule.m];
  double length = std::max((rows - square) / 2, 0.0);
  if (length == 0)
    return;
  levels.push_back({schedule.m, rows, std::min(square, rows), true});
  levels.push_back({schedule.n, length, std::min(square, length), true});
  levels.push_back({schedule.m, std::min(square, rows), 1});
  levels.push_back({schedule.n, std::min(square, length), lanes});
  NestArray below = getInPlace(2, levels, lanes * width), above = below;
  above.isRead = false;
  above.isWritten = true;
  below.isWritten = false;
  below.isRead = true;
  // The row of one is the column of the other.
  for (auto [level, stride] : llvm::zip_equal(
           levels, MutableArrayRef(above.strides).take_back(levels.size()))) {
    bool isBlock = level.isBlock;
    if (isBlock && (level.dim == schedule.m || level.dim == schedule.n))
      stride = getStride(2, level.dim == schedule.m ? schedule.n : schedule.m);
  }
  NestArray buffer = {SmallVector<double>(levels.size() - 2, 0), lanes * width,
                      true, false};
  buffer.strides.append({square * width, width});
  NestWork work;
  work.vectorBits = lanes * width * 8;
  work.loads = work.stores = 1;
  work.scalars = 1;
  NestWork turned = work;
  turned.shuffles = std::log2(std::max(lanes, 2.0));
  NestArray filled = buffer;
  filled.isRead = false;
  filled.isWritten = true;
  addNest(levels, {below, filled}, turned, &prices.copies);
  addNest(levels, {buffer, above}, work, &prices.copies);
}

/// Tiles of rows and columns, each a stream of its own.
void SchedulePricer::addDot() {
  SmallVector<Level> levels;
  double step = double(schedule.lanes * schedule.unroll);
  double mr = double(std::max<int64_t>(schedule.mr, 1)),
         nr = double(std::max<int64_t>(schedule.nr, 1));
  for (int64_t dim : schedule.interchange)
    if (dim != schedule.k)
      levels.push_back({dim, sizes[dim],
                        dim == schedule.m   ? mr
                        : dim == schedule.n ? nr
                                            : 1});
    else if (getTile(dim) != 0)
      levels.push_back({dim, sizes[dim], getTile(dim)});
  // The last vectors of k are whole ones, with zeros.
  levels.push_back(
      {schedule.k, std::ceil(getInner(schedule.k) / step) * step, step});
  SmallVector<NestArray> operands;
  double bytes = step * widths[0];
  // The side in the outer loop of the tiles is fetched meanwhile.
  bool areRowsOutside = !schedule.interchange.empty() &&
                        schedule.interchange.back() == schedule.n;
  auto addSide = [&](unsigned operand, double count, bool isOutside) {
    NestArray array = getInPlace(operand, levels, bytes);
    array.comesInBursts = isOutside && schedule.prefetch == 0;
    if (isOutside && schedule.prefetch != 0)
      array.fetchedAhead = std::numeric_limits<double>::infinity();
    operands.append(size_t(count), array);
  };
  addSide(schedule.lhs, mr, areRowsOutside);
  addSide(1 - schedule.lhs, nr, !areRowsOutside);
  operands.push_back(getInPlace(2, levels, nr * widths[2]));
  NestWork work;
  double unroll = double(schedule.unroll);
  work.vectorBits = double(schedule.lanes) * widths[0] * 8;
  work.fmas = mr * nr * unroll;
  work.loads = (mr + nr) * unroll;
  work.scalars = 3 + double(schedule.prefetch);
  work.chainedFmas = 1;
  double steps = std::max(1.0, std::ceil(getInner(schedule.k) / step));
  work.loopEnds = 1 / steps;
  // Without an instruction for them, numbers of either side are extended once
  // for a tile.
  if (schedule.widening > 1 && schedule.dot.empty()) {
    constexpr double kSides = 2;
    NestWork each;
    addNarrowProducts(each);
    work.logic += each.logic / kSides * work.loads;
    work.shuffles += each.shuffles / kSides * work.loads;
    work.adds += each.adds * work.fmas;
    work.fmas += each.fmas / fmas * work.fmas;
  }
  addNest(levels, operands, work);
  // Vectors of sums are added up at the end, when nothing else is under way: at
  // first the halves of each.
  NestWork end;
  end.vectorBits = work.vectorBits / 2;
  double partial = double(schedule.lanes / schedule.widening);
  end.shuffles = end.adds = mr * nr * std::log2(std::max(partial, 2.0));
  levels.pop_back();
  addNest(levels, {}, end);
}

} // namespace ein
