//===- EmitToInteger.cpp - Floats that become integers --------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is outside of a type's range becomes the nearest number that is in it,
// and NaN becomes zero. Of integers with fewer bits than the float has digits,
// both ends of the range are floats, and the float is clamped before it is
// converted: a vector of bytes then is compared as floats are, and not byte by
// byte. What a program has clamped already, as layers in 8 bits do, is not
// clamped again.
//
//===----------------------------------------------------------------------===//

#include "ir/EmitToInteger.h"
#include "ir/EmitScalar.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

using namespace mlir;

namespace ein {

APInt getLeast(ElementType type) {
  unsigned bits = getBitWidth(type);
  return getKind(type) == TypeKind::Signed ? APInt::getSignedMinValue(bits)
                                           : APInt::getZero(bits);
}

APInt getLargest(ElementType type) {
  unsigned bits = getBitWidth(type);
  return getKind(type) == TypeKind::Signed ? APInt::getSignedMaxValue(bits)
                                           : APInt::getMaxValue(bits);
}

namespace {
/// Between which a number is, if it is one.
struct Bounds {
  double least = -std::numeric_limits<double>::infinity();
  double largest = std::numeric_limits<double>::infinity();
};
} // namespace

/// The number that an operand is, as it was written.
static std::optional<double> getNumber(Value value) {
  FloatAttr number;
  if (matchPattern(value, m_Constant(&number)))
    return number.getValueAsDouble();
  if (auto negated = value.getDefiningOp<arith::NegFOp>();
      negated && matchPattern(negated.getOperand(), m_Constant(&number)))
    return -number.getValueAsDouble();
  return std::nullopt;
}

/// Those that maxima and minima with numbers give a value.
static Bounds getBounds(Value value) {
  auto clamp = [](Value first, Value second, auto choose) {
    if (getNumber(first))
      std::swap(first, second);
    std::optional<double> bound = getNumber(second);
    if (!bound)
      return Bounds();
    Bounds bounds = getBounds(first);
    return Bounds{choose(bounds.least, *bound), choose(bounds.largest, *bound)};
  };
  if (auto op = value.getDefiningOp<arith::MaximumFOp>())
    return clamp(op.getLhs(), op.getRhs(),
                 [](double a, double b) { return std::max(a, b); });
  if (auto op = value.getDefiningOp<arith::MinimumFOp>())
    return clamp(op.getLhs(), op.getRhs(),
                 [](double a, double b) { return std::min(a, b); });
  return {};
}

/// To fewer bits than a float has integers in a row: into the range first, as a
/// float, and zero instead of NaN. Vectors do that as fast as they add.
static Value emitFloatToNarrow(ImplicitLocOpBuilder &b, Value value,
                               ElementType to) {
  auto constant = [&](double number) {
    return arith::ConstantOp::create(b,
                                     b.getFloatAttr(value.getType(), number));
  };
  Bounds bounds = getBounds(value);
  Type type = getValueType(b, to);
  auto largest = double(getLargest(to).getZExtValue());
  Value within = value;
  auto limit = [&] {
    if (!(bounds.largest <= largest))
      within = arith::MinNumFOp::create(b, within, constant(largest));
  };
  // Of NaN and a number it is the number.
  if (getKind(to) != TypeKind::Signed) {
    within = arith::MaxNumFOp::create(b, within, constant(0));
    limit();
    return arith::FPToUIOp::create(b, type, within);
  }
  auto least = double(getLeast(to).getSExtValue());
  if (!(bounds.least >= least))
    within = arith::MaxNumFOp::create(b, within, constant(least));
  limit();
  Value isNone =
      arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, value, value);
  within = arith::SelectOp::create(b, isNone, constant(0), within);
  return arith::FPToSIOp::create(b, type, within);
}

/// The conversion itself is poison outside of the range, and not selected then.
Value emitFloatToInteger(ImplicitLocOpBuilder &b, Value value, ElementType to) {
  bool isSigned = getKind(to) == TypeKind::Signed;
  unsigned bits = getBitWidth(to);
  constexpr unsigned kWord = 32;
  if (bits < kWord || (bits == kWord && isSigned && value.getType().isF64()))
    return emitFloatToNarrow(b, value, to);
  Type type = getValueType(b, to);
  Value result = isSigned ? arith::FPToSIOp::create(b, type, value).getResult()
                          : arith::FPToUIOp::create(b, type, value).getResult();
  // One past the largest integer is a power of two, and so exact.
  auto constant = [&](double bound) {
    return arith::ConstantOp::create(b, b.getFloatAttr(value.getType(), bound));
  };
  auto integer = [&](const APInt &number) {
    return arith::ConstantOp::create(b, b.getIntegerAttr(type, number));
  };
  auto select = [&](arith::CmpFPredicate predicate, Value bound,
                    Value otherwise) {
    Value isOutside = arith::CmpFOp::create(b, predicate, value, bound);
    result = arith::SelectOp::create(b, isOutside, otherwise, result);
  };
  select(arith::CmpFPredicate::OGE, constant(std::ldexp(1.0, bits - isSigned)),
         integer(getLargest(to)));
  select(arith::CmpFPredicate::OLT,
         constant(isSigned ? -std::ldexp(1.0, bits - 1) : 0.0),
         integer(getLeast(to)));
  select(arith::CmpFPredicate::UNO, value, integer(APInt::getZero(bits)));
  return result;
}

} // namespace ein
