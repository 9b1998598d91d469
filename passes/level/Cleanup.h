//===- Cleanup.h - What pipelines have in common ----------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_LEVEL_CLEANUP_H
#define EIN_PASSES_LEVEL_CLEANUP_H

#include "passes/level/Level.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace ein {

/// Canonicalisation and the elimination of common subexpressions. Without
/// `hasBranches` blocks are left alone: regions of structured ops have one, and
/// to find what is dead between blocks takes as long as the patterns.
void addCleanup(mlir::OpPassManager &pm, bool hasBranches = false);

/// The end of the pipeline to `level`: the check of what that promises.
void addCheck(mlir::OpPassManager &pm, Level level);

} // namespace ein

#endif // EIN_PASSES_LEVEL_CLEANUP_H
