//===- FormulaValue.h - Formulas as C++ expressions -------------------*- C++
//-*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A formula of twenty operations is twenty calls of `create`, in which nobody
// sees the formula. A FormulaValue is a value of a builder, a scalar or a
// vector of floats or integers, with the operators of arithmetic; a literal
// takes the type of what it meets.
//
// Products and sums of floats may be contracted to FMA, where there is one;
// nothing else is allowed. `plus`, `minus` and `times` are for those whose
// rounding errors are computed: they stay as they are.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_LLVM_MATH_FORMULAVALUE_H
#define EIN_PASSES_LLVM_MATH_FORMULAVALUE_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include <limits>

namespace ein {

class FormulaValue {
public:
  FormulaValue(mlir::ImplicitLocOpBuilder &b, mlir::Value value)
      : b(&b), value(value) {}

  mlir::Value getValue() const { return value; }
  mlir::Type getType() const { return value.getType(); }

  /// A literal of this number's type.
  template <typename T> FormulaValue literal(T number) const {
    return isFloat()
               ? constant(b->getFloatAttr(getElementType(), number))
               : constant(b->getIntegerAttr(getElementType(), int64_t(number)));
  }

  /// The bits as integers, and of integers as floats.
  FormulaValue getBits() const {
    return castBits(b->getIntegerType(getWidth()));
  }
  FormulaValue asFloat() const {
    return castBits(getWidth() == 64 ? mlir::Type(b->getF64Type())
                                     : b->getF32Type());
  }
  FormulaValue toF64() const {
    return make<mlir::arith::ExtFOp>(getLike(b->getF64Type()), value);
  }
  FormulaValue toF32() const {
    return make<mlir::arith::TruncFOp>(getLike(b->getF32Type()), value);
  }
  FormulaValue toI32() const {
    return make<mlir::arith::TruncIOp>(getLike(b->getI32Type()), value);
  }
  /// A signed integer of 32 bits as f32.
  FormulaValue toNumber() const {
    return make<mlir::arith::SIToFPOp>(getLike(b->getF32Type()), value);
  }

  FormulaValue operator+(FormulaValue other) const {
    return isFloat() ? makeFloat<mlir::arith::AddFOp>(other)
                     : make<mlir::arith::AddIOp>(value, other.value);
  }
  FormulaValue operator-(FormulaValue other) const {
    return isFloat() ? makeFloat<mlir::arith::SubFOp>(other)
                     : make<mlir::arith::SubIOp>(value, other.value);
  }
  FormulaValue operator*(FormulaValue other) const {
    return makeFloat<mlir::arith::MulFOp>(other);
  }
  FormulaValue operator/(FormulaValue other) const {
    return make<mlir::arith::DivFOp>(value, other.value);
  }
  FormulaValue operator-() const { return make<mlir::arith::NegFOp>(value); }
  template <typename T> FormulaValue operator+(T number) const {
    return *this + literal(number);
  }
  template <typename T> FormulaValue operator-(T number) const {
    return *this - literal(number);
  }
  FormulaValue operator*(double number) const {
    return *this * literal(number);
  }

  FormulaValue plus(FormulaValue other) const {
    return make<mlir::arith::AddFOp>(value, other.value);
  }
  FormulaValue minus(FormulaValue other) const {
    return make<mlir::arith::SubFOp>(value, other.value);
  }
  FormulaValue times(FormulaValue other) const {
    return make<mlir::arith::MulFOp>(value, other.value);
  }
  /// This times `factor`, plus `term`, rounded once.
  FormulaValue fuse(FormulaValue factor, FormulaValue term) const {
    return make<mlir::math::FmaOp>(value, factor.value, term.value);
  }

  FormulaValue getMagnitude() const { return make<mlir::math::AbsFOp>(value); }
  FormulaValue getRoot() const { return make<mlir::math::SqrtOp>(value); }
  FormulaValue copySign(FormulaValue sign) const {
    return make<mlir::math::CopySignOp>(value, sign.value);
  }
  /// The same of a number that has that sign or none: two instructions, not
  /// three, where there is none for it.
  FormulaValue withSign(FormulaValue sign) const {
    int64_t mask = std::numeric_limits<int64_t>::min() >> (64 - getWidth());
    return (getBits() | (sign.getBits() & mask)).asFloat();
  }

  FormulaValue operator&(int64_t mask) const {
    return make<mlir::arith::AndIOp>(value, literal(mask).value);
  }
  FormulaValue operator&(FormulaValue other) const {
    return make<mlir::arith::AndIOp>(value, other.value);
  }
  FormulaValue operator|(FormulaValue other) const {
    return make<mlir::arith::OrIOp>(value, other.value);
  }
  FormulaValue operator|(int64_t mask) const { return *this | literal(mask); }
  FormulaValue operator^(FormulaValue other) const {
    return make<mlir::arith::XOrIOp>(value, other.value);
  }
  FormulaValue operator<<(int64_t bits) const {
    return make<mlir::arith::ShLIOp>(value, literal(bits).value);
  }
  /// By signed, and by unsigned arithmetic.
  FormulaValue operator>>(int64_t bits) const {
    return make<mlir::arith::ShRSIOp>(value, literal(bits).value);
  }
  FormulaValue shiftRight(int64_t bits) const {
    return make<mlir::arith::ShRUIOp>(value, literal(bits).value);
  }

  /// Comparisons, which are false of NaN, as bits.
  FormulaValue operator<(FormulaValue other) const {
    return compare(mlir::arith::CmpFPredicate::OLT, other);
  }
  FormulaValue operator>(FormulaValue other) const {
    return compare(mlir::arith::CmpFPredicate::OGT, other);
  }
  FormulaValue operator==(FormulaValue other) const {
    return isFloat() ? compare(mlir::arith::CmpFPredicate::OEQ, other)
                     : make<mlir::arith::CmpIOp>(mlir::arith::CmpIPredicate::eq,
                                                 value, other.value);
  }
  /// Of integers, which is their first bit.
  FormulaValue isNegative() const {
    return make<mlir::arith::CmpIOp>(mlir::arith::CmpIPredicate::slt, value,
                                     literal(0).value);
  }
  template <typename T> FormulaValue operator<(T number) const {
    return *this < literal(number);
  }
  template <typename T> FormulaValue operator>(T number) const {
    return *this > literal(number);
  }
  template <typename T> FormulaValue operator==(T number) const {
    return *this == literal(number);
  }

  /// `then` where this bit is set.
  FormulaValue select(FormulaValue then, FormulaValue otherwise) const {
    return make<mlir::arith::SelectOp>(value, then.value, otherwise.value);
  }

  /// No more, and no less, than `bound`; NaN stays NaN.
  FormulaValue atMost(double bound) const {
    return (*this > bound).select(literal(bound), *this);
  }
  FormulaValue atLeast(double bound) const {
    return (*this < bound).select(literal(bound), *this);
  }

  /// c[0] + c[1] x + c[2] x^2 + ..., by Horner's rule. Of a long one all but
  /// the last two steps, whose rounding errors count, are in two chains.
  FormulaValue polynomial(llvm::ArrayRef<double> coefficients) const {
    constexpr size_t kLong = 10;
    if (coefficients.size() < kLong)
      return sum(coefficients, 1, *this);
    FormulaValue rest = polynomialInChains(coefficients.drop_front(2));
    return (rest * *this + coefficients[1]) * *this + coefficients[0];
  }
  /// The same as sums of even and of odd powers, whose steps do not wait for
  /// each other.
  FormulaValue polynomialInChains(llvm::ArrayRef<double> coefficients) const {
    FormulaValue square = *this * *this;
    return sum(coefficients.drop_front(), 2, square) * *this +
           sum(coefficients, 2, square);
  }

  mlir::ImplicitLocOpBuilder &getBuilder() const { return *b; }

private:
  /// The sum of each `step`-th coefficient by powers of `x`.
  FormulaValue sum(llvm::ArrayRef<double> coefficients, size_t step,
                   FormulaValue x) const {
    size_t last = (coefficients.size() - 1) / step * step;
    FormulaValue result = literal(coefficients[last]);
    for (size_t i = last; i >= step; i -= step)
      result = result * x + coefficients[i - step];
    return result;
  }

  template <typename OpT, typename... Args>
  FormulaValue make(Args... args) const {
    return {*b, OpT::create(*b, args...).getResult()};
  }
  template <typename OpT> FormulaValue makeFloat(FormulaValue other) const {
    return make<OpT>(value, other.value, mlir::arith::FastMathFlags::contract);
  }
  FormulaValue compare(mlir::arith::CmpFPredicate predicate,
                       FormulaValue other) const {
    return make<mlir::arith::CmpFOp>(predicate, value, other.value);
  }
  mlir::Type getElementType() const {
    return mlir::getElementTypeOrSelf(value.getType());
  }
  bool isFloat() const { return llvm::isa<mlir::FloatType>(getElementType()); }
  unsigned getWidth() const { return getElementType().getIntOrFloatBitWidth(); }
  mlir::Type getLike(mlir::Type element) const {
    auto vector = llvm::dyn_cast<mlir::VectorType>(getType());
    return vector ? mlir::Type(vector.clone(element)) : element;
  }
  FormulaValue castBits(mlir::Type element) const {
    return make<mlir::arith::BitcastOp>(getLike(element), value);
  }
  FormulaValue constant(mlir::TypedAttr number) const {
    mlir::TypedAttr attr = number;
    if (auto vector = llvm::dyn_cast<mlir::VectorType>(getType()))
      attr = mlir::DenseElementsAttr::get(vector, mlir::Attribute(number));
    return {*b, mlir::arith::ConstantOp::create(*b, attr)};
  }

  mlir::ImplicitLocOpBuilder *b;
  mlir::Value value;
};

} // namespace ein

#endif // EIN_PASSES_LLVM_MATH_FORMULAVALUE_H
