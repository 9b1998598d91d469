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
// the intermediate has no other reader, however often that one names it, and if
// no element of it would be computed twice, which means that the reader has
// every dim of it and no other. Nothing is lost then, and no rounding changes.
// What is one operation on an array and something smaller, as x - mean, each of
// its readers computes for itself, instead of one op that writes it and others
// that read it.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "ir/IndexNames.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/fused/Passes.h"
#include "passes/schedule/ScheduledOps.h"

namespace ein {
#define GEN_PASS_DEF_FUSEELEMENTWISE
#include "passes/fused/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

/// Whether nobody else reads what the op behind `operand` computes. Upstream
/// fuses an operand at a time, so a reader that has it twice is to read it once
/// first.
static bool isOnlyReader(OpOperand *operand) {
  auto consumer = cast<linalg::GenericOp>(operand->getOwner());
  AffineMap map = consumer.getMatchingIndexingMap(operand);
  return llvm::all_of(operand->get().getUses(), [&](OpOperand &use) {
    return use.getOwner() == consumer.getOperation() &&
           consumer.isDpsInput(&use) &&
           consumer.getMatchingIndexingMap(&use) == map;
  });
}

/// Whether `op` takes less time than to write and to read what it computes: a
/// sum, difference or product of an array and something smaller. What another
/// op computes may become part of that one.
static bool isCheap(linalg::GenericOp op) {
  unsigned numWhole = 0;
  for (OpOperand *input : op.getDpsInputOperands())
    if (op.getMatchingIndexingMap(input).isPermutation()) {
      ++numWhole;
      if (input->get().getDefiningOp<linalg::LinalgOp>())
        return false;
    }
  auto body = op.getBlock()->without_terminator();
  return numWhole == 1 && llvm::hasSingleElement(body) &&
         isa<arith::AddFOp, arith::SubFOp, arith::MulFOp>(*body.begin()) &&
         !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0));
}

/// Whether all who read what `op` computes can compute it.
static bool hasGenericReaders(linalg::GenericOp op) {
  return llvm::all_of(op->getUses(), [](OpOperand &use) {
    auto reader = dyn_cast<linalg::GenericOp>(use.getOwner());
    return reader && reader.isDpsInput(&use) && !reader.getLibraryCall() &&
           !reader->hasAttr(EinDialect::kScheduleAttr) &&
           reader.getMatchingIndexingMap(&use).isPermutation();
  });
}

/// Whether the op that computes `operand` should become part of its reader.
static bool isWorthFusing(OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
  auto consumer = dyn_cast<linalg::GenericOp>(operand->getOwner());
  if (!producer || !consumer || producer->getNumResults() != 1 ||
      !consumer.isDpsInput(operand) || producer.getLibraryCall() ||
      consumer.getLibraryCall())
    return false;
  if (producer.getNumReductionLoops() != 0 ||
      producer->hasAttr(EinDialect::kScheduleAttr) ||
      consumer->hasAttr(EinDialect::kScheduleAttr))
    return false;
  return consumer.getMatchingIndexingMap(operand).isPermutation() &&
         (isOnlyReader(operand) ||
          (isCheap(producer) && hasGenericReaders(producer)));
}

/// Has the reader an op of its own behind the operand, so that the one that was
/// there ends with its last reader.
static void separateProducer(RewriterBase &rewriter, OpOperand &operand) {
  auto consumer = cast<linalg::GenericOp>(operand.getOwner());
  Value value = operand.get();
  AffineMap map = consumer.getMatchingIndexingMap(&operand);
  rewriter.setInsertionPoint(consumer);
  Value copy = rewriter.clone(*value.getDefiningOp())->getResult(0);
  rewriter.modifyOpInPlace(consumer, [&] {
    for (OpOperand *input : consumer.getDpsInputOperands())
      if (input->get() == value &&
          consumer.getMatchingIndexingMap(input) == map)
        input->set(copy);
  });
}

/// Has each op name an array once, however many of its statements read that.
static void nameArraysOnce(Operation *root) {
  IRRewriter rewriter(root->getContext());
  SmallVector<linalg::GenericOp> ops;
  root->walk([&](linalg::GenericOp op) {
    if (op.getNumReductionLoops() == 0 && !op.getLibraryCall() &&
        !op->hasAttr(EinDialect::kScheduleAttr))
      ops.push_back(op);
  });
  for (linalg::GenericOp op : ops) {
    rewriter.setInsertionPoint(op);
    // It is as it was where there is nothing to do.
    (void)linalg::deduplicateOperandsAndRemoveDeadResults(
        rewriter, op, /*removeOutputs=*/false);
  }
}

namespace {
/// Upstream's set of patterns does more: it has an op that does not read its
/// destination write to a new tensor, which would have to be copied then.
///
/// A fusion copies both bodies. So what has become longer in a round is part of
/// another op in the next one at the earliest: of a chain of n ops, pairs
/// become one, and then pairs of these, which copies n log n operations in all.
struct FuseElementwisePattern : OpRewritePattern<linalg::GenericOp> {
  FuseElementwisePattern(MLIRContext *context, DenseSet<Operation *> &grown)
      : OpRewritePattern(context), grown(grown) {}
  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isWorthFusing(&operand) ||
          grown.contains(operand.get().getDefiningOp()) ||
          !linalg::areElementwiseOpsFusable(&operand))
        continue;
      if (!isOnlyReader(&operand)) {
        separateProducer(rewriter, operand);
        return success();
      }
      if (!operand.get().hasOneUse())
        return linalg::deduplicateOperandsAndRemoveDeadResults(
            rewriter, op, /*removeOutputs=*/false);
      FailureOr<linalg::ElementwiseOpFusionResult> fused =
          linalg::fuseElementwiseOps(rewriter, &operand);
      if (failed(fused))
        continue;
      fused->fusedOp->setLoc(
          withPlacesOf(op.getLoc(), operand.get().getDefiningOp()->getLoc()));
      SmallVector<Value> results =
          llvm::map_to_vector(op->getResults(), [&](Value result) {
            return fused->replacements.lookup(result);
          });
      rewriter.replaceOp(op, results);
      grown.insert(fused->fusedOp);
      return success();
    }
    return failure();
  }

private:
  /// What others have become part of in this round.
  DenseSet<Operation *> &grown;
};

struct FuseElementwisePass : impl::FuseElementwiseBase<FuseElementwisePass> {
  void runOnOperation() override {
    DenseSet<Operation *> grown;
    RewritePatternSet patterns(&getContext());
    patterns.add<FuseElementwisePattern>(&getContext(), grown);
    FrozenRewritePatternSet fusion(std::move(patterns));
    // It ends, as there are fewer ops after each fusion, but for copies of what
    // is cheap.
    GreedyRewriteConfig config;
    config.setMaxIterations(GreedyRewriteConfig::kNoLimit);
    do {
      grown.clear();
      if (failed(applyPatternsGreedily(getOperation(), fusion, config)))
        return signalPassFailure();
    } while (!grown.empty());
    nameArraysOnce(getOperation());
  }
};
} // namespace

} // namespace ein
