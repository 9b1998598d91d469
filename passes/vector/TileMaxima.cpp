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
  if (!isPlain)
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
  auto choice = scf::IfOp::create(b, ValueRange(maxima).getTypes(),
                                  getIeeeMinMax().areDoubtful(maxima, all),
                                  /*withElseRegion=*/true);
  choice->setAttr(EinDialect::kUnlikelyAttr, b.getUnitAttr());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  {
    llvm::SaveAndRestore rolled(isRolled, true);
    scf::YieldOp::create(b, sumUp(getStart));
  }
  b.setInsertionPointToStart(choice.elseBlock());
  scf::YieldOp::create(b, maxima);
  return Values(choice.getResults());
}

} // namespace ein
