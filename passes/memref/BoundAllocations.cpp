//===- BoundAllocations.cpp - Allocations of loops whose sizes vary -------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function allocates once, before anything else happens, so no buffer may be
// allocated in a loop. One whose size is the same in all rounds leaves it by
// itself. Others, a copy of a part that shrinks say, become views of one that
// is as large as any of them.
//
//===----------------------------------------------------------------------===//

#include "abi/CacheLine.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "passes/analysis/ElementBytes.h"
#include "passes/analysis/LoopBounds.h"
#include "passes/memref/Passes.h"

namespace ein {
#define GEN_PASS_DEF_BOUNDALLOCATIONS
#include "passes/memref/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

static void boundAllocation(memref::AllocOp alloc, DominanceInfo &dominance) {
  Operation *outermost = getOutermostLoop(alloc);
  MemRefType type = alloc.getType();
  if (!outermost || alloc.getDynamicSizes().empty() ||
      !type.getLayout().isIdentity())
    return;
  ImplicitLocOpBuilder b(alloc.getLoc(), outermost);
  int64_t fixed = getElementBytes(type);
  for (int64_t extent : type.getShape())
    if (!ShapedType::isDynamic(extent))
      fixed *= extent;
  Value bytes = arith::ConstantIndexOp::create(b, fixed);
  for (Value size : alloc.getDynamicSizes()) {
    Value bound = getLargestSize(b, alloc.getLoc(), size, outermost, dominance);
    if (!bound)
      return;
    bytes = arith::MulIOp::create(b, bytes, bound);
  }
  Value largest = memref::AllocOp::create(
      b, MemRefType::get({ShapedType::kDynamic}, b.getI8Type()), bytes,
      b.getI64IntegerAttr(kCacheLineBytes));
  b.setInsertionPoint(alloc);
  Value view = memref::ViewOp::create(b, type, largest,
                                      arith::ConstantIndexOp::create(b, 0),
                                      alloc.getDynamicSizes());
  alloc.replaceAllUsesWith(view);
  alloc.erase();
}

namespace {
struct BoundAllocationsPass : impl::BoundAllocationsBase<BoundAllocationsPass> {
  void runOnOperation() override {
    SmallVector<memref::AllocOp> allocs;
    getOperation().walk([&](memref::AllocOp op) { allocs.push_back(op); });
    if (allocs.empty())
      return;
    DominanceInfo dominance(getOperation());
    for (memref::AllocOp alloc : allocs)
      boundAllocation(alloc, dominance);
  }
};
} // namespace

} // namespace ein
