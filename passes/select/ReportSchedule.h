//===- ReportSchedule.h - What a function runs, as a nest -------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECT_REPORTSCHEDULE_H
#define EIN_PASSES_SELECT_REPORTSCHEDULE_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "passes/select/SelectSchedule.h"

namespace ein {

/// Says how the function runs as a whole, once all loops over rows and blocks
/// are there and every op has a schedule: remarks of the category `schedule`,
/// one for each loop, branch and op, in order. Each has the facts
///
/// * `function`, `group` (what shares a number is one nest), `depth`;
/// * `Loop`: `index`, `extent` (empty: it is dynamic), `exact` (else it is at
///   most that), `step`, `threads`, and `again`, if it is the loop before it
///   for what that leaves over;
/// * `Branch`: `branch`, `then` or `else`; and `again`, if what it does was
///   done before it and is done anew;
/// * `Points`: one point after the other, in the order that the source says;
/// * `Op`: `op`, `class`, `result`, `nest`, `brief`, `operations` and, but for
///   what a library computes, what it takes (ReportSchedule.cpp has the list).
///
/// And `[cost]`, in a sentence, of each op.
void reportSchedule(mlir::FunctionOpInterface function,
                    const TargetInfo &target, const GivenChoices &given);

} // namespace ein

#endif // EIN_PASSES_SELECT_REPORTSCHEDULE_H
