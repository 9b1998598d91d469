//===- SelectThreads.h - What threads share ---------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of `ein-select-schedule` that is about threads.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECT_SELECTTHREADS_H
#define EIN_PASSES_SELECT_SELECTTHREADS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "passes/schedule/ScheduledOps.h"
#include "target/Target.h"

namespace ein {

/// Adds to a schedule for one thread what several share. With `splits`, it may
/// become a SplitSum, of whose parts a schedule is asked for next; with
/// `isOutside`, a PackedGemm's outermost loop is shared wherever it can be.
void selectThreads(mlir::linalg::LinalgOp op, const TargetInfo &target,
                   bool splits, bool isOutside, Schedule &schedule);

/// From how many points on the op had better be shared by threads, by what
/// these take to start and what the op takes.
int64_t getPointsForThreads(mlir::linalg::LinalgOp op, const TargetInfo &target,
                            const Schedule &schedule);

} // namespace ein

#endif // EIN_PASSES_SELECT_SELECTTHREADS_H
