//===- FillTiles.cpp - Schedules of fills that clean-up made -------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Canonicalisation pulls the padding and the slices of a register tile through
// the fill of C: the tile then starts from a fill of its own, which nobody has
// decided on. It has the shape of the tile, so it is as many vectors. Other ops
// that it makes, copies among them, are loops.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "passes/schedule/ScheduledOps.h"
#include "passes/tiled/Passes.h"

namespace ein {
#define GEN_PASS_DEF_FILLTILES
#include "passes/tiled/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

/// Whether a register tile of a product, whose size is static, starts from
/// `value`, in each block of k or in the first.
static bool isStartOfTile(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    if (auto select = dyn_cast<arith::SelectOp>(user))
      return isStartOfTile(select.getResult());
    return hasSchedule(user, Schedule::PackedGemm);
  });
}

namespace {
struct FillTilesPass : impl::FillTilesBase<FillTilesPass> {
  void runOnOperation() override {
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op->hasAttr(EinDialect::kScheduleAttr))
        return;
      Schedule schedule;
      if (auto fill = dyn_cast<linalg::FillOp>(op.getOperation());
          fill && fill.hasPureTensorSemantics() &&
          isStartOfTile(fill.getResult(0))) {
        auto type = cast<RankedTensorType>(fill.getResult(0).getType());
        schedule.kind = Schedule::Vectorize;
        schedule.tile.assign(type.getRank(), 0);
        schedule.vectorDim = type.getRank() - 1;
      }
      op->setAttr(EinDialect::kScheduleAttr, schedule.toAttr(&getContext()));
    });
  }
};
} // namespace

} // namespace ein
