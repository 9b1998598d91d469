//===- SelectTranspose.h - Which ops transpose in registers -----*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of `ein-select-schedule` that decides on `Schedule::Transpose`.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECT_SELECTTRANSPOSE_H
#define EIN_PASSES_SELECT_SELECTTRANSPOSE_H

#include "passes/select/Candidates.h"

namespace ein {

/// How an op that transposes what it reads could be blocked, those first that
/// are predicted to take least; none if it does not, or if its elements are of
/// a kind that vectors do not have. With the packing `always` what may go past
/// the caches does, however small it is.
std::vector<Candidate> listTransposes(mlir::linalg::LinalgOp op,
                                      const TargetInfo &target,
                                      const GivenChoices &given);

} // namespace ein

#endif // EIN_PASSES_SELECT_SELECTTRANSPOSE_H
