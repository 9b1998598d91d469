//===- Combiner.h - What a reduction combines by ----------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The op by which a structured op adds a value to its result, what it starts
// from, and whether parts of a reduction may be combined first: in threads, or
// in the lanes of a vector.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_ANALYSIS_COMBINER_H
#define EIN_PASSES_ANALYSIS_COMBINER_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir {
class ImplicitLocOpBuilder;
} // namespace mlir

namespace ein {

/// The op in the body of `op` that combines its accumulator with a value; null
/// if there is not exactly one.
mlir::Operation *getCombiner(mlir::linalg::LinalgOp op);

/// What `combiner`, of the body of `op`, combines the accumulator with; null if
/// the body yields something else than that.
mlir::Value getCombined(mlir::linalg::LinalgOp op, mlir::Operation *combiner);

/// Whether `op` may combine its values in any order, by `combiner`, and there
/// is a value that changes nothing.
bool isInAnyOrder(mlir::linalg::LinalgOp op, mlir::Operation *combiner);

/// What changes no value that `combiner`, for which there is one, combines it
/// with: -0.0 for a sum, as 0.0 would turn a sum of negative zeros round.
mlir::Value createNeutral(mlir::ImplicitLocOpBuilder &b,
                          mlir::Operation *combiner);

} // namespace ein

#endif // EIN_PASSES_ANALYSIS_COMBINER_H
