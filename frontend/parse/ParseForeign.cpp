//===- ParseForeign.cpp - What people bring along from elsewhere ----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Who writes `C(i) := A(i)` or `x if c else y` knows what they mean, and so do
// we. "expected …, found …" would be true and of no help: here the parser looks
// once more at where it stands before it says so. A function below reports what
// it recognises, with the way the language says it, and goes on as if that had
// been written, so that one mistake is one error. What it does not recognise it
// leaves alone: no word is reserved, and a tensor may be called `for`.
//
//===----------------------------------------------------------------------===//

#include "frontend/parse/ParserImpl.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace ein {

StringRef getForeignAdvice(StringRef name) {
  return StringSwitch<StringRef>(name)
#define EIN_FOREIGN(SPELLING, ADVICE) .Case(SPELLING, ADVICE)
#include "frontend/parse/ForeignFunctions.def"
      .Default("");
}

DiagnosticBuilder Parser::reportWrittenAs(SourceRange range,
                                          const Twine &ours) {
  std::string theirs = buffer.file->getText(range).str();
  return diags.report(DiagId::WrittenAs, range, {theirs, ours.str()});
}

/// `=+`, `:=` and their like, as the token that was meant.
std::optional<TokenKind> Parser::takeForeignAssignment() {
  struct Spelling {
    StringLiteral text;
    TokenKind ours;
  };
  static constexpr Spelling spellings[] = {
      {"=+!", TokenKind::AddInit},    {"+!=", TokenKind::AddInit},
      {"=*!", TokenKind::MulInit},    {"*!=", TokenKind::MulInit},
      {"max =!", TokenKind::MaxInit}, {"min =!", TokenKind::MinInit},
      {"=max!", TokenKind::MaxInit},  {"=min!", TokenKind::MinInit},
      {"=max ", TokenKind::MaxInit},  {"=min ", TokenKind::MinInit},
      {"sum=!", TokenKind::AddInit},  {"sum=", TokenKind::AddInit},
      {"max =", TokenKind::MaxInit},  {"min =", TokenKind::MinInit},
      {"+ =", TokenKind::AddAssign},  {"+!", TokenKind::AddInit},
      {"=+", TokenKind::AddAssign},   {"=*", TokenKind::MulAssign},
      {":=", TokenKind::Assign},      {"<-", TokenKind::Assign},
      {"=>", TokenKind::Assign},      {"==", TokenKind::Assign},
      {"->", TokenKind::Assign},      {"=! ", TokenKind::AddInit},
  };
  uint32_t begin = peek().range.begin;
  StringRef rest =
      buffer.file->getText({begin, buffer.tokens.back().range.begin});
  for (const Spelling &spelling : spellings) {
    if (!rest.starts_with(spelling.text))
      continue;
    // `C = max (x, y)` and `C = max != x` are statements.
    bool isName = spelling.text.ends_with(" ") && !is(TokenKind::Identifier, 2);
    if (isName || rest.substr(spelling.text.size()).starts_with("="))
      continue;
    uint32_t end = begin + spelling.text.rtrim().size();
    while (peek().range.begin < end && !is(TokenKind::EndOfFile))
      take();
    StringRef ours = getSpelling(spelling.ours);
    reportWrittenAs({begin, end}, ours).fixIt({begin, end}, ours);
    return spelling.ours;
  }
  return std::nullopt;
}

/// `C(i) -= x` is `C(i) += -(x)`; the value has been parsed.
void Parser::reportSubtraction(SourceRange op, SourceRange value) {
  StringRef plus = op.end - op.begin == 3 ? "+=!" : "+=";
  reportWrittenAs(op, plus + " -(…)")
      .fixIt(op, plus)
      .fixIt({value.begin, value.begin}, "-(")
      .fixIt({value.end, value.end}, ")");
}

/// `/=`, `%=`, `^=`, `<<=`, `>>=`, with `!` at times: none of them is an
/// update, as no sum is made of quotients.
bool Parser::takeForeignUpdate(ast::Statement &statement) {
  bool isSplit = is(TokenKind::Percent) || is(TokenKind::Xor) ||
                 is(TokenKind::ShiftLeft) || is(TokenKind::ShiftRight);
  bool touches = peek(1).range.begin == peek().range.end;
  if (isSplit ? !is(TokenKind::Assign, 1) || !touches
              : !is(TokenKind::DivAssign))
    return false;
  uint32_t begin = take().range.begin;
  if (isSplit)
    take();
  if (is(TokenKind::Not) && peek().range.begin == previous().range.end)
    take();
  statement.opRange = rangeFrom(begin);
  statement.op = TokenKind::DivAssign;
  return true;
}

/// `C(i) /= x` is `C(i) = C(i) / (x)`; the value has been parsed.
void Parser::reportUpdate(const ast::Statement &statement, SourceRange value) {
  uint32_t end = statement.opRange.begin;
  StringRef target =
      buffer.file->getText({statement.target.range.begin, end}).rtrim();
  StringRef op = buffer.file->getText(statement.opRange);
  std::string ours = ("= " + target + " " + op.take_until([](char c) {
                       return c == '=';
                     })).str();
  reportWrittenAs(statement.opRange, ours + " (…)")
      .fixIt(statement.opRange, ours)
      .fixIt({value.begin, value.begin}, "(")
      .fixIt({value.end, value.end}, ")");
}

/// `and`, `or` and `not` where an operator may be.
std::optional<TokenKind> Parser::getForeignOperator() const {
  if (!is(TokenKind::Identifier))
    return std::nullopt;
  return StringSwitch<std::optional<TokenKind>>(buffer.getText(peek()))
      .Case("and", TokenKind::AndAnd)
      .Case("or", TokenKind::OrOr)
      .Default(std::nullopt);
}

/// The token is `and` or `or`, and an operand comes after it.
bool Parser::isAtForeignOperator() const {
  bool startsOperand = is(TokenKind::Identifier, 1) ||
                       is(TokenKind::Integer, 1) || is(TokenKind::Float, 1) ||
                       is(TokenKind::LParen, 1) || is(TokenKind::Not, 1) ||
                       is(TokenKind::Minus, 1);
  return getForeignOperator() && startsOperand && !peek().startsLine &&
         !looksLikeStatement(position);
}

/// `x ** y`: both operands have been parsed.
void Parser::reportPower(const ast::Expr &base, SourceRange op,
                         const ast::Expr &exponent) {
  reportWrittenAs(op, "pow(x, y)")
      .fixIt({base.range.begin, base.range.begin}, "pow(")
      .fixIt({base.range.end, exponent.range.begin}, ", ")
      .fixIt({exponent.range.end, exponent.range.end}, ")");
}

/// `x if c else y`, and `x if c` of a statement; `x` has been parsed.
FailureOr<ast::ExprPtr> Parser::parsePythonConditional(ast::ExprPtr value) {
  const Token &word = take();
  // A chain of them nests to the right.
  ++nesting;
  scope_exit leave([&] { --nesting; });
  if (nesting > ast::maxNesting)
    return diags.report(DiagId::NestingTooDeep, word.range,
                        {std::to_string(ast::maxNesting)});
  FailureOr<ast::ExprPtr> condition = parseBinary(0);
  if (failed(condition))
    return failure();
  auto getText = [&](const ast::Expr &expr) {
    return buffer.file->getText(expr.range).str();
  };
  if (!isWord("else"))
    return reportWrittenAs(word.range, "where").fixIt(word.range, "where");
  take();
  FailureOr<ast::ExprPtr> otherwise = parseExpr();
  if (failed(otherwise))
    return failure();
  SourceRange range = {value->range.begin, (*otherwise)->range.end};
  reportWrittenAs({word.range.begin, word.range.end}, "c ? x : y")
      .fixIt(range, getText(**condition) + " ? " + getText(*value) + " : " +
                        getText(**otherwise));
  ast::ExprPtr result =
      ast::makeConditional(word.range, std::move(*condition), std::move(value),
                           std::move(*otherwise));
  // The value comes first here.
  result->range = range;
  return finish(std::move(result));
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// `::`
bool Parser::isAtScope(size_t ahead) const {
  return is(TokenKind::Colon, ahead) && is(TokenKind::Colon, ahead + 1) &&
         peek(ahead + 1).range.begin == peek(ahead).range.end &&
         is(TokenKind::Identifier, ahead + 2);
}

/// `std::` and `torch.nn.functional.` before the last name, which is next; the
/// text of all that is left out.
std::string Parser::takeQualifiers(const Token &name) {
  while (isAtScope() || (is(TokenKind::Dot) && is(TokenKind::Identifier, 1)))
    for (size_t i = 0, e = is(TokenKind::Dot) ? 2 : 3; i != e; ++i)
      take();
  SourceRange prefix = {name.range.begin, previous().range.begin};
  std::string ours = text(previous());
  SourceRange whole = {prefix.begin, previous().range.end};
  --position;
  // One mistake with the word, which parseNameOrCall has something to say of.
  if (ours == "where" && is(TokenKind::LParen, 1))
    return ours;
  reportWrittenAs(whole, ours).fixIt(prefix, "");
  return ours;
}

/// `A.sum(1)` and `A(i).real`: functions are before what they are of.
LogicalResult Parser::reportMethod(StringRef object, const Token &member) {
  DiagnosticBuilder builder = diags.report(DiagId::NoMember, member.range,
                                           {object.str(), text(member)});
  // `sum(A)` would be no better.
  std::string name = text(member);
  StringRef advice = getForeignAdvice(name);
  if (takesAngleBrackets(name))
    builder.note(DiagId::ReduceInstead, member.range,
                 {name + "<k>(" +
                  object.take_until([](char c) { return c == '('; }).str() +
                  "(…, k))"});
  else if (!advice.empty())
    builder.note(DiagId::WriteInstead, member.range, {advice.str()});
  else
    builder.note(DiagId::MethodInstead, member.range, {object.str(), name});
  unsigned depth = 0;
  if (is(TokenKind::LParen))
    do {
      depth += is(TokenKind::LParen);
      depth -= is(TokenKind::RParen);
      take();
    } while (depth != 0 && !peek().startsLine && !is(TokenKind::EndOfFile));
  return builder;
}

/// `np.exp(x)`, `A.T`, `A.shape[0]`, `D.m`: what follows a name and a dot.
FailureOr<ast::ExprPtr> Parser::parseMember(const Token &name) {
  const Token &member = take();
  ++nesting;
  scope_exit leave([&] { --nesting; });
  if (nesting > ast::maxNesting)
    return diags.report(DiagId::NestingTooDeep, member.range,
                        {std::to_string(ast::maxNesting)});
  std::string owner = text(name);
  bool isModule =
      StringSwitch<bool>(owner)
          .Cases({"np", "numpy", "math", "torch", "tf", "jnp", "std"}, true)
          .Cases({"D", "S", "TV"}, true) // OpDSL's dims, sizes and types
          .Default(false);
  if (isModule) {
    takeQualifiers(name);
    return parseNameOrCall();
  }
  bool isShape = text(member) == "shape" &&
                 (is(TokenKind::LSquare) || is(TokenKind::LParen)) &&
                 is(TokenKind::Integer, 1);
  if (isShape) {
    take();
    std::string ours = owner + "." + text(take());
    take();
    SourceRange range = rangeFrom(name.range.begin);
    return reportWrittenAs(range, ours).fixIt(range, ours);
  }
  if (is(TokenKind::LParen) && text(member) != "T" &&
      text(member) != "transpose")
    return reportMethod(owner, member);
  return diags.report(DiagId::NoMember, member.range, {owner, text(member)})
      .note(DiagId::MembersInstead, name.range, {owner});
}

/// Reducers with their index behind them: `sum_k x`, `sum[k](x)`, `sum{k}(x)`,
/// `sum(k)(x)`, `sum<k> x`, `sum <k>(x)`; after the name. `sum_k(x)` may be a
/// tensor's element.
std::optional<LogicalResult> Parser::refuseReduction(const Token &name) {
  auto [reducer, index] = buffer.getText(name).split('_');
  uint32_t end = name.range.end;
  if (!takesAngleBrackets(reducer) || (reducer == "std" && !index.empty()))
    return std::nullopt;
  size_t ahead = 0;
  if (index.empty()) {
    size_t close = 1;
    while (is(TokenKind::Identifier, close) && is(TokenKind::Comma, close + 1))
      close += 2;
    bool isList =
        is(TokenKind::Identifier, close) &&
        ((is(TokenKind::LSquare) && is(TokenKind::RSquare, close + 1)) ||
         (is(TokenKind::LBrace) && is(TokenKind::RBrace, close + 1)) ||
         (is(TokenKind::Less) && is(TokenKind::Greater, close + 1)) ||
         (is(TokenKind::LParen) && is(TokenKind::RParen, close + 1)));
    ahead = close + 2;
    bool isAfter =
        is(TokenKind::Identifier, ahead) || is(TokenKind::LParen, ahead);
    // `0:min(M, N) step 2` is a bound.
    if (!isList || !isAfter || peek(ahead).startsLine ||
        isWord("step", ahead) || looksLikeStatement(position + ahead))
      return std::nullopt;
    index = buffer.file->getText({peek(1).range.begin, peek(close).range.end});
    end = peek(close + 1).range.end;
  } else if (!is(TokenKind::Identifier) || peek().startsLine ||
             looksLikeStatement(position)) {
    return std::nullopt;
  }
  std::string ours = (reducer + "<" + index + ">").str();
  SourceRange range = {name.range.begin, end};
  DiagnosticBuilder builder =
      diags.report(DiagId::ReductionForm, range, {ours + "(…)"});
  builder.fixIt(range, ours);
  for (size_t i = 0; i != ahead; ++i)
    take();
  if (is(TokenKind::LParen))
    return builder;
  uint32_t begin = peek().range.begin;
  FailureOr<ast::ExprPtr> operand = parseBinary(getPrecedence(TokenKind::Plus));
  if (succeeded(operand))
    builder.fixIt({begin, begin}, "(")
        .fixIt({previous().range.end, previous().range.end}, ")");
  return builder;
}

/// Reducers of other languages, which the checker refuses.
bool Parser::isForeignReducer(StringRef name) const {
  return name.starts_with("reduce") || !getForeignAdvice(name).empty();
}

/// `static_cast<float>(x)` and other words for `cast<f32>(x)`.
bool Parser::isAtForeignCast(StringRef name) const {
  return StringSwitch<bool>(name)
      .Cases({"static_cast", "reinterpret_cast", "convert", "astype"}, true)
      .Default(false);
}

/// `x as f32`, of Rust.
bool Parser::isAtForeignCast() const {
  return isWord("as") && !peek().startsLine && is(TokenKind::Identifier, 1) &&
         parseElementType(buffer.getText(peek(1)));
}

FailureOr<ast::ExprPtr> Parser::takePostfixCast(ast::ExprPtr value) {
  while (isAtForeignCast()) {
    const Token &word = take();
    const Token &type = take();
    uint32_t begin = value->range.begin, end = value->range.end;
    diags
        .report(DiagId::CastForm, {word.range.begin, type.range.end},
                {text(type)})
        .fixIt({begin, begin}, text(type) + "(")
        .fixIt({end, type.range.end}, ")");
    value = ast::makeCast({"cast", word.range}, {text(type), type.range},
                          std::move(value));
    value->range = rangeFrom(begin);
  }
  return finish(std::move(value));
}

/// `(2, 2)` where a list is written.
bool Parser::isAtForeignList() const {
  return is(TokenKind::LParen) && is(TokenKind::Integer, 1) &&
         is(TokenKind::Comma, 2);
}

/// `if c then x else y`, which is all on its line.
bool Parser::isAtThen() const {
  constexpr size_t maxLength = 64;
  for (size_t i = 1; i != maxLength && !peek(i).startsLine; ++i)
    if (isWord("then", i) || isWord("else", i))
      return true;
  return false;
}

/// `(float)x`: the parentheses have been parsed, and an operand comes.
FailureOr<ast::ExprPtr> Parser::parseCStyleCast(const ast::Expr &type,
                                                SourceRange parentheses) {
  FailureOr<ast::ExprPtr> operand = parseUnary();
  if (failed(operand))
    return failure();
  DiagnosticBuilder builder =
      diags.report(DiagId::CastForm, parentheses, {type.text});
  builder.fixIt(parentheses, type.text + "(")
      .fixIt({(*operand)->range.end, (*operand)->range.end}, ")");
  return builder;
}

/// A second pair of parentheses or brackets after an access.
LogicalResult Parser::refuseSecondSubscripts() {
  return diags.report(DiagId::SubscriptsTwice, peek().range);
}

} // namespace ein
