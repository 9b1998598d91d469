//===- Pipeline.cpp - tiled -> vector -------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/vector/Pipeline.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "passes/level/Cleanup.h"
#include "passes/vector/Passes.h"

using namespace mlir;

namespace ein {

void buildToVector(OpPassManager &pm, const VectorOptions &options) {
  OpPassManager &functions = pm.nest<func::FuncOp>();
  functions.addPass(createVectorizeTiles({options.exchanges}));
  addCleanup(pm);
  addCheck(pm, Level::Vector);
}

} // namespace ein
