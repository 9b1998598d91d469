//===- TileSearch.cpp - Where in a row a condition holds ----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/analysis/VectorBody.h"
#include "passes/vector/FindFirst.h"
#include "passes/vector/TileVectorizer.h"

using namespace mlir;

namespace ein {

/// A number that is the same for all of a row; null if `value` is not.
Value TileVectorizer::getOfRow(Value value) {
  IRMapping numbers;
  SmallVector<Operation *> needed = getNeeded(op, value);
  if (llvm::any_of(needed, llvm::IsaPred<linalg::IndexOp>))
    return {};
  for (const Operand &input : inputs) {
    if (llvm::none_of(input.argument.getUsers(), [&](Operation *user) {
          return llvm::is_contained(needed, user);
        }))
      continue;
    if (input.step != 0)
      return {};
    numbers.map(input.argument, read(input, getDigits(0), 0));
  }
  for (Operation *inner : needed)
    b.clone(*inner, numbers);
  return numbers.lookupOrDefault(value);
}

/// Where in a row `condition` holds first; the row's end if nowhere. Of two
/// conditions a row has one, for which it is asked once.
Value TileVectorizer::createSearchFor(Value condition) {
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
      [&](Value at, int64_t count, Value there) {
        places[vectorDim] = {{at, 0}};
        columns = {{}, /*count=*/1, count};
        columns.isMasked = bool(there);
        mask = there;
        return createVectorValues(b, op, readInputs(getDigits(0), 0), count,
                                  condition)[0];
      });
}

/// The least of what the rows of all outer sums find first.
Value TileVectorizer::createSearch(Value tensor, const Search &search) {
  Value none = b.clone(*search.none.getDefiningOp())->getResult(0);
  Values found = accumulate(0, none, [&](ValueRange before) -> Values {
    Value end = toValue(ranges[vectorDim].end);
    Value first = createSearchFor(search.condition);
    IRMapping numbers;
    for (Operation *inner : getNeeded(op, search.index)) {
      if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
        int64_t dim = index.getDim();
        numbers.map(index.getResult(),
                    dim == vectorDim ? first
                                     : toValue(getIndex(places[dim].front())));
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
  return writeTotals(tensor, found[0], getStarts(tensor));
}

} // namespace ein
