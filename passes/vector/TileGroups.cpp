//===- TileGroups.cpp - Products of groups of k ---------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each step reads a group of k of all rows and columns of the tile, and is one
// op, `ein.dot_products`, for which there is an instruction.
//
// Panels of A whose bytes are moved by 128 make sums that are off by 128 times
// the sum of B's column. The same instruction adds that up, with 128 for A, in
// a loop of its own; the tile starts without it. That loop does not depend on
// the rows, and is where B's panel is, outside of the loop over these.
//
// An instruction for blocks of 2 x 2 has its four sums side by side, those of a
// row of its first factor together. So has the tile while the loop runs: rows
// become blocks before it, and blocks rows after it.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/vector/TileProducts.h"

using namespace mlir;

namespace ein {

namespace {
class GroupedSteps : public ProductSteps {
public:
  GroupedSteps(ImplicitLocOpBuilder &b, linalg::LinalgOp op,
               const TileProduct &product, const Schedule &schedule);

  Values start(Value tile) override;
  /// How many groups are whole.
  OpFoldResult getDepth() override;
  Values multiply(Value k, ValueRange sums) override {
    Value left = isInPlace ? readRows(k) : readStep(lhs, k);
    return {create(left, readStep(rhs, k), sums[0])};
  }
  Value finish(ValueRange sums) override;

private:
  bool hasBlocks() const { return schedule.dotRows == 2; }
  Value readStep(Value panel, Value k);
  Value readRows(Value k, bool isWhole = true);
  Value move(Value numbers);
  Value create(Value left, Value right, Value sums);
  Value createColumnSums();
  Value multiplyRest(Value sums);

  ImplicitLocOpBuilder &b;
  Value lhs, rhs;
  TileProduct product;
  const Schedule &schedule;
  /// Rows of A that may end within a group, [m, k]; null if they do not.
  Value matrix;
  /// Whether A is no panel, but rows of groups, [m, k, group], and whether its
  /// numbers are moved as they are read.
  bool isInPlace, isMoved;
};
} // namespace

GroupedSteps::GroupedSteps(ImplicitLocOpBuilder &b, linalg::LinalgOp op,
                           const TileProduct &product, const Schedule &schedule)
    : b(b), lhs(op.getDpsInputs()[0]), rhs(op.getDpsInputs()[1]),
      product(product), schedule(schedule),
      isInPlace(op.getIndexingMapsArray()[0].getResult(0) ==
                b.getAffineDimExpr(0)),
      isMoved(isInPlace && schedule.dotOffset) {
  if (auto groups = lhs.getDefiningOp<tensor::ExpandShapeOp>())
    if (auto pad = groups.getSrc().getDefiningOp<tensor::PadOp>();
        isInPlace && pad && !isZeroInteger(pad.getMixedHighPad()[1]))
      matrix = pad.getSource();
  if (!isMoved)
    return;
  // As panels of what is moved have it.
  bool isSigned = product.kind.cast == linalg::TypeFn::cast_signed;
  unsigned bits = getElementTypeOrSelf(lhs.getType()).getIntOrFloatBitWidth();
  int64_t half = int64_t(1) << (bits - 1);
  this->product.offset = isSigned ? -half : half;
  this->product.kind = {product.kind.kind,
                        isSigned ? linalg::TypeFn::cast_unsigned
                                 : linalg::TypeFn::cast_signed,
                        product.kind.getCast(1)};
}

/// By half of their range.
Value GroupedSteps::move(Value numbers) {
  auto type = cast<VectorType>(numbers.getType());
  APInt half = APInt::getSignMask(type.getElementTypeBitWidth());
  Value signs = arith::ConstantOp::create(
      b, DenseElementsAttr::get(type,
                                b.getIntegerAttr(type.getElementType(), half)));
  return arith::XOrIOp::create(b, numbers, signs);
}

/// A step of k of a panel: [k, width, group] -> [width, group].
Value GroupedSteps::readStep(Value panel, Value k) {
  auto type = cast<RankedTensorType>(panel.getType());
  auto vectorType =
      VectorType::get(type.getShape().drop_front(), type.getElementType());
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value padding =
      arith::ConstantOp::create(b, b.getZeroAttr(type.getElementType()));
  unsigned rank = type.getRank();
  SmallVector<Value> position(rank, zero);
  position[0] = k;
  SmallVector<bool> inBounds(rank - 1, true);
  return vector::TransferReadOp::create(
      b, vectorType, panel, position, padding,
      AffineMap::getMinorIdentityMap(rank, rank - 1, b.getContext()), inBounds);
}

/// A step of k of rows of A where they are. Behind the end of the slice its
/// last row is read again, since nothing is kept of what these rows become. Of
/// a group that is not whole the rest is zero.
Value GroupedSteps::readRows(Value k, bool isWhole) {
  auto type = cast<RankedTensorType>(lhs.getType());
  int64_t rows = type.getDimSize(0), group = type.getDimSize(2);
  Value source = matrix ? matrix : lhs, last;
  auto pad = lhs.getDefiningOp<tensor::PadOp>();
  if (pad)
    source = pad.getSource();
  if (pad || cast<RankedTensorType>(source.getType()).getDimSize(0) != rows) {
    Value length = getValueOrCreateConstantIndexOp(
        b, b.getLoc(), tensor::getMixedSize(b, b.getLoc(), source, 0));
    last =
        arith::SubIOp::create(b, length, arith::ConstantIndexOp::create(b, 1));
  }
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value padding =
      arith::ConstantOp::create(b, b.getZeroAttr(type.getElementType()));
  auto groupType = VectorType::get({group}, type.getElementType());
  if (matrix)
    k = affine::makeComposedAffineApply(
        b, b.getLoc(), b.getAffineDimExpr(0) * group, {OpFoldResult(k)});
  Value result = arith::ConstantOp::create(
      b, b.getZeroAttr(VectorType::get({rows, group}, type.getElementType())));
  for (int64_t row = 0; row < rows; ++row) {
    Value index = arith::ConstantIndexOp::create(b, row);
    if (last && row > 0)
      index = arith::MinSIOp::create(b, index, last);
    SmallVector<Value> position = {index, k};
    if (!matrix)
      position.push_back(zero);
    Value numbers = vector::TransferReadOp::create(
        b, groupType, source, position, padding,
        AffineMap::getMinorIdentityMap(position.size(), 1, b.getContext()),
        ArrayRef<bool>{isWhole});
    if (isMoved)
      numbers = move(numbers);
    result = vector::InsertOp::create(b, numbers, result, row);
  }
  return result;
}

Value GroupedSteps::create(Value left, Value right, Value sums) {
  bool isOfIntegers =
      !isa<FloatType>(cast<VectorType>(sums.getType()).getElementType());
  auto isUnsigned = [&](unsigned input) {
    return isOfIntegers &&
           product.kind.getCast(input) == linalg::TypeFn::cast_unsigned;
  };
  if (schedule.hasTiles())
    return TileProductsOp::create(b, sums.getType(), left, right, sums,
                                  isUnsigned(0), isUnsigned(1));
  StringAttr intrinsic;
  IntegerAttr bits;
  if (!schedule.dot.empty()) {
    intrinsic = b.getStringAttr(schedule.dot);
    bits = b.getI64IntegerAttr(schedule.dotBits);
  }
  return DotProductsOp::create(b, sums.getType(), left, right, sums,
                               isUnsigned(0), isUnsigned(1), intrinsic, bits,
                               schedule.dotScalable, schedule.dotSwapped);
}

OpFoldResult GroupedSteps::getDepth() {
  if (matrix) {
    int64_t group = cast<RankedTensorType>(lhs.getType()).getDimSize(2);
    return affine::makeComposedFoldedAffineApply(
        b, b.getLoc(), b.getAffineDimExpr(0).floorDiv(group),
        {tensor::getMixedSize(b, b.getLoc(), matrix, 1)});
  }
  auto pad = lhs.getDefiningOp<tensor::PadOp>();
  return tensor::getMixedSize(b, b.getLoc(), pad ? pad.getSource() : lhs,
                              isInPlace ? 1 : 0);
}

/// The sums after what is left of rows that do not end with a group.
Value GroupedSteps::multiplyRest(Value sums) {
  if (!matrix)
    return sums;
  Value whole = getValueOrCreateConstantIndexOp(b, b.getLoc(), getDepth());
  Value all = getValueOrCreateConstantIndexOp(
      b, b.getLoc(), tensor::getMixedSize(b, b.getLoc(), rhs, 0));
  auto multiplyLast = [&] {
    return create(readRows(whole, /*isWhole=*/false), readStep(rhs, whole),
                  sums);
  };
  if (!cast<RankedTensorType>(matrix.getType()).isDynamicDim(1))
    return multiplyLast();
  Value isMore =
      arith::CmpIOp::create(b, arith::CmpIPredicate::slt, whole, all);
  OpBuilder::InsertionGuard guard(b);
  auto branch = scf::IfOp::create(b, TypeRange(sums.getType()), isMore,
                                  /*withElseRegion=*/true);
  b.setInsertionPointToStart(branch.thenBlock());
  Value more = multiplyLast();
  scf::YieldOp::create(b, more);
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, sums);
  return branch.getResult(0);
}

/// Per column, what the panels of A make too much.
Value GroupedSteps::createColumnSums() {
  OpBuilder::InsertionGuard outside(b);
  b.setInsertionPointAfterValue(rhs);
  auto type = cast<RankedTensorType>(lhs.getType());
  auto rowType =
      VectorType::get({1, type.getDimSize(2)}, type.getElementType());
  Value row = arith::ConstantOp::create(
      b, DenseElementsAttr::get(
             rowType, b.getIntegerAttr(type.getElementType(),
                                       APInt(rowType.getElementTypeBitWidth(),
                                             -product.offset, /*isSigned=*/true,
                                             /*implicitTrunc=*/true))));
  int64_t columns = cast<RankedTensorType>(rhs.getType()).getDimSize(1);
  auto sumType = VectorType::get({1, columns}, b.getI32Type());
  Value start = arith::ConstantOp::create(b, b.getZeroAttr(sumType));
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value depth = tensor::DimOp::create(b, rhs, 0);
  auto loop = scf::ForOp::create(
      b, zero, depth, one, start,
      [&](OpBuilder &inner, Location, Value k, ValueRange carried) {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToEnd(inner.getInsertionBlock());
        scf::YieldOp::create(b, create(row, readStep(rhs, k), carried[0]));
      });
  if (schedule.unroll > 1)
    loop->setAttr(EinDialect::kUnrollAttr,
                  b.getI64IntegerAttr(schedule.unroll));
  return vector::ExtractOp::create(b, loop.getResult(0), 0);
}

ProductSteps::Values GroupedSteps::start(Value tile) {
  auto type = cast<VectorType>(tile.getType());
  if (product.offset != 0)
    tile = arith::SubIOp::create(
        b, tile, vector::BroadcastOp::create(b, type, createColumnSums()));
  if (!hasBlocks())
    return {tile};
  int64_t rows = type.getDimSize(0), columns = type.getDimSize(1);
  auto blocksType =
      VectorType::get({rows / 2, columns / 2, 4}, type.getElementType());
  Value blocks = arith::ConstantOp::create(b, b.getZeroAttr(blocksType));
  for (int64_t row = 0; row < rows; row += 2) {
    Value first = vector::ExtractOp::create(b, tile, row);
    Value second = vector::ExtractOp::create(b, tile, row + 1);
    for (int64_t column = 0; column < columns; column += 2) {
      SmallVector<int64_t> places = {column, column + 1, columns + column,
                                     columns + column + 1};
      if (schedule.dotSwapped)
        std::swap(places[1], places[2]);
      Value block = vector::ShuffleOp::create(b, first, second, places);
      blocks = vector::InsertOp::create(b, block, blocks,
                                        ArrayRef<int64_t>{row / 2, column / 2});
    }
  }
  return {blocks};
}

Value GroupedSteps::finish(ValueRange before) {
  Value sums = multiplyRest(before[0]);
  if (!hasBlocks())
    return sums;
  auto blocksType = cast<VectorType>(sums.getType());
  int64_t rows = 2 * blocksType.getDimSize(0),
          columns = 2 * blocksType.getDimSize(1);
  auto type = VectorType::get({rows, columns}, blocksType.getElementType());
  auto rowType = VectorType::get({columns}, blocksType.getElementType());
  Value tile = arith::ConstantOp::create(b, b.getZeroAttr(type));
  for (int64_t row = 0; row < rows; row += 2)
    for (int64_t half = 0; half < 2; ++half) {
      Value joined = arith::ConstantOp::create(b, b.getZeroAttr(rowType));
      for (int64_t column = 0; column < columns; column += 2) {
        Value block = vector::ExtractOp::create(
            b, sums, ArrayRef<int64_t>{row / 2, column / 2});
        SmallVector<int64_t> places = {2 * half, 2 * half + 1};
        if (schedule.dotSwapped)
          places = {half, half + 2};
        Value part = vector::ShuffleOp::create(b, block, block, places);
        joined = vector::InsertStridedSliceOp::create(
            b, part, joined, ArrayRef<int64_t>{column}, ArrayRef<int64_t>{1});
      }
      tile = vector::InsertOp::create(b, joined, tile, row + half);
    }
  return tile;
}

std::unique_ptr<ProductSteps> createGroupedSteps(ImplicitLocOpBuilder &b,
                                                 linalg::LinalgOp op,
                                                 const TileProduct &product,
                                                 const Schedule &schedule) {
  return std::make_unique<GroupedSteps>(b, op, product, schedule);
}

} // namespace ein
