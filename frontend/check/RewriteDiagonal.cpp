//===- RewriteDiagonal.cpp - Rewrites: diagonals --------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `D(i, i) = A(i, k) * B(k, i)` writes few elements and clears many. If it were
// one statement, whoever computes the product would have to look for points off
// the diagonal. So it is two,
//
//     let D_diagonal(i) = A(i, k) * B(k, i)
//     D(i, i) = D_diagonal(i)
//
// the first like any other, the second always of this form. The temporary has
// the accumulator's type, so that there is one rounding, as without it.
//
//===----------------------------------------------------------------------===//

#include "frontend/check/RewriteDiagonal.h"
#include "frontend/check/RewriteEinsum.h"
#include "frontend/check/Statement.h"
#include "frontend/check/Target.h"
#include "frontend/check/UpdateType.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein {

static bool isName(const ast::ExprPtr &expr) {
  return expr->kind == ast::Expr::Kind::Name;
}

bool isDiagonalToSplit(const DefScope &scope,
                       const ast::Statement &comprehension) {
  StringSet<> names;
  bool repeats = false;
  if (comprehension.subscripts)
    for (const ast::ExprPtr &subscript : *comprehension.subscripts) {
      if (!isTargetIndex(scope, *subscript))
        return false;
      repeats |= !names.insert(subscript->text).second;
    }
  const ast::Expr &value = *comprehension.value;
  bool isAccess =
      (value.kind == ast::Expr::Kind::Call ||
       value.kind == ast::Expr::Kind::Name) &&
      scope.findTensor(value.text) &&
      llvm::all_of(value.operands, [&](const ast::ExprPtr &operand) {
        return isName(operand) && names.contains(operand->text);
      });
  bool hasCondition =
      llvm::any_of(comprehension.clauses, [](const ast::Clause &clause) {
        return clause.kind == ast::Clause::Kind::Condition;
      });
  return repeats && (!isAccess || hasCondition);
}

/// The assignment that starts from the identity.
static TokenKind getFreshUpdate(TokenKind op) {
  switch (op) {
  case TokenKind::AddAssign:
    return TokenKind::AddInit;
  case TokenKind::MulAssign:
    return TokenKind::MulInit;
  case TokenKind::MaxAssign:
    return TokenKind::MaxInit;
  case TokenKind::MinAssign:
    return TokenKind::MinInit;
  case TokenKind::AndAssign:
    return TokenKind::AndInit;
  case TokenKind::OrAssign:
    return TokenKind::OrInit;
  case TokenKind::XorAssign:
    return TokenKind::XorInit;
  default:
    return op;
  }
}

FailureOr<ast::Statement> splitDiagonal(const StatementContext &context,
                                        TensorId target,
                                        const ast::Statement &comprehension) {
  DefScope &scope = context.scope;
  const ast::Statement &source = context.source;
  FailureOr<std::optional<ElementType>> accumulator =
      resolveAccumulator(context);
  if (failed(accumulator))
    return failure();
  if (!*accumulator && scope[target].hasType)
    *accumulator = getAccumulator(scope.def[target].type);

  std::string name = scope.makeTemporaryName(source.target.text + "_diagonal");
  ast::Statement compact;
  compact.target = {name, source.target.range};
  compact.op = getFreshUpdate(source.op);
  compact.opRange = source.opRange;
  compact.range = source.range;
  compact.groups = comprehension.groups;
  if (*accumulator)
    compact.accumulator = {getSpelling(**accumulator).str(), source.opRange};
  compact.value = ast::clone(*comprehension.value);
  std::vector<ast::ExprPtr> indices, places, dims;
  StringSet<> names;
  for (auto [dim, subscript] : llvm::enumerate(*comprehension.subscripts)) {
    places.push_back(ast::clone(*subscript));
    if (!names.insert(subscript->text).second)
      continue;
    indices.push_back(ast::clone(*subscript));
    dims.push_back(ast::makeElement(source.target.text, dim, subscript->range));
  }
  // The target may be all that says how far an index goes.
  bool hasRange =
      llvm::any_of(comprehension.clauses, [](const ast::Clause &clause) {
        return clause.kind == ast::Clause::Kind::Range;
      });
  if (*accumulator && scope[target].hasShape && !hasRange)
    compact.type =
        ast::Type{*compact.accumulator, std::move(dims), source.target.range};

  ast::Statement diagonal;
  diagonal.target = source.target;
  diagonal.op = source.op;
  diagonal.opRange = source.opRange;
  diagonal.range = source.range;
  diagonal.subscripts = std::move(places);
  std::vector<ast::ExprPtr> read;
  for (const ast::ExprPtr &index : indices)
    read.push_back(ast::clone(*index));
  diagonal.value = ast::makeCall({name, source.value->range},
                                 source.value->range, std::move(read));
  compact.subscripts = std::move(indices);
  for (const ast::Clause &clause : comprehension.clauses) {
    bool isRange = clause.kind == ast::Clause::Kind::Range;
    for (ast::Statement *part : {&compact, &diagonal}) {
      if (part == &diagonal && !(isRange && names.contains(clause.name.text)))
        continue;
      part->clauses.push_back({clause.kind, clause.name, {}});
      for (const ast::ExprPtr &operand : clause.operands)
        part->clauses.back().operands.push_back(ast::clone(*operand));
    }
  }
  checkStatement(scope, compact, /*isPartOfEinsum=*/isEinsum(context));
  return diagonal;
}

} // namespace ein
