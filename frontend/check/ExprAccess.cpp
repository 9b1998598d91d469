//===- ExprAccess.cpp - Expressions: accesses of tensors ------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/check/ExprAccess.h"
#include "frontend/check/ExprGather.h"
#include "frontend/check/ExprPlaces.h"
#include "frontend/check/ExprRecurrence.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein {

LogicalResult checkReadable(DefScope &scope, TensorId id,
                            const ast::Expr &expr) {
  const TensorState &state = scope[id];
  if (state.isBroken)
    return failure();
  if (scope.isWritten(id))
    return success();
  const Tensor &tensor = scope.def[id];
  if (scope.skippedNames.contains(tensor.name))
    return failure();
  DiagnosticBuilder builder = scope.diags.report(DiagId::ReadBeforeWritten,
                                                 expr.nameRange, {tensor.name});
  if (tensor.role == TensorRole::Output && !scope.isCalled())
    builder.note(DiagId::InOutInstead, tensor.range, {tensor.name});
  return builder.note(DiagId::DeclaredHere, tensor.range, {tensor.name});
}

/// `A(i, j)`; of many dims, `A(i, …)`.
static std::string exampleAccess(const Tensor &tensor) {
  static constexpr StringLiteral subscripts[] = {"", "i", "i, j", "i, j, k"};
  size_t rank = tensor.dims.size();
  return tensor.name + "(" +
         (rank < std::size(subscripts) ? subscripts[rank].str() : "i, …") + ")";
}

LogicalResult reportRank(const DefScope &scope, TensorId id, SourceRange range,
                         bool hasSubscripts, size_t rank) {
  const Tensor &tensor = scope.def[id];
  std::string expected = std::to_string(tensor.dims.size());
  DiagnosticBuilder builder =
      hasSubscripts
          ? scope.diags.report(
                DiagId::RankMismatch, range,
                {tensor.name, expected, count(rank, "subscript")})
          : scope.diags.report(DiagId::NeedsSubscripts, range,
                               {tensor.name, expected, exampleAccess(tensor)});
  return builder.note(DiagId::DeclaredHere, tensor.range, {tensor.name});
}

FailureOr<Affine> resolveSubscriptName(ExprBuilder &builder,
                                       const ast::Expr &name) {
  DefScope &scope = builder.scope;
  IndexTable &table = builder.table;
  if (table.has(name.text))
    return table.add(name, /*isReduction=*/true);
  auto symbol = scope.symbols.find(name.text);
  if (!name.isLabel && !scope.isImplicit && symbol != scope.symbols.end())
    return symbol->second;
  return table.add(name, /*isReduction=*/true);
}

FailureOr<AccessSite> lowerSite(ExprBuilder &builder, TensorId id,
                                const ast::Expr &expr, StringRef what) {
  DefScope &scope = builder.scope;
  if (expr.operands.size() != scope.def[id].dims.size())
    return reportRank(scope, id, expr.nameRange,
                      expr.kind == ast::Expr::Kind::Call, expr.operands.size());
  AccessSite site = {id, {}, {}};
  for (const ast::ExprPtr &subscript : expr.operands) {
    FailureOr<Affine> lowered =
        scope.lowerAffine(*subscript, what, [&](const ast::Expr &name) {
          return resolveSubscriptName(builder, name);
        });
    if (failed(lowered))
      return failure();
    site.subscripts.push_back(*lowered);
    site.ranges.push_back(subscript->range);
  }
  return site;
}

FailureOr<ExprId> lowerAccess(ExprBuilder &builder, ExprLowerer &lowerer,
                              TensorId id, const ast::Expr &expr) {
  DefScope &scope = builder.scope;
  IndexTable &table = builder.table;
  CheckedExpr &result = builder.result;
  if (isSelfRead(builder, id))
    return lowerSelfRead(builder, lowerer, expr, expr, Outside::Checked);
  if (failed(checkReadable(scope, id, expr)))
    return failure();
  if (llvm::any_of(expr.operands, [&](const ast::ExprPtr &subscript) {
        return isComputed(scope, table, *subscript);
      }))
    return lowerGather(builder, lowerer, id, expr, Outside::Checked);
  FailureOr<AccessSite> site = lowerSite(builder, id, expr);
  if (failed(site))
    return failure();
  Expr access;
  access.kind = ExprKind::Access;
  access.range = expr.range;
  access.tensor = id;
  access.type = scope.def[id].type;
  access.subscripts = site->subscripts;
  result.sites.push_back(std::move(*site));
  return builder.add(std::move(access));
}

} // namespace ein
