//===- Elementwise.h - An array from each element of another ----*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_CONTRACT_ELEMENTWISE_H
#define EIN_PASSES_CONTRACT_ELEMENTWISE_H

#include "mlir/IR/PatternMatch.h"

namespace ein {

/// What `build` makes of each element of `source`, of the type `element`: in
/// `destination`, or in an array of its own if that is null.
mlir::Value
createElementwise(mlir::RewriterBase &rewriter, mlir::Location loc,
                  mlir::Value source, mlir::Type element,
                  mlir::Value destination,
                  llvm::function_ref<mlir::Value(mlir::OpBuilder &,
                                                 mlir::Location, mlir::Value)>
                      build);

/// What a contraction of integers starts from, `init`, with elements of another
/// type. That is often a number, of which `getNumber` makes the other one; else
/// `convert` makes the array.
mlir::Value createStart(
    mlir::RewriterBase &rewriter, mlir::Location loc, mlir::Value init,
    mlir::Type element,
    llvm::function_ref<llvm::APInt(const llvm::APInt &number)> getNumber,
    llvm::function_ref<mlir::Value()> convert);

} // namespace ein

#endif // EIN_PASSES_CONTRACT_ELEMENTWISE_H
