//===- BlockExtent.h - Pieces of a dim --------------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops that passes make by hand go over blocks of a dim, the last of which may
// be shorter.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_DECOMPOSE_BLOCKEXTENT_H
#define EIN_PASSES_DECOMPOSE_BLOCKEXTENT_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/OpDefinition.h"

namespace ein {

/// How much of a block of `size` from `begin` on is there: all of it, or what
/// is left until `end`.
mlir::OpFoldResult getBlockLength(mlir::ImplicitLocOpBuilder &b, int64_t size,
                                  mlir::OpFoldResult begin,
                                  mlir::OpFoldResult end);

} // namespace ein

#endif // EIN_PASSES_DECOMPOSE_BLOCKEXTENT_H
