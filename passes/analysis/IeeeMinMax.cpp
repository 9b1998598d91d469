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
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/Combiner.h"

using namespace mlir;

namespace ein {

bool isExtreme(linalg::LinalgOp op) {
  Operation *combiner = getCombiner(op);
  if (!isa_and_present<arith::MaximumFOp, arith::MinimumFOp>(combiner))
    return false;
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(
      combiner->getResult(0).getType());
}

static bool isOfHalves(Operation *combiner) {
  return isa<Float16Type, BFloat16Type>(combiner->getResult(0).getType());
}

bool isGathered(linalg::LinalgOp op, bool hasInstruction) {
  return isExtreme(op) && (!hasInstruction || isOfHalves(getCombiner(op)));
}

/// Whether a number that is infinite stands in what `op` computes.
static bool namesInfinity(linalg::LinalgOp op) {
  return llvm::any_of(*op.getBlock(), [](Operation &inner) {
    return llvm::any_of(inner.getOperands(), [](Value operand) {
      llvm::APFloat number(0.0);
      return matchPattern(operand, m_ConstantFloat(&number)) &&
             number.isInfinity();
    });
  });
}

bool hasWitness(linalg::LinalgOp op) {
  return isExtreme(op) && isa<arith::MaximumFOp>(getCombiner(op)) &&
         !isOfHalves(getCombiner(op)) && !namesInfinity(op);
}

bool IeeeMinMax::isMaximum() { return isa<arith::MaximumFOp>(combiner); }

bool IeeeMinMax::isHalf() { return isOfHalves(combiner); }

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

IeeeMinMax::State IeeeMinMax::joinHalves(ValueRange first, ValueRange second) {
  return {arith::MaxSIOp::create(b, first[0], second[0]),
          arith::MinSIOp::create(b, first[1], second[1]),
          arith::MaxUIOp::create(b, first[2], second[2])};
}

/// As signed integers, all numbers are below zero if the largest one is; then
/// the least has the smallest magnitude. As unsigned ones, those with a sign
/// are the largest, by their magnitude.
Value IeeeMinMax::finishHalves(Value most, Value least, Value mostUnsigned) {
  Type bits = most.getType();
  Type element = combiner->getResult(0).getType();
  auto getBitsOf = [&](bool isNaN, bool isNegative) {
    const llvm::fltSemantics &semantics =
        cast<FloatType>(element).getFloatSemantics();
    APFloat number = isNaN ? APFloat::getNaN(semantics)
                           : APFloat::getInf(semantics, isNegative);
    return createConstant(
        b, bits,
        b.getIntegerAttr(getElementTypeOrSelf(bits), number.bitcastToAPInt()));
  };
  auto compare = [&](arith::CmpIPredicate predicate, Value x,
                     Value y) -> Value {
    return arith::CmpIOp::create(b, predicate, x, y);
  };
  Value zero =
      createConstant(b, bits, b.getIntegerAttr(getElementTypeOrSelf(bits), 0));
  Value decides = isMaximum() ? most : mostUnsigned;
  Value isOtherSign = compare(isMaximum() ? arith::CmpIPredicate::slt
                                          : arith::CmpIPredicate::sge,
                              decides, zero);
  Value result = arith::SelectOp::create(b, isOtherSign, least, decides);
  Value isNaN = arith::OrIOp::create(
      b,
      compare(arith::CmpIPredicate::sgt, most,
              getBitsOf(/*isNaN=*/false, /*isNegative=*/false)),
      compare(arith::CmpIPredicate::ugt, mostUnsigned,
              getBitsOf(/*isNaN=*/false, /*isNegative=*/true)));
  result = arith::SelectOp::create(
      b, isNaN, getBitsOf(/*isNaN=*/true, /*isNegative=*/false), result);
  auto vector = dyn_cast<VectorType>(bits);
  return arith::BitcastOp::create(
      b, vector ? Type(vector.clone(element)) : element, result);
}

IeeeMinMax::State IeeeMinMax::start(Value vector) {
  if (isHalf())
    return State(kValues, getBits(vector));
  return {vector, getBits(vector), areNumbers(vector, vector)};
}

IeeeMinMax::State IeeeMinMax::add(ValueRange state, Value vector) {
  return join(state, start(vector));
}

IeeeMinMax::State IeeeMinMax::add(ValueRange state, Value first, Value second) {
  if (isHalf())
    return joinHalves(joinHalves(state, start(first)), start(second));
  Value signs = combineSigns(getBits(first), getBits(second));
  return {select(second, select(first, state[0])),
          combineSigns(state[1], signs),
          arith::AndIOp::create(b, state[2], areNumbers(first, second))};
}

Value IeeeMinMax::isKnown(ArrayRef<State> states) {
  Value numbers;
  // A sign is not set of any number, if it is not of their conjunction.
  for (const State &state : states) {
    Value next = isMaximum() ? state[0] : state[2];
    numbers = numbers ? combineSigns(numbers, next) : next;
  }
  Type type = numbers.getType();
  Value zero =
      createConstant(b, type, b.getIntegerAttr(getElementTypeOrSelf(type), 0));
  Value are = arith::CmpIOp::create(
      b, isMaximum() ? arith::CmpIPredicate::sge : arith::CmpIPredicate::slt,
      numbers, zero);
  return vector::ReductionOp::create(b, vector::CombiningKind::OR, are);
}

IeeeMinMax::State IeeeMinMax::addKnown(ValueRange state, Value first,
                                       Value second) {
  auto gather = [&](Value most, Value mostUnsigned, Value bits) -> State {
    return {arith::MaxSIOp::create(b, most, bits), state[1],
            arith::MaxUIOp::create(b, mostUnsigned, bits)};
  };
  State next = gather(state[0], state[2], getBits(first));
  return gather(next[0], next[2], getBits(second));
}

Value IeeeMinMax::addToWitness(Value witness, ArrayRef<Value> values) {
  constexpr auto kMayFuse = arith::FastMathFlags::contract;
  auto add = [&](Value value) {
    witness =
        witness ? arith::AddFOp::create(b, value, witness, kMayFuse) : value;
  };
  if (values.size() % 2 != 0)
    add(values.front());
  for (ArrayRef<Value> left = values.drop_front(values.size() % 2);
       !left.empty(); left = left.drop_front(2))
    add(arith::MulFOp::create(b, left[0], left[1], kMayFuse));
  return witness;
}

/// Where bits, one integer or a vector of them, are those of -0.
static Value areNegativeZero(ImplicitLocOpBuilder &b, Value bits) {
  auto element = cast<IntegerType>(getElementTypeOrSelf(bits));
  Value negativeZero = createConstant(
      b, bits.getType(),
      b.getIntegerAttr(element, APInt::getSignMask(element.getWidth())));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, bits, negativeZero);
}

Value IeeeMinMax::areDoubtful(ArrayRef<Value> maxima,
                              ArrayRef<Value> witnesses) {
  Value least = getBits(maxima.front());
  for (Value other : maxima.drop_front())
    least = arith::MinSIOp::create(b, least, getBits(other));
  // No integer is less than the bits of -0.
  Value are = areNegativeZero(b, least);
  for (size_t i = 0; i < witnesses.size(); i += 2) {
    Value first = witnesses[i],
          second = witnesses[std::min(i + 1, witnesses.size() - 1)];
    are = arith::OrIOp::create(
        b, are,
        arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, first, second));
  }
  return vector::ReductionOp::create(b, vector::CombiningKind::OR, are);
}

Value IeeeMinMax::isDoubtful(Value maximum, ArrayRef<Value> witnesses) {
  Value is = areNegativeZero(b, getBits(maximum));
  for (Value witness : witnesses) {
    Value are =
        arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, witness, witness);
    is = arith::OrIOp::create(
        b, is, vector::ReductionOp::create(b, vector::CombiningKind::OR, are));
  }
  return is;
}

IeeeMinMax::State IeeeMinMax::join(ValueRange first, ValueRange second) {
  if (isHalf())
    return joinHalves(first, second);
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
  if (isHalf())
    return finishHalves(state[0], state[1], state[2]);
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

Value IeeeMinMax::compareAcross(Value vector) {
  int64_t count = cast<VectorType>(vector.getType()).getDimSize(0);
  for (; count > 1; count /= 2) {
    auto low = llvm::to_vector(llvm::seq<int64_t>(0, count / 2));
    auto high = llvm::to_vector(llvm::seq<int64_t>(count / 2, count));
    Value first = vector::ShuffleOp::create(b, vector, vector, low);
    Value second = vector::ShuffleOp::create(b, vector, vector, high);
    vector = select(first, second);
  }
  return vector::ExtractOp::create(b, vector, int64_t(0));
}

Value IeeeMinMax::finishAcross(ValueRange state) {
  if (isHalf()) {
    auto reduce = [&](vector::CombiningKind kind, Value vector) -> Value {
      return vector::ReductionOp::create(b, kind, vector);
    };
    return finishHalves(reduce(vector::CombiningKind::MAXSI, state[0]),
                        reduce(vector::CombiningKind::MINSI, state[1]),
                        reduce(vector::CombiningKind::MAXUI, state[2]));
  }
  Value value = compareAcross(state[0]);
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
