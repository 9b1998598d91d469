//===- SelectSymmetric.h - Products that are symmetric ----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECT_SELECTSYMMETRIC_H
#define EIN_PASSES_SELECT_SELECTSYMMETRIC_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "passes/schedule/ScheduledOps.h"

namespace ein {

/// The squares of which those above the diagonal are copied, for a packed_gemm
/// of this schedule whose result is symmetric; 0 if it is not, or if that does
/// not pay.
int64_t selectSymmetric(mlir::linalg::LinalgOp op, const Schedule &schedule,
                        llvm::StringRef packing);

} // namespace ein

#endif // EIN_PASSES_SELECT_SELECTSYMMETRIC_H
