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
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Value.h"

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

} // namespace ein

#endif // EIN_PASSES_DISTRIBUTE_CONVERT_H
