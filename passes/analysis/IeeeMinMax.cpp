//===- IeeeMinMax.cpp - Maxima and minima of many floats
//--------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// If the largest is a zero, no number is above it, so that those whose sign is
// not set are zeros: it is -0 if all signs are set, which their conjunction
// says. Of a minimum it is the disjunction. Signs of NaN do not matter.
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/IeeeMinMax.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/Combiner.h"

using namespace mlir;

namespace ein {

bool isExtreme(linalg::LinalgOp op) {
  Operation *combiner = getCombiner(op);
  if (!isa_and_present<arith::MaximumFOp, arith::MinimumFOp>(combiner))
    return false;
  Type type = combiner->getResult(0).getType();
  return type.isF32() || type.isF64();
}

bool IeeeMinMax::isMaximum() { return isa<arith::MaximumFOp>(combiner); }

/// The type `type` with integers of as many bits for elements.
static Type getBitsType(Type type) {
  auto bits = IntegerType::get(
      type.getContext(), getElementTypeOrSelf(type).getIntOrFloatBitWidth());
  auto vector = dyn_cast<VectorType>(type);
  return vector ? Type(vector.clone(bits)) : bits;
}

static Value createConstant(ImplicitLocOpBuilder &b, Type type,
                            TypedAttr element) {
  auto vector = dyn_cast<VectorType>(type);
  if (vector)
    element = DenseElementsAttr::get(vector, element);
  return arith::ConstantOp::create(b, type, element);
}

/// As an instruction has it: the second one if they cannot be compared.
Value IeeeMinMax::select(Value first, Value second) {
  arith::CmpFPredicate predicate =
      isMaximum() ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT;
  Value isBeyond = arith::CmpFOp::create(b, predicate, first, second);
  return arith::SelectOp::create(b, isBeyond, first, second);
}

Value IeeeMinMax::combineSigns(Value first, Value second) {
  if (isMaximum())
    return arith::AndIOp::create(b, first, second);
  return arith::OrIOp::create(b, first, second);
}

Value IeeeMinMax::getBits(Value floats) {
  return arith::BitcastOp::create(b, getBitsType(floats.getType()), floats);
}

Value IeeeMinMax::areNumbers(Value first, Value second) {
  Value are =
      arith::CmpFOp::create(b, arith::CmpFPredicate::ORD, first, second);
  if (hasMasks)
    return are;
  return arith::ExtSIOp::create(b, getBitsType(first.getType()), are);
}

IeeeMinMax::State IeeeMinMax::start(Value vector) {
  return {vector, getBits(vector), areNumbers(vector, vector)};
}

IeeeMinMax::State IeeeMinMax::add(ValueRange state, Value vector) {
  return join(state, start(vector));
}

IeeeMinMax::State IeeeMinMax::add(ValueRange state, Value first, Value second) {
  Value signs = combineSigns(getBits(first), getBits(second));
  return {select(second, select(first, state[0])),
          combineSigns(state[1], signs),
          arith::AndIOp::create(b, state[2], areNumbers(first, second))};
}

IeeeMinMax::State IeeeMinMax::join(ValueRange first, ValueRange second) {
  return {select(second[0], first[0]), combineSigns(first[1], second[1]),
          arith::AndIOp::create(b, first[2], second[2])};
}

Value IeeeMinMax::finish(Value value, Value signs, Value areNumbers) {
  Type type = value.getType(), bits = getBitsType(type);
  auto element = cast<FloatType>(getElementTypeOrSelf(type));
  unsigned width = element.getWidth();
  Type bit = getElementTypeOrSelf(bits);
  Value signBit =
      createConstant(b, bits, b.getIntegerAttr(bit, APInt::getSignMask(width)));
  Value zero = createConstant(b, type, b.getFloatAttr(element, 0));
  Value nan = createConstant(
      b, type,
      b.getFloatAttr(element, APFloat::getNaN(element.getFloatSemantics())));
  Value isZero =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, value, zero);
  Value signedZero = arith::BitcastOp::create(
      b, type, arith::AndIOp::create(b, signs, signBit));
  value = arith::SelectOp::create(b, isZero, signedZero, value);
  return arith::SelectOp::create(b, areNumbers, value, nan);
}

Value IeeeMinMax::finish(ValueRange state) {
  Value areNumbers = state[2];
  if (!hasMasks) {
    Type type = areNumbers.getType();
    Value none = createConstant(
        b, type, b.getIntegerAttr(getElementTypeOrSelf(type), 0));
    areNumbers =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ne, areNumbers, none);
  }
  return finish(state[0], state[1], areNumbers);
}

Value IeeeMinMax::finishAcross(ValueRange state) {
  Value value = state[0];
  int64_t count = cast<VectorType>(value.getType()).getDimSize(0);
  for (; count > 1; count /= 2) {
    auto low = llvm::to_vector(llvm::seq<int64_t>(0, count / 2));
    auto high = llvm::to_vector(llvm::seq<int64_t>(count / 2, count));
    Value first = vector::ShuffleOp::create(b, value, value, low);
    Value second = vector::ShuffleOp::create(b, value, value, high);
    value = select(first, second);
  }
  value = vector::ExtractOp::create(b, value, int64_t(0));
  Value signs = vector::ReductionOp::create(
      b, isMaximum() ? vector::CombiningKind::AND : vector::CombiningKind::OR,
      state[1]);
  Value areNumbers =
      vector::ReductionOp::create(b, vector::CombiningKind::AND, state[2]);
  if (!hasMasks)
    areNumbers = arith::TruncIOp::create(b, b.getI1Type(), areNumbers);
  return finish(value, signs, areNumbers);
}

} // namespace ein
