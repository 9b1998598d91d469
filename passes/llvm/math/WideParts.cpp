//===- WideParts.cpp - What formulas of f64 are made of -------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/llvm/math/WideParts.h"
#include "passes/llvm/math/MachineMath.h"

namespace ein {

/// The significand's bits, and the exponent of 1.
static constexpr int64_t kBits = 52, kBias = 1023;

FormulaPair addExactly(FormulaValue x, FormulaValue y) {
  FormulaValue sum = x.plus(y), added = sum.minus(x);
  return {sum, x.minus(sum.minus(added)).plus(y.minus(added))};
}

FormulaPair addSmaller(FormulaValue x, FormulaValue y) {
  FormulaValue sum = x.plus(y);
  return {sum, y.minus(sum.minus(x))};
}

FormulaPair multiplyExactly(const VectorInstructions &instructions,
                            FormulaValue x, FormulaValue y) {
  FormulaValue product = x.times(y);
  if (instructions.fma)
    return {product, x.fuse(y, -product)};
  auto split = [](FormulaValue number) {
    FormulaValue large = number.times(number.literal(0x1p27 + 1));
    FormulaValue high = large.minus(large.minus(number));
    return FormulaPair{high, number.minus(high)};
  };
  FormulaPair a = split(x), b = split(y);
  FormulaValue error = a.hi.times(b.hi).minus(product);
  error = error.plus(a.hi.times(b.lo)).plus(a.lo.times(b.hi));
  return {product, error.plus(a.lo.times(b.lo))};
}

FormulaPair multiply(const VectorInstructions &instructions, FormulaPair x,
                     FormulaPair y) {
  FormulaPair product = multiplyExactly(instructions, x.hi, y.hi);
  return {product.hi, product.lo + (x.hi * y.lo + x.lo * y.hi)};
}

FormulaPair divide(const VectorInstructions &instructions, FormulaPair x,
                   FormulaPair y) {
  return divide(instructions, x, y, y.hi.literal(1) / y.hi);
}

FormulaPair divide(const VectorInstructions &instructions, FormulaPair x,
                   FormulaPair y, FormulaValue inverse) {
  FormulaValue quotient = x.hi * inverse;
  FormulaPair back = multiplyExactly(instructions, quotient, y.hi);
  FormulaValue rest = x.hi.minus(back.hi).minus(back.lo) + x.lo;
  return {quotient, (rest - quotient * y.lo) * inverse};
}

WideWhole roundToWideWhole(FormulaValue x) {
  constexpr double kLarge = 0x1.8p52;
  FormulaValue sum = x.plus(x.literal(kLarge));
  return {sum.minus(x.literal(kLarge)),
          sum.getBits() - x.literal(kLarge).getBits()};
}

FormulaValue getWidePower(FormulaValue n) {
  return ((n + kBias) << kBits).asFloat();
}

FormulaValue scaleWide(const VectorInstructions &instructions, FormulaValue y,
                       WideWhole n) {
  if (instructions.avx512 && llvm::isa<mlir::VectorType>(y.getType()))
    return scaleByPower(instructions, y, n.number);
  // In two steps, what is between is not denormal. There is no signed shift of
  // 64 bits before AVX-512.
  FormulaValue half = (n.integer + 2048).shiftRight(1) - 1024;
  return y * getWidePower(half) * getWidePower(n.integer - half);
}

} // namespace ein
