//===- Pipeline.cpp - mlir -> linalg --------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/einsum/Pipeline.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "passes/einsum/Passes.h"
#include "passes/level/Cleanup.h"

using namespace mlir;

namespace ein {

void buildToLinalg(OpPassManager &pm, const LinalgOptions &options) {
  OpPassManager &functions = pm.nest<func::FuncOp>();
  functions.addPass(createDecomposeAggregates());
  if (options.strictFP)
    functions.addPass(createKeepOrder());
  // From here on what is linalg is a structured op.
  functions.addPass(createSimplifyEinsum());
  // From here on two inputs at least share each dim that is summed.
  OrderContractionsOptions order;
  order.unknownSize = options.unknownSize;
  order.strategy = options.strategy;
  order.effort = options.effort;
  order.seed = options.seed;
  order.maxTemp = options.maxTemp;
  order.oneOrder = options.oneOrder;
  order.triple = options.triple;
  order.cpu = options.cpu;
  order.features = options.features;
  order.sveBits = options.sveBits;
  order.machine = options.machine;
  functions.addPass(createOrderContractions(order));
  // From here on every einsum is binary or unary.
  functions.addPass(createLowerEinsum());
  // What one order leaves for a later statement takes memory in between.
  if (options.maxTemp == 0) {
    functions.addPass(createCSEPass());
    functions.addPass(createShareContractions());
  }
  addCleanup(pm);
  addCheck(pm, Level::Linalg);
}

} // namespace ein
