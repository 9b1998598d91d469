//===- TileLoops.cpp - Loops over register tiles ------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each dim is cut into parts. Where its extent is known, these are the tiles
// and one smaller one. Where it is dynamic, rows that do not fill a tile get
// one that ends with the last row several times: it is computed and written
// again, to the same value, since a tile is read before it is written. Vectors
// get tiles of one, the last of which is masked.
//
// A tile of rows that may be the last one has an address for each of them.
// Where channels are summed that takes no time beside the sums, and then all
// tiles are of this kind: half as much code for each dim. Sums over a window
// alone are short, and the tiles that are known to be full have code of their
// own.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/Combiner.h"
#include "passes/analysis/DimRoles.h"
#include "passes/analysis/Epilogue.h"
#include "passes/analysis/Transposition.h"
#include "passes/analysis/VectorBody.h"
#include "passes/schedule/SquareBlock.h"
#include "passes/vector/TileVectorizer.h"

using namespace mlir;

namespace ein {

TileVectorizer::TileVectorizer(RewriterBase &rewriter, linalg::LinalgOp op,
                               const Schedule &schedule, bool exchanges)
    : b(op.getLoc(), rewriter), op(op), schedule(schedule),
      exchanges(exchanges),
      vectorDim(schedule.kind == Schedule::Dot          ? schedule.k
                : schedule.kind == Schedule::PackedGemm ? schedule.n
                : schedule.kind == Schedule::Transpose
                    ? getTransposeDims(op)->row
                    : schedule.vectorDim),
      lanes(schedule.kind == Schedule::Vectorize ? schedule.tile[vectorDim]
                                                 : schedule.lanes),
      accumulators(schedule.kind == Schedule::Dot ||
                           schedule.kind == Schedule::Reduce
                       ? schedule.unroll
                       : 1),
      combiner(getCombiner(op)), isIeeeMinMax(schedule.ieeeMinMax),
      element(getElementTypeOrSelf(op.getDpsInits()[0])),
      epilogue(getEpilogue(op)), places(op.getNumLoops(), {Place()}) {
  isAcross = isSum(vectorDim);
  bool isWindow = schedule.kind == Schedule::Window;
  if ((isAcross || isWindow) && schedule.widening > 1)
    factors = getNarrowFactors(op);
  if (isWindow && factors)
    grouped = matchGroupedSum(op);
  if (schedule.widening > 1 && !factors)
    lanes = getSumLanes() * getWidening(op);
  if (isAcross)
    products = ComplexSum::find(op, combiner);
  if (isAcross && schedule.kind == Schedule::Reduce && schedule.widening <= 1)
    partProducts = PartProducts::find(op, combiner);
  for (OpFoldResult size : getSizes()) {
    ranges.push_back({b.getIndexAttr(0), size});
    sizes.push_back(size);
    extents.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
  }
  blocks.resize(op.getNumLoops(), 0);
  mayEnd.resize(op.getNumLoops(), false);
  findGroups();
  listLoops();
  usesStart = !inner.empty() || isAcross ||
              op.payloadUsesValueFromOperand(op.getDpsInitOperand(0));
  for (OpOperand *input : getReadInputs(op))
    inputs.push_back(getOperand(*input));
  output = getOperand(*op.getDpsInitOperand(0));
  isMove = (schedule.kind == Schedule::Transpose ||
            schedule.kind == Schedule::Vectorize) &&
           op.getBlock()->without_terminator().empty();
  if (epilogue)
    getEpilogueInputs();
}

void TileVectorizer::listLoops() {
  // Products and dots are tiles already.
  if (schedule.kind == Schedule::PackedGemm)
    return;
  if (schedule.kind == Schedule::Dot) {
    for (auto [dim, most] : {std::pair(schedule.m, schedule.mr),
                             std::pair(schedule.n, schedule.nr)}) {
      if (dim < 0)
        continue;
      std::optional<int64_t> known = getConstantIntValue(ranges[dim].end);
      Part rows = {ranges[dim], std::min(known.value_or(most), most)};
      rows.isClamped = !known;
      rowDims.push_back(dim);
      setPlaces(dim, rows, toValue(ranges[dim].begin));
    }
    return;
  }
  if (schedule.kind == Schedule::Transpose)
    squareDim = getTransposeDims(op)->column;
  for (int64_t dim : schedule.getLoopOrder(op.getNumLoops())) {
    int64_t step = schedule.tile.empty() ? 0 : schedule.tile[dim];
    bool isColumns = dim == vectorDim;
    if (schedule.kind == Schedule::Vectorize) {
      bool isInSquares = squareDim >= 0 && (isColumns || dim == squareDim);
      if (isColumns && !isInSquares)
        loops.push_back({Loop::Columns, dim, step});
      else if (dim != groupDim && !isInSquares)
        loops.push_back({Loop::Rows, dim, 1});
      continue;
    }
    if (schedule.kind == Schedule::Window) {
      if (grouped && dim == grouped->dim)
        continue;
      if (step == 0)
        inner.push_back(dim);
      else
        loops.push_back({isColumns ? Loop::Columns : Loop::Rows, dim, step});
      continue;
    }
    bool isBlock = isSum(dim) || isColumns || dim == squareDim || step > 1;
    if (step > 0)
      loops.push_back({isBlock ? Loop::Blocks : Loop::Rows, dim, step});
    if (isBlock)
      blocks[dim] = step;
    if (isSum(dim) && !isColumns)
      inner.push_back(dim);
  }
  if (schedule.kind == Schedule::Transpose) {
    // The rest of a block's dims, and in these squares.
    AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    for (AffineExpr axis : result.getResults()) {
      int64_t dim = cast<AffineDimExpr>(axis).getPosition();
      bool isOutside = !schedule.tile.empty() && schedule.tile[dim] == 1;
      if (dim != vectorDim && dim != squareDim && !isOutside)
        loops.push_back({Loop::Rows, dim, 1});
    }
    if (squareDim < 0)
      loops.push_back({Loop::Columns, vectorDim, lanes});
  }
  if (squareDim >= 0) {
    loops.push_back({Loop::Rows, squareDim, lanes});
    loops.push_back({Loop::Columns, vectorDim, lanes});
  }
  if (schedule.kind == Schedule::Reduce) {
    // A block of the first sum is outside; inside it comes first as well.
    llvm::sort(inner);
    if (!isAcross)
      loops.push_back({Loop::Columns, vectorDim, accumulators * lanes});
  }
  for (const Loop &loop : loops)
    if (loop.role == Loop::Rows)
      rowDims.push_back(loop.dim);
}

/// Whether a dim that is summed is no window's.
bool TileVectorizer::isChannel(int64_t dim) {
  return llvm::none_of(inputs, [&](const Operand &input) {
    return llvm::any_of(input.subscripts, [&](const LinearSubscript &s) {
      // Neighbours in a group are no window.
      SmallVector<int64_t> coefficients(s.coefficients);
      if (grouped)
        coefficients[grouped->dim] = 0;
      return coefficients[dim] != 0 &&
             llvm::count_if(coefficients, [](int64_t c) { return c != 0; }) > 1;
    });
  });
}

/// Whether a dim is summed that is no window's: the sums of a tile are long
/// then.
bool TileVectorizer::sumsChannels() {
  return llvm::any_of(inner, [&](int64_t dim) { return isChannel(dim); });
}

//===----------------------------------------------------------------------===//
// Parts of a dim
//===----------------------------------------------------------------------===//

SmallVector<TileVectorizer::Part> TileVectorizer::getParts(const Loop &loop) {
  switch (loop.role) {
  case Loop::Blocks:
    return {Part{ranges[loop.dim], loop.step}};
  case Loop::Rows:
    return getRowParts(loop.dim, loop.step);
  case Loop::Columns:
    return getColumnParts(loop.step);
  }
  llvm_unreachable("all roles are above");
}

/// How many elements are behind steps of `step` through the range of a dim, if
/// that is known. Of blocks of whole steps, only the last one may have some.
std::optional<int64_t> TileVectorizer::getLeft(int64_t dim, int64_t step) {
  std::optional<int64_t> begin = getConstantIntValue(ranges[dim].begin),
                         end = getConstantIntValue(ranges[dim].end);
  if (begin && end)
    return (*end - *begin) % step;
  if (ShapedType::isDynamic(extents[dim]) || blocks[dim] % step != 0)
    return std::nullopt;
  return extents[dim] % step;
}

/// The same as a value; nothing if it depends on a block.
OpFoldResult TileVectorizer::getRest(int64_t dim, int64_t step) {
  if (blocks[dim] % step != 0)
    return {};
  return apply(b.getAffineDimExpr(0) % step, {sizes[dim]});
}

/// Where whole steps from `begin` on end. In blocks of whole steps that is
/// where those of the dim do, or the block.
OpFoldResult TileVectorizer::getWhole(int64_t dim, OpFoldResult begin,
                                      int64_t step) {
  OpFoldResult end = ranges[dim].end;
  AffineExpr from = b.getAffineDimExpr(0), to = b.getAffineDimExpr(1);
  bool isKnown = getConstantIntValue(begin) && getConstantIntValue(end);
  if (isKnown || begin != ranges[dim].begin || blocks[dim] % step != 0)
    return apply(from + (to - from).floorDiv(step) * step, {begin, end});
  OpFoldResult whole = apply(from.floorDiv(step) * step, {sizes[dim]});
  if (blocks[dim] == 0)
    return whole;
  return arith::MinSIOp::create(b, toValue(end), toValue(whole)).getResult();
}

SmallVector<TileVectorizer::Part> TileVectorizer::getRowParts(int64_t dim,
                                                              int64_t count) {
  Range all = ranges[dim];
  std::optional<OpFoldResult> paddedEnd = getPaddedEnd(dim, count);
  if (count == 1 && !paddedEnd)
    return {Part{all}};
  std::optional<int64_t> left = getLeft(dim, count);
  Part clamped = {all, count};
  clamped.isClamped = count > 1;
  clamped.mayEnd = paddedEnd.has_value();
  // Of the last panel all may be cut off: its code runs once.
  bool runsOnce = llvm::is_contained(mayEnd, true) && left != 0;
  if (count > 1 && (runsOnce || (!left && sumsChannels())))
    return {clamped};
  AffineExpr from = b.getAffineDimExpr(0), to = b.getAffineDimExpr(1);
  OpFoldResult middle = paddedEnd
                            ? *paddedEnd
                            : apply(from + (to - from).floorDiv(count) * count,
                                    {all.begin, all.end});
  SmallVector<Part> parts;
  if (!isEqualConstantIntOrValue(all.begin, middle))
    parts.push_back({{all.begin, middle}, count});
  clamped.range.begin = middle;
  if (!paddedEnd)
    clamped.rest = getRest(dim, count);
  if (left) {
    clamped.count = *left == 0 ? count : *left;
    clamped.isClamped = false;
  }
  bool hasRest =
      paddedEnd ? !isEqualConstantIntOrValue(middle, all.end) : left != 0;
  if (hasRest)
    parts.push_back(clamped);
  return parts;
}

/// Whether the last vector along the result is masked. A transposition has no
/// other way to end inside of a square.
bool TileVectorizer::areColumnsMasked() {
  if (schedule.kind != Schedule::Vectorize)
    return schedule.masked || schedule.kind == Schedule::Transpose;
  SmallVector<Operation *> body;
  for (Operation &inner : op.getBlock()->without_terminator())
    if (!isa<linalg::IndexOp>(inner))
      body.push_back(&inner);
  return schedule.masked && canBeVectors(body);
}

/// Of vectors along the result: tiles of `width` elements, and what is left, as
/// one tile if that is a number, else by vectors. Without masks, the last
/// elements are a vector of as many, or vectors of one.
SmallVector<TileVectorizer::Part>
TileVectorizer::getColumnParts(int64_t width) {
  OpFoldResult begin = ranges[vectorDim].begin, end = ranges[vectorDim].end;
  bool isMasked = areColumnsMasked();
  SmallVector<Part> parts;
  auto append = [&](OpFoldResult partEnd, int64_t count, int64_t partLanes,
                    std::optional<int64_t> left = 0) {
    if (!isEqualConstantIntOrValue(begin, partEnd)) {
      parts.push_back({{begin, partEnd}, count, partLanes});
      parts.back().isMasked = left != 0;
      parts.back().left = left;
    }
    begin = partEnd;
  };
  std::optional<int64_t> left = getLeft(vectorDim, lanes);
  append(getWhole(vectorDim, begin, width), width / lanes, lanes);
  size_t numWhole = parts.size();
  OpFoldResult whole = isMasked ? end : getWhole(vectorDim, begin, lanes);
  std::optional<int64_t> first = getConstantIntValue(begin),
                         last = getConstantIntValue(whole);
  if (first && last) {
    append(whole, llvm::divideCeil(*last - *first, lanes), lanes,
           isMasked ? *left : 0);
  } else if (isMasked && left) {
    if (width != lanes)
      append(getWhole(vectorDim, begin, lanes), 1, lanes);
    if (*left != 0)
      append(end, 1, lanes, left);
  } else if (isMasked || width != lanes) {
    append(whole, 1, lanes,
           isMasked ? std::nullopt : std::optional<int64_t>(0));
  }
  if (!isMasked)
    append(end, 1, left.value_or(1) == 0 ? 1 : left.value_or(1));
  // Behind whole vectors one is left, of which there may be part.
  if (width == lanes && parts.size() > numWhole && parts.back().isMasked)
    parts.back().rest = getRest(vectorDim, lanes);
  return parts;
}

/// How many elements of a row come before a vector of memory begins, if arrays
/// begin with one and have no gaps; nothing if none, or who knows.
std::optional<OpFoldResult> TileVectorizer::getHead() {
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (!map.isFunctionOfDim(vectorDim))
      continue;
    Value array = input->get();
    SmallVector<OpFoldResult> at;
    for (AffineExpr expr : map.getResults()) {
      int64_t dim = cast<AffineDimExpr>(expr).getPosition();
      at.push_back(dim == vectorDim ? ranges[dim].begin
                                    : getIndex(places[dim].front()));
    }
    AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
    while (auto slice = array.getDefiningOp<tensor::ExtractSliceOp>()) {
      llvm::SmallBitVector dropped = slice.getDroppedDims();
      if (!slice.hasUnitStride())
        return std::nullopt;
      SmallVector<OpFoldResult> whole = slice.getMixedOffsets();
      const auto *next = at.begin();
      for (auto [axis, offset] : llvm::enumerate(whole))
        if (!dropped.test(axis))
          offset = apply(d0 + d1, {offset, *next++});
      at = whole;
      array = slice.getSource();
    }
    OpFoldResult place = b.getIndexAttr(0);
    for (auto [axis, index] : llvm::enumerate(at)) {
      OpFoldResult size = tensor::getMixedSize(b, b.getLoc(), array, axis);
      if (std::optional<int64_t> known = getConstantIntValue(size))
        place = apply(d0 * *known + d1, {place, index});
      else if (isZeroInteger(place))
        place = index;
      else
        place = apply(d0 + d1,
                      {arith::MulIOp::create(b, toValue(place), toValue(size))
                           .getResult(),
                       index});
    }
    AffineMap ends = AffineMap::get(2, 0, {(-d0) % lanes, d1}, b.getContext());
    OpFoldResult head = affine::makeComposedFoldedAffineMin(
        b, b.getLoc(), ends, {place, ranges[vectorDim].end});
    return isZeroInteger(head) ? std::nullopt : std::optional(head);
  }
  return std::nullopt;
}

/// Of vectors along a sum: up to where one of memory begins, by several, by
/// one, and the rest.
SmallVector<TileVectorizer::Part> TileVectorizer::getSumParts() {
  OpFoldResult begin = ranges[vectorDim].begin, end = ranges[vectorDim].end;
  SmallVector<Part> parts;
  auto push = [&](OpFoldResult partEnd, int64_t count, int64_t partLanes,
                  bool isMasked) {
    parts.push_back({{begin, partEnd}, count, partLanes});
    parts.back().isMasked = isMasked;
    begin = partEnd;
  };
  if (schedule.aligned)
    if (std::optional<OpFoldResult> head = getHead())
      push(*head, 1, lanes, /*isMasked=*/true);
  AffineExpr from = b.getAffineDimExpr(0), to = b.getAffineDimExpr(1);
  auto pushWhole = [&](int64_t count, int64_t partLanes) {
    int64_t step = count * partLanes;
    push(apply(from + (to - from).floorDiv(step) * step, {begin, end}), count,
         partLanes, /*isMasked=*/false);
  };
  // Of maxima along a row, each accumulator gets two vectors at a time.
  if (isIeeeMinMax) {
    pushWhole(2 * accumulators, lanes);
    if (getIeeeMinMax().canBeKnown())
      separateFirst(parts);
  }
  pushWhole(accumulators, schedule.lanes);
  if (schedule.kind == Schedule::Dot) {
    push(end, 1, lanes, /*isMasked=*/true);
    return parts;
  }
  if (accumulators > 1 || schedule.lanes > lanes)
    pushWhole(1, lanes);
  // Single elements are fewer than an accumulator has lanes.
  if (schedule.widening > 1 && !schedule.masked)
    pushWhole(1, getSumLanes());
  push(end, 1, schedule.masked ? lanes : 1, schedule.masked);
  return parts;
}

/// The last part as its first step and the others, if there may be others.
void TileVectorizer::separateFirst(SmallVector<Part> &parts) {
  Part first = parts.back(), others = first;
  int64_t step = first.getStep();
  std::optional<int64_t> begin = getConstantIntValue(first.range.begin),
                         end = getConstantIntValue(first.range.end);
  if (begin && end && *end - *begin <= step)
    return;
  AffineExpr from = b.getAffineDimExpr(0), to = b.getAffineDimExpr(1);
  AffineMap ends = AffineMap::get(2, 0, {from + step, to}, b.getContext());
  first.range.end = others.range.begin = affine::makeComposedFoldedAffineMin(
      b, b.getLoc(), ends, {first.range.begin, first.range.end});
  others.mayBeKnown = true;
  parts.back() = first;
  parts.push_back(others);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// A loop over `range`; nothing or straight code if it is known to have no step
/// or one.
TileVectorizer::Values TileVectorizer::createLoop(const Range &range,
                                                  int64_t step,
                                                  ValueRange carried, Body body,
                                                  scf::ForOp *created) {
  std::optional<int64_t> begin = getConstantIntValue(range.begin),
                         end = getConstantIntValue(range.end);
  if (isEqualConstantIntOrValue(range.begin, range.end) ||
      (begin && end && *begin >= *end))
    return Values(carried);
  if (begin && end && *end - *begin <= step)
    return body(toValue(range.begin), carried);
  auto loop = scf::ForOp::create(
      b, toValue(range.begin), toValue(range.end),
      arith::ConstantIndexOp::create(b, step), carried,
      [&](OpBuilder &inside, Location, Value iv, ValueRange values) {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToEnd(inside.getInsertionBlock());
        scf::YieldOp::create(b, body(iv, values));
      });
  if (created)
    *created = loop;
  return Values(loop.getResults().begin(), loop.getResults().end());
}

/// Has the tile be of the rows, or vectors, of `part` from `begin` on.
void TileVectorizer::setPlaces(int64_t dim, const Part &part, Value begin) {
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  places[dim] = {{begin, 0}};
  mayEnd[dim] = part.mayEnd;
  if (dim == vectorDim) {
    columns = part;
    mask = Value();
    if (!part.isMasked)
      return;
    int64_t before = (part.count - 1) * part.lanes;
    rest = part.left ? OpFoldResult(b.getIndexAttr(*part.left))
                     : apply(d1 - d0 - before,
                             {getAsOpFoldResult(begin), part.range.end});
    mask = createMask(rest);
    return;
  }
  if (dim == squareDim)
    squareRows = part;
  Value last;
  if (part.isClamped && part.count > 1)
    last = toValue(apply(d0 - 1, {sizes[dim]}));
  for (int64_t i = 1; i < part.count; ++i) {
    if (!part.isClamped) {
      places[dim].push_back({begin, i});
      continue;
    }
    Value row = toValue(apply(d0 + i, {getAsOpFoldResult(begin)}));
    places[dim].push_back({arith::MinSIOp::create(b, row, last), 0});
  }
}

/// The loop of `level` over a part of its dim, with what `body` makes of a
/// tensor in it.
Value TileVectorizer::createPart(size_t level, const Part &part, Value tensor,
                                 function_ref<Value(Value)> body) {
  Loop loop = loops[level];
  Range whole = ranges[loop.dim];
  scf::ForOp created;
  tensor = createLoop(
      part.range, part.getStep(), tensor,
      [&](Value at, ValueRange carried) -> Values {
        if (loop.role == Loop::Blocks) {
          AffineExpr from = b.getAffineDimExpr(0), to = b.getAffineDimExpr(1);
          AffineMap ends =
              AffineMap::get(2, 0, {from + loop.step, to}, b.getContext());
          ranges[loop.dim] = {
              at, affine::makeComposedFoldedAffineMin(
                      b, b.getLoc(), ends, {getAsOpFoldResult(at), whole.end})};
        } else {
          setPlaces(loop.dim, part, at);
        }
        return {body(carried[0])};
      },
      &created)[0];
  ranges[loop.dim] = whole;
  bool isOutermost =
      llvm::none_of(ArrayRef(loops).take_front(level),
                    [&](const Loop &other) { return other.dim == loop.dim; });
  bool isWhole = isEqualConstantIntOrValue(part.range.end, whole.end) &&
                 getConstantIntValue(part.range.begin) == 0;
  // One vector is nothing to share.
  bool isRest = schedule.kind == Schedule::Vectorize &&
                loop.role == Loop::Columns &&
                (part.isMasked || part.lanes != lanes);
  if (created && isOutermost && loop.dim == schedule.parallelDim && !isRest &&
      (!part.isClamped || isWhole))
    created->setAttr(EinDialect::kParallelAttr,
                     b.getI64IntegerAttr(schedule.minPoints));
  if (created && schedule.kind == Schedule::Vectorize && !isRest &&
      loop.role == Loop::Columns) {
    if (schedule.streamBytes != 0)
      created->setAttr(EinDialect::kStreamAttr,
                       b.getI64IntegerAttr(schedule.streamBytes));
    if (schedule.prefetch != 0)
      created->setAttr(EinDialect::kNextRowAttr, b.getUnitAttr());
    // Not here: a read of what is written over later would need a copy.
    if (schedule.unroll != 1)
      created->setAttr(EinDialect::kUnrollAttr,
                       b.getI64IntegerAttr(schedule.unroll));
  }
  bool isOfSquares = loop.dim == (squareDim < 0 ? vectorDim : squareDim) &&
                     loop.role != Loop::Blocks;
  if (created && schedule.kind == Schedule::Transpose &&
      schedule.streamBytes != 0 && isOfSquares && !columns.isMasked &&
      !part.isClamped && part.getStep() == lanes)
    created->setAttr(EinDialect::kStreamSquaresAttr, getSquareBlock());
  return tensor;
}

/// What loops over squares that may go past the caches say of these.
Attribute TileVectorizer::getSquareBlock() {
  auto getSize = [&](int64_t dim) {
    return blocks[dim] != 0                      ? blocks[dim]
           : ShapedType::isDynamic(extents[dim]) ? 0
                                                 : extents[dim];
  };
  SquareBlock block = {schedule.streamBytes, -1, 0, getSize(vectorDim)};
  if (squareDim >= 0) {
    block.columns = getSize(squareDim);
    block.axis = *op.getMatchingIndexingMap(op.getDpsInitOperand(0))
                      .getResultPosition(b.getAffineDimExpr(squareDim));
  }
  return block.getAttr(b);
}

Value TileVectorizer::createLoops(size_t level, Value tensor) {
  if (schedule.kind == Schedule::PackedGemm)
    return createProduct(tensor);
  if (level == loops.size()) {
    if (!isAcross)
      return createColumns(tensor);
    std::optional<Search> search = matchSearch(op, vectorDim);
    return search ? createSearch(tensor, *search) : createRows(tensor);
  }
  if (squareDim >= 0 && level + 2 == loops.size())
    return createSquares(level, tensor);
  for (const Part &part : getParts(loops[level]))
    tensor = createPart(level, part, tensor, [&](Value carried) {
      return createLoops(level + 1, carried);
    });
  return tensor;
}

/// The squares of a block: complete ones, and those at the edges, each kind in
/// loops of its own.
Value TileVectorizer::createSquares(size_t level, Value tensor) {
  for (const Part &rows : getParts(loops[level]))
    for (const Part &vectors : getParts(loops[level + 1]))
      tensor = createPart(level, rows, tensor, [&](Value carried) {
        return createPart(level + 1, vectors, carried,
                          [&](Value inner) { return createColumns(inner); });
      });
  return tensor;
}

/// The sums after the loops from `level` on, in the innermost of which `leaf`
/// goes on; or `pairs`, if that is given, of which each step is two of `leaf`.
TileVectorizer::Values
TileVectorizer::accumulate(size_t level, ValueRange sums,
                           function_ref<Values(ValueRange)> leaf,
                           function_ref<Values(ValueRange, int64_t)> pairs) {
  if (level == inner.size())
    return leaf(sums);
  int64_t dim = inner[level], left = inner.size() - level;
  Range range = ranges[dim];
  Values values(sums);
  auto goOn = [&](Place place, ValueRange carried) {
    places[dim] = {place};
    return accumulate(level + 1, carried, leaf, pairs);
  };
  std::optional<int64_t> begin = getConstantIntValue(range.begin),
                         end = getConstantIntValue(range.end);
  if (!isRolled && left <= schedule.unrolledSums && begin && end) {
    for (int64_t i = *begin; i < *end; ++i)
      values = goOn({Value(), i}, values);
    return values;
  }
  if (pairs && left == 1) {
    AffineExpr from = b.getAffineDimExpr(0), to = b.getAffineDimExpr(1);
    OpFoldResult middle =
        apply(from + (to - from).floorDiv(2) * 2, {range.begin, range.end});
    values = createLoop({range.begin, middle}, 2, values,
                        [&](Value at, ValueRange carried) {
                          places[dim] = {{at, 0}};
                          return pairs(carried, dim);
                        });
    range.begin = middle;
  }
  scf::ForOp loop;
  values = createLoop(
      range, 1, values,
      [&](Value at, ValueRange carried) {
        Values after = goOn({at, 0}, carried);
        keepWitness(after);
        return after;
      },
      &loop);
  if (loop && !isRolled && schedule.kind == Schedule::Window &&
      schedule.unroll > 1 && left - 1 <= schedule.unrolledSums) {
    loop->setAttr(EinDialect::kUnrollAttr,
                  b.getI64IntegerAttr(schedule.unroll));
    // Of pairs of steps at most one is left.
    if (isChannel(dim) || schedule.unroll == 2)
      loop->setAttr(EinDialect::kLongSumAttr, b.getUnitAttr());
  }
  return values;
}

TileVectorizer::Start TileVectorizer::getStart(linalg::LinalgOp op) {
  Value tensor = op.getDpsInits()[0];
  auto select = tensor.getDefiningOp<arith::SelectOp>();
  auto fill =
      (select ? select.getTrueValue() : tensor).getDefiningOp<linalg::FillOp>();
  if (!fill || fill.getInputs()[0].getType() != getElementTypeOrSelf(tensor))
    return {Value(), Value(), tensor};
  if (!select)
    return {fill.getInputs()[0], Value(), fill.getOutputs()[0]};
  return {fill.getInputs()[0], select.getCondition(), select.getFalseValue()};
}

Value TileVectorizer::create() {
  // What the result starts from need not be in memory, unless a tile is left
  // in between.
  bool isInOneGo =
      llvm::none_of(loops, [&](const Loop &loop) { return isSum(loop.dim); });
  Start start = getStart(op);
  bool canBeLater = isAcross || schedule.kind == Schedule::PackedGemm;
  if (!isInOneGo || (start.isFirst && !canBeLater))
    start = {Value(), Value(), op.getDpsInits()[0]};
  number = start.number;
  isFirst = start.isFirst;
  return groupDim < 0 ? createLoops(0, start.tensor)
                      : createGroups(start.tensor);
}

} // namespace ein
