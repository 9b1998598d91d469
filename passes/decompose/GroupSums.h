//===- GroupSums.h - Sums over windows as sums of groups --------*- C++ -*-===//
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

/// A sum of groups, and the copies that it reads.
struct GroupedCopies {
  llvm::SmallVector<mlir::linalg::LinalgOp> copies;
  mlir::linalg::GenericOp sum;
};

/// Whether the schedule, `copies` with `k_pack`, is one for the op.
mlir::LogicalResult checkGroupedSum(mlir::linalg::LinalgOp op,
                                    const Schedule &schedule);

/// `op` as a sum of groups of its channels, where the builder is. Nothing of it
/// has a schedule.
GroupedCopies createGroupedSum(mlir::OpBuilder &builder,
                               mlir::linalg::LinalgOp op,
                               const Schedule &schedule);

} // namespace ein

#endif // EIN_PASSES_DECOMPOSE_GROUPSUMS_H
