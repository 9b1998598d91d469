//===- StrictFP.cpp - Sums that keep their order --------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/StrictFP.h"
#include "ir/EinDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace ein {

bool hasFloats(Operation *op) {
  return llvm::any_of(op->getResultTypes(), [](Type type) {
    return isa<FloatType, ComplexType>(getElementTypeOrSelf(type));
  });
}

bool keepsOrder(Operation *op) {
  auto function = op->getParentOfType<func::FuncOp>();
  return function && function->hasAttr(EinDialect::kStrictFPAttr) &&
         hasFloats(op);
}

} // namespace ein
