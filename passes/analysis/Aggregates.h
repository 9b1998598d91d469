//===- Aggregates.h - Ops that are combinations of others -------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_ANALYSIS_AGGREGATES_H
#define EIN_PASSES_ANALYSIS_AGGREGATES_H

#include "mlir/IR/PatternMatch.h"

namespace ein {

/// Whether `op` is a softmax, a pack or an unpack, or their like.
bool isAggregate(mlir::Operation *op);

/// Replaces an aggregate by the ops that it combines. Failure is reported.
llvm::LogicalResult decomposeAggregate(mlir::RewriterBase &rewriter,
                                       mlir::Operation *op);

} // namespace ein

#endif // EIN_PASSES_ANALYSIS_AGGREGATES_H
