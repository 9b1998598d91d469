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

void buildToVector(OpPassManager &pm) {
  OpPassManager &functions = pm.nest<func::FuncOp>();
  functions.addPass(createVectorizePacks());
  functions.addPass(createVectorize());
  // Slices of slices hide from subset hoisting which part of C a step touches.
  addCleanup(pm);
  pm.addNestedPass<func::FuncOp>(createHoistAccumulators());
  // Its tiles are values already: upstream would compare all that they read
  // with all that they write for each loop.
  pm.addNestedPass<func::FuncOp>(createVectorizeTiles());
  addCleanup(pm);
  addCheck(pm, Level::Vector);
}

} // namespace ein
