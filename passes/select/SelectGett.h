//===- SelectGett.h - Which copies a contraction is worth -----*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of `ein-select-schedule` that decides on `Schedule::Gett`.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECT_SELECTGETT_H
#define EIN_PASSES_SELECT_SELECTGETT_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "passes/schedule/ScheduledOps.h"
#include <optional>

namespace ein {

struct TargetInfo;

/// How a contraction becomes one of fewer dims, on operands that are copied in
/// a better order; none if it is to run on its own dims, where the operands
/// are.
std::optional<Schedule> selectGett(mlir::linalg::LinalgOp op,
                                   const TargetInfo &target);

} // namespace ein

#endif // EIN_PASSES_SELECT_SELECTGETT_H
