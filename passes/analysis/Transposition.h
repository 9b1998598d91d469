//===- Transposition.h - Ops that transpose what they read ------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_ANALYSIS_TRANSPOSITION_H
#define EIN_PASSES_ANALYSIS_TRANSPOSITION_H

#include "abi/StackBytes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <optional>

namespace ein {

/// The loops along which memory runs: `row` where the result and the inputs
/// that are not transposed are contiguous, `column` where all others are; -1 if
/// there are none.
struct TransposeDims {
  int64_t row, column;
};

/// Those of an elementwise op on arrays; none if two inputs are contiguous
/// along different dims that both are not the result's.
std::optional<TransposeDims> getTransposeDims(mlir::linalg::LinalgOp op);

/// The dim along which those inputs lie that are not contiguous along `row`; of
/// a last subscript of several dims the one that counts groups of what the
/// result has last. -1 if there are none; none if they lie along several.
std::optional<int64_t> getSquareDim(mlir::linalg::LinalgOp op, int64_t row);

/// Whether squares of `lanes` elements, `rows` by `columns` of them, go to the
/// stack before they are written: what a block of them takes there, with a line
/// more for each row.
inline bool canBufferSquares(double rows, double columns, double elementBytes,
                             double lanes) {
  return columns * (rows + lanes) * elementBytes <= double(kStackBytes);
}

} // namespace ein

#endif // EIN_PASSES_ANALYSIS_TRANSPOSITION_H
