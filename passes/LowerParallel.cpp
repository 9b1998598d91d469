//===- LowerParallel.cpp - Parallel loops to OpenMP or to plain loops -----===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's conversion from scf has no word for OpenMP's `if`, and starting
// threads for a loop of ten points takes a hundred times as long as the loop.
// So the three ops are made here: a region, its share of the iterations, which
// are contiguous (the runtime's static schedule), and the loop.
//
// A parallel loop inside another one has its thread already; without threads,
// all of them are like that. A body may allocate on the stack, which would be
// given back at the end of the function: it saves the stack pointer and
// restores it in each step. (`memref.alloca_scope` would say so, but its
// lowering in LLVM 22 fails on bodies with loops.)
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "passes/Passes.h"
#include "passes/Strategy.h"

namespace ein {
#define GEN_PASS_DEF_LOWERPARALLEL
#include "passes/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

/// Moves the body of `loop` to the end of `block`, with `ivs` for its
/// variables; a body that allocates on the stack gives it back.
static void moveBody(RewriterBase &rewriter, scf::ParallelOp loop, Block *block,
                     ValueRange ivs) {
  Block *body = loop.getBody();
  bool allocates =
      body->walk([](memref::AllocaOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  rewriter.eraseOp(body->getTerminator());
  Operation *end = block->getTerminator();
  Value stack;
  if (allocates) {
    rewriter.setInsertionPoint(end);
    auto pointer = LLVM::LLVMPointerType::get(rewriter.getContext());
    stack = LLVM::StackSaveOp::create(rewriter, loop.getLoc(), pointer);
  }
  rewriter.inlineBlockBefore(body, end, ivs);
  if (allocates) {
    rewriter.setInsertionPoint(end);
    LLVM::StackRestoreOp::create(rewriter, loop.getLoc(), stack);
  }
  rewriter.eraseOp(loop);
}

static void lowerToLoops(RewriterBase &rewriter, scf::ParallelOp loop) {
  rewriter.setInsertionPoint(loop);
  SmallVector<Value> ivs;
  Block *block = nullptr;
  for (auto [lower, upper, step] : llvm::zip_equal(
           loop.getLowerBound(), loop.getUpperBound(), loop.getStep())) {
    auto nested =
        scf::ForOp::create(rewriter, loop.getLoc(), lower, upper, step);
    ivs.push_back(nested.getInductionVar());
    block = nested.getBody();
    rewriter.setInsertionPoint(block->getTerminator());
  }
  moveBody(rewriter, loop, block, ivs);
}

namespace {
/// Counts the points of a loop from what is known before it starts.
class PointCounter {
public:
  PointCounter(ImplicitLocOpBuilder &b, scf::ParallelOp loop)
      : b(b), loop(loop) {}

  Value count() { return countIn(loop, loop.getBody()); }

private:
  bool isKnown(Value value) {
    return !loop->isProperAncestor(value.getParentBlock()->getParentOp()) &&
           value.getParentBlock()->getParentOp() != loop;
  }

  /// The points of a loop with this body; an extent that is not known counts
  /// as 1.
  Value countIn(LoopLikeOpInterface op, Block *body) {
    Value points = countIn(body);
    auto lower = *op.getLoopLowerBounds(), upper = *op.getLoopUpperBounds();
    for (auto [from, to] : llvm::zip_equal(lower, upper)) {
      auto getValue = [&](OpFoldResult bound) {
        return getValueOrCreateConstantIndexOp(b, b.getLoc(), bound);
      };
      Value first = getValue(from), last = getValue(to);
      if (!isKnown(first) || !isKnown(last))
        continue;
      Value extent = b.createOrFold<arith::SubIOp>(last, first);
      points = b.createOrFold<arith::MulIOp>(points, extent);
    }
    return points;
  }

  Value countIn(Block *body) {
    Value sum;
    for (Operation &op : *body) {
      Value points;
      if (isa<scf::ForOp, scf::ParallelOp>(op))
        points =
            countIn(cast<LoopLikeOpInterface>(op), &op.getRegion(0).front());
      else if (auto scope = dyn_cast<memref::AllocaScopeOp>(op))
        points = countIn(&scope.getBodyRegion().front());
      if (points)
        sum = sum ? b.createOrFold<arith::AddIOp>(sum, points) : points;
    }
    return sum ? sum : arith::ConstantIndexOp::create(b, 1);
  }

  ImplicitLocOpBuilder &b;
  scf::ParallelOp loop;
};
} // namespace

static void lowerToThreads(RewriterBase &rewriter, scf::ParallelOp loop) {
  ImplicitLocOpBuilder b(loop.getLoc(), rewriter);
  b.setInsertionPoint(loop);
  omp::ParallelOperands region;
  auto least = loop->getAttrOfType<IntegerAttr>(kParallelAttr);
  if (least && least.getInt() > 0) {
    Value points = PointCounter(b, loop).count();
    Value bound = arith::ConstantIndexOp::create(b, least.getInt());
    region.ifExpr =
        b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::sge, points, bound);
  }
  auto parallel = omp::ParallelOp::create(b, region);
  b.createBlock(&parallel.getRegion());
  omp::WsloopOperands sharing;
  sharing.nowait = b.getUnitAttr();
  auto shared = omp::WsloopOp::create(b, sharing);
  omp::TerminatorOp::create(b);

  b.createBlock(&shared.getRegion());
  omp::LoopNestOperands bounds;
  bounds.loopLowerBounds = llvm::to_vector(loop.getLowerBound());
  bounds.loopUpperBounds = llvm::to_vector(loop.getUpperBound());
  bounds.loopSteps = llvm::to_vector(loop.getStep());
  bounds.collapseNumLoops = b.getI64IntegerAttr(loop.getNumLoops());
  auto nest = omp::LoopNestOp::create(b, bounds);
  SmallVector<Type> types(loop.getNumLoops(), b.getIndexType());
  SmallVector<Location> locations(loop.getNumLoops(), loop.getLoc());
  Block *block = b.createBlock(&nest.getRegion(), {}, types, locations);
  omp::YieldOp::create(b, ValueRange());
  moveBody(rewriter, loop, block, block->getArguments());
}

namespace {
struct LowerParallelPass : impl::LowerParallelBase<LowerParallelPass> {
  using LowerParallelBase::LowerParallelBase;
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    // Innermost first, so that a body is complete when it is moved.
    SmallVector<scf::ParallelOp> loops;
    getOperation().walk([&](scf::ParallelOp loop) { loops.push_back(loop); });
    for (scf::ParallelOp loop : loops) {
      if (loop.getNumReductions() != 0) {
        loop.emitOpError("reduces, which is not supported");
        return signalPassFailure();
      }
      if (threads && !loop->getParentOfType<scf::ParallelOp>())
        lowerToThreads(rewriter, loop);
      else
        lowerToLoops(rewriter, loop);
    }
  }
};
} // namespace

} // namespace ein
