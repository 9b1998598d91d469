//===- ComplexVectors.cpp - Vectors of complex numbers --------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/ComplexVectors.h"
#include "ir/EinDialect.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/Contiguity.h"

using namespace mlir;

namespace ein {

Type getPartType(Type element) {
  auto complexType = dyn_cast<ComplexType>(element);
  return complexType ? complexType.getElementType() : element;
}

bool hasVectorsOf(Type element) {
  auto complexType = dyn_cast<ComplexType>(element);
  return !complexType || complexType.getElementType().isF32() ||
         complexType.getElementType().isF64();
}

/// Whether all of a tensor lies side by side, as function arguments need not.
static bool hasNoGaps(Value tensor) {
  SmallVector<BlockArgument> arguments;
  if (!isContiguous(tensor, arguments))
    return false;
  return llvm::all_of(arguments, [](BlockArgument argument) {
    auto known =
        argument.getOwner()->getParentOp()->getAttrOfType<DenseI64ArrayAttr>(
            EinDialect::kContiguousAttr);
    return known && llvm::is_contained(known.asArrayRef(),
                                       int64_t(argument.getArgNumber()));
  });
}

bool hasNeighboursTogether(Value tensor) {
  // Where the last axis is, in what the views are made of.
  int64_t last = cast<RankedTensorType>(tensor.getType()).getRank() - 1;
  while (Operation *op = tensor.getDefiningOp()) {
    if (!isa<tensor::ExtractSliceOp, tensor::CastOp, tensor::CollapseShapeOp,
             tensor::ExpandShapeOp>(op))
      return true;
    tensor = op->getOperand(0);
    ArrayRef<int64_t> shape =
        cast<RankedTensorType>(tensor.getType()).getShape();
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
      if (!slice.hasUnitStride())
        return false;
      llvm::SmallBitVector dropped = slice.getDroppedDims();
      for (int64_t axis = 0; axis <= last && axis < int64_t(shape.size());
           ++axis)
        last += dropped.test(axis);
      // One of what lies side by side, if there are no gaps between these.
      ArrayRef<int64_t> behind = shape.drop_front(last + 1);
      if (!behind.empty())
        return llvm::all_of(behind,
                            [](int64_t extent) { return extent == 1; }) &&
               hasNoGaps(tensor);
    } else if (!isa<tensor::CastOp>(op)) {
      auto type = cast<RankedTensorType>(op->getResult(0).getType());
      if (last != type.getRank() - 1)
        return false;
      last = int64_t(shape.size()) - 1;
    }
  }
  return true;
}

bool isOfComplex(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), [](Type type) {
    return isa<ComplexType>(getElementTypeOrSelf(type));
  });
}

VectorType getVectorType(Type element, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> lanes(shape);
  if (isa<ComplexType>(element))
    lanes.back() *= 2;
  return VectorType::get(lanes, getPartType(element));
}

/// The parts of a number, of a constant as constants.
static ComplexParts getParts(ImplicitLocOpBuilder &b, Value number) {
  auto constant = number.getDefiningOp<complex::ConstantOp>();
  if (!constant)
    return {complex::ReOp::create(b, number), complex::ImOp::create(b, number)};
  auto get = [&](unsigned part) -> Value {
    return arith::ConstantOp::create(
        b, cast<TypedAttr>(constant.getValue()[part]));
  };
  return {get(0), get(1)};
}

static bool isPosZero(Value number) {
  return matchPattern(number, m_PosZeroFloat());
}

Value createSplat(ImplicitLocOpBuilder &b, Value number,
                  ArrayRef<int64_t> shape) {
  Type element = number.getType();
  VectorType type = getVectorType(element, shape);
  if (!isa<ComplexType>(element))
    return vector::BroadcastOp::create(b, type, number);
  auto [re, im] = getParts(b, number);
  if (isPosZero(re) && isPosZero(im))
    return arith::ConstantOp::create(b, b.getZeroAttr(type));
  auto half = VectorType::get(shape, re.getType());
  return putTogether(b, {vector::BroadcastOp::create(b, half, re),
                         vector::BroadcastOp::create(b, half, im)});
}

Value doubleMask(ImplicitLocOpBuilder &b, Value mask) {
  return putTogether(b, {mask, mask});
}

Value extractFirst(ImplicitLocOpBuilder &b, Value vector, Type element) {
  Value first = vector::ExtractOp::create(b, vector, int64_t(0));
  if (!isa<ComplexType>(element))
    return first;
  return complex::CreateOp::create(
      b, element, first, vector::ExtractOp::create(b, vector, int64_t(1)));
}

ComplexParts takeApart(ImplicitLocOpBuilder &b, Value vector) {
  if (auto whole = vector.getDefiningOp<vector::InterleaveOp>())
    return {whole.getLhs(), whole.getRhs()};
  auto parts = vector::DeinterleaveOp::create(b, vector);
  return {parts.getRes1(), parts.getRes2()};
}

Value putTogether(ImplicitLocOpBuilder &b, ComplexParts parts) {
  return vector::InterleaveOp::create(b, parts.re, parts.im);
}

bool isSplat(Value vector) {
  auto whole = vector.getDefiningOp<vector::InterleaveOp>();
  return whole && whole.getLhs().getDefiningOp<vector::BroadcastOp>() &&
         whole.getRhs().getDefiningOp<vector::BroadcastOp>();
}

/// Lane i of the result is lane `get(i)` of the two vectors.
static Value shuffle(ImplicitLocOpBuilder &b, Value x, Value y,
                     function_ref<int64_t(int64_t)> get) {
  int64_t count = cast<VectorType>(x.getType()).getDimSize(0);
  return vector::ShuffleOp::create(
      b, x, y, llvm::map_to_vector(llvm::seq<int64_t>(0, count), get));
}

/// Real parts of one vector and imaginary ones of another.
static Value takeByTurns(ImplicitLocOpBuilder &b, Value re, Value im) {
  int64_t count = cast<VectorType>(re.getType()).getDimSize(0);
  return shuffle(b, re, im, [&](int64_t lane) {
    return lane % 2 == 0 ? lane : count + lane;
  });
}

Value swapParts(ImplicitLocOpBuilder &b, Value x) {
  return shuffle(b, x, x, [](int64_t lane) { return lane ^ 1; });
}

Value multiplyInPairs(ImplicitLocOpBuilder &b, Value x, Value y,
                      arith::FastMathFlags flags, bool isConjugated) {
  Value re = shuffle(b, x, x, [](int64_t lane) { return lane & ~1; });
  Value im = shuffle(b, x, x, [](int64_t lane) { return lane | 1; });
  Value swapped = swapParts(b, y);
  Value straight = arith::MulFOp::create(b, re, y, flags);
  Value across = arith::MulFOp::create(b, im, swapped, flags);
  // Processors have this as one instruction.
  Value difference = arith::SubFOp::create(b, straight, across, flags);
  Value sum = arith::AddFOp::create(b, straight, across, flags);
  if (isConjugated)
    std::swap(difference, sum);
  return takeByTurns(b, difference, sum);
}

Value multiplyByNumber(ImplicitLocOpBuilder &b, Value number, Value y,
                       arith::FastMathFlags flags, bool isConjugated) {
  Value re = shuffle(b, number, number, [](int64_t lane) { return lane & ~1; });
  Value im = shuffle(b, number, number, [](int64_t lane) { return lane | 1; });
  if (isConjugated)
    re = takeByTurns(b, re, arith::NegFOp::create(b, re));
  else
    im = takeByTurns(b, arith::NegFOp::create(b, im), im);
  return arith::AddFOp::create(
      b, arith::MulFOp::create(b, re, y, flags),
      arith::MulFOp::create(b, im, swapParts(b, y), flags), flags);
}

ComplexParts multiplyParts(ImplicitLocOpBuilder &b, ComplexParts x,
                           ComplexParts y, arith::FastMathFlags flags) {
  auto times = [&](Value lhs, Value rhs) -> Value {
    return arith::MulFOp::create(b, lhs, rhs, flags);
  };
  return {
      arith::SubFOp::create(b, times(x.re, y.re), times(x.im, y.im), flags),
      arith::AddFOp::create(b, times(x.re, y.im), times(x.im, y.re), flags)};
}

Value combineInPairs(ImplicitLocOpBuilder &b, Operation *combiner, Value x,
                     Value y) {
  if (auto sum = dyn_cast<complex::AddOp>(combiner))
    return arith::AddFOp::create(b, x, y, sum.getFastmath());
  return multiplyInPairs(b, x, y, cast<complex::MulOp>(combiner).getFastmath());
}

Value conjugateInPairs(ImplicitLocOpBuilder &b, Value x) {
  return takeByTurns(b, x, arith::NegFOp::create(b, x));
}

} // namespace ein
