//===- Pipeline.h - Schedules that are obeyed ------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_TILED_PIPELINE_H
#define EIN_PASSES_TILED_PIPELINE_H

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace ein {

/// Loops, packs and register tiles as the schedules say. What breaks an op
/// into several, which get schedules of their own, has run before.
void buildTiles(mlir::OpPassManager &functions);

} // namespace ein

#endif // EIN_PASSES_TILED_PIPELINE_H
