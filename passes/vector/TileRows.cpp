//===- TileRows.cpp - Vectors along a sum -------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each element of a tile is a few vectors of partial results, which start from
// what changes nothing; behind the loops over sums they are combined, across
// their lanes as well, and with what the result starts from. So NaN and zeros
// are treated as the scalar op treats them, and lanes behind the end of a row
// are left out by a select, which is no part of what is reduced. Of sums of
// products, operands have zeros there.
//
// Combined one by one, accumulators take two instructions for each halving. Two
// of them at once share these: the halves of both are put beside each other,
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

#include "ir/EinDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/analysis/Combiner.h"
#include "passes/analysis/ComplexVectors.h"
#include "passes/vector/TileVectorizer.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace ein {

//===----------------------------------------------------------------------===//
// Prefetches
//===----------------------------------------------------------------------===//

/// What this pass over the side that is read again prefetches of the next tile
/// of the streamed side: the memory of this one, and positions behind it.
void TileVectorizer::findPrefetches() {
  if (schedule.kind != Schedule::Dot || schedule.prefetch == 0 ||
      schedule.n < 0)
    return;
  // The loop over the side that is not streamed is the inner one.
  bool areRowsInside = schedule.m < 0 || schedule.interchange.empty() ||
                       schedule.interchange.back() == schedule.m;
  unsigned streamed = areRowsInside ? 1 - schedule.lhs : schedule.lhs;
  int64_t width = areRowsInside ? schedule.nr : schedule.mr;
  int64_t innerWidth = areRowsInside ? schedule.mr : schedule.nr;
  int64_t innerDim = areRowsInside ? schedule.m : schedule.n;
  prefetchedDim = areRowsInside ? schedule.n : schedule.m;

  // Which pass this is, the slice says that it reads.
  OpOperand *other = op.getDpsInputOperand(1 - streamed);
  OpFoldResult offset = b.getIndexAttr(0);
  auto slice = other->get().getDefiningOp<tensor::ExtractSliceOp>();
  if (slice && innerDim >= 0 && slice.getDroppedDims().none())
    offset = slice.getMixedOffsets()[*op.getMatchingIndexingMap(other)
                                          .getResultPosition(
                                              b.getAffineDimExpr(innerDim))];
  AffineExpr first =
      b.getAffineDimExpr(0).floorDiv(innerWidth) * schedule.prefetch + width;
  int64_t most = 2 * width - schedule.prefetch;
  OpFoldResult begin = affine::makeComposedFoldedAffineMin(
      b, b.getLoc(),
      AffineMap::get(1, 0, {first, b.getAffineConstantExpr(most)},
                     b.getContext()),
      {offset});
  Value place = toValue(begin);
  for (int64_t i = 0; i < schedule.prefetch; ++i)
    prefetchedRows.push_back({place, i});

  prefetched = getOperand(*op.getDpsInputOperand(streamed));
  auto type = cast<RankedTensorType>(prefetched.source.getType());
  SmallVector<int64_t> dynamic(type.getRank(), ShapedType::kDynamic);
  auto layout =
      StridedLayoutAttr::get(b.getContext(), ShapedType::kDynamic, dynamic);
  prefetched.source = bufferization::ToBufferOp::create(
      b, MemRefType::get(type.getShape(), type.getElementType(), layout),
      prefetched.source,
      /*read_only=*/true);
}

void TileVectorizer::prefetchRows() {
  constexpr uint32_t kToL2 = 2;
  SmallVector<int64_t> digits(places.size(), 0);
  for (Place place : prefetchedRows) {
    llvm::SaveAndRestore row(places[prefetchedDim], SmallVector<Place>{place});
    memref::PrefetchOp::create(b, prefetched.source,
                               getIndices(prefetched, digits, 0),
                               /*isWrite=*/false, kToL2, /*isDataCache=*/true);
  }
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// The sums of all rows after the steps of `part`; if `isKnown`, what each
/// state names is all that is left to gather.
TileVectorizer::Values TileVectorizer::addSteps(const Part &part,
                                                ValueRange sums, bool isKnown) {
  size_t width = getWidth();
  int64_t numRows = getNumRows();
  // Single elements have a sum of their own. One accumulator may take several
  // vectors at a time.
  int64_t first = part.lanes > 1 ? 0 : accumulators;
  int64_t count = std::min(part.count, accumulators);
  scf::ForOp loop;
  Values after = createLoop(
      part.range, part.getStep(), sums,
      [&](Value at, ValueRange carried) {
        Values next(carried);
        setPlaces(vectorDim, part, at);
        if (!part.isMasked)
          prefetchRows();
        Known known(inputs.size());
        for (int64_t i = 0; i < count; ++i)
          for (int64_t row = 0; row < numRows; ++row) {
            size_t place = (row * getSumsOfRow() + first + i) * width;
            auto sum = MutableArrayRef(next).slice(place, width);
            SmallVector<int64_t> digits = getDigits(row);
            IRMapping values = readInputs(digits, i, known);
            if (part.count == count) {
              llvm::copy(add(sum, values, isMasked(i) ? mask : Value()),
                         sum.begin());
              continue;
            }
            Value value = computeBody(values, Value());
            IRMapping others = readInputs(digits, count + i, known);
            Value other = computeBody(others, Value());
            IeeeMinMax gather = getIeeeMinMax();
            if (isPlain)
              llvm::copy(addPlain(sum, {value, other}), sum.begin());
            else
              llvm::copy(isKnown ? gather.addKnown(sum, value, other)
                                 : gather.add(sum, value, other),
                         sum.begin());
          }
        return next;
      },
      &loop);
  if (loop && schedule.kind == Schedule::Reduce && schedule.prefetch != 0 &&
      !part.isMasked && !isRolled)
    loop->setAttr(EinDialect::kNextRowAttr, b.getUnitAttr());
  return after;
}

/// The sums of all rows after a part of them.
TileVectorizer::Values TileVectorizer::addPart(const Part &part,
                                               ValueRange sums) {
  if (!part.mayBeKnown)
    return addSteps(part, sums, /*isKnown=*/false);
  SmallVector<IeeeMinMax::State> states;
  for (int64_t row = 0, e = getNumRows(); row < e; ++row)
    for (int64_t i = 0; i < accumulators; ++i) {
      ValueRange state =
          sums.slice((row * getSumsOfRow() + i) * getWidth(), getWidth());
      states.emplace_back(state.begin(), state.end());
    }
  auto choice =
      scf::IfOp::create(b, sums.getTypes(), getIeeeMinMax().isKnown(states),
                        /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  for (bool isKnown : {true, false}) {
    b.setInsertionPointToStart(isKnown ? choice.thenBlock()
                                       : choice.elseBlock());
    scf::YieldOp::create(b, addSteps(part, sums, isKnown));
  }
  return Values(choice.getResults());
}

/// The combined lanes of each vector, in the first lanes of one; of complex
/// numbers, one vector's.
Value TileVectorizer::addAcross(ArrayRef<Value> accumulators) {
  // Each vector has `groups` groups of `parts` lanes, the partial results of
  // one accumulator each.
  Values vectors(accumulators);
  int64_t groups = 1,
          parts = cast<VectorType>(vectors[0].getType()).getDimSize(0);
  int64_t last = isa<ComplexType>(element) ? 2 : 1;
  auto shuffle = [&](Value first, Value second, ArrayRef<int64_t> lanes) {
    return vector::ShuffleOp::create(b, first, second, lanes);
  };
  while (parts > last) {
    // The lanes of one half of each group, of two vectors or of one.
    auto getHalf = [&](bool isSecond, unsigned count) {
      SmallVector<int64_t> lanes;
      for (int64_t group = 0; group < groups * count; ++group)
        for (int64_t part = 0; part < parts / 2; ++part)
          lanes.push_back(group * parts + part + (isSecond ? parts / 2 : 0));
      return lanes;
    };
    Values next;
    bool isAlone = vectors.size() == 1;
    for (size_t i = 0; i < vectors.size(); i += 2) {
      // The last of an odd number is its own partner.
      Value first = vectors[i];
      Value second = i + 1 < vectors.size() ? vectors[i + 1] : first;
      unsigned count = isAlone ? 1 : 2;
      Value low = shuffle(first, second, getHalf(false, count));
      Value high = shuffle(first, second, getHalf(true, count));
      next.push_back(combine(low, high));
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

/// How many rows that follow each other are neighbours in the result, and are
/// written as one vector.
int64_t TileVectorizer::getRowsTogether() {
  if (rowDims.empty() || output.subscripts.empty() || products ||
      isIeeeMinMax || isa<ComplexType>(element))
    return 1;
  bool areNeighbours =
      output.subscripts.back().coefficients[rowDims.back()] != 0;
  return areNeighbours ? int64_t(places[rowDims.back()].size()) : 1;
}

/// Whether some of these may be there several times.
bool TileVectorizer::isClampedTogether() {
  ArrayRef<Place> rows = places[rowDims.back()];
  return rows.back().base != rows.front().base;
}

/// What the rows, or those written as one vector, are before the sums.
TileVectorizer::Values TileVectorizer::getStarts(Value tensor) {
  int64_t together = getRowsTogether();
  auto type = VectorType::get({together}, element);
  output.source = tensor;
  Values starts;
  // All are read before one is written: a row may be there twice.
  for (int64_t row = 0, e = getNumRows(); row < e; row += together) {
    Value start;
    if (!number || isFirst) {
      SmallVector<int64_t> digits = getDigits(row);
      Value padding =
          together == 1 ? Value()
                        : arith::ConstantOp::create(b, b.getZeroAttr(element));
      start = together == 1
                  ? read(output, digits, 0)
                  : vector::TransferReadOp::create(
                        b, type, tensor, getIndices(output, digits, 0), padding,
                        ArrayRef<bool>{!isClampedTogether()});
    }
    if (number) {
      Value filled =
          together == 1 ? number : vector::BroadcastOp::create(b, type, number);
      start =
          isFirst ? arith::SelectOp::create(b, isFirst, filled, start) : filled;
    }
    starts.push_back(start);
  }
  return starts;
}

/// What the rows' sums are, each or those written as one vector; of plain
/// maxima, also whether one of them may be wrong.
TileVectorizer::Values TileVectorizer::finishRows(Values sums,
                                                  Value *areDoubtful) {
  size_t width = getWidth(), ofRow = getSumsOfRow() * width;
  int64_t numRows = getNumRows(), together = getRowsTogether();
  bool hasSingles = getSumsOfRow() > accumulators;
  bool isInVectors =
      !products && !isIeeeMinMax && !isa<ComplexType>(element) && !hasSingles;
  Values totals;
  for (int64_t row = 0; row < numRows; ++row) {
    auto own = MutableArrayRef(sums).slice(row * ofRow, ofRow);
    Value rest;
    if (hasSingles && !isPlain) {
      ArrayRef<Value> last = own.take_back(width);
      rest = products ? products->finish(b, last)
                      : extractFirst(b, finish(last), element);
    }
    // In pairs, from both ends.
    for (int64_t count = accumulators; count > 1; count = (count + 1) / 2)
      for (int64_t i = 0; i < count / 2; ++i) {
        auto sum = own.slice(i * width, width);
        ArrayRef<Value> other = own.slice((count - 1 - i) * width, width);
        llvm::copy(join(sum, other), sum.begin());
      }
    ArrayRef<Value> first = own.take_front(width);
    if (isPlain) {
      Value isDoubtful;
      totals.push_back(finishPlain(
          first, hasSingles ? own.take_back(width) : ArrayRef<Value>(),
          isDoubtful));
      *areDoubtful =
          *areDoubtful
              ? arith::OrIOp::create(b, *areDoubtful, isDoubtful).getResult()
              : isDoubtful;
      continue;
    }
    if (isInVectors) {
      totals.push_back(finish(first));
      continue;
    }
    Value total = products ? products->finish(b, first)
                  : isIeeeMinMax
                      ? getIeeeMinMax().finishAcross(first)
                      : extractFirst(b, addAcross(finish(first)), element);
    totals.push_back(rest ? combine(total, rest) : total);
  }
  Values results;
  auto type = VectorType::get({together}, element);
  int64_t atOnce = std::max<int64_t>(getSumLanes() / together, 1) * together;
  Value chunk;
  for (int64_t row = 0; row < numRows; row += together) {
    if (!isInVectors) {
      results.push_back(
          together == 1 ? totals[row]
                        : vector::FromElementsOp::create(
                              b, type, ArrayRef(totals).slice(row, together)));
      continue;
    }
    int64_t inChunk = row % atOnce;
    if (inChunk == 0)
      chunk = addAcross(
          ArrayRef(totals).slice(row, std::min(atOnce, numRows - row)));
    auto lanes =
        llvm::to_vector(llvm::seq<int64_t>(inChunk, inChunk + together));
    results.push_back(
        together == 1
            ? vector::ExtractOp::create(b, chunk, inChunk).getResult()
            : vector::ShuffleOp::create(b, chunk, chunk, lanes).getResult());
  }
  return results;
}

/// The results of rows, combined with what they start from.
Value TileVectorizer::writeTotals(Value tensor, ValueRange totals,
                                  ValueRange starts) {
  int64_t together = getRowsTogether();
  for (auto [i, total] : llvm::enumerate(totals)) {
    Values indices = getIndices(output, getDigits(i * together), 0);
    Value result = combine(starts[i], total);
    if (together == 1)
      tensor = tensor::InsertOp::create(b, result, tensor, indices);
    else
      tensor =
          vector::TransferWriteOp::create(b, result, tensor, indices,
                                          ArrayRef<bool>{!isClampedTogether()})
              .getResult();
  }
  return tensor;
}

Value TileVectorizer::createRows(Value tensor) {
  findPrefetches();
  Value neutral =
      schedule.kind == Schedule::Dot
          ? arith::ConstantOp::create(b, b.getZeroAttr(element)).getResult()
          : createNeutral(b, combiner);
  auto startSum = [&](int64_t count) {
    return products ? Values(products->start(b, count))
                    : start(createSplat(b, neutral, count));
  };
  auto sumRows = [&] {
    Values sums;
    for (int64_t row = 0, e = getNumRows(); row < e; ++row)
      for (int64_t i = 0; i < getSumsOfRow(); ++i)
        llvm::append_range(sums,
                           startSum(i < accumulators ? getSumLanes() : 1));
    return accumulate(0, sums, [&](ValueRange before) {
      Values values(before);
      for (const Part &part : getSumParts())
        values = addPart(part, values);
      return values;
    });
  };
  if (!areMaximaPlain()) {
    Values sums = sumRows();
    // What memory has, it may bring while the sums are combined.
    Values starts = getStarts(tensor);
    return writeTotals(tensor, finishRows(sums), starts);
  }
  Values starts, totals;
  Value areDoubtful;
  {
    llvm::SaveAndRestore plain(isPlain, true);
    Values sums = sumRows();
    starts = getStarts(tensor);
    totals = finishRows(sums, &areDoubtful);
  }
  totals =
      takeExactly(totals, areDoubtful, [&] { return finishRows(sumRows()); });
  return writeTotals(tensor, totals, starts);
}

} // namespace ein
