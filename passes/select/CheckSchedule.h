//===- CheckSchedule.h - Whether an op can run by a schedule ----*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Somebody may have written a schedule on an op by hand. The attribute has
// looked at the facts alone; what follows looks at them beside the op.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECT_CHECKSCHEDULE_H
#define EIN_PASSES_SELECT_CHECKSCHEDULE_H

#include "ir/Schedule.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace ein {

/// Fails, with an error on the op that names the fact, if the op has none of
/// the dims that the schedule gives roles to, or would compute something else.
/// What single passes refuse by themselves is left to them.
llvm::LogicalResult checkSchedule(mlir::linalg::LinalgOp op,
                                  const Schedule &schedule);

} // namespace ein

#endif // EIN_PASSES_SELECT_CHECKSCHEDULE_H
