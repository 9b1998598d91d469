//===- RollEpilogues.h - Epilogues of functions, row by row -----*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_VECTOR_ROLLEPILOGUES_H
#define EIN_PASSES_VECTOR_ROLLEPILOGUES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir {
class RewriterBase;
} // namespace mlir

namespace ein {

/// Has what is computed between the sums of a register tile and their only
/// write, if there are functions in it, be computed row by row behind that
/// write, by a loop with `ein.epilogue`.
void rollEpilogues(mlir::RewriterBase &rewriter, mlir::func::FuncOp function);

} // namespace ein

#endif // EIN_PASSES_VECTOR_ROLLEPILOGUES_H
