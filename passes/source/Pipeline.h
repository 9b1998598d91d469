//===- Pipeline.h - A user's MLIR -> mlir -----------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SOURCE_PIPELINE_H
#define EIN_PASSES_SOURCE_PIPELINE_H

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace ein {

/// A module that einc did not write -> mlir: checked, calls inlined, with
/// signatures.
void buildFromSource(mlir::OpPassManager &pm);

} // namespace ein

#endif // EIN_PASSES_SOURCE_PIPELINE_H
