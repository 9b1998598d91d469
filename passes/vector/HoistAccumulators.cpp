//===- HoistAccumulators.cpp - Keep accumulators in registers -----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// After vectorisation each step of k reads the whole C tile and writes it back.
// On tensors the reads and writes of successive steps are visibly of the same
// subset of the same value, so upstream's subset hoisting moves them out of the
// loop without an alias question, and the tile becomes a vector in registers.
//
// What is then left of the padded tile is one read before the loop and one
// write after it. Both go to C directly: a read out of bounds gives the
// padding, a write out of bounds is dropped, which is what the pad and the
// slice said.
//
// Then there is one write of each tile, and what is computed before it can be
// told: functions get a loop over the tile's rows (RollEpilogues.cpp).
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "passes/vector/Passes.h"
#include "passes/vector/RollEpilogues.h"

namespace ein {
#define GEN_PASS_DEF_HOISTACCUMULATORS
#include "passes/vector/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

/// Whether the op reads or writes all of a static tensor, in order.
template <typename TransferOp> bool isWhole(TransferOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getShapedType());
  return type && type.hasStaticShape() && !op.getMask() &&
         type.getShape() == op.getVectorType().getShape() &&
         op.getPermutationMap().isIdentity() &&
         llvm::all_of(op.getIndices(),
                      [](Value index) { return isZeroInteger(index); });
}

/// Whether the tensor is padded behind its end only.
bool isHighPad(tensor::PadOp pad) {
  return pad && pad.hasZeroLowPad() && pad.getConstantPaddingValue();
}

/// Whether the op reads all of a static tensor, in order, each element perhaps
/// for several of the vector's: along a dim that its map does not have.
bool isWholeBroadcast(vector::TransferReadOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getShapedType());
  AffineMap map = op.getPermutationMap();
  if (!type || !type.hasStaticShape() || op.getMask() ||
      !llvm::all_of(op.getIndices(), isZeroInteger))
    return false;
  int64_t next = 0;
  for (auto [expr, extent] :
       llvm::zip_equal(map.getResults(), op.getVectorType().getShape())) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      continue;
    if (dim.getPosition() != next || type.getDimSize(next) != extent)
      return false;
    ++next;
  }
  return next == type.getRank();
}

/// transfer_read(pad(source)) -> transfer_read(source), out of bounds.
struct ReadThroughPad : OpRewritePattern<vector::TransferReadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(vector::TransferReadOp op,
                                PatternRewriter &rewriter) const override {
    auto pad = op.getBase().getDefiningOp<tensor::PadOp>();
    if (!pad || !isHighPad(pad) || !isWholeBroadcast(op))
      return rewriter.notifyMatchFailure(op, "not a whole read of a high pad");
    SmallVector<bool> inBounds = llvm::map_to_vector(
        op.getPermutationMap().getResults(),
        [](AffineExpr e) { return !isa<AffineDimExpr>(e); });
    rewriter.replaceOpWithNewOp<vector::TransferReadOp>(
        op, op.getVectorType(), pad.getSource(), op.getIndices(),
        op.getPermutationMap(), pad.getConstantPaddingValue(), Value(),
        rewriter.getBoolArrayAttr(inBounds));
    return success();
  }
};

/// extract_slice(transfer_write(v, pad(source))), if the slice is what the pad
/// was made of -> transfer_write(v, source), out of bounds.
struct WriteThroughPad : OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::ExtractSliceOp op,
                                PatternRewriter &rewriter) const override {
    // Complex numbers are written as their parts.
    auto view = op.getSource().getDefiningOp<ReinterpretOp>();
    auto write = (view ? view.getSource() : op.getSource())
                     .getDefiningOp<vector::TransferWriteOp>();
    auto pad = write ? write.getBase().getDefiningOp<tensor::PadOp>()
                     : tensor::PadOp();
    if (!pad || !isHighPad(pad) || !isWhole(write) || !write->hasOneUse())
      return rewriter.notifyMatchFailure(op, "not a slice of a whole write to "
                                             "a high pad");
    Value source = pad.getSource();
    if (view) {
      auto parts = source.getDefiningOp<ReinterpretOp>();
      source = parts ? parts.getSource() : Value();
    }
    if (!source || op.getType() != source.getType() || !op.hasZeroOffset() ||
        !op.hasUnitStride() || !isTrimmedTo(op, source))
      return rewriter.notifyMatchFailure(op, "the slice is not what the pad "
                                             "was made of");
    SmallVector<bool> inBounds(write.getVectorType().getRank(), false);
    auto trimmed = vector::TransferWriteOp::create(
        rewriter, op.getLoc(), write.getVector(), pad.getSource(),
        write.getIndices(), ArrayRef<bool>(inBounds));
    rewriter.replaceOp(op, ReinterpretOp::get(rewriter, op.getLoc(),
                                              trimmed.getResult(),
                                              op.getType().getElementType()));
    return success();
  }

  /// Whether each size of the slice is that of what was padded. They have one
  /// type, so it is the dynamic ones that matter; that is a slice itself then,
  /// and both have the same value for a size.
  static bool isTrimmedTo(tensor::ExtractSliceOp op, Value padded) {
    if (op.getType().hasStaticShape())
      return true;
    auto source = padded.getDefiningOp<tensor::ExtractSliceOp>();
    return source && source.getMixedSizes() == op.getMixedSizes();
  }
};

/// Whether what the loop carries are register tiles. Of a tensor of dynamic
/// size upstream proves of each two slices from the sizes that they are the
/// same, or are not, which takes half a minute where there are many.
bool carriesTiles(scf::ForOp loop) {
  return llvm::all_of(loop.getInitArgs(), [](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return !type || type.hasStaticShape();
  });
}

struct HoistAccumulatorsPass
    : impl::HoistAccumulatorsBase<HoistAccumulatorsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    // Innermost loops first, so that a tile can leave several.
    getOperation().walk<WalkOrder::PostOrder>([&](scf::ForOp loop) {
      moveLoopInvariantCode(loop);
      if (carriesTiles(loop))
        (void)hoistLoopInvariantSubsets(rewriter, loop);
    });
    RewritePatternSet patterns(&getContext());
    patterns.add<ReadThroughPad, WriteThroughPad>(&getContext());
    // What an epilogue writes over the tile is the only write of it.
    vector::TransferWriteOp::getCanonicalizationPatterns(patterns,
                                                         &getContext());
    // Hoisting leaves the tile as a value that the loop carries unchanged.
    scf::ForOp::getCanonicalizationPatterns(patterns, &getContext());
    tensor::ExtractSliceOp::getCanonicalizationPatterns(patterns,
                                                        &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    rollEpilogues(rewriter, getOperation());
  }
};

} // namespace
} // namespace ein
