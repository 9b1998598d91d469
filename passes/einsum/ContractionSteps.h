//===- ContractionSteps.h - The steps of an order as einsums ----*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_EINSUM_CONTRACTIONSTEPS_H
#define EIN_PASSES_EINSUM_CONTRACTIONSTEPS_H

#include "ir/EinDialect.h"
#include "mlir/IR/PatternMatch.h"
#include "order/ContractionOrder.h"

namespace ein {

/// A product that is there before the steps that would make it.
struct SharedValue {
  mlir::Value tensor;
  llvm::SmallVector<unsigned> dims;
};

/// Writes the steps of `path` as einsums of two, in loops over its slices, and
/// returns the result of `op`. Loops have these `extents`, results of steps
/// their dims in the order of `layouts`, but for those in `shared`, by the
/// network's number, which are not written.
mlir::Value
emitContractionSteps(mlir::RewriterBase &rewriter, EinsumOp op,
                     const ContractionNetwork &network,
                     const ContractionPath &path,
                     llvm::ArrayRef<mlir::OpFoldResult> extents,
                     llvm::ArrayRef<llvm::SmallVector<unsigned>> layouts,
                     llvm::ArrayRef<SharedValue> shared = {});

} // namespace ein

#endif // EIN_PASSES_EINSUM_CONTRACTIONSTEPS_H
