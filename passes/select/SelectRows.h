//===- SelectRows.h - Ops that become one loop over rows --------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECT_SELECTROWS_H
#define EIN_PASSES_SELECT_SELECTROWS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "target/Target.h"

namespace ein {

/// Writes the schedule `rows` on ops of `function` that have none yet, and
/// returns these. Threads need to know how much memory they have of their own.
/// Of attention, `block` columns are done at a time wherever they can be; 0
/// has it as it pays.
llvm::SmallVector<mlir::linalg::LinalgOp>
selectRows(mlir::func::FuncOp function, const TargetInfo &target, bool parallel,
           int64_t block);

} // namespace ein

#endif // EIN_PASSES_SELECT_SELECTROWS_H
