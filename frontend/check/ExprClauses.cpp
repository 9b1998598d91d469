//===- ExprClauses.cpp - Expressions: what a where adds -------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `exists A(i)` is one more access for the ranges, and `exists i` a check. Only
// conditions are left when a statement has been checked.
//
//===----------------------------------------------------------------------===//

#include "frontend/check/ExprClauses.h"
#include "frontend/check/ExprAccess.h"
#include "frontend/check/ExprUnknown.h"

using namespace llvm;

namespace ein {

static LogicalResult lowerExists(ExprBuilder &builder,
                                 const ast::Expr &access) {
  DefScope &scope = builder.scope;
  DiagnosticEngine &diags = builder.diags;
  IndexTable &table = builder.table;
  CheckedExpr &result = builder.result;
  bool isAccess = access.kind == ast::Expr::Kind::Call ||
                  access.kind == ast::Expr::Kind::Name;
  if (!isAccess)
    return diags.report(DiagId::NeedsAccess, access.range, {"exists"});
  std::optional<TensorId> id = scope.findTensor(access.text);
  auto index = table.byName.find(access.text);
  if (!id && index != table.byName.end() &&
      access.kind == ast::Expr::Kind::Name) {
    result.nonEmpty.push_back(index->second);
    return success();
  }
  if (!id)
    return reportUnknown(scope, access, table);
  const TensorState &state = scope[*id];
  if (state.isBroken)
    return failure();
  if (!state.hasShape)
    return diags.report(DiagId::ReadBeforeWritten, access.nameRange,
                        {access.text});
  FailureOr<AccessSite> site =
      lowerSite(builder, *id, access, "subscript in `exists`");
  if (failed(site))
    return failure();
  result.exists.push_back({*id, site->subscripts});
  result.sites.push_back(std::move(*site));
  return success();
}

/// All conditions have to hold.
static LogicalResult lowerCondition(ExprBuilder &builder, ExprLowerer &lowerer,
                                    const ast::Expr &condition) {
  CheckedExpr &result = builder.result;
  FailureOr<ExprId> id = lowerer.lower(condition);
  if (failed(id) ||
      failed(builder.types.assignType(*id, ElementType::Bool, "a condition")))
    return failure();
  if (!result.condition.isValid()) {
    result.condition = *id;
    return success();
  }
  Expr both;
  both.kind = ExprKind::Binary;
  both.binary = BinaryFn::And;
  both.range = condition.range;
  both.type = ElementType::Bool;
  both.lhs = result.condition;
  both.rhs = *id;
  result.condition = builder.add(std::move(both));
  return success();
}

LogicalResult lowerClauses(ExprBuilder &builder, ExprLowerer &lowerer,
                           const ast::Statement &comprehension) {
  IndexTable &table = builder.table;
  for (const ast::Clause &clause : comprehension.clauses) {
    switch (clause.kind) {
    case ast::Clause::Kind::Range:
      if (table.reducedRanges.contains(clause.name.text))
        break;
      table.add(*ast::makeName(clause.name.text, clause.name.range),
                /*isReduction=*/true);
      break;
    case ast::Clause::Kind::Exists:
      if (failed(lowerExists(builder, *clause.operands[0])))
        return failure();
      break;
    case ast::Clause::Kind::Condition:
      if (failed(lowerCondition(builder, lowerer, *clause.operands[0])))
        return failure();
      break;
    case ast::Clause::Kind::Let:
      break;
    }
  }
  return success();
}

} // namespace ein
