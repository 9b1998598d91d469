//===- Combiner.cpp - What a reduction combines by ------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/Combiner.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "passes/analysis/ComplexVectors.h"

using namespace mlir;

namespace ein {

Operation *getCombiner(linalg::LinalgOp op) {
  SmallVector<Operation *> combiners;
  if (!matchReduction(op.getRegionOutputArgs(), 0, combiners) ||
      combiners.size() != 1)
    return nullptr;
  return combiners.front();
}

Value getCombined(linalg::LinalgOp op, Operation *combiner) {
  Value sum = op.getRegionOutputArgs()[0];
  if (combiner->getNumOperands() != 2 ||
      op.getBlock()->getTerminator()->getOperand(0) != combiner->getResult(0))
    return {};
  if (combiner->getOperand(0) == sum)
    return combiner->getOperand(1);
  return combiner->getOperand(1) == sum ? combiner->getOperand(0) : Value();
}

/// What changes no value that `combiner` combines it with; of a complex number
/// both parts.
static std::optional<TypedAttr> getNeutral(Operation *combiner) {
  Type type = getPartType(combiner->getResult(0).getType());
  if (isa<arith::AddFOp, complex::AddOp>(combiner))
    return FloatAttr::get(
        type, APFloat::getZero(cast<FloatType>(type).getFloatSemantics(),
                               /*Negative=*/true));
  return arith::getNeutralElement(combiner);
}

Value createNeutral(ImplicitLocOpBuilder &b, Operation *combiner) {
  TypedAttr neutral = *getNeutral(combiner);
  Type type = combiner->getResult(0).getType();
  if (isa<ComplexType>(type))
    return complex::ConstantOp::create(b, type,
                                       b.getArrayAttr({neutral, neutral}));
  return arith::ConstantOp::create(b, neutral);
}

bool isInAnyOrder(linalg::LinalgOp op, Operation *combiner) {
  if (!getPartType(combiner->getResult(0).getType()).isIntOrFloat())
    return false;
  // What gives every value its say, and once, may be grouped; sums of floats if
  // the program says so, which contractions always do. Of products of floats
  // none says so, as a part could overflow where the whole does not.
  bool isFree =
      isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxSIOp, arith::MaxUIOp,
          arith::MinSIOp, arith::MinUIOp, arith::AddIOp, arith::MulIOp,
          arith::AndIOp, arith::OrIOp, arith::XOrIOp>(combiner);
  if (auto floats = dyn_cast<arith::ArithFastMathInterface>(combiner))
    isFree |= bitEnumContainsAny(floats.getFastMathFlagsAttr().getValue(),
                                 arith::FastMathFlags::reassoc);
  isFree |= !isa<linalg::GenericOp>(op.getOperation());
  return isFree && getNeutral(combiner);
}

} // namespace ein
