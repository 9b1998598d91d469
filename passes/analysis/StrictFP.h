//===- StrictFP.h - Sums that keep their order -------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_ANALYSIS_STRICTFP_H
#define EIN_PASSES_ANALYSIS_STRICTFP_H

#include "mlir/IR/Operation.h"

namespace ein {

/// Whether the op's results are of floats or complex numbers.
bool hasFloats(mlir::Operation *op);

/// Whether what the structured op `op` accumulates is floats, or complex
/// numbers, that have to be added as they come.
bool keepsOrder(mlir::Operation *op);

} // namespace ein

#endif // EIN_PASSES_ANALYSIS_STRICTFP_H
