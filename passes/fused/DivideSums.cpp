//===- DivideSums.cpp - Divide sums instead of their terms ----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A mean is written as a sum of quotients, `O(c) +=! I(h, w, c) / (H * W)`, and
// a division takes as long as eight or sixteen additions. Divided once, behind
// the sum, it costs nothing; but the sum of the terms as they are may overflow
// where that of the quotients does not. So the terms are divided by the next
// power of two, which is exact, and the rest of the divisor, which is above a
// half and not above one, divides the sum. That rounds as often as before.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "ir/IndexNames.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/Combiner.h"
#include "passes/analysis/DimRoles.h"
#include "passes/analysis/StrictFP.h"
#include "passes/fused/Passes.h"
#include "passes/schedule/ScheduledOps.h"

namespace ein {
#define GEN_PASS_DEF_DIVIDESUMS
#include "passes/fused/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

namespace {

/// A sum of quotients by one number.
struct QuotientSum {
  linalg::GenericOp op;
  arith::DivFOp quotient;
  /// The divisor is `power`, of two, times `rest`.
  APFloat power, rest;
};

} // namespace

static std::optional<QuotientSum> match(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() == 0 ||
      op.getNumDpsInits() != 1 || op.getLibraryCall() ||
      op->hasAttr(EinDialect::kScheduleAttr) || keepsOrder(op))
    return std::nullopt;
  auto fill = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  if (!fill || !matchPattern(fill.getInputs()[0], m_AnyZeroFloat()) ||
      !getInitMap(op).isProjectedPermutation())
    return std::nullopt;
  Operation *combiner = getCombiner(op);
  if (!isa_and_present<arith::AddFOp>(combiner) || !isInAnyOrder(op, combiner))
    return std::nullopt;
  auto quotient = getCombined(op, combiner).getDefiningOp<arith::DivFOp>();
  APFloat divisor(0.0);
  if (!quotient || !quotient->hasOneUse() ||
      quotient->getBlock() != op.getBody() ||
      !(quotient.getType().isF32() || quotient.getType().isF64()) ||
      !matchPattern(quotient.getRhs(), m_ConstantFloat(&divisor)) ||
      !divisor.isFiniteNonZero())
    return std::nullopt;
  // Far from where a power of two could be none.
  constexpr int kFar = 100;
  int exponent = 0;
  APFloat rest = frexp(divisor, exponent, APFloat::rmNearestTiesToEven);
  if (std::abs(exponent) > kFar)
    return std::nullopt;
  // A quotient by a power of two is a product already.
  if (rest.getExactInverse(nullptr))
    return std::nullopt;
  APFloat power = scalbn(APFloat::getOne(divisor.getSemantics()), exponent,
                         APFloat::rmNearestTiesToEven);
  // What a sum of zeros is must not change its sign.
  if (rest.isNegative()) {
    rest.changeSign();
    power.changeSign();
  }
  return QuotientSum{op, quotient, power, rest};
}

/// The sum of products by the power's reciprocal, and its quotients.
static void divide(RewriterBase &rewriter, QuotientSum sum) {
  linalg::GenericOp op = sum.op;
  Location loc = sum.quotient.getLoc();
  Type type = sum.quotient.getType();
  auto create = [&](const APFloat &number) -> Value {
    return arith::ConstantOp::create(rewriter, loc,
                                     FloatAttr::get(type, number));
  };
  rewriter.setInsertionPoint(sum.quotient);
  APFloat reciprocal = APFloat::getOne(sum.power.getSemantics());
  (void)reciprocal.divide(sum.power, APFloat::rmNearestTiesToEven);
  Value product = arith::MulFOp::create(
      rewriter, loc, sum.quotient.getLhs(), create(reciprocal),
      sum.quotient.getFastmath() | arith::FastMathFlags::contract);
  rewriter.replaceOp(sum.quotient, product);

  rewriter.setInsertionPointAfter(op);
  Value result = op->getResult(0);
  auto resultType = cast<RankedTensorType>(result.getType());
  SmallVector<utils::IteratorType> iterators(resultType.getRank(),
                                             utils::IteratorType::parallel);
  SmallVector<unsigned> dims;
  for (AffineExpr expr : getInitMap(op).getResults())
    dims.push_back(cast<AffineDimExpr>(expr).getPosition());
  auto divided = linalg::GenericOp::create(
      rewriter, selectIndexNames(op.getLoc(), dims), TypeRange(resultType),
      ValueRange(), result,
      rewriter.getMultiDimIdentityMap(resultType.getRank()), iterators,
      [&](OpBuilder &body, Location, ValueRange arguments) {
        Value rest = arith::ConstantOp::create(body, loc,
                                               FloatAttr::get(type, sum.rest));
        Value quotient =
            arith::DivFOp::create(body, loc, arguments.front(), rest);
        linalg::YieldOp::create(body, loc, quotient);
      });
  rewriter.replaceAllUsesExcept(result, divided.getResult(0), divided);
}

namespace {
struct DivideSumsPass : impl::DivideSumsBase<DivideSumsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) { ops.push_back(op); });
    for (linalg::GenericOp op : ops)
      if (std::optional<QuotientSum> sum = match(op))
        divide(rewriter, *sum);
  }
};
} // namespace

} // namespace ein
