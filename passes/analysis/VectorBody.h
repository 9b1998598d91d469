//===- VectorBody.h - An op's body on vectors -------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream vectorises an op whose operands are all there, in the order of its
// loops. Where a vector is only partly there, or has been transposed before, it
// is read by hand, and what is left to do is the body: each of its ops, on
// vectors.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_ANALYSIS_VECTORBODY_H
#define EIN_PASSES_ANALYSIS_VECTORBODY_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace ein {

/// Whether every op of the body can be of vectors, and of any numbers: lanes
/// that are not there hold zeros, by which an integer cannot be divided.
bool canBeVectors(mlir::linalg::LinalgOp op);
/// The same of some ops of a body.
bool canBeVectors(llvm::ArrayRef<mlir::Operation *> ops);

/// The ops of the body of `op` that `values` are computed by, in their order.
llvm::SmallVector<mlir::Operation *> getNeeded(mlir::linalg::LinalgOp op,
                                               mlir::ValueRange values);

/// Whether the body computes a function that takes many instructions.
bool hasFormulas(mlir::linalg::LinalgOp op);

/// Whether the body of `op` is arithmetic of numbers that vectors have, which
/// may as well be computed of lanes that nobody wants.
bool isArithmeticOfVectors(mlir::linalg::LinalgOp op);

/// What the body yields, as a vector of that shape, complex ones as in
/// ComplexVectors.h and of one dim; or, if `combiner` is given, what that
/// combines the accumulator with. `vectors` has those of the arguments that are
/// used for it, and of results that are known: vectors, or numbers that are the
/// same for all lanes. What is computed of such alone is a number as well, and
/// becomes a vector where it meets one. A named op's products may be rounded
/// with the sum.
mlir::Value createVectorBody(mlir::ImplicitLocOpBuilder &b,
                             mlir::linalg::LinalgOp op,
                             const mlir::IRMapping &vectors,
                             llvm::ArrayRef<int64_t> shape,
                             mlir::Operation *combiner = nullptr);

/// The same of other values of the body, by the ops that these need.
llvm::SmallVector<mlir::Value>
createVectorValues(mlir::ImplicitLocOpBuilder &b, mlir::linalg::LinalgOp op,
                   const mlir::IRMapping &vectors,
                   llvm::ArrayRef<int64_t> shape, mlir::ValueRange values);

/// Whether the body has complex numbers taken apart.
bool looksAtParts(mlir::linalg::LinalgOp op);

/// Of a vector of `lanes` elements, the first `count`, an index.
mlir::Value createLaneMask(mlir::ImplicitLocOpBuilder &b, int64_t lanes,
                           mlir::Value count);

} // namespace ein

#endif // EIN_PASSES_ANALYSIS_VECTORBODY_H
