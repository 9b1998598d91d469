//===- SelectWindows.h - Convolutions, poolings and stencils ----*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECT_SELECTWINDOWS_H
#define EIN_PASSES_SELECT_SELECTWINDOWS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "passes/schedule/ScheduledOps.h"
#include "target/Target.h"

namespace ein {

/// The schedule `window` for `op`, if that is possible.
std::optional<Schedule> selectWindow(mlir::linalg::LinalgOp op,
                                     const TargetInfo &target);

} // namespace ein

#endif // EIN_PASSES_SELECT_SELECTWINDOWS_H
