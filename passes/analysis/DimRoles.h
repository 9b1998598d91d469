//===- DimRoles.h - What dims are to a contraction -----------------*- C++
//-*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is known of a contraction without looking at the machine: which of its
// dims are rows, columns, sums or a batch, and whether packing can do it.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_ANALYSIS_DIMROLES_H
#define EIN_PASSES_ANALYSIS_DIMROLES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace ein {

/// What a dim of a contraction is to its operands.
enum class DimRole { Batch, M, N, K };

llvm::SmallVector<DimRole> getRoles(mlir::linalg::LinalgOp op);

/// The largest of some dims, the last of several; -1 of none. A dynamic one
/// counts as larger than any number.
int64_t getLargest(llvm::ArrayRef<int64_t> dims, llvm::ArrayRef<int64_t> sizes);
/// The same of all dims of one role.
int64_t getLargest(llvm::ArrayRef<DimRole> roles, DimRole role,
                   llvm::ArrayRef<int64_t> sizes);

/// The width of what an op adds up: of an element of its first result.
unsigned getElementBits(mlir::linalg::LinalgOp op);
/// The same of a part of a complex number.
unsigned getPartBits(mlir::linalg::LinalgOp op);

/// The width of the narrowest element that an op reads or writes.
unsigned getNarrowestBits(mlir::linalg::LinalgOp op);

/// Whether the op is a contraction that packing can do: `linalg.contract`, or a
/// generic of another kind on floats with the same dims. Padding never reaches
/// the result, so any kind will do.
bool isPackable(mlir::linalg::LinalgOp op);

/// Where the op's first result is written, and where it starts from.
mlir::AffineMap getInitMap(mlir::linalg::LinalgOp op);

/// The dim that the last axis of an operand is indexed by, -1 without axes. The
/// map is one of plain dims.
int64_t getLastDim(mlir::AffineMap map);

} // namespace ein

#endif // EIN_PASSES_ANALYSIS_DIMROLES_H
