//===- Pipeline.cpp - A user's MLIR -> mlir -------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/source/Pipeline.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Affine/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "passes/level/Cleanup.h"
#include "passes/source/Passes.h"

using namespace mlir;

namespace ein {

void buildFromSource(OpPassManager &pm) {
  pm.addPass(createCheckSource());
  // The clean-up that the inliner does by default would change the entries.
  pm.addPass(createInlinerPass({}, [](OpPassManager &) {}));
  pm.addPass(createSymbolDCEPass());
  // From here on every function with a body is an entry and calls none.
  pm.addPass(createLowerAffinePass());
  OpPassManager &functions = pm.nest<func::FuncOp>();
  functions.addPass(createPrepareSource());
  functions.addPass(createSplitVectors());
  // From here on elements are numbers.
  functions.addPass(createRotateBuffers());
  pm.addPass(createInferSignatures());
  pm.addPass(createKeepWritten());
  // From here on arrays of functions that have a signature are apart.
  OpPassManager &entries = pm.nest<func::FuncOp>();
  entries.addPass(createLiftMemrefs());
  entries.addPass(createBoundBuffers());
  // Buffers that each round of a loop would have anew leave it.
  entries.addPass(createLoopInvariantCodeMotionPass());
  addCleanup(pm, /*hasBranches=*/true);
  addCheck(pm, Level::Mlir);
}

} // namespace ein
