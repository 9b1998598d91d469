//===- VectorForms.h - What vectors can compute -----------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_ANALYSIS_VECTORFORMS_H
#define EIN_PASSES_ANALYSIS_VECTORFORMS_H

#include "mlir/IR/Operation.h"

namespace ein {

/// Whether `op` is a function that becomes arithmetic (`emitFormula` of
/// llvm/math): of f32 and f64, or of a type that is computed with in f32.
bool hasFormula(mlir::Operation *op);

/// Whether `op` is a function that takes about as long as an addition.
bool isCheapMath(mlir::Operation *op);

/// Whether `op` makes a float that is one of its operands but for the sign:
/// such are the same in each type that has the operands.
bool choosesFloat(mlir::Operation *op);

/// Whether vectors have `op`: arithmetic, what processors have instructions
/// for, and functions that become arithmetic.
bool hasVectorForm(mlir::Operation *op);

} // namespace ein

#endif // EIN_PASSES_ANALYSIS_VECTORFORMS_H
