//===- WideFormulas.h - Functions of f64 as arithmetic ----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: a function's op, and its operands as numbers or vectors of f64.
// Comes out: arithmetic that errs by 1.2 units in the last place at most, or
// nothing, for a function of the other file.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_LLVM_MATH_WIDEFORMULAS_H
#define EIN_PASSES_LLVM_MATH_WIDEFORMULAS_H

#include "abi/VectorInstructions.h"
#include "passes/llvm/math/FormulaValue.h"
#include "passes/llvm/math/WideParts.h"
#include <optional>

namespace ein {

std::optional<FormulaValue>
emitWidePower(mlir::Operation *op, FormulaValue x,
              std::optional<FormulaValue> y,
              const VectorInstructions &instructions);
std::optional<FormulaValue>
emitWideAngle(mlir::Operation *op, FormulaValue x,
              std::optional<FormulaValue> y,
              const VectorInstructions &instructions);
/// Of f64, e^x and 2^x, where the machine looks up numbers of registers.
std::optional<FormulaValue>
emitLookedUpPower(mlir::Operation *op, FormulaValue x,
                  const VectorInstructions &instructions);
/// 2 to the power of a sum whose power is a normal number.
std::optional<FormulaValue>
emitLookedUpPower(FormulaPair exponent, const VectorInstructions &instructions);
/// The same of any, to be scaled, with the same value.
std::optional<ScaledPower>
emitScaledPower(FormulaPair exponent, const VectorInstructions &instructions);

/// A logarithm, with `added`, where the machine looks up numbers of registers.
/// Of 0, infinity and negative numbers as well. `lost` is what x was rounded
/// by.
std::optional<FormulaValue>
emitLookedUpLog(const VectorInstructions &instructions, FormulaValue x,
                const LogBase &base, std::optional<FormulaValue> added = {},
                std::optional<FormulaValue> lost = {});

/// The logarithm of a sum whose high part is a normal number. The low one is a
/// rounding error, which counts next to one.
FormulaValue emitUsualLog(const VectorInstructions &instructions,
                          FormulaPair x);
/// The same of f64.
FormulaValue emitWideLog(const VectorInstructions &instructions, FormulaPair x);

/// Of f32, of angles.
std::optional<FormulaValue>
emitSingleAngle(mlir::Operation *op, FormulaValue x,
                std::optional<FormulaValue> y,
                const VectorInstructions &instructions);

/// Both of what multiples of pi / 2 leave of an angle, by FMA, of which n is
/// the number; |r| <= pi / 4. `sines` are the terms of r^3 and on, of r^2, and
/// `cosines` those of r^4 and on.
FormulaValues getSineAndCosineOf(const VectorInstructions &instructions,
                                 FormulaPair r, FormulaValue n,
                                 llvm::ArrayRef<double> sines,
                                 llvm::ArrayRef<double> cosines);

/// The sine and the cosine by FMA: one reduction, and a short polynomial each.
FormulaValues emitSineAndCosine(FormulaValue x,
                                const VectorInstructions &instructions);
/// The same of f64.
FormulaValues emitWideSineAndCosine(FormulaValue x,
                                    const VectorInstructions &instructions);

/// Of f32, the error functions, where the machine looks up numbers of
/// registers.
std::optional<FormulaValue>
emitSingleError(mlir::Operation *op, FormulaValue x,
                const VectorInstructions &instructions);

} // namespace ein

#endif // EIN_PASSES_LLVM_MATH_WIDEFORMULAS_H
