//===- RelaxSums.cpp - Contractions that stay loops, in any order ---------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A dot product or a matrix times a vector becomes loops, and LLVM makes
// vectors of them, if it may add in another order. The statement's sum says
// that it may, with fast-math flags (and so do vectors of them, where that is
// our schedule); but linalg's own contractions have bodies
// that no flag can be put on. So they become generics here, and the flags are
// put back.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "passes/analysis/StrictFP.h"
#include "passes/schedule/ScheduledOps.h"
#include "passes/tiled/Passes.h"

namespace ein {
#define GEN_PASS_DEF_RELAXSUMS
#include "passes/tiled/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

namespace {
struct RelaxSumsPass : impl::RelaxSumsBase<RelaxSumsPass> {
  static constexpr arith::FastMathFlags kAnyOrder =
      arith::FastMathFlags::reassoc | arith::FastMathFlags::contract;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) {
      bool isScalar = hasSchedule(op, Schedule::Loops);
      if (!isa<linalg::GenericOp>(op) &&
          (isScalar || hasSchedule(op, Schedule::Reduce)) &&
          isa<linalg::ContractionOpInterface>(op.getOperation()) &&
          !keepsOrder(op))
        ops.push_back(op);
    });
    for (linalg::LinalgOp op : ops) {
      DictionaryAttr attributes = op->getDiscardableAttrDictionary();
      rewriter.setInsertionPoint(op);
      FailureOr<linalg::GenericOp> generic =
          linalg::generalizeNamedOp(rewriter, op);
      if (failed(generic))
        continue; // it stays as it is
      for (NamedAttribute attribute : attributes)
        (*generic)->setDiscardableAttr(attribute.getName(),
                                       attribute.getValue());
      for (Operation &inner : *(*generic).getBody()) {
        if (auto product = dyn_cast<arith::MulFOp>(inner))
          product.setFastmath(arith::FastMathFlags::contract);
        if (auto sum = dyn_cast<arith::AddFOp>(inner))
          sum.setFastmath(kAnyOrder);
        if (auto product = dyn_cast<complex::MulOp>(inner))
          product.setFastmath(arith::FastMathFlags::contract);
        if (auto sum = dyn_cast<complex::AddOp>(inner))
          sum.setFastmath(kAnyOrder);
      }
    }
  }
};
} // namespace

} // namespace ein
