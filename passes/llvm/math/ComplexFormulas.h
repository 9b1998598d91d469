//===- ComplexFormulas.h - Functions of complex numbers ---------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arithmetic and functions of the parts, numbers or vectors of f32 or f64, that
// a function of complex numbers is. Errors are those that Functions.def states.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_LLVM_MATH_COMPLEXFORMULAS_H
#define EIN_PASSES_LLVM_MATH_COMPLEXFORMULAS_H

#include "abi/VectorInstructions.h"
#include "passes/llvm/math/FormulaValue.h"

namespace ein {

struct FormulaComplex {
  FormulaValue re, im;
};

/// With `hasRare`, a shorter formula is for numbers of middle magnitude, and
/// what others are is chosen by selects that are marked as rare.
FormulaValue getMagnitude(FormulaComplex z, bool hasRare);
FormulaValue getArgument(FormulaComplex z);
FormulaComplex getQuotient(FormulaComplex x, FormulaComplex y, bool hasRare);
FormulaComplex getExp(FormulaComplex z, bool hasRare);
FormulaComplex getLog(const VectorInstructions &instructions, FormulaComplex z,
                      bool hasRare);
FormulaComplex getSqrt(const VectorInstructions &instructions, FormulaComplex z,
                       bool hasRare);
FormulaComplex getPower(const VectorInstructions &instructions,
                        FormulaComplex z, FormulaComplex w, bool hasRare);

} // namespace ein

#endif // EIN_PASSES_LLVM_MATH_COMPLEXFORMULAS_H
