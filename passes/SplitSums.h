//===- SplitSums.h - Whether a reduction can be split -----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SPLITSUMS_H
#define EIN_PASSES_SPLITSUMS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace ein {

/// The op in the body of `op` that combines its accumulator with a value.
mlir::Operation *getCombiner(mlir::linalg::LinalgOp op);

/// Why parts of what `op` reduces cannot be reduced by themselves first; empty
/// if they can.
std::string explainNoSplit(mlir::linalg::LinalgOp op);

} // namespace ein

#endif // EIN_PASSES_SPLITSUMS_H
