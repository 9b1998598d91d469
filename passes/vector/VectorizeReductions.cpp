//===- VectorizeReductions.cpp - Reductions in vectors --------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Obeys `Schedule::Reduce`, whose reasons are in SelectReductions.cpp. Loops
// over blocks are the outer ones; what is in a block stays in registers:
//
//  * Vectors along a reduced dim are accumulators that start from what changes
//    nothing, and whose lanes are combined at the end, in halves. The result's
//    element is combined with that once. So NaN and zeros are treated as the
//    scalar op treats them, and lanes behind the end of a row are left out by a
//    select, which is no part of what is reduced.
//  * Vectors along the result are its elements, and the loops over sums carry a
//    few of them, from what the result holds or from the number that it was
//    filled with.
//
// The last vector is masked where the machine can; elsewhere its elements are
// vectors of one. So is a first one, where rows begin anywhere in a vector.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"
#include "passes/analysis/Decline.h"
#include "passes/analysis/IeeeMinMax.h"
#include "passes/analysis/Reductions.h"
#include "passes/schedule/ScheduledOps.h"
#include "passes/vector/ForwardScalars.h"
#include "passes/vector/Passes.h"
#include "passes/vector/ReductionVectorizer.h"
#include "passes/vector/ScaledSums.h"

namespace ein {
#define GEN_PASS_DEF_VECTORIZEREDUCTIONS
#include "passes/vector/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

/// Whether the schedule is one for the op.
static LogicalResult check(linalg::GenericOp op, const Schedule &schedule) {
  FailureOr<ReductionInfo> info = matchReduction(
      op, schedule.vectorDim, emitDeclined(op, "cannot be reduced in vectors"));
  if (failed(info))
    return failure();
  if (schedule.widening > 1 && (!info->isRow || getWidening(op) == 1 ||
                                schedule.widening % getWidening(op) != 0))
    return op.emitOpError("does not add up ")
           << schedule.widening << " elements in a lane as wide as these";
  if (schedule.ieeeMinMax && !isExtreme(op))
    return op.emitOpError(
        "is no maximum or minimum of floats for IEEE 754 semantics");
  bool isFirst = true;
  for (int64_t dim = 0, e = op.getNumLoops(); dim < e; ++dim) {
    bool isSum = !info->output.isFunctionOfDim(dim);
    int64_t tile = schedule.tile[dim];
    bool isRight =
        dim == schedule.vectorDim
            ? !info->isRow || tile == 0
            : (isSum ? tile == 0 || (isFirst && !info->isRow) : tile == 1);
    if (!isRight)
      return op.emitOpError("has a tile of ")
             << tile << " along d" << dim
             << ", which a reduction does not have there";
    isFirst &= !isSum;
  }
  return success();
}

namespace {
struct VectorizeReductionsPass
    : impl::VectorizeReductionsBase<VectorizeReductionsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (auto op : collectWithSchedule<linalg::GenericOp>(getOperation(),
                                                          Schedule::Reduce)) {
      FailureOr<Schedule> schedule = Schedule::fromOp(op, op.getNumLoops());
      if (failed(schedule) || failed(check(op, *schedule)))
        return signalPassFailure();
      rewriter.setInsertionPoint(op);
      auto createSum = [&](linalg::GenericOp sum) {
        return ReductionVectorizer(rewriter, sum, *schedule).create();
      };
      Operation *scaling = schedule->unroll > 1 ? getScaling(op) : nullptr;
      Value result = scaling ? createScaledSum(rewriter, op, scaling, createSum)
                             : createSum(op);
      rewriter.replaceOp(op, result);
    }
    forwardScalars(rewriter, getOperation());
  }
};
} // namespace

} // namespace ein
