//===- WideParts.h - What formulas of f64 are made of -----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A formula that errs by a unit in the last place at most carries its first
// steps in more digits than f64 has. A FormulaPair is a sum of two numbers that
// do not overlap (Dekker, "A Floating-Point Technique for Extending the
// Available Precision", Numerische Mathematik 18, 1971). Its sums and products
// are exact because no step of them is contracted to FMA.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_LLVM_MATH_WIDEPARTS_H
#define EIN_PASSES_LLVM_MATH_WIDEPARTS_H

#include "abi/VectorInstructions.h"
#include "passes/llvm/math/FormulaValue.h"

namespace ein {

/// hi + lo, where hi is next to the sum.
struct FormulaPair {
  FormulaValue hi, lo;
};

/// x + y with its error, in any order (Knuth).
FormulaPair addExactly(FormulaValue x, FormulaValue y);
/// The same for |x| >= |y| (Dekker).
FormulaPair addSmaller(FormulaValue x, FormulaValue y);
/// x * y with its error; without FMA, by halves of 26 and 27 bits.
FormulaPair multiplyExactly(const VectorInstructions &instructions,
                            FormulaValue x, FormulaValue y);
/// Of an error of 2^-102, relatively.
FormulaPair multiply(const VectorInstructions &instructions, FormulaPair x,
                     FormulaPair y);
/// x / y for y of middle magnitude.
FormulaPair divide(const VectorInstructions &instructions, FormulaPair x,
                   FormulaPair y);
/// The same with 1 / y, to some units in the last place.
FormulaPair divide(const VectorInstructions &instructions, FormulaPair x,
                   FormulaPair y, FormulaValue inverse);

/// An integer as a number and as 64 bits.
struct WideWhole {
  FormulaValue number, integer;
};
/// The integer next to x, for |x| < 2^51.
WideWhole roundToWideWhole(FormulaValue x);

/// 2^n, if that is a normal number.
FormulaValue getWidePower(FormulaValue n);
/// y * 2^n, rounded once, for y of middle magnitude and |n| < 2048.
FormulaValue scaleWide(const VectorInstructions &instructions, FormulaValue y,
                       WideWhole n);

} // namespace ein

#endif // EIN_PASSES_LLVM_MATH_WIDEPARTS_H
