//===- Pipeline.cpp - Schedules that are obeyed --------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/tiled/Pipeline.h"
#include "mlir/Pass/PassManager.h"
#include "passes/decompose/Passes.h"
#include "passes/tiled/Passes.h"

using namespace mlir;

namespace ein {

void buildTiles(OpPassManager &functions) {
  functions.addPass(createMakeVersions());
  functions.addPass(createTileContractions());
  functions.addPass(createPackOperands());
  functions.addPass(createRelaxSums());
  // From here on sizes are those of arguments, as far as they can be.
  functions.addPass(createFoldBranchSizes());
}

} // namespace ein
