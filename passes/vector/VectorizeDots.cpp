//===- VectorizeDots.cpp - Tiles of dots to vectors -----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loop over k of a tile whose elements are vectors of partial sums. A tile
// at the edge has fewer rows or columns than the schedule says; then its last
// one is read again for those that are missing, and what they become, which is
// the same, is written to the same place again: no tile needs code of its own.
// The last vector of k, which is not complete, is read with zeros behind it.
//
// Summed up one by one, accumulators take two instructions for each halving.
// Two of them at once share these: the halves of both are put beside each
// other,
//
//   a0 a1 a2 a3 | b0 b1 b2 b3  ->  a0 a1 b0 b1 + a2 a3 b2 b3
//
// and so on with two of these, until a vector has one sum in each lane.
//
// Memory is idle while a tile of the streamed side is read again from cache,
// for the next few rows of the other, and its prefetchers start anew with each
// tile. So each of these passes prefetches its part of the next tile to L2, a
// line with each step. That is behind the end of the array in the last tile,
// which a prefetch may be.
//
//===----------------------------------------------------------------------===//

#include "passes/vector/VectorizeDots.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/schedule/ScheduledOps.h"

using namespace mlir;

namespace ein {
namespace {

class DotTile {
public:
  DotTile(RewriterBase &rewriter, linalg::LinalgOp op, Schedule schedule)
      : b(op.getLoc(), rewriter), op(op), schedule(std::move(schedule)),
        maps(op.getIndexingMapsArray()), tile(op.getDpsInits()[0]),
        elementType(getElementTypeOrSelf(tile.getType())) {}

  /// C after the sum.
  Value create();

private:
  /// Where the rows (or columns) of the tile are along `dim`, `count` at most.
  SmallVector<Value> getPositions(int64_t dim, int64_t count);
  /// One element's indices in an operand: those given along m, n and k, zero
  /// along what has extent 1.
  SmallVector<Value> getIndices(unsigned operand, Value row, Value column,
                                Value depth);
  Value readAlongK(unsigned input, Value position, Value k, bool isWhole);
  /// All accumulators after the vectors of k from `begin` to `end`.
  SmallVector<Value> accumulate(Value begin, Value end, int64_t unroll,
                                bool isWhole, ValueRange accumulators);
  /// What this pass prefetches of the next tile of the streamed side: the
  /// memory of this one, and positions behind it.
  void findPrefetches();
  void prefetch(Value k);
  Value shuffle(Value first, Value second, ArrayRef<int64_t> lanes);
  /// The sums across some accumulators, in the first lanes of one vector.
  Value sumUp(ArrayRef<Value> accumulators);
  /// What an element, or a row of `nr`, is before the sum.
  Value readStart(Value row);
  Value add(Value first, Value second) {
    return arith::AddFOp::create(b, first, second);
  }

  ImplicitLocOpBuilder b;
  linalg::LinalgOp op;
  Schedule schedule;
  SmallVector<AffineMap> maps;
  Value tile;
  Type elementType;
  SmallVector<Value> rows, columns;
  unsigned streamed = 0;
  Value memory;
  SmallVector<Value> prefetched;
};

} // namespace

SmallVector<Value> DotTile::getPositions(int64_t dim, int64_t count) {
  Value zero = arith::ConstantIndexOp::create(b, 0);
  if (dim < 0)
    return {zero};
  AffineMap output = maps[2];
  unsigned axis =
      *output.getResultPosition(getAffineDimExpr(dim, b.getContext()));
  OpFoldResult extent = tensor::getMixedSize(b, b.getLoc(), tile, axis);
  std::optional<int64_t> size = getConstantIntValue(extent);
  Value last;
  if (!size)
    last = arith::SubIOp::create(
        b, getValueOrCreateConstantIndexOp(b, b.getLoc(), extent),
        arith::ConstantIndexOp::create(b, 1));
  SmallVector<Value> positions = {zero};
  for (int64_t i = 1, e = size ? std::min(*size, count) : count; i < e; ++i) {
    Value position = arith::ConstantIndexOp::create(b, i);
    positions.push_back(last ? arith::MinSIOp::create(b, position, last)
                             : position);
  }
  return positions;
}

SmallVector<Value> DotTile::getIndices(unsigned operand, Value row,
                                       Value column, Value depth) {
  return llvm::map_to_vector(
      maps[operand].getResults(), [&](AffineExpr expr) -> Value {
        int64_t dim = cast<AffineDimExpr>(expr).getPosition();
        if (dim == schedule.m)
          return row;
        if (dim == schedule.n)
          return column;
        if (dim == schedule.k)
          return depth;
        return arith::ConstantIndexOp::create(b, 0);
      });
}

Value DotTile::readAlongK(unsigned input, Value position, Value k,
                          bool isWhole) {
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(elementType));
  return vector::TransferReadOp::create(
      b, VectorType::get({schedule.lanes}, elementType),
      op.getDpsInputs()[input], getIndices(input, position, position, k), zero,
      ArrayRef<bool>{isWhole});
}

void DotTile::findPrefetches() {
  if (schedule.prefetch == 0 || schedule.n < 0)
    return;
  // The loop over the side that is not streamed is the inner one.
  bool areRowsInside = schedule.m < 0 || schedule.interchange.empty() ||
                       schedule.interchange.back() == schedule.m;
  streamed = areRowsInside ? 1 - schedule.lhs : schedule.lhs;
  int64_t width = areRowsInside ? schedule.nr : schedule.mr;
  int64_t innerWidth = areRowsInside ? schedule.mr : schedule.nr;
  int64_t innerDim = areRowsInside ? schedule.m : schedule.n;

  // Which pass this is, the slice says that it reads.
  Value other = op.getDpsInputs()[1 - streamed];
  OpFoldResult offset = b.getIndexAttr(0);
  auto slice = other.getDefiningOp<tensor::ExtractSliceOp>();
  if (slice && innerDim >= 0 && slice.getDroppedDims().none())
    offset = slice.getMixedOffsets()[*maps[1 - streamed].getResultPosition(
        b.getAffineDimExpr(innerDim))];
  AffineExpr first =
      b.getAffineDimExpr(0).floorDiv(innerWidth) * schedule.prefetch + width;
  int64_t most = 2 * width - schedule.prefetch;
  OpFoldResult begin = affine::makeComposedFoldedAffineMin(
      b, b.getLoc(),
      AffineMap::get(1, 0, {first, b.getAffineConstantExpr(most)},
                     b.getContext()),
      {offset});
  for (int64_t i = 0; i < schedule.prefetch; ++i)
    prefetched.push_back(getValueOrCreateConstantIndexOp(
        b, b.getLoc(),
        affine::makeComposedFoldedAffineApply(
            b, b.getLoc(), b.getAffineDimExpr(0) + i, {begin})));

  Value tensor = op.getDpsInputs()[streamed];
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> dynamic(type.getRank(), ShapedType::kDynamic);
  auto layout =
      StridedLayoutAttr::get(b.getContext(), ShapedType::kDynamic, dynamic);
  memory = bufferization::ToBufferOp::create(
      b, MemRefType::get(type.getShape(), elementType, layout), tensor,
      /*read_only=*/true);
}

void DotTile::prefetch(Value k) {
  constexpr uint32_t kToL2 = 2;
  for (Value position : prefetched)
    memref::PrefetchOp::create(b, memory,
                               getIndices(streamed, position, position, k),
                               /*isWrite=*/false, kToL2, /*isDataCache=*/true);
}

SmallVector<Value> DotTile::accumulate(Value begin, Value end, int64_t unroll,
                                       bool isWhole, ValueRange accumulators) {
  Value step = arith::ConstantIndexOp::create(b, unroll * schedule.lanes);
  unsigned lhs = schedule.lhs, rhs = 1 - schedule.lhs;
  auto loop = scf::ForOp::create(
      b, begin, end, step, accumulators,
      [&](OpBuilder &inner, Location loc, Value k, ValueRange carried) {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToEnd(inner.getInsertionBlock());
        if (isWhole)
          prefetch(k);
        SmallVector<Value> sums;
        for (int64_t i = 0; i < unroll; ++i) {
          Value depth = k;
          if (i > 0)
            depth = arith::AddIOp::create(
                b, k, arith::ConstantIndexOp::create(b, i * schedule.lanes));
          auto read = [&](unsigned input, ArrayRef<Value> positions) {
            return llvm::map_to_vector(positions, [&](Value position) {
              return readAlongK(input, position, depth, isWhole);
            });
          };
          SmallVector<Value> left = read(lhs, rows), right = read(rhs, columns);
          for (Value a : left)
            for (Value c : right)
              sums.push_back(
                  vector::FMAOp::create(b, a, c, carried[sums.size()]));
        }
        scf::YieldOp::create(b, sums);
      });
  return loop.getResults();
}

Value DotTile::shuffle(Value first, Value second, ArrayRef<int64_t> lanes) {
  return vector::ShuffleOp::create(b, first, second, lanes);
}

Value DotTile::sumUp(ArrayRef<Value> accumulators) {
  // Each vector has `groups` groups of `parts` lanes, the partial sums of one
  // accumulator each.
  SmallVector<Value> vectors(accumulators);
  int64_t groups = 1, parts = schedule.lanes;
  while (parts > 1) {
    // The lanes of one half of each group, of two vectors or of one.
    auto getHalf = [&](bool isSecond, unsigned count) {
      SmallVector<int64_t> lanes;
      for (int64_t group = 0; group < groups * count; ++group)
        for (int64_t part = 0; part < parts / 2; ++part)
          lanes.push_back(group * parts + part + (isSecond ? parts / 2 : 0));
      return lanes;
    };
    SmallVector<Value> next;
    bool isAlone = vectors.size() == 1;
    for (size_t i = 0; i < vectors.size(); i += 2) {
      // The last of an odd number is its own partner.
      Value first = vectors[i];
      Value second = i + 1 < vectors.size() ? vectors[i + 1] : first;
      unsigned count = isAlone ? 1 : 2;
      Value low = shuffle(first, second, getHalf(false, count));
      Value high = shuffle(first, second, getHalf(true, count));
      next.push_back(add(low, high));
    }
    vectors = next;
    parts /= 2;
    groups = isAlone ? groups : 2 * groups;
  }
  // More accumulators than lanes are several vectors of sums.
  Value all = vectors.front();
  for (Value more : ArrayRef(vectors).drop_front()) {
    int64_t count = cast<VectorType>(all.getType()).getDimSize(0) +
                    cast<VectorType>(more.getType()).getDimSize(0);
    all = shuffle(all, more, llvm::to_vector(llvm::seq<int64_t>(0, count)));
  }
  return all;
}

Value DotTile::readStart(Value row) {
  Value zero = arith::ConstantIndexOp::create(b, 0);
  SmallVector<Value> indices = getIndices(2, row, zero, zero);
  Type type = VectorType::get({int64_t(columns.size())}, elementType);
  if (schedule.n < 0)
    return tensor::ExtractOp::create(b, tile, indices);
  Value padding = arith::ConstantOp::create(b, b.getZeroAttr(elementType));
  auto tileType = cast<RankedTensorType>(tile.getType());
  bool isWhole = tileType.getShape().back() == int64_t(columns.size());
  return vector::TransferReadOp::create(b, cast<VectorType>(type), tile,
                                        indices, padding,
                                        ArrayRef<bool>{isWhole});
}

Value DotTile::create() {
  // What C starts from: a number, itself, or in the first block the former.
  // From here on `tile` is what is written.
  Value isFirst, number;
  if (auto select = tile.getDefiningOp<arith::SelectOp>())
    if (auto fill = select.getTrueValue().getDefiningOp<linalg::FillOp>()) {
      isFirst = select.getCondition();
      number = fill.getInputs()[0];
      tile = select.getFalseValue();
    }
  if (auto fill = tile.getDefiningOp<linalg::FillOp>(); fill && !number) {
    number = fill.getInputs()[0];
    tile = fill.getOutputs()[0];
  }

  rows = getPositions(schedule.m, schedule.mr);
  columns = getPositions(schedule.n, schedule.nr);
  findPrefetches();
  int64_t lanes = schedule.lanes, unroll = schedule.unroll;
  auto vectorType = VectorType::get({lanes}, elementType);
  Value none = arith::ConstantOp::create(b, b.getZeroAttr(vectorType));
  size_t count = rows.size() * columns.size();
  SmallVector<Value> sums(count * unroll, none);

  // Whole steps; then vectors, the last of which may be incomplete.
  unsigned lhs = schedule.lhs;
  unsigned depthAxis = maps[lhs].getNumResults() - 1;
  OpFoldResult depth =
      tensor::getMixedSize(b, b.getLoc(), op.getDpsInputs()[lhs], depthAxis);
  int64_t step = lanes * unroll;
  OpFoldResult whole = affine::makeComposedFoldedAffineApply(
      b, b.getLoc(), b.getAffineDimExpr(0).floorDiv(step) * step, {depth});
  auto toValue = [&](OpFoldResult value) {
    return getValueOrCreateConstantIndexOp(b, b.getLoc(), value);
  };
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value end = toValue(whole);
  sums = accumulate(zero, end, unroll, /*isWhole=*/true, sums);
  for (; unroll > 1; --unroll)
    for (size_t i = 0; i < count; ++i)
      sums[i] = add(sums[i], sums[(unroll - 1) * count + i]);
  sums.truncate(count);
  std::optional<int64_t> size = getConstantIntValue(depth);
  if (!size || *size % step != 0)
    sums = accumulate(end, toValue(depth), 1, /*isWhole=*/false, sums);

  // All starts are read before the first is written: a row may be there twice.
  SmallVector<Value> starts;
  for (Value row : rows) {
    Value start;
    if (!number || isFirst)
      start = readStart(row);
    if (number) {
      Value filled = number;
      if (schedule.n >= 0)
        filled = vector::BroadcastOp::create(
            b, VectorType::get({int64_t(columns.size())}, elementType), number);
      start =
          isFirst ? arith::SelectOp::create(b, isFirst, filled, start) : filled;
    }
    starts.push_back(start);
  }
  size_t rowsAtOnce = std::max<size_t>(lanes / columns.size(), 1);
  Value result = tile, chunk;
  for (auto [i, row] : llvm::enumerate(rows)) {
    size_t inChunk = i % rowsAtOnce;
    if (inChunk == 0)
      chunk = sumUp(ArrayRef(sums).slice(i * columns.size(),
                                         std::min(rowsAtOnce, rows.size() - i) *
                                             columns.size()));
    SmallVector<Value> indices = getIndices(2, row, zero, zero);
    if (schedule.n < 0) {
      Value sum = vector::ExtractOp::create(b, chunk, int64_t(0));
      result =
          tensor::InsertOp::create(b, add(starts[i], sum), result, indices);
      continue;
    }
    SmallVector<int64_t> part = llvm::to_vector(llvm::seq<int64_t>(
        inChunk * columns.size(), (inChunk + 1) * columns.size()));
    Value sum = shuffle(chunk, chunk, part);
    auto tileType = cast<RankedTensorType>(result.getType());
    bool isWhole = tileType.getShape().back() == int64_t(columns.size());
    result = vector::TransferWriteOp::create(b, add(starts[i], sum), result,
                                             indices, ArrayRef<bool>{isWhole})
                 .getResult();
  }
  return result;
}

/// Whether `op` is a tile as the schedule says.
static LogicalResult checkTile(linalg::LinalgOp op, const Schedule &schedule) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  Type element = getElementTypeOrSelf(op.getDpsInits()[0].getType());
  if (!isa<linalg::ContractOp>(op.getOperation()) || !isa<FloatType>(element) ||
      llvm::any_of(op.getDpsInputs(), [&](Value input) {
        return getElementTypeOrSelf(input.getType()) != element;
      }))
    return op.emitOpError("is not a sum of products of one type of floats, "
                          "which its schedule is for");
  auto isLast = [&](unsigned operand, int64_t dim) {
    return maps[operand].getNumResults() != 0 &&
           maps[operand].getResults().back() ==
               getAffineDimExpr(dim, op.getContext());
  };
  unsigned lhs = schedule.lhs;
  if (!isLast(0, schedule.k) || !isLast(1, schedule.k) ||
      maps[2].isFunctionOfDim(schedule.k) ||
      (schedule.n >= 0 &&
       (!isLast(2, schedule.n) || maps[lhs].isFunctionOfDim(schedule.n))) ||
      (schedule.m >= 0 && (!maps[2].isFunctionOfDim(schedule.m) ||
                           maps[1 - lhs].isFunctionOfDim(schedule.m))))
    return op.emitOpError("is not contiguous along the dims that its schedule "
                          "says");
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (int64_t dim = 0, e = ranges.size(); dim < e; ++dim) {
    int64_t most = dim == schedule.m   ? schedule.mr
                   : dim == schedule.n ? schedule.nr
                                       : 1;
    bool isDynamic = ShapedType::isDynamic(ranges[dim]);
    if (dim != schedule.k &&
        (isDynamic ? schedule.tile[dim] != most : ranges[dim] > most))
      return op.emitOpError("has dim d")
             << dim << " of more than " << most
             << ", which is its schedule's tile; run `ein-tile-contractions` "
             << "first";
  }
  return success();
}

LogicalResult vectorizeDot(RewriterBase &rewriter, linalg::LinalgOp op) {
  FailureOr<Schedule> schedule = Schedule::fromOp(op, op.getNumLoops());
  if (failed(schedule) || failed(checkTile(op, *schedule)))
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  rewriter.replaceOp(op, DotTile(rewriter, op, *schedule).create());
  return success();
}

} // namespace ein
