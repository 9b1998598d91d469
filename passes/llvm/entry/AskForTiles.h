//===- AskForTiles.h - The system's leave to use tiles -----------*- C++
//-*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_LLVM_ENTRY_ASKFORTILES_H
#define EIN_PASSES_LLVM_ENTRY_ASKFORTILES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace ein {

/// Whether a kernel, or what it calls, uses tiles of AMX.
bool usesTiles(mlir::LLVM::LLVMFuncOp kernel);

/// `int32_t __ein_ask_for_tiles(void)`: the code Ok if the process may use
/// tiles, else NoTiles. The system is asked until it has granted them.
mlir::LLVM::LLVMFuncOp getOrCreateTileRequest(mlir::ModuleOp module);

} // namespace ein

#endif // EIN_PASSES_LLVM_ENTRY_ASKFORTILES_H
