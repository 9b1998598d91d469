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

#include "passes/select/Candidates.h"

namespace ein {

/// How a contraction becomes one of fewer dims, on operands that are copied in
/// a better order: the best ways, those first that are predicted to take least.
std::vector<Candidate> listGetts(mlir::linalg::LinalgOp op,
                                 const TargetInfo &target,
                                 const GivenChoices &given);

} // namespace ein

#endif // EIN_PASSES_SELECT_SELECTGETT_H
