//===- ScaledSums.h - Sums of products that are scaled ----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A mean of squares, `s(m) +=! X(m, n) * X(m, n) / N`: a square and its sum are
// one instruction, with the division in between, a product by now, they are
// two. Where the sum of the squares as they are does not overflow, it can be
// divided once, behind it.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_VECTOR_SCALEDSUMS_H
#define EIN_PASSES_VECTOR_SCALEDSUMS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace ein {

/// What multiplies or divides each term of `op` by the same number, if that is
/// one sum of products from zero on, whose order is free; null otherwise.
mlir::Operation *getScaling(mlir::linalg::GenericOp op);

/// The sum of what is scaled, by `createSum` of such an op, scaled; where that
/// is no number, or infinite, `createSum` of the op itself.
mlir::Value createScaledSum(
    mlir::RewriterBase &rewriter, mlir::linalg::GenericOp op,
    mlir::Operation *scaling,
    llvm::function_ref<mlir::Value(mlir::linalg::GenericOp)> createSum);

} // namespace ein

#endif // EIN_PASSES_VECTOR_SCALEDSUMS_H
