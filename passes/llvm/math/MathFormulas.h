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
#include "mlir/IR/TypeUtilities.h"
#include "passes/llvm/math/MachineMath.h"

namespace ein {

/// Whether formulas are of such numbers or vectors, f32 and f64.
inline bool isOfFormulas(mlir::Type type) {
  mlir::Type element = mlir::getElementTypeOrSelf(type);
  return element.isF32() || element.isF64();
}

/// `op`, which has a formula, of other operands, as isOfFormulas has them.
mlir::Value emitFormula(mlir::ImplicitLocOpBuilder &b, mlir::Operation *op,
                        mlir::ValueRange operands,
                        const VectorInstructions &instructions);

} // namespace ein

#endif // EIN_PASSES_LLVM_MATH_MATHFORMULAS_H
