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

/// The copy of an input, whole or by blocks.
void SchedulePricer::addCopy(unsigned input) {
  ArrayRef<int64_t> order = schedule.order[input];
  bool isWhole = schedule.whole[input];
  SmallVector<Level> levels;
  if (!isWhole)
    levels = getBlocks();
  size_t numOutside = levels.size();
  for (int64_t dim : order)
    levels.push_back({dim, isWhole ? sizes[dim] : getInner(dim), 1});
  double lanes = double(std::max<int64_t>(schedule.lanes, 1));
  levels.back().step = std::min(lanes, levels.back().extent);
  NestArray read = getInPlace(input, levels, widths[input] * lanes);
  NestArray copy = {SmallVector<double>(numOutside, 0), widths[input] * lanes,
                    false, true};
  copy.strides.append(getStrides(order, widths[input], [&](int64_t dim) {
    return isWhole ? sizes[dim] : getInner(dim);
  }));
  NestWork work;
  work.vectorBits = lanes * widths[input] * 8;
  work.loads = work.stores = 1;
  work.scalars = 2;
  // Squares of vectors are turned, of which those at ends of dims are not full.
  if (int64_t from = getLastDim(maps[input]); from != order.back()) {
    auto getFill = [&](int64_t dim) {
      double extent = isWhole ? sizes[dim] : getInner(dim);
      return extent / std::ceil(extent / lanes);
    };
    work.loads = getFill(order.back()) / getFill(from);
    work.shuffles = lanes * std::log2(std::max(lanes, 2.0)) / getFill(from);
    if (getFill(order.back()) < lanes && target.maskedOps)
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
  SmallVector<int64_t> ranges = op.getStaticLoopRanges(), extents, assumed;
  for (ArrayRef<int64_t> dims : joined) {
    int64_t extent = 1;
    for (int64_t dim : dims)
      extent = ShapedType::isDynamic(extent) ||
                       (getTile(dim) == 0 && ShapedType::isDynamic(ranges[dim]))
                   ? ShapedType::kDynamic
                   : extent * int64_t(getInner(dim));
    extents.push_back(extent);
    double count = 1;
    for (int64_t dim : dims)
      count *= getInner(dim);
    assumed.push_back(int64_t(count));
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
          place.axisStrides.push_back(now[dims.back()]);
        }
    place.extents = shape;
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
  GivenChoices choices;
  choices.assumed.push_back(assumed);
  choices.isQuick = isQuick;
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
