//===- SameGeneric.h - Whether two structured ops mean the same -*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The proof that every other form of a generic rests on: it is generalised, and
// compared with the generic that it is said to be. Upstream is not believed.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_IR_SAMEGENERIC_H
#define EIN_IR_SAMEGENERIC_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir {
class RewriterBase;
} // namespace mlir

namespace ein {

/// Whether `b` means what `a` does, where `b`'s inputs are `a`'s in the given
/// order: input i of `b` is input order[i] of `a`.
bool isSameGeneric(mlir::linalg::GenericOp a, mlir::linalg::GenericOp b,
                   llvm::ArrayRef<unsigned> order);

/// The generic that an op means, made beside it; null if upstream has none.
/// For a generic, a copy.
mlir::linalg::GenericOp createGeneric(mlir::RewriterBase &rewriter,
                                      mlir::Operation *op);

} // namespace ein

#endif // EIN_IR_SAMEGENERIC_H
