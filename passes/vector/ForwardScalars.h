//===- ForwardScalars.h - A row's numbers stay in registers -----*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `ein-vectorize-tiles` does last.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_VECTOR_FORWARDSCALARS_H
#define EIN_PASSES_VECTOR_FORWARDSCALARS_H

#include "mlir/IR/PatternMatch.h"

namespace ein {

/// Gives what is inserted in a tensor without dims to what reads it, makes ops
/// without loops their bodies, and operations on vectors of equal floats
/// operations on numbers.
void forwardScalars(mlir::RewriterBase &rewriter, mlir::Operation *root);

} // namespace ein

#endif // EIN_PASSES_VECTOR_FORWARDSCALARS_H
