//===- WindowBody.h - The body of a structured op on vectors ----*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The scalars of a body, each as a vector, or still as a scalar where all lanes
// have the same: what is computed of such alone is computed once, and becomes a
// vector where it meets one, which the processor does as it loads it.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_ANALYSIS_WINDOWBODY_H
#define EIN_PASSES_ANALYSIS_WINDOWBODY_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir {
class ImplicitLocOpBuilder;
} // namespace mlir

namespace ein {

/// Whether the body of `op` is arithmetic of numbers that vectors have, which
/// may as well be computed of lanes that nobody wants.
bool canBeOnVectors(mlir::linalg::LinalgOp op);

/// What the body yields of `arguments`, scalars or vectors of `lanes`: such a
/// vector; or, if `combiner` is given, what that combines the accumulator with.
/// A named op's products may be rounded with the sum.
mlir::Value createOnVectors(mlir::ImplicitLocOpBuilder &b,
                            mlir::linalg::LinalgOp op,
                            mlir::ValueRange arguments, int64_t lanes,
                            mlir::Operation *combiner = nullptr);

} // namespace ein

#endif // EIN_PASSES_ANALYSIS_WINDOWBODY_H
