//===- RewriteCumulative.cpp - Cumulative sums ----------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/check/RewriteCumulative.h"
#include "frontend/check/Statement.h"
#include "frontend/check/Target.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace ein {

namespace {

enum class Operator : uint8_t { Plus, Star, Max, Min };

struct Cumulative {
  StringRef name;
  Operator combine;
  /// What is before the first element; the first itself, if empty.
  StringRef start;
};

class CumulativeRewriter : StatementContext {
public:
  CumulativeRewriter(const StatementContext &context, TensorId target,
                     const ast::Statement &comprehension)
      : StatementContext(context), target(target),
        comprehension(comprehension) {}

  FailureOr<ast::Statement> rewrite();

private:
  LogicalResult check(const ast::Expr &sum) const;
  void collectIndices(const ast::Expr &expr, bool isSubscript,
                      const StringSet<> &hidden,
                      std::vector<const ast::Expr *> &indices) const;
  std::vector<const ast::Expr *> getIndices(const ast::Expr &sum) const;
  bool canBeDirect(const ast::Expr &sum) const;
  ast::ExprPtr makeStep(const ast::Expr &sum, ast::ExprPtr value,
                        const ast::Name &written,
                        ArrayRef<const ast::Expr *> indices) const;
  FailureOr<ast::ExprPtr> rewrite(const ast::Expr &expr);
  FailureOr<ast::ExprPtr> replace(const ast::Expr &sum);

  TensorId target;
  const ast::Statement &comprehension;
};

} // namespace

static const Cumulative *findCumulative(const ast::Expr &expr) {
  static constexpr Cumulative all[] = {
#define EIN_CUMULATIVE(SPELLING, OPERATOR, START)                              \
  {SPELLING, Operator::OPERATOR, START},
#include "frontend/program/Functions.def"
  };
  if (expr.kind != ast::Expr::Kind::Reduce)
    return nullptr;
  const auto *found = llvm::find_if(
      all, [&](const Cumulative &each) { return each.name == expr.text; });
  return found == std::end(all) ? nullptr : found;
}

static bool hasCumulative(const ast::Expr &expr) {
  return findCumulative(expr) ||
         llvm::any_of(expr.operands, [](const ast::ExprPtr &operand) {
           return hasCumulative(*operand);
         });
}

bool hasCumulative(const ast::Statement &comprehension) {
  return hasCumulative(*comprehension.value) ||
         llvm::any_of(comprehension.clauses, [](const ast::Clause &clause) {
           return llvm::any_of(clause.operands,
                               [](const ast::ExprPtr &operand) {
                                 return hasCumulative(*operand);
                               });
         });
}

LogicalResult CumulativeRewriter::check(const ast::Expr &sum) const {
  if (sum.operands.size() != 1)
    return diags.report(
        DiagId::WrongArity, sum.nameRange,
        {sum.text, "1 argument", std::to_string(sum.operands.size())});
  if (sum.indices.size() != 1)
    return diags.report(DiagId::CumulativeIndices, sum.nameRange, {sum.text});
  const ast::Expr &index = *sum.indices.front();
  if (std::optional<StringRef> noun = scope.getConstantNoun(index.text))
    return diags.report(DiagId::SizeReduced, index.range,
                        {index.text, noun->str()});
  for (const ast::Clause &clause : comprehension.clauses)
    if (clause.kind == ast::Clause::Kind::Range &&
        clause.name.text == index.text)
      return diags.report(DiagId::CumulativeRange, clause.name.range,
                          {sum.text, index.text});
  return success();
}

/// Names of indices in the order of the text; not those of reductions inside.
void CumulativeRewriter::collectIndices(
    const ast::Expr &expr, bool isSubscript, const StringSet<> &hidden,
    std::vector<const ast::Expr *> &indices) const {
  if (expr.kind == ast::Expr::Kind::Name && isSubscript &&
      !hidden.contains(expr.text) && isTargetIndex(scope, expr) &&
      !scope.constants.contains(expr.text))
    indices.push_back(&expr);
  StringSet<> inner = hidden;
  if (!findCumulative(expr))
    for (const ast::ExprPtr &index : expr.indices)
      inner.insert(index->text);
  bool isAccess = expr.kind == ast::Expr::Kind::Call &&
                  scope.findTensor(expr.text).has_value();
  for (const ast::ExprPtr &operand : expr.operands)
    collectIndices(*operand, isSubscript || isAccess, inner, indices);
}

/// Those on the left first, so that the loops are those of the statement.
std::vector<const ast::Expr *>
CumulativeRewriter::getIndices(const ast::Expr &sum) const {
  StringSet<> hidden, used, taken;
  std::vector<const ast::Expr *> read, left, result;
  collectIndices(*sum.operands.front(), /*isSubscript=*/false, hidden, read);
  read.push_back(sum.indices.front().get());
  for (const ast::Expr *index : read)
    used.insert(index->text);
  if (comprehension.subscripts)
    for (const ast::ExprPtr &subscript : *comprehension.subscripts)
      collectIndices(*subscript, /*isSubscript=*/true, hidden, left);
  for (const ast::Expr *index : left)
    if (used.contains(index->text) && taken.insert(index->text).second)
      result.push_back(index);
  for (const ast::Expr *index : read)
    if (taken.insert(index->text).second)
      result.push_back(index);
  return result;
}

/// `op(pad(t(i - 1, j), 0), x)`.
ast::ExprPtr
CumulativeRewriter::makeStep(const ast::Expr &sum, ast::ExprPtr value,
                             const ast::Name &written,
                             ArrayRef<const ast::Expr *> indices) const {
  const Cumulative &cumulative = *findCumulative(sum);
  auto makeBinary = [&](TokenKind op, ast::ExprPtr lhs, ast::ExprPtr rhs) {
    auto binary = std::make_unique<ast::Expr>();
    binary->kind = ast::Expr::Kind::Binary;
    binary->op = op;
    binary->range = binary->nameRange = sum.range;
    binary->height = std::max(lhs->height, rhs->height) + 1;
    binary->operands.push_back(std::move(lhs));
    binary->operands.push_back(std::move(rhs));
    return ast::ExprPtr(std::move(binary));
  };
  auto makeNumber = [&](StringRef digits) {
    auto number = std::make_unique<ast::Expr>();
    number->kind = ast::Expr::Kind::Number;
    number->text = digits.str();
    number->op = TokenKind::Integer;
    number->range = number->nameRange = sum.range;
    return ast::ExprPtr(std::move(number));
  };
  std::vector<ast::ExprPtr> subscripts;
  for (const ast::Expr *index : indices) {
    subscripts.push_back(ast::clone(*index));
    if (index->text == sum.indices.front()->text)
      subscripts.back() = makeBinary(
          TokenKind::Minus, std::move(subscripts.back()), makeNumber("1"));
  }
  std::vector<ast::ExprPtr> padded;
  padded.push_back(ast::makeCall({written.text, sum.range}, sum.range,
                                 std::move(subscripts)));
  padded.push_back(cumulative.start.empty() ? ast::clone(*value)
                                            : makeNumber(cumulative.start));
  ast::ExprPtr before =
      ast::makeCall({"pad", sum.range}, sum.range, std::move(padded));
  if (cumulative.combine == Operator::Plus)
    return makeBinary(TokenKind::Plus, std::move(before), std::move(value));
  if (cumulative.combine == Operator::Star)
    return makeBinary(TokenKind::Star, std::move(before), std::move(value));
  std::vector<ast::ExprPtr> operands;
  operands.push_back(std::move(before));
  operands.push_back(std::move(value));
  return ast::makeCall(
      {cumulative.combine == Operator::Max ? "max" : "min", sum.nameRange},
      sum.range, std::move(operands));
}

/// A statement before this one, and what it writes.
FailureOr<ast::ExprPtr> CumulativeRewriter::replace(const ast::Expr &sum) {
  if (failed(check(sum)))
    return failure();
  FailureOr<ast::ExprPtr> value = rewrite(*sum.operands.front());
  if (failed(value))
    return failure();
  std::vector<const ast::Expr *> indices = getIndices(sum);
  ast::Statement before;
  before.target = {scope.makeTemporaryName(source.target.text + "_" + sum.text),
                   sum.nameRange};
  before.op = TokenKind::Assign;
  before.opRange = source.opRange;
  before.range = source.range;
  before.value = makeStep(sum, std::move(*value), before.target, indices);
  before.subscripts.emplace();
  std::vector<ast::ExprPtr> read;
  for (const ast::Expr *index : indices) {
    before.subscripts->push_back(ast::clone(*index));
    read.push_back(ast::clone(*index));
  }
  for (const ast::Clause &clause : comprehension.clauses) {
    bool isNeeded = clause.kind == ast::Clause::Kind::Range &&
                    llvm::any_of(indices, [&](const ast::Expr *index) {
                      return index->text == clause.name.text;
                    });
    if (!isNeeded)
      continue;
    before.clauses.push_back({clause.kind, clause.name, {}});
    for (const ast::ExprPtr &operand : clause.operands)
      before.clauses.back().operands.push_back(ast::clone(*operand));
  }
  checkStatement(scope, before, isPartOfEinsum);
  return ast::makeCall({before.target.text, sum.nameRange}, sum.range,
                       std::move(read));
}

FailureOr<ast::ExprPtr> CumulativeRewriter::rewrite(const ast::Expr &expr) {
  if (findCumulative(expr))
    return replace(expr);
  ast::ExprPtr copy = ast::cloneNode(expr);
  for (const ast::ExprPtr &operand : expr.operands) {
    FailureOr<ast::ExprPtr> own = rewrite(*operand);
    if (failed(own))
      return failure();
    copy->height = std::max(copy->height, (*own)->height + 1);
    copy->operands.push_back(std::move(*own));
  }
  return copy;
}

/// Whether the target may be what the recurrence writes: a new one whose
/// elements accumulate in their own type, at the same indices.
bool CumulativeRewriter::canBeDirect(const ast::Expr &sum) const {
  const TensorState &state = scope.states[target.value];
  if (!findCumulative(sum) || sum.operands.size() != 1 ||
      sum.indices.size() != 1 || comprehension.op != TokenKind::Assign ||
      !comprehension.subscripts || !comprehension.clauses.empty() ||
      source.accumulator || scope.isWritten(target) ||
      scope.getRole(target) == TensorRole::InOut ||
      hasCumulative(*sum.operands.front()) ||
      (state.hasType &&
       getAccumulator(scope.def[target].type) != scope.def[target].type))
    return false;
  std::vector<const ast::Expr *> indices = getIndices(sum);
  return indices.size() == comprehension.subscripts->size() &&
         llvm::all_of(llvm::zip(indices, *comprehension.subscripts),
                      [](auto pair) {
                        const ast::Expr &left = *std::get<1>(pair);
                        return left.kind == ast::Expr::Kind::Name &&
                               std::get<0>(pair)->text == left.text;
                      });
}

FailureOr<ast::Statement> CumulativeRewriter::rewrite() {
  ast::Statement result;
  result.target = comprehension.target;
  result.op = comprehension.op;
  result.opRange = comprehension.opRange;
  result.range = comprehension.range;
  result.groups = comprehension.groups;
  if (comprehension.subscripts) {
    result.subscripts.emplace();
    for (const ast::ExprPtr &subscript : *comprehension.subscripts)
      result.subscripts->push_back(ast::clone(*subscript));
  }
  const ast::Expr &value = *comprehension.value;
  if (canBeDirect(value)) {
    if (failed(check(value)))
      return failure();
    result.value = makeStep(value, ast::clone(*value.operands.front()),
                            comprehension.target, getIndices(value));
    return result;
  }
  FailureOr<ast::ExprPtr> rewritten = rewrite(value);
  if (failed(rewritten))
    return failure();
  result.value = std::move(*rewritten);
  for (const ast::Clause &clause : comprehension.clauses) {
    result.clauses.push_back({clause.kind, clause.name, {}});
    for (const ast::ExprPtr &operand : clause.operands) {
      FailureOr<ast::ExprPtr> own = rewrite(*operand);
      if (failed(own))
        return failure();
      result.clauses.back().operands.push_back(std::move(*own));
    }
  }
  return result;
}

FailureOr<ast::Statement>
rewriteCumulative(const StatementContext &context, TensorId target,
                  const ast::Statement &comprehension) {
  return CumulativeRewriter(context, target, comprehension).rewrite();
}

} // namespace ein
