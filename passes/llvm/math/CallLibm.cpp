//===- CallLibm.cpp - Functions that no formula does justice to ---------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's conversion to the llvm dialect makes exp(x) - 1 of `math.expm1`
// and log(1 + x) of `math.log1p`, which loses all digits near zero: what these
// functions are for. They become calls before it runs.
//
//===----------------------------------------------------------------------===//

#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"
#include "passes/llvm/math/Passes.h"

namespace ein {
#define GEN_PASS_DEF_CALLLIBM
#include "passes/llvm/math/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

namespace {
struct CallLibmPass : impl::CallLibmBase<CallLibmPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateMathToLibmConversionPatterns(patterns);
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    target.addIllegalOp<math::ExpM1Op, math::Log1pOp>();
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace

} // namespace ein
