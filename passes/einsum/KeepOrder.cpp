//===- KeepOrder.cpp - Sums that keep their order -------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A contraction may be summed in any order, and everything that makes one fast
// does so. A program that is compiled with --strict-fp has generics instead,
// whose loops say the order: no pass may raise them, and no op has a flag by
// which LLVM could do more than the program says. The mark on the function is
// for the first; it is in the text of every level, so that a text that is
// compiled further stays as strict as it was.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/Raising.h"
#include "passes/analysis/StrictFP.h"
#include "passes/einsum/Passes.h"

namespace ein {
#define GEN_PASS_DEF_KEEPORDER
#include "passes/einsum/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

namespace {
struct KeepOrderPass : impl::KeepOrderBase<KeepOrderPass> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    function->setAttr(EinDialect::kStrictFPAttr, UnitAttr::get(&getContext()));
    IRRewriter rewriter(&getContext());
    SmallVector<Operation *> named;
    WalkResult result = function.walk([&](Operation *op) {
      if (isa<EinsumOp, ProductOp>(op) && hasFloats(op)) {
        op->emitOpError("has no order in which floats are added");
        return WalkResult::interrupt();
      }
      auto structured = dyn_cast<linalg::LinalgOp>(op);
      bool reduces = structured && !isa<linalg::GenericOp>(op) &&
                     structured.getNumReductionLoops() != 0;
      if ((reduces || isa<ContractOp>(op)) && hasFloats(op))
        named.push_back(op);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    for (Operation *op : named)
      if (failed(generalize(rewriter, op))) {
        op->emitOpError(
            "has no form that says in which order floats are added");
        return signalPassFailure();
      }
    auto none = arith::FastMathFlagsAttr::get(&getContext(),
                                              arith::FastMathFlags::none);
    function.walk([&](arith::ArithFastMathInterface op) {
      op->setAttr(op.getFastMathAttrName(), none);
    });
  }
};
} // namespace

} // namespace ein
