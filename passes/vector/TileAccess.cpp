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

using namespace mlir;

namespace ein {

TileVectorizer::Operand TileVectorizer::getOperand(OpOperand &operand) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  return {operand.get(), *getLinearSubscripts(map),
          *getStepAlong(map, vectorDim), op.getMatchingBlockArgument(&operand)};
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
  return mask && isa<ComplexType>(element) ? doubleMask(b, mask) : mask;
}

/// A tensor of complex numbers as one of their parts, with the indices there.
Value TileVectorizer::toParts(Value tensor, Values &indices) {
  Type element = getElementTypeOrSelf(tensor.getType());
  if (!isa<ComplexType>(element))
    return tensor;
  indices.back() = toValue(
      apply(b.getAffineDimExpr(0) * 2, {getAsOpFoldResult(indices.back())}));
  return ReinterpretOp::get(b, b.getLoc(), tensor, getPartType(element));
}

Value TileVectorizer::readVector(const Operand &operand,
                                 ArrayRef<int64_t> digits, int64_t vector,
                                 int64_t shift, Value mask) {
  Type element = getElementTypeOrSelf(operand.source.getType());
  Values indices = getIndices(operand, digits, vector, shift);
  Value source = toParts(operand.source, indices);
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(getPartType(element)));
  AffineMap map =
      AffineMap::getMinorIdentityMap(indices.size(), 1, b.getContext());
  return vector::TransferReadOp::create(
      b, getVectorType(element, columns.lanes), source, indices,
      AffineMapAttr::get(map), zero, getPartMask(mask, element),
      b.getBoolArrayAttr({true}));
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
  if (operand.step == 0)
    return tensor::ExtractOp::create(b, operand.source,
                                     getIndices(operand, digits, vector));
  if (operand.step > 1)
    return readWithGaps(operand, digits, vector);
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
    if (!value)
      value = read(operand, digits, vector);
    values.map(operand.argument, value);
  }
  for (auto index : op.getBlock()->getOps<linalg::IndexOp>()) {
    int64_t dim = index.getDim();
    if (dim == vectorDim)
      continue;
    values.map(index.getResult(), toValue(getIndex(places[dim][digits[dim]])));
  }
  return values;
}

} // namespace ein
