//===- ReduceRows.cpp - Reductions along rows -----------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/analysis/Combiner.h"
#include "passes/analysis/ComplexVectors.h"
#include "passes/analysis/VectorBody.h"
#include "passes/vector/FindFirst.h"
#include "passes/vector/ReductionVectorizer.h"

using namespace mlir;

namespace ein {

/// The combiner on other values, vectors or numbers.
Value ReductionVectorizer::combine(Value first, Value second) {
  if (isa<VectorType>(first.getType()) && isa<ComplexType>(element))
    return combineInPairs(b, combiner, first, second);
  return b
      .create(b.getLoc(), combiner->getName().getIdentifier(),
              ValueRange{first, second}, TypeRange(first.getType()),
              combiner->getAttrs())
      ->getResult(0);
}

/// All lanes of a vector as one number.
Value ReductionVectorizer::addAcross(Value vector) {
  int64_t count = cast<VectorType>(vector.getType()).getDimSize(0);
  int64_t last = isa<ComplexType>(element) ? 2 : 1;
  for (; count > last; count /= 2) {
    auto low = llvm::to_vector(llvm::seq<int64_t>(0, count / 2));
    auto high = llvm::to_vector(llvm::seq<int64_t>(count / 2, count));
    Value first = vector::ShuffleOp::create(b, vector, vector, low);
    Value second = vector::ShuffleOp::create(b, vector, vector, high);
    vector = combine(first, second);
  }
  return extractFirst(b, vector, element);
}

ReductionVectorizer::Values ReductionVectorizer::join(ValueRange first,
                                                      ValueRange second) {
  if (products)
    return products->join(b, first, second);
  return schedule.ieeeMinMax ? Values(getIeeeMinMax().join(first, second))
                             : Values{combine(first[0], second[0])};
}

/// The partial results of a row after a part of it.
ReductionVectorizer::Values ReductionVectorizer::createRowPart(const Part &part,
                                                               Values values) {
  size_t width = getWidth();
  size_t first = part.lanes > 1 ? 0 : schedule.unroll;
  // One accumulator takes several vectors at a time.
  int64_t count = std::min(part.count, schedule.unroll);
  auto createPart = [&](bool isKnown) -> Values {
    Values after = createLoop(
        part.range, part.count * part.lanes, values,
        [&](Value at, ValueRange carried) -> Values {
          Values next = Values(carried);
          Value mask = createMask(part, at);
          auto getPlace = [&](int64_t i) {
            return apply(b.getAffineDimExpr(0) + i * lanes,
                         {getAsOpFoldResult(at)});
          };
          for (int64_t i = 0; i < count; ++i) {
            auto sum = MutableArrayRef(next).slice((first + i) * width, width);
            if (part.count > count) {
              Value value = computeBody(Value(), getPlace(i), lanes, {});
              Value other =
                  computeBody(Value(), getPlace(count + i), lanes, {});
              llvm::copy(
                  isKnown ? Values(getIeeeMinMax().addKnown(sum, value, other))
                          : addPair(sum, value, other),
                  sum.begin());
              continue;
            }
            llvm::copy(computeBody(sum, getPlace(i), part, mask,
                                   /*leavesOut=*/true),
                       sum.begin());
          }
          return next;
        });
    // None, or straight code, of what is short.
    auto loop = after.front().getDefiningOp<scf::ForOp>();
    if (schedule.prefetch != 0 && loop && !part.isMasked)
      loop->setAttr(EinDialect::kNextRowAttr, b.getUnitAttr());
    return after;
  };
  if (!part.mayBeKnown)
    return createPart(/*isKnown=*/false);
  SmallVector<IeeeMinMax::State> states;
  for (int64_t i = 0; i < count; ++i)
    states.emplace_back(ArrayRef(values).slice(i * width, width));
  auto choice = scf::IfOp::create(b, ValueRange(values).getTypes(),
                                  getIeeeMinMax().isKnown(states),
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  for (bool isKnown : {true, false}) {
    b.setInsertionPointToStart(isKnown ? choice.thenBlock()
                                       : choice.elseBlock());
    scf::YieldOp::create(b, createPart(isKnown));
  }
  return Values(choice.getResults());
}

Value ReductionVectorizer::createRow(Value tensor) {
  Value neutral = createNeutral(b, combiner);
  auto startRow = [&](int64_t count) {
    return products ? products->start(b, count)
                    : start(createSplat(b, neutral, count));
  };
  // One more for the rest, if that is by single elements.
  size_t width = getWidth();
  Values sums;
  for (int64_t i = 0; i < schedule.unroll; ++i)
    llvm::append_range(sums, startRow(getSumLanes()));
  if (!schedule.masked)
    llvm::append_range(sums, startRow(1));
  sums = accumulate(0, sums, [&](ValueRange before) {
    Values values = Values(before);
    for (const Part &part : getParts())
      values = createRowPart(part, values);
    return values;
  });
  Value rest;
  if (!schedule.masked) {
    ValueRange last = ValueRange(sums).take_back(width);
    rest = products ? products->finish(b, last)
                    : extractFirst(b, finish(last), element);
    sums.truncate(sums.size() - width);
  }
  // In pairs, from both ends.
  for (size_t count = schedule.unroll; count > 1; count = (count + 1) / 2)
    for (size_t i = 0; i < count / 2; ++i) {
      auto sum = MutableArrayRef(sums).slice(i * width, width);
      auto other = ArrayRef(sums).slice((count - 1 - i) * width, width);
      llvm::copy(join(sum, other), sum.begin());
    }
  ValueRange first = ValueRange(sums).take_front(width);
  Value total = products              ? products->finish(b, first)
                : schedule.ieeeMinMax ? getIeeeMinMax().finishAcross(first)
                                      : addAcross(sums[0]);
  if (rest)
    total = combine(total, rest);
  return insertTotal(tensor, total);
}

/// The result of a row, combined with what it started from.
Value ReductionVectorizer::insertTotal(Value tensor, Value total) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  Values indices = getIndices(map, {});
  Value start = number ? number : tensor::ExtractOp::create(b, tensor, indices);
  return tensor::InsertOp::create(b, combine(start, total), tensor, indices);
}

/// A number that is the same for all of a row; null if `value` is not.
Value ReductionVectorizer::getOfRow(Value value) {
  IRMapping numbers;
  SmallVector<Operation *> needed = getNeeded(op, value);
  if (llvm::any_of(needed, llvm::IsaPred<linalg::IndexOp>))
    return {};
  for (OpOperand *input : op.getDpsInputOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(input);
    AffineMap map = op.getMatchingIndexingMap(input);
    if (llvm::none_of(argument.getUsers(), [&](Operation *user) {
          return llvm::is_contained(needed, user);
        }))
      continue;
    if (map.isFunctionOfDim(vectorDim))
      return {};
    bool isTensor = isa<RankedTensorType>(input->get().getType());
    numbers.map(argument, isTensor ? tensor::ExtractOp::create(
                                         b, input->get(), getIndices(map, {}))
                                         .getResult()
                                   : input->get());
  }
  for (Operation *inner : needed)
    b.clone(*inner, numbers);
  return numbers.lookupOrDefault(value);
}

/// Where in a row `condition` holds first; the row's end if nowhere. Of two
/// conditions a row has one, for which it is asked once.
Value ReductionVectorizer::createSearchFor(Value condition) {
  if (auto choice = condition.getDefiningOp<arith::SelectOp>())
    if (Value isFirst = getOfRow(choice.getCondition())) {
      auto found = scf::IfOp::create(b, TypeRange(b.getIndexType()), isFirst,
                                     /*withElseRegion=*/true);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(found.thenBlock());
      scf::YieldOp::create(b, createSearchFor(choice.getTrueValue()));
      b.setInsertionPointToStart(found.elseBlock());
      scf::YieldOp::create(b, createSearchFor(choice.getFalseValue()));
      return found.getResult(0);
    }
  return createFindFirst(
      b, toValue(ranges[vectorDim].begin), toValue(ranges[vectorDim].end),
      lanes, schedule.unroll, schedule.masked,
      [&](Value at, int64_t count, Value mask) {
        return createVectorValues(b, op, readInputs(at, count, mask), count,
                                  condition)[0];
      });
}

/// The least of what the rows of all outer sums find first.
Value ReductionVectorizer::createSearch(Value tensor, const Search &search) {
  Value none = b.clone(*search.none.getDefiningOp())->getResult(0);
  Values found = accumulate(0, none, [&](ValueRange before) -> Values {
    Value end = toValue(ranges[vectorDim].end);
    Value first = createSearchFor(search.condition);
    IRMapping numbers;
    for (Operation *inner : getNeeded(op, search.index)) {
      if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
        int64_t dim = index.getDim();
        numbers.map(index.getResult(), dim == vectorDim ? first : places[dim]);
      } else {
        b.clone(*inner, numbers);
      }
    }
    Value isThere =
        arith::CmpIOp::create(b, arith::CmpIPredicate::slt, first, end);
    Value index = arith::SelectOp::create(
        b, isThere, numbers.lookupOrDefault(search.index), none);
    return {combine(before[0], index)};
  });
  return insertTotal(tensor, found[0]);
}

} // namespace ein
