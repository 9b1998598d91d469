//===- FoldViews.cpp - Read what a view is of -----------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A statement that only permutes, slices, repeats or renames elements, such as
// `At(j, i) = A(i, j)`, computes nothing, and whoever reads `At` could as well
// read `A`. As IR it is an op that yields its input as it is, whose input map
// says from where; the reader's map composed with that one reads the source.
// What a slice takes of the moved elements is moved from a slice of the source.
//
// What moves the dims of a product, and of nothing else, is the product with
// its result's dims in that order.
//
// A contraction stays one: a map that is more than a choice of dims, such as
// that of an image's columns, is not read through in a reduction, as the copy
// is what lets it be contracted. Neither is one, in a loop, whose source is
// written over before the reader comes.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/analysis/TensorViews.h"
#include "passes/contract/FoldFills.h"
#include "passes/contract/Passes.h"

namespace ein {
#define GEN_PASS_DEF_FOLDVIEWS
#include "passes/contract/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

/// Whether the maps still make a contraction that verifies: reduced dims are
/// in both inputs, and the others in some operand, so that they have extents.
static bool isContraction(ArrayRef<AffineMap> maps) {
  for (unsigned dim = 0, e = maps[0].getNumDims(); dim < e; ++dim) {
    bool lhs = maps[0].isFunctionOfDim(dim), rhs = maps[1].isFunctionOfDim(dim),
         out = maps[2].isFunctionOfDim(dim);
    if (out ? !lhs && !rhs : !lhs || !rhs)
      return false;
  }
  return true;
}

/// Whether the op may have these maps.
static bool isLegal(Operation *op, ArrayRef<AffineMap> maps) {
  if (isa<ContractOp, linalg::ContractOp>(op))
    return isContraction(maps);
  // The loops' extents are found in the operands.
  return static_cast<bool>(
      inversePermutation(concatAffineMaps(maps, op->getContext())));
}

static SmallVector<AffineMap> getMaps(Operation *op) {
  if (auto contract = dyn_cast<ContractOp>(op))
    return contract.getIndexingMapsArray();
  return cast<linalg::LinalgOp>(op).getIndexingMapsArray();
}

static bool isReduction(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  return !structured || structured.getNumReductionLoops() != 0;
}

/// Whether `reader`, in a loop, would read `source` by `map` after something is
/// written over it. What is moved would have to be copied then, for another
/// buffer than the one that the loop carries.
static bool isOverwritten(Value source, Operation *reader, AffineMap map) {
  if (!reader->getParentOfType<LoopLikeOpInterface>())
    return false;
  return llvm::any_of(source.getUses(), [&](OpOperand &use) {
    Operation *writer = use.getOwner();
    if (auto op = dyn_cast<DestinationStyleOpInterface>(writer)) {
      if (!op.isDpsInit(&use))
        return false;
      auto structured = dyn_cast<linalg::LinalgOp>(writer);
      if (writer == reader && structured)
        return structured.getMatchingIndexingMap(&use) != map;
    } else if (!isa<LoopLikeOpInterface>(writer)) {
      return false;
    }
    return writer->getBlock() != reader->getBlock() ||
           !reader->isBeforeInBlock(writer);
  });
}

/// Has the op read what one of its inputs is a view of.
static LogicalResult readThrough(RewriterBase &rewriter, Operation *op,
                                 unsigned numInputs) {
  SmallVector<AffineMap> maps = getMaps(op);
  for (unsigned number = 0; number < numInputs; ++number) {
    std::optional<TensorView> view = getTensorView(op->getOperand(number));
    if (!view)
      continue;
    AffineMap original = maps[number];
    maps[number] = view->map.compose(original);
    if (isOverwritten(view->source, op, maps[number]) ||
        (isReduction(op) && original.isProjectedPermutation() &&
         !maps[number].isProjectedPermutation()) ||
        !isLegal(op, maps)) {
      maps[number] = original;
      continue;
    }
    rewriter.modifyOpInPlace(op, [&]() {
      op->setOperand(number, view->source);
      op->setAttr("indexing_maps", rewriter.getAffineMapArrayAttr(maps));
    });
    return success();
  }
  return rewriter.notifyMatchFailure(op, "no input is a view to read through");
}

/// Whether a product with these maps writes its result as one of matrices does:
/// the dims of each input and those of both stand together, and the last one,
/// which is contiguous in a register tile, is of one input only.
static bool writesMatrices(ArrayRef<AffineMap> maps) {
  SmallVector<unsigned> roles;
  for (AffineExpr expr : maps[2].getResults()) {
    unsigned dim = cast<AffineDimExpr>(expr).getPosition();
    unsigned role =
        maps[0].isFunctionOfDim(dim) + 2 * maps[1].isFunctionOfDim(dim);
    if (!roles.empty() && roles.back() == role)
      continue;
    if (llvm::is_contained(roles, role))
      return false;
    roles.push_back(role);
  }
  return roles.back() == 1 || roles.back() == 2;
}

/// Has a contraction write where an op moves its result to, if it starts from a
/// number and nobody else reads it.
static LogicalResult writeThrough(RewriterBase &rewriter, linalg::LinalgOp op) {
  std::optional<TensorView> view = getTensorView(op->getResult(0));
  if (!view || !view->map.isPermutation() || view->map.isIdentity() ||
      !view->source.hasOneUse())
    return rewriter.notifyMatchFailure(op, "moves no dims of its own");
  Operation *contract = view->source.getDefiningOp();
  if (!isa_and_present<ContractOp, linalg::ContractOp>(contract))
    return rewriter.notifyMatchFailure(op, "moves no product");
  auto destinations = cast<DestinationStyleOpInterface>(contract);
  auto fill = destinations.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  if (!fill)
    return rewriter.notifyMatchFailure(op, "the sums start from a tensor");
  SmallVector<AffineMap> maps = getMaps(contract);
  maps[2] = inversePermutation(view->map).compose(maps[2]);
  if (!writesMatrices(maps))
    return rewriter.notifyMatchFailure(op, "would scatter what is written");
  Location loc = contract->getLoc();
  Value init = linalg::FillOp::create(rewriter, loc, fill.value(),
                                      op.getDpsInitOperand(0)->get())
                   .getResult(0);
  IRMapping mapping;
  mapping.map(fill.getResult(0), init);
  Operation *written = rewriter.clone(*contract, mapping);
  rewriter.modifyOpInPlace(written, [&]() {
    written->getResult(0).setType(init.getType());
    written->setAttr("indexing_maps", rewriter.getAffineMapArrayAttr(maps));
  });
  rewriter.replaceOp(op, written->getResults());
  return success();
}

namespace {
struct WriteThroughPattern : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() != 1)
      return failure();
    return writeThrough(rewriter, op);
  }
};

template <typename OpT> struct ReadThroughPattern : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    return readThrough(rewriter, op, op.getNumDpsInputs());
  }
};

/// Views of views: an op with a fixed map gets one that can be composed.
template <typename OpT> struct GeneralizePattern : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    if (!getTensorView(op->getOperand(0)))
      return failure();
    return linalg::generalizeNamedOp(rewriter, op);
  }
};

/// A slice of a view is a view of a slice.
struct SlicePattern : OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::ExtractSliceOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<TensorView> view = getTensorView(op.getSource());
    if (!view || !view->map.isProjectedPermutation() ||
        op.getType().getRank() != op.getSourceType().getRank())
      return rewriter.notifyMatchFailure(op, "is no slice of a choice of dims");
    SmallVector<OpFoldResult> offsets, sizes, strides;
    for (AffineExpr expr : view->map.getResults()) {
      unsigned dim = cast<AffineDimExpr>(expr).getPosition();
      offsets.push_back(op.getMixedOffsets()[dim]);
      sizes.push_back(op.getMixedSizes()[dim]);
      strides.push_back(op.getMixedStrides()[dim]);
    }
    Location loc = op.getLoc();
    Value slice = tensor::ExtractSliceOp::create(rewriter, loc, view->source,
                                                 offsets, sizes, strides);
    Type element = op.getType().getElementType();
    Value destination =
        tensor::EmptyOp::create(rewriter, loc, op.getMixedSizes(), element);
    unsigned rank = op.getType().getRank();
    SmallVector<utils::IteratorType> iterators(rank,
                                               utils::IteratorType::parallel);
    SmallVector<AffineMap> maps = {view->map,
                                   rewriter.getMultiDimIdentityMap(rank)};
    auto moved = linalg::GenericOp::create(
        rewriter, loc, TypeRange(destination.getType()), slice, destination,
        maps, iterators, [](OpBuilder &body, Location loc, ValueRange args) {
          linalg::YieldOp::create(body, loc, args[0]);
        });
    rewriter.replaceOpWithNewOp<tensor::CastOp>(op, op.getType(),
                                                moved.getResult(0));
    return success();
  }
};

struct FoldViewsPass : impl::FoldViewsBase<FoldViewsPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns
        .add<ReadThroughPattern<linalg::GenericOp>,
             ReadThroughPattern<linalg::ContractOp>,
             ReadThroughPattern<ContractOp>, GeneralizePattern<linalg::CopyOp>,
             GeneralizePattern<linalg::TransposeOp>,
             GeneralizePattern<linalg::BroadcastOp>, SlicePattern>(
            &getContext());
    addFoldFillPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    // What is left to move has no reader that could read through it.
    RewritePatternSet writes(&getContext());
    writes.add<WriteThroughPattern>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(writes))))
      signalPassFailure();
  }
};
} // namespace

} // namespace ein
