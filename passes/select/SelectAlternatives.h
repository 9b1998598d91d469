//===- SelectAlternatives.h - Schedules for other sizes ---------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECT_SELECTALTERNATIVES_H
#define EIN_PASSES_SELECT_SELECTALTERNATIVES_H

#include "passes/select/SelectSchedule.h"

namespace ein {

/// What an op's dynamic loops count as: as many points as there are at most,
/// or kAssumedSize if nobody knows; none if that is so of all.
AssumedExtents getAssumedExtents(mlir::linalg::LinalgOp op);

/// Gives a schedule, which is for these sizes,
/// alternatives for smaller ones, if these are predicted to take less.
void selectAlternatives(mlir::linalg::LinalgOp op, const TargetInfo &target,
                        const GivenChoices &given, Schedule &schedule);

} // namespace ein

#endif // EIN_PASSES_SELECT_SELECTALTERNATIVES_H
