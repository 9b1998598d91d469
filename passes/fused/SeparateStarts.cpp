//===- SeparateStarts.cpp - A fill for each sum ---------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two sums of one shape start from the same zeros, which common subexpression
// elimination has noticed: one fill is left, and a buffer that is filled once
// and copied for each of them. But a fill costs nothing where a tile starts
// from the number instead of from memory, which a sum does that has its fill to
// itself.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "passes/fused/Passes.h"

namespace ein {
#define GEN_PASS_DEF_SEPARATESTARTS
#include "passes/fused/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

/// Has `destination` a value of its own, if it is one that others use as well
/// and that can be made again at no cost.
static void separate(OpBuilder &b, OpOperand &destination) {
  Operation *start = destination.get().getDefiningOp();
  if (!start || destination.get().hasOneUse())
    return;
  b.setInsertionPoint(destination.getOwner());
  if (isa<tensor::EmptyOp>(start)) {
    destination.set(b.clone(*start)->getResult(0));
    return;
  }
  auto fill = dyn_cast<linalg::FillOp>(start);
  if (!fill || !fill.getOutputs()[0].getDefiningOp<tensor::EmptyOp>())
    return;
  auto own = cast<linalg::FillOp>(b.clone(*fill));
  destination.set(own.getResult(0));
  separate(b, own.getOutputsMutable()[0]);
}

namespace {
struct SeparateStartsPass : impl::SeparateStartsBase<SeparateStartsPass> {
  void runOnOperation() override {
    OpBuilder b(&getContext());
    getOperation().walk([&](DestinationStyleOpInterface op) {
      if (op.getNumDpsInits() != 0 && op->getNumResults() != 0)
        for (OpOperand &destination : op.getDpsInitsMutable())
          separate(b, destination);
    });
  }
};
} // namespace

} // namespace ein
