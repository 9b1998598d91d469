//===- FuseColumnBlocks.cpp - Attention by blocks of columns --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of a block of rows, a loop over blocks of columns carries the maximum so far
// and the sums relative to it (OnlineSoftmax.h). Of each block of columns it
// makes the ops up to the maximum, the new maximum m and exp(old - m), by which
// the sums so far are multiplied, and then the other ops, which add to these.
//
//  * A row that has seen nothing but -inf has a maximum that nothing may be
//    subtracted: -inf - -inf is NaN, while columns to come may be numbers. As
//    long as that is so, weights are relative to 0, and zero; if it is so at
//    the end, they would have been NaN, and so is what was added up.
//  * Columns that a mask leaves nothing of are in no block, if that makes no
//    difference (MaskedColumns.cpp). If it does, that is known behind the
//    others, and the loop goes on.
//  * Blocks are whole but for the last one, whose ops are made again, of
//  dynamic
//    size. If it is not known how many there are, that is what all are made by:
//    they are large, and what a size that is known saves is little beside the
//    time that LLVM takes for a second copy of all products and rows.
//
//===----------------------------------------------------------------------===//

#include "ir/IndexNames.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/DimRoles.h"
#include "passes/decompose/BlockExtent.h"
#include "passes/decompose/FusionGroupLoop.h"
#include "passes/decompose/RowBuffers.h"

using namespace mlir;

namespace ein {

/// How many columns a block has, but for the last one.
int64_t FusionGroupLoop::getColumnBlock() { return schedules.front().grain; }

/// Per dim of the rows, the axis of a tile of the op's result; -1 if it has
/// none, as it is of one row.
FusionGroupLoop::Dims FusionGroupLoop::getTileAxes(linalg::LinalgOp op) {
  SmallVector<int64_t> axes =
      *getRowAxes(getInitMap(op), group.find(op)->second);
  Dims result;
  for (auto [row, axis] : llvm::enumerate(axes)) {
    int64_t place = axis;
    for (auto [other, otherAxis] : llvm::enumerate(axes))
      place -= tiles[other] == 1 && otherAxis < axis;
    result.push_back(tiles[row] == 1 ? -1 : place);
  }
  return result;
}

void FusionGroupLoop::createBlockBuffers() {
  auto top = cast<linalg::LinalgOp>(online->getTop().getOperation());
  SmallVector<int64_t> axes =
      *getRowAxes(getInitMap(top), group.find(top)->second);
  Sizes sizes;
  for (int64_t axis = 0, e = axes.size(); axis < e; ++axis)
    if (int64_t tile = tiles[llvm::find(axes, axis) - axes.begin()]; tile != 1)
      sizes.push_back(b.getIndexAttr(tile));
  Type type = getElementTypeOrSelf(top.getDpsInits()[0].getType());
  std::string name = getTensorName(top.getLoc()).str();
  Location loc = b.getLoc();
  b.setLoc(withTensorName(top.getLoc(), name + " of a block"));
  blockTop = createBuffer(b, type, sizes, conflictBytes);
  b.setLoc(withTensorName(top.getLoc(), "factor of " + name));
  blockFactor = createBuffer(b, type, sizes, conflictBytes);
  b.setLoc(loc);
}

/// An op on each element of a tile of what `op` computes, and on the numbers
/// of its row, in tiles like the maximum's.
Value FusionGroupLoop::createOnRows(linalg::LinalgOp op, ValueRange numbers,
                                    Value tile, RowBody body) {
  Dims ofTop =
           getTileAxes(cast<linalg::LinalgOp>(online->getTop().getOperation())),
       ofTile = getTileAxes(op);
  int64_t rank = cast<RankedTensorType>(tile.getType()).getRank();
  SmallVector<AffineExpr> exprs(
      llvm::count_if(ofTop, [](int64_t axis) { return axis >= 0; }));
  for (auto [from, to] : llvm::zip_equal(ofTop, ofTile))
    if (from >= 0)
      exprs[from] = b.getAffineDimExpr(to);
  SmallVector<AffineMap> maps(numbers.size(),
                              AffineMap::get(rank, 0, exprs, b.getContext()));
  maps.push_back(b.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  SmallVector<unsigned> kept;
  for (AffineExpr expr : getInitMap(op).getResults())
    if (int64_t dim = cast<AffineDimExpr>(expr).getPosition();
        isKept(group.find(op)->second, dim))
      kept.push_back(dim);
  return linalg::GenericOp::create(
             b,
             withTensorName(selectIndexNames(op.getLoc(), kept),
                            getTensorName(op.getLoc()).str() + ", so far"),
             tile.getType(), numbers, tile, maps, iterators,
             [&](OpBuilder &nested, Location loc, ValueRange arguments) {
               ImplicitLocOpBuilder inner(loc, nested);
               linalg::YieldOp::create(inner, body(inner, arguments));
             })
      .getResult(0);
}

/// What may be subtracted from -inf: the number, or 0 for -inf.
static Value createFinite(ImplicitLocOpBuilder &b, Value number, Value isNone) {
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(number.getType()));
  return arith::SelectOp::create(b, isNone, zero, number);
}

/// Whether a number is -inf.
static Value createIsNone(ImplicitLocOpBuilder &b, Value number) {
  auto type = cast<FloatType>(number.getType());
  Value none = arith::ConstantOp::create(
      b, b.getFloatAttr(type, APFloat::getInf(type.getFloatSemantics(),
                                              /*Negative=*/true)));
  return arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, number, none);
}

/// The columns from one to another one, by blocks; what the accumulators have
/// is gone on with. Of whole blocks the size is known.
void FusionGroupLoop::createBlockLoop(OpFoldResult from, OpFoldResult to,
                                      bool areWhole) {
  auto top = cast<linalg::LinalgOp>(online->getTop().getOperation());
  SmallVector<Value> values;
  for (linalg::LinalgOp op : online->getAccumulators())
    values.push_back(tilesOf.lookup(op->getResult(0)));
  int64_t block = getColumnBlock();
  auto loop = scf::ForOp::create(
      b, getValueOrCreateConstantIndexOp(b, b.getLoc(), from),
      getValueOrCreateConstantIndexOp(b, b.getLoc(), to),
      arith::ConstantIndexOp::create(b, block), values);
  setLoopLoc(loop, top, online->getColumns(top));
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    columnsBegin = loop.getInductionVar();
    numColumns = areWhole ? OpFoldResult(b.getIndexAttr(block))
                          : getBlockLength(b, block, columnsBegin, to);
    slices.clear();
    llvm::DenseMap<Operation *, Value> before, after;
    for (auto [op, value] :
         llvm::zip_equal(online->getAccumulators(), loop.getRegionIterArgs()))
      before[op] = value;
    Value factor;
    auto createTop = [&] {
      Value maximum = before.lookup(top);
      Value none = getStart(top).getInputs()[0];
      starts[top] =
          linalg::FillOp::create(b, none, getBufferTile(top, blockTop))
              .getResult(0);
      Value ofBlock = createTile(top, group.find(top)->second);
      factor = createOnRows(
          top, {maximum, ofBlock}, getBufferTile(top, blockFactor),
          [](ImplicitLocOpBuilder &inner, ValueRange arguments) -> Value {
            Value old = arguments[0];
            Value now = arith::MaximumFOp::create(inner, old, arguments[1]);
            Value finite = createFinite(inner, now, createIsNone(inner, now));
            return math::ExpOp::create(
                inner, arith::SubFOp::create(inner, old, finite));
          });
      after[top] = createOnRows(
          top, ofBlock, maximum,
          [](ImplicitLocOpBuilder &inner, ValueRange arguments) -> Value {
            return arith::MaximumFOp::create(inner, arguments[1], arguments[0]);
          });
      tilesOf.map(
          top->getResult(0),
          createOnRows(
              top, after[top], ofBlock,
              [](ImplicitLocOpBuilder &inner, ValueRange arguments) -> Value {
                return createFinite(inner, arguments[0],
                                    createIsNone(inner, arguments[0]));
              }));
    };
    for (auto &[operation, dims] : group) {
      auto op = cast<linalg::LinalgOp>(operation);
      if (!online->isInside(op))
        continue;
      if (op == top) {
        createTop();
        continue;
      }
      if (before.contains(op))
        starts[op] = createOnRows(
            op, factor, before.lookup(op),
            [](ImplicitLocOpBuilder &inner, ValueRange arguments) -> Value {
              return arith::MulFOp::create(inner, arguments[1], arguments[0]);
            });
      Value tile = createTile(op, dims);
      tilesOf.map(op->getResult(0), tile);
      if (before.contains(op))
        after[op] = tile;
    }
    scf::YieldOp::create(b, llvm::map_to_vector(online->getAccumulators(),
                                                [&](linalg::LinalgOp op) {
                                                  return after.lookup(op);
                                                }));
  }
  starts.clear();
  slices.clear();
  columnsBegin = {};
  numColumns = {};
  for (auto [op, value] :
       llvm::zip_equal(online->getAccumulators(), loop.getResults()))
    tilesOf.map(op->getResult(0), value);
}

void FusionGroupLoop::createColumnBlocks() {
  createTiles([&](Operation *op) { return online->isBefore(op); });
  OpFoldResult whole = getAllColumns();
  OpFoldResult end = masked ? getMaskEnd(whole) : whole;
  auto top = cast<linalg::LinalgOp>(online->getTop().getOperation());
  for (linalg::LinalgOp op : online->getAccumulators())
    tilesOf.map(op->getResult(0), getInit(op, group.find(op)->second));

  int64_t block = getColumnBlock();
  OpFoldResult rest = affine::makeComposedFoldedAffineApply(
      b, b.getLoc(), b.getAffineDimExpr(0).floorDiv(block) * block, {end});
  OpFoldResult zero = b.getIndexAttr(0);
  // Of an unknown number all blocks are made like the last one.
  if (!getConstantIntValue(rest))
    rest = zero;
  if (!isEqualConstantIntOrValue(rest, zero))
    createBlockLoop(zero, rest, /*areWhole=*/true);
  if (!isEqualConstantIntOrValue(rest, end))
    createBlockLoop(rest, end, /*areWhole=*/false);
  if (masked) {
    Value isWrong = createMaskCheck(whole, end);
    createBlockLoop(end, createSelect(isWrong, whole, end), /*areWhole=*/false);
  }

  // Without columns there is no weight to be NaN.
  auto type = cast<FloatType>(
      getElementTypeOrSelf(tilesOf.lookup(top->getResult(0)).getType()));
  Value nan = arith::ConstantOp::create(
      b, b.getFloatAttr(type, APFloat::getNaN(type.getFloatSemantics())));
  Value none = arith::ConstantOp::create(b, b.getZeroAttr(type));
  Value hasColumns = arith::CmpIOp::create(
      b, arith::CmpIPredicate::sgt,
      getValueOrCreateConstantIndexOp(b, b.getLoc(), whole),
      arith::ConstantIndexOp::create(b, 0));
  Value addend = arith::SelectOp::create(b, hasColumns, nan, none);
  for (linalg::LinalgOp op : online->getAccumulators())
    if (op != top)
      tilesOf.map(
          op->getResult(0),
          createOnRows(
              op, tilesOf.lookup(top->getResult(0)),
              tilesOf.lookup(op->getResult(0)),
              [&](ImplicitLocOpBuilder &inner, ValueRange arguments) -> Value {
                Value isNone = createIsNone(inner, arguments[0]);
                Value added =
                    arith::SelectOp::create(inner, isNone, addend, none);
                return arith::AddFOp::create(inner, arguments[1], added);
              }));
  createTiles([&](Operation *op) {
    return !online->isBefore(op) && !online->isInside(op);
  });
}

} // namespace ein
