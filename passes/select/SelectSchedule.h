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
#include "passes/select/PriceSchedule.h"
#include "target/Target.h"
#include <optional>

namespace ein {

/// What is not to be selected, but given.
struct GivenChoices {
  /// Contractions are mapped to BLAS.
  bool useBlas = false;
  /// What to pack, as ein-select-schedule's option says it.
  llvm::StringRef packing = "auto";
  /// What dynamic loops count as; if nothing is there, kAssumedSize.
  AssumedExtents assumed = {};
  /// Few ways are looked at: of a product those with one register tile, and
  /// blocks as its caches ask for.
  bool isQuick = false;
  /// The loops that a product of copied operands is in, which bring it what is
  /// far from it.
  Surroundings surroundings = {};
};

/// How the op runs on one thread.
Schedule selectSchedule(mlir::linalg::LinalgOp op, const TargetInfo &target,
                        const GivenChoices &given);

} // namespace ein

#endif // EIN_PASSES_SELECT_SELECTSCHEDULE_H
