//===- SplitBorders.cpp - The interior of a stencil without its borders ---===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `pad(A(i - 1), 0)` and `clamp(A(i - 1))` ask of every point whether it has a
// neighbour, and read it by its number. All but a few points have one: they
// are a box, of which no question need be asked, and the neighbours are slices
// of A. That makes an elementwise op of it, which vectors can compute.
//
// What is asked are comparisons of an index plus a number with what is the same
// at all points. Each of them says from where to where it is true, which gives
// the box; upstream's `splitOp` takes the borders off, two for each dim, which
// stay as they are.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/analysis/CompileBudget.h"
#include "passes/fused/Passes.h"

namespace ein {
#define GEN_PASS_DEF_SPLITBORDERS
#include "passes/fused/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

/// The index of `dim` plus `offset`; without a dim, a number.
struct Place {
  int64_t dim = -1;
  int64_t offset = 0;
};

/// `begin <= index of dim` and `index of dim < end + shift`, where they are
/// given.
struct Bound {
  int64_t dim;
  std::optional<int64_t> begin;
  std::optional<Value> end;
  int64_t shift = 0;
};

/// Finds the questions that a body asks of its indices.
class BorderFinder {
public:
  explicit BorderFinder(linalg::GenericOp op) : op(op) {}

  /// The bounds of the interior, with the body's ops marked; fails if elements
  /// are read that no slice has.
  FailureOr<SmallVector<Bound>> find();

private:
  std::optional<Place> getPlace(Value value);
  bool isInvariant(Value value);
  void mark(Operation *op, int64_t operand) {
    op->setAttr(EinDialect::kInsideAttr,
                Builder(op).getI64IntegerAttr(operand));
  }

  linalg::GenericOp op;
  SmallVector<Bound> bounds;
};
} // namespace

/// The value before it was cast between an index and 64 bits.
static Value skipCasts(Value value) {
  while (auto cast = value.getDefiningOp<arith::IndexCastOp>()) {
    unsigned from = cast.getIn().getType().isIndex()
                        ? 64
                        : cast.getIn().getType().getIntOrFloatBitWidth();
    unsigned to =
        cast.getType().isIndex() ? 64 : cast.getType().getIntOrFloatBitWidth();
    if (from != 64 || to != 64)
      break;
    value = cast.getIn();
  }
  return value;
}

/// Whether the value is the same at all points, and can be computed before.
bool BorderFinder::isInvariant(Value value) {
  if (!op->isAncestor(value.getParentBlock()->getParentOp()))
    return true;
  Operation *definition = value.getDefiningOp();
  return definition && definition->getNumRegions() == 0 &&
         !isa<linalg::IndexOp>(definition) && isPure(definition) &&
         llvm::all_of(definition->getOperands(),
                      [&](Value operand) { return isInvariant(operand); });
}

/// What `value` is in the interior, whose bounds grow with what has to be true.
std::optional<Place> BorderFinder::getPlace(Value value) {
  value = skipCasts(value);
  if (std::optional<int64_t> number = getConstantIntValue(value))
    return Place{-1, *number};
  Operation *definition = value.getDefiningOp();
  if (!definition || !op->isProperAncestor(definition))
    return std::nullopt;
  if (auto index = dyn_cast<linalg::IndexOp>(definition))
    return Place{int64_t(index.getDim()), 0};

  if (auto apply = dyn_cast<affine::AffineApplyOp>(definition)) {
    if (apply.getMapOperands().size() != 1)
      return std::nullopt;
    std::optional<Place> place = getPlace(apply.getMapOperands()[0]);
    AffineExpr sum = apply.getAffineMap().getResult(0);
    AffineExpr argument = apply.getAffineMap().getNumDims() == 1
                              ? getAffineDimExpr(0, apply.getContext())
                              : getAffineSymbolExpr(0, apply.getContext());
    auto rest = dyn_cast<AffineConstantExpr>(sum - argument);
    if (!place || !rest)
      return std::nullopt;
    return Place{place->dim, place->offset + rest.getValue()};
  }
  if (isa<arith::AddIOp>(definition)) {
    std::optional<Place> lhs = getPlace(definition->getOperand(0)),
                         rhs = getPlace(definition->getOperand(1));
    if (!lhs || !rhs || (lhs->dim >= 0 && rhs->dim >= 0))
      return std::nullopt;
    return Place{std::max(lhs->dim, rhs->dim), lhs->offset + rhs->offset};
  }
  if (auto select = dyn_cast<arith::SelectOp>(definition)) {
    Operation *condition = select.getCondition().getDefiningOp();
    if (!condition || !condition->hasAttr(EinDialect::kInsideAttr))
      return std::nullopt;
    return getPlace(select.getTrueValue());
  }
  if (!definition->hasAttr(EinDialect::kInsideAttr))
    return std::nullopt;
  auto kept = definition->getAttrOfType<IntegerAttr>(EinDialect::kInsideAttr);
  return getPlace(definition->getOperand(kept.getInt()));
}

FailureOr<SmallVector<Bound>> BorderFinder::find() {
  SmallVector<tensor::ExtractOp> reads;
  // In the order of the body: what asks about a place comes after what it asks
  // about.
  auto visit = [&](Operation *asked) -> WalkResult {
    if (auto read = dyn_cast<tensor::ExtractOp>(asked)) {
      reads.push_back(read);
      return WalkResult::advance();
    }
    if (auto compare = dyn_cast<arith::CmpIOp>(asked)) {
      // What is negative is large without a sign.
      if (compare.getPredicate() != arith::CmpIPredicate::ult)
        return WalkResult::advance();
      std::optional<Place> place = getPlace(compare.getLhs());
      if (!place || place->dim < 0 || !isInvariant(compare.getRhs()))
        return WalkResult::advance();
      bounds.push_back(
          {place->dim, -place->offset, compare.getRhs(), -place->offset});
      mark(asked, 0);
    } else if (isa<arith::MinSIOp, arith::MaxSIOp>(asked)) {
      for (unsigned operand : {0, 1}) {
        Value other = asked->getOperand(1 - operand);
        std::optional<Place> place = getPlace(asked->getOperand(operand));
        if (!place || place->dim < 0 || !isInvariant(other))
          continue;
        if (isa<arith::MinSIOp>(asked)) {
          bounds.push_back(
              {place->dim, std::nullopt, other, 1 - place->offset});
        } else {
          std::optional<int64_t> least = getConstantIntValue(other);
          if (!least)
            continue;
          bounds.push_back(
              {place->dim, *least - place->offset, std::nullopt, 0});
        }
        mark(asked, operand);
        break;
      }
    }
    return WalkResult::advance();
  };
  op.getBody()->walk<WalkOrder::PreOrder>(visit);

  if (reads.empty() || bounds.empty())
    return failure();
  for (tensor::ExtractOp read : reads) {
    if (op->isAncestor(read.getTensor().getParentBlock()->getParentOp()))
      return failure();
    SmallVector<int64_t> places;
    for (Value subscript : read.getIndices()) {
      std::optional<Place> place = getPlace(subscript);
      if (!place)
        return failure();
      places.append({place->dim, place->offset});
    }
    read->setAttr(EinDialect::kPlacesAttr,
                  Builder(read).getDenseI64ArrayAttr(places));
  }
  return std::move(bounds);
}

static void dropMarks(Operation *op) {
  op->walk([](Operation *inner) {
    inner->removeAttr(EinDialect::kInsideAttr);
    inner->removeAttr(EinDialect::kPlacesAttr);
  });
}

/// A value of the body that is the same at all points, as an index before `op`.
static OpFoldResult hoist(OpBuilder &b, linalg::GenericOp op, Value value) {
  value = skipCasts(value);
  if (std::optional<int64_t> number = getConstantIntValue(value))
    return b.getIndexAttr(*number);
  IRMapping outside;
  auto copy = [&](auto &self, Value inner) -> Value {
    if (outside.contains(inner) ||
        !op->isAncestor(inner.getParentBlock()->getParentOp()))
      return outside.lookupOrDefault(inner);
    for (Value operand : inner.getDefiningOp()->getOperands())
      self(self, operand);
    b.clone(*inner.getDefiningOp(), outside);
    return outside.lookup(inner);
  };
  Value result = copy(copy, value);
  if (!result.getType().isIndex())
    result =
        arith::IndexCastOp::create(b, op.getLoc(), b.getIndexType(), result);
  return result;
}

/// The first and the last point (exclusive) of the interior along a dim, of
/// `extent` points.
static std::pair<OpFoldResult, OpFoldResult>
getInterior(OpBuilder &b, linalg::GenericOp op, ArrayRef<Bound> bounds,
            int64_t dim, OpFoldResult extent) {
  MLIRContext *context = b.getContext();
  AffineExpr zero = b.getAffineConstantExpr(0);
  int64_t least = 0;
  SmallVector<AffineExpr> ends = {b.getAffineDimExpr(0)};
  SmallVector<OpFoldResult> operands = {extent};
  for (const Bound &bound : bounds) {
    if (bound.dim != dim)
      continue;
    if (bound.begin)
      least = std::max(least, *bound.begin);
    if (bound.end) {
      ends.push_back(b.getAffineDimExpr(operands.size()) + bound.shift);
      operands.push_back(hoist(b, op, *bound.end));
    }
  }
  auto getMin = [&](ArrayRef<AffineExpr> exprs, ArrayRef<OpFoldResult> from) {
    return affine::makeComposedFoldedAffineMin(
        b, op.getLoc(), AffineMap::get(from.size(), 0, exprs, context), from);
  };
  OpFoldResult begin =
      getMin({b.getAffineDimExpr(0), b.getAffineConstantExpr(least)}, {extent});
  OpFoldResult end = getMin(ends, operands);
  // An interior without points has no negative number of them.
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  OpFoldResult length = affine::makeComposedFoldedAffineMax(
      b, op.getLoc(), AffineMap::get(2, 0, {d1 - d0, zero}, context),
      {begin, end});
  return {begin, length};
}

/// The interior's body without its questions, and with what it reads as inputs.
static void readSlices(RewriterBase &rewriter, linalg::GenericOp op,
                       ArrayRef<OpFoldResult> begins) {
  SmallVector<Operation *> marked;
  op.getBody()->walk([&](Operation *inner) {
    if (inner->hasAttr(EinDialect::kInsideAttr))
      marked.push_back(inner);
  });
  for (Operation *asked : marked) {
    rewriter.setInsertionPoint(asked);
    auto kept = asked->getAttrOfType<IntegerAttr>(EinDialect::kInsideAttr);
    if (isa<arith::CmpIOp>(asked))
      rewriter.replaceOpWithNewOp<arith::ConstantOp>(
          asked, rewriter.getBoolAttr(true));
    else
      rewriter.replaceOp(asked, asked->getOperand(kept.getInt()));
  }
  // What they decided is decided now.
  RewritePatternSet patterns(op.getContext());
  scf::IfOp::getCanonicalizationPatterns(patterns, op.getContext());
  arith::SelectOp::getCanonicalizationPatterns(patterns, op.getContext());
  SmallVector<Operation *> body;
  for (Operation &inner : op.getBody()->without_terminator())
    body.push_back(&inner);
  (void)applyOpPatternsGreedily(body, std::move(patterns));

  SmallVector<tensor::ExtractOp> reads;
  op.getBody()->walk([&](tensor::ExtractOp read) { reads.push_back(read); });
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  SmallVector<Range> domain =
      cast<TilingInterface>(op.getOperation()).getIterationDomain(rewriter);
  SmallVector<Value> inputs = op.getInputs();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineExpr d0 = rewriter.getAffineDimExpr(0);
  for (tensor::ExtractOp read : reads) {
    auto places =
        read->getAttrOfType<DenseI64ArrayAttr>(EinDialect::kPlacesAttr);
    SmallVector<OpFoldResult> offsets, sizes, strides;
    SmallVector<AffineExpr> subscripts;
    SmallVector<int64_t> shape;
    for (unsigned i = 0; i < places.size(); i += 2) {
      int64_t dim = places[i], offset = places[i + 1];
      strides.push_back(rewriter.getIndexAttr(1));
      if (dim < 0) {
        offsets.push_back(rewriter.getIndexAttr(offset));
        sizes.push_back(rewriter.getIndexAttr(1));
        continue;
      }
      offsets.push_back(affine::makeComposedFoldedAffineApply(
          rewriter, loc, d0 + offset, {begins[dim]}));
      sizes.push_back(domain[dim].size);
      subscripts.push_back(rewriter.getAffineDimExpr(dim));
      shape.push_back(
          getConstantIntValue(sizes.back()).value_or(ShapedType::kDynamic));
    }
    auto type = RankedTensorType::get(shape, read.getType());
    inputs.push_back(tensor::ExtractSliceOp::create(
        rewriter, loc, type, read.getTensor(), offsets, sizes, strides));
    maps.insert(
        maps.begin() + inputs.size() - 1,
        AffineMap::get(op.getNumLoops(), 0, subscripts, op.getContext()));
  }
  auto plain = linalg::GenericOp::create(
      rewriter, loc, op.getResultTypes(), inputs, op.getOutputs(),
      rewriter.getAffineMapArrayAttr(maps), op.getIteratorTypes(),
      /*doc=*/nullptr, /*library_call=*/nullptr);
  rewriter.inlineRegionBefore(op.getRegion(), plain.getRegion(),
                              plain.getRegion().begin());
  unsigned position = op.getNumDpsInputs();
  for (tensor::ExtractOp read : reads) {
    BlockArgument element =
        plain.getBody()->insertArgument(position++, read.getType(), loc);
    rewriter.replaceOp(read, element);
  }
  rewriter.replaceOp(op, plain.getResults());
  // Positions that nobody asks for are no arithmetic that vectors lack.
  for (Operation &inner :
       llvm::make_early_inc_range(llvm::reverse(*plain.getBody())))
    if (isOpTriviallyDead(&inner))
      rewriter.eraseOp(&inner);
}

/// Takes the borders off, if there are any.
static void splitBorders(RewriterBase &rewriter, linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumResults() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() ||
      !op.getIndexingMapsArray().back().isPermutation())
    return;
  FailureOr<SmallVector<Bound>> bounds = BorderFinder(op).find();
  if (failed(bounds)) {
    dropMarks(op);
    return;
  }
  rewriter.setInsertionPoint(op);
  SmallVector<Range> domain =
      cast<TilingInterface>(op.getOperation()).getIterationDomain(rewriter);
  SmallVector<OpFoldResult> begins, lengths;
  int64_t points = 1;
  for (auto [dim, range] : llvm::enumerate(domain)) {
    auto [begin, length] = getInterior(rewriter, op, *bounds, dim, range.size);
    begins.push_back(begin);
    lengths.push_back(length);
    std::optional<int64_t> known = getConstantIntValue(length);
    points = llvm::SaturatingMultiply<uint64_t>(
        points, std::max<int64_t>(
                    known.value_or(CompileBudget::kFewestInteriorPoints), 0));
  }
  if (points < CompileBudget::kFewestInteriorPoints) {
    dropMarks(op);
    return;
  }
  Operation *anchor = op->getPrevNode();
  Block *block = op->getBlock();
  Operation *end = op->getNextNode();
  auto interior = cast<TilingInterface>(op.getOperation());
  for (unsigned dim = 0; dim < domain.size() && interior; ++dim) {
    bool isSplit = llvm::any_of(
        *bounds, [&](const Bound &bound) { return bound.dim == dim; });
    if (!isSplit)
      continue;
    if (!isZeroInteger(begins[dim])) {
      rewriter.setInsertionPoint(interior);
      interior = linalg::splitOp(rewriter, interior, dim, begins[dim]).second;
    }
    if (interior) {
      rewriter.setInsertionPoint(interior);
      interior = linalg::splitOp(rewriter, interior, dim, lengths[dim]).first;
    }
  }
  if (interior)
    readSlices(rewriter, cast<linalg::GenericOp>(interior.getOperation()),
               begins);
  auto from = anchor ? std::next(anchor->getIterator()) : block->begin();
  auto to = end ? end->getIterator() : block->end();
  for (Operation &part : llvm::make_range(from, to))
    dropMarks(&part);
}

namespace {
struct SplitBordersPass : impl::SplitBordersBase<SplitBordersPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) { ops.push_back(op); });
    for (linalg::GenericOp op : ops)
      splitBorders(rewriter, op);
  }
};
} // namespace

} // namespace ein
