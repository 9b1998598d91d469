//===- SelectSchedule.h - How one op runs -----------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECT_SELECTSCHEDULE_H
#define EIN_PASSES_SELECT_SELECTSCHEDULE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "passes/schedule/ScheduledOps.h"
#include "target/Target.h"
#include <optional>

namespace ein {

/// What is not to be selected, but given.
struct GivenChoices {
  /// Contractions are mapped to BLAS.
  bool useBlas = false;
  /// What to pack, as ein-select-schedule's option says it.
  llvm::StringRef packing = "auto";
  /// For each loop what it counts as if it is dynamic; if there are none,
  /// kAssumedSize.
  llvm::SmallVector<int64_t> assumed = {};
};

/// How the op runs on one thread.
Schedule selectSchedule(mlir::linalg::LinalgOp op, const TargetInfo &target,
                        const GivenChoices &given);

} // namespace ein

#endif // EIN_PASSES_SELECT_SELECTSCHEDULE_H
