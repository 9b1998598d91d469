//===- PrepareSource.cpp - Ops of users that the pipelines do not know ----===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Our own programs use a part of upstream's dialects; users use all of it. What
// is a combination of other ops is replaced by them here, once, so that no
// later pass need know it: softmax, pack and unpack, winograd, concatenation.
// Copies of memrefs become structured ops, because `memref.copy` of a strided
// one becomes a call of a function that no object of ours has; and what the
// source frees is not freed, because the pipeline frees what is allocated.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/analysis/Aggregates.h"
#include "passes/source/Passes.h"

namespace ein {
#define GEN_PASS_DEF_PREPARESOURCE
#include "passes/source/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

/// Has an op that reads and writes each element of one array read it as what is
/// written over: `ins(%x) outs(%x)`. As an input it would be what it was before
/// the loops that tiles are made of, and be copied.
static void readWritten(linalg::GenericOp op) {
  if (op.getNumDpsInits() != 1 || op.getNumParallelLoops() != op.getNumLoops())
    return;
  Value written = op.getDpsInits()[0];
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!map.isPermutation())
    return;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (int64_t i = op.getNumDpsInputs() - 1; i >= 0; --i) {
    if (op.getDpsInputs()[i] != written || maps[i] != map)
      continue;
    op.getBody()->getArgument(i).replaceAllUsesWith(
        op.getBody()->getArguments().back());
    op.getBody()->eraseArgument(i);
    op.getInputsMutable().erase(i);
    maps.erase(maps.begin() + i);
    op.setIndexingMapsAttr(
        Builder(op.getContext()).getAffineMapArrayAttr(maps));
  }
}

/// Replaces `op` by ops that compute the same; success if it is none of those
/// that are combinations, too.
static LogicalResult decompose(RewriterBase &rewriter, Operation *op) {
  rewriter.setInsertionPoint(op);
  // On memrefs it is lifted before.
  if (isAggregate(op) && op->getNumResults() != 0)
    return decomposeAggregate(rewriter, op);
  if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    linalg::makeMemRefCopyOp(rewriter, op->getLoc(), copy.getSource(),
                             copy.getTarget());
    rewriter.eraseOp(op);
  } else if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
    readWritten(generic);
  } else if (auto dealloc = dyn_cast<memref::DeallocOp>(op)) {
    if (!dealloc.getMemref().getDefiningOp<memref::AllocOp>())
      return op->emitError("frees what is not allocated in this function");
    rewriter.eraseOp(op);
  }
  return success();
}

namespace {
struct PrepareSourcePass : impl::PrepareSourceBase<PrepareSourcePass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops)
      if (failed(decompose(rewriter, op)))
        return signalPassFailure();

    RewritePatternSet patterns(&getContext());
    linalg::populateDecomposeWinogradOpsPatterns(patterns);
    tensor::populateDecomposeTensorConcatPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
  }
};
} // namespace

} // namespace ein
