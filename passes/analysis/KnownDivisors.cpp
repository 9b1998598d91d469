//===- KnownDivisors.cpp - What sizes are multiples of --------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/KnownDivisors.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include <numeric>

using namespace mlir;

namespace ein {

/// A number that divides the value; 0 if the value is 0, which everything
/// divides, and 1 if nothing is known.
static int64_t getDivisor(OpFoldResult value);

static int64_t getDivisor(AffineExpr expr, ValueRange operands,
                          unsigned numDims) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return std::abs(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return getDivisor(operands[dim.getPosition()]);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return getDivisor(operands[numDims + symbol.getPosition()]);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t lhs = getDivisor(binary.getLHS(), operands, numDims);
  int64_t rhs = getDivisor(binary.getRHS(), operands, numDims);
  auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
  int64_t number = constant ? constant.getValue() : 0;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return std::gcd(lhs, rhs);
  case AffineExprKind::Mul: {
    int64_t product;
    return llvm::MulOverflow(lhs, rhs, product) ? 1 : product;
  }
  case AffineExprKind::Mod:
    return number > 0 ? std::gcd(lhs, number) : 1;
  case AffineExprKind::FloorDiv:
  case AffineExprKind::CeilDiv:
    return number > 0 && lhs % number == 0 ? lhs / number : 1;
  default:
    return 1;
  }
}

static int64_t getDivisor(AffineMap map, ValueRange operands) {
  int64_t divisor = 0;
  for (AffineExpr expr : map.getResults())
    divisor = std::gcd(divisor, getDivisor(expr, operands, map.getNumDims()));
  return divisor;
}

static int64_t getDivisor(OpFoldResult value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return std::abs(*constant);
  auto known = cast<Value>(value);
  if (auto argument = dyn_cast<BlockArgument>(known)) {
    auto loop = dyn_cast_or_null<LoopLikeOpInterface>(
        argument.getOwner()->getParentOp());
    if (!loop || loop.getSingleInductionVar() != known)
      return 1;
    return std::gcd(getDivisor(*loop.getSingleLowerBound()),
                    getDivisor(*loop.getSingleStep()));
  }
  Operation *op = known.getDefiningOp();
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return getDivisor(apply.getAffineMap(), apply.getMapOperands());
  if (auto least = dyn_cast<affine::AffineMinOp>(op))
    return getDivisor(least.getAffineMap(), least.getOperands());
  if (auto most = dyn_cast<affine::AffineMaxOp>(op))
    return getDivisor(most.getAffineMap(), most.getOperands());
  return 1;
}

bool isKnownMultiple(OpFoldResult size, int64_t factor) {
  return getDivisor(size) % factor == 0;
}

} // namespace ein
