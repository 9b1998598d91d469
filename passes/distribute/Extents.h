//===- Extents.h - Extents as expressions of sizes --------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_DISTRIBUTE_EXTENTS_H
#define EIN_PASSES_DISTRIBUTE_EXTENTS_H

#include "ir/Signature.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace ein {

/// Extents of a function's tensors, over the symbols of its signature.
class Extents {
public:
  Extents(mlir::func::FuncOp function, const Signature &signature)
      : body(&function.front()), signature(signature) {}

  /// By dim; null where it is no linear function of the sizes.
  mlir::AffineExpr get(mlir::Value tensor, int64_t dim) const;
  /// Of a value of type `index`.
  mlir::AffineExpr get(mlir::Value index) const;
  /// Of a loop, by what it goes through.
  mlir::AffineExpr getLoop(mlir::linalg::LinalgOp op, unsigned loop) const;

private:
  mlir::Block *body;
  const Signature &signature;
};

} // namespace ein

#endif // EIN_PASSES_DISTRIBUTE_EXTENTS_H
