//===- TilePanels.cpp - Copies to panels --------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A copy to panels has a source that is padded to whole ones. It is read where
// it is: what is behind its end gives zero. That may be so in the last panel,
// and in the last group of k, which have parts of the loops to themselves.
// Elsewhere nothing is asked.
//
// Groups of the panels' last dim are elements of vectors along the dim before.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/ComplexVectors.h"
#include "passes/analysis/DimRoles.h"
#include "passes/analysis/Einsums.h"
#include "passes/analysis/Transposition.h"
#include "passes/vector/TileVectorizer.h"

using namespace mlir;

namespace ein {

/// How many steps each loop has. Of panels the result says it, as what they are
/// read from may be padded.
SmallVector<OpFoldResult> TileVectorizer::getSizes() {
  Value result = op.getDpsInits()[0];
  if (llvm::any_of(op.getDpsInputs(),
                   [](Value input) {
                     return input.getDefiningOp<tensor::PadOp>() != nullptr;
                   }) &&
      op.getIndexingMapsArray().back().isIdentity())
    return tensor::getMixedSizes(b, b.getLoc(), result);
  SmallVector<OpFoldResult> sizes;
  for (mlir::Range range : op.createLoopRanges(b, op.getLoc()))
    sizes.push_back(range.size);
  return sizes;
}

/// What vectors along a dim that is not the result's last have: groups.
void TileVectorizer::findGroups() {
  if (schedule.kind != Schedule::Vectorize)
    return;
  int64_t last = getLastDim(op.getIndexingMapsArray().back());
  if (last != vectorDim) {
    groupDim = last;
    group = extents[last];
  }
  squareDim = getSquareDim(op, vectorDim).value_or(-1);
}

/// How far `count` steps at a time have all that padded inputs are read of, if
/// `dim` counts the tiles of one.
std::optional<OpFoldResult> TileVectorizer::getPaddedEnd(int64_t dim,
                                                         int64_t count) {
  for (const Operand &input : inputs)
    for (auto [axis, tileDim] : llvm::enumerate(input.tileDims))
      if (tileDim == dim) {
        int64_t step = input.subscripts[axis].coefficients[dim] * count;
        return apply(b.getAffineDimExpr(0).floorDiv(step) * count,
                     {input.ends[axis]});
      }
  return std::nullopt;
}

/// The loops, of a result whose last two dims are one.
Value TileVectorizer::createGroups(Value tensor) {
  // A row of groups is contiguous.
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<ReassociationIndices> rows;
  for (int64_t axis = 0, e = type.getRank() - 1; axis < e; ++axis)
    rows.push_back({axis});
  rows.back().push_back(type.getRank() - 1);
  int64_t last = output.subscripts.pop_back_val().coefficients[groupDim];
  output.subscripts.back().coefficients[vectorDim] *= group;
  output.subscripts.back().coefficients[groupDim] = last;
  tensor = tensor::CollapseShapeOp::create(b, tensor, rows);
  return tensor::ExpandShapeOp::create(b, type, createLoops(0, tensor), rows);
}

/// Whether `length` is known to be less than `most`.
static bool isBelow(OpFoldResult length, int64_t most) {
  if (std::optional<int64_t> known = getConstantIntValue(length))
    return *known < most;
  auto apply = cast<Value>(length).getDefiningOp<affine::AffineApplyOp>();
  if (!apply)
    return false;
  auto rest = dyn_cast<AffineBinaryOpExpr>(apply.getAffineMap().getResult(0));
  auto divisor = rest && rest.getKind() == AffineExprKind::Mod
                     ? dyn_cast<AffineConstantExpr>(rest.getRHS())
                     : AffineConstantExpr();
  return divisor && divisor.getValue() <= most;
}

/// Has an operand that is padded to whole tiles, along axes that one dim counts
/// the tiles of, be what is padded. Reads behind its end give zero then.
void TileVectorizer::lookThroughPad(Operand &operand) {
  auto pad = operand.source.getDefiningOp<tensor::PadOp>();
  if (!pad || schedule.kind != Schedule::Vectorize ||
      !llvm::all_of(pad.getMixedLowPad(), isZeroInteger))
    return;
  Value padding = pad.getConstantPaddingValue();
  if (!padding || !isZero(padding))
    return;
  SmallVector<int64_t> tileDims;
  for (auto [subscript, high] :
       llvm::zip_equal(operand.subscripts, pad.getMixedHighPad())) {
    const auto *most = llvm::max_element(subscript.coefficients);
    tileDims.push_back(
        isZeroInteger(high) ? -1 : most - subscript.coefficients.begin());
    if (tileDims.back() == vectorDim ||
        (tileDims.back() >= 0 && !isBelow(high, *most)))
      return;
  }
  operand.source = pad.getSource();
  operand.tileDims = tileDims;
  operand.ends = tensor::getMixedSizes(b, b.getLoc(), operand.source);
}

/// Whether what is read of the tile may be behind the source's end there.
bool TileVectorizer::mayEndAlong(const Operand &operand, size_t axis) {
  return !operand.tileDims.empty() && operand.tileDims[axis] >= 0 &&
         mayEnd[operand.tileDims[axis]];
}

/// Groups of elements of as many rows, which are interleaved.
Value TileVectorizer::readGroups(const Operand &operand,
                                 ArrayRef<int64_t> digits, int64_t vector) {
  Values rows;
  for (int64_t row = 0; row < group; ++row) {
    places[groupDim] = {{Value(), row}};
    rows.push_back(readVector(operand, digits, vector, 0,
                              isMasked(vector) ? mask : Value()));
  }
  places[groupDim] = {Place()};
  // Those half of the rows apart first.
  for (int64_t half = group / 2; half > 0; half /= 2) {
    for (int64_t row = 0; row < half; ++row)
      rows[row] = vector::InterleaveOp::create(b, rows[row], rows[row + half]);
    rows.resize(half);
  }
  return rows.front();
}

/// The parts of complex numbers that have no vectors where they are; zeros of
/// what may be behind the end.
Value TileVectorizer::readParts(const Operand &operand, Values indices,
                                bool mayEnd) {
  AffineExpr d0 = b.getAffineDimExpr(0);
  OpFoldResult end =
      tensor::getMixedSize(b, b.getLoc(), operand.source, indices.size() - 1);
  Value last = toValue(apply(d0 - 1, {end}));
  Type element = getElementTypeOrSelf(operand.source.getType());
  Value zero = createZero(b, b.getLoc(), element);
  OpFoldResult first = getAsOpFoldResult(indices.back());
  Values parts;
  for (int64_t lane = 0; lane < columns.lanes; ++lane) {
    Value at = toValue(apply(d0 + lane, {first}));
    indices.back() = mayEnd ? arith::MinSIOp::create(b, at, last) : at;
    Value number = tensor::ExtractOp::create(b, operand.source, indices);
    if (mayEnd)
      number = arith::SelectOp::create(
          b, arith::CmpIOp::create(b, arith::CmpIPredicate::sle, at, last),
          number, zero);
    parts.push_back(complex::ReOp::create(b, number));
    parts.push_back(complex::ImOp::create(b, number));
  }
  auto type = VectorType::get({int64_t(parts.size())}, getPartType(element));
  return vector::FromElementsOp::create(b, type, parts);
}

} // namespace ein
