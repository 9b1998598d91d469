//===- SelectGemm.h - Products of matrices in register tiles ----*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECT_SELECTGEMM_H
#define EIN_PASSES_SELECT_SELECTGEMM_H

#include "passes/select/SelectStrategy.h"

namespace ein {

/// A packed_gemm, if the op can be one.
std::optional<Strategy> selectPackedGemm(mlir::linalg::LinalgOp op,
                                         const TargetInfo &target,
                                         const GivenChoices &given);

} // namespace ein

#endif // EIN_PASSES_SELECT_SELECTGEMM_H
