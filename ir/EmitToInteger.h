//===- EmitToInteger.h - Floats that become integers ------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_IR_EMITTOINTEGER_H
#define EIN_IR_EMITTOINTEGER_H

#include "frontend/program/Program.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace ein {

/// The ends of an integer type's range.
llvm::APInt getLeast(ElementType type);
llvm::APInt getLargest(ElementType type);

/// An f32 or an f64 as the nearest integer of the type between it and zero.
mlir::Value emitFloatToInteger(mlir::ImplicitLocOpBuilder &b, mlir::Value value,
                               ElementType to);

} // namespace ein

#endif // EIN_IR_EMITTOINTEGER_H
