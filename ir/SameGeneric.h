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

/// Whether the body of `b` computes what the body of `a` does, if input i of
/// `b` is input order[i] of `a`, and dim i is dims[i].
bool isSameBody(mlir::linalg::GenericOp a, mlir::linalg::GenericOp b,
                llvm::ArrayRef<unsigned> order, llvm::ArrayRef<unsigned> dims);

/// The renaming of `b`'s dims that makes its maps `a`'s, if there is one. Every
/// dim has to stand alone somewhere.
std::optional<llvm::SmallVector<unsigned>>
getRenaming(llvm::ArrayRef<mlir::AffineMap> a,
            llvm::ArrayRef<mlir::AffineMap> b);

/// The generic that an op means, made beside it; null if upstream has none.
/// For a generic, a copy.
mlir::linalg::GenericOp createGeneric(mlir::RewriterBase &rewriter,
                                      mlir::Operation *op);

} // namespace ein

#endif // EIN_IR_SAMEGENERIC_H
