//===- FoldTransposes.cpp - Fold transposes into contractions -----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A contraction's maps can read its inputs in any order and without some dims,
// so an input that was permuted or broadcast first can be read from where it
// came. If the producer has no other use, its copy is never made.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/Passes.h"
#include "passes/Transforms.h"

namespace ein {
#define GEN_PASS_DEF_FOLDTRANSPOSES
#include "passes/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

/// The map by which `map`'s reader would read the input of a transpose: if
/// result axis i of the transpose is input axis p[i], then the dim that
/// indexes axis i indexes input axis p[i].
static AffineMap readThrough(linalg::TransposeOp op, AffineMap map) {
  SmallVector<AffineExpr> exprs(map.getNumResults());
  for (auto [axis, inputAxis] : llvm::enumerate(op.getPermutation()))
    exprs[inputAxis] = map.getResult(axis);
  return AffineMap::get(map.getNumDims(), 0, exprs, map.getContext());
}

/// The map without the axes that the broadcast adds.
static AffineMap readThrough(linalg::BroadcastOp op, AffineMap map) {
  SmallVector<int64_t> added(op.getDimensions());
  llvm::sort(added);
  return map.dropResults(added);
}

/// Whether the maps still make a contraction that verifies: reduced dims are
/// in both inputs, and the others in some operand, so that they have extents.
static bool isContraction(ArrayRef<AffineMap> maps) {
  for (unsigned dim = 0, e = maps[0].getNumDims(); dim < e; ++dim) {
    bool lhs = maps[0].isFunctionOfDim(dim), rhs = maps[1].isFunctionOfDim(dim),
         out = maps[2].isFunctionOfDim(dim);
    if (!out && !(lhs && rhs))
      return false;
    if (out && !lhs && !rhs)
      return false;
  }
  return true;
}

/// `OpT` is one of the two ops that are contractions.
template <typename OpT>
static LogicalResult foldInput(RewriterBase &rewriter, OpT op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (unsigned number : {0, 1}) {
    Operation *producer = op->getOperand(number).getDefiningOp();
    Value source;
    AffineMap original = maps[number];
    if (auto transpose = dyn_cast_or_null<linalg::TransposeOp>(producer)) {
      source = transpose.getInput();
      maps[number] = readThrough(transpose, original);
    } else if (auto broadcast =
                   dyn_cast_or_null<linalg::BroadcastOp>(producer)) {
      source = broadcast.getInput();
      maps[number] = readThrough(broadcast, original);
    }
    if (!source || !isContraction(maps)) {
      maps[number] = original;
      continue;
    }
    rewriter.modifyOpInPlace(op, [&]() {
      op->setOperand(number, source);
      op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    });
    return success();
  }
  return rewriter.notifyMatchFailure(
      op, "no input is a transpose or a broadcast that folds");
}

LogicalResult foldTransposes(RewriterBase &rewriter, Operation *op) {
  if (auto contract = dyn_cast<ContractOp>(op))
    return foldInput(rewriter, contract);
  if (auto contract = dyn_cast<linalg::ContractOp>(op))
    return foldInput(rewriter, contract);
  return rewriter.notifyMatchFailure(op, "is not a contraction");
}

namespace {
template <typename OpT> struct FoldTransposesPattern : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    return foldTransposes(rewriter, op);
  }
};

struct FoldTransposesPass : impl::FoldTransposesBase<FoldTransposesPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<FoldTransposesPattern<linalg::ContractOp>,
                 FoldTransposesPattern<ContractOp>>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace

} // namespace ein
