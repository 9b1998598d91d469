//===- VectorizeDots.h - Tiles of dots to vectors ---------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_VECTOR_VECTORIZEDOTS_H
#define EIN_PASSES_VECTOR_VECTORIZEDOTS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace ein {

/// Replaces a tile of a contraction whose schedule is `dot` by vector code;
/// fails, with an error on the op, if it is not such a tile.
llvm::LogicalResult vectorizeDot(mlir::RewriterBase &rewriter,
                                 mlir::linalg::LinalgOp op);

} // namespace ein

#endif // EIN_PASSES_VECTOR_VECTORIZEDOTS_H
