//===- TileMaxima.cpp - Maxima that are seldom wrong ----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: beside each maximum, NaN and the signs of zeros take two
// instructions, which what ignores them does not have.
//
// Choice: a tile takes what comparisons say, and a witness of all its elements
// (passes/analysis/IeeeMinMax.h). Should that tell of a NaN, or a maximum be
// -0, then the tile is computed once more: exactly, by loops, as that is rare.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "passes/analysis/ComplexVectors.h"
#include "passes/vector/TileVectorizer.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace ein {

/// Of so many elements at most a witness is one chain of multiply-adds: others
/// are under way meanwhile.
static constexpr size_t kElementsOfChain = 8;

/// What a plain maximum starts from: nothing, if its first element is what it
/// is then.
Value TileVectorizer::getPlainStart(Value start) {
  llvm::APFloat constant(0.0);
  auto splat = start.getDefiningOp<vector::BroadcastOp>();
  if (!matchPattern(splat ? splat.getSource() : start,
                    m_ConstantFloat(&constant)) ||
      constant.isNaN()) {
    witness(start);
    return start;
  }
  bool isNeutral = constant.isInfinity() && constant.isNegative();
  return isNeutral && areSumsStraight() ? Value() : start;
}

/// Takes an element into a witness, with the one before it: neither is needed
/// any more then.
void TileVectorizer::witness(Value value) {
  if (!seen.insert(value).second)
    return;
  unpaired.push_back(value);
  if (unpaired.size() == 2)
    addUnpaired();
}

void TileVectorizer::addUnpaired() {
  if (seen.size() - chainBegin > kElementsOfChain || witnesses.empty()) {
    witnesses.push_back(Value());
    chainBegin = seen.size() - unpaired.size();
  }
  witnesses.back() = getIeeeMinMax().addToWitness(witnesses.back(), unpaired);
  unpaired.clear();
}

/// What tells of NaN among all that has been seen since the last ones.
TileVectorizer::Values TileVectorizer::takeWitnesses() {
  if (!unpaired.empty())
    addUnpaired();
  seen.clear();
  return std::exchange(witnesses, {});
}

/// Adds what has been seen to the witness that a loop carries behind its sums.
void TileVectorizer::keepWitness(Values &sums) {
  if (!isPlain || isAcross)
    return;
  Value &carried = sums.back();
  // A sum with 1 is no subnormal number, which some machines are slow with.
  if (!carried)
    carried =
        createSplat(b, arith::ConstantOp::create(b, b.getFloatAttr(element, 1)),
                    columns.lanes);
  for (Value more : takeWitnesses())
    carried = getIeeeMinMax().addToWitness(carried, more);
}

/// The tile's maxima, as IEEE 754 has them.
TileVectorizer::Values TileVectorizer::takeMaxima(StartOf getStart) {
  Values maxima, all;
  {
    llvm::SaveAndRestore plain(isPlain, true);
    maxima = sumUp(getStart);
    all = takeWitnesses();
  }
  return takeExactly(maxima, getIeeeMinMax().areDoubtful(maxima, all),
                     [&] { return sumUp(getStart); });
}

/// What `create` makes if `plain` may be wrong.
TileVectorizer::Values
TileVectorizer::takeExactly(ValueRange plain, Value areDoubtful,
                            function_ref<Values()> create) {
  auto choice = scf::IfOp::create(b, plain.getTypes(), areDoubtful,
                                  /*withElseRegion=*/true);
  choice->setAttr(EinDialect::kUnlikelyAttr, b.getUnitAttr());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  {
    llvm::SaveAndRestore rolled(isRolled, true);
    scf::YieldOp::create(b, create());
  }
  b.setInsertionPointToStart(choice.elseBlock());
  scf::YieldOp::create(b, plain);
  return Values(choice.getResults());
}

//===----------------------------------------------------------------------===//
// Along a sum
//===----------------------------------------------------------------------===//

/// Whether the op's maxima are to be plain at first.
bool TileVectorizer::areMaximaPlain() { return isIeeeMinMax && hasWitness(op); }

TileVectorizer::Values TileVectorizer::startPlain(Value value) {
  if (!isAcross)
    return {value};
  // A sum with 1 is no subnormal number.
  Value one = arith::ConstantOp::create(b, b.getFloatAttr(element, 1));
  return {value,
          vector::BroadcastOp::create(b, value.getType(), one).getResult()};
}

TileVectorizer::Values TileVectorizer::joinPlain(ValueRange first,
                                                 ValueRange second) {
  // There may be no element yet.
  if (!first[0])
    return {second[0]};
  Values joined = {getIeeeMinMax().compare(first[0], second[0])};
  if (isAcross)
    joined.push_back(getIeeeMinMax().addToWitness(first[1], second[1]));
  return joined;
}

/// A maximum and its witness with one or two vectors more: it waits for one
/// comparison.
TileVectorizer::Values TileVectorizer::addPlain(ValueRange sum,
                                                ArrayRef<Value> values) {
  IeeeMinMax gather = getIeeeMinMax();
  Value most = values.front();
  for (Value other : values.drop_front())
    most = gather.compare(most, other);
  return {gather.compare(most, sum[0]), gather.addToWitness(sum[1], values)};
}

/// The maximum of a row, with what single elements have gathered if there are
/// some; and whether it may be wrong.
Value TileVectorizer::finishPlain(ValueRange sum, ValueRange singles,
                                  Value &isDoubtful) {
  IeeeMinMax gather = getIeeeMinMax();
  Value total = gather.compareAcross(sum[0]);
  Values all = {sum[1]};
  if (!singles.empty()) {
    total = gather.compare(total, gather.compareAcross(singles[0]));
    all.push_back(singles[1]);
  }
  isDoubtful = gather.isDoubtful(total, all);
  return total;
}

} // namespace ein
