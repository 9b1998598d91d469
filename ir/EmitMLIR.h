//===- EmitMLIR.h - From the checked program to MLIR ------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_IR_EMITMLIR_H
#define EIN_IR_EMITMLIR_H

#include "frontend/Program.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace ein {

/// Where a byte of the source is; lines and columns count from 1.
using LocateFn = llvm::function_ref<std::pair<unsigned, unsigned>(uint32_t)>;

/// One function per def, on tensors, with the attribute `ein.signature`. A
/// statement becomes
///  * `ein.einsum`, if it sums or assigns a product of accesses at lone
///  indices;
///  * `linalg.generic` otherwise, with the right side as its body.
/// The function's results are its outputs; the outputs' old values are its
/// arguments, marked `bufferization.writable`, and serve as destinations.
/// Without `checksGathers` they may read anything where a subscript is outside.
/// The module verifies. `fileName` and `locate` give every op its location.
mlir::OwningOpRef<mlir::ModuleOp>
emitMLIR(const Program &program, mlir::MLIRContext *context,
         llvm::StringRef fileName, LocateFn locate, bool checksGathers = true);

} // namespace ein

#endif // EIN_IR_EMITMLIR_H
