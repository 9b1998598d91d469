//===- CheapestOrder.h - Orders chosen from at run time ---------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_EINSUM_CHEAPESTORDER_H
#define EIN_PASSES_EINSUM_CHEAPESTORDER_H

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SmallBitVector.h"

namespace ein {

/// What a step loops over, and whether it adds.
struct StepPoints {
  llvm::SmallBitVector loops;
  bool sums;
};

/// The operations of all steps as an f64, which no sizes overflow; `extents`
/// are those of the loops.
mlir::Value emitOperations(mlir::RewriterBase &rewriter, mlir::Location loc,
                           llvm::ArrayRef<StepPoints> steps,
                           llvm::ArrayRef<mlir::OpFoldResult> extents);

/// A value of `type` as the order makes it that has the least of `costs`: one
/// per order, or none if there is one order only. `emitOrder` writes the order
/// of a number.
mlir::Value emitCheapest(mlir::RewriterBase &rewriter, mlir::Location loc,
                         mlir::Type type, llvm::ArrayRef<mlir::Value> costs,
                         llvm::function_ref<mlir::Value(unsigned)> emitOrder);

} // namespace ein

#endif // EIN_PASSES_EINSUM_CHEAPESTORDER_H
