//===- SelectWindows.h - Convolutions, poolings and stencils ----*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECT_SELECTWINDOWS_H
#define EIN_PASSES_SELECT_SELECTWINDOWS_H

#include "passes/select/Candidates.h"

namespace ein {

/// The ways in which `op` is a sum over windows in register tiles (`window`),
/// those first that are predicted to take least; none if it is not one.
std::vector<Candidate> listWindows(mlir::linalg::LinalgOp op,
                                   const TargetInfo &target,
                                   const GivenChoices &given);

} // namespace ein

#endif // EIN_PASSES_SELECT_SELECTWINDOWS_H
