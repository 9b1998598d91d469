//===- ParseStatement.cpp - Tokens to a tree: statements ------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Statements need no separator, so finding the next one after a mistake is a
// guess: a `;`, a line that begins the way only statements do, with a left side
// and an assignment, or a line that begins with a name and is indented no
// further than the statement that failed. A continuation line is neither, and
// so is not reported once more.
//
//===----------------------------------------------------------------------===//

#include "frontend/parse/ParserImpl.h"

using namespace llvm;

namespace ein {

/// `let` and `tmp` are words of the language only before a name.
bool Parser::isAtLet() const {
  return (isWord("let") || isWord("tmp")) &&
         (is(TokenKind::Identifier, 1) || is(TokenKind::MaxAssign, 1) ||
          is(TokenKind::MinAssign, 1));
}

FailureOr<ast::Statement> Parser::parseStatement() {
  if (failed(refuseForeignStatement()))
    return failure();
  ast::Statement statement;
  uint32_t begin = peek().range.begin;
  if (isAtLet())
    statement.let = take().range;
  if (failed(parseLeftSide(statement)))
    return failure();
  FailureOr<ast::ExprPtr> value = parseExpr();
  if (failed(value) || failed(parseClauses(statement)))
    return failure();
  if (statement.op == TokenKind::SubAssign) {
    reportSubtraction(statement.opRange, (*value)->range);
    statement.op = TokenKind::AddAssign;
  } else if (statement.op == TokenKind::DivAssign) {
    reportUpdate(statement, (*value)->range);
    statement.op = TokenKind::MulAssign; // has the same types
  }
  if (is(TokenKind::Error) && !peek().startsLine)
    return failure(); // it goes on with what the lexer has complained of
  statement.value = std::move(*value);
  statement.range = rangeFrom(begin);
  consumeIf(TokenKind::Semicolon);
  return statement;
}

/// id (':' type)? ('(' subscripts ')')? assignment
LogicalResult Parser::parseLeftSide(ast::Statement &statement) {
  // The lexer glues `max=A(i)`; where a name must stand, it assigns to `max`.
  if (is(TokenKind::MaxAssign) || is(TokenKind::MinAssign)) {
    SourceRange range = take().range;
    statement.target.range = {range.begin, range.end - 1};
    statement.target.text = buffer.file->getText(statement.target.range).str();
    statement.opRange = {range.end - 1, range.end};
    return success();
  }
  if (is(TokenKind::RParen) || is(TokenKind::RSquare))
    return refuseClosing();
  if (is(TokenKind::LParen) && position != 0 && !peek().startsLine &&
      previous().kind == TokenKind::RParen)
    return refuseSecondSubscripts();
  if (!is(TokenKind::Identifier))
    return reportMisplaced("a statement");
  if (failed(refuseForeignWord()))
    return failure();
  size_t start = position;
  const Token &target = take();
  statement.target = {text(target), target.range};
  while (consumeIf(TokenKind::Comma)) {
    FailureOr<ast::Name> next = expectName("the name of another result");
    if (failed(next))
      return failure();
    statement.moreTargets.push_back(*next);
  }
  if (!statement.moreTargets.empty()) {
    if (is(TokenKind::Assign))
      return parseAssignment(statement);
    return reportExpected("`=` and a call");
  }
  bool isWalrus = is(TokenKind::Colon) && is(TokenKind::Assign, 1) &&
                  peek(1).range.begin == peek().range.end;
  if (!isWalrus && consumeIf(TokenKind::Colon)) {
    FailureOr<ast::Type> type = parseType();
    if (failed(type))
      return failure();
    statement.type = std::move(*type);
  }
  if (is(TokenKind::LSquare))
    return refuseSquare("subscripts");
  if (is(TokenKind::LParen)) {
    FailureOr<std::vector<ast::ExprPtr>> subscripts = parseArguments();
    if (failed(subscripts))
      return failure();
    statement.subscripts = std::move(*subscripts);
  }
  uint32_t begin = peek().range.begin;
  if (takeForeignUpdate(statement))
    return success();
  if (is(TokenKind::Plus) && is(TokenKind::Plus, 1) &&
      peek(1).range.begin == peek().range.end) {
    SourceRange range = {take().range.begin, take().range.end};
    return reportWrittenAs(range, "+= 1").fixIt(range, " += 1");
  }
  if (std::optional<TokenKind> op = takeForeignAssignment()) {
    statement.op = *op;
    statement.opRange = rangeFrom(begin);
    return success();
  }
  return isAssignment(peek().kind) ? parseAssignment(statement)
                                   : reportMissingAssignment(statement, start);
}

/// What follows an expression on its line is more likely to be an operand
/// whose operator is missing than a statement.
LogicalResult Parser::reportMissingAssignment(const ast::Statement &statement,
                                              size_t target) {
  if (target != 0 && !statement.let && !buffer.tokens[target].startsLine) {
    TokenKind before = buffer.tokens[target - 1].kind;
    bool isValue = before == TokenKind::Integer || before == TokenKind::Float ||
                   before == TokenKind::RParen;
    if (isValue || before == TokenKind::Identifier) {
      DiagnosticBuilder builder =
          diags.report(DiagId::Expected, statement.target.range,
                       {"an operator", "`" + statement.target.text + "`"});
      // `2 A(i, j)` and `A(i, k) B(k, j)` are products.
      if (isValue && statement.subscripts)
        builder.fixIt(
            {statement.target.range.begin, statement.target.range.begin}, "* ");
      return builder;
    }
  }
  return reportExpected("`=` or an update such as `+=!`");
}

LogicalResult Parser::parseAssignment(ast::Statement &statement) {
  const Token &token = peek();
  switch (token.kind) {
  case TokenKind::TcEquation:
    return diags.report(DiagId::NotInLanguage, token.range, {"TC's `<=>`"});
  default:
    break;
  }
  statement.op = token.kind;
  statement.opRange = take().range;
  // `-=!`, after `+=!`
  if (token.kind == TokenKind::SubAssign && is(TokenKind::Not) &&
      peek().range.begin == token.range.end)
    statement.opRange.end = take().range.end;
  return success();
}

bool startsAccumulator(const TokenBuffer &buffer, size_t position) {
  auto at = [&](size_t ahead) -> const Token & {
    return buffer.tokens[std::min(position + ahead, buffer.tokens.size() - 1)];
  };
  if (buffer.getText(at(0)) != "acc" || at(1).kind != TokenKind::Assign ||
      at(2).kind != TokenKind::Identifier || at(3).kind == TokenKind::LParen)
    return false;
  if (!at(0).startsLine)
    return true;
  bool ends = at(3).startsLine || at(3).kind == TokenKind::RBrace ||
              at(3).kind == TokenKind::Semicolon;
  return ends && parseElementType(buffer.getText(at(2)));
}

bool Parser::isAtAccumulator() const {
  return startsAccumulator(buffer, position);
}

/// `acc = f32` and `where …` may follow an expression. Both words may also be
/// the next statement's target.
LogicalResult Parser::parseClauses(ast::Statement &statement) {
  if (isAtAccumulator()) {
    take();
    take();
    const Token &type = take();
    statement.accumulator = {text(type), type.range};
  }
  if (!takeForeignWhere()) {
    if (!isWord("where") || looksLikeStatement(position))
      return success();
    take();
  }
  do {
    FailureOr<ast::Clause> clause = parseClause();
    if (failed(clause))
      return failure();
    statement.clauses.push_back(std::move(*clause));
  } while (consumeIf(TokenKind::Comma) || consumeAnd());
  return success();
}

/// `and` or `&&` after a range.
bool Parser::consumeAnd() {
  if (!is(TokenKind::AndAnd) && !(isWord("and") && isAtForeignOperator()))
    return false;
  reportWrittenAs(peek().range, ",").fixIt(peek().range, ",");
  take();
  return true;
}

/// id 'in' range | id '=' expr | 'exists' access | expr
FailureOr<ast::Clause> Parser::parseClause() {
  ast::Clause clause = {ast::Clause::Kind::Condition, {}, {}};
  if (is(TokenKind::Identifier) && isWord("in", 1)) {
    clause.kind = ast::Clause::Kind::Range;
  } else if (is(TokenKind::Identifier) && is(TokenKind::Assign, 1)) {
    clause.kind = ast::Clause::Kind::Let;
  } else if (isWord("exists") && is(TokenKind::Identifier, 1)) {
    clause.kind = ast::Clause::Kind::Exists;
    take();
  }
  bool hasName = clause.kind == ast::Clause::Kind::Range ||
                 clause.kind == ast::Clause::Kind::Let;
  if (hasName) {
    const Token &name = take();
    clause.name = {text(name), name.range};
    take();
  }
  uint32_t begin = previous().range.begin;
  if (clause.kind == ast::Clause::Kind::Range) {
    if (failed(parseRange(clause)))
      return failure();
    return clause;
  }
  FailureOr<ast::ExprPtr> expr = parseExpr();
  if (failed(expr))
    return failure();
  clause.operands.push_back(std::move(*expr));
  // `i = 0:4`
  if (clause.kind == ast::Clause::Kind::Let && consumeIf(TokenKind::Colon)) {
    reportWrittenAs({begin, begin + 1}, "in").fixIt({begin, begin + 1}, "in");
    FailureOr<ast::ExprPtr> end = parseBinary(getPrecedence(TokenKind::AndAnd));
    if (failed(end))
      return failure();
    clause.kind = ast::Clause::Kind::Range;
    clause.operands.push_back(std::move(*end));
  }
  return clause;
}

/// expr ':' expr ('step' expr)?
LogicalResult Parser::parseRange(ast::Clause &clause) {
  auto parsePart = [&] {
    FailureOr<ast::ExprPtr> part =
        parseBinary(getPrecedence(TokenKind::AndAnd));
    if (succeeded(part))
      clause.operands.push_back(std::move(*part));
    return LogicalResult(part);
  };
  std::optional<SourceRange> bracket;
  if (isAtBracketedRange())
    bracket = take().range;
  if (failed(parsePart()))
    return failure();
  uint32_t end = 0;
  bool hasDots = takeRangeDots(end);
  if (!hasDots && !is(TokenKind::Colon) && !is(TokenKind::Error))
    return reportRange(*clause.operands[0]);
  if ((!hasDots && failed(expect(TokenKind::Colon))) || failed(parsePart()))
    return failure();
  if (bracket && is(TokenKind::RSquare)) {
    SourceRange closing = take().range;
    diags.report(DiagId::RangeForm, {bracket->begin, closing.end})
        .fixIt(*bracket, "")
        .fixIt(closing, "");
  }
  // `0:10:2`
  if (is(TokenKind::Colon)) {
    SourceRange colon = take().range;
    diags.report(DiagId::RangeForm, colon).fixIt(colon, " step ");
    return parsePart();
  }
  if (!isWord("step") || looksLikeStatement(position))
    return success();
  take();
  return parsePart();
}

//===----------------------------------------------------------------------===//
// Where to go on
//===----------------------------------------------------------------------===//

/// `private` or `public` before a def; either may be a name elsewhere.
bool Parser::isVisibility(size_t ahead) const {
  return (isWord("private", ahead) || isWord("public", ahead)) &&
         ((isWord("def", ahead + 1) && (is(TokenKind::Identifier, ahead + 2) ||
                                        is(TokenKind::LParen, ahead + 2))) ||
          (isWord("ods_def", ahead + 1) && is(TokenKind::Less, ahead + 2)));
}

bool Parser::looksLikeDef(size_t at) const {
  size_t ahead = at - position;
  bool hasWord = isVisibility(ahead);
  if (hasWord)
    return looksLikeDef(at + 1);
  return (isWord("def", ahead) && is(TokenKind::Identifier, ahead + 1)) ||
         (isWord("ods_def", ahead) && is(TokenKind::Less, ahead + 1)) ||
         (isWord("def", ahead) && is(TokenKind::LParen, ahead + 1) &&
          isAtSignature(ahead + 1));
}

/// `(` … `)` `->`: a def that has no name. It is no longer than a signature is.
bool Parser::isAtSignature(size_t ahead) const {
  constexpr size_t maxLength = 256;
  unsigned depth = 0;
  for (size_t i = 0; i != maxLength; ++i, ++ahead) {
    depth += is(TokenKind::LParen, ahead);
    depth -= is(TokenKind::RParen, ahead);
    if (depth == 0)
      return is(TokenKind::Arrow, ahead + 1);
  }
  return false;
}

bool Parser::looksLikeStatement(size_t at) const {
  // A left side is short; the bound keeps recovery linear.
  constexpr size_t maxLength = 64;
  size_t ahead = at - position;
  if (isWord("let", ahead) || isWord("tmp", ahead))
    return true;
  if (!is(TokenKind::Identifier, ahead))
    return false;
  ++ahead;
  if (is(TokenKind::Colon, ahead))
    return true;
  if (is(TokenKind::LParen, ahead)) {
    unsigned depth = 0;
    for (size_t i = 0; i != maxLength; ++i, ++ahead) {
      depth += is(TokenKind::LParen, ahead);
      depth -= is(TokenKind::RParen, ahead);
      if (depth == 0)
        break;
    }
    ++ahead;
  }
  return isAssignment(peek(ahead).kind);
}

/// `start` is where the statement that failed begins.
void Parser::recoverToStatement(size_t start) {
  auto getColumn = [&](const Token &token) {
    return buffer.file->getLineColumn(token.range.begin).column;
  };
  unsigned indentation = getColumn(buffer.tokens[start]);
  auto startsStatement = [&] {
    return looksLikeStatement(position) ||
           (is(TokenKind::Identifier) && getColumn(peek()) <= indentation);
  };
  if (position == start)
    take();
  unsigned depth = 0;
  while (!is(TokenKind::EndOfFile)) {
    if (depth == 0 && is(TokenKind::RBrace))
      return;
    if (depth == 0 && consumeIf(TokenKind::Semicolon))
      return;
    if (peek().startsLine &&
        (looksLikeDef(position) || (depth == 0 && startsStatement())))
      return;
    depth += is(TokenKind::LBrace);
    depth -= is(TokenKind::RBrace);
    take();
  }
}

/// Past the body in braces, or to the next def if that comes first.
void Parser::recoverToDef() {
  unsigned depth = 0;
  while (!is(TokenKind::EndOfFile)) {
    if (looksLikeDef(position) && peek().startsLine)
      return;
    depth += is(TokenKind::LBrace);
    if (take().kind == TokenKind::RBrace && (depth == 0 || --depth == 0))
      return;
  }
}

} // namespace ein
