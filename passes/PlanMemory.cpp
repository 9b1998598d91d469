//===- PlanMemory.cpp - One allocation for all temporaries --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each allocation can fail, and code that has half of its buffers would have to
// give them back before it says so. So all temporaries of a function become
// parts of one buffer, whose size is computed from the function's arguments
// before anything else happens: there is one call that can fail, and nothing to
// undo when it does.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "passes/ElementBytes.h"
#include "passes/Passes.h"
#include "passes/PrintSizes.h"

namespace ein {
#define GEN_PASS_DEF_PLANMEMORY
#include "passes/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

/// Parts of the buffer start at cache lines.
static constexpr int64_t kAlignment = 64;

/// The bytes of a buffer, up to the next multiple of the alignment.
static OpFoldResult getBytes(ImplicitLocOpBuilder &b, memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  int64_t fixed = getElementBytes(type);
  for (int64_t extent : type.getShape())
    if (!ShapedType::isDynamic(extent))
      fixed *= extent;
  // A product of sizes is not affine: multiply as values.
  Value dynamic;
  for (Value extent : alloc.getDynamicSizes())
    dynamic = dynamic ? arith::MulIOp::create(b, dynamic, extent).getResult()
                      : extent;
  if (!dynamic)
    return b.getIndexAttr(llvm::alignTo(fixed, kAlignment));
  AffineExpr d0 = b.getAffineDimExpr(0);
  return affine::makeComposedFoldedAffineApply(
      b, b.getLoc(), (d0 * fixed).ceilDiv(kAlignment) * kAlignment,
      {OpFoldResult(dynamic)});
}

static LogicalResult planMemory(RewriterBase &rewriter, func::FuncOp function) {
  Block &entry = function.getBody().front();
  SmallVector<memref::AllocOp> allocs(entry.getOps<memref::AllocOp>());
  if (allocs.empty()) {
    remark::analysis(function.getLoc(),
                     remark::RemarkOpts::name("Memory").category("memory"))
        << (function.getName() + " allocates nothing").str();
    return success();
  }

  // What the sizes are computed from comes first, and before anything is
  // written: without memory, nothing has happened.
  Operation *first = &*llvm::find_if(
      entry, [](Operation &op) { return !isMemoryEffectFree(&op); });
  for (memref::AllocOp alloc : allocs)
    if (failed(moveValueDefinitions(rewriter, alloc.getDynamicSizes(), first)))
      return alloc.emitOpError("has a size that depends on what the function "
                               "computes");
  ImplicitLocOpBuilder b(function.getLoc(), rewriter);
  b.setInsertionPoint(first);
  OpFoldResult end = b.getIndexAttr(0);
  SmallVector<OpFoldResult> offsets;
  AffineExpr d0, d1;
  bindDims(b.getContext(), d0, d1);
  SizePrinter printer(function);
  std::string total;
  auto report = [](Location loc, const std::string &text) {
    remark::analysis(loc, remark::RemarkOpts::name("Memory").category("memory"))
        << text;
  };
  for (memref::AllocOp alloc : allocs) {
    std::string bytes = printer.printBytes(alloc);
    report(alloc.getLoc(), "a temporary of " + bytes + " bytes");
    total += (total.empty() ? "" : " + ") + bytes;
    offsets.push_back(end);
    end = affine::makeComposedFoldedAffineApply(b, b.getLoc(), d0 + d1,
                                                {end, getBytes(b, alloc)});
  }

  report(function.getLoc(),
         (function.getName() + " allocates once: " + total +
          " bytes, each temporary up to the next multiple of " +
          Twine(kAlignment))
             .str());
  auto bytes = MemRefType::get({ShapedType::kDynamic}, b.getI8Type());
  auto arena = memref::AllocOp::create(
      b, bytes, getValueOrCreateConstantIndexOp(b, b.getLoc(), end),
      b.getI64IntegerAttr(kAlignment));
  for (auto [alloc, offset] : llvm::zip_equal(allocs, offsets)) {
    b.setInsertionPoint(alloc);
    for (Operation *user : llvm::make_early_inc_range(alloc->getUsers()))
      if (isa<memref::DeallocOp>(user))
        rewriter.eraseOp(user);
    Value view = memref::ViewOp::create(
        b, alloc.getType(), arena,
        getValueOrCreateConstantIndexOp(b, b.getLoc(), offset),
        alloc.getDynamicSizes());
    rewriter.replaceOp(alloc, view);
  }
  b.setInsertionPoint(entry.getTerminator());
  memref::DeallocOp::create(b, arena);
  return success();
}

namespace {
struct PlanMemoryPass : impl::PlanMemoryBase<PlanMemoryPass> {
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    IRRewriter rewriter(&getContext());
    if (failed(planMemory(rewriter, getOperation())))
      signalPassFailure();
  }
};
} // namespace

} // namespace ein
