//===- ScaledSums.cpp - Sums of products that are scaled ------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/vector/ScaledSums.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/analysis/Combiner.h"

using namespace mlir;

namespace ein {

/// Whether a value in the body of `op` is computed from what is outside of it.
static bool isSameForAll(Value value, linalg::GenericOp op) {
  Operation *source = value.getDefiningOp();
  if (!source)
    return !op->isAncestor(value.getParentBlock()->getParentOp());
  if (!op->isProperAncestor(source))
    return true;
  return isPure(source) && source->getNumRegions() == 0 &&
         !isa<linalg::IndexOp>(source) &&
         llvm::all_of(source->getOperands(),
                      [&](Value operand) { return isSameForAll(operand, op); });
}

/// The operand of the product or quotient that is another one for each term.
static Value getTerm(Operation *scaling, linalg::GenericOp op) {
  Value first = scaling->getOperand(0), second = scaling->getOperand(1);
  if (isSameForAll(second, op))
    return first;
  return isa<arith::MulFOp>(scaling) && isSameForAll(first, op) ? second
                                                                : Value();
}

Operation *getScaling(linalg::GenericOp op) {
  auto fill = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  Operation *combiner = getCombiner(op);
  if (op.getNumLoops() != 1 || op.getNumReductionLoops() != 1 || !fill ||
      !matchPattern(fill.getInputs()[0], m_PosZeroFloat()) ||
      !isa_and_present<arith::AddFOp>(combiner) || !isInAnyOrder(op, combiner))
    return nullptr;
  Value combined = getCombined(op, combiner);
  Operation *scaling = combined ? combined.getDefiningOp() : nullptr;
  if (!isa_and_present<arith::MulFOp, arith::DivFOp>(scaling) ||
      !scaling->hasOneUse() || !op->isProperAncestor(scaling))
    return nullptr;
  Value term = getTerm(scaling, op);
  auto product = term ? term.getDefiningOp<arith::MulFOp>() : arith::MulFOp();
  return product && op->isProperAncestor(product) && product->hasOneUse()
             ? scaling
             : nullptr;
}

/// A value in the body of `op` that is the same for all terms, outside.
static Value createOutside(RewriterBase &rewriter, Value value,
                           linalg::GenericOp op) {
  Operation *source = value.getDefiningOp();
  if (!source || !op->isProperAncestor(source))
    return value;
  IRMapping operands;
  for (Value operand : source->getOperands())
    operands.map(operand, createOutside(rewriter, operand, op));
  return rewriter.clone(*source, operands)
      ->getResult(cast<OpResult>(value).getResultNumber());
}

Value createScaledSum(RewriterBase &rewriter, linalg::GenericOp op,
                      Operation *scaling,
                      function_ref<Value(linalg::GenericOp)> createSum) {
  Value term = getTerm(scaling, op);
  IRMapping mapping;
  auto plain =
      cast<linalg::GenericOp>(rewriter.clone(*op.getOperation(), mapping));
  Operation *plainScaling = mapping.lookup(scaling);
  rewriter.replaceOp(plainScaling, mapping.lookup(term));

  auto getNumber = [&](OpBuilder &builder, Value tensor) -> Value {
    return tensor::ExtractOp::create(builder, op.getLoc(), tensor,
                                     ValueRange());
  };
  rewriter.setInsertionPoint(op);
  Value sum = getNumber(rewriter, createSum(plain));
  rewriter.eraseOp(plain);
  IRMapping scalars;
  for (Value operand : scaling->getOperands())
    scalars.map(operand,
                operand == term ? sum : createOutside(rewriter, operand, op));
  Value scaled = rewriter.clone(*scaling, scalars)->getResult(0);
  auto type = cast<FloatType>(scaled.getType());
  auto create = [&](const APFloat &number) -> Value {
    return arith::ConstantOp::create(rewriter, op.getLoc(),
                                     FloatAttr::get(type, number));
  };
  // A negative number makes another zero of a zero.
  scaled =
      arith::AddFOp::create(rewriter, op.getLoc(), scaled,
                            create(APFloat::getZero(type.getFloatSemantics())));
  auto isBeyond = [&](arith::CmpFPredicate predicate, bool isNegative) {
    return arith::CmpFOp::create(
        rewriter, op.getLoc(), predicate, scaled,
        create(APFloat::getInf(type.getFloatSemantics(), isNegative)));
  };
  Value isFinite = arith::AndIOp::create(
      rewriter, op.getLoc(), isBeyond(arith::CmpFPredicate::OLT, false),
      isBeyond(arith::CmpFPredicate::OGT, true));
  auto branch = scf::IfOp::create(rewriter, op.getLoc(), TypeRange(type),
                                  isFinite, /*withElseRegion=*/true);
  rewriter.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(rewriter, op.getLoc(), scaled);
  rewriter.setInsertionPointToStart(branch.elseBlock());
  Value other = getNumber(rewriter, createSum(op));
  scf::YieldOp::create(rewriter, op.getLoc(), other);
  rewriter.setInsertionPoint(op);
  auto fill = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  return tensor::InsertOp::create(rewriter, op.getLoc(), branch.getResult(0),
                                  fill.getOutputs()[0], ValueRange());
}

} // namespace ein
