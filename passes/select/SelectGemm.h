//===- SelectGemm.h - Products of matrices in register tiles ----*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECT_SELECTGEMM_H
#define EIN_PASSES_SELECT_SELECTGEMM_H

#include "passes/select/Candidates.h"

namespace ein {

/// The ways in which a contraction is a product of matrices in register tiles,
/// those first that are predicted to take least; none if it is not one.
std::vector<Candidate> listPackedGemms(mlir::linalg::LinalgOp op,
                                       const TargetInfo &target,
                                       const GivenChoices &given);

} // namespace ein

#endif // EIN_PASSES_SELECT_SELECTGEMM_H
