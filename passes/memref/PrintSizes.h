//===- PrintSizes.h - Sizes of buffers for people ---------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_MEMREF_PRINTSIZES_H
#define EIN_PASSES_MEMREF_PRINTSIZES_H

#include "ir/Signature.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/OpDefinition.h"

namespace ein {

/// Prints sizes in the names of a function's `ein.signature`.
class SizePrinter {
public:
  explicit SizePrinter(mlir::func::FuncOp function);

  /// The bytes of a buffer: `4 * M * (N + 1)`.
  std::string printBytes(mlir::memref::AllocOp alloc);
  /// Their number, if each size that is not known is of the one that the order
  /// of contraction takes it for; none of what cannot be followed.
  std::optional<int64_t> evaluateBytes(mlir::memref::AllocOp alloc);

private:
  std::optional<int64_t> evaluate(mlir::Value value);
  std::string print(mlir::Value value);
  std::string print(mlir::AffineExpr expr, llvm::ArrayRef<std::string> operands,
                    unsigned numDims);

  mlir::func::FuncOp function;
  std::optional<Signature> signature;
};

} // namespace ein

#endif // EIN_PASSES_MEMREF_PRINTSIZES_H
