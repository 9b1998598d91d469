//===- ExprPlaces.cpp - Expressions: computed subscripts ------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A subscript that is not linear, `A(i * j)` or `A(i % 3)`, is computed like
// one that data says: it is an expression of type index, and C's operators mean
// in it what they mean elsewhere. To look at each element before it is read
// costs a pass over all points, so that it is not done where the sizes say
// enough; see RangesComputed.cpp:
//
//  * `A(i / 2)`, of something linear that is never negative by a positive
//    constant, stays inside if and only if `i` stays below twice the dim. That
//    bounds ranges, and is checked of the sizes, as any subscript.
//  * Of sums, products with constants, quotients, remainders, max and min, the
//    least and the greatest value follow from those of the operands. Where both
//    are inside whatever the sizes, nothing is left to look at, nor where a
//    divisor is above zero: `A((i + k) % N)`.
//
// Linear subscripts never get here: they have maps, which contractions need.
//
//===----------------------------------------------------------------------===//

#include "frontend/check/ExprPlaces.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace ein {

namespace {

/// What a subscript, or a part of one, is made of; each holds those before.
enum class Form : uint8_t { Constant, Size, Linear, Computed };

} // namespace

/// As resolveSubscriptName and lowerAffine resolve it.
static Form getNameForm(const DefScope &scope, const IndexTable &table,
                        const ast::Expr &name) {
  if (!name.isLabel && scope.constants.contains(name.text))
    return Form::Constant;
  // An index may be called as a tensor is.
  if (name.isLabel || table.byName.count(name.text) ||
      table.given.count(name.text))
    return Form::Linear;
  if (std::optional<TensorId> tensor = scope.findTensor(name.text);
      tensor && scope.states[tensor->value].hasShape &&
      scope.def[*tensor].dims.empty())
    return Form::Computed;
  auto symbol = scope.symbols.find(name.text);
  if (scope.isImplicit || symbol == scope.symbols.end())
    return Form::Linear;
  return symbol->second.isConstant() ? Form::Constant : Form::Size;
}

static Form getForm(const DefScope &scope, const IndexTable &table,
                    const ast::Expr &subscript) {
  switch (subscript.kind) {
  case ast::Expr::Kind::Number:
  case ast::Expr::Kind::String:
  case ast::Expr::Kind::List:
    return Form::Constant;
  case ast::Expr::Kind::Name:
    return getNameForm(scope, table, subscript);
  case ast::Expr::Kind::Element: {
    const Affine *extent =
        scope.findExtent(subscript.text, subscript.operands[0]->text);
    return extent && !extent->isConstant() ? Form::Size : Form::Constant;
  }
  case ast::Expr::Kind::Call: {
    if (scope.isMinimum(subscript) && scope.findMinimum(subscript))
      return Form::Size;
    if (subscript.text != "dim" || scope.findTensor("dim"))
      return Form::Computed;
    const Affine *extent = subscript.operands.size() == 2
                               ? scope.findExtent(subscript.operands[0]->text,
                                                  subscript.operands[1]->text)
                               : nullptr;
    return extent && !extent->isConstant() ? Form::Size : Form::Constant;
  }
  case ast::Expr::Kind::Cast:
  case ast::Expr::Kind::Conditional:
  case ast::Expr::Kind::Reduce:
    return Form::Computed;
  case ast::Expr::Kind::Unary:
    return subscript.op == TokenKind::Minus
               ? getForm(scope, table, *subscript.operands[0])
               : Form::Computed;
  case ast::Expr::Kind::Binary:
    break;
  }
  Form lhs = getForm(scope, table, *subscript.operands[0]);
  Form rhs = getForm(scope, table, *subscript.operands[1]);
  switch (subscript.op) {
  case TokenKind::Plus:
  case TokenKind::Minus:
    return std::max(lhs, rhs);
  case TokenKind::Star:
    if (std::min(lhs, rhs) == Form::Constant)
      return std::max(lhs, rhs);
    return std::max(lhs, rhs) == Form::Size && scope.findProduct(subscript)
               ? Form::Size
               : Form::Computed;
  case TokenKind::Slash:
  case TokenKind::Percent:
    return rhs == Form::Constant && lhs <= Form::Size ? lhs : Form::Computed;
  default:
    return Form::Computed;
  }
}

bool isComputed(const DefScope &scope, const IndexTable &table,
                const ast::Expr &subscript) {
  return getForm(scope, table, subscript) == Form::Computed;
}

std::optional<int64_t> getConstant(const Expr &expr) {
  if (expr.kind == ExprKind::Literal && expr.type == ElementType::Index)
    return expr.integer;
  if (expr.kind == ExprKind::Position && expr.subscripts[0].isConstant())
    return expr.subscripts[0].getConstant();
  return std::nullopt;
}

std::optional<QuotientPlace> getQuotient(const Def &def, ExprId place) {
  const Expr &expr = def[place];
  if (expr.kind != ExprKind::Binary || expr.binary != BinaryFn::Div ||
      def[expr.lhs].kind != ExprKind::Position)
    return std::nullopt;
  const Affine &dividend = def[expr.lhs].subscripts.front();
  std::optional<int64_t> divisor = getConstant(def[expr.rhs]);
  bool isUp =
      llvm::all_of(dividend.getIndexTerms(), [](const Affine::IndexTerm &term) {
        return term.coefficient > 0;
      });
  if (!divisor || *divisor <= 0 || !isUp ||
      !isNonNegative(def, dividend.withoutIndices()))
    return std::nullopt;
  return QuotientPlace{dividend, *divisor};
}

} // namespace ein
