//===- BoundBuffers.cpp - Buffers of loops whose sizes vary ---------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All memory of a function is one allocation, at its start. A buffer that each
// round of a loop would have in another size is a slice of one that is as large
// as any of them.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "passes/analysis/LoopBounds.h"
#include "passes/source/Passes.h"

namespace ein {
#define GEN_PASS_DEF_BOUNDBUFFERS
#include "passes/source/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

static void boundBuffer(tensor::EmptyOp buffer, RewriterBase &rewriter,
                        DominanceInfo &dominance) {
  Operation *loop = getOutermostLoop(buffer);
  if (!loop)
    return;
  Location loc = buffer.getLoc();
  rewriter.setInsertionPoint(loop);
  SmallVector<Value> bounds;
  for (Value size : buffer.getDynamicSizes()) {
    bounds.push_back(getLargestSize(rewriter, loc, size, loop, dominance));
    if (!bounds.back())
      return;
  }
  // One that is the same in each round leaves the loop by itself.
  if (llvm::equal(bounds, buffer.getDynamicSizes()))
    return;
  RankedTensorType type = buffer.getType();
  Value largest = tensor::EmptyOp::create(rewriter, loc, type, bounds);
  rewriter.setInsertionPoint(buffer);
  SmallVector<OpFoldResult> zeros(type.getRank(), rewriter.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(type.getRank(), rewriter.getIndexAttr(1));
  rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(
      buffer, type, largest, zeros, buffer.getMixedSizes(), ones);
}

namespace {
struct BoundBuffersPass : impl::BoundBuffersBase<BoundBuffersPass> {
  void runOnOperation() override {
    SmallVector<tensor::EmptyOp> buffers;
    getOperation().walk([&](tensor::EmptyOp op) { buffers.push_back(op); });
    if (buffers.empty())
      return;
    IRRewriter rewriter(&getContext());
    DominanceInfo dominance(getOperation());
    for (tensor::EmptyOp buffer : buffers)
      boundBuffer(buffer, rewriter, dominance);
  }
};
} // namespace

} // namespace ein
