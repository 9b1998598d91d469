//===- TileAccess.cpp - What register tiles read ------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles read and write the whole arrays: what they read may be overlapping
// windows, and slices of them would have to be seen through again.
//
// An input that is contiguous along another dim than the result is read by
// squares of both, a vector long, which are transposed in registers. At the
// edge they are cut to what is there: if that is a number, rows that are
// missing are not read; if not, the last one is read again in their place.
//
// Every second element, from p on, is in two vectors from p and from p + lanes
// - 1 on: the latter ends with the last element that is wanted, so that nothing
// is read behind the end of an array.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/ComplexVectors.h"
#include "passes/analysis/DimRoles.h"
#include "passes/analysis/VectorBody.h"
#include "passes/vector/TileVectorizer.h"
#include "passes/vector/TransposeInRegisters.h"

using namespace mlir;

namespace ein {

TileVectorizer::Operand TileVectorizer::getOperand(OpOperand &operand) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  OpOperand *init = op.getDpsInitOperand(0);
  bool isResult =
      operand.get() == init->get() && map == op.getMatchingIndexingMap(init);
  Operand result = {operand.get(), *getLinearSubscripts(map),
                    getStepAlong(map, vectorDim).value_or(Operand::kTransposed),
                    op.getMatchingBlockArgument(&operand), isResult};
  lookThroughPad(result);
  if (grouped && &operand != init)
    joinGroups(result);
  return result;
}

/// Has an operand be of groups. Vectors of them are contiguous.
void TileVectorizer::joinGroups(Operand &operand) {
  operand.group = grouped->size;
  operand.step = 0;
  if (operand.argument != op.getMatchingBlockArgument(grouped->vectors))
    return;
  operand.step = 1;
  auto type = cast<RankedTensorType>(operand.source.getType());
  SmallVector<ReassociationIndices> axes;
  for (int64_t axis = 0, e = type.getRank() - 1; axis < e; ++axis)
    axes.push_back({axis});
  axes.back().push_back(type.getRank() - 1);
  operand.source = tensor::CollapseShapeOp::create(b, operand.source, axes);
  operand.subscripts.pop_back();
  LinearSubscript &last = operand.subscripts.back();
  for (int64_t &coefficient : last.coefficients)
    coefficient *= grouped->size;
  last.coefficients[grouped->dim] = 1;
  last.constant *= grouped->size;
}

/// A group that is multiplied by all of a vector.
Value TileVectorizer::readGroup(const Operand &operand,
                                ArrayRef<int64_t> digits) {
  Type element = getElementTypeOrSelf(operand.source.getType());
  Values indices = getIndices(operand, digits, 0);
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(element));
  return vector::TransferReadOp::create(
      b, VectorType::get({operand.group}, element), operand.source, indices,
      zero, AffineMap::getMinorIdentityMap(indices.size(), 1, b.getContext()),
      ArrayRef<bool>{true});
}

/// What the epilogue reads, by the dims of the sum at the same place.
void TileVectorizer::getEpilogueInputs() {
  AffineMap results = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  // Each of its dims is an axis of the result, and that one of the op's dims.
  AffineMap toDims = inversePermutation(getInitMap(epilogue)).compose(results);
  for (OpOperand *input : epilogue.getDpsInputOperands()) {
    if (!epilogue.payloadUsesValueFromOperand(input))
      continue;
    AffineMap map = epilogue.getMatchingIndexingMap(input).compose(toDims);
    epilogueInputs.push_back({input->get(), *getLinearSubscripts(map),
                              *getStepAlong(map, vectorDim),
                              epilogue.getMatchingBlockArgument(input)});
  }
}

int64_t TileVectorizer::getNumRows() {
  int64_t count = 1;
  for (int64_t dim : rowDims)
    count *= int64_t(places[dim].size());
  return count;
}

/// What row `row` of the tile has for a number along each dim.
SmallVector<int64_t> TileVectorizer::getDigits(int64_t row) {
  SmallVector<int64_t> digits(places.size(), 0);
  for (int64_t dim : llvm::reverse(rowDims)) {
    int64_t count = places[dim].size();
    digits[dim] = row % count;
    row /= count;
  }
  return digits;
}

TileVectorizer::Values TileVectorizer::getIndices(const Operand &operand,
                                                  ArrayRef<int64_t> digits,
                                                  int64_t vector,
                                                  int64_t shift) {
  Values indices;
  for (const LinearSubscript &subscript : operand.subscripts) {
    AffineExpr expr = b.getAffineConstantExpr(subscript.constant);
    SmallVector<OpFoldResult> bases;
    for (auto [dim, coefficient] : llvm::enumerate(subscript.coefficients)) {
      if (coefficient == 0)
        continue;
      Place place = places[dim][digits[dim]];
      if (int64_t(dim) == vectorDim)
        place.offset += vector * columns.lanes;
      AffineExpr at = b.getAffineConstantExpr(place.offset);
      if (place.base) {
        at = at + b.getAffineDimExpr(bases.size());
        bases.push_back(getAsOpFoldResult(place.base));
      }
      expr = expr + at * coefficient;
    }
    bool isLast = &subscript == &operand.subscripts.back();
    indices.push_back(toValue(apply(isLast ? expr + shift : expr, bases)));
  }
  return indices;
}

/// Of a vector, its first `count` lanes.
Value TileVectorizer::createMask(OpFoldResult count) {
  auto type = VectorType::get({columns.lanes}, b.getI1Type());
  if (getConstantIntValue(count))
    return vector::CreateMaskOp::create(b, type, toValue(count));
  return createLaneMask(b, columns.lanes, toValue(count));
}

/// A mask of elements as one of what vectors of them are made of.
Value TileVectorizer::getPartMask(Value mask, Type element) {
  return repeatMask(mask, getGrain(element) * group);
}

/// A mask whose bits are so many each.
Value TileVectorizer::repeatMask(Value mask, int64_t count) {
  for (int64_t parts = 1; mask && parts < count; parts *= 2)
    mask = doubleMask(b, mask);
  return mask;
}

/// What vectors of elements are made of. Complex numbers are two parts, but
/// those of two f32 that are only moved are f64.
Type TileVectorizer::getUnit(Type element) {
  Type part = getPartType(element);
  return isMove && part != element && part.isF32() ? b.getF64Type() : part;
}

/// How many of these an element is.
int64_t TileVectorizer::getGrain(Type element) {
  bool isPair =
      isa<ComplexType>(element) && getUnit(element) == getPartType(element);
  return isPair ? 2 : 1;
}

/// A tensor as one of these, with the indices there.
Value TileVectorizer::toUnits(Value tensor, Values &indices) {
  Type element = getElementTypeOrSelf(tensor.getType());
  if (int64_t grain = getGrain(element); grain != 1)
    indices.back() = toValue(apply(b.getAffineDimExpr(0) * grain,
                                   {getAsOpFoldResult(indices.back())}));
  return ReinterpretOp::get(b, b.getLoc(), tensor, getUnit(element));
}

Value TileVectorizer::readVector(const Operand &operand,
                                 ArrayRef<int64_t> digits, int64_t vector,
                                 int64_t shift, Value mask) {
  Type element = getElementTypeOrSelf(operand.source.getType());
  Type unit = getUnit(element);
  int64_t ofLane = operand.step == Operand::kTransposed ? group : operand.group;
  auto type =
      VectorType::get({columns.lanes * getGrain(element) * ofLane}, unit);
  Value zeros = arith::ConstantOp::create(b, b.getZeroAttr(type));
  Values indices = getIndices(operand, digits, vector, shift);
  // Where it may be behind the end, the last one there is is read.
  Value isThere;
  for (size_t axis = 0; axis + 1 < indices.size(); ++axis) {
    if (!mayEndAlong(operand, axis))
      continue;
    std::optional<int64_t> at = getConstantIntValue(indices[axis]),
                           known = getConstantIntValue(operand.ends[axis]);
    if (at && known && *at < *known)
      continue;
    if (at && known)
      return zeros;
    AffineExpr d0 = b.getAffineDimExpr(0);
    isThere = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, indices[axis],
                                    toValue(operand.ends[axis]));
    indices[axis] = arith::MinSIOp::create(
        b, indices[axis], toValue(apply(d0 - 1, {operand.ends[axis]})));
  }
  bool mayEndHere = mayEndAlong(operand, indices.size() - 1);
  if (getGrain(element) != 1 && !hasNeighboursTogether(operand.source)) {
    Value parts = readParts(operand, indices, mask || mayEndHere);
    return isThere ? arith::SelectOp::create(b, isThere, parts, zeros) : parts;
  }
  Value source = toUnits(operand.source, indices);
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(unit));
  AffineMap map =
      AffineMap::getMinorIdentityMap(indices.size(), 1, b.getContext());
  Value read = vector::TransferReadOp::create(
      b, type, source, indices, AffineMapAttr::get(map), zero,
      mayEndHere ? Value() : repeatMask(mask, getGrain(element) * ofLane),
      b.getBoolArrayAttr({!mayEndHere}));
  return isThere ? arith::SelectOp::create(b, isThere, read, zeros) : read;
}

/// A square of an input: vectors along the rows of the result.
TileVectorizer::Values TileVectorizer::readSquare(const Operand &operand) {
  Type element = getElementTypeOrSelf(operand.source.getType());
  auto type =
      VectorType::get({lanes * getGrain(element) * group}, getUnit(element));
  const Part &rows = squareRows;
  Place first = places[squareDim].front();
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  Value there;
  if (rows.isClamped)
    there = createMask(rows.rest
                           ? rows.rest
                           : apply(d1 - d0, {getIndex(first), rows.range.end}));
  else if (rows.count < lanes)
    there = createMask(b.getIndexAttr(rows.count));
  Place begin = places[vectorDim].front();
  Value last;
  if (columns.isMasked && !columns.left)
    last = toValue(apply(d0 - 1, {sizes[vectorDim]}));
  SmallVector<int64_t> digits(places.size(), 0);
  Values vectors;
  for (int64_t row = 0; row < lanes; ++row) {
    if (columns.isMasked && columns.left && row >= *columns.left) {
      vectors.push_back(arith::ConstantOp::create(b, b.getZeroAttr(type)));
      continue;
    }
    Place place = {begin.base, begin.offset + row};
    if (last && row > 0)
      place = {arith::MinSIOp::create(b, toValue(getIndex(place)), last), 0};
    places[vectorDim] = {place};
    vectors.push_back(readVector(operand, digits, 0, 0, there));
  }
  places[vectorDim] = {begin};
  // Shuffles, not one transpose of all rows: what puts rows together to take
  // columns out of it is canonicalised to single elements.
  transposeSquare(b, vectors, getGrain(element) * group, exchanges);
  return vectors;
}

/// Elements that are `step` apart: as many vectors that cover them, and all
/// that are wanted of each put at their places.
Value TileVectorizer::readWithGaps(const Operand &operand,
                                   ArrayRef<int64_t> digits, int64_t vector) {
  int64_t step = operand.step, lanes = columns.lanes;
  int64_t span = (lanes - 1) * step + 1;
  int64_t count = llvm::divideCeil(span, lanes);
  auto getBegin = [&](int64_t load) {
    return std::min(load * lanes, span - lanes);
  };
  AffineExpr d0 = b.getAffineDimExpr(0);
  Value result;
  for (int64_t load = 0; load < count; ++load) {
    int64_t begin = getBegin(load);
    Value loadMask;
    if (isMasked(vector)) {
      OpFoldResult left =
          apply((d0 - 1) * step + 1 - begin, ArrayRef<OpFoldResult>{rest});
      Value none = arith::ConstantIndexOp::create(b, 0);
      Value all = arith::ConstantIndexOp::create(b, lanes);
      Value there = arith::MaxSIOp::create(
          b, arith::MinSIOp::create(b, toValue(left), all), none);
      loadMask = createMask(getAsOpFoldResult(there));
    }
    Value read = readVector(operand, digits, vector, begin, loadMask);
    if (!result) {
      result = read;
      if (count > 1)
        continue;
    }
    SmallVector<int64_t> from;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      int64_t place = lane * step;
      int64_t owner = std::min(place / lanes, count - 1);
      // Those of the first load are at their own places in it, those of
      // others have been put to theirs, or are still to come.
      if (owner == load)
        from.push_back(lanes + place - begin);
      else
        from.push_back(load == 1 && owner == 0 ? place : lane);
    }
    if (count > 1)
      result = vector::ShuffleOp::create(b, result, read, from);
  }
  return result;
}

/// What vector `vector` of a row has of an operand: a vector, or the number
/// that all its lanes have.
Value TileVectorizer::read(const Operand &operand, ArrayRef<int64_t> digits,
                           int64_t vector) {
  if (!isa<RankedTensorType>(operand.source.getType()))
    return operand.source;
  if (operand.step == Operand::kTransposed) {
    Values &square = squares[operand.argument.getArgNumber()];
    if (square.empty())
      square = readSquare(operand);
    return square[digits[squareDim]];
  }
  if (operand.step == 0 && operand.group > 1)
    return readGroup(operand, digits);
  if (operand.step == 0)
    return tensor::ExtractOp::create(b, operand.source,
                                     getIndices(operand, digits, vector));
  if (operand.step > 1)
    return readWithGaps(operand, digits, vector);
  if (groupDim >= 0)
    return readGroups(operand, digits, vector);
  return readVector(operand, digits, vector, 0,
                    isMasked(vector) ? mask : Value());
}

/// What the body takes from the inputs, and of where it is in other dims. What
/// several vectors of a tile read is read once.
IRMapping TileVectorizer::readInputs(ArrayRef<int64_t> digits, int64_t vector,
                                     Known &known) {
  IRMapping values;
  for (auto [number, operand] : llvm::enumerate(inputs)) {
    int64_t key = operand.step == 0 ? 0 : vector;
    for (int64_t dim : rowDims) {
      bool depends =
          llvm::any_of(operand.subscripts, [&](const LinearSubscript &s) {
            return s.coefficients[dim] != 0;
          });
      key = key * int64_t(places[dim].size()) + (depends ? digits[dim] : 0);
    }
    Value &value = known[number][key];
    // Of what is written over, memory would have to be kept.
    Operand from = operand;
    if (operand.isResult)
      from.source = output.source;
    if (!value)
      value = read(from, digits, vector);
    values.map(operand.argument, value);
  }
  for (auto index : op.getBlock()->getOps<linalg::IndexOp>()) {
    int64_t dim = index.getDim();
    Place place = places[dim][digits[dim]];
    if (dim != vectorDim) {
      values.map(index.getResult(), toValue(getIndex(place)));
      continue;
    }
    place.offset += vector * columns.lanes;
    auto type = VectorType::get({columns.lanes}, b.getIndexType());
    Value first = createSplat(b, toValue(getIndex(place)), columns.lanes);
    values.map(
        index.getResult(),
        arith::AddIOp::create(b, first, vector::StepOp::create(b, type)));
  }
  return values;
}

} // namespace ein
