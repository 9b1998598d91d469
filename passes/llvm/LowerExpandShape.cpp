//===- LowerExpandShape.cpp - Several dynamic dims of one
//--------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `expand-strided-metadata` finds the one size of a dim's parts that is dynamic
// by dividing, and crashes where there are two (22.1). The op has all of them,
// so strides are products of what it says.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "passes/llvm/Passes.h"

namespace ein {
#define GEN_PASS_DEF_LOWEREXPANDSHAPE
#include "passes/llvm/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

static bool hasSeveralOpen(memref::ExpandShapeOp op) {
  MemRefType type = op.getResultType();
  return llvm::any_of(op.getReassociationIndices(),
                      [&](const ReassociationIndices &dims) {
                        return llvm::count_if(dims, [&](int64_t d) {
                                 return type.isDynamicDim(d);
                               }) > 1;
                      });
}

static void lower(memref::ExpandShapeOp op, IRRewriter &rewriter) {
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  MemRefType type = op.getResultType();
  auto [staticStrides, staticOffset] = type.getStridesAndOffset();
  auto source =
      memref::ExtractStridedMetadataOp::create(rewriter, loc, op.getSrc());
  SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
  SmallVector<OpFoldResult> strides(type.getRank());
  AffineExpr s0, s1;
  bindSymbols(rewriter.getContext(), s0, s1);
  for (auto [dims, stride] :
       llvm::zip_equal(op.getReassociationIndices(), source.getStrides())) {
    OpFoldResult next = stride;
    for (int64_t dim : llvm::reverse(dims)) {
      strides[dim] = ShapedType::isDynamic(staticStrides[dim])
                         ? next
                         : rewriter.getIndexAttr(staticStrides[dim]);
      next = affine::makeComposedFoldedAffineApply(rewriter, loc, s0 * s1,
                                                   {strides[dim], sizes[dim]});
    }
  }
  OpFoldResult offset = source.getOffset();
  if (!ShapedType::isDynamic(staticOffset))
    offset = rewriter.getIndexAttr(staticOffset);
  rewriter.replaceOpWithNewOp<memref::ReinterpretCastOp>(
      op, type, op.getSrc(), offset, sizes, strides);
}

namespace {
struct LowerExpandShapePass : impl::LowerExpandShapeBase<LowerExpandShapePass> {
  void runOnOperation() override {
    SmallVector<memref::ExpandShapeOp> ops;
    getOperation().walk([&](memref::ExpandShapeOp op) {
      if (hasSeveralOpen(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (memref::ExpandShapeOp op : ops)
      lower(op, rewriter);
  }
};
} // namespace

} // namespace ein
