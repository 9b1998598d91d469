//===- ParseUpdates.cpp - Several updates in one comprehension ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ods-gen's `B(m), C(m) = A(m) + 1, B(m) * 2;` makes its updates at once: `C`
// gets what `B` held before. They become statements, in an order in which each
// reads what it would have read. There is none where two read each other, nor
// where one accumulates what another reads: what that one sees would depend on
// the order of the points.
//
//===----------------------------------------------------------------------===//

#include "frontend/parse/OdsNotation.h"
#include "frontend/parse/ParserImpl.h"
#include "llvm/ADT/STLExtras.h"
#include <functional>

using namespace llvm;

namespace ein {

/// id subscripts? (',' id subscripts?)+ '=', with subscripts somewhere or with
/// a list of values. A call of a def has several names and one value.
bool Parser::isAtUpdates() const {
  constexpr size_t maxLength = 256; // as in other looks ahead
  size_t ahead = 0;
  bool hasSubscripts = false;
  auto skipParentheses = [&] {
    for (size_t depth = 0; ahead < maxLength; ++ahead) {
      depth += is(TokenKind::LParen, ahead);
      depth -= is(TokenKind::RParen, ahead);
      if (depth == 0)
        break;
    }
    ++ahead;
  };
  size_t numTargets = 0;
  while (true) {
    if (!is(TokenKind::Identifier, ahead))
      return false;
    ++ahead;
    ++numTargets;
    if (is(TokenKind::LParen, ahead)) {
      hasSubscripts = true;
      skipParentheses();
    }
    if (!is(TokenKind::Comma, ahead))
      break;
    ++ahead;
  }
  if (numTargets < 2 || !is(TokenKind::Assign, ahead))
    return false;
  if (hasSubscripts)
    return true;
  for (++ahead; ahead < maxLength; ++ahead) {
    if (is(TokenKind::Comma, ahead))
      return true;
    if (is(TokenKind::LParen, ahead))
      skipParentheses();
    if (is(TokenKind::EndOfFile, ahead) || is(TokenKind::Semicolon, ahead) ||
        is(TokenKind::RBrace, ahead) || peek(ahead).startsLine)
      return false;
  }
  return false;
}

/// Whether `expr` names `tensor`.
static bool reads(const ast::Expr &expr, const std::string &tensor) {
  bool isIt = (expr.kind == ast::Expr::Kind::Name ||
               expr.kind == ast::Expr::Kind::Call) &&
              expr.text == tensor;
  return isIt || llvm::any_of(expr.operands, [&](const ast::ExprPtr &operand) {
           return reads(*operand, tensor);
         });
}

/// Those that read what another writes come before it.
LogicalResult Parser::orderUpdates(std::vector<ast::Statement> &updates) {
  auto dependsOn = [&](const ast::Statement &reader,
                       const ast::Statement &writer) {
    return &reader != &writer && reads(*reader.value, writer.target.text);
  };
  std::vector<ast::Statement> ordered;
  while (!updates.empty()) {
    auto free = llvm::find_if(updates, [&](const ast::Statement &writer) {
      return llvm::none_of(updates, [&](const ast::Statement &reader) {
        return dependsOn(reader, writer);
      });
    });
    auto stuck = free == updates.end() ? updates.begin() : free;
    bool accumulates = stuck->value->kind == ast::Expr::Kind::Reduce &&
                       llvm::any_of(ordered, [&](const ast::Statement &reader) {
                         return dependsOn(reader, *stuck);
                       });
    if (free == updates.end() || accumulates)
      return diags.report(DiagId::UpdatesDepend, stuck->target.range,
                          {stuck->target.text});
    ordered.push_back(std::move(*free));
    updates.erase(free);
  }
  updates = std::move(ordered);
  return success();
}

/// target (',' target)+ '=' expr (',' expr)+ clauses
LogicalResult Parser::parseUpdates(std::vector<ast::Statement> &updates) {
  uint32_t begin = peek().range.begin;
  do {
    ast::Statement &update = updates.emplace_back();
    FailureOr<ast::Name> target = expectName("the name of another result");
    if (failed(target))
      return failure();
    update.target = *target;
    if (is(TokenKind::LParen)) {
      FailureOr<std::vector<ast::ExprPtr>> subscripts = parseArguments();
      if (failed(subscripts))
        return failure();
      update.subscripts = std::move(*subscripts);
    }
  } while (consumeIf(TokenKind::Comma));
  SourceRange opRange = take().range;
  size_t numValues = 0;
  do {
    FailureOr<ast::ExprPtr> value = parseExpr();
    if (failed(value))
      return failure();
    if (numValues < updates.size())
      updates[numValues].value = std::move(*value);
    ++numValues;
  } while (consumeIf(TokenKind::Comma));
  auto count = [](size_t number, const char *noun) {
    return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
  };
  if (numValues != updates.size())
    return diags.report(
        DiagId::UpdateCount, opRange,
        {count(updates.size(), "target"), count(numValues, "value")});
  ast::Statement shared;
  if (failed(parseClauses(shared)))
    return failure();
  for (ast::Statement &update : updates) {
    update.opRange = opRange;
    update.range = rangeFrom(begin);
    update.accumulator = shared.accumulator;
    for (const ast::Clause &clause : shared.clauses) {
      update.clauses.push_back({clause.kind, clause.name, {}});
      for (const ast::ExprPtr &operand : clause.operands)
        update.clauses.back().operands.push_back(ast::clone(*operand));
    }
    if (failed(rewriteOdsSelect(update, diags)))
      return failure();
  }
  consumeIf(TokenKind::Semicolon);
  return orderUpdates(updates);
}

LogicalResult Parser::parseStatements(std::vector<ast::Statement> &statements) {
  if (isAtUpdates()) {
    std::vector<ast::Statement> updates;
    if (failed(parseUpdates(updates)))
      return failure();
    llvm::move(updates, std::back_inserter(statements));
    return success();
  }
  FailureOr<ast::Statement> statement = parseStatement();
  if (failed(statement) || failed(rewriteOdsSelect(*statement, diags)))
    return failure();
  statements.push_back(std::move(*statement));
  return success();
}

} // namespace ein
