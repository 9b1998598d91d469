//===- LoopBounds.h - How large a value gets in loops -----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of a size that varies from round to round, the largest that it can be, as a
// value before the loop: interval arithmetic on what it is computed from, down
// to the loops' induction variables. Upstream's value bounds would answer the
// same, but not of loops with a step.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_ANALYSIS_LOOPBOUNDS_H
#define EIN_PASSES_ANALYSIS_LOOPBOUNDS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Value.h"

namespace ein {

/// The outermost of the loops round `op` whose rounds come one after the other;
/// null if there is none.
mlir::Operation *getOutermostLoop(mlir::Operation *op);

/// A value that `size`, an index, is not larger than in any round, or zero if
/// that is more. It is computed before `loop`, where `b` has to be; null if no
/// such value is found.
mlir::Value getLargestSize(mlir::OpBuilder &b, mlir::Location loc,
                           mlir::Value size, mlir::Operation *loop,
                           mlir::DominanceInfo &dominance);

} // namespace ein

#endif // EIN_PASSES_ANALYSIS_LOOPBOUNDS_H
