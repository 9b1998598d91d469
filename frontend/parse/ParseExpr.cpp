//===- ParseExpr.cpp - Tokens to a tree: expressions ----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/parse/ParserImpl.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace ein {

/// Operators that are refused are still read, so that the message names them.
unsigned getPrecedence(TokenKind kind) {
  switch (kind) {
  case TokenKind::OrOr:
    return 1;
  case TokenKind::AndAnd:
    return 2;
  case TokenKind::Or:
    return 3;
  case TokenKind::Xor:
    return 4;
  case TokenKind::And:
    return 5;
  case TokenKind::EqualEqual:
  case TokenKind::NotEqual:
    return 6;
  case TokenKind::Less:
  case TokenKind::LessEqual:
  case TokenKind::Greater:
  case TokenKind::GreaterEqual:
    return 7;
  case TokenKind::ShiftLeft:
  case TokenKind::ShiftRight:
    return 8;
  case TokenKind::Plus:
  case TokenKind::Minus:
    return 9;
  case TokenKind::Star:
  case TokenKind::Slash:
  case TokenKind::Percent:
    return 10;
  default:
    return 0;
  }
}

static bool isCast(StringRef name) {
  return name == "cast" || name == "cast_unsigned";
}

/// What stands directly before `<` in a reduction.
bool takesAngleBrackets(StringRef name) {
  return name.starts_with("std_") || StringSwitch<bool>(name)
                                         .Case("SelectOp", true)
#define EIN_REDUCER(SPELLING, UPDATE, KIND) .Case(SPELLING, true)
#define EIN_CUMULATIVE(SPELLING, OPERATOR, START) .Case(SPELLING, true)
#include "frontend/program/Functions.def"
                                         .Default(false);
}

FailureOr<ast::ExprPtr> Parser::finish(ast::ExprPtr expr) {
  if (expr->height > ast::maxHeight)
    return diags.report(DiagId::ExpressionTooLarge, expr->nameRange,
                        {std::to_string(ast::maxHeight)});
  return expr;
}

/// binary ('?' expr ':' expr)?
FailureOr<ast::ExprPtr> Parser::parseExpr() {
  FailureOr<ast::ExprPtr> condition = parseBinary(0);
  if (succeeded(condition) && isWord("if") && !peek().startsLine &&
      !looksLikeStatement(position))
    return parsePythonConditional(std::move(*condition));
  const Token &question = peek();
  if (failed(condition) || !consumeIf(TokenKind::Question))
    return condition;
  // A chain of them nests to the right.
  ++nesting;
  scope_exit leave([&] { --nesting; });
  if (nesting > ast::maxNesting)
    return diags.report(DiagId::NestingTooDeep, question.range,
                        {std::to_string(ast::maxNesting)});
  FailureOr<ast::ExprPtr> lhs = parseExpr();
  if (failed(lhs) || failed(expectClosing(TokenKind::Colon, question)))
    return failure();
  FailureOr<ast::ExprPtr> rhs = parseExpr();
  if (failed(rhs))
    return failure();
  return finish(ast::makeConditional(question.range, std::move(*condition),
                                     std::move(*lhs), std::move(*rhs)));
}

FailureOr<ast::ExprPtr> Parser::parseBinary(unsigned minPrecedence) {
  FailureOr<ast::ExprPtr> lhs = parseUnary();
  while (succeeded(lhs)) {
    if (isAtForeignCast()) {
      lhs = takePostfixCast(std::move(*lhs));
      continue;
    }
    const Token &op = peek();
    TokenKind kind = op.kind;
    if (isAtForeignOperator())
      kind = *getForeignOperator();
    unsigned precedence = getPrecedence(kind);
    if (precedence <= minPrecedence)
      return lhs;
    take();
    if (kind != op.kind)
      reportWrittenAs(op.range, getSpelling(kind))
          .fixIt(op.range, getSpelling(kind));
    FailureOr<ast::ExprPtr> rhs = parseBinary(precedence);
    if (failed(rhs))
      return failure();
    lhs = finish(
        ast::makeBinary(kind, op.range, std::move(*lhs), std::move(*rhs)));
  }
  return failure();
}

FailureOr<ast::ExprPtr> Parser::parseUnary() {
  ++nesting;
  scope_exit leave([&] { --nesting; });
  if (nesting > ast::maxNesting)
    return diags.report(DiagId::NestingTooDeep, peek().range,
                        {std::to_string(ast::maxNesting)});
  const Token &op = peek();
  TokenKind kind = op.kind;
  if (kind == TokenKind::Plus) {
    reportMisplacedPlus();
    return parseUnary();
  }
  bool isNot =
      isWord("not") && !peek(1).startsLine &&
      ((is(TokenKind::Identifier, 1) && !looksLikeStatement(position + 1)) ||
       isTestInParentheses(1));
  if (isNot) {
    kind = TokenKind::Not;
    reportWrittenAs(op.range, "!").fixIt(op.range, "!");
  }
  if (kind != TokenKind::Minus && kind != TokenKind::Not &&
      kind != TokenKind::Tilde)
    return parsePower();
  take();
  FailureOr<ast::ExprPtr> operand = parseUnary();
  if (failed(operand))
    return failure();
  return finish(ast::makeUnary(kind, op.range, std::move(*operand)));
}

/// Whether a `(` comes that holds a comparison or what combines them, which no
/// subscript is.
bool Parser::isTestInParentheses(size_t ahead) const {
  if (!is(TokenKind::LParen, ahead))
    return false;
  unsigned depth = 0;
  for (;; ++ahead) {
    TokenKind kind = peek(ahead).kind;
    depth += kind == TokenKind::LParen;
    depth -= kind == TokenKind::RParen;
    if (depth == 0 || kind == TokenKind::EndOfFile)
      return false;
    constexpr TokenKind tests[] = {
        TokenKind::Less,       TokenKind::LessEqual,    TokenKind::Greater,
        TokenKind::EqualEqual, TokenKind::GreaterEqual, TokenKind::NotEqual,
        TokenKind::AndAnd,     TokenKind::OrOr};
    if (llvm::is_contained(tests, kind))
      return true;
  }
}

/// `+x` is `x`.
void Parser::reportMisplacedPlus() {
  diags.report(DiagId::Expected, peek().range, {"an expression", "`+`"})
      .fixIt(peek().range, "");
  take();
}

/// `x ** y` binds more than a factor or a sign, wherever it is an operator:
/// `2*x**3` is `2*pow(x, 3)`. It nests to the right.
FailureOr<ast::ExprPtr> Parser::parsePower() {
  FailureOr<ast::ExprPtr> base = parsePrimary();
  if (failed(base) || !is(TokenKind::Star) || !is(TokenKind::Star, 1) ||
      peek(1).range.begin != peek().range.end)
    return base;
  SourceRange op = {take().range.begin, 0};
  op.end = take().range.end;
  FailureOr<ast::ExprPtr> exponent = parseUnary();
  if (failed(exponent))
    return failure();
  reportPower(**base, op, **exponent);
  return finish(ast::makeBinary(TokenKind::Star, op, std::move(*base),
                                std::move(*exponent)));
}

FailureOr<ast::ExprPtr> Parser::parsePrimary() {
  const Token &token = peek();
  switch (token.kind) {
  case TokenKind::LParen:
    return parseParenthesized();
  case TokenKind::Identifier:
    return parseNameOrCall();
  case TokenKind::Integer:
  case TokenKind::Float:
  case TokenKind::String:
    break;
  case TokenKind::LSquare:
    return parseList();
  default:
    return reportExpected("an expression");
  }
  take();
  auto expr = std::make_unique<ast::Expr>();
  expr->op = token.kind;
  expr->range = expr->nameRange = token.range;
  expr->kind = ast::Expr::Kind::Number;
  if (token.kind == TokenKind::String) {
    expr->kind = ast::Expr::Kind::String;
    expr->nameRange = getStringRange(token);
  }
  expr->text = buffer.file->getText(expr->nameRange).str();
  return expr;
}

FailureOr<ast::ExprPtr> Parser::parseParenthesized() {
  const Token &opening = take();
  FailureOr<ast::ExprPtr> expr = parseExpr();
  if (failed(expr) || failed(expectClosing(TokenKind::RParen, opening)))
    return failure();
  (*expr)->range = rangeFrom(opening.range.begin);
  bool isType =
      (*expr)->kind == ast::Expr::Kind::Name && parseElementType((*expr)->text);
  if (isType && is(TokenKind::Identifier) && !peek().startsLine)
    return parseCStyleCast(**expr, (*expr)->range);
  return expr;
}

FailureOr<ast::ExprPtr> Parser::parseNameOrCall() {
  const Token &token = take();
  ast::Name name = {text(token), token.range};
  if (isAtScope()) {
    takeQualifiers(token);
    return parseNameOrCall();
  }
  if (name.text == "if" && isAtThen())
    return reportWrittenAs(token.range, "c ? x : y");
  if (name.text == "where" && is(TokenKind::LParen)) {
    // With a module's name before it.
    uint32_t begin = token.range.begin;
    for (size_t i = position - 1;
         i > 1 &&
         (buffer.tokens[i - 1].kind == TokenKind::Dot ||
          buffer.tokens[i - 1].kind == TokenKind::Colon) &&
         buffer.tokens[i - 1].range.end == begin;) {
      --i;
      begin = buffer.tokens[i].range.begin;
      if (buffer.tokens[i - 1].kind == TokenKind::Identifier)
        begin = buffer.tokens[--i].range.begin;
    }
    SourceRange range = {begin, token.range.end};
    reportWrittenAs(range, "select").fixIt(range, "select");
    name.text = "select";
  }
  bool touches = peek().range.begin == token.range.end;
  if (is(TokenKind::Less) && touches && isCast(name.text))
    return parseCast(token);
  if (is(TokenKind::Less) && touches && isAtForeignCast(name.text) &&
      isIndexList()) {
    reportWrittenAs(token.range, "cast").fixIt(token.range, "cast");
    return parseCast(token);
  }
  // `sum<k in 0:K>(…)`
  if (is(TokenKind::Less) && touches && takesAngleBrackets(name.text) &&
      is(TokenKind::Identifier, 1) && isWord("in", 2))
    return diags
        .report(DiagId::ReductionForm, peek(2).range,
                {name.text + "<" + text(peek(1)) + ">(…)"})
        .note(DiagId::LoopsInstead, peek(2).range);
  if (is(TokenKind::Less) && touches && isIndexList() &&
      (takesAngleBrackets(name.text) || isForeignReducer(name.text)))
    return parseReduction(token);
  if (std::optional<LogicalResult> refused = refuseReduction(token))
    return *refused;
  bool isRange = is(TokenKind::Dot) && is(TokenKind::Dot, 1);
  if (is(TokenKind::Dot) && !isRange)
    return parseElement(token);
  if (is(TokenKind::LSquare) && touches) {
    if (attributeNames.contains(name.text))
      return parseElement(token);
    return refuseSquare("subscripts");
  }
  if (!is(TokenKind::LParen))
    return ast::makeName(name.text, name.range);
  ast::Expr named{};
  FailureOr<std::vector<ast::ExprPtr>> args =
      parseArguments(&named, name.text == "einsum" || name.text == "contract");
  if (failed(args))
    return failure();
  if (is(TokenKind::LParen) && peek().range.begin == previous().range.end)
    return refuseSecondSubscripts();
  if (is(TokenKind::Dot) && is(TokenKind::Identifier, 1)) {
    take();
    std::string object =
        buffer.file->getText(rangeFrom(token.range.begin)).drop_back().str();
    const Token &member = take();
    return reportMethod(object, member);
  }
  ast::ExprPtr call =
      ast::makeCall(name, rangeFrom(token.range.begin), std::move(*args));
  call->type = std::move(named.type);
  call->labels = std::move(named.labels);
  for (const ast::NamedArgument &argument : named.named)
    call->height = std::max(call->height, argument.value->height + 1);
  call->named = std::move(named.named);
  return finish(std::move(call));
}

/// Whether `<` id,+ `>` `(` comes: a name of the language may also be a
/// tensor's, which is compared.
bool Parser::isIndexList() const {
  size_t offset = 1;
  while (is(TokenKind::Identifier, offset) && is(TokenKind::Comma, offset + 1))
    offset += 2;
  return is(TokenKind::Identifier, offset) &&
         is(TokenKind::Greater, offset + 1) &&
         is(TokenKind::LParen, offset + 2);
}

/// '<' id (',' id)* '>' '(' (expr (',' expr)*)? ')', after the name.
FailureOr<ast::ExprPtr> Parser::parseReduction(const Token &name) {
  take();
  auto expr = std::make_unique<ast::Expr>();
  do {
    const Token &index = take();
    expr->indices.push_back(ast::makeName(text(index), index.range));
  } while (consumeIf(TokenKind::Comma));
  take();
  ast::Expr named{};
  FailureOr<std::vector<ast::ExprPtr>> args = parseArguments(&named);
  if (failed(args))
    return failure();
  if (!named.named.empty()) {
    const ast::Name &argument = named.named.front().name;
    return diags.report(DiagId::ArgumentUnknown, argument.range,
                        {text(name), argument.text});
  }
  expr->kind = ast::Expr::Kind::Reduce;
  expr->text = text(name);
  expr->nameRange = name.range;
  expr->range = rangeFrom(name.range.begin);
  for (const ast::ExprPtr &arg : *args)
    expr->height = std::max(expr->height, arg->height + 1);
  expr->operands = std::move(*args);
  return finish(std::move(expr));
}

/// '.' int, or ods-gen's '[' int ']', after the name.
FailureOr<ast::ExprPtr> Parser::parseElement(const Token &name) {
  const Token &opening = take();
  if (is(TokenKind::Identifier) && !peek().startsLine)
    return parseMember(name);
  if (!is(TokenKind::Integer))
    return reportExpected("the number of an element or of a dim");
  auto expr = std::make_unique<ast::Expr>();
  expr->kind = ast::Expr::Kind::Element;
  expr->text = text(name);
  expr->nameRange = name.range;
  FailureOr<ast::ExprPtr> number = parsePrimary();
  if (failed(number) || (opening.kind == TokenKind::LSquare &&
                         failed(expectClosing(TokenKind::RSquare, opening))))
    return failure();
  expr->range = rangeFrom(name.range.begin);
  expr->height = 2;
  expr->operands.push_back(std::move(*number));
  return expr;
}

/// '<' type '>' '(' expr ')', after the name.
FailureOr<ast::ExprPtr> Parser::parseCast(const Token &name) {
  take();
  FailureOr<ast::Name> type = expectName("an element type");
  if (failed(type) || failed(expect(TokenKind::Greater)))
    return failure();
  if (!is(TokenKind::LParen))
    return reportExpected("`(`");
  FailureOr<ast::ExprPtr> operand = parseParenthesized();
  if (failed(operand))
    return failure();
  ast::ExprPtr expr =
      ast::makeCast({text(name), name.range}, *type, std::move(*operand));
  expr->range = rangeFrom(name.range.begin);
  return finish(std::move(expr));
}

/// `...`, `...dims` or `...-dims` as a name, if it is next.
ast::ExprPtr Parser::takeEllipsis() {
  for (size_t i = 0; i != 3; ++i)
    if (!is(TokenKind::Dot, i) || peek(i).range.begin != peek().range.begin + i)
      return nullptr;
  uint32_t begin = peek().range.begin;
  for (int i = 0; i != 3; ++i)
    take();
  size_t ahead = is(TokenKind::Minus);
  if (is(TokenKind::Identifier, ahead) &&
      peek(ahead).range.begin == begin + 3 + ahead)
    for (size_t i = 0; i <= ahead; ++i)
      take();
  SourceRange range = rangeFrom(begin);
  return ast::makeName(buffer.file->getText(range).str(), range);
}

/// '[' (element (',' element)*)? ']', where an element is an expr or `...`.
FailureOr<ast::ExprPtr> Parser::parseList() {
  const Token &opening = take();
  std::vector<ast::ExprPtr> elements;
  while (!is(TokenKind::RSquare)) {
    if (ast::ExprPtr ellipsis = takeEllipsis()) {
      elements.push_back(std::move(ellipsis));
    } else {
      FailureOr<ast::ExprPtr> element = parseExpr();
      if (failed(element))
        return failure();
      elements.push_back(std::move(*element));
    }
    if (!consumeIf(TokenKind::Comma))
      break;
  }
  if (failed(expectClosing(TokenKind::RSquare, opening)))
    return failure();
  ast::ExprPtr list = ast::makeCall(
      {"", opening.range}, rangeFrom(opening.range.begin), std::move(elements));
  list->kind = ast::Expr::Kind::List;
  return finish(std::move(list));
}

/// `acc` '=' id | `labels` '=' `words`.
LogicalResult Parser::parseEinsumArgument(ast::Expr &einsum) {
  bool isAccumulator = isWord("acc");
  take();
  take();
  FailureOr<ast::Name> value =
      expectName(isAccumulator ? "an element type" : "`words`");
  if (failed(value))
    return failure();
  if (!isAccumulator && value->text != "words")
    return diags.report(DiagId::EinsumLabels, value->range);
  (isAccumulator ? einsum.type : einsum.labels) = *value;
  return success();
}

/// '(' (argument (',' argument)*)? ')', where an argument is an expr, and in a
/// call also id '=' expr, which goes into `call`.
FailureOr<std::vector<ast::ExprPtr>> Parser::parseArguments(ast::Expr *call,
                                                            bool isEinsum) {
  const Token &opening = take();
  std::vector<ast::ExprPtr> args;
  if (consumeIf(TokenKind::RParen))
    return args;
  bool continues = false;
  do {
    bool isNamed = is(TokenKind::Identifier) && is(TokenKind::Assign, 1);
    if (isEinsum && ((isNamed && isWord("acc") && !call->type) ||
                     (isNamed && isWord("labels") && !call->labels))) {
      if (failed(parseEinsumArgument(*call)))
        return failure();
      continue;
    }
    if (call && isNamed) {
      const Token &name = take();
      take();
      if (isAtForeignList()) {
        const Token &bracket = take();
        DiagnosticBuilder builder =
            diags.report(DiagId::Expected, bracket.range, {"`[`", "`(`"});
        while (is(TokenKind::Integer) || is(TokenKind::Comma))
          take();
        if (is(TokenKind::RParen))
          builder.fixIt(bracket.range, "[").fixIt(take().range, "]");
        return builder;
      }
      FailureOr<ast::ExprPtr> value = parseExpr();
      if (failed(value))
        return failure();
      call->named.push_back({{text(name), name.range}, std::move(*value)});
      continue;
    }
    if (ast::ExprPtr ellipsis = takeEllipsis()) {
      args.push_back(std::move(ellipsis));
      continue;
    }
    if (is(TokenKind::Colon))
      return refuseSlice(peek().range);
    if (is(TokenKind::RParen))
      return reportTrailingComma("an expression");
    FailureOr<ast::ExprPtr> arg = parseExpr();
    if (failed(arg))
      return failure();
    if (is(TokenKind::Colon))
      return refuseSlice({(*arg)->range.begin, peek().range.end});
    args.push_back(std::move(*arg));
    // `A(i; j)`, all of it on a line.
    if (is(TokenKind::Semicolon) && closesOnLine()) {
      SourceRange range = take().range;
      reportWrittenAs(range, ",").fixIt(range, ",");
      --position;
      continues = true;
    }
    // `sum(A(i, k) for k in 0:K)`
    if (isWord("for") && is(TokenKind::Identifier, 1) && isWord("in", 2))
      return diags.report(DiagId::ReductionForm, peek().range,
                          {"sum<" + text(peek(1)) + ">(…)"});
    // `einsum(ij,jk->ik, A, B)`
    if (isEinsum && is(TokenKind::Arrow)) {
      SourceRange range = {args.front()->range.begin, peek().range.end};
      bool hasOutput =
          is(TokenKind::Identifier, 1) && peek(1).range.begin == range.end;
      range.end = hasOutput ? peek(1).range.end : range.end;
      return diags.report(DiagId::StringQuotes, range)
          .fixIt({range.begin, range.begin}, "\"")
          .fixIt({range.end, range.end}, "\"");
    }
  } while (consumeIf(TokenKind::Comma) || (std::exchange(continues, false) &&
                                           consumeIf(TokenKind::Semicolon)));
  if (failed(expectClosing(TokenKind::RParen, opening, /*isList=*/true)))
    return failure();
  return args;
}

/// Whether a `)` comes before the line ends or assigns.
bool Parser::closesOnLine() const {
  constexpr size_t maxLength = 64;
  for (size_t i = 1; i != maxLength; ++i) {
    if (peek(i).startsLine || isAssignment(peek(i).kind))
      return false;
    if (is(TokenKind::RParen, i))
      return true;
  }
  return false;
}

/// `A(:, j)` and `A(0:3)`.
LogicalResult Parser::refuseSlice(SourceRange range) {
  return diags.report(DiagId::SliceSubscript, range)
      .note(DiagId::LoopsInstead, range);
}

} // namespace ein
