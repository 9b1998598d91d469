//===- KeepHalvesApart.cpp - bf16 in f32, even and odd ones apart ---------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a number of bf16 is the upper half of one of f32. In the numbers'
// order, x86 takes two instructions to extend a register of them: one puts each
// beside 16 bits of nothing, across the register, and one shifts it to its
// place. As many take two registers of f32 to be one of bf16 again.
//
// Choice: what is between is of single elements, for which any order will do.
// As a word of 32 bits has two numbers, one shift and one mask make registers
// of the even and of the odd ones, which one instruction puts together again.
// So vectors between have a register of the one, and a register of the other,
// by turns. That is done where all that comes in is bf16, or the same for all
// lanes, and all that leaves is rounded to bf16.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "passes/llvm/ElementwiseWeb.h"
#include "passes/llvm/Passes.h"
#include "passes/llvm/math/HalfOrder.h"
#include "passes/schedule/MachineAttrs.h"

namespace ein {
#define GEN_PASS_DEF_KEEPHALVESAPART
#include "passes/llvm/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

static bool isVectorOf(Type type, bool (Type::*isElement)() const) {
  auto vector = dyn_cast<VectorType>(type);
  return vector && vector.getRank() == 1 && !vector.isScalable() &&
         (vector.getElementType().*isElement)();
}

static bool extends(Operation *op) {
  auto extension = dyn_cast<arith::ExtFOp>(op);
  return extension && isVectorOf(extension.getIn().getType(), &Type::isBF16) &&
         isVectorOf(extension.getType(), &Type::isF32);
}

static bool rounds(Operation *op) {
  auto rounding = dyn_cast<arith::TruncFOp>(op);
  return rounding && isVectorOf(rounding.getIn().getType(), &Type::isF32) &&
         isVectorOf(rounding.getType(), &Type::isBF16);
}

/// Whether nothing else comes in or leaves.
static bool isOfHalves(const ElementwiseWeb &web) {
  return web.getSources().empty() &&
         llvm::none_of(web.getValues(),
                       [&](Value value) { return web.isUsedOutside(value); });
}

/// The even and the odd numbers, by registers.
static Value takeApart(ImplicitLocOpBuilder &b, Value halves, int64_t lanes) {
  constexpr int64_t kHalfBits = 16;
  auto type = cast<VectorType>(halves.getType());
  int64_t pairs = type.getDimSize(0) / 2;
  auto words = VectorType::get({pairs}, b.getI32Type());
  auto floats = VectorType::get({pairs}, b.getF32Type());
  auto getSplat = [&](int64_t number) -> Value {
    return arith::ConstantOp::create(
        b, DenseElementsAttr::get(words, b.getI32IntegerAttr(int32_t(number))));
  };
  Value word = vector::BitCastOp::create(b, words, halves);
  Value even = arith::ShLIOp::create(b, word, getSplat(kHalfBits));
  Value odd = arith::AndIOp::create(b, word, getSplat(-(1 << kHalfBits)));
  return vector::ShuffleOp::create(
      b, arith::BitcastOp::create(b, floats, even),
      arith::BitcastOp::create(b, floats, odd),
      llvm::map_to_vector(
          getHalvesApart(2 * pairs, lanes),
          [&](int64_t number) { return number / 2 + number % 2 * pairs; }));
}

static void change(const ElementwiseWeb &web, int64_t lanes) {
  for (Operation *op : web.getOps()) {
    ImplicitLocOpBuilder b(op->getLoc(), op);
    if (extends(op)) {
      op->getResult(0).replaceAllUsesWith(
          takeApart(b, op->getOperand(0), lanes));
      op->erase();
    } else if (rounds(op)) {
      b.setInsertionPointAfter(op);
      Value apart = op->getResult(0);
      int64_t count = cast<VectorType>(apart.getType()).getDimSize(0);
      Value ordered = vector::ShuffleOp::create(
          b, apart, apart, getHalvesTogether(count, lanes));
      apart.replaceAllUsesExcept(ordered, ordered.getDefiningOp());
    }
  }
}

namespace {
struct KeepHalvesApartPass : impl::KeepHalvesApartBase<KeepHalvesApartPass> {
  void runOnOperation() override {
    VectorInstructions instructions = getInstructions(getOperation());
    // Other machines extend and shift in one instruction.
    if (!instructions.lookUps)
      return;
    constexpr int64_t kSingleBits = 32;
    int64_t lanes = instructions.vectorBits / kSingleBits;
    SmallVector<Operation *> all;
    getOperation().walk([&](arith::ExtFOp op) {
      if (extends(op) &&
          cast<VectorType>(op.getType()).getDimSize(0) % (2 * lanes) == 0)
        all.push_back(op);
    });
    llvm::DenseSet<Operation *> seen;
    for (Operation *op : all) {
      if (seen.contains(op))
        continue;
      ElementwiseWeb web(op, extends, rounds);
      seen.insert_range(web.getOps());
      if (isOfHalves(web))
        change(web, lanes);
    }
  }
};
} // namespace

} // namespace ein
