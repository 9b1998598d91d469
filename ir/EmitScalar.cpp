//===- EmitScalar.cpp - Scalar arithmetic of the language's types ---------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/EmitScalar.h"
#include "ir/EinDialect.h"
#include "ir/EmitToInteger.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <limits>

using namespace mlir;

namespace ein {

/// Sums may be reassociated and contracted to FMA; NaN, infinity and signed
/// zero stay what they are.
static constexpr arith::FastMathFlags kSumFlags =
    arith::FastMathFlags::reassoc | arith::FastMathFlags::contract;

Type getStorageType(Builder &b, ElementType type) {
  switch (type) {
  case ElementType::F16:
    return b.getF16Type();
  case ElementType::BF16:
    return b.getBF16Type();
  case ElementType::F32:
    return b.getF32Type();
  case ElementType::F64:
    return b.getF64Type();
  case ElementType::C64:
  case ElementType::C128:
    return ComplexType::get(getStorageType(b, getPartType(type)));
  default:
    return b.getIntegerType(getBitWidth(type));
  }
}

Type getValueType(Builder &b, ElementType type) {
  return type == ElementType::Bool ? b.getI1Type() : getStorageType(b, type);
}

Value emitLoaded(ImplicitLocOpBuilder &b, Value stored, ElementType type) {
  if (type != ElementType::Bool)
    return stored;
  Value zero = arith::ConstantOp::create(b, b.getI8IntegerAttr(0));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, stored, zero);
}

Value emitStored(ImplicitLocOpBuilder &b, Value value, ElementType type) {
  if (type != ElementType::Bool)
    return value;
  return arith::ExtUIOp::create(b, b.getI8Type(), value);
}

static Value emitInteger(ImplicitLocOpBuilder &b, ElementType type,
                         const APInt &value) {
  return arith::ConstantOp::create(
      b, b.getIntegerAttr(getValueType(b, type), value));
}

Value emitInteger(ImplicitLocOpBuilder &b, ElementType type, int64_t value) {
  unsigned bits = getValueType(b, type).getIntOrFloatBitWidth();
  return emitInteger(b, type,
                     APInt(64, static_cast<uint64_t>(value)).trunc(bits));
}

static Value emitComplex(ImplicitLocOpBuilder &b, ElementType type,
                         double real) {
  Type part = getStorageType(b, getPartType(type));
  return complex::ConstantOp::create(
      b, getStorageType(b, type),
      b.getArrayAttr({b.getFloatAttr(part, real), b.getFloatAttr(part, 0)}));
}

Value emitLiteral(ImplicitLocOpBuilder &b, const Expr &literal) {
  if (isComplex(literal.type))
    return emitComplex(b, literal.type, literal.literal);
  if (!isFloat(literal.type))
    return emitInteger(b, literal.type, literal.integer);
  return arith::ConstantOp::create(
      b, b.getFloatAttr(getValueType(b, literal.type), literal.literal));
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

static bool isHalf(ElementType type) {
  return type == ElementType::F16 || type == ElementType::BF16;
}

static Value emitFloatToFloat(ImplicitLocOpBuilder &b, Value value,
                              ElementType from, ElementType to) {
  if (isHalf(from)) {
    value = arith::ExtFOp::create(b, b.getF32Type(), value);
    from = ElementType::F32;
  }
  if (from == to)
    return value;
  if (to == ElementType::F64)
    return arith::ExtFOp::create(b, b.getF64Type(), value);
  if (from == ElementType::F64)
    value = arith::TruncFOp::create(b, b.getF32Type(), value);
  if (to == ElementType::F32)
    return value;
  return arith::TruncFOp::create(b, getValueType(b, to), value);
}

static Value emitIntegerToFloat(ImplicitLocOpBuilder &b, Value value,
                                ElementType from, ElementType to) {
  ElementType first = isHalf(to) ? ElementType::F32 : to;
  Type type = getValueType(b, first);
  value = getKind(from) == TypeKind::Signed
              ? arith::SIToFPOp::create(b, type, value).getResult()
              : arith::UIToFPOp::create(b, type, value).getResult();
  return emitFloatToFloat(b, value, first, to);
}

/// Part by part; a real number has an imaginary part of zero.
static Value emitToComplex(ImplicitLocOpBuilder &b, Value value,
                           ElementType from, ElementType to) {
  ElementType part = getPartType(to);
  if (!isComplex(from)) {
    Value real = emitConversion(b, value, from, part);
    Value zero = arith::ConstantOp::create(b, b.getZeroAttr(real.getType()));
    return complex::CreateOp::create(b, getValueType(b, to), real, zero);
  }
  ElementType fromPart = getPartType(from);
  Value real =
      emitConversion(b, complex::ReOp::create(b, value), fromPart, part);
  Value imaginary =
      emitConversion(b, complex::ImOp::create(b, value), fromPart, part);
  return complex::CreateOp::create(b, getValueType(b, to), real, imaginary);
}

Value emitConversion(ImplicitLocOpBuilder &b, Value value, ElementType from,
                     ElementType to) {
  if (from == to)
    return value;
  if (isComplex(to))
    return emitToComplex(b, value, from, to);
  if (isFloat(from) && isFloat(to))
    return emitFloatToFloat(b, value, from, to);
  if (isFloat(from)) {
    if (isHalf(from))
      value = arith::ExtFOp::create(b, b.getF32Type(), value);
    if (to != ElementType::Bool)
      return emitFloatToInteger(b, value, to);
    Value zero = arith::ConstantOp::create(b, b.getZeroAttr(value.getType()));
    return arith::CmpFOp::create(b, arith::CmpFPredicate::UNE, value, zero);
  }
  if (isFloat(to))
    return emitIntegerToFloat(b, value, from, to);
  if (to == ElementType::Bool)
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, value,
                                 emitInteger(b, from, 0));
  Type type = getValueType(b, to);
  unsigned fromBits = value.getType().getIntOrFloatBitWidth();
  unsigned toBits = type.getIntOrFloatBitWidth();
  if (fromBits == toBits)
    return value;
  if (fromBits > toBits)
    return arith::TruncIOp::create(b, type, value);
  return getKind(from) == TypeKind::Signed
             ? arith::ExtSIOp::create(b, type, value).getResult()
             : arith::ExtUIOp::create(b, type, value).getResult();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// A function that no dialect of upstream's has, which is computed in f64
/// whatever the type: that leaves a narrower one its last place, and each
/// function needs one lowering.
static Value emitSpecial(ImplicitLocOpBuilder &b, StringRef name,
                         ArrayRef<Value> operands, ElementType type) {
  SmallVector<Value> wide;
  for (Value operand : operands)
    wide.push_back(emitConversion(b, operand, type, ElementType::F64));
  Value result = SpecialOp::create(b, b.getF64Type(), name, wide);
  return emitConversion(b, result, ElementType::F64, type);
}

/// The neighbour of `x` on the side of `y`: the bits of numbers of one sign
/// are ordered as integers as the numbers are.
static Value emitNextAfter(ImplicitLocOpBuilder &b, Value x, Value y) {
  using Float = arith::CmpFPredicate;
  Type type = x.getType();
  Type bitsType = b.getIntegerType(type.getIntOrFloatBitWidth());
  auto integer = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, b.getIntegerAttr(bitsType, value));
  };
  auto compare = [&](Float predicate, Value lhs, Value rhs) -> Value {
    return arith::CmpFOp::create(b, predicate, lhs, rhs);
  };
  auto select = [&](Value condition, Value then, Value otherwise) -> Value {
    return arith::SelectOp::create(b, condition, then, otherwise);
  };
  auto fromBits = [&](Value bits) -> Value {
    return arith::BitcastOp::create(b, type, bits);
  };
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type));
  Value grows = compare(Float::OLT, x, y);
  Value isPositive = compare(Float::OGT, x, zero);
  Value isOutward =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, grows, isPositive);
  Value bits = arith::BitcastOp::create(b, bitsType, x);
  Value step = select(isOutward, integer(1), integer(-1));
  Value moved = fromBits(arith::AddIOp::create(b, bits, step));
  Value least = math::CopySignOp::create(b, fromBits(integer(1)), y);
  Value next = select(compare(Float::OEQ, x, zero), least, moved);
  Value result = select(compare(Float::OEQ, x, y), y, next);
  Value sum = arith::AddFOp::create(b, x, y);
  return select(compare(Float::UNO, x, y), sum, result);
}

static Value emitFloatUnary(ImplicitLocOpBuilder &b, UnaryFn fn, Value operand,
                            ElementType type) {
  switch (fn) {
  case UnaryFn::Neg:
    return arith::NegFOp::create(b, operand);
  case UnaryFn::Exp:
    return math::ExpOp::create(b, operand);
  case UnaryFn::Log:
    return math::LogOp::create(b, operand);
  case UnaryFn::Sqrt:
    return math::SqrtOp::create(b, operand);
  case UnaryFn::Abs:
    return math::AbsFOp::create(b, operand);
  case UnaryFn::Tanh:
    return math::TanhOp::create(b, operand);
  case UnaryFn::Exp2:
    return math::Exp2Op::create(b, operand);
  case UnaryFn::Expm1:
    return math::ExpM1Op::create(b, operand);
  case UnaryFn::Log2:
    return math::Log2Op::create(b, operand);
  case UnaryFn::Log10:
    return math::Log10Op::create(b, operand);
  case UnaryFn::Log1p:
    return math::Log1pOp::create(b, operand);
  case UnaryFn::Rsqrt:
    return math::RsqrtOp::create(b, operand);
  case UnaryFn::Cbrt:
    return math::CbrtOp::create(b, operand);
  case UnaryFn::Sin:
    return math::SinOp::create(b, operand);
  case UnaryFn::Cos:
    return math::CosOp::create(b, operand);
  case UnaryFn::Tan:
    return math::TanOp::create(b, operand);
  case UnaryFn::Asin:
    return math::AsinOp::create(b, operand);
  case UnaryFn::Acos:
    return math::AcosOp::create(b, operand);
  case UnaryFn::Atan:
    return math::AtanOp::create(b, operand);
  case UnaryFn::Sinh:
    return math::SinhOp::create(b, operand);
  case UnaryFn::Cosh:
    return math::CoshOp::create(b, operand);
  case UnaryFn::Asinh:
    return math::AsinhOp::create(b, operand);
  case UnaryFn::Acosh:
    return math::AcoshOp::create(b, operand);
  case UnaryFn::Atanh:
    return math::AtanhOp::create(b, operand);
  case UnaryFn::Erf:
    return math::ErfOp::create(b, operand);
  case UnaryFn::Erfc:
    return math::ErfcOp::create(b, operand);
  case UnaryFn::Ceil:
    return math::CeilOp::create(b, operand);
  case UnaryFn::Floor:
    return math::FloorOp::create(b, operand);
  case UnaryFn::Round:
    return math::RoundOp::create(b, operand);
  case UnaryFn::Trunc:
    return math::TruncOp::create(b, operand);
  case UnaryFn::RoundEven:
    return math::RoundEvenOp::create(b, operand);
  case UnaryFn::Square:
    return arith::MulFOp::create(b, operand, operand,
                                 arith::FastMathFlags::contract);
  case UnaryFn::Reciprocal: {
    Value one =
        arith::ConstantOp::create(b, b.getFloatAttr(operand.getType(), 1.0));
    return arith::DivFOp::create(b, one, operand);
  }
  case UnaryFn::Erfcx:
  case UnaryFn::ErfInv:
  case UnaryFn::ErfcInv:
  case UnaryFn::NormCdfInv:
  case UnaryFn::Lgamma:
  case UnaryFn::Tgamma:
  case UnaryFn::BesselI0:
  case UnaryFn::BesselI1:
  case UnaryFn::BesselJ0:
  case UnaryFn::BesselJ1:
  case UnaryFn::BesselY0:
  case UnaryFn::BesselY1:
  case UnaryFn::Logb:
    return emitSpecial(b, getSpelling(fn), operand, type);
  default:
    break;
  }
  llvm_unreachable("a unary function without an op");
}

static Value emitComplexUnary(ImplicitLocOpBuilder &b, UnaryFn fn,
                              Value operand) {
  switch (fn) {
  case UnaryFn::Neg:
    return complex::NegOp::create(b, operand);
  case UnaryFn::Abs:
    return complex::AbsOp::create(b, operand);
  case UnaryFn::Conj:
    return complex::ConjOp::create(b, operand);
  case UnaryFn::Re:
    return complex::ReOp::create(b, operand);
  case UnaryFn::Im:
    return complex::ImOp::create(b, operand);
  case UnaryFn::Exp:
    return complex::ExpOp::create(b, operand);
  case UnaryFn::Log:
    return complex::LogOp::create(b, operand);
  case UnaryFn::Sqrt:
    return complex::SqrtOp::create(b, operand);
  default:
    break;
  }
  llvm_unreachable("the checker lets no other function pass");
}

/// What has no flags is neither contracted nor reordered.
static Value dropFlags(Value value) {
  if (auto op = value.getDefiningOp<arith::ArithFastMathInterface>())
    op->setAttr(op.getFastMathAttrName(),
                arith::FastMathFlagsAttr::get(value.getContext(),
                                              arith::FastMathFlags::none));
  return value;
}

Value emitUnary(ImplicitLocOpBuilder &b, UnaryFn fn, Value operand,
                ElementType type) {
  if (fn == UnaryFn::Rounded)
    return dropFlags(operand);
  if (isComplex(type))
    return emitComplexUnary(b, fn, operand);
  if (isFloat(type))
    return emitFloatUnary(b, fn, operand, type);
  bool isSigned = getKind(type) == TypeKind::Signed;
  if (fn == UnaryFn::Square)
    return arith::MulIOp::create(b, operand, operand);
  if (fn == UnaryFn::Not || fn == UnaryFn::BitNot)
    return arith::XOrIOp::create(b, operand, emitInteger(b, type, -1));
  if (fn == UnaryFn::Abs && !isSigned)
    return operand;
  Value negated = arith::SubIOp::create(b, emitInteger(b, type, 0), operand);
  if (fn == UnaryFn::Neg)
    return negated;
  assert(fn == UnaryFn::Abs && "the checker lets no other function pass");
  return arith::MaxSIOp::create(b, operand, negated);
}

static Value emitFloatBinary(ImplicitLocOpBuilder &b, BinaryFn fn, Value lhs,
                             Value rhs, ElementType type) {
  switch (fn) {
  case BinaryFn::Add:
    return arith::AddFOp::create(b, lhs, rhs, kSumFlags);
  case BinaryFn::Sub:
    return arith::SubFOp::create(b, lhs, rhs, arith::FastMathFlags::contract);
  case BinaryFn::Mul:
    return arith::MulFOp::create(b, lhs, rhs, arith::FastMathFlags::contract);
  case BinaryFn::Div:
    // By the reciprocal of what many are divided by, `ein-invert-divisors`.
    return arith::DivFOp::create(b, lhs, rhs, arith::FastMathFlags::arcp);
  case BinaryFn::Max:
    return arith::MaximumFOp::create(b, lhs, rhs);
  case BinaryFn::Min:
    return arith::MinimumFOp::create(b, lhs, rhs);
  case BinaryFn::MaxNum:
    return arith::MaxNumFOp::create(b, lhs, rhs);
  case BinaryFn::MinNum:
    return arith::MinNumFOp::create(b, lhs, rhs);
  case BinaryFn::Pow:
    return math::PowFOp::create(b, lhs, rhs);
  case BinaryFn::Atan2:
    return math::Atan2Op::create(b, lhs, rhs);
  case BinaryFn::CopySign:
    return math::CopySignOp::create(b, lhs, rhs);
  case BinaryFn::Fmod:
    return arith::RemFOp::create(b, lhs, rhs);
  case BinaryFn::Remainder:
    return emitSpecial(b, getSpelling(fn), {lhs, rhs}, type);
  case BinaryFn::NextAfter:
    return emitNextAfter(b, lhs, rhs);
  case BinaryFn::Complex:
    return complex::CreateOp::create(b, ComplexType::get(lhs.getType()), lhs,
                                     rhs);
  default:
    break;
  }
  llvm_unreachable("a binary function without an op");
}

static Value emitComplexBinary(ImplicitLocOpBuilder &b, BinaryFn fn, Value lhs,
                               Value rhs) {
  switch (fn) {
  case BinaryFn::Add:
    return complex::AddOp::create(b, lhs, rhs, kSumFlags);
  case BinaryFn::Sub:
    return complex::SubOp::create(b, lhs, rhs, arith::FastMathFlags::contract);
  case BinaryFn::Mul:
    return complex::MulOp::create(b, lhs, rhs, arith::FastMathFlags::contract);
  case BinaryFn::Div:
    return complex::DivOp::create(b, lhs, rhs);
  case BinaryFn::Pow:
    return complex::PowOp::create(b, lhs, rhs);
  default:
    break;
  }
  llvm_unreachable("the checker lets no other function pass");
}

static Value emitBoolBinary(ImplicitLocOpBuilder &b, BinaryFn fn, Value lhs,
                            Value rhs) {
  switch (fn) {
  case BinaryFn::Add:
  case BinaryFn::Max:
  case BinaryFn::Or:
  case BinaryFn::BitOr:
    return arith::OrIOp::create(b, lhs, rhs);
  case BinaryFn::Mul:
  case BinaryFn::Min:
  case BinaryFn::And:
  case BinaryFn::BitAnd:
    return arith::AndIOp::create(b, lhs, rhs);
  case BinaryFn::BitXor:
    return arith::XOrIOp::create(b, lhs, rhs);
  default:
    break;
  }
  llvm_unreachable("the checker lets no other function pass");
}

/// NaN compares as in C: unequal, and neither less nor greater.
static Value emitComparison(ImplicitLocOpBuilder &b, BinaryFn fn, Value lhs,
                            Value rhs, ElementType type) {
  struct Predicates {
    arith::CmpFPredicate ofFloats;
    arith::CmpIPredicate ofSigned, ofUnsigned;
  };
  auto get = [&]() -> Predicates {
    using F = arith::CmpFPredicate;
    using I = arith::CmpIPredicate;
    switch (fn) {
    case BinaryFn::Equal:
      return {F::OEQ, I::eq, I::eq};
    case BinaryFn::NotEqual:
      return {F::UNE, I::ne, I::ne};
    case BinaryFn::Less:
      return {F::OLT, I::slt, I::ult};
    case BinaryFn::LessEqual:
      return {F::OLE, I::sle, I::ule};
    case BinaryFn::Greater:
      return {F::OGT, I::sgt, I::ugt};
    default:
      return {F::OGE, I::sge, I::uge};
    }
  };
  if (isFloat(type))
    return arith::CmpFOp::create(b, get().ofFloats, lhs, rhs);
  bool isSigned = getKind(type) == TypeKind::Signed;
  return arith::CmpIOp::create(b, isSigned ? get().ofSigned : get().ofUnsigned,
                               lhs, rhs);
}

/// Amounts of the width and more shift everything out.
static Value emitShift(ImplicitLocOpBuilder &b, BinaryFn fn, Value lhs,
                       Value rhs, ElementType type) {
  bool isArithmetic =
      fn == BinaryFn::ShiftRight && getKind(type) == TypeKind::Signed;
  int64_t width = getBitWidth(type);
  Value isInside = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, rhs,
                                         emitInteger(b, type, width));
  Value most = emitInteger(b, type, isArithmetic ? width - 1 : 0);
  Value amount = arith::SelectOp::create(b, isInside, rhs, most);
  if (isArithmetic)
    return arith::ShRSIOp::create(b, lhs, amount);
  Value shifted = fn == BinaryFn::ShiftLeft
                      ? arith::ShLIOp::create(b, lhs, amount).getResult()
                      : arith::ShRUIOp::create(b, lhs, amount).getResult();
  return arith::SelectOp::create(b, isInside, shifted, emitInteger(b, type, 0));
}

/// Division that is defined for all operands.
static Value emitDivision(ImplicitLocOpBuilder &b, BinaryFn fn, Value lhs,
                          Value rhs, ElementType type) {
  auto equals = [&](int64_t value) -> Value {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, rhs,
                                 emitInteger(b, type, value));
  };
  bool isSigned = getKind(type) == TypeKind::Signed;
  bool isDiv = fn == BinaryFn::Div;
  Value one = emitInteger(b, type, 1);
  if (!isSigned) {
    Value safe = arith::SelectOp::create(b, equals(0), one, rhs);
    return isDiv ? arith::DivUIOp::create(b, lhs, safe).getResult()
                 : arith::RemUIOp::create(b, lhs, safe).getResult();
  }
  Value isMinusOne = equals(-1);
  Value isSpecial = arith::OrIOp::create(b, equals(0), isMinusOne);
  Value safe = arith::SelectOp::create(b, isSpecial, one, rhs);
  if (!isDiv)
    return arith::RemSIOp::create(b, lhs, safe);
  Value quotient = arith::DivSIOp::create(b, lhs, safe);
  Value negated = arith::SubIOp::create(b, emitInteger(b, type, 0), lhs);
  return arith::SelectOp::create(b, isMinusOne, negated, quotient);
}

Value emitBinary(ImplicitLocOpBuilder &b, BinaryFn fn, Value lhs, Value rhs,
                 ElementType type) {
  fn = resolve(fn, type);
  if (isComparison(fn))
    return emitComparison(b, fn, lhs, rhs, type);
  if (isComplex(type))
    return emitComplexBinary(b, fn, lhs, rhs);
  if (isFloat(type))
    return emitFloatBinary(b, fn, lhs, rhs, type);
  if (type == ElementType::Bool)
    return emitBoolBinary(b, fn, lhs, rhs);
  bool isSigned = getKind(type) == TypeKind::Signed;
  switch (fn) {
  case BinaryFn::Add:
    return arith::AddIOp::create(b, lhs, rhs);
  case BinaryFn::Sub:
    return arith::SubIOp::create(b, lhs, rhs);
  case BinaryFn::Mul:
    return arith::MulIOp::create(b, lhs, rhs);
  case BinaryFn::Div:
  case BinaryFn::Rem:
    return emitDivision(b, fn, lhs, rhs, type);
  case BinaryFn::Max:
    return isSigned ? arith::MaxSIOp::create(b, lhs, rhs).getResult()
                    : arith::MaxUIOp::create(b, lhs, rhs).getResult();
  case BinaryFn::Min:
    return isSigned ? arith::MinSIOp::create(b, lhs, rhs).getResult()
                    : arith::MinUIOp::create(b, lhs, rhs).getResult();
  case BinaryFn::BitAnd:
    return arith::AndIOp::create(b, lhs, rhs);
  case BinaryFn::BitOr:
    return arith::OrIOp::create(b, lhs, rhs);
  case BinaryFn::BitXor:
    return arith::XOrIOp::create(b, lhs, rhs);
  case BinaryFn::ShiftLeft:
  case BinaryFn::ShiftRight:
    return emitShift(b, fn, lhs, rhs, type);
  default:
    break;
  }
  llvm_unreachable("a binary function without an op");
}

static TypedAttr getIdentity(Builder &b, UpdateKind update, ElementType type) {
  Type stored = getStorageType(b, type);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  bool isBool = type == ElementType::Bool;
  switch (update) {
  case UpdateKind::Assign:
  case UpdateKind::Add:
    return b.getZeroAttr(stored);
  case UpdateKind::Mul:
    return b.getOneAttr(stored);
  case UpdateKind::Max:
    if (isFloat(type))
      return b.getFloatAttr(stored, -infinity);
    return b.getIntegerAttr(stored, getLeast(type));
  case UpdateKind::Min:
    if (isFloat(type))
      return b.getFloatAttr(stored, infinity);
    return b.getIntegerAttr(stored, isBool ? APInt(8, 1) : getLargest(type));
  case UpdateKind::And:
    return b.getIntegerAttr(
        stored, isBool ? APInt(8, 1) : APInt::getAllOnes(getBitWidth(type)));
  case UpdateKind::Or:
  case UpdateKind::Xor:
    return b.getZeroAttr(stored);
  }
  llvm_unreachable("unknown update");
}

Value emitIdentity(ImplicitLocOpBuilder &b, UpdateKind update,
                   ElementType type) {
  if (isComplex(type))
    return emitComplex(b, type, update == UpdateKind::Mul);
  return arith::ConstantOp::create(b, getIdentity(b, update, type));
}

} // namespace ein
