//===- ExprGather.cpp - Expressions: gathers ------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `LUT(I(i, k), j)` reads where data says. A subscript is computed if it is not
// linear in indices and sizes, see ExprPlaces.cpp; it bounds no range, and is
// looked at when the code runs. The others are what they are in any access: `j`
// has the range of the table's second dim.
//
// `clamp(A(i - 1))` and `pad(A(i - 1), 0)` are gathers as well, in which an
// index that stands alone is bounded if nothing else bounds it.
//
//===----------------------------------------------------------------------===//

#include "frontend/check/ExprGather.h"
#include "frontend/check/ExprAccess.h"
#include "frontend/check/ExprPlaces.h"
#include "frontend/check/ExprRecurrence.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein {

FailureOr<ExprId> lowerPlace(ExprBuilder &builder, ExprLowerer &lowerer,
                             const ast::Expr &subscript) {
  DefScope &scope = builder.scope;
  IndexTable &table = builder.table;
  if (isComputed(scope, table, subscript)) {
    FailureOr<ExprId> place = lowerer.lower(subscript);
    if (failed(place) || failed(builder.types.decidePlaceType(*place)))
      return failure();
    for (IndexId id : collectIndices(scope.def, *place))
      table.computed.insert(table.all[id.value].name);
    return place;
  }
  FailureOr<Affine> lowered =
      scope.lowerAffine(subscript, "subscript", [&](const ast::Expr &name) {
        return resolveSubscriptName(builder, name);
      });
  if (failed(lowered))
    return failure();
  return builder.addPosition(*lowered, subscript.range);
}

FailureOr<ExprId> lowerGather(ExprBuilder &builder, ExprLowerer &lowerer,
                              TensorId id, const ast::Expr &expr,
                              Outside outside) {
  DefScope &scope = builder.scope;
  CheckedExpr &result = builder.result;
  if (expr.operands.size() != scope.def[id].dims.size())
    return reportRank(scope, id, expr.nameRange,
                      expr.kind == ast::Expr::Kind::Call, expr.operands.size());
  AccessSite site = {id, {}, {}};
  Expr gather;
  gather.kind = ExprKind::Gather;
  gather.range = expr.range;
  gather.tensor = id;
  gather.type = scope.def[id].type;
  gather.outside = outside;
  for (auto [dim, subscript] : llvm::enumerate(expr.operands)) {
    FailureOr<ExprId> place = lowerPlace(builder, lowerer, *subscript);
    if (failed(place))
      return failure();
    gather.places.push_back(*place);
    const Expr &lowered = scope.def[*place];
    site.ranges.push_back(subscript->range);
    site.divisors.push_back(1);
    std::optional<QuotientPlace> quotient = getQuotient(scope.def, *place);
    if (lowered.kind == ExprKind::Position) {
      site.subscripts.push_back(lowered.subscripts.front());
    } else if (quotient && outside == Outside::Checked) {
      scope.def.exprs[place->value].isInside = true;
      site.subscripts.push_back(std::move(quotient->dividend));
      site.divisors.back() = quotient->divisor;
    } else {
      site.computedDims.push_back(dim);
    }
    site.subscripts.resize(dim + 1);
  }
  (outside == Outside::Checked ? result.sites : result.outsideSites)
      .push_back(std::move(site));
  return builder.add(std::move(gather));
}

FailureOr<ExprId> lowerOutside(ExprBuilder &builder, ExprLowerer &lowerer,
                               const ast::Expr &expr, Outside outside) {
  DefScope &scope = builder.scope;
  DiagnosticEngine &diags = builder.diags;
  size_t numOperands = outside == Outside::Padded ? 2 : 1;
  if (expr.operands.size() != numOperands) {
    DiagnosticBuilder builder =
        diags.report(DiagId::WrongArity, expr.nameRange,
                     {expr.text, count(numOperands, "argument"),
                      std::to_string(expr.operands.size())});
    // CUDA's and torch's bounds a value.
    if (outside == Outside::Clamped && expr.operands.size() == 3)
      builder.note(DiagId::DidYouMean, expr.nameRange, {"clip"})
          .fixIt(expr.nameRange, "clip");
    return builder;
  }
  const ast::Expr &access = *expr.operands[0];
  std::optional<TensorId> id;
  if (access.kind == ast::Expr::Kind::Call)
    id = scope.findTensor(access.text);
  if (!id)
    return diags.report(DiagId::NeedsAccess, access.range, {expr.text});
  if (isSelfRead(builder, *id))
    return lowerSelfRead(builder, lowerer, access, expr, outside);
  if (failed(checkReadable(scope, *id, access)))
    return failure();
  FailureOr<ExprId> gather =
      lowerGather(builder, lowerer, *id, access, outside);
  if (failed(gather) || outside != Outside::Padded)
    return gather;
  FailureOr<ExprId> value = lowerer.lower(*expr.operands[1]);
  const Tensor &tensor = scope.def[*id];
  if (failed(value) || failed(builder.types.assignType(
                           *value, tensor.type, "`" + tensor.name + "`")))
    return failure();
  // Operands come before their users.
  Expr padded = scope.def[*gather];
  padded.lhs = *value;
  return builder.add(std::move(padded));
}

} // namespace ein
