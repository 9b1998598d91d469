//===- Convert.cpp - Integers, and conversions between types --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "reference/Convert.h"
#include "runtime/Half.h"

using namespace llvm;

namespace ein::reference {

static bool isSigned(ElementType type) {
  return getKind(type) == TypeKind::Signed;
}

int64_t wrap(int64_t value, ElementType type) {
  if (type == ElementType::Bool)
    return value & 1;
  unsigned shift = 64 - getBitWidth(type);
  uint64_t bits = static_cast<uint64_t>(value) << shift;
  return isSigned(type) ? static_cast<int64_t>(bits) >> shift
                        : static_cast<int64_t>(bits >> shift);
}

static Scalar makeInteger(int64_t value, bool isKnown) {
  return {{0, isKnown ? 0 : infinity}, value};
}

static int64_t getLeast(ElementType type) {
  return isSigned(type) ? wrap(int64_t(1) << (getBitWidth(type) - 1), type) : 0;
}

static int64_t getLargest(ElementType type) {
  return isSigned(type) ? ~getLeast(type) : wrap(-1, type);
}

Scalar getIdentity(UpdateKind update, ElementType type) {
  auto make = [&](double number, int64_t integer) {
    return isFloat(type) ? Scalar{{number, 0}, 0} : makeInteger(integer, true);
  };
  switch (update) {
  case UpdateKind::Assign:
  case UpdateKind::Add:
    return make(0, 0);
  case UpdateKind::Mul:
    return make(1, 1);
  case UpdateKind::Max:
    return make(-infinity, getLeast(type));
  case UpdateKind::Min:
    return make(infinity, getLargest(type));
  case UpdateKind::And:
    return makeInteger(wrap(-1, type), true);
  case UpdateKind::Or:
  case UpdateKind::Xor:
    return makeInteger(0, true);
  }
  llvm_unreachable("an update that the reference does not know");
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// A number to the nearest one of `type`, which is no f64; from f64 by way of
/// f32, as compiled code goes.
static double roundTo(double value, ElementType type) {
  auto narrow = static_cast<float>(value);
  if (type == ElementType::F16)
    return runtime::fromFloat16(runtime::toFloat16(narrow));
  if (type == ElementType::BF16)
    return runtime::fromBFloat16(runtime::toBFloat16(narrow));
  return narrow;
}

static Pair convertFloat(Pair x, ElementType from, ElementType to) {
  if (fits(from, to) || x.bound == infinity)
    return x;
  if (x.bound == 0)
    return {roundTo(x.value, to), 0};
  const Rounding &rounding = Rounding::get(to);
  double relative = rounding.unitRoundoff;
  if (from == ElementType::F64 && to != ElementType::F32)
    relative += 2 * Rounding::get(ElementType::F32).unitRoundoff;
  double magnitude = std::abs(x.value) + x.bound;
  // Half of the least number there is, which the rounding may lose.
  double least = rounding.smallest * rounding.unitRoundoff;
  x.bound = Rounding::inflate(x.bound + relative * magnitude + least);
  return rounding.settle(x);
}

static int64_t truncate(double value, ElementType to) {
  unsigned bits = getBitWidth(to);
  if (std::isnan(value))
    return 0;
  if (value >= std::ldexp(1.0, bits - isSigned(to)))
    return getLargest(to);
  if (value <= (isSigned(to) ? -std::ldexp(1.0, bits - 1) : 0.0))
    return getLeast(to);
  return isSigned(to) ? static_cast<int64_t>(value)
                      : static_cast<int64_t>(static_cast<uint64_t>(value));
}

static Scalar toInteger(Pair x, ElementType to) {
  if (x.bound == infinity)
    return makeInteger(0, false);
  if (to == ElementType::Bool)
    return makeInteger(x.value != 0 || std::isnan(x.value),
                       x.bound == 0 || std::abs(x.value) > x.bound);
  int64_t value = truncate(x.value, to);
  return makeInteger(value, x.bound == 0 ||
                                (truncate(x.value - x.bound, to) == value &&
                                 truncate(x.value + x.bound, to) == value));
}

static double toFloat(int64_t value, ElementType from, ElementType to) {
  bool isLarge = !isSigned(from) && value < 0;
  auto bits = static_cast<uint64_t>(value);
  if (to == ElementType::F64)
    return isLarge ? static_cast<double>(bits) : static_cast<double>(value);
  float first = isLarge ? static_cast<float>(bits) : static_cast<float>(value);
  return roundTo(first, to);
}

Scalar convert(const Scalar &x, ElementType from, ElementType to) {
  if (isFloat(from) && isFloat(to))
    return {convertFloat(x.number, from, to), 0};
  if (isFloat(from))
    return toInteger(x.number, to);
  // A cast may take the bits for another type's.
  int64_t value = wrap(x.integer, from);
  if (isFloat(to))
    return {{toFloat(value, from, to), x.number.bound}, 0};
  if (to == ElementType::Bool)
    return makeInteger(value != 0, x.isKnown());
  return makeInteger(wrap(value, to), x.isKnown());
}

/// Part by part.
static Value convertToComplex(Value value, ElementType from, ElementType to) {
  Value imaginary;
  imaginary.allocate(value.size(), getPartType(from));
  if (isComplex(from)) {
    imaginary.values = std::move(value.imaginary.values);
    imaginary.bounds = std::move(value.imaginary.bounds);
  }
  Value result = convert(std::move(value), getPartType(from), getPartType(to));
  imaginary = convert(std::move(imaginary), getPartType(from), getPartType(to));
  result.imaginary = {std::move(imaginary.values), std::move(imaginary.bounds)};
  return result;
}

Value convert(Value value, ElementType from, ElementType to) {
  if (from == to || (isFloat(from) && isFloat(to) && fits(from, to)))
    return value;
  if (isComplex(to))
    return convertToComplex(std::move(value), from, to);
  Value result;
  result.shape = value.shape;
  result.allocate(value.size(), to);
  for (int64_t i = 0, e = value.size(); i < e; ++i) {
    Scalar x = {{isFloat(from) ? value.values[i] : 0, value.bounds[i]},
                isFloat(from) ? 0 : value.integers[i]};
    x = convert(x, from, to);
    result.bounds[i] = x.number.bound;
    if (isFloat(to))
      result.values[i] = x.number.value;
    else
      result.integers[i] = x.integer;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

Scalar apply(UnaryFn fn, const Scalar &x, ElementType type) {
  int64_t value = x.integer;
  if (fn == UnaryFn::Not)
    value = value == 0;
  else if (fn == UnaryFn::Square)
    value = static_cast<int64_t>(static_cast<uint64_t>(value) *
                                 static_cast<uint64_t>(value));
  else if (fn == UnaryFn::BitNot)
    value = ~value;
  else if (fn == UnaryFn::Rounded)
    return x;
  else if (fn == UnaryFn::Neg || (isSigned(type) && value < 0))
    value = static_cast<int64_t>(0 - static_cast<uint64_t>(value));
  return makeInteger(wrap(value, type), x.isKnown());
}

template <typename T> static bool compareAs(BinaryFn fn, T x, T y) {
  switch (fn) {
  case BinaryFn::Equal:
    return x == y;
  case BinaryFn::NotEqual:
    return x != y;
  case BinaryFn::Less:
    return x < y;
  case BinaryFn::LessEqual:
    return x <= y;
  case BinaryFn::Greater:
    return x > y;
  case BinaryFn::GreaterEqual:
    return x >= y;
  default:
    llvm_unreachable("no comparison");
  }
}

Scalar compare(BinaryFn fn, const Scalar &x, const Scalar &y,
               ElementType type) {
  bool result = isSigned(type) ? compareAs(fn, x.integer, y.integer)
                               : compareAs(fn, static_cast<uint64_t>(x.integer),
                                           static_cast<uint64_t>(y.integer));
  return makeInteger(result, x.isKnown() && y.isKnown());
}

Scalar compare(BinaryFn fn, Pair x, Pair y) {
  bool result = compareAs(fn, x.value, y.value);
  bool isExact = x.bound == 0 && y.bound == 0;
  // NaN with a bound of zero is NaN for certain, whatever the other is.
  bool isNaN = (std::isnan(x.value) && x.bound == 0) ||
               (std::isnan(y.value) && y.bound == 0);
  bool isApart = std::abs(x.value - y.value) > x.bound + y.bound;
  return makeInteger(result, isExact || isNaN || isApart);
}

static int64_t applyBool(BinaryFn fn, int64_t a, int64_t b) {
  switch (fn) {
  case BinaryFn::Add:
  case BinaryFn::Max:
  case BinaryFn::Or:
  case BinaryFn::BitOr:
    return a | b;
  case BinaryFn::BitXor:
    return a ^ b;
  default:
    return a & b;
  }
}

/// Amounts of the width and more shift everything out.
static int64_t shift(BinaryFn fn, int64_t a, int64_t b, ElementType type) {
  bool isTooFar = b < 0 || b >= static_cast<int64_t>(getBitWidth(type));
  if (fn == BinaryFn::ShiftLeft)
    return isTooFar ? 0 : static_cast<int64_t>(static_cast<uint64_t>(a) << b);
  if (!isSigned(type))
    return isTooFar ? 0 : static_cast<int64_t>(static_cast<uint64_t>(a) >> b);
  return a >> (isTooFar ? 63 : b);
}

static int64_t divide(BinaryFn fn, int64_t a, int64_t b, ElementType type) {
  bool isDiv = fn == BinaryFn::Div;
  if (b == 0)
    return isDiv ? a : 0;
  if (!isSigned(type)) {
    auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
    return static_cast<int64_t>(isDiv ? x / y : x % y);
  }
  if (b == -1)
    return isDiv ? static_cast<int64_t>(0 - static_cast<uint64_t>(a)) : 0;
  return isDiv ? a / b : a % b;
}

static int64_t applyInteger(BinaryFn fn, int64_t a, int64_t b,
                            ElementType type) {
  auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
  bool isLess = isSigned(type) ? a < b : x < y;
  switch (fn) {
  case BinaryFn::Add:
    return static_cast<int64_t>(x + y);
  case BinaryFn::Sub:
    return static_cast<int64_t>(x - y);
  case BinaryFn::Mul:
    return static_cast<int64_t>(x * y);
  case BinaryFn::Div:
  case BinaryFn::Rem:
    return divide(fn, a, b, type);
  case BinaryFn::Max:
    return isLess ? b : a;
  case BinaryFn::Min:
    return isLess ? a : b;
  case BinaryFn::BitAnd:
    return a & b;
  case BinaryFn::BitOr:
    return a | b;
  case BinaryFn::BitXor:
    return a ^ b;
  case BinaryFn::ShiftLeft:
  case BinaryFn::ShiftRight:
    return shift(fn, a, b, type);
  default:
    break;
  }
  llvm_unreachable("a function that the reference does not know");
}

Scalar apply(BinaryFn fn, const Scalar &x, const Scalar &y, ElementType type) {
  fn = resolve(fn, type);
  int64_t value = type == ElementType::Bool
                      ? applyBool(fn, x.integer, y.integer)
                      : applyInteger(fn, x.integer, y.integer, type);
  bool isKnown = x.isKnown() && y.isKnown();
  // One side may be enough.
  if (isLogical(fn)) {
    int64_t deciding = fn == BinaryFn::Or;
    isKnown |= (x.isKnown() && x.integer == deciding) ||
               (y.isKnown() && y.integer == deciding);
  }
  return makeInteger(wrap(value, type), isKnown);
}

} // namespace ein::reference
