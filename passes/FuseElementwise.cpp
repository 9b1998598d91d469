//===- FuseElementwise.cpp - Chains of elementwise ops become one ---------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A statement per step is how a program is written; as loops, each step then
// reads from memory what the one before has just written there. Upstream fuses
// such ops on tensors. What it leaves open is when that is worth it: here if
// the intermediate has no other reader, and if no element of it would be
// computed twice, which means that the reader has every dim of it and no other.
// Nothing is lost then, and no rounding changes.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/Passes.h"
#include "passes/Strategy.h"

namespace ein {
#define GEN_PASS_DEF_FUSEELEMENTWISE
#include "passes/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

/// Whether the op that computes `operand` should become part of its reader.
static bool isWorthFusing(OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
  auto consumer = dyn_cast<linalg::GenericOp>(operand->getOwner());
  if (!producer || !consumer || !producer->hasOneUse() ||
      producer->getNumResults() != 1 || !consumer.isDpsInput(operand) ||
      producer.getLibraryCall() || consumer.getLibraryCall())
    return false;
  if (producer.getNumReductionLoops() != 0 ||
      producer->hasAttr(kStrategyAttr) || consumer->hasAttr(kStrategyAttr))
    return false;
  return consumer.getMatchingIndexingMap(operand).isPermutation();
}

namespace {
/// Upstream's set of patterns does more: it has an op that does not read its
/// destination write to a new tensor, which would have to be copied then.
struct FuseElementwisePattern : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isWorthFusing(&operand) ||
          !linalg::areElementwiseOpsFusable(&operand))
        continue;
      FailureOr<linalg::ElementwiseOpFusionResult> fused =
          linalg::fuseElementwiseOps(rewriter, &operand);
      if (failed(fused))
        continue;
      SmallVector<Value> results =
          llvm::map_to_vector(op->getResults(), [&](Value result) {
            return fused->replacements.lookup(result);
          });
      rewriter.replaceOp(op, results);
      return success();
    }
    return failure();
  }
};

struct FuseElementwisePass : impl::FuseElementwiseBase<FuseElementwisePass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<FuseElementwisePattern>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace

} // namespace ein
