//===- FuseRows.cpp - One loop over rows ----------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Obeys `Schedule::Rows`, whose reasons are in SelectRows.cpp. Upstream fuses a
// producer into the tiles of its consumer, once for each reader; here an op has
// several readers, and results that leave the loop in the middle of it. Since
// all ops have the same rows, that is simple: each is made anew, once, of
// slices of what comes from outside and of what the ops before it have just
// made.
//
//  * What leaves the loop is carried by it, and written where it belongs. Ops
//    that read what it was before read the carried value: they are at a row
//    that nobody has overwritten yet.
//  * What stays has a buffer of a row's size, before the loops, which an op
//  that
//    is the last to read it may overwrite.
//  * Columns that a mask leaves nothing of are not computed: each op of a block
//    is made of slices that end before these. Whether they would have made a
//    difference is looked at before the product (MaskedColumns.cpp); then all
//    ops up to there are done once more, with all columns.
//  * Of attention, the columns may be done by blocks as well: what has columns
//    is one reduction then (FormOnlineReduce.cpp), whose blocks are slices.
//  * A fill that an op starts from is of the row. An op that reads what is
//    elsewhere where it would write reads that as an input.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "ir/IndexNames.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/Decline.h"
#include "passes/analysis/DimRoles.h"
#include "passes/analysis/Raising.h"
#include "passes/decompose/BlockExtent.h"
#include "passes/decompose/FusionGroupLoop.h"
#include "passes/decompose/MaskCheck.h"
#include "passes/decompose/Passes.h"
#include "passes/decompose/RowBuffers.h"
#include "passes/schedule/ScheduledOps.h"

namespace ein {
#define GEN_PASS_DEF_FUSEROWS
#include "passes/decompose/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

using Dims = SmallVector<int64_t>;
using Sizes = SmallVector<OpFoldResult>;

/// Whether a tile of the op has the dim: those of one row do not.
bool FusionGroupLoop::isKept(ArrayRef<int64_t> dims, int64_t dim) {
  const auto *found = llvm::find(dims, dim);
  return found == dims.end() || tiles[found - dims.begin()] != 1;
}

Dims FusionGroupLoop::getKept(linalg::LinalgOp op, ArrayRef<int64_t> dims) {
  Dims kept;
  for (int64_t dim = 0, e = op.getNumLoops(); dim < e; ++dim)
    if (isKept(dims, dim))
      kept.push_back(dim);
  return kept;
}

//===----------------------------------------------------------------------===//
// Before the loops
//===----------------------------------------------------------------------===//

void FusionGroupLoop::findCarried() {
  for (auto &[operation, dims] : group) {
    auto op = cast<linalg::LinalgOp>(operation);
    bool areCombined = combinesRows(op, dims);
    if (!isReadOutside(op, group) && !areCombined)
      continue;
    size_t place = carried.size();
    linalg::LinalgOp first = op;
    places[first] = place;
    if (areCombined) {
      carried.push_back({op, op.getDpsInits()[0], {}});
      continue;
    }
    while (isOfGroup(first.getDpsInits()[0])) {
      first = first.getDpsInits()[0].getDefiningOp<linalg::LinalgOp>();
      places[first] = place;
    }
    carried.push_back({op, getDestination(first), {}});
  }
}

/// How many rows there are: by the destination of the first op, or by an input
/// if it combines them.
void FusionGroupLoop::findSizes() {
  auto op = cast<linalg::LinalgOp>(group.front().first);
  const Dims &dims = group.front().second;
  OpOperand *operand = op.getDpsInitOperand(0);
  if (combinesRows(op, dims)) {
    SmallVector<OpOperand *> inputs = op.getDpsInputOperands();
    operand = *llvm::find_if(inputs, [&](OpOperand *input) {
      return op.getMatchingIndexingMap(input).isFunctionOfDim(dims.front());
    });
  }
  Value value = op.isDpsInit(operand) ? getDestination(op) : operand->get();
  Dims axes = *getRowAxes(op.getMatchingIndexingMap(operand), dims);
  for (int64_t axis : axes)
    extents.push_back(getExtent(b, value, axis));
}

/// What an op may overwrite: a result that stays, which it is the last to read,
/// each element where it writes.
Value FusionGroupLoop::findShared(linalg::LinalgOp op) {
  OpOperand &init = *op.getDpsInitOperand(0);
  AffineMap place = op.getMatchingIndexingMap(&init);
  if (!isa<linalg::GenericOp>(op.getOperation()) || !isNew(op) ||
      getStart(op) || op.getNumReductionLoops() != 0 ||
      !place.isPermutation() || op.payloadUsesValueFromOperand(&init))
    return {};
  for (OpOperand *input : op.getDpsInputOperands()) {
    Value value = input->get();
    if (!isOfGroup(value) || places.contains(value.getDefiningOp()) ||
        value.getType() != init.get().getType())
      continue;
    bool isLast = llvm::all_of(value.getUses(), [&](OpOperand &use) {
      return use.getOwner() == op ? op.getMatchingIndexingMap(&use) == place
                                  : group.contains(use.getOwner()) &&
                                        use.getOwner()->isBeforeInBlock(op);
    });
    if (isLast)
      return value;
  }
  return {};
}

/// The op whose buffer an op writes to.
linalg::LinalgOp FusionGroupLoop::getFirst(linalg::LinalgOp op) {
  while (true) {
    Value before = shared.lookup(op);
    if (!before)
      before = op.getDpsInits()[0];
    if (!isOfGroup(before))
      return op;
    op = before.getDefiningOp<linalg::LinalgOp>();
  }
}

/// Memory for a tile of each result that stays. Of two that are alike, empty
/// tensors would become one by CSE, and be allocated for each row then.
void FusionGroupLoop::createBuffers() {
  for (auto &[operation, dims] : group) {
    auto op = cast<linalg::LinalgOp>(operation);
    if (places.contains(op) || isOfGroup(op.getDpsInits()[0]))
      continue;
    if (Value value = findShared(op)) {
      shared[op] = value;
      continue;
    }
    Value destination = getDestination(op);
    SmallVector<int64_t> axes = *getRowAxes(getInitMap(op), dims);
    Sizes sizes;
    auto type = cast<RankedTensorType>(destination.getType());
    for (int64_t axis = 0; axis < type.getRank(); ++axis) {
      const auto *row = llvm::find(axes, axis);
      if (online && axis == online->getAxis(*op.getDpsInitOperand(0)))
        sizes.push_back(b.getIndexAttr(getColumnBlock()));
      else if (row == axes.end())
        sizes.push_back(getCapacity(b, destination, axis));
      else if (tiles[row - axes.begin()] != 1)
        sizes.push_back(b.getIndexAttr(tiles[row - axes.begin()]));
    }
    Location loc = b.getLoc();
    b.setLoc(op.getLoc());
    buffers[op] = createBuffer(b, type.getElementType(), sizes, conflictBytes);
    b.setLoc(loc);
  }
  if (online)
    createBlockBuffers();
}

/// The loop is over a dim of `op`. What bufferisation has to copy for it has no
/// name of the source's.
void FusionGroupLoop::setLoopLoc(scf::ForOp loop, Operation *op, unsigned dim) {
  Location loc = selectIndexNames(op->getLoc(), dim);
  loop->setLoc(
      withTensorName(loc, "carried over " + getIndexNames(loc, 1).front()));
}

/// The loops from the outermost inwards; the builder is in the innermost.
void FusionGroupLoop::createLoops() {
  SmallVector<Value> values =
      llvm::map_to_vector(carried, [](Carried &c) { return c.before; });
  Value zero = arith::ConstantIndexOp::create(b, 0);
  begins.assign(tiles.size(), Value());
  for (size_t row = 0; row < tiles.size(); ++row) {
    if (row + 1 == tiles.size())
      createCopies();
    Value end = getValueOrCreateConstantIndexOp(b, b.getLoc(), extents[row]);
    Value step = arith::ConstantIndexOp::create(b, tiles[row]);
    auto loop = scf::ForOp::create(b, zero, end, step, values);
    setLoopLoc(loop, group.front().first, group.front().second[row]);
    if (schedules.front().parallelDim == group.front().second[row])
      loop->setAttr(EinDialect::kParallelAttr,
                    b.getI64IntegerAttr(schedules.front().minPoints));
    // Without a carried value the loop has its end already.
    if (!loops.empty() && !carried.empty())
      scf::YieldOp::create(b, loop.getResults());
    loops.push_back(loop);
    begins[row] = loop.getInductionVar();
    values = llvm::to_vector_of<Value>(loop.getRegionIterArgs());
    for (auto [each, value] : llvm::zip_equal(carried, values))
      each.now = value;
    b.setInsertionPointToStart(loop.getBody());
  }
}

//===----------------------------------------------------------------------===//
// In the loops
//===----------------------------------------------------------------------===//

/// How many rows the block has.
OpFoldResult FusionGroupLoop::getLength(size_t row) {
  int64_t tile = tiles[row];
  std::optional<int64_t> known = getConstantIntValue(extents[row]);
  if (tile == 1 || (known && *known % tile == 0))
    return b.getIndexAttr(tile);
  return getBlockLength(b, tile, begins[row], extents[row]);
}

/// How many columns the group's rows have.
OpFoldResult FusionGroupLoop::getAllColumns() {
  linalg::LinalgOp product = columns->getProduct();
  OpOperand &factor = product->getOpOperand(1 - columns->getWeights());
  return getExtent(b, factor.get(), columns->getAxis(factor));
}

OpFoldResult FusionGroupLoop::createSelect(Value condition, OpFoldResult ifTrue,
                                           OpFoldResult ifFalse) {
  return arith::SelectOp::create(
             b, condition,
             getValueOrCreateConstantIndexOp(b, b.getLoc(), ifTrue),
             getValueOrCreateConstantIndexOp(b, b.getLoc(), ifFalse))
      .getResult();
}

/// The part of a tensor that has rows along `axes` which the loops are at;
/// along `columnAxis` the columns that are computed.
Value FusionGroupLoop::slice(Value value, ArrayRef<int64_t> axes,
                             int64_t columnAxis) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!numColumns)
    columnAxis = -1;
  if (!type || (columnAxis < 0 &&
                llvm::all_of(axes, [](int64_t axis) { return axis < 0; })))
    return value;
  for (auto &[source, at, known] : slices)
    if (source == value && ArrayRef(at).drop_back() == axes &&
        at.back() == columnAxis)
      return known;
  Sizes offsets(type.getRank(), b.getIndexAttr(0)), sizes,
      ones(type.getRank(), b.getIndexAttr(1));
  Dims shape;
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    const auto *found = llvm::find(axes, axis);
    if (found == axes.end()) {
      sizes.push_back(axis == columnAxis ? numColumns
                                         : getExtent(b, value, axis));
      if (axis == columnAxis && columnsBegin)
        offsets[axis] = columnsBegin;
    } else {
      size_t row = found - axes.begin();
      offsets[axis] = begins[row];
      sizes.push_back(getLength(row));
      if (tiles[row] == 1)
        continue;
    }
    shape.push_back(
        getConstantIntValue(sizes.back()).value_or(ShapedType::kDynamic));
  }
  Value result = tensor::ExtractSliceOp::create(
      b, RankedTensorType::get(shape, type.getElementType()), value, offsets,
      sizes, ones);
  Dims at(axes);
  at.push_back(columnAxis);
  slices.push_back({value, at, result});
  return result;
}

/// The axis of an input's copy along columns; -1 if it has none.
int64_t FusionGroupLoop::getCopyAxis(linalg::LinalgOp op, unsigned input) {
  ArrayRef<int64_t> order =
      schedules[std::distance(group.begin(), group.find(op))].order[input];
  const auto *found =
      llvm::find(order, columns ? columns->getColumns(op) : int64_t(-1));
  return found == order.end() ? -1 : found - order.begin();
}

Value FusionGroupLoop::getInput(OpOperand &operand, ArrayRef<int64_t> dims) {
  Value value = operand.get();
  if (tilesOf.contains(value))
    return tilesOf.lookup(value);
  if (auto it = columnInputs.find(&operand); it != columnInputs.end())
    return blockInputs[it->second];
  auto op = cast<linalg::LinalgOp>(operand.getOwner());
  if (Value copy = copies.lookup({op, operand.getOperandNumber()}))
    return slice(copy, {}, getCopyAxis(op, operand.getOperandNumber()));
  int64_t columnAxis = columns ? columns->getAxis(operand) : -1;
  SmallVector<int64_t> axes =
      *getRowAxes(op.getMatchingIndexingMap(&operand), dims);
  // What is overwritten row by row is as it was at this row, if what is read
  // there is what is written.
  for (Carried &each : carried)
    if (each.before == value &&
        !combinesRows(each.op, group.find(each.op)->second) &&
        axes == *getRowAxes(getInitMap(each.op), group.find(each.op)->second))
      value = each.now;
  return slice(value, axes, columnAxis);
}

/// How much of an op's buffer a tile is; whether that is all of it.
bool FusionGroupLoop::getBufferPart(linalg::LinalgOp op, Value buffer,
                                    Sizes &sizes) {
  SmallVector<int64_t> axes =
      *getRowAxes(getInitMap(op), group.find(op)->second);
  Value destination = getDestination(op);
  int64_t columnAxis =
      columns && numColumns ? columns->getAxis(*op.getDpsInitOperand(0)) : -1;
  bool isAll = true;
  int64_t rank = cast<RankedTensorType>(destination.getType()).getRank();
  for (int64_t axis = 0; axis < rank; ++axis) {
    const auto *found = llvm::find(axes, axis);
    if (found != axes.end() && tiles[found - axes.begin()] == 1)
      continue;
    OpFoldResult whole = getExtent(b, buffer, sizes.size());
    if (found != axes.end())
      sizes.push_back(getLength(found - axes.begin()));
    else if (axis == columnAxis)
      sizes.push_back(numColumns);
    else
      sizes.push_back(getExtent(b, destination, axis));
    isAll &= isEqualConstantIntOrValue(whole, sizes.back());
  }
  return isAll;
}

/// The part of a buffer that a tile takes: all of it, or as many rows as the
/// block has.
Value FusionGroupLoop::getBufferTile(linalg::LinalgOp op, Value buffer) {
  Sizes sizes;
  if (getBufferPart(op, buffer, sizes))
    return buffer;
  Sizes offsets(sizes.size(), b.getIndexAttr(0)),
      ones(sizes.size(), b.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(b, buffer, offsets, sizes, ones);
}

/// The memory of a tile of the op, whatever is in it.
Value FusionGroupLoop::getMemory(linalg::LinalgOp op, ArrayRef<int64_t> dims) {
  if (Value buffer = buffers.lookup(op))
    return getBufferTile(op, buffer);
  return slice(carried[places.lookup(op)].now,
               *getRowAxes(getInitMap(op), dims),
               columns ? columns->getAxis(*op.getDpsInitOperand(0)) : -1);
}

/// What a tile of the op is written to.
Value FusionGroupLoop::getInit(linalg::LinalgOp op, ArrayRef<int64_t> dims) {
  if (Value start = starts.lookup(op))
    return start;
  if (combinesRows(op, dims))
    return carried[places.lookup(op)].now;
  Value init = op.getDpsInits()[0];
  if (Value value = shared.lookup(op))
    init = value;
  if (tilesOf.contains(init))
    return tilesOf.lookup(init);
  Value tile = getMemory(op, dims);
  if (linalg::FillOp fill = getStart(op))
    tile = linalg::FillOp::create(b, fill.getLoc(), fill.getInputs(), tile)
               .getResult(0);
  return tile;
}

/// The map of a tile: without the dims that it does not have.
AffineMap FusionGroupLoop::getMap(AffineMap map, ArrayRef<int64_t> dims) {
  SmallVector<AffineExpr> newDims;
  unsigned count = 0;
  for (int64_t dim = 0, e = map.getNumDims(); dim < e; ++dim)
    newDims.push_back(isKept(dims, dim) ? b.getAffineDimExpr(count++)
                                        : b.getAffineConstantExpr(0));
  SmallVector<AffineExpr> results;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (dim && !isKept(dims, dim.getPosition()))
      continue;
    results.push_back(expr.replaceDims(newDims));
  }
  return AffineMap::get(count, 0, results, b.getContext());
}

/// A tile of a generic. With `before`, that is what its body reads as the
/// result's old value.
Value FusionGroupLoop::createGeneric(linalg::GenericOp op,
                                     ArrayRef<int64_t> dims, ValueRange inputs,
                                     Value init, Value before) {
  Dims kept = getKept(op, dims);
  SmallVector<Value> operands(inputs);
  SmallVector<AffineMap> maps;
  SmallVector<utils::IteratorType> iterators;
  for (AffineMap map : op.getIndexingMapsArray())
    maps.push_back(getMap(map, dims));
  if (before) {
    operands.push_back(before);
    maps.push_back(maps.back());
  }
  for (int64_t dim : kept)
    iterators.push_back(op.getIteratorTypesArray()[dim]);
  // What is read where it is overwritten is the old value of the result.
  SmallVector<unsigned> updated;
  for (unsigned i = operands.size(); i-- > 0;)
    if (operands[i] == init && maps[i] == maps.back()) {
      updated.push_back(i);
      operands.erase(operands.begin() + i);
      maps.erase(maps.begin() + i);
    }
  auto tile = linalg::GenericOp::create(
      b,
      selectIndexNames(op.getLoc(),
                       SmallVector<unsigned>(kept.begin(), kept.end())),
      init.getType(), operands, init, maps, iterators);
  copyDiscardableAttrs(op, tile);
  tile->removeAttr(EinDialect::kScheduleAttr);
  IRMapping mapping;
  op.getRegion().cloneInto(&tile.getRegion(), mapping);
  Block *body = tile.getBody();
  if (before)
    body->addArgument(body->getArguments().back().getType(), op.getLoc());
  for (unsigned i : updated) {
    body->getArgument(i).replaceAllUsesWith(body->getArguments().back());
    body->eraseArgument(i);
  }

  OpBuilder::InsertionGuard guard(b);
  for (auto index : llvm::to_vector(body->getOps<linalg::IndexOp>())) {
    int64_t dim = index.getDim();
    b.setInsertionPoint(index);
    Value place;
    const auto *row = llvm::find(dims, dim);
    if (isKept(dims, dim)) {
      place = linalg::IndexOp::create(b, llvm::find(kept, dim) - kept.begin());
      if (row != dims.end())
        place = arith::AddIOp::create(b, place, begins[row - dims.begin()]);
      else if (columnsBegin && columns->getColumns(op) == dim)
        place = arith::AddIOp::create(b, place, columnsBegin);
    } else {
      place = begins[row - dims.begin()];
    }
    rewriter.replaceOp(index, place);
  }
  return tile.getResult(0);
}

/// Whether the op reads what is there where it would write, if it did not have
/// a buffer.
bool FusionGroupLoop::readsElsewhere(linalg::LinalgOp op) {
  return buffers.contains(op) && !getStart(op) && !isNew(op) &&
         op.payloadUsesValueFromOperand(op.getDpsInitOperand(0));
}

Value FusionGroupLoop::createTile(linalg::LinalgOp op, ArrayRef<int64_t> dims) {
  SmallVector<Value> inputs;
  for (OpOperand *input : op.getDpsInputOperands())
    inputs.push_back(getInput(*input, dims));
  OpOperand &initOperand = *op.getDpsInitOperand(0);
  Value init = getInit(op, dims);
  if (auto generic = dyn_cast<linalg::GenericOp>(op.getOperation())) {
    Value before;
    if (auto it = columnInputs.find(&initOperand); it != columnInputs.end())
      before = blockInputs[it->second];
    else if (readsElsewhere(op))
      before = slice(initOperand.get(), *getRowAxes(getInitMap(op), dims),
                     columns ? columns->getAxis(initOperand) : -1);
    return createGeneric(generic, dims, inputs, init, before);
  }
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (auto [input, map] : llvm::enumerate(maps)) {
    map = getMap(map, dims);
    if (input >= 2 || !copies.contains({op, unsigned(input)}))
      continue;
    // The copy's axes are in an order of their own.
    Dims kept = getKept(op, dims);
    ArrayRef<int64_t> order =
        schedules[std::distance(group.begin(), group.find(op))].order[input];
    SmallVector<AffineExpr> exprs =
        llvm::map_to_vector(order, [&](int64_t dim) -> AffineExpr {
          return b.getAffineDimExpr(llvm::find(kept, dim) - kept.begin());
        });
    map = AffineMap::get(kept.size(), 0, exprs, b.getContext());
  }
  Dims kept = getKept(op, dims);
  linalg::LinalgOp tile = createContraction(
      b,
      selectIndexNames(op.getLoc(),
                       SmallVector<unsigned>(kept.begin(), kept.end())),
      *getContractionKind(op), init.getType(), inputs, init, maps);
  copyDiscardableAttrs(op, tile);
  tile->removeAttr(EinDialect::kScheduleAttr);
  return tile->getResult(0);
}

void FusionGroupLoop::createTiles(function_ref<bool(Operation *)> isWanted) {
  for (auto &[operation, dims] : group) {
    auto op = cast<linalg::LinalgOp>(operation);
    if (isWanted(op))
      tilesOf.map(op->getResult(0), createTile(op, dims));
  }
}

void FusionGroupLoop::createBody() {
  if (online)
    createColumnBlocks();
  else if (masked)
    createMaskedTiles();
  else
    createTiles([](Operation *) { return true; });
  if (carried.empty())
    return;
  SmallVector<Value> results;
  for (Carried &each : carried) {
    ArrayRef<int64_t> dims = group.find(each.op)->second;
    if (combinesRows(each.op, dims)) {
      results.push_back(tilesOf.lookup(each.op->getResult(0)));
      continue;
    }
    SmallVector<int64_t> axes = *getRowAxes(getInitMap(each.op), dims);
    auto type = cast<RankedTensorType>(each.now.getType());
    Sizes offsets(type.getRank(), b.getIndexAttr(0)), sizes,
        ones(type.getRank(), b.getIndexAttr(1));
    for (int64_t axis = 0; axis < type.getRank(); ++axis) {
      const auto *found = llvm::find(axes, axis);
      if (found == axes.end()) {
        sizes.push_back(getExtent(b, each.now, axis));
        continue;
      }
      offsets[axis] = begins[found - axes.begin()];
      sizes.push_back(getLength(found - axes.begin()));
    }
    results.push_back(
        tensor::InsertSliceOp::create(b, tilesOf.lookup(each.op->getResult(0)),
                                      each.now, offsets, sizes, ones));
  }
  scf::YieldOp::create(b, results);
}

/// Has what needs the group, and stands between its ops, come after the loops.
void FusionGroupLoop::moveLater() {
  Operation *last = group.back().first;
  llvm::SmallPtrSet<Operation *, 16> later;
  SmallVector<Operation *> moved;
  for (Operation *op = group.front().first; op != last;
       op = op->getNextNode()) {
    if (group.contains(op))
      continue;
    bool depends = false;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *source = operand.getDefiningOp()) {
          Operation *above = op->getBlock()->findAncestorOpInBlock(*source);
          depends |= above && above != op &&
                     (group.contains(above) || later.contains(above));
        }
    });
    if (depends) {
      later.insert(op);
      moved.push_back(op);
    }
  }
  for (Operation *op : moved) {
    rewriter.moveOpAfter(op, last);
    last = op;
  }
}

void FusionGroupLoop::run() {
  moveLater();
  b.setInsertionPoint(group.back().first);
  findCarried();
  findSizes();
  createBuffers();
  createLoops();
  createBody();
  for (auto [each, result] :
       llvm::zip_equal(carried, loops.front().getResults()))
    rewriter.replaceAllUsesWith(each.op->getResult(0), result);
  SmallVector<linalg::FillOp> fills;
  for (auto &[operation, dims] : llvm::reverse(group)) {
    if (linalg::FillOp fill = getStart(cast<linalg::LinalgOp>(operation)))
      fills.push_back(fill);
    rewriter.eraseOp(operation);
  }
  llvm::SmallPtrSet<Operation *, 8> erased;
  for (linalg::FillOp fill : fills)
    if (erased.insert(fill).second && fill->use_empty())
      rewriter.eraseOp(fill);
}

namespace {
struct FuseRowsPass : impl::FuseRowsBase<FuseRowsPass> {
  using FuseRowsBase::FuseRowsBase;
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    std::map<std::pair<Block *, int64_t>, SmallVector<linalg::LinalgOp>> found;
    SmallVector<std::pair<Block *, int64_t>> keys;
    for (auto op : collectWithSchedule<linalg::LinalgOp>(getOperation(),
                                                         Schedule::Rows)) {
      FailureOr<Schedule> schedule = Schedule::fromOp(op, op.getNumLoops());
      if (failed(schedule))
        return signalPassFailure();
      auto key = std::make_pair(op->getBlock(), schedule->group);
      if (!found.count(key))
        keys.push_back(key);
      found[key].push_back(op);
    }
    for (auto &key : keys)
      if (failed(fuse(rewriter, found[key])))
        return signalPassFailure();
  }

private:
  /// Whether an input of a contraction has the dims of `order`, and rows of
  /// loops outside of the innermost only.
  static bool canBeCopied(linalg::LinalgOp op, unsigned input,
                          ArrayRef<int64_t> rows, ArrayRef<int64_t> order) {
    if (!isa<linalg::ContractOp>(op.getOperation()) || rows.empty())
      return false;
    AffineMap map = op.getIndexingMapsArray()[input];
    Dims wanted;
    for (AffineExpr expr : map.getResults()) {
      int64_t dim = cast<AffineDimExpr>(expr).getPosition();
      if (!llvm::is_contained(rows, dim))
        wanted.push_back(dim);
    }
    Dims sorted(order);
    llvm::sort(sorted);
    llvm::sort(wanted);
    return sorted == wanted && !map.isFunctionOfDim(rows.back());
  }

  LogicalResult fuse(RewriterBase &rewriter, ArrayRef<linalg::LinalgOp> ops) {
    FusionGroup group;
    std::vector<Schedule> schedules;
    std::optional<Dims> common;
    for (linalg::LinalgOp op : ops) {
      Schedule schedule = *Schedule::fromOp(op, op.getNumLoops());
      Dims dims, tiles;
      for (int64_t dim : schedule.interchange)
        if (schedule.tile[dim] > 0) {
          dims.push_back(dim);
          tiles.push_back(schedule.tile[dim]);
        }
      if (common && *common != tiles)
        return op.emitOpError("has other tiles than the first op of its group");
      for (unsigned input = 0; input < 2; ++input)
        if (!schedule.order[input].empty() &&
            !canBeCopied(op, input, dims, schedule.order[input]))
          return op.emitOpError("has an input that cannot be copied before the "
                                "innermost loop, as its schedule says");
      common = tiles;
      group.insert({op, dims});
      schedules.push_back(schedule);
    }
    if (failed(matchGroup(group, emitDeclined(group.front().first,
                                              "and the others of its group "
                                              "cannot be one loop over rows"))))
      return failure();
    std::optional<MaskedColumns> masked;
    if (schedules.front().columns != 0 &&
        !(masked = MaskedColumns::find(group)))
      return group.front().first->emitOpError(
          "and the others of its group have no columns that are known to be "
          "masked, as its schedule says");
    std::optional<OnlineSoftmax> online;
    if (schedules.front().grain != 0 && !(online = OnlineSoftmax::find(group)))
      return group.front().first->emitOpError(
          "and the others of its group are no softmax whose columns can be "
          "done by blocks, as its schedule says");
    FusionGroupLoop(rewriter, group, schedules, masked ? &*masked : nullptr,
                    online ? &*online : nullptr, conflictBytes)
        .run();
    return success();
  }
};
} // namespace

} // namespace ein
