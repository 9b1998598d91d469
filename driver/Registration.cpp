//===- Registration.cpp - Every dialect and extension -------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only file that includes InitAll*.h: they take half a minute to compile.
//
//===----------------------------------------------------------------------===//

#include "driver/Registration.h"
#include "ir/EinDialect.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "passes/pipelines/Pipelines.h"

namespace ein {

void registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<EinDialect>();
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllToLLVMIRTranslations(registry);
}

void registerPassesForOpt() {
  mlir::registerAllPasses();
  registerPassesAndPipelines();
}

} // namespace ein
