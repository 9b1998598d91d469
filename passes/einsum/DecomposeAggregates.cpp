//===- DecomposeAggregates.cpp - Softmax and packs as simpler ops ---------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call of a named op is that op at the `mlir` level, and a few of linalg's
// are no structured ops: they combine others. They end here, by upstream's
// decompositions, so that what comes after knows structured ops only. The packs
// of the `tiled` level are ours and come later.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "passes/analysis/Aggregates.h"
#include "passes/einsum/Passes.h"

namespace ein {
#define GEN_PASS_DEF_DECOMPOSEAGGREGATES
#include "passes/einsum/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

bool isAggregate(Operation *op) {
  return isa<linalg::AggregatedOpInterface, linalg::PackOp, linalg::UnPackOp>(
      op);
}

/// The sum that a softmax divides by may be computed in any order, like the
/// sums of statements.
static void relaxSum(Value softmax) {
  auto quotient = softmax.getDefiningOp<linalg::GenericOp>();
  if (!quotient)
    return;
  for (Value input : quotient.getInputs())
    if (auto generic = input.getDefiningOp<linalg::GenericOp>())
      for (auto sum : generic.getBody()->getOps<arith::AddFOp>())
        sum.setFastmath(arith::FastMathFlags::reassoc |
                        arith::FastMathFlags::contract);
}

LogicalResult decomposeAggregate(RewriterBase &rewriter, Operation *op) {
  rewriter.setInsertionPoint(op);
  if (auto pack = dyn_cast<linalg::PackOp>(op)) {
    if (failed(linalg::lowerPack(rewriter, pack)))
      return op->emitError("`linalg.pack` cannot be lowered with these tiles");
    return success();
  }
  if (auto unpack = dyn_cast<linalg::UnPackOp>(op)) {
    if (failed(linalg::lowerUnPack(rewriter, unpack)))
      return op->emitError(
          "`linalg.unpack` cannot be lowered with these tiles");
    return success();
  }
  auto aggregated = cast<linalg::AggregatedOpInterface>(op);
  FailureOr<SmallVector<Value>> values =
      aggregated.decomposeOperation(rewriter);
  if (failed(values))
    return op->emitError("`") << op->getName() << "` cannot be decomposed";
  if (isa<linalg::SoftmaxOp>(op))
    relaxSum(values->front());
  rewriter.replaceOp(op, *values);
  return success();
}

namespace {
struct DecomposeAggregatesPass
    : impl::DecomposeAggregatesBase<DecomposeAggregatesPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isAggregate(op))
        ops.push_back(op);
    });
    for (Operation *op : ops)
      if (failed(decomposeAggregate(rewriter, op)))
        return signalPassFailure();
  }
};
} // namespace

} // namespace ein
