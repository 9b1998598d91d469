//===- ReductionVectorizer.cpp - Loops of reductions ----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/vector/ReductionVectorizer.h"
#include "ir/EinDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/Combiner.h"
#include "passes/analysis/ComplexVectors.h"
#include "passes/analysis/VectorBody.h"

using namespace mlir;

namespace ein {

ReductionVectorizer::ReductionVectorizer(RewriterBase &rewriter,
                                         linalg::GenericOp op,
                                         const Schedule &schedule)
    : b(op.getLoc(), rewriter), op(op), schedule(schedule),
      vectorDim(schedule.vectorDim), lanes(schedule.lanes),
      combiner(getCombiner(op)),
      element(getElementTypeOrSelf(op.getDpsInits()[0])),
      places(op.getNumLoops()) {
  for (int64_t dim : schedule.interchange) {
    if (schedule.tile[dim] > 0)
      outer.push_back(dim);
    if (isSum(dim) && dim != vectorDim)
      inner.push_back(dim);
  }
  if (schedule.widening > 1)
    lanes = getSumLanes() * getWidening(op);
  if (isSum(vectorDim))
    products = ComplexSum::find(op, combiner);
  // A block of the first sum is outside; inside it comes first as well.
  llvm::sort(inner);
  for (mlir::Range range : cast<linalg::LinalgOp>(op.getOperation())
                               .createLoopRanges(b, op.getLoc()))
    ranges.push_back({range.offset, range.size});
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// A loop over `range`; nothing or straight code if it is known to have no step
/// or one.
ReductionVectorizer::Values ReductionVectorizer::createLoop(const Range &range,
                                                            int64_t step,
                                                            ValueRange carried,
                                                            Body body,
                                                            bool isParallel) {
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
  if (isParallel)
    loop->setAttr(EinDialect::kParallelAttr,
                  b.getI64IntegerAttr(schedule.minPoints));
  return Values(loop.getResults().begin(), loop.getResults().end());
}

/// How many elements of a row come before a vector of memory begins, if arrays
/// begin with one and have no gaps; nothing if none, or who knows.
std::optional<OpFoldResult> ReductionVectorizer::getHead() {
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (!map.isFunctionOfDim(vectorDim))
      continue;
    Value array = input->get();
    SmallVector<OpFoldResult> at;
    for (AffineExpr expr : map.getResults()) {
      int64_t dim = cast<AffineDimExpr>(expr).getPosition();
      at.push_back(dim == vectorDim ? ranges[dim].begin
                                    : getAsOpFoldResult(places[dim]));
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

/// What is gone over along vectors: up to where one of memory begins, by
/// several, by one, and the rest.
SmallVector<ReductionVectorizer::Part> ReductionVectorizer::getParts() {
  OpFoldResult begin = ranges[vectorDim].begin;
  OpFoldResult end = ranges[vectorDim].end;
  SmallVector<Part> parts;
  // Fewer vectors at once are for what is short.
  constexpr int64_t kLeast = 4;
  int64_t vectors = schedule.unroll * (schedule.lanes / lanes);
  if (schedule.masked && vectors >= kLeast &&
      beginsAnywhere(op, vectorDim, lanes))
    if (std::optional<OpFoldResult> head = getHead()) {
      parts.push_back({{begin, *head}, 1, lanes, /*isMasked=*/true});
      begin = *head;
    }
  AffineExpr from = b.getAffineDimExpr(0), to = b.getAffineDimExpr(1);
  auto append = [&](int64_t count, int64_t partLanes, bool isMasked) {
    int64_t step = count * partLanes;
    OpFoldResult partEnd =
        isMasked || step == 1
            ? end
            : apply(from + (to - from).floorDiv(step) * step, {begin, end});
    parts.push_back({{begin, partEnd}, count, partLanes, isMasked});
    begin = partEnd;
  };
  // Of maxima along a row, each accumulator gets two vectors at a time.
  if (schedule.ieeeMinMax && isSum(vectorDim)) {
    int64_t count = 2 * schedule.unroll;
    append(count, lanes, false);
    if (getIeeeMinMax().canBeKnown())
      separateFirst(parts);
  }
  append(schedule.unroll, schedule.lanes, false);
  if (schedule.unroll > 1 || schedule.lanes > lanes)
    append(1, lanes, false);
  // Single elements are fewer than an accumulator has lanes.
  if (schedule.widening > 1 && !schedule.masked)
    append(1, getSumLanes(), false);
  append(1, schedule.masked ? lanes : 1, schedule.masked);
  return parts;
}

/// The last part as its first step and the others, if there may be others.
void ReductionVectorizer::separateFirst(SmallVector<Part> &parts) {
  Part first = parts.back(), rest = first;
  int64_t step = first.count * first.lanes;
  std::optional<int64_t> begin = getConstantIntValue(first.range.begin),
                         end = getConstantIntValue(first.range.end);
  if (begin && end && *end - *begin <= step)
    return;
  AffineExpr from = b.getAffineDimExpr(0), to = b.getAffineDimExpr(1);
  AffineMap ends = AffineMap::get(2, 0, {from + step, to}, b.getContext());
  first.range.end = rest.range.begin = affine::makeComposedFoldedAffineMin(
      b, b.getLoc(), ends, {first.range.begin, first.range.end});
  rest.mayBeKnown = true;
  parts.back() = first;
  parts.push_back(rest);
}

Value ReductionVectorizer::createOuterLoops(size_t level, Value tensor) {
  if (level == outer.size()) {
    if (!isSum(vectorDim))
      return createColumns(tensor);
    std::optional<Search> search = matchSearch(op, vectorDim);
    return search ? createSearch(tensor, *search) : createRow(tensor);
  }
  int64_t dim = outer[level], step = schedule.tile[dim];
  Range whole = ranges[dim];
  bool isParallel = dim == schedule.parallelDim;
  Value result = createLoop(
      whole, step, tensor,
      [&](Value at, ValueRange carried) -> Values {
        AffineExpr from = b.getAffineDimExpr(0), to = b.getAffineDimExpr(1);
        AffineMap ends =
            AffineMap::get(2, 0, {from + step, to}, b.getContext());
        if (step == 1 && !isSum(dim) && dim != vectorDim)
          places[dim] = at;
        else
          ranges[dim] = {
              at, affine::makeComposedFoldedAffineMin(
                      b, b.getLoc(), ends, {getAsOpFoldResult(at), whole.end})};
        return {createOuterLoops(level + 1, carried[0])};
      },
      isParallel)[0];
  ranges[dim] = whole;
  return result;
}

/// The sums after the loops from `level` on, in the innermost of which `leaf`
/// goes on; or `pairs`, if that is given, of which each step is two of `leaf`.
ReductionVectorizer::Values ReductionVectorizer::accumulate(
    size_t level, ValueRange sums, function_ref<Values(ValueRange)> leaf,
    function_ref<Values(ValueRange, int64_t)> pairs) {
  if (level == inner.size())
    return leaf(sums);
  int64_t dim = inner[level];
  Range range = ranges[dim];
  Values values(sums);
  if (pairs && level + 1 == inner.size()) {
    AffineExpr from = b.getAffineDimExpr(0), to = b.getAffineDimExpr(1);
    OpFoldResult middle =
        apply(from + (to - from).floorDiv(2) * 2, {range.begin, range.end});
    values = createLoop({range.begin, middle}, 2, values,
                        [&](Value at, ValueRange carried) {
                          places[dim] = at;
                          return pairs(carried, dim);
                        });
    range.begin = middle;
  }
  return createLoop(range, 1, values, [&](Value at, ValueRange carried) {
    places[dim] = at;
    return accumulate(level + 1, carried, leaf, pairs);
  });
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// Of a vector from `at` on, the lanes before the end of the part.
Value ReductionVectorizer::createMask(const Part &part, Value at) {
  if (!part.isMasked)
    return {};
  AffineExpr from = b.getAffineDimExpr(0), to = b.getAffineDimExpr(1);
  return createLaneMask(
      b, lanes,
      toValue(apply(to - from, {getAsOpFoldResult(at), part.range.end})));
}

ReductionVectorizer::Values ReductionVectorizer::getIndices(AffineMap map,
                                                            OpFoldResult at) {
  return llvm::map_to_vector(map.getResults(), [&](AffineExpr expr) -> Value {
    int64_t dim = cast<AffineDimExpr>(expr).getPosition();
    return dim == vectorDim ? toValue(at) : places[dim];
  });
}

/// A mask of elements as one of what vectors of them are made of.
Value ReductionVectorizer::getPartMask(Value mask, Type element) {
  return mask && isa<ComplexType>(element) ? doubleMask(b, mask) : mask;
}

/// A tensor of complex numbers as one of their parts, with the indices there.
Value ReductionVectorizer::toParts(Value tensor, Values &indices) {
  Type element = getElementTypeOrSelf(tensor.getType());
  if (!isa<ComplexType>(element))
    return tensor;
  indices.back() = toValue(
      apply(b.getAffineDimExpr(0) * 2, {getAsOpFoldResult(indices.back())}));
  return ReinterpretOp::get(b, b.getLoc(), tensor, getPartType(element));
}

/// An operand's elements from `at` on; all the same if it does not have the
/// dim.
Value ReductionVectorizer::read(OpOperand &operand, Value source,
                                OpFoldResult at, int64_t lanes, Value mask) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  auto type = dyn_cast<RankedTensorType>(source.getType());
  if (!type)
    return createSplat(b, source, lanes);
  Values indices = getIndices(map, at);
  if (!map.isFunctionOfDim(vectorDim))
    return createSplat(b, tensor::ExtractOp::create(b, source, indices), lanes);
  Type element = type.getElementType(), part = getPartType(element);
  auto vectorType = getVectorType(element, lanes);
  mask = getPartMask(mask, element);
  source = toParts(source, indices);
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(part));
  AffineMap along =
      AffineMap::getMinorIdentityMap(type.getRank(), 1, b.getContext());
  return vector::TransferReadOp::create(b, vectorType, source, indices,
                                        AffineMapAttr::get(along), zero, mask,
                                        b.getBoolArrayAttr({true}));
}

/// Vectors of what the body takes from the elements from `at` on, and of where
/// it is in other dims.
IRMapping ReductionVectorizer::readInputs(OpFoldResult at, int64_t lanes,
                                          Value mask) {
  IRMapping vectors;
  for (OpOperand *input : op.getDpsInputOperands())
    if (op.payloadUsesValueFromOperand(input))
      vectors.map(op.getMatchingBlockArgument(input),
                  read(*input, input->get(), at, lanes, mask));
  for (auto index : op.getBody()->getOps<linalg::IndexOp>())
    if (int64_t dim = index.getDim(); dim != vectorDim)
      vectors.map(
          index.getResult(),
          vector::BroadcastOp::create(
              b, VectorType::get({lanes}, b.getIndexType()), places[dim]));
  return vectors;
}

/// The body for the elements from `at` on, and `sum`; if that is null, what the
/// body combines with it.
Value ReductionVectorizer::computeBody(Value sum, OpFoldResult at,
                                       int64_t lanes, Value mask) {
  IRMapping vectors = readInputs(at, lanes, mask);
  if (sum)
    vectors.map(op.getRegionOutputArgs()[0], sum);
  return createVectorBody(b, op, vectors, lanes, sum ? nullptr : combiner);
}

/// An accumulator with a vector of more elements than it has lanes, without
/// those that the mask leaves out.
Value ReductionVectorizer::addWidely(Value sum, Value value, Value mask) {
  Operation *extension = value.getDefiningOp();
  bool isUnsigned = isa_and_present<arith::ExtUIOp>(extension);
  if (isUnsigned || isa_and_present<arith::ExtSIOp, arith::ExtFOp>(extension))
    value = extension->getOperand(0);
  if (mask) {
    // What changes no sum is, of floats, the negative zero.
    auto type = cast<VectorType>(value.getType());
    TypedAttr zero = b.getZeroAttr(type);
    if (auto floats = dyn_cast<FloatType>(type.getElementType()))
      zero = DenseElementsAttr::get(
          type,
          APFloat::getZero(floats.getFloatSemantics(), /*Negative=*/true));
    value = arith::SelectOp::create(b, mask, value,
                                    arith::ConstantOp::create(b, zero));
  }
  return WideSumOp::create(b, sum.getType(), value, sum, isUnsigned);
}

/// A partial result with the elements from `at` on; with `leavesOut`, those
/// that the mask leaves out do not count.
ReductionVectorizer::Values
ReductionVectorizer::computeBody(ValueRange sum, OpFoldResult at,
                                 const Part &part, Value mask, bool leavesOut) {
  if (products) {
    Values factors = createVectorValues(b, op, readInputs(at, part.lanes, mask),
                                        part.lanes, products->getFactors());
    Values changed = products->add(b, sum, factors[0], factors[1]);
    if (mask && leavesOut)
      for (auto [value, old] : llvm::zip_equal(changed, sum))
        value =
            arith::SelectOp::create(b, getPartMask(mask, element), value, old);
    return changed;
  }
  if (part.lanes > getSumLanes() && leavesOut)
    return {
        addWidely(sum[0], computeBody(Value(), at, part.lanes, mask), mask)};
  if (!schedule.ieeeMinMax) {
    Value changed = computeBody(sum[0], at, part.lanes, mask);
    if (mask && leavesOut)
      changed = arith::SelectOp::create(b, getPartMask(mask, element), changed,
                                        sum[0]);
    return {changed};
  }
  Value value = computeBody(Value(), at, part.lanes, mask);
  if (mask && leavesOut)
    value = arith::SelectOp::create(
        b, mask, value,
        vector::BroadcastOp::create(b, value.getType(),
                                    createNeutral(b, combiner)));
  return Values(getIeeeMinMax().add(sum, value));
}

/// A partial result with two more vectors.
ReductionVectorizer::Values
ReductionVectorizer::addPair(ValueRange sum, Value first, Value second) {
  return Values(getIeeeMinMax().add(sum, first, second));
}

ReductionVectorizer::Values ReductionVectorizer::start(Value value) {
  return schedule.ieeeMinMax ? Values(getIeeeMinMax().start(value))
                             : Values{value};
}

Value ReductionVectorizer::finish(ValueRange sum) {
  return schedule.ieeeMinMax ? getIeeeMinMax().finish(sum) : sum[0];
}

//===----------------------------------------------------------------------===//
// Columns, and all
//===----------------------------------------------------------------------===//

Value ReductionVectorizer::createColumns(Value tensor) {
  OpOperand &init = *op.getDpsInitOperand(0);
  AffineMap map = op.getMatchingIndexingMap(&init);
  for (const Part &part : getParts())
    tensor = createLoop(
        part.range, part.count * part.lanes, tensor,
        [&](Value at, ValueRange carried) -> Values {
          Value mask = createMask(part, at);
          SmallVector<OpFoldResult> froms;
          Values sums;
          for (int64_t i = 0; i < part.count; ++i) {
            froms.push_back(apply(b.getAffineDimExpr(0) + i * lanes,
                                  {getAsOpFoldResult(at)}));
            Value begin =
                number ? createSplat(b, number, part.lanes)
                       : read(init, carried[0], froms.back(), part.lanes, mask);
            llvm::append_range(sums, start(begin));
          }
          size_t width = getWidth();
          auto addRow = [&](ValueRange before) {
            Values after;
            for (auto [i, from] : llvm::enumerate(froms))
              llvm::append_range(
                  after, computeBody(before.slice(i * width, width), from, part,
                                     mask, /*leavesOut=*/false));
            return after;
          };
          // Two rows of maxima at once take fewer instructions.
          auto addRows = [&](ValueRange before, int64_t dim) {
            Value at = places[dim];
            Values first, after;
            for (OpFoldResult from : froms)
              first.push_back(computeBody(Value(), from, part.lanes, mask));
            places[dim] = toValue(
                apply(b.getAffineDimExpr(0) + 1, {getAsOpFoldResult(at)}));
            for (auto [i, from] : llvm::enumerate(froms))
              llvm::append_range(
                  after, addPair(before.slice(i * width, width), first[i],
                                 computeBody(Value(), from, part.lanes, mask)));
            return after;
          };
          if (schedule.ieeeMinMax)
            sums = accumulate(0, sums, addRow, addRows);
          else
            sums = accumulate(0, sums, addRow);
          Value result = carried[0];
          Value partMask = getPartMask(mask, element);
          AffineMap along = AffineMap::getMinorIdentityMap(map.getNumResults(),
                                                           1, b.getContext());
          for (auto [i, from] : llvm::enumerate(froms)) {
            Value sum = finish(ArrayRef(sums).slice(i * width, width));
            Values indices = getIndices(map, from);
            Value target = toParts(result, indices);
            Value written = vector::TransferWriteOp::create(
                                b, target.getType(), sum, target, indices,
                                AffineMapAttr::get(along), partMask,
                                b.getBoolArrayAttr({true}))
                                ->getResult(0);
            result = ReinterpretOp::get(b, b.getLoc(), written, element);
          }
          return {result};
        })[0];
  return tensor;
}

Value ReductionVectorizer::create() {
  Value tensor = op.getDpsInits()[0];
  // In one go, what the result starts from need not be in memory.
  bool isInOneGo =
      llvm::none_of(outer, [&](int64_t dim) { return isSum(dim); });
  auto fill = tensor.getDefiningOp<linalg::FillOp>();
  if (fill && isInOneGo &&
      fill.getInputs()[0].getType() == getElementTypeOrSelf(tensor)) {
    number = fill.getInputs()[0];
    tensor = fill.getOutputs()[0];
  }
  return createOuterLoops(0, tensor);
}

} // namespace ein
