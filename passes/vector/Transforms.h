//===- Transforms.h - IR transformations, as functions ----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The transformations that passes of this folder are thin wrappers round. They
// can be called, composed and tested without a pass manager. Those that decline
// say why through notifyMatchFailure.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_VECTOR_TRANSFORMS_H
#define EIN_PASSES_VECTOR_TRANSFORMS_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class RewriterBase;
namespace linalg {
class PackOp;
} // namespace linalg
} // namespace mlir

namespace ein {

/// Turns a pack made by packOperands into loops over vectors.
llvm::LogicalResult vectorizePack(mlir::RewriterBase &rewriter,
                                  mlir::linalg::PackOp op);

} // namespace ein

#endif // EIN_PASSES_VECTOR_TRANSFORMS_H
