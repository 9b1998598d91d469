//===- TunedSchedules.h - What was measured, and what can be ---*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECT_TUNEDSCHEDULES_H
#define EIN_PASSES_SELECT_TUNEDSCHEDULES_H

#include "passes/select/SelectSchedule.h"

namespace ein {

/// Lists the candidates of an op (Candidates.h): as facts for a tuner, in the
/// category `tuning`, and in a sentence for people, in `candidates`.
void reportCandidates(mlir::linalg::LinalgOp op, const TargetInfo &target,
                      const GivenChoices &given);

/// The schedule that was measured to be the fastest for ops such as this one,
/// by the module's `ein.schedules`; none if that is no candidate of the op,
/// which could be wrong. A remark of the category `tuned` says which it was.
std::optional<Schedule> findTuned(mlir::linalg::LinalgOp op,
                                  const TargetInfo &target,
                                  const GivenChoices &given);

} // namespace ein

#endif // EIN_PASSES_SELECT_TUNEDSCHEDULES_H
