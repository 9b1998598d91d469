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
// enough:
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

#include "frontend/check/Statement.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace ein {

//===----------------------------------------------------------------------===//
// Before lowering
//===----------------------------------------------------------------------===//

/// As resolveSubscriptName and lowerAffine resolve it.
StatementChecker::Form
StatementChecker::getNameForm(const ast::Expr &name) const {
  if (!name.isLabel && scope.constants.contains(name.text))
    return Form::Constant;
  // An index may be called as a tensor is.
  if (name.isLabel || indices.count(name.text) || ranges.count(name.text))
    return Form::Linear;
  if (std::optional<TensorId> tensor = scope.findTensor(name.text);
      tensor && scope[*tensor].hasShape && scope.def[*tensor].dims.empty())
    return Form::Computed;
  auto symbol = scope.symbols.find(name.text);
  if (scope.isImplicit || symbol == scope.symbols.end())
    return Form::Linear;
  return symbol->second.isConstant() ? Form::Constant : Form::Size;
}

/// Whether a subscript is linear, or there is an access, a function or the like
/// in it. What is wrong is for those to say that lower it.
StatementChecker::Form
StatementChecker::getForm(const ast::Expr &subscript) const {
  switch (subscript.kind) {
  case ast::Expr::Kind::Number:
  case ast::Expr::Kind::String:
  case ast::Expr::Kind::List:
    return Form::Constant;
  case ast::Expr::Kind::Name:
    return getNameForm(subscript);
  case ast::Expr::Kind::Element: {
    const Affine *extent =
        scope.findExtent(subscript.text, subscript.operands[0]->text);
    return extent && !extent->isConstant() ? Form::Size : Form::Constant;
  }
  case ast::Expr::Kind::Call: {
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
    return subscript.op == TokenKind::Minus ? getForm(*subscript.operands[0])
                                            : Form::Computed;
  case ast::Expr::Kind::Binary:
    break;
  }
  Form lhs = getForm(*subscript.operands[0]);
  Form rhs = getForm(*subscript.operands[1]);
  switch (subscript.op) {
  case TokenKind::Plus:
  case TokenKind::Minus:
    return std::max(lhs, rhs);
  case TokenKind::Star:
    return std::min(lhs, rhs) == Form::Constant ? std::max(lhs, rhs)
                                                : Form::Computed;
  case TokenKind::Slash:
  case TokenKind::Percent:
    return rhs == Form::Constant && lhs <= Form::Size ? lhs : Form::Computed;
  default:
    return Form::Computed;
  }
}

/// The first dim of what `pad` and `clamp` read that has the index in it, as
/// `A.0`; nothing if there is none.
std::string StatementChecker::findOutsideDim(IndexId index) const {
  for (const AccessSite &site : outsideSites)
    for (auto [dim, subscript] : llvm::enumerate(site.subscripts))
      if (subscript.getCoefficient(index) != 0)
        for (const auto &tensor : scope.tensors)
          if (tensor.second == site.tensor)
            return (tensor.getKey() + "." + Twine(dim)).str();
  return "";
}

/// A computed subscript bounds nothing; and a misspelt size is an index.
void StatementChecker::explainNoRange(DiagnosticBuilder &builder,
                                      IndexId index) {
  const std::string &name = statement.indices[index.value].name;
  SourceRange range = statement.indices[index.value].range;
  SmallVector<StringRef> known;
  llvm::append_range(known, scope.constants.keys());
  llvm::append_range(known, scope.symbols.keys());
  constexpr size_t minLength = 3;
  if (name.size() >= minLength && findSimilarName(name, known))
    builder.didYouMean(range, name, known);
  else if (computedIndices.contains(name))
    builder.note(DiagId::RangeByWhere, range, {name});
  else if (std::string dim = findOutsideDim(index); !dim.empty())
    builder.note(DiagId::RangeOutside, range, {name, dim});
  else
    builder.note(DiagId::RangeNowhere, range, {name});
}

//===----------------------------------------------------------------------===//
// Quotients
//===----------------------------------------------------------------------===//

/// An integer that is the same at all points and for all sizes.
static std::optional<int64_t> getConstant(const Expr &expr) {
  if (expr.kind == ExprKind::Literal && expr.type == ElementType::Index)
    return expr.integer;
  if (expr.kind == ExprKind::Position && expr.subscripts[0].isConstant())
    return expr.subscripts[0].getConstant();
  return std::nullopt;
}

std::optional<StatementChecker::QuotientPlace>
StatementChecker::getQuotient(ExprId place) const {
  const Expr &expr = scope.def[place];
  if (expr.kind != ExprKind::Binary || expr.binary != BinaryFn::Div ||
      scope.def[expr.lhs].kind != ExprKind::Position)
    return std::nullopt;
  const Affine &dividend = scope.def[expr.lhs].subscripts.front();
  std::optional<int64_t> divisor = getConstant(scope.def[expr.rhs]);
  bool isUp =
      llvm::all_of(dividend.getIndexTerms(), [](const Affine::IndexTerm &term) {
        return term.coefficient > 0;
      });
  if (!divisor || *divisor <= 0 || !isUp ||
      !isNonNegative(scope.def, dividend.withoutIndices()))
    return std::nullopt;
  return QuotientPlace{dividend, *divisor};
}

//===----------------------------------------------------------------------===//
// Once ranges are known
//===----------------------------------------------------------------------===//

/// At a point, each of `indices` has a value: its extent is one at least.
class StatementChecker::IntervalFinder {
public:
  IntervalFinder(const Def &def, const Statement &statement,
                 ArrayRef<IndexId> indices)
      : def(def), statement(statement), indices(indices) {}

  std::optional<Interval> find(ExprId id) const;
  /// Never negative where there is a point.
  bool holds(const Affine &expr) const;
  bool isAtLeast(const Interval &interval, int64_t least) const {
    return llvm::all_of(interval.least, [&](const Affine &bound) {
      return holds(bound - Affine(least));
    });
  }
  bool isBelow(const Interval &interval, const Affine &end) const {
    return llvm::all_of(interval.most, [&](const Affine &bound) {
      return holds(end - Affine(1) - bound);
    });
  }

private:
  using Bounds = SmallVector<Affine, 1>;
  static Bounds combine(const Bounds &lhs, const Bounds &rhs, int64_t factor);
  std::optional<Interval> findProduct(const Interval &lhs,
                                      const Interval &rhs) const;
  std::optional<Interval> findQuotient(const Interval &lhs,
                                       const Interval &rhs) const;
  std::optional<Interval> findRemainder(const Interval &lhs,
                                        const Interval &rhs) const;
  Interval findMax(const Interval &lhs, const Interval &rhs) const;
  Interval findMin(const Interval &lhs, const Interval &rhs) const;
  std::optional<Interval> findBinary(BinaryFn fn, const Interval &lhs,
                                     const Interval &rhs) const;

  const Def &def;
  const Statement &statement;
  ArrayRef<IndexId> indices;
};

bool StatementChecker::IntervalFinder::holds(const Affine &expr) const {
  return isNonNegative(def, expr) || llvm::any_of(indices, [&](IndexId id) {
           const Affine &extent = statement.indices[id.value].extent;
           return isNonNegative(def, expr - (extent - Affine(1)));
         });
}

/// Each of `lhs` plus `factor` times each of `rhs`.
StatementChecker::IntervalFinder::Bounds
StatementChecker::IntervalFinder::combine(const Bounds &lhs, const Bounds &rhs,
                                          int64_t factor) {
  Bounds result;
  for (const Affine &a : lhs)
    for (const Affine &b : rhs)
      result.push_back(a + b * factor);
  return result;
}

/// The number that is all of an interval.
static std::optional<int64_t> getNumber(ArrayRef<Affine> least,
                                        ArrayRef<Affine> most) {
  if (least.size() == 1 && most.size() == 1 && least[0] == most[0] &&
      least[0].isConstant() && !least[0].hasOverflowed())
    return least[0].getConstant();
  return std::nullopt;
}

std::optional<StatementChecker::Interval>
StatementChecker::IntervalFinder::findProduct(const Interval &lhs,
                                              const Interval &rhs) const {
  std::optional<int64_t> factor = getNumber(lhs.least, lhs.most);
  const Interval &other = factor ? rhs : lhs;
  if (!factor)
    factor = getNumber(rhs.least, rhs.most);
  if (!factor)
    return std::nullopt;
  Bounds zero = {Affine(0)};
  Interval product = {combine(zero, other.least, *factor),
                      combine(zero, other.most, *factor)};
  if (*factor < 0)
    std::swap(product.least, product.most);
  return product;
}

std::optional<StatementChecker::Interval>
StatementChecker::IntervalFinder::findQuotient(const Interval &lhs,
                                               const Interval &rhs) const {
  std::optional<int64_t> divisor = getNumber(rhs.least, rhs.most);
  if (!divisor || *divisor <= 0 || !isAtLeast(lhs, 0))
    return std::nullopt;
  Interval quotient = {{Affine(0)}, {}};
  // What is divided is more in any case.
  for (const Affine &most : lhs.most)
    quotient.most.push_back(floorDivide(most, *divisor).value_or(most));
  return quotient;
}

/// By what is above zero.
std::optional<StatementChecker::Interval>
StatementChecker::IntervalFinder::findRemainder(const Interval &lhs,
                                                const Interval &rhs) const {
  if (!isAtLeast(lhs, 0) || !isAtLeast(rhs, 1))
    return std::nullopt;
  return Interval{{Affine(0)}, combine(rhs.most, {Affine(1)}, -1)};
}

/// What one operand is at least is enough; what both are at most, it takes.
StatementChecker::Interval
StatementChecker::IntervalFinder::findMax(const Interval &lhs,
                                          const Interval &rhs) const {
  Interval result = {isAtLeast(lhs, 0) ? lhs.least : rhs.least, lhs.most};
  llvm::append_range(result.most, rhs.most);
  return result;
}

StatementChecker::Interval
StatementChecker::IntervalFinder::findMin(const Interval &lhs,
                                          const Interval &rhs) const {
  bool isLeft = llvm::all_of(rhs.most, [&](const Affine &bound) {
    return isBelow(lhs, bound + Affine(1));
  });
  Interval result = {lhs.least, isLeft ? lhs.most : rhs.most};
  llvm::append_range(result.least, rhs.least);
  return result;
}

std::optional<StatementChecker::Interval>
StatementChecker::IntervalFinder::findBinary(BinaryFn fn, const Interval &lhs,
                                             const Interval &rhs) const {
  switch (fn) {
  case BinaryFn::Add:
    return Interval{combine(lhs.least, rhs.least, 1),
                    combine(lhs.most, rhs.most, 1)};
  case BinaryFn::Sub:
    return Interval{combine(lhs.least, rhs.most, -1),
                    combine(lhs.most, rhs.least, -1)};
  case BinaryFn::Mul:
    return findProduct(lhs, rhs);
  case BinaryFn::Div:
    return findQuotient(lhs, rhs);
  case BinaryFn::Rem:
    return findRemainder(lhs, rhs);
  case BinaryFn::Max:
    return findMax(lhs, rhs);
  case BinaryFn::Min:
    return findMin(lhs, rhs);
  default:
    return std::nullopt;
  }
}

std::optional<StatementChecker::Interval>
StatementChecker::IntervalFinder::find(ExprId id) const {
  const Expr &expr = def[id];
  if (std::optional<int64_t> constant = getConstant(expr))
    return Interval{{Affine(*constant)}, {Affine(*constant)}};
  if (expr.kind == ExprKind::Position) {
    auto getExtent = [&](IndexId index) {
      return statement.indices[index.value].extent;
    };
    const Affine &value = expr.subscripts.front();
    return Interval{{getExtreme(value, /*isMax=*/false, getExtent)},
                    {getExtreme(value, /*isMax=*/true, getExtent)}};
  }
  if (expr.type != ElementType::Index || expr.kind != ExprKind::Binary)
    return std::nullopt;
  std::optional<Interval> lhs = find(expr.lhs);
  std::optional<Interval> rhs = lhs ? find(expr.rhs) : std::nullopt;
  if (!rhs)
    return std::nullopt;
  std::optional<Interval> result = findBinary(expr.binary, *lhs, *rhs);
  // Sums of many would have more and more.
  constexpr size_t maxBounds = 4;
  if (result && std::max(result->least.size(), result->most.size()) > maxBounds)
    return std::nullopt;
  return result;
}

/// Marks the places that cannot be outside, and the divisions in places that
/// cannot be by zero.
void StatementChecker::findSafePlaces(ExprId id) {
  const Expr &expr = scope.def[id];
  for (size_t dim = 0; dim != expr.places.size(); ++dim) {
    ExprId place = expr.places[dim];
    if (scope.def[place].kind == ExprKind::Position)
      continue;
    SmallVector<IndexId> found = collectIndices(place);
    IntervalFinder finder(scope.def, statement, found);
    if (std::optional<Interval> interval = finder.find(place))
      scope.def.exprs[place.value].isInside |=
          finder.isAtLeast(*interval, 0) &&
          finder.isBelow(*interval, scope.def[expr.tensor].dims[dim]);
    std::vector<ExprId> work = {place};
    while (!work.empty()) {
      Expr &part = scope.def.exprs[work.back().value];
      work.pop_back();
      llvm::append_range(work, part.getOperands());
      if (part.kind != ExprKind::Binary || !isDivision(part.binary, part.type))
        continue;
      std::optional<Interval> divisor = finder.find(part.rhs);
      part.isByNonZero = divisor && finder.isAtLeast(*divisor, 1);
    }
  }
  for (ExprId operand : expr.getOperands())
    findSafePlaces(operand);
}

} // namespace ein
