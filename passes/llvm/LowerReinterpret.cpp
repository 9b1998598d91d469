//===- LowerReinterpret.cpp - Memory as of another element type -----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A view of a buffer has the buffer's pointers, and offset, sizes and strides
// that count its own elements. Upstream's reinterpret_cast says the latter; the
// former are one type to LLVM whatever they point to, so that the cast between
// memrefs without dims, which stands for them, is gone when all is of the llvm
// dialect.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "passes/analysis/ElementBytes.h"
#include "passes/llvm/Passes.h"

namespace ein {
#define GEN_PASS_DEF_LOWERREINTERPRET
#include "passes/llvm/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

static void lower(ReinterpretOp op, IRRewriter &rewriter) {
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  auto from = cast<MemRefType>(op.getSource().getType());
  auto to = cast<MemRefType>(op.getResult().getType());
  int64_t fromBytes = getElementBytes(from), toBytes = getElementBytes(to);
  auto source =
      memref::ExtractStridedMetadataOp::create(rewriter, loc, op.getSource());
  AffineExpr s0 = rewriter.getAffineSymbolExpr(0);
  auto scale = [&](Value number, int64_t known) -> OpFoldResult {
    if (!ShapedType::isDynamic(known))
      return rewriter.getIndexAttr(known);
    return affine::makeComposedFoldedAffineApply(
        rewriter, loc, (s0 * fromBytes).floorDiv(toBytes), {number});
  };
  auto keep = [&](Value number, int64_t known) -> OpFoldResult {
    return ShapedType::isDynamic(known) ? OpFoldResult(number)
                                        : rewriter.getIndexAttr(known);
  };
  auto [knownStrides, knownOffset] = to.getStridesAndOffset();
  int64_t last = to.getRank() - 1;
  SmallVector<OpFoldResult> sizes, strides;
  for (int64_t axis = 0; axis <= last; ++axis) {
    Value size = source.getSizes()[axis], stride = source.getStrides()[axis];
    int64_t knownSize = to.getDimSize(axis), knownStride = knownStrides[axis];
    sizes.push_back(axis == last ? scale(size, knownSize)
                                 : keep(size, knownSize));
    strides.push_back(scale(stride, knownStride));
  }
  auto baseType = MemRefType::get({}, to.getElementType(), AffineMap(),
                                  to.getMemorySpace());
  Value base =
      UnrealizedConversionCastOp::create(rewriter, loc, TypeRange(baseType),
                                         ValueRange(source.getBaseBuffer()))
          .getResult(0);
  rewriter.replaceOpWithNewOp<memref::ReinterpretCastOp>(
      op, to, base, scale(source.getOffset(), knownOffset), sizes, strides);
}

namespace {
struct LowerReinterpretPass : impl::LowerReinterpretBase<LowerReinterpretPass> {
  void runOnOperation() override {
    SmallVector<ReinterpretOp> ops;
    getOperation().walk([&](ReinterpretOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (ReinterpretOp op : ops)
      lower(op, rewriter);
  }
};
} // namespace

} // namespace ein
