//===- Symmetry.h - Products with symmetric results -------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_ANALYSIS_SYMMETRY_H
#define EIN_PASSES_ANALYSIS_SYMMETRY_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace ein {

/// Whether the sums of the contraction are the same with its dims m and n
/// exchanged, as both factors are of one tensor.
bool isSymmetric(mlir::linalg::LinalgOp op, int64_t m, int64_t n);

} // namespace ein

#endif // EIN_PASSES_ANALYSIS_SYMMETRY_H
