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
// The main part carries on what the schedule says of its stores, and how many
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
#include "passes/schedule/ScheduledOps.h"
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
    for (auto op : collectWithSchedule<linalg::LinalgOp>(getOperation(),
                                                         Schedule::Vectorize))
      if (failed(tileBySchedule(rewriter, op)))
        return signalPassFailure();

    // The loop right round a tile is the one along the vector dim: schedules
    // put it innermost.
    std::vector<std::pair<scf::ForOp, Schedule>> loops;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (!hasSchedule(op, Schedule::Vectorize))
        return;
      auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
      FailureOr<Schedule> schedule = Schedule::fromOp(op, op.getNumLoops());
      if (loop && succeeded(schedule))
        loops.push_back({loop, *schedule});
    });
    for (auto &[loop, schedule] : loops) {
      scf::ForOp rest;
      // One step is nothing to share.
      if (succeeded(scf::peelForLoopAndSimplifyBounds(rewriter, loop, rest)))
        rest->removeAttr(EinDialect::kParallelAttr);
      if (schedule.streamBytes != 0)
        loop->setAttr(EinDialect::kStreamAttr,
                      rewriter.getI64IntegerAttr(schedule.streamBytes));
      if (schedule.prefetch != 0)
        loop->setAttr(EinDialect::kNextRowAttr, rewriter.getUnitAttr());
      if (schedule.unroll != 1)
        loop->setAttr(EinDialect::kUnrollAttr,
                      rewriter.getI64IntegerAttr(schedule.unroll));
    }
  }
};
} // namespace
} // namespace ein
