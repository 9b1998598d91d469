//===- ExprMoments.cpp - Expressions: mean, var, std ----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `mean<k>(x)` is the sum over `k` divided by how many there are, as a number
// of the type that the division is computed in. `var<k>(x)` is the mean of the
// squares of `x - mean<k>(x)`, as numpy's with ddof = 0, and `std` its root.
// The mean comes first: a mean of squares less the square of the mean would be
// off by the rounding of what may be far larger than the variance.
//
//===----------------------------------------------------------------------===//

#include "frontend/check/ExprMoments.h"

using namespace llvm;

namespace ein {

LogicalResult checkMoment(DiagnosticEngine &diags, const Reducer &reducer,
                          ElementType type, const ast::Expr &expr) {
  if (!reducer.isMoment() || isFloat(type) ||
      (isComplex(type) && reducer.kind == Reducer::Mean))
    return success();
  std::string spelling = getSpelling(type).str();
  if (isComplex(type))
    return diags.report(DiagId::OperatorType, expr.nameRange,
                        {expr.text, spelling});
  bool isSmall = fits(type, ElementType::F32);
  return diags.report(DiagId::NeedsFloat, expr.nameRange, {expr.text, spelling})
      .note(DiagId::CastTheOperands, expr.range,
            {getSpelling(isSmall ? ElementType::F32 : ElementType::F64).str()});
}

/// How many points there are, once ranges are known.
static ExprId addCount(ExprBuilder &builder, ArrayRef<IndexId> reduced,
                       SourceRange range) {
  CheckedExpr &result = builder.result;
  std::optional<ExprId> count;
  for (IndexId id : reduced) {
    ExprId extent = builder.addPosition(Affine(0), range);
    result.extentPositions.push_back({extent, id});
    count = count ? builder.addBinary(BinaryFn::Mul, *count, extent, range)
                  : extent;
  }
  return *count;
}

static FailureOr<ExprId> addMean(ExprBuilder &builder, const ast::Expr &expr,
                                 ExprId value, ArrayRef<IndexId> reduced,
                                 ElementType type) {
  FailureOr<ExprId> sum =
      builder.addReduction(expr, UpdateKind::Add, value, reduced, type);
  if (failed(sum))
    return failure();
  return builder.addBinary(BinaryFn::Div, *sum,
                           addCount(builder, reduced, expr.range), expr.range);
}

FailureOr<ExprId> addMoment(ExprBuilder &builder, const ast::Expr &expr,
                            const Reducer &reducer, ExprId value,
                            ArrayRef<IndexId> reduced, ElementType type) {
  if (reducer.kind == Reducer::Mean)
    return addMean(builder, expr, value, reduced, type);
  FailureOr<ExprId> once = builder.makeRepeatable(value, expr);
  if (failed(once))
    return failure();
  unsigned room = ExprBuilder::maxCopied;
  std::optional<ExprId> again = builder.copySmall(*once, room);
  FailureOr<ExprId> mean = addMean(builder, expr, *once, reduced, type);
  if (failed(mean))
    return failure();
  FailureOr<ExprId> stored =
      builder.addReduction(expr, UpdateKind::Assign, *mean, {}, type);
  if (failed(stored))
    return failure();
  Expr square;
  square.kind = ExprKind::Unary;
  square.range = expr.range;
  square.unary = UnaryFn::Square;
  square.lhs = builder.addBinary(BinaryFn::Sub, *again, *stored, expr.range);
  FailureOr<ExprId> variance =
      addMean(builder, expr, builder.add(std::move(square)), reduced, type);
  if (failed(variance) || reducer.kind == Reducer::Variance)
    return variance;
  Expr root;
  root.kind = ExprKind::Unary;
  root.range = expr.range;
  root.unary = UnaryFn::Sqrt;
  root.lhs = *variance;
  return builder.add(std::move(root));
}

} // namespace ein
