//===- Pipeline.cpp - contract -> fused ops -------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/fused/Pipeline.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "passes/fused/Passes.h"

using namespace mlir;

namespace ein {

void buildFused(OpPassManager &pm, const FusedOptions &options) {
  if (!options.transform.empty()) {
    ApplyTransformOptions apply;
    apply.file = options.transform;
    pm.addPass(createApplyTransform(apply));
  }
  // From here on what a script has touched has a schedule.
  OpPassManager &functions = pm.nest<func::FuncOp>();
  functions.addPass(createSeparateStarts());
  functions.addPass(createGeneralizeContract());
  // From here on all structured ops are upstream's.
  SplitComplexOptions complex;
  complex.planes = options.planes;
  functions.addPass(createSplitComplex(complex));
  // From here on a contraction of complex numbers is a product of matrices.
  functions.addPass(createNarrowExtremes());
  functions.addPass(createCompareHalves());
  functions.addPass(createCompareExtremes());
  functions.addPass(createFuseElementwise());
  functions.addPass(createHoistInvariants());
  functions.addPass(createDivideSums());
  functions.addPass(createSplitBorders());
  functions.addPass(createUpdateInPlace());
  functions.addPass(createAddUnitRows());
}

} // namespace ein
