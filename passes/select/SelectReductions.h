//===- SelectReductions.h - Reductions in vectors ---------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECT_SELECTREDUCTIONS_H
#define EIN_PASSES_SELECT_SELECTREDUCTIONS_H

#include "passes/select/Candidates.h"

namespace ein {

/// The ways in which `op` is reduced in vectors (`reduce`), those first that
/// are predicted to take least; none if it is not a reduction.
std::vector<Candidate> listReductions(mlir::linalg::LinalgOp op,
                                      const TargetInfo &target);

} // namespace ein

#endif // EIN_PASSES_SELECT_SELECTREDUCTIONS_H
