//===- Convert.h - Maps, types and constants of the text --------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_DISTRIBUTE_CONVERT_H
#define EIN_PASSES_DISTRIBUTE_CONVERT_H

#include "abi/Distributed.h"
#include "ir/Signature.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace ein {

/// A linear expression of loops with coefficients above 0; none if it is
/// anything else.
std::optional<runtime::Subscript> getSubscript(mlir::AffineExpr expr);

/// None of a type that the language has not.
std::optional<ElementType> getElementType(mlir::Type type, bool isUnsigned);

/// `None` of what parts cannot be combined by.
runtime::Combiner getCombinerKind(mlir::Operation *combiner);

/// A constant of `width` bytes as it is in memory; empty if it is none.
std::vector<uint8_t> getBits(mlir::Value value, size_t width);

/// Where a part of a tensor begins, if that is known and it is every element
/// from there on.
std::optional<llvm::SmallVector<int64_t>> getOffsets(mlir::Value tensor);

/// The op that puts a part of an array back that `op` has written; null if it
/// does anything else with it.
mlir::tensor::InsertSliceOp getInsertion(mlir::linalg::LinalgOp op);

} // namespace ein

#endif // EIN_PASSES_DISTRIBUTE_CONVERT_H
