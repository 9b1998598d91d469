//===- FuseMaskedRows.cpp - Loops over rows without what is masked --------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of a block of rows the columns end where the mask leaves nothing of those
// behind, and each op is made of slices up to there. Before the product, on
// which nothing can be taken back, the code looks whether that was right
// (MaskCheck.cpp). If not, the ops so far are done with all columns, in the
// same buffers; the rest then reads as many columns as have been computed.
//
//===----------------------------------------------------------------------===//

#include "ir/IndexNames.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/decompose/FusionGroupLoop.h"
#include "passes/decompose/MaskCheck.h"
#include "passes/decompose/RowBuffers.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;

namespace ein {

/// Where the columns end that the mask leaves something of in a block, a
/// multiple of what the schedule says.
OpFoldResult FusionGroupLoop::getMaskEnd(OpFoldResult whole) {
  linalg::GenericOp mask = masked->getMask();
  ArrayRef<int64_t> dims = group.find(mask)->second;
  int64_t step = schedules.front().columns;
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  OpFoldResult end = whole;
  for (const LinearForm &form : masked->getEnds()) {
    // Of the block's rows the one that sees most is the first or the last.
    OpFoldResult sum = b.getIndexAttr(form.number);
    auto add = [&](OpFoldResult value, int64_t factor) {
      sum = affine::makeComposedFoldedAffineApply(
          b, b.getLoc(), d0 + d1 * factor, {sum, value});
    };
    for (auto [row, dim] : llvm::enumerate(dims)) {
      int64_t factor = form.loops[dim];
      if (factor == 0)
        continue;
      add(begins[row], factor);
      if (factor > 0 && tiles[row] != 1) {
        add(getLength(row), factor);
        add(b.getIndexAttr(1), -factor);
      }
    }
    Value isKnown;
    for (auto [value, factor] : form.values) {
      Value known = value;
      if (auto argument = dyn_cast<BlockArgument>(value);
          argument && argument.getOwner() == mask.getBody()) {
        OpOperand *operand = cast<linalg::LinalgOp>(mask.getOperation())
                                 .getMatchingOpOperand(argument);
        known = getInput(*operand, dims);
        if (isa<RankedTensorType>(known.getType()))
          known = tensor::ExtractOp::create(b, known, ValueRange());
      }
      if (!known.getType().isIndex())
        known = arith::IndexCastOp::create(b, b.getIndexType(), known);
      Value most = arith::ConstantIndexOp::create(b, kMostInForm),
            least = arith::ConstantIndexOp::create(b, -kMostInForm);
      for (auto [predicate, bound] :
           {std::pair(arith::CmpIPredicate::slt, most),
            std::pair(arith::CmpIPredicate::sgt, least)}) {
        Value isInside = arith::CmpIOp::create(b, predicate, known, bound);
        isKnown = isKnown
                      ? arith::AndIOp::create(b, isKnown, isInside).getResult()
                      : isInside;
      }
      add(known, factor);
    }
    OpFoldResult least = affine::makeComposedFoldedAffineMax(
        b, b.getLoc(),
        AffineMap::get(1, 0,
                       {d0.ceilDiv(step) * step, b.getAffineConstantExpr(step)},
                       b.getContext()),
        {sum});
    if (isKnown)
      least =
          arith::SelectOp::create(
              b, isKnown, getValueOrCreateConstantIndexOp(b, b.getLoc(), least),
              getValueOrCreateConstantIndexOp(b, b.getLoc(), whole))
              .getResult();
    end = affine::makeComposedFoldedAffineMin(
        b, b.getLoc(), AffineMap::getMultiDimIdentityMap(2, b.getContext()),
        {end, least});
  }
  return end;
}

/// Whether it makes a difference that columns from `end` on are left out.
Value FusionGroupLoop::createMaskCheck(OpFoldResult whole, OpFoldResult end) {
  Location loc = b.getLoc();
  auto restored = llvm::make_scope_exit([&] { b.setLoc(loc); });
  b.setLoc(withTensorName(selectIndexNames(loc, {}), "check of the mask"));
  Value zero = arith::ConstantOp::create(
      b, b.getZeroAttr(getElementTypeOrSelf(finite.getType())));
  Value check = emitMaskCheck(
      b, *masked, group,
      [&](OpOperand &operand) {
        return getInput(operand, group.find(operand.getOwner())->second);
      },
      [&](linalg::LinalgOp op) { return tilesOf.lookup(op->getResult(0)); },
      tiles, createBuffer(b, getElementTypeOrSelf(finite.getType()), {}));
  Value isWrong = arith::CmpIOp::create(
      b, arith::CmpIPredicate::slt,
      getValueOrCreateConstantIndexOp(b, b.getLoc(), end),
      getValueOrCreateConstantIndexOp(b, b.getLoc(), whole));
  Value differs;
  for (Value number : {finite, check}) {
    Value isNone = arith::CmpFOp::create(
        b, arith::CmpFPredicate::UNE,
        tensor::ExtractOp::create(b, number, ValueRange()), zero);
    differs =
        differs ? arith::OrIOp::create(b, differs, isNone).getResult() : isNone;
  }
  return arith::AndIOp::create(b, isWrong, differs);
}

/// The ops before the product without masked columns; again with them, if they
/// make a difference; and the others with as many.
void FusionGroupLoop::createMaskedTiles() {
  OpFoldResult whole = getAllColumns();
  auto isBefore = [&](Operation *op) { return masked->isBefore(op); };
  numColumns = getMaskEnd(whole);
  createTiles(isBefore);

  Value isWrong = createMaskCheck(whole, numColumns);

  // Each buffer as a whole, and what it holds in the end. Columns that are done
  // again take the memory of what was there.
  struct Held {
    linalg::LinalgOp first, op;
    Value whole;
  };
  SmallVector<Held> held;
  for (auto &[operation, dims] : group) {
    auto op = cast<linalg::LinalgOp>(operation);
    if (!isBefore(op))
      continue;
    linalg::LinalgOp first = getFirst(op);
    auto *found =
        llvm::find_if(held, [&](Held &each) { return each.first == first; });
    if (found == held.end())
      held.push_back({first, op, {}});
    else
      found->op = op;
  }
  auto isKept = [&](const Held &each) {
    return !llvm::all_of(each.op->getUsers(), isBefore);
  };
  auto insert = [&]() {
    SmallVector<Value> kept;
    for (Held &each : held) {
      each.whole = tilesOf.lookup(each.op->getResult(0));
      Value buffer = buffers.lookup(each.first);
      Sizes sizes;
      if (!getBufferPart(each.first, buffer, sizes))
        each.whole = tensor::InsertSliceOp::create(
            b, each.whole, buffer, Sizes(sizes.size(), b.getIndexAttr(0)),
            sizes, Sizes(sizes.size(), b.getIndexAttr(1)));
      if (isKept(each))
        kept.push_back(each.whole);
    }
    return kept;
  };
  SmallVector<Value> narrow = insert();
  auto branch = scf::IfOp::create(b, ValueRange(narrow).getTypes(), isWrong,
                                  /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    OpFoldResult end = std::exchange(numColumns, whole);
    slices.clear();
    for (Held &each : held)
      buffers[each.first] = each.whole;
    // Each tile is made anew of others that are.
    for (auto &[operation, dims] : group)
      if (isBefore(operation))
        tilesOf.erase(operation->getResult(0));
    createTiles(isBefore);
    scf::YieldOp::create(b, insert());
    slices.clear();
    numColumns = end;
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, narrow);
  }
  numColumns = createSelect(isWrong, whole, numColumns);
  unsigned next = 0;
  for (Held &each : held) {
    if (!isKept(each))
      continue;
    Value tile = branch.getResult(next++);
    Sizes sizes;
    if (!getBufferPart(each.first, tile, sizes))
      tile = tensor::ExtractSliceOp::create(
          b, tile, Sizes(sizes.size(), b.getIndexAttr(0)), sizes,
          Sizes(sizes.size(), b.getIndexAttr(1)));
    tilesOf.map(each.op->getResult(0), tile);
  }
  createTiles([&](Operation *op) { return !isBefore(op); });
  numColumns = {};
}

} // namespace ein
