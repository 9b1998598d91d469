//===- SelectDots.h - Contractions along vectors of k -----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECT_SELECTDOTS_H
#define EIN_PASSES_SELECT_SELECTDOTS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "passes/schedule/ScheduledOps.h"
#include "target/Target.h"

namespace ein {

/// The schedule `dot` for `op`, if that is possible, and either it pays and
/// `packing` is "auto", or that is "dots".
std::optional<Schedule> selectDot(mlir::linalg::LinalgOp op,
                                  const TargetInfo &target,
                                  llvm::StringRef packing);

} // namespace ein

#endif // EIN_PASSES_SELECT_SELECTDOTS_H
