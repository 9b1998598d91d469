//===- WrittenForm.h - Steps of ein-keep-written ----------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What makes loads and stores of the copy of a function that is for arrays that
// overlap.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SOURCE_WRITTENFORM_H
#define EIN_PASSES_SOURCE_WRITTENFORM_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "passes/analysis/Decline.h"

namespace ein {

/// Gives each memref that is an argument a type of any strides, and the views
/// of it theirs. Where it is used by an op that has no such form it stays as it
/// is; returns these arguments, which have to be contiguous.
llvm::SmallVector<int64_t> allowAnyStrides(mlir::func::FuncOp function);

/// Has values be in memory of their own: what is read of an argument becomes a
/// value by a copy, there and then, and what is written to one is copied there.
/// Tensors that are arguments become memrefs, and results what they are
/// written to.
mlir::LogicalResult lowerValues(mlir::RewriterBase &rewriter,
                                mlir::func::FuncOp function,
                                DeclineFn onDecline);

/// Has loads and stores of joined dims be of the dims: of any strides these
/// have no common one.
void splitJoinedDims(mlir::RewriterBase &rewriter, mlir::func::FuncOp function);

} // namespace ein

#endif // EIN_PASSES_SOURCE_WRITTENFORM_H
