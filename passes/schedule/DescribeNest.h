//===- DescribeNest.h - A schedule as loops ---------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SCHEDULE_DESCRIBENEST_H
#define EIN_PASSES_SCHEDULE_DESCRIBENEST_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "passes/schedule/ScheduledOps.h"
#include <string>

namespace ein {

/// The loops that a schedule makes, for people: one to a line, two blanks
/// deeper than the one round it, and what is done inside.
///
///     for n in 0..4096 by 512
///       pack B(k, n) in panels of 16 columns
///       …
std::string describeNest(mlir::linalg::LinalgOp op, const Schedule &schedule);

/// What is in the registers, for an op that is one line of a larger nest:
/// `tiles of 6 by 16, packed: K`, `vectors of 8 along `t``.
std::string describeBriefly(mlir::linalg::LinalgOp op,
                            const Schedule &schedule);

} // namespace ein

#endif // EIN_PASSES_SCHEDULE_DESCRIBENEST_H
