//===- Pipeline.cpp - vector -> memref ------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/memref/Pipeline.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "passes/level/Cleanup.h"
#include "passes/memref/Passes.h"

using namespace mlir;

namespace ein {

void buildBufferize(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(createReturnToDestination());
  pm.addPass(createBufferize());
  // From here on memory has places; the old ones are given back. Sizes of what
  // is in a loop are found outside of it first.
  addCleanup(pm);
  pm.addNestedPass<func::FuncOp>(createRelaxContiguous());
  pm.addNestedPass<func::FuncOp>(bufferization::createBufferLoopHoistingPass());
  pm.addNestedPass<func::FuncOp>(createBoundAllocations());
  pm.addPass(createDeallocate());
  addCleanup(pm);
  pm.addPass(bufferization::createBufferDeallocationSimplificationPass());
  pm.addPass(bufferization::createLowerDeallocationsPass());
  addCleanup(pm);
  // Before the plan: what each thread has for itself is not part of it.
  pm.addNestedPass<func::FuncOp>(createParallelize());
  addCleanup(pm);
  // From here on a function allocates once.
  pm.addNestedPass<func::FuncOp>(createPlanMemory());
  pm.addNestedPass<func::FuncOp>(createStreamStores());
  pm.addPass(createMapToLibrary());
  addCleanup(pm);
}

void buildToMemref(OpPassManager &pm) {
  buildBufferize(pm);
  pm.addPass(createOutlineKernels());
  addCheck(pm, Level::Memref);
}

} // namespace ein
