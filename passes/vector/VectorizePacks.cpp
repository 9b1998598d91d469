//===- VectorizePacks.cpp - Packs as loops over vectors -----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pack reads a matrix once and writes it once, so its speed is that of its
// memory accesses: whole vectors on both sides. If the source is contiguous
// along the panel's width, a row of the panel is one read and one write. If it
// is contiguous along k, a block of one cache line of k by the panel's width is
// read and transposed in registers. Groups of k are rows that are interleaved
// or, where the source has them side by side, elements of the group's size that
// are transposed. What converts the panels afterwards, an extension or an
// exclusive or, is done on the way, and the other panels never exist.
//
// Complex numbers of two f32 are moved as f64; no vector has elements as large
// as those of two f64, which are moved one by one.
//
// Reads beyond the source give zero, writes beyond the panel are dropped: the
// transfer ops say both. Where the source may end inside of what is read, the
// iterations in which it does have loops of their own. The others need no
// masks, which not all machines have, and none for bytes.
//
//===----------------------------------------------------------------------===//

#include "abi/CacheLine.h"
#include "ir/EinDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/Einsums.h"
#include "passes/analysis/KnownDivisors.h"
#include "passes/schedule/ScheduledOps.h"
#include "passes/vector/Passes.h"
#include "passes/vector/Transforms.h"
#include "passes/vector/TransposeInRegisters.h"

namespace ein {
#define GEN_PASS_DEF_VECTORIZEPACKS
#include "passes/vector/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

namespace {

/// The loops for one pack, and for the op that converts its panels, or the one
/// that gathers their groups, if there is one.
class PackVectorizer {
public:
  PackVectorizer(RewriterBase &rewriter, linalg::PackOp op,
                 linalg::GenericOp conversion, linalg::GenericOp gathering)
      : b(op.getLoc(), rewriter), op(op), conversion(conversion),
        axis(op.getInnerDimsPos()[0]), width(op.getStaticTiles()[0]),
        group(op.getStaticTiles().size() == 2 ? op.getStaticTiles()[1] : 1),
        source(op.getSource()), type(getElementTypeOrSelf(source)),
        panelType(type) {
    if (conversion)
      panelType = getElementTypeOrSelf(conversion.getResult(0).getType());
    if (gathering)
      group =
          cast<ShapedType>(gathering.getResult(0).getType()).getShape().back();
    element = panelType;
    if (auto complexType = dyn_cast<ComplexType>(type);
        complexType && complexType.getElementType().isF32()) {
      type = panelType = b.getF64Type();
      source = ReinterpretOp::get(b, op.getLoc(), source, type);
    }
  }

  /// The panels, written to `destination`.
  Value createLoops(Value destination);

private:
  bool isWidthContiguous() const { return axis == 1; }
  /// A group of k fills one of these.
  unsigned getGroupBits() const {
    return panelType.getIntOrFloatBitWidth() * group;
  }
  /// How many groups of k are moved at a time: those of a cache line of the
  /// panel's type if they have to be transposed, and are not too many for it.
  int64_t getStep() const {
    if (isWidthContiguous())
      return 1;
    return std::min<int64_t>(getElementsPerLine(getGroupBits()), kLongestRows);
  }
  /// Along the width and along k, whether the source has all that is read, and
  /// does not end before.
  struct Extent {
    bool hasColumns, hasDepth;
  };
  Value createRead(Value column, Value k, Extent extent);
  Value createConversion(Value vector);
  Value interleave(ArrayRef<Value> rows);
  Value createGroups(Value vector);
  /// Iterations of a loop: in all of them the source has what they read, or it
  /// may end before.
  struct Part {
    Value first, last;
    bool isComplete;
  };
  using PartFn =
      llvm::function_ref<Value(Value index, Value carried, bool isComplete)>;
  SmallVector<Part> getParts(unsigned dim, int64_t size, int64_t steps,
                             Value count);
  Value createPartLoops(ArrayRef<Part> parts, int64_t step, Value carried,
                        PartFn body, Attribute parallel = {});
  Value createVectorLoops(Value panels, Value depth, Value destination);
  Value createElementLoops(Value panels, Value depth, Value destination);
  Value moveVector(ValueRange ivs, Value panels, Extent extent);
  Value moveElements(ValueRange ivs, Value panels);

  ImplicitLocOpBuilder b;
  linalg::PackOp op;
  linalg::GenericOp conversion;
  int64_t axis, width, group;
  Value source;
  Type type, panelType, element;
};

} // namespace

/// What is read for one iteration, beginning at `column` of the width and at
/// `k`: [k, width], or, where groups are contiguous in the source, [width, k].
/// It is zero beyond the source's end.
Value PackVectorizer::createRead(Value column, Value k, Extent extent) {
  AffineExpr d0, d1;
  bindDims(b.getContext(), d0, d1);
  int64_t depth = getStep() * group;
  bool isTransposedLater = !isWidthContiguous() && group > 1;
  auto vectorType = isTransposedLater ? VectorType::get({width, depth}, type)
                                      : VectorType::get({depth, width}, type);
  AffineMap map = isWidthContiguous() || isTransposedLater
                      ? AffineMap::get(2, 0, {d0, d1}, b.getContext())
                      : AffineMap::get(2, 0, {d1, d0}, b.getContext());
  SmallVector<Value> position(2);
  position[axis] = column;
  position[1 - axis] = k;
  SmallVector<bool> isInside; // along the vector's dims
  for (AffineExpr expr : map.getResults())
    isInside.push_back(cast<AffineDimExpr>(expr).getPosition() == axis
                           ? extent.hasColumns
                           : extent.hasDepth);
  // A pack whose panels are all complete is canonicalised to have no padding;
  // blocks of k may still reach beyond the source.
  Value padding = op.getPaddingValue();
  if (!padding || padding.getType() != type)
    padding = arith::ConstantOp::create(b, b.getZeroAttr(type));
  return vector::TransferReadOp::create(b, vectorType, source, position,
                                        padding, map, isInside);
}

/// The vector as the panel has it.
Value PackVectorizer::createConversion(Value vector) {
  if (!conversion)
    return vector;
  Operation *scalar =
      conversion.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  VectorType wide = cast<VectorType>(vector.getType()).clone(panelType);
  APInt bits;
  if (scalar->getNumOperands() == 2 &&
      matchPattern(scalar->getOperand(1), m_ConstantInt(&bits)))
    return arith::XOrIOp::create(
        b, vector,
        arith::ConstantOp::create(b, DenseElementsAttr::get(wide, bits)));
  return b.create(b.getLoc(), scalar->getName().getIdentifier(), vector, wide)
      ->getResult(0);
}

/// The rows' elements by turns, of a power of two of rows.
Value PackVectorizer::interleave(ArrayRef<Value> rows) {
  if (rows.size() == 1)
    return rows.front();
  SmallVector<Value> even, odd;
  for (auto [number, row] : llvm::enumerate(rows))
    (number % 2 == 0 ? even : odd).push_back(row);
  return vector::InterleaveOp::create(b, interleave(even), interleave(odd));
}

/// The vector [k, width] of a panel without groups as it is; else one whose
/// last dim has the width's groups.
Value PackVectorizer::createGroups(Value vector) {
  if (group == 1)
    return vector;
  if (isWidthContiguous()) {
    SmallVector<Value> rows;
    for (int64_t row = 0; row < group; ++row)
      rows.push_back(
          vector::ExtractOp::create(b, vector, ArrayRef<int64_t>{row}));
    return vector::ShapeCastOp::create(
        b, VectorType::get({1, width * group}, panelType), interleave(rows));
  }
  int64_t step = getStep();
  if (step == 1)
    return vector::ShapeCastOp::create(
        b, VectorType::get({1, width * group}, panelType), vector);
  // A group is one number while it is moved.
  Type wide = b.getIntegerType(getGroupBits());
  Value groups = vector::BitCastOp::create(
      b, VectorType::get({width, step}, wide), vector);
  Value transposed =
      vector::TransposeOp::create(b, groups, ArrayRef<int64_t>{1, 0});
  return vector::BitCastOp::create(
      b, VectorType::get({step, width * group}, panelType), transposed);
}

/// What one iteration moves: `ivs` are a panel and a group of k.
Value PackVectorizer::moveVector(ValueRange ivs, Value panels, Extent extent) {
  Location loc = b.getLoc();
  AffineExpr d0 = b.getAffineDimExpr(0);
  MLIRContext *context = b.getContext();
  AffineMap writeMap = AffineMap::get(
      3, 0, {getAffineDimExpr(1, context), getAffineDimExpr(2, context)},
      context);
  Value column = affine::makeComposedAffineApply(b, loc, d0 * width, {ivs[0]});
  Value k = group == 1 ? ivs[1]
                       : Value(affine::makeComposedAffineApply(
                             b, loc, d0 * group, {ivs[1]}));
  Value vector = createGroups(createConversion(createRead(column, k, extent)));
  Value zero = arith::ConstantIndexOp::create(b, 0);
  return vector::TransferWriteOp::create(
             b, vector, panels, ValueRange{ivs[0], ivs[1], zero}, writeMap,
             ArrayRef<bool>{extent.hasDepth || getStep() == 1, true})
      .getResult();
}

/// The same with elements that no vector has, one by one.
Value PackVectorizer::moveElements(ValueRange ivs, Value panels) {
  Location loc = b.getLoc();
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value end = arith::ConstantIndexOp::create(b, width);
  Value extent = getValueOrCreateConstantIndexOp(
      b, loc, tensor::getMixedSize(b, loc, source, axis));
  auto body = [&](OpBuilder &inner, Location, Value number,
                  ValueRange carried) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(inner.getInsertionBlock());
    AffineExpr d0, d1;
    bindDims(b.getContext(), d0, d1);
    Value column = affine::makeComposedAffineApply(b, loc, d0 * width + d1,
                                                   {ivs[0], number});
    // What is read behind the end is thrown away, and is there.
    Value last = arith::SubIOp::create(b, extent, one);
    SmallVector<Value> position(2, ivs[1]);
    position[axis] = arith::MinSIOp::create(b, column, last);
    Value moved = tensor::ExtractOp::create(b, source, position);
    Value isThere =
        arith::CmpIOp::create(b, arith::CmpIPredicate::slt, column, extent);
    moved =
        arith::SelectOp::create(b, isThere, moved, createZero(b, loc, element));
    Value written = tensor::InsertOp::create(
        b, moved, carried[0], ValueRange{ivs[0], ivs[1], number});
    scf::YieldOp::create(b, written);
  };
  return scf::ForOp::create(b, zero, end, one, ValueRange{panels}, body)
      .getResult(0);
}

/// What is complete, in units of `size` along an axis of the source, and then
/// what is not, if there may be anything. `count` is all of both in steps, of
/// which a unit has `steps`.
SmallVector<PackVectorizer::Part> PackVectorizer::getParts(unsigned dim,
                                                           int64_t size,
                                                           int64_t steps,
                                                           Value count) {
  Value zero = arith::ConstantIndexOp::create(b, 0);
  OpFoldResult extent = tensor::getMixedSize(b, b.getLoc(), source, dim);
  if (isKnownMultiple(extent, size))
    return {Part{zero, count, /*isComplete=*/true}};
  AffineExpr units = b.getAffineDimExpr(0).floorDiv(size);
  Value complete = getValueOrCreateConstantIndexOp(
      b, b.getLoc(),
      affine::makeComposedFoldedAffineApply(b, b.getLoc(), units * steps,
                                            {extent}));
  return {{zero, complete, /*isComplete=*/true},
          {complete, count, /*isComplete=*/false}};
}

/// A loop over each part, which carries the panels.
Value PackVectorizer::createPartLoops(ArrayRef<Part> parts, int64_t step,
                                      Value carried, PartFn body,
                                      Attribute parallel) {
  for (const Part &part : parts) {
    auto loop = scf::ForOp::create(
        b, part.first, part.last, arith::ConstantIndexOp::create(b, step),
        carried, [&](OpBuilder &, Location, Value index, ValueRange inner) {
          OpBuilder::InsertionGuard guard(b);
          b.setInsertionPointToEnd(index.getParentBlock());
          Value next = body(index, inner[0], part.isComplete);
          scf::YieldOp::create(b, next);
        });
    if (parallel)
      loop->setAttr(EinDialect::kParallelAttr, parallel);
    carried = loop.getResult(0);
  }
  return carried;
}

/// Where the width is contiguous in the source, it is the inner loop, so that
/// memory brings what lies side by side, and pages are few. But threads share
/// panels.
Value PackVectorizer::createVectorLoops(Value panels, Value depth,
                                        Value destination) {
  int64_t step = getStep();
  SmallVector<Part> ofWidth = getParts(axis, width, 1, panels),
                    ofDepth = getParts(1 - axis, step * group, step, depth);
  Attribute parallel = op->getAttr(EinDialect::kParallelAttr);
  if (isWidthContiguous() && !parallel) {
    auto moveRow = [&](Value k, Value carried, bool hasDepth) {
      auto move = [&](Value panel, Value inner, bool hasColumns) {
        return moveVector({panel, k}, inner, {hasColumns, hasDepth});
      };
      return createPartLoops(ofWidth, 1, carried, move);
    };
    return createPartLoops(ofDepth, step, destination, moveRow);
  }
  // Of the last panel all of k is read under a mask: its code runs once.
  Part masked = {ofDepth.front().first, depth, /*isComplete=*/false};
  auto movePanel = [&](Value panel, Value carried, bool hasColumns) {
    auto move = [&](Value k, Value inner, bool hasDepth) {
      return moveVector({panel, k}, inner, {hasColumns, hasDepth});
    };
    return createPartLoops(hasColumns ? ArrayRef(ofDepth) : ArrayRef(masked),
                           step, carried, move);
  };
  return createPartLoops(ofWidth, 1, destination, movePanel, parallel);
}

/// Elements one after the other.
Value PackVectorizer::createElementLoops(Value panels, Value depth,
                                         Value destination) {
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);
  auto body = [&](OpBuilder &, Location, ValueRange ivs, ValueRange carried) {
    b.setInsertionPointToEnd(ivs.back().getParentBlock());
    return scf::ValueVector{moveElements(ivs, carried[0])};
  };
  scf::LoopNest nest =
      scf::buildLoopNest(b, b.getLoc(), {zero, zero}, {panels, depth},
                         {one, one}, ValueRange{destination}, body);
  if (Attribute parallel = op->getAttr(EinDialect::kParallelAttr))
    nest.loops.front()->setAttr(EinDialect::kParallelAttr, parallel);
  b.setInsertionPointAfter(nest.loops.front());
  return nest.results[0];
}

Value PackVectorizer::createLoops(Value destination) {
  destination = ReinterpretOp::get(b, b.getLoc(), destination, panelType);
  // A row of a panel is contiguous, groups or not.
  auto type = cast<RankedTensorType>(destination.getType());
  SmallVector<ReassociationIndices> rows = {{0}, {1}, {2, 3}};
  // Groups of a step of k that are gathered are as good as steps of a group.
  if (type.getRank() == 5)
    rows = {{0}, {1, 2}, {3, 4}};
  if (group > 1)
    destination = tensor::CollapseShapeOp::create(b, destination, rows);
  auto getSize = [&](unsigned dim) {
    return getValueOrCreateConstantIndexOp(
        b, b.getLoc(), tensor::getMixedSize(b, b.getLoc(), destination, dim));
  };
  Value panels = getSize(0), depth = getSize(1);
  Value moved = isa<ComplexType>(panelType)
                    ? createElementLoops(panels, depth, destination)
                    : createVectorLoops(panels, depth, destination);
  if (group > 1)
    return tensor::ExpandShapeOp::create(b, type, moved, rows);
  return ReinterpretOp::get(b, b.getLoc(), moved, element);
}

/// The op that converts the panels of a pack, if that is all they are for: it
/// extends their elements, or turns over some of their bits.
static linalg::GenericOp getConversion(linalg::PackOp op) {
  if (!op->hasOneUse())
    return {};
  auto user = dyn_cast<linalg::GenericOp>(*op->user_begin());
  if (!user || user.getNumDpsInputs() != 1 || user.getNumDpsInits() != 1 ||
      user.getDpsInputs()[0] != op.getResult() ||
      !llvm::all_of(user.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isIdentity(); }))
    return {};
  Operation *scalar =
      user.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  APInt bits;
  bool converts =
      isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp, arith::ExtFOp>(scalar) ||
      (isa_and_nonnull<arith::XOrIOp>(scalar) &&
       matchPattern(scalar->getOperand(1), m_ConstantInt(&bits)));
  return converts && scalar->getOperand(0) == user.getBody()->getArgument(0)
             ? user
             : linalg::GenericOp();
}

/// The op that gathers the groups of a pack's panels, if that is all they are
/// for: [panels, k, width, groups, group] becomes [panels, k, groups, width,
/// group].
static linalg::GenericOp getGathering(linalg::PackOp op) {
  if (!op->hasOneUse())
    return {};
  auto groups = dyn_cast<tensor::ExpandShapeOp>(*op->user_begin());
  if (!groups || !groups->hasOneUse())
    return {};
  auto user = dyn_cast<linalg::GenericOp>(*groups->user_begin());
  if (!user || user.getNumDpsInputs() != 1 || user.getNumDpsInits() != 1)
    return {};
  SmallVector<int64_t> order = {0, 1, 3, 2, 4};
  SmallVector<AffineMap> maps = user.getIndexingMapsArray();
  bool gathers =
      maps[0] == AffineMap::getPermutationMap(order, op.getContext()) &&
      maps[1].isIdentity() &&
      user.getBody()->getTerminator()->getOperand(0) ==
          user.getBody()->getArgument(0);
  return gathers ? user : linalg::GenericOp();
}

/// Whether `op` is what packOperands makes: a matrix packed to panels, with
/// groups of k innermost or without.
static bool isPackOfPanels(linalg::PackOp op) {
  ArrayRef<int64_t> axes = op.getInnerDimsPos();
  SmallVector<int64_t> tiles = op.getStaticTiles();
  if (op.getSourceType().getRank() != 2 || axes.empty() ||
      ShapedType::isDynamicShape(tiles))
    return false;
  SmallVector<int64_t> order = {axes[0], 1 - axes[0]};
  ArrayRef<int64_t> outer = op.getOuterDimsPerm();
  bool isPanelsFirst = outer.empty() ? axes[0] == 0 : llvm::equal(outer, order);
  return isPanelsFirst && (axes.size() == 1 || llvm::isPowerOf2_64(tiles[1]));
}

LogicalResult vectorizePack(RewriterBase &rewriter, linalg::PackOp op) {
  if (!isPackOfPanels(op))
    return rewriter.notifyMatchFailure(
        op, "not a matrix packed to panels of one static width");
  linalg::GenericOp conversion = getConversion(op),
                    gathering = getGathering(op);
  linalg::GenericOp last = conversion ? conversion : gathering;
  Value destination = last ? last.getDpsInits()[0] : op.getDest();
  rewriter.setInsertionPoint(last ? last : op.getOperation());
  Value panels = PackVectorizer(rewriter, op, conversion, gathering)
                     .createLoops(destination);
  if (!last) {
    rewriter.replaceOp(op, panels);
    return success();
  }
  Operation *groups = gathering ? *op->user_begin() : nullptr;
  rewriter.replaceOp(last, panels);
  if (groups)
    rewriter.eraseOp(groups);
  rewriter.eraseOp(op);
  return success();
}

namespace {
struct VectorizePacksPass : impl::VectorizePacksBase<VectorizePacksPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::PackOp> ops;
    getOperation().walk([&](linalg::PackOp op) { ops.push_back(op); });
    for (linalg::PackOp op : ops)
      if (failed(vectorizePack(rewriter, op))) {
        op.emitOpError("is not a matrix packed to panels of one static width");
        return signalPassFailure();
      }
  }
};
} // namespace

} // namespace ein
