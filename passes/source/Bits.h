//===- Bits.h - Bits in registers, bytes in memory --------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A user's function may be on `i1`; its callers have a byte for each, as C's
// `bool` and numpy's are. What passes between them is converted.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SOURCE_BITS_H
#define EIN_PASSES_SOURCE_BITS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ein {

/// Whether a value, or the elements of an array, are bits.
bool isBool(mlir::Type type);

/// `type` as callers have it.
mlir::Type getStoredType(mlir::Type type);

/// Bits as bytes, or the other way round.
mlir::Value convertBits(mlir::OpBuilder &b, mlir::Location loc,
                        mlir::Value value, bool toBits);

/// The same of arrays: what `destination` becomes on tensors, null on memrefs.
mlir::Value convertBits(mlir::OpBuilder &b, mlir::Location loc,
                        mlir::Value source, mlir::Value destination,
                        bool toBits);

/// What `function` is written for, a value of `type`, of what its callers pass;
/// what is written to a memref of bits goes back at the end.
mlir::Value takeBits(mlir::OpBuilder &b, mlir::func::FuncOp function,
                     mlir::Value bytes, mlir::Type type, bool isWritten);

} // namespace ein

#endif // EIN_PASSES_SOURCE_BITS_H
