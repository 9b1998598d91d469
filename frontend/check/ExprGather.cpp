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

#include "frontend/check/Statement.h"
#include "llvm/ADT/STLExtras.h"
#include <cstdlib>

using namespace llvm;

namespace ein {

/// A subscript of a gather: linear if it can be, else computed.
FailureOr<ExprId> StatementChecker::lowerPlace(const ast::Expr &subscript) {
  if (isComputed(subscript)) {
    FailureOr<ExprId> place = lower(subscript);
    if (failed(place) || failed(decidePlaceType(*place)))
      return failure();
    for (IndexId id : collectIndices(*place))
      computedIndices.insert(statement.indices[id.value].name);
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
    site.divisors.push_back(1);
    std::optional<QuotientPlace> quotient = getQuotient(*place);
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
  (outside == Outside::Checked ? sites : outsideSites)
      .push_back(std::move(site));
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

//===----------------------------------------------------------------------===//
// Padding before a reduction
//===----------------------------------------------------------------------===//

/// Whether the value is the same at all points, and is there if there are none.
static bool isFixed(const Def &def, ExprId id) {
  const Expr &expr = def[id];
  auto hasIndex = [](const Affine &affine) {
    return !affine.getIndexTerms().empty();
  };
  bool isElement = expr.kind == ExprKind::Gather ||
                   (expr.kind == ExprKind::Access && !expr.subscripts.empty());
  return !isElement && !def.isCheckedDivision(id) &&
         llvm::none_of(expr.subscripts, hasIndex) &&
         llvm::all_of(expr.getOperands(),
                      [&](ExprId operand) { return isFixed(def, operand); });
}

/// A name that nothing has.
std::string StatementChecker::makeFresh(std::string name) const {
  while (scope.tensors.contains(name) || scope.symbols.contains(name) ||
         scope.targets.contains(name) || scope.constants.contains(name) ||
         scope.generics.contains(name))
    name += "_";
  return name;
}

/// A reduction reads an element many times over, and is a contraction only if
/// its accesses are plain: what it pads is padded before, once.
void StatementChecker::padFirst(ExprId id) {
  for (ExprId operand : scope.def[id].getOperands())
    padFirst(operand);
  Expr gather = scope.def[id];
  if (gather.kind != ExprKind::Gather || gather.outside != Outside::Padded ||
      !isFixed(scope.def, gather.lhs) ||
      !llvm::all_of(gather.places, [&](ExprId place) {
        return scope.def[place].kind == ExprKind::Position;
      }))
    return;

  Tensor padded = {scope.makeTemporaryName(source.target.text + "_padded"),
                   gather.type,
                   TensorRole::Temporary,
                   {},
                   gather.range};
  Statement copy;
  copy.range = source.range;
  copy.computeType = getAccumulator(gather.type);
  Expr access = gather;
  access.kind = ExprKind::Access;
  access.places.clear();
  access.lhs = ExprId();
  auto getExtent = [&](IndexId index) {
    return statement.indices[index.value].extent;
  };
  for (auto [dim, place] : llvm::enumerate(gather.places)) {
    Affine subscript = scope.def[place].subscripts.front();
    Affine least = getExtreme(subscript, /*isMax=*/false, getExtent);
    Affine most = getExtreme(subscript, /*isMax=*/true, getExtent);
    Affine size = most - least + Affine(1);
    // Where a range may be empty, a little more than is read.
    if (!isNonNegative(size)) {
      size = Affine(0);
      for (const Affine::IndexTerm &term : subscript.getIndexTerms())
        size = size + getExtent(term.id) * std::abs(term.coefficient);
    }
    IndexId index(dim);
    std::string name = makeFresh("x" + std::to_string(dim));
    copy.indices.push_back({name,
                            size,
                            /*isReduction=*/false,
                            gather.range,
                            /*isLabel=*/false,
                            {},
                            /*isGiven=*/true});
    copy.targetIndices.push_back(index);
    padded.dims.push_back(size);
    // As where a program says so: it may be less than empty for all that.
    scope.checks.addExtent(size, "extent of `" + name + "`", gather.range);
    gather.places[dim] = addPosition(least + Affine(index), gather.range);
    access.subscripts.push_back(subscript - least);
  }
  TensorState state;
  state.isWritten = true;
  access.tensor = copy.target = scope.addTensor(std::move(padded), state);
  copy.value = addExpr(std::move(gather));
  scope.def.exprs[id.value] = std::move(access);
  scope.def.statements.push_back(std::move(copy));
}

} // namespace ein
