//===- Epilogue.cpp - Elementwise updates in a contraction's tiles --------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/Epilogue.h"
#include "ir/EinDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "passes/analysis/DimRoles.h"
#include "passes/analysis/VectorBody.h"
#include "passes/analysis/VectorForms.h"
#include "passes/schedule/ScheduledOps.h"

using namespace mlir;

namespace ein {

static int64_t getDim(AffineMap map, unsigned axis) {
  return cast<AffineDimExpr>(map.getResult(axis)).getPosition();
}

bool hasVectorBody(linalg::GenericOp op) {
  return llvm::all_of(op.getBody()->without_terminator(),
                      [](Operation &inner) { return hasVectorForm(&inner); });
}

bool isContiguousAlong(AffineMap map, int64_t dim) {
  return map.isProjectedPermutation() &&
         (!map.isFunctionOfDim(dim) ||
          getDim(map, map.getNumResults() - 1) == dim);
}

/// Whether the schedule of `op` has tiles in which an epilogue is computed.
static bool hasTilesForEpilogue(Operation *op) {
  return hasSchedule(op, Schedule::PackedGemm) ||
         hasSchedule(op, Schedule::Window);
}

linalg::GenericOp getEpilogue(linalg::LinalgOp op) {
  if (op->getNumResults() != 1 || !op->hasOneUse() || !hasTilesForEpilogue(op))
    return {};
  OpOperand &use = *op->use_begin();
  auto reader = dyn_cast<linalg::GenericOp>(use.getOwner());
  return reader && reader.isDpsInit(&use) &&
                 hasSchedule(reader, Schedule::Epilogue)
             ? reader
             : linalg::GenericOp();
}

/// The same for an op that updates sums over windows.
static LogicalResult matchEpilogueOfWindows(linalg::GenericOp op,
                                            linalg::LinalgOp sum,
                                            DeclineFn onDecline) {
  FailureOr<Schedule> schedule = Schedule::fromOp(sum, sum.getNumLoops());
  if (failed(schedule))
    return decline(onDecline, "the window has no schedule that could be read");
  AffineMap sumMap = getInitMap(sum), map = getInitMap(op);
  for (int64_t dim = 0, e = sum.getNumLoops(); dim < e; ++dim)
    if (!sumMap.isFunctionOfDim(dim) && schedule->tile[dim] != 0)
      return decline(onDecline, "a loop over sums is outside of the tiles");
  // Rows of a tile may be there twice: they are computed from the start again.
  auto fill = sum.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  if (!fill ||
      fill.getInputs()[0].getType() != getElementTypeOrSelf(sum->getResult(0)))
    return decline(onDecline, "the sums do not start from a number");
  if (!isArithmeticOfVectors(op))
    return decline(onDecline, "its body is not arithmetic that vectors have");
  int64_t last = getDim(map, sumMap.getNumResults() - 1);
  for (OpOperand *input : op.getDpsInputOperands())
    if (op.payloadUsesValueFromOperand(input) &&
        !isContiguousAlong(op.getMatchingIndexingMap(input), last))
      return decline(onDecline,
                     "an operand is not contiguous along the vectors");
  return success();
}

FailureOr<linalg::LinalgOp> matchEpilogue(linalg::GenericOp op,
                                          DeclineFn onDecline) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() != 0 || !getInitMap(op).isPermutation())
    return decline(onDecline, "it is not elementwise");
  auto sum = op.getDpsInits()[0].getDefiningOp<linalg::LinalgOp>();
  if (!sum || !hasTilesForEpilogue(sum) || !sum->hasOneUse() ||
      sum->getBlock() != op->getBlock())
    return decline(
        onDecline,
        "it does not update what a packed_gemm or a window gives to it only");
  if (hasSchedule(sum, Schedule::Window)) {
    if (failed(matchEpilogueOfWindows(op, sum, onDecline)))
      return failure();
    return sum;
  }
  FailureOr<Schedule> schedule = Schedule::fromOp(sum, sum.getNumLoops());
  if (failed(schedule))
    return decline(onDecline,
                   "the packed_gemm has no schedule that could be read");
  if (schedule->symmetric != 0)
    return decline(onDecline,
                   "half of the packed_gemm is copied from the other half");

  // Partial sums go through the body too; the results are thrown away, but a
  // division by one of them may trap.
  bool divides = llvm::any_of(*op.getBody(), [](Operation &inner) {
    return isa<arith::DivSIOp, arith::DivUIOp, arith::CeilDivSIOp,
               arith::CeilDivUIOp, arith::FloorDivSIOp, arith::RemSIOp,
               arith::RemUIOp>(inner);
  });
  if (divides || !hasVectorBody(op))
    return decline(onDecline, "its body is not arithmetic that vectors have");

  AffineMap sumMap = getInitMap(sum), map = getInitMap(op);
  if (mayHaveNoBlock(sum, schedule->k))
    return decline(onDecline, "a loop over sums may be empty");
  std::optional<unsigned> axis =
      sumMap.getResultPosition(getAffineDimExpr(schedule->n, op.getContext()));
  if (!axis)
    return decline(onDecline, "dim n is none of the result");
  int64_t n = getDim(map, *axis);
  for (OpOperand *input : op.getDpsInputOperands())
    if (!isContiguousAlong(op.getMatchingIndexingMap(input), n))
      return decline(onDecline, "an operand is not contiguous along dim n");
  return sum;
}

/// A copy of `op` with other operands, whose maps are `maps`. Inputs beyond
/// `op`'s become further arguments, before the output's.
static linalg::GenericOp createLike(OpBuilder &b, linalg::GenericOp op,
                                    ValueRange inputs, Value init,
                                    ArrayRef<AffineMap> maps) {
  SmallVector<utils::IteratorType> iterators(maps.front().getNumDims(),
                                             utils::IteratorType::parallel);
  auto created = linalg::GenericOp::create(
      b, op.getLoc(), TypeRange(init.getType()), inputs, init, maps, iterators);
  created->setAttr(EinDialect::kScheduleAttr,
                   op->getAttr(EinDialect::kScheduleAttr));
  IRMapping mapping;
  op.getRegion().cloneInto(&created.getRegion(), mapping);
  Block *body = created.getBody();
  for (size_t i = op.getNumDpsInputs(); i < inputs.size(); ++i)
    body->insertArgument(i, getElementTypeOrSelf(inputs[i].getType()),
                         op.getLoc());
  return created;
}

bool mayHaveNoBlock(linalg::LinalgOp op, int64_t k) {
  AffineMap output = getInitMap(op);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (int64_t dim = 0, e = op.getNumLoops(); dim < e; ++dim)
    if (dim != k && !output.isFunctionOfDim(dim) &&
        ShapedType::isDynamic(ranges[dim]))
      return true;
  return false;
}

/// Has a loop from 0 whose end is dynamic run once if it would not run, if that
/// has not been done.
static void runAtLeastOnce(RewriterBase &rewriter, scf::ForOp loop) {
  auto max = loop.getUpperBound().getDefiningOp<arith::MaxSIOp>();
  if (getConstantIntValue(loop.getUpperBound()) ||
      (max && getConstantIntValue(max.getRhs()) == 1))
    return;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(loop);
  Location loc = loop.getLoc();
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  Value end = arith::MaxSIOp::create(rewriter, loc, loop.getUpperBound(), one);
  rewriter.modifyOpInPlace(loop, [&]() { loop.setUpperBound(end); });
}

Value areSumLoopsAt(RewriterBase &rewriter, linalg::LinalgOp tile,
                    ArrayRef<LoopLikeOpInterface> loops,
                    ArrayRef<int64_t> loopDims,
                    function_ref<Value(scf::ForOp)> isThere) {
  Value result;
  for (auto [loopLike, dim] : llvm::zip_equal(loops, loopDims)) {
    if (getInitMap(tile).isFunctionOfDim(dim))
      continue;
    auto loop = cast<scf::ForOp>(*loopLike);
    runAtLeastOnce(rewriter, loop);
    Value here = isThere(loop);
    result = result
                 ? arith::AndIOp::create(rewriter, here.getLoc(), result, here)
                 : here;
  }
  return result;
}

LogicalResult fuseEpilogue(RewriterBase &rewriter, linalg::GenericOp epilogue,
                           linalg::LinalgOp tile,
                           ArrayRef<LoopLikeOpInterface> loops,
                           ArrayRef<int64_t> loopDims) {
  if (loops.empty())
    return success();
  auto insert = cast<tensor::InsertSliceOp>(*tile->user_begin());
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(insert);
  Location loc = epilogue.getLoc();

  // Tiled as if it wrote where the tile will be; then it is given the tile.
  auto copy = cast<linalg::GenericOp>(rewriter.clone(*epilogue));
  copy.setDpsInitOperand(0, insert.getDest());
  AffineMap map = getInitMap(epilogue);
  SmallVector<OpFoldResult> offsets(map.getNumDims()), sizes(map.getNumDims());
  for (unsigned axis = 0, e = map.getNumResults(); axis < e; ++axis) {
    offsets[getDim(map, axis)] = insert.getMixedOffsets()[axis];
    sizes[getDim(map, axis)] = insert.getMixedSizes()[axis];
  }
  FailureOr<TilingResult> tiled =
      cast<TilingInterface>(copy.getOperation())
          .getTiledImplementation(rewriter, offsets, sizes);
  if (failed(tiled))
    return epilogue.emitOpError("cannot be tiled as what it updates");
  auto fused = cast<linalg::GenericOp>(tiled->tiledOps.front());
  SmallVector<Value> inputs = fused.getDpsInputs();
  SmallVector<AffineMap> maps = fused.getIndexingMapsArray();
  Value isLast = areSumLoopsAt(
      rewriter, tile, loops, loopDims, [&](scf::ForOp loop) -> Value {
        Value next = arith::AddIOp::create(
            rewriter, loc, loop.getInductionVar(), loop.getStep());
        return arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::sge,
                                     next, loop.getUpperBound());
      });
  if (isLast) {
    inputs.push_back(isLast);
    maps.insert(std::prev(maps.end()),
                AffineMap::get(map.getNumDims(), 0, rewriter.getContext()));
  }
  linalg::GenericOp result =
      createLike(rewriter, fused, inputs, tile->getResult(0), maps);
  if (isLast) {
    Block *body = result.getBody();
    auto yield = cast<linalg::YieldOp>(body->getTerminator());
    rewriter.setInsertionPoint(yield);
    Value old = body->getArguments().back();
    Value selected = arith::SelectOp::create(
        rewriter, loc, body->getArgument(inputs.size() - 1),
        yield.getOperand(0), old);
    rewriter.modifyOpInPlace(yield, [&]() { yield.setOperand(0, selected); });
  }
  rewriter.modifyOpInPlace(
      insert, [&]() { insert.getSourceMutable().set(result.getResult(0)); });
  rewriter.eraseOp(fused);
  rewriter.eraseOp(copy);
  rewriter.replaceOp(epilogue, epilogue.getDpsInits()[0]);
  return success();
}

Value createTileEpilogue(ImplicitLocOpBuilder &b, linalg::GenericOp epilogue,
                         linalg::LinalgOp contraction, int64_t m, int64_t n,
                         Value tile, ArrayRef<OpFoldResult> offsets,
                         ArrayRef<OpFoldResult> sizes) {
  MLIRContext *context = b.getContext();
  AffineMap sumMap = getInitMap(contraction), map = getInitMap(epilogue);
  // Which axis of the tile a dim of the epilogue is; none for the others.
  auto getTileAxis = [&](int64_t dim) -> std::optional<unsigned> {
    unsigned axis = *map.getResultPosition(getAffineDimExpr(dim, context));
    int64_t sumDim = getDim(sumMap, axis);
    if (sumDim == m)
      return 0;
    return sumDim == n ? std::optional<unsigned>(1) : std::nullopt;
  };
  ArrayRef<int64_t> tileShape =
      cast<RankedTensorType>(tile.getType()).getShape();
  OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);

  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (OpOperand *operand : epilogue.getDpsInputOperands()) {
    Value input = operand->get();
    AffineMap inputMap = epilogue.getMatchingIndexingMap(operand);
    SmallVector<OpFoldResult> sliceOffsets, sliceSizes, high;
    SmallVector<int64_t> sliced, padded;
    SmallVector<AffineExpr> exprs;
    for (unsigned i = 0, e = inputMap.getNumResults(); i < e; ++i) {
      std::optional<unsigned> axis = getTileAxis(getDim(inputMap, i));
      sliceOffsets.push_back(axis ? offsets[*axis] : zero);
      sliceSizes.push_back(axis ? sizes[*axis] : one);
      if (!axis)
        continue;
      exprs.push_back(b.getAffineDimExpr(*axis));
      padded.push_back(tileShape[*axis]);
      sliced.push_back(
          getConstantIntValue(sizes[*axis]).value_or(ShapedType::kDynamic));
      high.push_back(affine::makeComposedFoldedAffineApply(
          b, b.getLoc(), tileShape[*axis] - b.getAffineDimExpr(0),
          {sizes[*axis]}));
    }
    maps.push_back(AffineMap::get(2, 0, exprs, context));
    auto type = dyn_cast<RankedTensorType>(input.getType());
    if (type && exprs.empty()) {
      Value first = arith::ConstantIndexOp::create(b, 0);
      input = tensor::ExtractOp::create(
          b, input, SmallVector<Value>(type.getRank(), first));
    } else if (type) {
      Type elementType = type.getElementType();
      SmallVector<OpFoldResult> ones(type.getRank(), one);
      input = tensor::ExtractSliceOp::create(
          b, RankedTensorType::get(sliced, elementType), input, sliceOffsets,
          sliceSizes, ones);
      Value padding = arith::ConstantOp::create(b, b.getZeroAttr(elementType));
      input = tensor::PadOp::create(
          b, RankedTensorType::get(padded, elementType), input,
          SmallVector<OpFoldResult>(padded.size(), zero), high, padding);
    }
    inputs.push_back(input);
  }
  maps.push_back(AffineMap::getMultiDimIdentityMap(2, context));
  return createLike(b, epilogue, inputs, tile, maps).getResult(0);
}

} // namespace ein
