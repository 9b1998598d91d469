//===- SelectSymmetric.h - Products that are symmetric ----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECTSYMMETRIC_H
#define EIN_PASSES_SELECTSYMMETRIC_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "passes/Strategy.h"

namespace ein {

/// With fewer rows or less depth than this, copies take what the sums would.
/// Where they are open, `ein-mirror-products` makes a branch.
inline constexpr int64_t kLeastSymmetricRows = 192;
inline constexpr int64_t kLeastSymmetricDepth = 64;

/// Whether the sums of the contraction are the same with its dims m and n
/// exchanged, as both factors are of one tensor.
bool isSymmetric(mlir::linalg::LinalgOp op, int64_t m, int64_t n);

/// The squares of which those above the diagonal are copied, for a packed_gemm
/// of this strategy whose result is symmetric; 0 if it is not, or if that does
/// not pay.
int64_t selectSymmetric(mlir::linalg::LinalgOp op, const Strategy &strategy,
                        llvm::StringRef packing);

} // namespace ein

#endif // EIN_PASSES_SELECTSYMMETRIC_H
