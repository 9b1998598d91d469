//===- Pipeline.cpp - linalg -> contract ----------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/contract/Pipeline.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "passes/contract/Passes.h"
#include "passes/level/Cleanup.h"

using namespace mlir;

namespace ein {

void buildToContract(OpPassManager &pm, const ContractOptions &options) {
  OpPassManager &functions = pm.nest<func::FuncOp>();
  functions.addPass(createDropUnitWindows());
  // From here on what is read at one place is no window.
  functions.addPass(createSeparateZeroPoints());
  functions.addPass(createComputeFactors());
  // From here on factors of products of matrices are elements.
  functions.addPass(createRaiseToContract());
  functions.addPass(createFoldViews());
  functions.addPass(createWidenBytes());
  // From here on products of matrices are of 16 bits and more.
  FoldExtensionsOptions extensions;
  extensions.f16Products = options.f16Products;
  extensions.bf16Products = options.bf16Products;
  functions.addPass(createFoldExtensions(extensions));
  if (options.splitProducts)
    functions.addPass(createSplitProducts());
  addCleanup(pm);
  addCheck(pm, Level::Contract);
}

} // namespace ein
