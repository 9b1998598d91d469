//===- PriceGett.cpp - Cycles of a product of copied operands -------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is left when operands are copied and dims are joined is a contraction of
// fewer dims, in loops over blocks. It is made, outside of all functions, and
// decided on as it will be; its price is that in the loops, with the strides
// that its operands will have in memory.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/DimRoles.h"
#include "passes/analysis/Raising.h"
#include "passes/select/SchedulePricer.h"
#include "passes/select/SelectSchedule.h"
#include <cmath>

using namespace mlir;

namespace ein {

/// Bytes from one to the next along each of `dims`, which lie as they are
/// listed; `getExtent` says how many of them there are.
static SmallVector<double>
getStrides(ArrayRef<int64_t> dims, double width,
           llvm::function_ref<double(int64_t)> getExtent) {
  SmallVector<double> strides(dims.size());
  for (size_t i = dims.size(); i-- > 0;) {
    strides[i] = width;
    width *= getExtent(dims[i]);
  }
  return strides;
}

/// The copy of an input, whole or by blocks: rows, or squares of vectors that
/// are read along one dim and written along the other (SchedulePricer's
/// transpositions).
void SchedulePricer::addCopy(unsigned input) {
  ArrayRef<int64_t> order = schedule.order[input];
  bool isWhole = schedule.whole[input];
  auto getExtent = [&](int64_t dim) {
    return isWhole ? sizes[dim] : getInner(dim);
  };
  // What does not change in a loop leaves it.
  SmallVector<Level> levels;
  if (!isWhole) {
    levels = getBlocks();
    while (!levels.empty() && getStride(input, levels.back().dim) == 0)
      levels.pop_back();
  }
  size_t numOutside = levels.size();
  double lanes = double(std::max<int64_t>(schedule.lanes, 1));
  int64_t row = order.back(), column = row;
  for (AffineExpr expr : maps[input].getResults())
    if (int64_t dim = cast<AffineDimExpr>(expr).getPosition();
        getExtent(dim) > 1)
      column = dim;
  for (int64_t dim : order)
    if (dim != row && dim != column)
      levels.push_back({dim, getExtent(dim), 1});
  if (column != row)
    levels.push_back({column, getExtent(column), lanes});
  levels.push_back({row, getExtent(row), lanes});
  if (column != row)
    levels.push_back({column, std::min(lanes, getExtent(column)), 1});
  NestArray read = getInPlace(input, levels, widths[input] * lanes);
  NestArray copy = {SmallVector<double>(numOutside, 0), widths[input] * lanes,
                    false, true};
  SmallVector<double> strides = getStrides(order, widths[input], getExtent);
  for (const Level &level : ArrayRef(levels).drop_front(numOutside))
    copy.strides.push_back(
        strides[llvm::find(order, level.dim) - order.begin()]);
  NestWork work;
  work.vectorBits = lanes * widths[input] * 8;
  work.loads = work.stores = 1;
  work.scalars = 2;
  if (column != row) {
    // Of a square each row is read, and not each column.
    read.strides.back() = getStride(input, row);
    read.isIndependent = copy.isIndependent = true;
    work.shuffles = std::log2(std::max(lanes, 2.0));
    bool isFull = std::fmod(getExtent(row), lanes) == 0;
    if (!isFull && target.maskedOps)
      std::swap(work.stores, work.maskedStores);
  }
  SmallVector<NestArray> arrays = {read, copy};
  addOthers(input, levels, numOutside, arrays);
  addNest(levels, arrays, work, &prices.copies);
}

SchedulePricer::Piece SchedulePricer::createPiece(OpBuilder &b) {
  // Of dims that are joined the last has the stride, and the first the place.
  int64_t numLoops = op.getNumLoops();
  SmallVector<SmallVector<int64_t>> joined(schedule.groups);
  for (int64_t dim = 0; dim < numLoops; ++dim)
    if (getInner(dim) > 1 && llvm::none_of(joined, [&](ArrayRef<int64_t> dims) {
          return llvm::is_contained(dims, dim);
        }))
      joined.push_back({dim});
  // Of blocks the last one may be shorter.
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<int64_t> extents, most, assumed;
  for (ArrayRef<int64_t> dims : joined) {
    bool isOpen = false, isKnown = true;
    double count = 1;
    for (int64_t dim : dims) {
      isOpen |= getTile(dim) == 0 && ShapedType::isDynamic(ranges[dim]);
      isKnown &= getTile(dim) == 0 || std::fmod(sizes[dim], getTile(dim)) == 0;
      count *= getInner(dim);
    }
    assumed.push_back(int64_t(count));
    most.push_back(isOpen ? ShapedType::kDynamic : assumed.back());
    extents.push_back(isKnown ? most.back() : ShapedType::kDynamic);
  }
  SmallVector<Level> blocks = getBlocks();
  Surroundings round;
  for (const Level &level : blocks)
    round.loops.push_back({level.extent, level.step});

  Location loc = op.getLoc();
  SmallVector<AffineMap> pieceMaps;
  SmallVector<Value> operands;
  for (unsigned operand = 0; operand < getNumOperands(); ++operand) {
    bool isCopied = operand < 2 && !schedule.order[operand].empty();
    bool isWhole = isCopied && schedule.whole[operand];
    SmallVector<int64_t> order;
    if (isCopied)
      order = schedule.order[operand];
    else
      for (AffineExpr expr : maps[operand].getResults())
        order.push_back(cast<AffineDimExpr>(expr).getPosition());
    // Per dim of the op, in what the piece reads or writes.
    SmallVector<double> now(numLoops, 0);
    if (isCopied) {
      SmallVector<double> inCopy =
          getStrides(order, widths[operand], [&](int64_t dim) {
            return isWhole ? sizes[dim] : getInner(dim);
          });
      for (auto [dim, stride] : llvm::zip_equal(order, inCopy))
        now[dim] = stride;
    } else {
      for (int64_t dim = 0; dim < numLoops; ++dim)
        now[dim] = getStride(operand, dim);
    }
    Surroundings::Operand &place = round.operands.emplace_back();
    SmallVector<AffineExpr> exprs;
    SmallVector<int64_t> shape;
    for (int64_t dim : order)
      for (auto [number, dims] : llvm::enumerate(joined))
        if (dims.front() == dim) {
          exprs.push_back(b.getAffineDimExpr(number));
          shape.push_back(extents[number]);
          place.extents.push_back(most[number]);
          place.axisStrides.push_back(now[dims.back()]);
        }
    // Blocks that are copied lie where the last ones did.
    for (const Level &level : blocks)
      place.loopStrides.push_back(isCopied && !isWhole ? 0 : now[level.dim]);
    pieceMaps.push_back(
        AffineMap::get(joined.size(), 0, exprs, b.getContext()));
    SmallVector<Value> dynamicSizes;
    for (int64_t size : shape)
      if (ShapedType::isDynamic(size))
        dynamicSizes.push_back(arith::ConstantIndexOp::create(b, loc, 0));
    operands.push_back(tensor::EmptyOp::create(
        b, loc, shape, getElementTypeOrSelf(op->getOperand(operand)),
        dynamicSizes));
  }
  linalg::LinalgOp piece = createContraction(
      b, loc, *getContractionKind(op), operands.back().getType(),
      ArrayRef(operands).drop_back(), operands.back(), pieceMaps);
  piece->setAttr(EinDialect::kPackedTensorsAttr, b.getUnitAttr());
  return {piece, round, assumed};
}

bool SchedulePricer::addGett() {
  if (!getContractionKind(op))
    return false;
  for (unsigned input = 0; input < 2; ++input)
    if (!schedule.order[input].empty())
      addCopy(input);
  Block block;
  OpBuilder b(op.getContext());
  b.setInsertionPointToEnd(&block);
  auto [piece, round, assumed] = createPiece(b);
  round.loops.insert(round.loops.begin(), surroundings.loops.begin(),
                     surroundings.loops.end());
  for (auto [number, place] : llvm::enumerate(round.operands)) {
    bool isCopied = number < 2 && !schedule.order[number].empty();
    SmallVector<double> outside(surroundings.loops.size(), 0);
    if (!isCopied && !surroundings.loops.empty())
      outside = loopStrides[number];
    place.loopStrides.insert(place.loopStrides.begin(), outside.begin(),
                             outside.end());
  }
  GivenChoices choices;
  choices.assumed.push_back(assumed);
  choices.isQuick = isQuick;
  choices.surroundings = round;
  std::optional<SchedulePrice> price =
      SchedulePricer(piece, target, round, assumed, isQuick)
          .price(selectSchedule(piece, target, choices));
  if (!price)
    return false;
  prices.total.add(price->total);
  prices.copies.add(price->copies);
  prices.edges.add(price->edges);
  prices.copiedBytes += price->copiedBytes;
  return true;
}

} // namespace ein
