//===- PassByTable.h - Arguments in memory ----------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_LLVM_ENTRY_PASSBYTABLE_H
#define EIN_PASSES_LLVM_ENTRY_PASSBYTABLE_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace ein {

/// Has `function` take one pointer, to slots of 8 bytes, for its arguments, and
/// every call of it store them there. False, and nothing done, if they are few,
/// if one of them does not fit a slot, or if it is used by anything but calls.
bool passByTable(mlir::LLVM::LLVMFuncOp function);

/// Cuts blocks of very many ops to shorter ones: to select instructions for a
/// block takes more than twice as long for one of twice the length.
void cutBlocks(mlir::LLVM::LLVMFuncOp function);

} // namespace ein

#endif // EIN_PASSES_LLVM_ENTRY_PASSBYTABLE_H
