//===- MathFormulas.h - Functions as arithmetic -----------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_MATHFORMULAS_H
#define EIN_PASSES_MATHFORMULAS_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Operation.h"
#include "passes/MachineMath.h"

namespace ein {

/// Whether `op` is a function that `emitFormula` computes: of f32, or of a
/// type that is computed with in f32.
bool hasFormula(mlir::Operation *op);

/// Whether vectors have `op`: arithmetic, what processors have instructions
/// for, and functions that become arithmetic.
bool hasVectorForm(mlir::Operation *op);

/// `op`, which has a formula, of other operands: numbers or vectors of f32.
mlir::Value emitFormula(mlir::ImplicitLocOpBuilder &b, mlir::Operation *op,
                        mlir::ValueRange operands,
                        const VectorInstructions &instructions);

} // namespace ein

#endif // EIN_PASSES_MATHFORMULAS_H
