//===- SemaGather.cpp - A tree to a checked program: gathers --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `LUT(I(i, k), j)` reads where data says. A subscript is computed if there is
// anything in it but indices, sizes and numbers; nobody knows what it may be,
// so that it bounds no range and is looked at when the code runs. The others
// are what they are in any access: `j` has the range of the table's second dim.
//
// `clamp(A(i - 1))` and `pad(A(i - 1), 0)` are gathers as well, in which no
// subscript bounds anything.
//
//===----------------------------------------------------------------------===//

#include "frontend/SemaImpl.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein {

/// Whether there is an access, a function or the like in a subscript.
bool StatementChecker::isComputed(const ast::Expr &subscript) const {
  switch (subscript.kind) {
  case ast::Expr::Kind::Name: {
    // An index may be called as a tensor is.
    bool isIndex = subscript.isLabel || indices.count(subscript.text) ||
                   ranges.count(subscript.text);
    std::optional<TensorId> tensor = scope.findTensor(subscript.text);
    return !isIndex && tensor && scope[*tensor].hasShape &&
           scope.def[*tensor].dims.empty();
  }
  case ast::Expr::Kind::Call:
    return subscript.text != "dim" || scope.findTensor("dim");
  case ast::Expr::Kind::Cast:
  case ast::Expr::Kind::Conditional:
    return true;
  default:
    return llvm::any_of(subscript.operands, [&](const ast::ExprPtr &operand) {
      return isComputed(*operand);
    });
  }
}

/// A subscript of a gather: linear if it can be, else computed.
FailureOr<ExprId> StatementChecker::lowerPlace(const ast::Expr &subscript) {
  if (isComputed(subscript)) {
    FailureOr<ExprId> place = lower(subscript);
    if (failed(place) || failed(decidePlaceType(*place)))
      return failure();
    return place;
  }
  FailureOr<Affine> lowered =
      scope.lowerAffine(subscript, "subscript", [&](const ast::Expr &name) {
        return resolveSubscriptName(name);
      });
  if (failed(lowered))
    return failure();
  return addPosition(*lowered, subscript.range);
}

FailureOr<ExprId> StatementChecker::lowerGather(TensorId id,
                                                const ast::Expr &expr,
                                                Outside outside) {
  if (expr.operands.size() != scope.def[id].dims.size())
    return reportRank(id, expr.nameRange, expr.kind == ast::Expr::Kind::Call,
                      expr.operands.size());
  AccessSite site = {id, {}, {}};
  Expr gather;
  gather.kind = ExprKind::Gather;
  gather.range = expr.range;
  gather.tensor = id;
  gather.type = scope.def[id].type;
  gather.outside = outside;
  for (auto [dim, subscript] : llvm::enumerate(expr.operands)) {
    FailureOr<ExprId> place = lowerPlace(*subscript);
    if (failed(place))
      return failure();
    gather.places.push_back(*place);
    const Expr &lowered = scope.def[*place];
    site.ranges.push_back(subscript->range);
    if (lowered.kind == ExprKind::Position)
      site.subscripts.push_back(lowered.subscripts.front());
    else
      site.computedDims.push_back(dim);
    site.subscripts.resize(dim + 1);
  }
  if (outside == Outside::Checked)
    sites.push_back(std::move(site));
  return addExpr(std::move(gather));
}

/// `pad(access, value)` or `clamp(access)`.
FailureOr<ExprId> StatementChecker::lowerOutside(const ast::Expr &expr,
                                                 Outside outside) {
  size_t numOperands = outside == Outside::Padded ? 2 : 1;
  if (expr.operands.size() != numOperands)
    return diags.report(DiagId::WrongArity, expr.nameRange,
                        {expr.text, count(numOperands, "argument"),
                         std::to_string(expr.operands.size())});
  const ast::Expr &access = *expr.operands[0];
  std::optional<TensorId> id;
  if (access.kind == ast::Expr::Kind::Call)
    id = scope.findTensor(access.text);
  if (!id)
    return diags.report(DiagId::NeedsAccess, access.range, {expr.text});
  if (failed(checkReadable(*id, access)))
    return failure();
  FailureOr<ExprId> gather = lowerGather(*id, access, outside);
  if (failed(gather) || outside != Outside::Padded)
    return gather;
  FailureOr<ExprId> value = lower(*expr.operands[1]);
  const Tensor &tensor = scope.def[*id];
  if (failed(value) ||
      failed(assignType(*value, tensor.type, "`" + tensor.name + "`")))
    return failure();
  // Operands come before their users.
  Expr padded = scope.def[*gather];
  padded.lhs = *value;
  return addExpr(std::move(padded));
}

/// There has to be an element to read.
void StatementChecker::checkClamped(ExprId id) {
  Expr expr = scope.def[id];
  if (expr.kind == ExprKind::Gather && expr.outside == Outside::Clamped) {
    const Tensor &tensor = scope.def[expr.tensor];
    std::vector<Affine> unlessEmpty;
    for (const Index &index : statement.indices)
      if (!index.extent.isConstant() || index.extent == Affine(0))
        unlessEmpty.push_back(index.extent);
    for (auto [number, dim] : llvm::enumerate(tensor.dims))
      if (!isNonNegative(dim - Affine(1)) &&
          !llvm::is_contained(unlessEmpty, dim))
        scope.checks.add({SizeCheck::InBounds, dim - Affine(1), unlessEmpty,
                        "`clamp` in dim " + std::to_string(number) + " of `" +
                            tensor.name + "`",
                        expr.range});
  }
  for (ExprId operand : expr.getOperands())
    checkClamped(operand);
}

} // namespace ein
