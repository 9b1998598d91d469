//===- VectorBody.cpp - An op's body on vectors ---------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/VectorBody.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/analysis/Combiner.h"
#include "passes/analysis/VectorForms.h"

using namespace mlir;

namespace ein {

bool canBeVectors(linalg::LinalgOp op) {
  return llvm::all_of(
      op.getBlock()->without_terminator(), [](Operation &inner) {
        return inner.getNumResults() == 1 && inner.getNumRegions() == 0 &&
               hasVectorForm(&inner) && isSpeculatable(&inner) &&
               (inner.hasTrait<OpTrait::ConstantLike>() ||
                OpTrait::hasElementwiseMappableTraits(&inner));
      });
}

bool hasFormulas(linalg::LinalgOp op) {
  return llvm::any_of(op.getBlock()->without_terminator(),
                      [](Operation &inner) { return hasFormula(&inner); });
}

int64_t getVectorsOfFormulas(int64_t size, int64_t lanes) {
  // Four times what a formula keeps fits 32 registers, beside its constants. Of
  // a short row, waiting for the longest of all chains would be most; and the
  // last vectors of a row are computed as if there were all of them.
  constexpr int64_t kMost = 4, kSteps = 8;
  int64_t vectors = kMost;
  while (!ShapedType::isDynamic(size) && vectors > 1 &&
         size < kSteps * vectors * lanes)
    vectors /= 2;
  return vectors;
}

Value createVectorBody(ImplicitLocOpBuilder &b, linalg::LinalgOp op,
                       IRMapping vectors, int64_t lanes, Operation *combiner) {
  auto getVector = [&](Type element) {
    return VectorType::get({lanes}, element);
  };
  // A value from outside is the same for all lanes.
  auto lift = [&](Value value) {
    if (!vectors.contains(value))
      vectors.map(value, vector::BroadcastOp::create(
                             b, getVector(value.getType()), value));
    return vectors.lookup(value);
  };
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (&inner == combiner)
      return lift(getCombined(op, combiner));
    Value result = inner.getResult(0);
    if (inner.hasTrait<OpTrait::ConstantLike>()) {
      Value number = b.clone(inner)->getResult(0);
      vectors.map(result, vector::BroadcastOp::create(
                              b, getVector(result.getType()), number));
      continue;
    }
    SmallVector<Value> operands =
        llvm::map_to_vector(inner.getOperands(), lift);
    Operation *wide =
        b.create(b.getLoc(), inner.getName().getIdentifier(), operands,
                 TypeRange(getVector(result.getType())), inner.getAttrs());
    vectors.map(result, wide->getResult(0));
  }
  return lift(op.getBlock()->getTerminator()->getOperand(0));
}

Value createLaneMask(ImplicitLocOpBuilder &b, int64_t lanes, Value count) {
  // Upstream's op for it would compare numbers of 64 bits.
  auto type = VectorType::get({lanes}, b.getI32Type());
  SmallVector<int32_t> numbers =
      llvm::to_vector(llvm::seq<int32_t>(0, int32_t(lanes)));
  Value numbered = arith::ConstantOp::create(
      b, type, DenseIntElementsAttr::get(type, numbers));
  Value end = vector::BroadcastOp::create(
      b, type, arith::IndexCastOp::create(b, b.getI32Type(), count));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::slt, numbered, end);
}

} // namespace ein
