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

namespace ein {

/// Why parts of what `op` reduces cannot be reduced by themselves first; empty
/// if they can.
std::string explainNoSplit(mlir::linalg::LinalgOp op);

} // namespace ein

#endif // EIN_PASSES_ANALYSIS_SUMPARTS_H
