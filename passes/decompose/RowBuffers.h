//===- RowBuffers.h - Memory for rows ---------------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is between the ops of a loop over rows has a buffer before the loops.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_DECOMPOSE_ROWBUFFERS_H
#define EIN_PASSES_DECOMPOSE_ROWBUFFERS_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/OpDefinition.h"

namespace ein {

/// The extent of a tensor along an axis, as far outside as it can be found.
mlir::OpFoldResult getExtent(mlir::ImplicitLocOpBuilder &b, mlir::Value value,
                             int64_t axis);

/// The same, or if that changes from one round of a loop to the next, the
/// extent of what the tensor is a part of.
mlir::OpFoldResult getCapacity(mlir::ImplicitLocOpBuilder &b, mlir::Value value,
                               int64_t axis);

/// Memory of that shape, or with rows that are longer by a cache line, if they
/// are or may be a multiple of `conflictBytes` long and would share a few sets
/// of L1; 0: none do. It is outside of all loops that do not change its size.
mlir::Value createBuffer(mlir::ImplicitLocOpBuilder &b, mlir::Type element,
                         llvm::ArrayRef<mlir::OpFoldResult> sizes,
                         int64_t conflictBytes = 0);

} // namespace ein

#endif // EIN_PASSES_DECOMPOSE_ROWBUFFERS_H
