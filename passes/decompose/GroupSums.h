//===- GroupSums.h - Sums over windows of copies ----------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_DECOMPOSE_GROUPSUMS_H
#define EIN_PASSES_DECOMPOSE_GROUPSUMS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "passes/schedule/ScheduledOps.h"

namespace ein {

/// A sum over windows of copies, and these, with what fills them.
struct CopiedSum {
  llvm::SmallVector<mlir::linalg::LinalgOp> copies;
  mlir::linalg::GenericOp sum;
};

/// Whether the schedule, `copies` of what is no contraction, is one for the op.
mlir::LogicalResult checkCopiedSum(mlir::linalg::LinalgOp op,
                                   const Schedule &schedule);

/// `op` as a sum of copies, with `k_pack` one of groups of its channels, where
/// the builder is. Nothing of it has a schedule.
CopiedSum createCopiedSum(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op,
                          const Schedule &schedule);

} // namespace ein

#endif // EIN_PASSES_DECOMPOSE_GROUPSUMS_H
