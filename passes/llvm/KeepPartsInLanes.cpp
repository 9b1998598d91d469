//===- KeepPartsInLanes.cpp - Parts of complex numbers, in any order ------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: bodies that look at parts have vectors of complex numbers taken
// apart. AVX2 shuffles two vectors within blocks of 128 bits, so that the parts
// are not in the numbers' order: each vector of parts takes one more
// instruction, across these blocks, and so does each vector that is put
// together. A quotient of c64 has 6 of these among 34 instructions. AVX-512
// has an instruction that takes any lanes of two vectors, but it overwrites one
// of its three operands, which is copied before.
//
// Choice: what is between is of single elements, for which any order will do.
// So parts are in the order in which one shuffle gives them, and another one
// puts them together from. Only where something else comes in or leaves, a real
// operand or result, it is put in order. What is so connected is changed if
// that takes fewer instructions.
//
// With AVX2 LLVM squares both parts before it shuffles them, and adds
// neighbours then by an instruction (`vhaddpd`) that is three. With AVX-512 it
// has parts that are squared in the numbers' order, by the other instruction.
// So squares are of what it does not see through.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "passes/llvm/ElementwiseWeb.h"
#include "passes/llvm/Passes.h"
#include "passes/schedule/MachineAttrs.h"

namespace ein {
#define GEN_PASS_DEF_KEEPPARTSINLANES
#include "passes/llvm/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

/// Shuffles of two registers leave what they take within these.
constexpr int64_t kBlockBits = 128;

/// Elements of a register, as the parts are.
int64_t getLanes(Type vector, int64_t bits) {
  return bits / cast<VectorType>(vector).getElementTypeBitWidth();
}

/// Whether `type` is of several registers of parts, as two are shuffled.
bool isOfParts(VectorType type, int64_t bits) {
  if (type.getRank() != 1 || type.isScalable())
    return false;
  Type part = type.getElementType();
  return (part.isF32() || part.isF64()) &&
         type.getNumElements() % getLanes(type, bits) == 0;
}

/// Which number is the i-th one, of `count`, if two registers of `lanes`
/// elements are shuffled in blocks of `block`.
SmallVector<int64_t> getOrder(int64_t count, int64_t lanes, int64_t block) {
  SmallVector<int64_t> order;
  int64_t half = block / 2;
  for (int64_t i = 0; i < count; ++i) {
    int64_t inLanes = i % lanes, inBlock = i % block;
    order.push_back(i - inLanes + inBlock / half * (lanes / 2) +
                    inLanes / block * half + inBlock % half);
  }
  return order;
}

/// Vectors of parts, and what is computed of them element by element.
class Parts {
public:
  Parts(vector::DeinterleaveOp first, int64_t bits);

  /// Fewer instructions, if any; what belongs to it is in `seen` then.
  bool isBetter() const;
  void change();
  const llvm::SetVector<Operation *> &getOps() const { return web.getOps(); }

private:
  void fenceSquares(Value part) const;

  int64_t bits, count, lanes;
  ElementwiseWeb web;
};

} // namespace

/// What takes vectors apart to parts of which a register has `lanes`.
static bool takesApart(Operation *op, int64_t bits, int64_t lanes) {
  auto apart = dyn_cast<vector::DeinterleaveOp>(op);
  return apart && getLanes(apart.getRes1().getType(), bits) == lanes;
}

static bool putsTogether(Operation *op, int64_t bits, int64_t lanes) {
  auto whole = dyn_cast<vector::InterleaveOp>(op);
  if (!whole)
    return false;
  auto type = cast<VectorType>(whole.getLhs().getType());
  return isOfParts(type, bits) && getLanes(type, bits) == lanes;
}

Parts::Parts(vector::DeinterleaveOp first, int64_t bits)
    : bits(bits),
      count(cast<VectorType>(first.getRes1().getType()).getNumElements()),
      lanes(getLanes(first.getRes1().getType(), bits)),
      web(
          first, [&](Operation *op) { return takesApart(op, bits, lanes); },
          [&](Operation *op) { return putsTogether(op, bits, lanes); }) {}

bool Parts::isBetter() const {
  int64_t saved = -int64_t(web.getSources().size());
  for (Operation *op : web.getOps())
    if (isa<vector::DeinterleaveOp, vector::InterleaveOp>(op))
      saved += 2;
  for (Value value : web.getValues())
    saved -= web.isUsedOutside(value);
  return saved > 0;
}

/// Products of `part` and itself, or its negative, read it behind a fence.
void Parts::fenceSquares(Value part) const {
  auto isPart = [&](Value value) {
    auto negative = value.getDefiningOp<arith::NegFOp>();
    return value == part || (negative && negative.getOperand() == part);
  };
  llvm::SmallPtrSet<Operation *, 4> squares;
  for (Operation *user : part.getUsers()) {
    if (isa<arith::MulFOp>(user) && llvm::all_of(user->getOperands(), isPart))
      squares.insert(user);
  }
  if (squares.empty())
    return;
  ImplicitLocOpBuilder b(part.getLoc(), part.getContext());
  b.setInsertionPointAfterValue(part);
  Value fenced =
      LLVM::CallIntrinsicOp::create(
          b, part.getType(), b.getStringAttr("llvm.arithmetic.fence"), part)
          ->getResult(0);
  part.replaceUsesWithIf(
      fenced, [&](OpOperand &use) { return squares.contains(use.getOwner()); });
}

void Parts::change() {
  SmallVector<int64_t> order =
                           getOrder(count, lanes, lanes * kBlockBits / bits),
                       back(count);
  for (auto [i, number] : llvm::enumerate(order))
    back[number] = i;
  auto shuffle = [](ImplicitLocOpBuilder &b, Value x, Value y,
                    ArrayRef<int64_t> lanes) -> Value {
    return vector::ShuffleOp::create(b, x, y, lanes);
  };
  for (Value source : web.getSources()) {
    ImplicitLocOpBuilder b(source.getLoc(), source.getContext());
    b.setInsertionPointAfterValue(source);
    Value shuffled = shuffle(b, source, source, order);
    source.replaceUsesWithIf(
        shuffled, [&](OpOperand &use) { return !web.isOutside(use); });
  }
  for (Value value : web.getValues()) {
    if (!web.isUsedOutside(value))
      continue;
    ImplicitLocOpBuilder b(value.getLoc(), value.getContext());
    b.setInsertionPointAfterValue(value);
    Value shuffled = shuffle(b, value, value, back);
    value.replaceUsesWithIf(shuffled, [&](OpOperand &use) {
      return web.isOutside(use) && use.getOwner() != shuffled.getDefiningOp();
    });
  }
  for (Operation *op : web.getOps()) {
    ImplicitLocOpBuilder b(op->getLoc(), op);
    if (auto apart = dyn_cast<vector::DeinterleaveOp>(op)) {
      Value whole = apart.getSource();
      for (int64_t part : {0, 1}) {
        Value shuffled = shuffle(
            b, whole, whole, llvm::map_to_vector(order, [&](int64_t number) {
              return 2 * number + part;
            }));
        apart->getResult(part).replaceAllUsesWith(shuffled);
        fenceSquares(shuffled);
      }
      apart.erase();
    } else if (auto together = dyn_cast<vector::InterleaveOp>(op)) {
      SmallVector<int64_t> parts;
      for (int64_t i : back)
        parts.append({i, count + i});
      together.replaceAllUsesWith(
          shuffle(b, together.getLhs(), together.getRhs(), parts));
      together.erase();
    }
  }
}

namespace {
struct KeepPartsInLanesPass : impl::KeepPartsInLanesBase<KeepPartsInLanesPass> {
  void runOnOperation() override {
    VectorInstructions instructions = getInstructions(getOperation());
    // Of AVX2 and AVX-512, and of nothing else that there is code for.
    if (!instructions.lookUps)
      return;
    int64_t bits = instructions.vectorBits;
    SmallVector<vector::DeinterleaveOp> all;
    getOperation().walk([&](vector::DeinterleaveOp op) { all.push_back(op); });
    llvm::DenseSet<Operation *> seen;
    for (vector::DeinterleaveOp apart : all) {
      if (seen.contains(apart) ||
          !isOfParts(cast<VectorType>(apart.getRes1().getType()), bits))
        continue;
      Parts parts(apart, bits);
      seen.insert_range(parts.getOps());
      if (parts.isBetter())
        parts.change();
    }
  }
};
} // namespace

} // namespace ein
