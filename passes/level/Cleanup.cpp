//===- Cleanup.cpp - What pipelines have in common ------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/level/Cleanup.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"
#include "passes/level/Passes.h"

using namespace mlir;

namespace ein {

void addCleanup(OpPassManager &pm, bool hasBranches) {
  GreedyRewriteConfig config;
  config.setUseTopDownTraversal(true); // as the pass's own default is
  if (!hasBranches)
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  pm.addPass(createCanonicalizerPass(config));
  // Canonicalisation makes new loops, which have no numbers.
  pm.addNestedPass<func::FuncOp>(createNumberNests());
  pm.addPass(createCSEPass());
}

void addCheck(OpPassManager &pm, Level level) {
  CheckLevelOptions options;
  options.level = getName(level).str();
  pm.addPass(createCheckLevel(options));
}

} // namespace ein
