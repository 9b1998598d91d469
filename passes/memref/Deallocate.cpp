//===- Deallocate.cpp - Give memory back ----------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's ownership-based deallocation asks, of every memref that a loop or
// a branch hands on, whether it is still to be given back, and carries the
// answer beside it. In a function that allocates nothing the answer is no, but
// nobody finds that out: the question would stay, and allocate memory for its
// own lists.
//
// It asks at the end of a block, of all that was allocated there at once, since
// one may be another. Upstream's simplification compares each with all others,
// which of a thousand buffers took longer than everything before. So what is
// handed on to nothing, of which all other names are views, is asked about
// alone from the beginning.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Bufferization/IR/BufferDeallocationOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "passes/memref/Passes.h"

namespace ein {
#define GEN_PASS_DEF_DEALLOCATE
#include "passes/memref/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

/// What a name of memory is a view of.
static Value getRoot(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  return memref;
}

/// Whether memory has other names than views of it.
static bool isHandedOn(Value root) {
  SmallVector<Value> names = {root};
  while (!names.empty())
    for (Operation *user : names.pop_back_val().getUsers()) {
      if (user->hasTrait<OpTrait::IsTerminator>() ||
          isa<RegionBranchOpInterface, BranchOpInterface>(user))
        return true;
      for (Value result : user->getResults())
        if (isa<BaseMemRefType>(result.getType())) {
          if (!isa<ViewLikeOpInterface>(user))
            return true;
          names.push_back(result);
        }
    }
  return false;
}

/// Asks alone about what nothing else that is asked about can be.
static void splitDealloc(bufferization::DeallocOp op) {
  if (!op.getRetained().empty())
    return;
  llvm::DenseMap<Value, unsigned> numNames;
  for (Value memref : op.getMemrefs())
    ++numNames[getRoot(memref)];
  if (numNames.size() < 2)
    return;
  OpBuilder b(op);
  SmallVector<Value> memrefs, conditions;
  for (auto [memref, condition] :
       llvm::zip_equal(op.getMemrefs(), op.getConditions())) {
    Value root = getRoot(memref);
    if (!root.getDefiningOp<memref::AllocOp>() || numNames[root] > 1 ||
        isHandedOn(root)) {
      memrefs.push_back(memref);
      conditions.push_back(condition);
      continue;
    }
    bufferization::DeallocOp::create(b, op.getLoc(), memref, condition,
                                     /*retained=*/ValueRange());
  }
  if (!memrefs.empty())
    bufferization::DeallocOp::create(b, op.getLoc(), memrefs, conditions,
                                     /*retained=*/ValueRange());
  op.erase();
}

namespace {
struct DeallocatePass : impl::DeallocateBase<DeallocatePass> {
  void runOnOperation() override {
    auto allocates = [](func::FuncOp function) {
      return function
          .walk([](MemoryEffectOpInterface op) {
            return op.hasEffect<MemoryEffects::Allocate>()
                       ? WalkResult::interrupt()
                       : WalkResult::advance();
          })
          .wasInterrupted();
    };
    SymbolTableCollection symbols;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() && allocates(function) &&
          failed(bufferization::deallocateBuffersOwnershipBased(
              function, bufferization::DeallocationOptions(), symbols)))
        return signalPassFailure();
    SmallVector<bufferization::DeallocOp> deallocs;
    getOperation().walk(
        [&](bufferization::DeallocOp op) { deallocs.push_back(op); });
    for (bufferization::DeallocOp op : deallocs)
      splitDealloc(op);
  }
};
} // namespace
} // namespace ein
