//===- FoldFills.cpp - Read a number, not a tensor filled with it ---------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A name for a number is a tensor of rank 0 in IR, `ones(j, k) = 1` one of rank
// 2. Whoever reads it has the number instead, so that arithmetic on constants
// folds; and to multiply by a matrix of one number is to sum, once for all
// columns, and to multiply by the number then.
//
//===----------------------------------------------------------------------===//

#include "passes/contract/FoldFills.h"
#include "ir/EinDialect.h"
#include "ir/IndexNames.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/Einsums.h"
#include "passes/schedule/ScheduledOps.h"

using namespace mlir;

namespace ein {
namespace {

/// The number that a tensor is filled with, if it is.
Value getNumber(Value tensor) {
  auto fill = tensor.getDefiningOp<linalg::FillOp>();
  return fill && fill.hasPureTensorSemantics() ? fill.value() : Value();
}

/// A generic that reads nothing and yields one number is a fill.
struct MakeFillPattern : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getNumDpsInputs() != 0 || op.getNumDpsInits() != 1 ||
        op.getNumReductionLoops() != 0 || !op.hasPureTensorSemantics() ||
        !op.getIndexingMapsArray()[0].isPermutation())
      return rewriter.notifyMatchFailure(op, "it reads something");
    Value number = op.getBody()->getTerminator()->getOperand(0);
    if (number.getParentBlock() == op.getBody()) {
      Operation *constant = number.getDefiningOp();
      if (!constant || !constant->hasTrait<OpTrait::ConstantLike>())
        return rewriter.notifyMatchFailure(op, "it yields several numbers");
      number = rewriter.clone(*constant)->getResult(0);
    }
    rewriter.replaceOpWithNewOp<linalg::FillOp>(op, number,
                                                op.getDpsInits()[0]);
    return success();
  }
};

/// A generic has the number for an input that is filled with it.
struct InlineNumberPattern : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getLibraryCall() || op->hasAttr(EinDialect::kScheduleAttr))
      return rewriter.notifyMatchFailure(op, "its operands are given");
    for (OpOperand *input : op.getDpsInputOperands()) {
      Value number = getNumber(input->get());
      if (!number)
        continue;
      // The loops' extents are found in the other operands.
      SmallVector<AffineMap> maps = op.getIndexingMapsArray();
      maps.erase(maps.begin() + input->getOperandNumber());
      if (!inversePermutation(concatAffineMaps(maps, op.getContext())))
        continue;
      unsigned position = input->getOperandNumber();
      BlockArgument argument = op.getMatchingBlockArgument(input);
      rewriter.modifyOpInPlace(op, [&]() {
        rewriter.replaceAllUsesWith(argument, number);
        op.getBody()->eraseArgument(position);
        op->eraseOperand(position);
        op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
        op.getProperties().operandSegmentSizes[0] -= 1;
      });
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no input is filled");
  }
};

/// A product with a tensor of one number: the sums of the other factor's
/// multiples, which need one loop less for each dim that only the tensor has.
struct SumInsteadPattern : OpRewritePattern<linalg::ContractOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::ContractOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op->hasAttr(EinDialect::kScheduleAttr))
      return rewriter.notifyMatchFailure(op, "is scheduled, or on buffers");
    Type type = getElementTypeOrSelf(op.getDpsInits()[0].getType());
    if (!type.isIntOrFloat())
      return rewriter.notifyMatchFailure(op, "is not of real numbers");
    for (unsigned filled : {0u, 1u}) {
      Value number = getNumber(op.getDpsInputs()[filled]);
      Value factor = op.getDpsInputs()[1 - filled];
      if (!number || number.getType() != type ||
          getElementTypeOrSelf(factor.getType()) != type)
        continue;
      return rewrite(rewriter, op, number, factor,
                     op.getIndexingMapsArray()[1 - filled]);
    }
    return rewriter.notifyMatchFailure(op, "no factor is filled");
  }

private:
  static LogicalResult rewrite(PatternRewriter &rewriter, linalg::ContractOp op,
                               Value number, Value factor, AffineMap map) {
    AffineMap output = op.getIndexingMapsArray()[2];
    // Its dims that are kept, then those that are summed.
    SmallVector<unsigned> dims, kept;
    for (bool isKept : {true, false})
      for (AffineExpr expr : map.getResults()) {
        unsigned dim = cast<AffineDimExpr>(expr).getPosition();
        if (output.isFunctionOfDim(dim) == isKept)
          (isKept ? kept : dims).push_back(dim);
      }
    dims.insert(dims.begin(), kept.begin(), kept.end());
    SmallVector<AffineExpr> renaming(map.getNumDims(),
                                     rewriter.getAffineConstantExpr(0));
    for (auto [position, dim] : llvm::enumerate(dims))
      renaming[dim] = rewriter.getAffineDimExpr(position);
    SmallVector<OpFoldResult> sizes;
    for (unsigned dim : kept)
      sizes.push_back(tensor::getMixedSize(
          rewriter, op.getLoc(), factor,
          *map.getResultPosition(rewriter.getAffineDimExpr(dim))));
    Location loc = selectIndexNames(op.getLoc(), dims);
    Type type = getElementTypeOrSelf(op.getDpsInits()[0].getType());
    Value zeros = fillWithZero(
        rewriter, loc, tensor::EmptyOp::create(rewriter, loc, sizes, type));
    Value sums =
        createProduct(rewriter, loc, {factor},
                      {map.replaceDimsAndSymbols(renaming, {}, dims.size(), 0)},
                      zeros, kept.size(), dims.size(), /*accumulate=*/true);

    // Each summand has the number: the sum of the others could overflow.
    auto sum = sums.getDefiningOp<linalg::GenericOp>();
    Value summand = sum.getBody()->getArgument(0);
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(sum.getBody());
      Operation *scaled =
          isa<FloatType>(type)
              ? arith::MulFOp::create(rewriter, loc, summand, number,
                                      arith::FastMathFlags::contract)
                    .getOperation()
              : arith::MulIOp::create(rewriter, loc, summand, number)
                    .getOperation();
      rewriter.replaceAllUsesExcept(summand, scaled->getResult(0), scaled);
    }

    // The result's dims are the loops.
    unsigned rank = output.getNumResults();
    SmallVector<AffineExpr> axes;
    SmallVector<unsigned> loops;
    for (unsigned dim : kept)
      axes.push_back(rewriter.getAffineDimExpr(
          *output.getResultPosition(rewriter.getAffineDimExpr(dim))));
    for (AffineExpr expr : output.getResults())
      loops.push_back(cast<AffineDimExpr>(expr).getPosition());
    SmallVector<AffineMap> maps = {
        AffineMap::get(rank, 0, axes, op.getContext()),
        rewriter.getMultiDimIdentityMap(rank)};
    SmallVector<utils::IteratorType> iterators(rank,
                                               utils::IteratorType::parallel);
    auto build = [&](OpBuilder &b, Location loc, ValueRange arguments) {
      Value sum = arguments[0], soFar = arguments[1];
      Value result =
          isa<FloatType>(type)
              ? arith::AddFOp::create(b, loc, soFar, sum).getResult()
              : arith::AddIOp::create(b, loc, soFar, sum).getResult();
      linalg::YieldOp::create(b, loc, result);
    };
    Value init = op.getDpsInits()[0];
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(
        op, TypeRange(init.getType()), sums, init, maps, iterators, build);
    return success();
  }
};

} // namespace

void addFoldFillPatterns(RewritePatternSet &patterns) {
  patterns.add<MakeFillPattern, InlineNumberPattern, SumInsteadPattern>(
      patterns.getContext());
}

} // namespace ein
