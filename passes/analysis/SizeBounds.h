//===- SizeBounds.h - What dynamic sizes are at most ---------------*- C++
//-*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In a loop over blocks, sizes are dynamic that are known to be small: of
// slices of something whose size is known.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_ANALYSIS_SIZEBOUNDS_H
#define EIN_PASSES_ANALYSIS_SIZEBOUNDS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace ein {

/// Per loop its extent, or if that is dynamic, what it is at most by what the
/// operands are slices of; kDynamic if that is dynamic as well.
llvm::SmallVector<int64_t> getLargestRanges(mlir::linalg::LinalgOp op);

} // namespace ein

#endif // EIN_PASSES_ANALYSIS_SIZEBOUNDS_H
