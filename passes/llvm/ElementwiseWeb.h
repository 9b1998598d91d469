//===- ElementwiseWeb.h - What is computed element by element ---*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vectors between ops that take others apart and ops that put them together
// may have their elements in any order, as long as all that are connected have
// the same one.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_LLVM_ELEMENTWISEWEB_H
#define EIN_PASSES_LLVM_ELEMENTWISEWEB_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

namespace ein {

class ElementwiseWeb {
public:
  using Test = llvm::function_ref<bool(mlir::Operation *)>;
  /// All that is connected with the results of `first`: from ops that are a
  /// start to ops that are an end, by ops on single elements.
  ElementwiseWeb(mlir::Operation *first, Test isStart, Test isEnd);

  /// These ops, starts and ends included.
  const llvm::SetVector<mlir::Operation *> &getOps() const { return ops; }
  /// The vectors between, and those that come from elsewhere, other than the
  /// same number in all lanes.
  const llvm::SetVector<mlir::Value> &getValues() const { return values; }
  const llvm::SetVector<mlir::Value> &getSources() const { return sources; }
  /// Whether something else uses a vector.
  bool isOutside(mlir::OpOperand &use) const {
    return !ops.contains(use.getOwner());
  }
  bool isUsedOutside(mlir::Value value) const {
    return llvm::any_of(value.getUses(),
                        [&](mlir::OpOperand &use) { return isOutside(use); });
  }

private:
  void addOperand(mlir::Value value, Test isStart);

  llvm::SetVector<mlir::Operation *> ops;
  llvm::SetVector<mlir::Value> values, sources;
};

} // namespace ein

#endif // EIN_PASSES_LLVM_ELEMENTWISEWEB_H
