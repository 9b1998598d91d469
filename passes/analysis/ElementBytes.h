//===- ElementBytes.h - The size of an element in memory --------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR counts the bits of integers and floating-point numbers only, and not
// those of complex ones.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_ANALYSIS_ELEMENTBYTES_H
#define EIN_PASSES_ANALYSIS_ELEMENTBYTES_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

namespace ein {

/// What an element of the type takes.
inline int64_t getScalarBytes(mlir::Type element) {
  if (auto complexType = llvm::dyn_cast<mlir::ComplexType>(element))
    return 2 * llvm::divideCeil(
                   complexType.getElementType().getIntOrFloatBitWidth(), 8);
  // As the data layout of all targets that there is code for has it.
  constexpr int64_t kIndexBytes = 8;
  if (element.isIndex())
    return kIndexBytes;
  return llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

/// What an element of a tensor or memref takes.
inline int64_t getElementBytes(mlir::ShapedType type) {
  return getScalarBytes(type.getElementType());
}

} // namespace ein

#endif // EIN_PASSES_ANALYSIS_ELEMENTBYTES_H
