//===- ScheduledOps.h - Ops by how they run ---------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SCHEDULE_SCHEDULEDOPS_H
#define EIN_PASSES_SCHEDULE_SCHEDULEDOPS_H

#include "ir/Schedule.h"
#include "mlir/IR/Operation.h"

namespace ein {

/// Whether `op` has a schedule of this kind.
bool hasSchedule(mlir::Operation *op, Schedule::Kind kind);

/// The ops of one type below `root` that have a schedule of this kind, in
/// order; a list, so that each can be replaced.
template <typename OpT>
llvm::SmallVector<OpT> collectWithSchedule(mlir::Operation *root,
                                           Schedule::Kind kind) {
  llvm::SmallVector<OpT> ops;
  root->walk([&](OpT op) {
    if (hasSchedule(op, kind))
      ops.push_back(op);
  });
  return ops;
}

} // namespace ein

#endif // EIN_PASSES_SCHEDULE_SCHEDULEDOPS_H
