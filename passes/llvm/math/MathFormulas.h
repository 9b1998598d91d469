//===- MathFormulas.h - Functions as arithmetic -----------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_LLVM_MATH_MATHFORMULAS_H
#define EIN_PASSES_LLVM_MATH_MATHFORMULAS_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Operation.h"
#include "passes/llvm/math/MachineMath.h"

namespace ein {

/// `op`, which has a formula, of other operands: numbers or vectors of f32.
mlir::Value emitFormula(mlir::ImplicitLocOpBuilder &b, mlir::Operation *op,
                        mlir::ValueRange operands,
                        const VectorInstructions &instructions);

} // namespace ein

#endif // EIN_PASSES_LLVM_MATH_MATHFORMULAS_H
