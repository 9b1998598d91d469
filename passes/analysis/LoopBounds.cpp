//===- LoopBounds.cpp - How large a value gets in loops -------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/LoopBounds.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace ein {

Operation *getOutermostLoop(Operation *op) {
  Operation *outermost = nullptr;
  for (auto loop = op->getParentOfType<LoopLikeOpInterface>(); loop;
       loop = loop->getParentOfType<LoopLikeOpInterface>()) {
    if (isa<scf::ParallelOp, scf::ForallOp>(loop))
      break;
    outermost = loop;
  }
  return outermost;
}

namespace {

/// Interval arithmetic, written as ops before a loop.
class BoundBuilder {
public:
  BoundBuilder(ImplicitLocOpBuilder &b, Operation *loop,
               DominanceInfo &dominance)
      : b(b), loop(loop), dominance(dominance) {}

  /// A bound of `value` from above or from below; null if there is none.
  Value get(Value value, bool isUpper);

private:
  Value get(AffineExpr expr, ValueRange dims, ValueRange symbols, bool isUpper);
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  /// The tighter of the bounds that there are.
  Value tighter(Value first, Value second, bool isUpper) {
    if (!first || !second)
      return first ? first : second;
    return isUpper ? arith::MinSIOp::create(b, first, second).getResult()
                   : arith::MaxSIOp::create(b, first, second).getResult();
  }
  /// The one that holds for both.
  Value wider(Value first, Value second, bool isUpper) {
    return first && second ? tighter(first, second, !isUpper) : Value();
  }

  ImplicitLocOpBuilder &b;
  Operation *loop;
  DominanceInfo &dominance;
};

} // namespace

Value BoundBuilder::get(Value value, bool isUpper) {
  if (dominance.properlyDominates(value, loop))
    return value;
  if (std::optional<int64_t> known = getConstantIntValue(value))
    return constant(*known);
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto owner = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!owner || owner.getInductionVar() != argument)
      return Value();
    if (!isUpper)
      return get(owner.getLowerBound(), isUpper);
    Value end = get(owner.getUpperBound(), isUpper);
    return end ? arith::SubIOp::create(b, end, constant(1)).getResult()
               : Value();
  }
  Operation *op = value.getDefiningOp();
  if (auto add = dyn_cast<arith::AddIOp>(op)) {
    Value lhs = get(add.getLhs(), isUpper), rhs = get(add.getRhs(), isUpper);
    return lhs && rhs ? arith::AddIOp::create(b, lhs, rhs).getResult()
                      : Value();
  }
  if (auto sub = dyn_cast<arith::SubIOp>(op)) {
    Value lhs = get(sub.getLhs(), isUpper), rhs = get(sub.getRhs(), !isUpper);
    return lhs && rhs ? arith::SubIOp::create(b, lhs, rhs).getResult()
                      : Value();
  }
  if (auto mul = dyn_cast<arith::MulIOp>(op)) {
    std::optional<int64_t> factor = getConstantIntValue(mul.getRhs());
    if (!factor)
      return Value();
    Value lhs = get(mul.getLhs(), *factor >= 0 ? isUpper : !isUpper);
    return lhs ? arith::MulIOp::create(b, lhs, constant(*factor)).getResult()
               : Value();
  }
  if (auto min = dyn_cast<arith::MinSIOp>(op)) {
    Value lhs = get(min.getLhs(), isUpper), rhs = get(min.getRhs(), isUpper);
    return isUpper ? tighter(lhs, rhs, isUpper) : wider(lhs, rhs, isUpper);
  }
  if (auto max = dyn_cast<arith::MaxSIOp>(op)) {
    Value lhs = get(max.getLhs(), isUpper), rhs = get(max.getRhs(), isUpper);
    return isUpper ? wider(lhs, rhs, isUpper) : tighter(lhs, rhs, isUpper);
  }
  AffineMap map;
  bool isMin = isa<affine::AffineMinOp>(op);
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    map = apply.getAffineMap();
  else if (auto min = dyn_cast<affine::AffineMinOp>(op))
    map = min.getAffineMap();
  else if (auto max = dyn_cast<affine::AffineMaxOp>(op))
    map = max.getAffineMap();
  if (!map)
    return Value();
  ValueRange operands = op->getOperands();
  Value bound;
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    Value each = get(expr, operands.take_front(map.getNumDims()),
                     operands.drop_front(map.getNumDims()), isUpper);
    if (isMin == isUpper || map.getNumResults() == 1)
      bound = tighter(bound, each, isUpper);
    else if (!each)
      return Value();
    else
      bound = i == 0 ? each : wider(bound, each, isUpper);
  }
  return bound;
}

Value BoundBuilder::get(AffineExpr expr, ValueRange dims, ValueRange symbols,
                        bool isUpper) {
  if (auto known = dyn_cast<AffineConstantExpr>(expr))
    return constant(known.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return get(dims[dim.getPosition()], isUpper);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return get(symbols[symbol.getPosition()], isUpper);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  if (binary.getKind() == AffineExprKind::Add) {
    Value lhs = get(binary.getLHS(), dims, symbols, isUpper);
    Value rhs = get(binary.getRHS(), dims, symbols, isUpper);
    return lhs && rhs ? arith::AddIOp::create(b, lhs, rhs).getResult()
                      : Value();
  }
  // By a positive number, all are monotone but the remainder.
  auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (!factor)
    return Value();
  bool isMul = binary.getKind() == AffineExprKind::Mul;
  if (!isMul && factor.getValue() <= 0)
    return Value();
  Value by = constant(factor.getValue());
  if (binary.getKind() == AffineExprKind::Mod)
    return constant(isUpper ? factor.getValue() - 1 : 0);
  Value lhs = get(binary.getLHS(), dims, symbols,
                  factor.getValue() >= 0 ? isUpper : !isUpper);
  if (!lhs)
    return Value();
  if (isMul)
    return arith::MulIOp::create(b, lhs, by);
  if (binary.getKind() == AffineExprKind::FloorDiv)
    return arith::FloorDivSIOp::create(b, lhs, by);
  return arith::CeilDivSIOp::create(b, lhs, by);
}

Value getLargestSize(OpBuilder &b, Location loc, Value size, Operation *loop,
                     DominanceInfo &dominance) {
  ImplicitLocOpBuilder builder(loc, b);
  Value bound = BoundBuilder(builder, loop, dominance).get(size, true);
  if (!bound || bound == size)
    return bound;
  // Loops that do not run may have bounds of less than nothing.
  return arith::MaxSIOp::create(builder, bound,
                                arith::ConstantIndexOp::create(builder, 0));
}

} // namespace ein
