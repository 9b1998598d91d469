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
#include "passes/select/SelectSchedule.h"
#include <vector>

namespace ein {

/// The schedules `dot` for `op`, if that is possible, and either they may pay
/// and `packing` is "auto", or that is "dots": by blocks of k, with prefetches
/// and without.
std::vector<Schedule> listDots(mlir::linalg::LinalgOp op,
                               const TargetInfo &target,
                               const GivenChoices &given);

} // namespace ein

#endif // EIN_PASSES_SELECT_SELECTDOTS_H
