//===- FoldBranchSizes.cpp - Sizes of what a branch or a view makes -------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream knows the size of what a structured op or a loop makes: that of the
// tensor it writes to. It does not of a branch, both sides of which may write
// to one tensor as well, nor of an expanded shape, which is written on the op.
// A size that is not traced to the arguments is asked of a buffer in the middle
// of the function, and what is allocated by it cannot be part of the one
// allocation at the top.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "passes/analysis/Destination.h"
#include "passes/tiled/Passes.h"

namespace ein {
#define GEN_PASS_DEF_FOLDBRANCHSIZES
#include "passes/tiled/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

static Value getSameShape(OpResult result);

/// What was collapsed, written to, and is expanded again; or null.
static Value getCollapsed(tensor::ExpandShapeOp expand) {
  Value source = expand.getSrc();
  while (auto result = dyn_cast_or_null<OpResult>(source)) {
    if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(result.getOwner()))
      return collapse.getReassociationIndices() ==
                     expand.getReassociationIndices()
                 ? collapse.getSrc()
                 : Value();
    source = getSameShape(result);
  }
  return Value();
}

/// The tensor that a result was written to, and so has its shape: of a branch
/// the one that both sides write to. Null if the op makes a new one.
static Value getSameShape(OpResult result) {
  Operation *op = result.getOwner();
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return getCollapsed(expand);
  auto branch = dyn_cast<scf::IfOp>(op);
  if (!branch || branch.getElseRegion().empty())
    return isa<scf::WhileOp>(op) ? Value() : getDestination(result);
  unsigned number = result.getResultNumber();
  std::array<Value, 2> sides = {branch.thenYield().getOperand(number),
                                branch.elseYield().getOperand(number)};
  for (Value &side : sides)
    while (side && branch->isAncestor(side.getParentBlock()->getParentOp())) {
      auto made = dyn_cast<OpResult>(side);
      side = made ? getSameShape(made) : Value();
    }
  return sides[0] == sides[1] ? sides[0] : Value();
}

namespace {

struct FoldSize : OpRewritePattern<tensor::DimOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::DimOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<int64_t> axis = op.getConstantIndex();
    if (!axis)
      return failure();
    Value source = op.getSource();
    // Along what was written, to where it was first.
    while (auto result = dyn_cast<OpResult>(source)) {
      Value destination = getSameShape(result);
      if (!destination)
        break;
      source = destination;
    }
    if (auto expand = source.getDefiningOp<tensor::ExpandShapeOp>()) {
      rewriter.replaceOp(
          op, getValueOrCreateConstantIndexOp(
                  rewriter, op.getLoc(), expand.getMixedOutputShape()[*axis]));
      return success();
    }
    if (source == op.getSource())
      return failure();
    rewriter.replaceOpWithNewOp<tensor::DimOp>(op, source, *axis);
    return success();
  }
};

struct FoldBranchSizesPass : impl::FoldBranchSizesBase<FoldBranchSizesPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<FoldSize>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace

} // namespace ein
