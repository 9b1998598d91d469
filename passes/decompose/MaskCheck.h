//===- MaskCheck.h - Whether masked columns would matter --------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_DECOMPOSE_MASKCHECK_H
#define EIN_PASSES_DECOMPOSE_MASKCHECK_H

#include "passes/analysis/MaskedColumns.h"

namespace ein {

/// A number in a tensor without dims: zero if for none of the rows that a block
/// (`tiles`, per dim of rows) has it would make a difference to compute the
/// columns that `found` says are masked. `getResult` has what the ops before
/// the product have made without these, `buffer` is for the number.
mlir::Value
emitMaskCheck(mlir::ImplicitLocOpBuilder &b, const MaskedColumns &found,
              const FusionGroup &group, MaskedColumns::GetTile getTile,
              llvm::function_ref<mlir::Value(mlir::linalg::LinalgOp)> getResult,
              llvm::ArrayRef<int64_t> tiles, mlir::Value buffer);

/// A number in a tensor without dims that is zero if all elements of a tensor
/// of floats are finite; else NaN.
mlir::Value createFiniteCheck(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                              mlir::Value buffer);

} // namespace ein

#endif // EIN_PASSES_DECOMPOSE_MASKCHECK_H
