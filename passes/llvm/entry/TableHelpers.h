//===- TableHelpers.h - Tables of very many arguments -----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_LLVM_ENTRY_TABLEHELPERS_H
#define EIN_PASSES_LLVM_ENTRY_TABLEHELPERS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace ein {

/// A function of ViewTables.mlir, which it adds to the module with those that
/// it calls.
mlir::LLVM::LLVMFuncOp getOrAddTableHelper(mlir::ModuleOp module,
                                           llvm::StringRef name);

/// The address of these numbers.
mlir::Value createConstantTable(mlir::ImplicitLocOpBuilder &b,
                                llvm::ArrayRef<int64_t> numbers);

/// The address of a table with a slot of 8 bytes for each value, which nobody
/// is to write to; a null value leaves its slot to the one before.
mlir::Value createTable(mlir::ImplicitLocOpBuilder &b,
                        llvm::ArrayRef<mlir::Value> values);

} // namespace ein

#endif // EIN_PASSES_LLVM_ENTRY_TABLEHELPERS_H
