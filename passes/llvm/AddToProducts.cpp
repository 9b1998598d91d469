//===- AddToProducts.cpp - Sums with products of complex numbers ----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a product of complex numbers whose parts lie by turns is a product
// and a multiply-add that subtracts in even lanes and adds in odd ones. What is
// added to it is one instruction more, and units are what bounds such loops.
//
// Choice: where the sum may be in any order, what is added goes to the first
// product, which is a multiply-add as well then. Its lanes subtract and add as
// the other's do: even ones, which are subtracted, have the number with a
// minus. A sum that a loop carries stays, as it would wait for two
// instructions. LLVM does not see the inner lanes: it would take what is
// subtracted in even lanes and added in odd ones from where they come, and find
// no instruction for it.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "passes/llvm/Passes.h"
#include "passes/schedule/MachineAttrs.h"
#include "llvm/ADT/SetVector.h"

namespace ein {
#define GEN_PASS_DEF_ADDTOPRODUCTS
#include "passes/llvm/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

constexpr arith::FastMathFlags kContract = arith::FastMathFlags::contract;

/// first -+ second in lanes by turns, or +- if the even lanes are added.
struct Alternation {
  Value first, second;
  bool addsEven;
};

} // namespace

static bool isProduct(Value value) {
  auto product = value.getDefiningOp<arith::MulFOp>();
  return product && bitEnumContainsAny(product.getFastmath(), kContract);
}

/// Even lanes of the first vector and odd ones of the second.
static bool takesByTurns(vector::ShuffleOp op) {
  auto type = cast<VectorType>(op.getV1().getType());
  if (type.getRank() != 1 || type != op.getV2().getType() ||
      type != op.getType())
    return false;
  int64_t count = type.getDimSize(0);
  return llvm::all_of(llvm::enumerate(op.getMask()), [&](auto lane) {
    int64_t place = lane.index();
    return lane.value() == (place % 2 == 0 ? place : count + place);
  });
}

/// What `value` is the sums and differences of, if it is for nothing else, and
/// the second number is a product for nothing else.
static std::optional<Alternation> matchAlternation(Value value) {
  auto op = value.getDefiningOp<vector::ShuffleOp>();
  if (!op || !op->hasOneUse() || !takesByTurns(op))
    return std::nullopt;
  bool addsEven = bool(op.getV1().getDefiningOp<arith::AddFOp>());
  auto sum =
      (addsEven ? op.getV1() : op.getV2()).getDefiningOp<arith::AddFOp>();
  auto difference =
      (addsEven ? op.getV2() : op.getV1()).getDefiningOp<arith::SubFOp>();
  if (!sum || !difference || !sum->hasOneUse() || !difference->hasOneUse() ||
      sum.getLhs() != difference.getLhs() ||
      sum.getRhs() != difference.getRhs() || !isProduct(sum.getLhs()) ||
      !isProduct(sum.getRhs()) || !sum.getRhs().hasNUses(2))
    return std::nullopt;
  return Alternation{sum.getLhs(), sum.getRhs(), addsEven};
}

/// Whether a loop carries it, as the sum that others are added to.
static bool isCarried(Value value) {
  llvm::SetVector<Value> terms;
  terms.insert(value);
  for (size_t next = 0; next < terms.size(); ++next) {
    auto argument = dyn_cast<BlockArgument>(terms[next]);
    if (argument &&
        isa<LoopLikeOpInterface>(argument.getOwner()->getParentOp()))
      return true;
    if (auto sum = terms[next].getDefiningOp<arith::AddFOp>())
      terms.insert_range(sum->getOperands());
  }
  return false;
}

/// first -+ second, by turns.
static Value alternate(ImplicitLocOpBuilder &b, const Alternation &of) {
  Value sum = arith::AddFOp::create(b, of.first, of.second, kContract);
  Value difference = arith::SubFOp::create(b, of.first, of.second, kContract);
  int64_t count = cast<VectorType>(sum.getType()).getDimSize(0);
  SmallVector<int64_t> lanes;
  for (int64_t lane = 0; lane < count; ++lane)
    lanes.push_back(lane % 2 == 0 ? lane : count + lane);
  return of.addsEven ? vector::ShuffleOp::create(b, sum, difference, lanes)
                     : vector::ShuffleOp::create(b, difference, sum, lanes);
}

/// The same sum, with what is added to a product added to its second part.
static Value addToProduct(arith::AddFOp op) {
  for (bool isSwapped : {false, true}) {
    Value product = isSwapped ? op.getRhs() : op.getLhs();
    Value added = isSwapped ? op.getLhs() : op.getRhs();
    std::optional<Alternation> parts = matchAlternation(product);
    if (!parts || isCarried(added))
      continue;
    ImplicitLocOpBuilder b(op.getLoc(), op);
    Value second = alternate(b, {parts->second, added, parts->addsEven});
    second = LLVM::CallIntrinsicOp::create(
                 b, second.getType(), b.getStringAttr("llvm.arithmetic.fence"),
                 second)
                 ->getResult(0);
    return alternate(b, {parts->first, second, parts->addsEven});
  }
  return {};
}

namespace {
struct AddToProductsPass : impl::AddToProductsBase<AddToProductsPass> {
  void runOnOperation() override {
    VectorInstructions instructions = getInstructions(getOperation());
    // x86's multiply-adds that subtract and add by turns.
    if (!instructions.fma || !instructions.lookUps)
      return;
    SmallVector<arith::AddFOp> sums;
    getOperation().walk([&](arith::AddFOp op) {
      constexpr arith::FastMathFlags kAnyOrder = arith::FastMathFlags::reassoc;
      if (isa<VectorType>(op.getType()) &&
          bitEnumContainsAll(op.getFastmath(), kAnyOrder | kContract))
        sums.push_back(op);
    });
    for (arith::AddFOp op : sums)
      if (Value sum = addToProduct(op)) {
        op.replaceAllUsesWith(sum);
        op.erase();
      }
  }
};
} // namespace

} // namespace ein
