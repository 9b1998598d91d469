//===- VectorizeTransposes.cpp - Transpositions in registers --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A transposition reads and writes each element once, so its speed is that of
// its memory accesses: whole vectors on both sides. The source is contiguous
// along one dim, the result along another; a square block of these two, a
// vector long, is read by rows, transposed in registers and written by rows.
// Where both are contiguous along the same dim there is nothing to transpose.
//
// Blocks at the edge are cut to what is there. If that is a number, the rows
// that are missing are not read or written; if not, the last row is read again
// in their place, and their writes are masked completely.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/Passes.h"
#include "passes/Strategy.h"
#include "passes/TransposeInRegisters.h"

namespace ein {
#define GEN_PASS_DEF_VECTORIZETRANSPOSES
#include "passes/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

class TransposeVectorizer {
public:
  TransposeVectorizer(RewriterBase &rewriter, linalg::TransposeOp op,
                      int64_t lanes)
      : b(op.getLoc(), rewriter), source(op.getInput()), init(op.getInit()),
        permutation(op.getPermutation()), lanes(lanes),
        type(getElementTypeOrSelf(op.getInput().getType())),
        sourceAxis(permutation.back()),
        resultAxis(llvm::find(permutation, getRank() - 1) -
                   permutation.begin()) {
    // Complex numbers of two f32 are moved as f64.
    if (isa<ComplexType>(type)) {
      type = b.getF64Type();
      source = ReinterpretOp::get(b, op.getLoc(), source, type);
      init = ReinterpretOp::get(b, op.getLoc(), init, type);
    }
  }

  Value createLoops();

private:
  int64_t getRank() const { return permutation.size(); }
  bool isCopy() const { return sourceAxis == getRank() - 1; }
  VectorType getVectorType() { return VectorType::get({lanes}, type); }

  /// A part of a dim that is done by vectors, complete ones or the rest.
  struct Part {
    Value begin, end;
    /// Elements of each vector; none if all lanes are. Else also as a number,
    /// if it is one.
    Value count;
    int64_t known;
  };
  SmallVector<Part> getParts(int64_t axis);
  Value createMask(Value count);
  Value readRow(ArrayRef<Value> position, const Part &part);
  Value writeRow(Value row, Value tensor, ArrayRef<Value> position,
                 Value count);
  Value createBlock(Value tensor, SmallVector<Value> position, const Part &rows,
                    const Part &columns);
  Value createParts(Value tensor, ArrayRef<Value> outer);

  ImplicitLocOpBuilder b;
  Value source, init;
  ArrayRef<int64_t> permutation;
  int64_t lanes;
  Type type;
  /// The source's axis that is the result's last, and the result's that is the
  /// source's last.
  int64_t sourceAxis, resultAxis;
};

} // namespace

/// The parts of a dim of the result.
SmallVector<TransposeVectorizer::Part>
TransposeVectorizer::getParts(int64_t axis) {
  SmallVector<Part> parts;
  Value zero = arith::ConstantIndexOp::create(b, 0);
  OpFoldResult size = tensor::getMixedSize(b, b.getLoc(), init, axis);
  Value end = getValueOrCreateConstantIndexOp(b, b.getLoc(), size);
  AffineExpr d0 = b.getAffineDimExpr(0);
  auto apply = [&](AffineExpr expr) {
    return getValueOrCreateConstantIndexOp(
        b, b.getLoc(),
        affine::makeComposedFoldedAffineApply(b, b.getLoc(), expr, {size}));
  };
  std::optional<int64_t> known = getConstantIntValue(size);
  Value middle = apply(d0 - d0 % lanes);
  if (!known || *known >= lanes)
    parts.push_back({zero, middle, Value(), lanes});
  if (!known || *known % lanes != 0)
    parts.push_back({middle, end, apply(d0 % lanes),
                     known ? *known % lanes : ShapedType::kDynamic});
  return parts;
}

Value TransposeVectorizer::createMask(Value count) {
  return count ? vector::CreateMaskOp::create(
                     b, VectorType::get({lanes}, b.getI1Type()), count)
                     .getResult()
               : Value();
}

/// Elements of the source from `position` on, as many as `part` has.
Value TransposeVectorizer::readRow(ArrayRef<Value> position, const Part &part) {
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type));
  AffineMap map = AffineMap::getMinorIdentityMap(getRank(), 1, b.getContext());
  Value mask = createMask(part.count);
  return vector::TransferReadOp::create(b, getVectorType(), source, position,
                                        AffineMapAttr::get(map), zero, mask,
                                        b.getBoolArrayAttr({true}));
}

Value TransposeVectorizer::writeRow(Value row, Value tensor,
                                    ArrayRef<Value> position, Value count) {
  AffineMap map = AffineMap::getMinorIdentityMap(getRank(), 1, b.getContext());
  return vector::TransferWriteOp::create(b, tensor.getType(), row, tensor,
                                         position, AffineMapAttr::get(map),
                                         createMask(count),
                                         b.getBoolArrayAttr({true}))
      ->getResult(0);
}

/// One block: `rows` of the source's, each with elements of `columns`, written
/// the other way round. `position` is the result's.
Value TransposeVectorizer::createBlock(Value tensor,
                                       SmallVector<Value> position,
                                       const Part &rows, const Part &columns) {
  int64_t last = getRank() - 1;
  auto getSourcePosition = [&]() {
    SmallVector<Value> result(getRank());
    for (auto [axis, from] : llvm::enumerate(permutation))
      result[from] = position[axis];
    return result;
  };
  if (isCopy())
    return writeRow(readRow(getSourcePosition(), rows), tensor, position,
                    rows.count);

  auto getIndex = [&](Value begin, int64_t number) -> Value {
    return affine::makeComposedAffineApply(
        b, b.getLoc(), b.getAffineDimExpr(0) + number, {begin});
  };
  auto getClamped = [&](Value begin, int64_t number, const Part &part) {
    Value index = getIndex(begin, number);
    if (number == 0 || !ShapedType::isDynamic(part.known))
      return index;
    Value end = getIndex(part.end, -1);
    return arith::MinSIOp::create(b, index, end).getResult();
  };
  auto isThere = [](int64_t number, const Part &part) {
    return ShapedType::isDynamic(part.known) || number < part.known;
  };
  Value rowBegin = position[last], columnBegin = position[resultAxis];
  SmallVector<Value> vectors;
  for (int64_t row = 0; row < lanes; ++row) {
    if (!isThere(row, rows)) {
      vectors.push_back(arith::ConstantOp::create(
          b, cast<TypedAttr>(b.getZeroAttr(getVectorType()))));
      continue;
    }
    SmallVector<Value> from = getSourcePosition();
    from[sourceAxis] = getClamped(rowBegin, row, rows);
    vectors.push_back(readRow(from, columns));
  }
  // Shuffles, not one transpose of all rows: what puts rows together to take
  // columns out of it is canonicalised to single elements.
  transposeSquare(b, vectors);
  for (int64_t column = 0; column < lanes; ++column) {
    if (!isThere(column, columns))
      continue;
    position[resultAxis] = getClamped(columnBegin, column, columns);
    Value count = rows.count;
    if (ShapedType::isDynamic(columns.known) && column > 0) {
      Value all = count ? count : arith::ConstantIndexOp::create(b, lanes);
      Value none = arith::ConstantIndexOp::create(b, 0);
      Value isInside = arith::CmpIOp::create(
          b, arith::CmpIPredicate::slt,
          arith::ConstantIndexOp::create(b, column), columns.count);
      count = arith::SelectOp::create(b, isInside, all, none);
    }
    tensor = writeRow(vectors[column], tensor, position, count);
  }
  return tensor;
}

/// All blocks for one position of the other axes.
Value TransposeVectorizer::createParts(Value tensor, ArrayRef<Value> outer) {
  Value step = arith::ConstantIndexOp::create(b, lanes);
  SmallVector<Part> whole = {{}};
  SmallVector<Part> rowParts = getParts(getRank() - 1);
  SmallVector<Part> columnParts = isCopy() ? whole : getParts(resultAxis);
  for (const Part &columns : columnParts)
    for (const Part &rows : rowParts) {
      SmallVector<Value> begins = {rows.begin}, ends = {rows.end},
                         steps = {step};
      if (!isCopy()) {
        begins.insert(begins.begin(), columns.begin);
        ends.insert(ends.begin(), columns.end);
        steps.push_back(step);
      }
      auto body = [&](OpBuilder &, Location, ValueRange ivs,
                      ValueRange carried) {
        b.setInsertionPointToEnd(ivs.back().getParentBlock());
        SmallVector<Value> position(outer);
        position[getRank() - 1] = ivs.back();
        if (!isCopy())
          position[resultAxis] = ivs.front();
        return scf::ValueVector{
            createBlock(carried[0], position, rows, columns)};
      };
      Block *block = b.getInsertionBlock();
      scf::LoopNest nest = scf::buildLoopNest(b, b.getLoc(), begins, ends,
                                              steps, ValueRange{tensor}, body);
      b.setInsertionPointToEnd(block);
      tensor = nest.results[0];
    }
  return tensor;
}

Value TransposeVectorizer::createLoops() {
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);
  SmallVector<int64_t> axes;
  SmallVector<Value> begins, ends, steps;
  for (int64_t axis = 0; axis < getRank() - 1; ++axis) {
    if (axis == resultAxis)
      continue;
    axes.push_back(axis);
    begins.push_back(zero);
    ends.push_back(getValueOrCreateConstantIndexOp(
        b, b.getLoc(), tensor::getMixedSize(b, b.getLoc(), init, axis)));
    steps.push_back(one);
  }
  // One loop at least, to have a block of its own.
  if (axes.empty()) {
    begins.push_back(zero);
    ends.push_back(one);
    steps.push_back(one);
  }
  return scf::buildLoopNest(
             b, b.getLoc(), begins, ends, steps, ValueRange{init},
             [&](OpBuilder &, Location, ValueRange ivs, ValueRange carried) {
               b.setInsertionPointToEnd(ivs.back().getParentBlock());
               SmallVector<Value> outer(getRank());
               for (auto [number, axis] : llvm::enumerate(axes))
                 outer[axis] = ivs[number];
               return scf::ValueVector{createParts(carried[0], outer)};
             })
      .results[0];
}

namespace {
struct VectorizeTransposesPass
    : impl::VectorizeTransposesBase<VectorizeTransposesPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (auto op : collectWithStrategy<linalg::TransposeOp>(
             getOperation(), Strategy::Transpose)) {
      FailureOr<Strategy> strategy = Strategy::fromOp(op, op.getNumLoops());
      if (failed(strategy))
        return signalPassFailure();
      rewriter.setInsertionPoint(op);
      Value result =
          TransposeVectorizer(rewriter, op, strategy->lanes).createLoops();
      rewriter.replaceOp(
          op, ReinterpretOp::get(rewriter, op.getLoc(), result,
                                 getElementTypeOrSelf(op.getInit())));
    }
  }
};
} // namespace

} // namespace ein
