//===- Pipeline.h - vector -> memref ----------------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_MEMREF_PIPELINE_H
#define EIN_PASSES_MEMREF_PIPELINE_H

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace ein {

/// Bufferised, with one allocation for each function: what all ways to memrefs
/// have in common.
void buildBufferize(mlir::OpPassManager &pm);

/// vector -> memref: bufferised, results in place, buffers freed.
void buildToMemref(mlir::OpPassManager &pm);

} // namespace ein

#endif // EIN_PASSES_MEMREF_PIPELINE_H
