//===- DescribeSchedule.h - A schedule in a sentence ------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SCHEDULE_DESCRIBESCHEDULE_H
#define EIN_PASSES_SCHEDULE_DESCRIBESCHEDULE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "passes/schedule/ScheduledOps.h"
#include <string>

namespace ein {

/// The schedule for people: `packed_gemm, blocks m=252 n=4096 k=512, register
/// tile 14x32, threads along `n``.
std::string describeSchedule(mlir::linalg::LinalgOp op,
                             const Schedule &schedule);

} // namespace ein

#endif // EIN_PASSES_SCHEDULE_DESCRIBESCHEDULE_H
