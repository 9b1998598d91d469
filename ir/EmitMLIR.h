//===- EmitMLIR.h - From the checked program to MLIR ------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_IR_EMITMLIR_H
#define EIN_IR_EMITMLIR_H

#include "frontend/program/Program.h"
#include "frontend/source/SourceFile.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace ein {

/// One function per def, on tensors, with the attribute `ein.signature`. A
/// statement becomes
///  * `ein.einsum`, if it sums or assigns a product of accesses at lone
///  indices;
///  * `linalg.generic` otherwise, with the right side as its body.
/// The function's results are its outputs; the outputs' old values are its
/// arguments, marked `bufferization.writable`, and serve as destinations.
/// Without `checksGathers` they may read anything where a subscript is outside.
/// With `keepsOrder` products of floats stay as they are written, in a generic.
/// The module verifies. `sources` give every op its location.
mlir::OwningOpRef<mlir::ModuleOp> emitMLIR(const Program &program,
                                           mlir::MLIRContext *context,
                                           const Sources &sources,
                                           bool checksGathers = true,
                                           bool keepsOrder = false);

} // namespace ein

#endif // EIN_IR_EMITMLIR_H
