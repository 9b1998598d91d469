//===- FormOnlineReduce.cpp - Attention's columns as one reduction --------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of a block of rows, all ops with columns become one `ein.online_reduce`,
// whose running value is the maximum so far, and whose accumulators are the
// sums relative to it (OnlineSoftmax.h). `advance` has the ops up to the
// maximum, `rescale` multiplies by exp(old - new), and `combine` has the other
// ops. That columns come in blocks, and how, is LowerOnlineReduce.cpp's.
//
//  * A row that has seen nothing but -inf has a maximum that nothing may be
//    subtracted: -inf - -inf is NaN, while columns to come may be numbers. As
//    long as that is so, weights are relative to 0, and zero; if it is so at
//    the end, they would have been NaN, and so is what was added up.
//  * Columns that a mask leaves nothing of are not reduced, if that makes no
//    difference (MaskedColumns.cpp). If it does, that is known behind the
//    others, and a second op goes on from there.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "ir/IndexNames.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/DimRoles.h"
#include "passes/decompose/FusionGroupLoop.h"
#include "passes/decompose/RowBuffers.h"

using namespace mlir;

namespace ein {

/// How many columns a block has, but for the last one.
int64_t FusionGroupLoop::getColumnBlock() { return schedules.front().grain; }

/// The axis of a slice at the rows where the loops are: those of one row it
/// does not have.
int64_t FusionGroupLoop::getTileAxis(int64_t axis, ArrayRef<int64_t> axes) {
  int64_t place = axis;
  for (auto [row, other] : llvm::enumerate(axes))
    place -= tiles[row] == 1 && other >= 0 && other < axis;
  return place;
}

/// Per dim of the rows, the axis of a tile of the op's result; -1 if it has
/// none, as it is of one row.
FusionGroupLoop::Dims FusionGroupLoop::getTileAxes(linalg::LinalgOp op) {
  SmallVector<int64_t> axes =
      *getRowAxes(getInitMap(op), group.find(op)->second);
  Dims result;
  for (auto [row, axis] : llvm::enumerate(axes))
    result.push_back(tiles[row] == 1 ? -1 : getTileAxis(axis, axes));
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
  auto create = [&](const Twine &called) {
    b.setLoc(withTensorName(top.getLoc(), called.str()));
    return createBuffer(b, type, sizes, conflictBytes);
  };
  blockTop = create(name + " with a block");
  blockFinite = create(name + " or 0");
  blockFactor = create("factor of " + name);
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

/// Makes the op of the columns that the loop's `columnsBegin` and `numColumns`
/// say.
class OnlineFormer {
public:
  explicit OnlineFormer(FusionGroupLoop &loop)
      : loop(loop), b(loop.b), online(*loop.online),
        top(cast<linalg::LinalgOp>(loop.online->getTop().getOperation())) {}

  void form(bool goesOn);

private:
  void findInputs();
  void findNeeded();
  ValueRange begin(Region &region);
  ValueRange beginBlock(Region &region);
  void formInit(bool goesOn);
  void formAdvance();
  void formRescale();
  void formCombine();
  Value getTile(Operation *op) { return loop.tilesOf.lookup(op->getResult(0)); }
  void createTile(Operation *op) {
    loop.tilesOf.map(op->getResult(0),
                     loop.createTile(cast<linalg::LinalgOp>(op),
                                     loop.group.find(op)->second));
  }

  FusionGroupLoop &loop;
  ImplicitLocOpBuilder &b;
  const OnlineSoftmax &online;
  linalg::LinalgOp top;
  /// What has columns and is read of outside, and its axis along them.
  SmallVector<Value> inputs;
  SmallVector<int64_t> axes;
  /// Those but the maximum.
  SmallVector<linalg::LinalgOp> sums;
  /// What the maximum is computed of, with columns; and what of it the other
  /// ops read.
  SetVector<Operation *> needed;
  SmallVector<Operation *> extras;
  OnlineReduceOp reduce;
};

/// At the rows where the loops are.
void OnlineFormer::findInputs() {
  loop.slices.clear();
  loop.columnInputs.clear();
  for (auto &[operation, dims] : loop.group) {
    auto op = cast<linalg::LinalgOp>(operation);
    for (OpOperand &operand : op->getOpOperands()) {
      int64_t axis = online.getAxis(operand);
      if (axis < 0 || loop.isOfGroup(operand.get()) ||
          (op.isDpsInit(&operand) && !loop.readsElsewhere(op)))
        continue;
      Value input = loop.getInput(operand, dims);
      unsigned number = operand.getOperandNumber();
      axis = loop.copies.contains({op, number})
                 ? loop.getCopyAxis(op, number)
                 : loop.getTileAxis(
                       axis,
                       *getRowAxes(op.getMatchingIndexingMap(&operand), dims));
      size_t place = 0;
      while (place < inputs.size() &&
             (inputs[place] != input || axes[place] != axis))
        ++place;
      if (place == inputs.size()) {
        inputs.push_back(input);
        axes.push_back(axis);
      }
      loop.columnInputs[&operand] = place;
    }
  }
}

void OnlineFormer::findNeeded() {
  needed.insert(top);
  for (auto &[operation, dims] : llvm::reverse(loop.group))
    if (needed.contains(operation))
      for (Value operand : operation->getOperands())
        if (linalg::LinalgOp source = getMember(operand, loop.group);
            source && online.isInside(source))
          needed.insert(source);
  for (auto &[operation, dims] : loop.group)
    if (operation != top.getOperation() && needed.contains(operation) &&
        llvm::any_of(operation->getUsers(), [&](Operation *user) {
          return loop.group.contains(user) && !needed.contains(user);
        }))
      extras.push_back(operation);
}

ValueRange OnlineFormer::begin(Region &region) {
  b.setInsertionPointToStart(&region.front());
  loop.slices.clear();
  return region.getArguments();
}

/// What the region takes behind the blocks of inputs.
ValueRange OnlineFormer::beginBlock(Region &region) {
  ValueRange arguments = begin(region);
  loop.columnsBegin = arguments.front();
  loop.blockInputs = llvm::to_vector(arguments.slice(1, inputs.size()));
  loop.numColumns = tensor::getMixedSize(
      b, b.getLoc(), loop.blockInputs.front(), axes.front());
  return arguments.drop_front(1 + inputs.size());
}

void OnlineFormer::formInit(bool goesOn) {
  SmallVector<Value> values =
      llvm::to_vector_of<Value>(begin(reduce.getInit()));
  SmallVector<linalg::LinalgOp> all = {top};
  llvm::append_range(all, sums);
  for (auto [op, value] : llvm::zip_equal(all, values))
    if (linalg::FillOp fill = goesOn ? linalg::FillOp() : getStart(op))
      value = linalg::FillOp::create(b, fill.getLoc(), fill.getInputs(), value)
                  .getResult(0);
  YieldOp::create(b, values);
}

void OnlineFormer::formAdvance() {
  Value before = beginBlock(reduce.getAdvance()).front();
  for (auto &[operation, dims] : loop.group)
    if (operation != top.getOperation() && needed.contains(operation))
      createTile(operation);
  loop.starts[top] =
      linalg::FillOp::create(b, getStart(top).getInputs(),
                             loop.getBufferTile(top, loop.blockTop))
          .getResult(0);
  createTile(top);
  SmallVector<Value> values = {loop.createOnRows(
      top, before, getTile(top),
      [](ImplicitLocOpBuilder &inner, ValueRange numbers) -> Value {
        return arith::MaximumFOp::create(inner, numbers[1], numbers[0]);
      })};
  Block &combine = reduce.getCombine().front();
  for (Operation *extra : extras) {
    values.push_back(getTile(extra));
    combine.insertArgument(combine.getNumArguments() - sums.size(),
                           values.back().getType(), extra->getLoc());
  }
  YieldOp::create(b, values);
}

void OnlineFormer::formRescale() {
  ValueRange arguments = begin(reduce.getRescale());
  Value factor = loop.createOnRows(
      top, arguments.take_front(2), loop.getBufferTile(top, loop.blockFactor),
      [](ImplicitLocOpBuilder &inner, ValueRange numbers) -> Value {
        Value finite =
            createFinite(inner, numbers[1], createIsNone(inner, numbers[1]));
        return math::ExpOp::create(
            inner, arith::SubFOp::create(inner, numbers[0], finite));
      });
  SmallVector<Value> values;
  for (auto [op, value] : llvm::zip_equal(sums, arguments.drop_front(2)))
    values.push_back(loop.createOnRows(
        op, factor, value,
        [](ImplicitLocOpBuilder &inner, ValueRange numbers) -> Value {
          return arith::MulFOp::create(inner, numbers[1], numbers[0]);
        }));
  YieldOp::create(b, values);
}

void OnlineFormer::formCombine() {
  ValueRange arguments = beginBlock(reduce.getCombine());
  Value finite = loop.createOnRows(
      top, arguments.front(), loop.getBufferTile(top, loop.blockFinite),
      [](ImplicitLocOpBuilder &inner, ValueRange numbers) -> Value {
        return createFinite(inner, numbers[0], createIsNone(inner, numbers[0]));
      });
  loop.tilesOf.map(top->getResult(0), finite);
  for (auto [operation, value] : llvm::zip(extras, arguments.drop_front()))
    loop.tilesOf.map(operation->getResult(0), value);
  for (auto [op, value] :
       llvm::zip_equal(sums, arguments.drop_front(1 + extras.size())))
    loop.starts[op] = value;
  for (auto &[operation, dims] : loop.group)
    if (online.isInside(operation) && !needed.contains(operation))
      createTile(operation);
  YieldOp::create(b, llvm::map_to_vector(sums, [&](linalg::LinalgOp op) {
                    return getTile(op);
                  }));
}

/// With `goesOn`, other columns have been reduced to what tiles have.
void OnlineFormer::form(bool goesOn) {
  for (linalg::LinalgOp op : online.getAccumulators())
    if (op != top)
      sums.push_back(op);
  findInputs();
  findNeeded();
  auto getState = [&](linalg::LinalgOp op) {
    return goesOn ? getTile(op)
                  : loop.getMemory(op, loop.group.find(op)->second);
  };
  reduce = OnlineReduceOp::create(
      b, selectIndexNames(top.getLoc(), unsigned(online.getColumns(top))),
      inputs, axes, loop.columnsBegin, getState(top),
      llvm::map_to_vector(sums, getState), loop.getColumnBlock());
  {
    OpBuilder::InsertionGuard guard(b);
    formInit(goesOn);
    formAdvance();
    formRescale();
    formCombine();
  }
  loop.starts.clear();
  loop.slices.clear();
  loop.columnInputs.clear();
  loop.columnsBegin = {};
  loop.numColumns = {};
  loop.tilesOf.map(top->getResult(0), reduce.getResult(0));
  for (auto [op, value] :
       llvm::zip_equal(sums, reduce.getResults().drop_front()))
    loop.tilesOf.map(op->getResult(0), value);
}

void FusionGroupLoop::createColumnBlocks() {
  createTiles([&](Operation *op) { return online->isBefore(op); });
  OpFoldResult whole = getAllColumns(), end = whole;
  if (masked)
    numColumns = end = getMaskEnd(whole);
  OnlineFormer(*this).form(/*goesOn=*/false);
  if (masked) {
    OpFoldResult seen = createSelect(createMaskCheck(whole, end), whole, end);
    AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
    columnsBegin = getValueOrCreateConstantIndexOp(b, b.getLoc(), end);
    numColumns = affine::makeComposedFoldedAffineApply(b, b.getLoc(), d0 - d1,
                                                       {seen, end});
    OnlineFormer(*this).form(/*goesOn=*/true);
  }

  // Without columns there is no weight to be NaN.
  auto top = cast<linalg::LinalgOp>(online->getTop().getOperation());
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
