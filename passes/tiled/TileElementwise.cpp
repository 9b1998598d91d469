//===- TileElementwise.cpp - Tile elementwise ops to vectors ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One vector at a time along one dim. The loop along that dim is peeled: its
// main part has tiles of static size, which vectorisation takes; what is left
// at the end, shorter than a vector, stays a linalg op and becomes scalar code.
// The main part carries on what the strategy says of its stores, and how many
// of its steps are made one.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "passes/schedule/Strategy.h"
#include "passes/tiled/Passes.h"
#include "passes/tiled/Transforms.h"

namespace ein {
#define GEN_PASS_DEF_TILEELEMENTWISE
#include "passes/tiled/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {
struct TileElementwisePass : impl::TileElementwiseBase<TileElementwisePass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (auto op : collectWithStrategy<linalg::LinalgOp>(getOperation(),
                                                         Strategy::Vectorize))
      if (failed(tileByStrategy(rewriter, op)))
        return signalPassFailure();

    // The loop right round a tile is the one along the vector dim: strategies
    // put it innermost.
    std::vector<std::pair<scf::ForOp, Strategy>> loops;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (!hasStrategy(op, Strategy::Vectorize))
        return;
      auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
      FailureOr<Strategy> strategy = Strategy::fromOp(op, op.getNumLoops());
      if (loop && succeeded(strategy))
        loops.push_back({loop, *strategy});
    });
    for (auto &[loop, strategy] : loops) {
      scf::ForOp rest;
      // One step is nothing to share.
      if (succeeded(scf::peelForLoopAndSimplifyBounds(rewriter, loop, rest)))
        rest->removeAttr(EinDialect::kParallelAttr);
      if (strategy.streamBytes != 0)
        loop->setAttr(EinDialect::kStreamAttr,
                      rewriter.getI64IntegerAttr(strategy.streamBytes));
      if (strategy.prefetch != 0)
        loop->setAttr(EinDialect::kNextRowAttr, rewriter.getUnitAttr());
      if (strategy.unroll != 1)
        loop->setAttr(EinDialect::kUnrollAttr,
                      rewriter.getI64IntegerAttr(strategy.unroll));
    }
  }
};
} // namespace
} // namespace ein
