//===- StreamSquares.h - Squares past the caches ----------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the loops over squares of a large transposition go past the caches.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_MEMREF_STREAMSQUARES_H
#define EIN_PASSES_MEMREF_STREAMSQUARES_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "passes/schedule/SquareBlock.h"

namespace ein {

/// A branch round the loops `outer`: on a result of that many bytes, squares
/// are written past the caches, by whole lines. False if they cannot.
bool streamSquares(mlir::RewriterBase &b, mlir::scf::ForOp outer,
                   const SquareBlock &block);

} // namespace ein

#endif // EIN_PASSES_MEMREF_STREAMSQUARES_H
