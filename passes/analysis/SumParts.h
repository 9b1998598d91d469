//===- SumParts.h - Sums that are sums of parts -------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_ANALYSIS_SUMPARTS_H
#define EIN_PASSES_ANALYSIS_SUMPARTS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "passes/analysis/Decline.h"

namespace ein {

/// What `matchSplit` finds out.
struct SplitInfo {
  /// The op of the body that combines the accumulator with a value.
  mlir::Operation *combiner;
  mlir::AffineMap output;
};

/// Whether parts of what `op` reduces can be reduced by themselves first.
mlir::FailureOr<SplitInfo> matchSplit(mlir::linalg::LinalgOp op,
                                      DeclineFn onDecline = nullptr);

} // namespace ein

#endif // EIN_PASSES_ANALYSIS_SUMPARTS_H
