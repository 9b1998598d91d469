//===- EmitScalar.h - Scalar arithmetic of the language's types -*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's integers have no sign, so every op that depends on it is chosen here,
// from the language's type. What MLIR leaves undefined is defined:
//
//  * a bool is an `i1` as a value and an `i8` in tensors, as vectors of `i1`
//  are
//    packed in memory, and a byte that is not zero is true;
//  * a floating-point number that is outside of an integer type becomes the
//    nearest integer that is in it, and NaN becomes zero;
//  * the least integer divided by -1 is itself, and what is divided by zero
//    stays what it is: that a code is returned is somebody else's business.
//
// Complex numbers are values of the complex dialect, whose arithmetic is
// lowered to that of the parts: a product is (ac - bd) + (ad + bc)i, whatever
// is infinite in it, as the real contractions have it that ein-split-complex
// makes.
//
// Half-precision numbers are only ever converted to and from f32, in the ops
// made here, so that two roundings are two wherever code is compiled.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_IR_EMITSCALAR_H
#define EIN_IR_EMITSCALAR_H

#include "frontend/program/Program.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace ein {

/// The element type of tensors, and of function arguments.
mlir::Type getStorageType(mlir::Builder &b, ElementType type);
/// The type of values in bodies.
mlir::Type getValueType(mlir::Builder &b, ElementType type);

mlir::Value emitLoaded(mlir::ImplicitLocOpBuilder &b, mlir::Value stored,
                       ElementType type);
mlir::Value emitStored(mlir::ImplicitLocOpBuilder &b, mlir::Value value,
                       ElementType type);

/// Everything below is on values.
mlir::Value emitLiteral(mlir::ImplicitLocOpBuilder &b, const Expr &literal);
mlir::Value emitInteger(mlir::ImplicitLocOpBuilder &b, ElementType type,
                        int64_t value);
mlir::Value emitConversion(mlir::ImplicitLocOpBuilder &b, mlir::Value value,
                           ElementType from, ElementType to);
mlir::Value emitUnary(mlir::ImplicitLocOpBuilder &b, UnaryFn fn,
                      mlir::Value operand, ElementType type);
mlir::Value emitBinary(mlir::ImplicitLocOpBuilder &b, BinaryFn fn,
                       mlir::Value lhs, mlir::Value rhs, ElementType type);
/// What `update` starts from, as it is stored.
mlir::Value emitIdentity(mlir::ImplicitLocOpBuilder &b, UpdateKind update,
                         ElementType type);

} // namespace ein

#endif // EIN_IR_EMITSCALAR_H
