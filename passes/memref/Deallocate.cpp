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
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Bufferization/IR/BufferDeallocationOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/memref/Passes.h"

namespace ein {
#define GEN_PASS_DEF_DEALLOCATE
#include "passes/memref/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
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
  }
};
} // namespace
} // namespace ein
