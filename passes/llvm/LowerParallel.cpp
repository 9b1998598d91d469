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

#include "ir/EinDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "passes/llvm/Passes.h"
#include "passes/schedule/ScheduledOps.h"

namespace ein {
#define GEN_PASS_DEF_LOWERPARALLEL
#include "passes/llvm/Passes.h.inc"
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

/// How many points of an iteration space these vectors or numbers stand for.
static int64_t getNumElements(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector && !vector.isScalable() ? vector.getNumElements() : 1;
}

/// The points of a block's own operations: its products, or what it writes, or
/// the longest of what it reads. Contractions are products by now.
static int64_t countOwn(Block &block) {
  int64_t products = 0, written = 0, read = 1;
  for (Operation &op : block) {
    if (isa<vector::FMAOp, math::FmaOp, arith::MulFOp, arith::MulIOp>(op))
      products += getNumElements(op.getResult(0).getType());
    else if (auto store = dyn_cast<vector::StoreOp>(op))
      written += getNumElements(store.getValueToStore().getType());
    else if (auto store = dyn_cast<vector::MaskedStoreOp>(op))
      written += getNumElements(store.getValueToStore().getType());
    else if (auto write = dyn_cast<vector::TransferWriteOp>(op))
      written += getNumElements(write.getValueToStore().getType());
    else if (isa<memref::StoreOp>(op))
      ++written;
    else if (isa<vector::LoadOp, vector::MaskedLoadOp, vector::TransferReadOp>(
                 op))
      read = std::max(read, getNumElements(op.getResult(0).getType()));
  }
  return std::max({products, written, read});
}

namespace {
/// Counts the points of a loop before it starts: of loops inside it whose
/// bounds depend on where an outer one is, as many as the first iteration has,
/// which is of a whole block where there is one.
class PointCounter {
public:
  PointCounter(ImplicitLocOpBuilder &b, scf::ParallelOp loop)
      : b(b), loop(loop) {}

  Value count() { return countIn(loop, loop.getBody()); }

private:
  Value getConstant(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }

  /// `value` as it is in the first iteration of all loops, computed before
  /// them, or null.
  Value getFirst(Value value) {
    if (Value known = first.lookupOrNull(value))
      return known;
    Operation *parent = value.getParentBlock()->getParentOp();
    if (parent != loop && !loop->isProperAncestor(parent))
      return value;
    Value result;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto around = dyn_cast<LoopLikeOpInterface>(parent);
      std::optional<SmallVector<Value>> ivs =
          around ? around.getLoopInductionVars() : std::nullopt;
      if (!ivs || !llvm::is_contained(*ivs, value))
        return {};
      auto lower = *around.getLoopLowerBounds();
      unsigned dim = llvm::find(*ivs, value) - ivs->begin();
      result = getFirst(lower[dim]);
    } else {
      Operation *op = value.getDefiningOp();
      if (op->getNumRegions() != 0 || !isMemoryEffectFree(op))
        return {};
      IRMapping operands;
      for (Value operand : op->getOperands()) {
        Value known = getFirst(operand);
        if (!known)
          return {};
        operands.map(operand, known);
      }
      Operation *copy = b.clone(*op, operands);
      result = copy->getResult(cast<OpResult>(value).getResultNumber());
    }
    if (result)
      first.map(value, result);
    return result;
  }

  /// Whether the bound was one that had to be computed for this.
  bool isInner(OpFoldResult bound) {
    auto value = dyn_cast<Value>(bound);
    return value && first.contains(value);
  }

  Value getFirst(OpFoldResult bound) {
    if (auto value = dyn_cast<Value>(bound))
      return getFirst(value);
    return getValueOrCreateConstantIndexOp(b, b.getLoc(), bound);
  }

  /// The points of a loop with this body; an extent that is not known counts
  /// as 1.
  Value countIn(LoopLikeOpInterface op, Block *body) {
    Value points = countIn(body);
    auto lower = *op.getLoopLowerBounds(), upper = *op.getLoopUpperBounds(),
         steps = *op.getLoopSteps();
    for (auto [from, to, step] : llvm::zip_equal(lower, upper, steps)) {
      Value begin = getFirst(from), end = getFirst(to), by = getFirst(step);
      if (!begin || !end || !by)
        continue;
      Value extent = b.createOrFold<arith::SubIOp>(end, begin);
      Value steps = b.createOrFold<arith::CeilDivSIOp>(extent, by);
      // A triangle begins with nothing.
      if (isInner(from) || isInner(to))
        steps = b.createOrFold<arith::MaxSIOp>(steps, getConstant(1));
      points = b.createOrFold<arith::MulIOp>(points, steps);
    }
    return points;
  }

  Value countIn(Block *body) {
    Value sum;
    for (Operation &op : *body) {
      Value points;
      if (isa<scf::ForOp, scf::ParallelOp>(op)) {
        points =
            countIn(cast<LoopLikeOpInterface>(op), &op.getRegion(0).front());
      } else if (auto scope = dyn_cast<memref::AllocaScopeOp>(op)) {
        points = countIn(&scope.getBodyRegion().front());
      } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
        points = countIn(branch.thenBlock());
        if (Block *other = branch.elseBlock())
          points = b.createOrFold<arith::MaxSIOp>(points, countIn(other));
      }
      if (points)
        sum = sum ? b.createOrFold<arith::AddIOp>(sum, points) : points;
    }
    return sum ? sum : getConstant(countOwn(*body));
  }

  ImplicitLocOpBuilder &b;
  scf::ParallelOp loop;
  IRMapping first;
};
} // namespace

static void lowerToThreads(RewriterBase &rewriter, scf::ParallelOp loop) {
  ImplicitLocOpBuilder b(loop.getLoc(), rewriter);
  b.setInsertionPoint(loop);
  omp::ParallelOperands region;
  auto least = loop->getAttrOfType<IntegerAttr>(EinDialect::kParallelAttr);
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
