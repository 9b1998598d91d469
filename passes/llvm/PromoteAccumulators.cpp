//===- PromoteAccumulators.cpp - Scalar accumulators in registers -------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reduction that has become scalar loops reads and writes its element of the
// result in every step. LLVM would keep it in a register if it could prove that
// nothing else in the loop touches it; it cannot, because temporaries are parts
// of one allocation. Here it is plain: temporaries are different views, and an
// output overlaps nothing by contract.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/analysis/MemoryObjects.h"
#include "passes/llvm/Passes.h"

namespace ein {
#define GEN_PASS_DEF_PROMOTEACCUMULATORS
#include "passes/llvm/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

/// Whether anything in `loop` but `load` and `store` may touch `object`.
static bool isTouched(scf::ForOp loop, Value object, memref::LoadOp load,
                      memref::StoreOp store) {
  return loop
      ->walk([&](Operation *op) {
        if (op == load || op == store || op == loop.getOperation())
          return WalkResult::advance();
        auto effects = dyn_cast<MemoryEffectOpInterface>(op);
        if (!effects && op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
          return WalkResult::advance();
        if (!effects)
          return WalkResult::interrupt();
        SmallVector<MemoryEffects::EffectInstance> instances;
        effects.getEffects(instances);
        for (MemoryEffects::EffectInstance &instance : instances) {
          Value other =
              instance.getValue() ? getObject(instance.getValue()) : Value();
          if (!other || other == object)
            return WalkResult::interrupt();
        }
        return WalkResult::advance();
      })
      .wasInterrupted();
}

/// The load of the element that `store` writes, if it is the loop's only other
/// access to the object, and the element is the same in every step.
static memref::LoadOp findAccumulator(scf::ForOp loop, memref::StoreOp store) {
  auto isInvariant = [&](Value value) {
    return loop.isDefinedOutsideOfLoop(value);
  };
  Value object = getObject(store.getMemRef());
  if (!object || !isInvariant(store.getMemRef()) ||
      !llvm::all_of(store.getIndices(), isInvariant))
    return nullptr;
  for (auto load : loop.getBody()->getOps<memref::LoadOp>())
    if (load.getMemRef() == store.getMemRef() &&
        load.getIndices() == store.getIndices() &&
        load->isBeforeInBlock(store) && !isTouched(loop, object, load, store))
      return load;
  return nullptr;
}

bool promoteAccumulator(RewriterBase &rewriter, scf::ForOp loop) {
  for (auto store : loop.getBody()->getOps<memref::StoreOp>()) {
    memref::LoadOp load = findAccumulator(loop, store);
    if (!load)
      continue;
    rewriter.setInsertionPoint(loop);
    auto initial = cast<memref::LoadOp>(rewriter.clone(*load));
    auto yield = [&](OpBuilder &, Location,
                     ArrayRef<BlockArgument>) -> SmallVector<Value> {
      return {store.getValue()};
    };
    FailureOr<LoopLikeOpInterface> promoted = loop.replaceWithAdditionalYields(
        rewriter, initial.getResult(), /*replaceInitOperandUsesInLoop=*/false,
        yield);
    if (failed(promoted)) {
      rewriter.eraseOp(initial);
      return false;
    }
    auto newLoop = cast<scf::ForOp>(promoted->getOperation());
    rewriter.setInsertionPointAfter(newLoop);
    memref::StoreOp::create(rewriter, store.getLoc(),
                            newLoop.getResults().back(), store.getMemRef(),
                            store.getIndices());
    rewriter.replaceOp(load, newLoop.getRegionIterArgs().back());
    rewriter.eraseOp(store);
    return true;
  }
  return false;
}

namespace {
struct PromoteAccumulatorsPass
    : impl::PromoteAccumulatorsBase<PromoteAccumulatorsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    // From the innermost loop outwards: an accumulator that has left one loop
    // may leave the next.
    bool changed = true;
    while (changed) {
      changed = false;
      SmallVector<scf::ForOp> loops;
      getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
      for (scf::ForOp loop : loops)
        if (promoteAccumulator(rewriter, loop)) {
          changed = true;
          ++numPromoted;
          break;
        }
    }
  }
};
} // namespace

} // namespace ein
