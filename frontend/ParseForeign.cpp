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

#include "frontend/ParserImpl.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace ein {

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
      {"->", TokenKind::Assign},
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
  return finish(ast::makeConditional(word.range, std::move(*condition),
                                     std::move(value), std::move(*otherwise)));
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// `np.exp(x)`, `A.T`, `A.shape[0]`, `D.m`: what follows a name and a dot.
FailureOr<ast::ExprPtr> Parser::parseMember(const Token &name) {
  const Token &member = take();
  ++nesting;
  scope_exit leave([&] { --nesting; });
  if (nesting > ast::maxNesting)
    return diags.report(DiagId::NestingTooDeep, member.range,
                        {std::to_string(ast::maxNesting)});
  SourceRange prefix = {name.range.begin, member.range.begin};
  std::string owner = text(name);
  bool isModule =
      StringSwitch<bool>(owner)
          .Cases({"np", "numpy", "math", "torch", "tf", "jnp", "std"}, true)
          .Cases({"D", "S", "TV"}, true) // OpDSL's dims, sizes and types
          .Default(false);
  if (isModule) {
    reportWrittenAs({name.range.begin, member.range.end}, text(member))
        .fixIt(prefix, "");
    --position;
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
  return diags.report(DiagId::NoMember, member.range, {owner, text(member)})
      .note(DiagId::MembersInstead, name.range, {owner});
}

/// Reducers with their index behind them: `sum_k x`, `sum[k](x)`, `sum{k}(x)`,
/// `sum(k)(x)`, `sum<k> x`, `sum <k>(x)`; after the name. `sum_k(x)` may be a
/// tensor's element.
std::optional<LogicalResult> Parser::refuseReduction(const Token &name) {
  auto [reducer, index] = buffer.getText(name).split('_');
  uint32_t end = name.range.end;
  if (!takesAngleBrackets(reducer) || reducer == "std")
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
    if (!isList || !isAfter || peek(ahead).startsLine ||
        looksLikeStatement(position + ahead))
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
  return name.starts_with("reduce") ||
         StringSwitch<bool>(name)
             .Cases({"mean", "average", "norm", "count", "product"}, true)
             .Default(false);
}

/// `static_cast<float>(x)` and other words for `cast<f32>(x)`.
bool Parser::isAtForeignCast(StringRef name) const {
  return StringSwitch<bool>(name)
      .Cases({"static_cast", "reinterpret_cast", "convert", "astype"}, true)
      .Default(false);
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

//===----------------------------------------------------------------------===//
// Statements and files
//===----------------------------------------------------------------------===//

/// `{ … }` and what may come after it, so that nothing in it is reported.
void Parser::skipBlock() {
  unsigned depth = 0;
  if (!is(TokenKind::LBrace))
    return;
  while (!is(TokenKind::EndOfFile)) {
    depth += is(TokenKind::LBrace);
    if (take().kind == TokenKind::RBrace && --depth == 0)
      break;
  }
  if (isWord("else"))
    skipControl();
}

/// A word, what is in parentheses after it, and a block.
void Parser::skipControl() {
  take();
  unsigned depth = 0;
  while (!is(TokenKind::EndOfFile) && !is(TokenKind::RBrace) &&
         (depth != 0 || (!is(TokenKind::LBrace) && !peek().startsLine))) {
    depth += is(TokenKind::LParen);
    depth -= is(TokenKind::RParen) && depth != 0;
    take();
  }
  skipBlock();
}

/// Statements of other languages. No statement of ours begins like that, or it
/// would not have come here.
LogicalResult Parser::refuseForeignStatement() {
  if (!is(TokenKind::Identifier) || looksLikeStatement(position))
    return success();
  const Token &token = peek();
  StringRef word = buffer.getText(token);
  auto refuseWith = [&](const std::string &what, DiagId instead) {
    return diags.report(DiagId::NotInLanguage, token.range, {what})
        .note(instead, token.range);
  };
  bool isAlone = is(TokenKind::Assign, 1) || is(TokenKind::Dot, 1);
  if ((word == "for" || word == "while") && !isAlone) {
    bool isTc = isWord("in", 2);
    DiagnosticBuilder builder = refuseWith(
        isTc ? "`for … in`" : "`" + word.str() + "`", DiagId::LoopsInstead);
    skipControl();
    return builder;
  }
  if ((word == "if" || word == "else" || word == "switch") && !isAlone) {
    DiagnosticBuilder builder =
        refuseWith("`" + word.str() + "`", DiagId::ChoiceInstead);
    skipControl();
    return builder;
  }
  bool isValue = is(TokenKind::Identifier, 1) || is(TokenKind::Integer, 1) ||
                 is(TokenKind::Semicolon, 1) || is(TokenKind::RBrace, 1);
  if (word == "return" && isValue) {
    DiagnosticBuilder builder = refuseWith("`return`", DiagId::ResultsInstead);
    if (is(TokenKind::Identifier, 1) &&
        (peek(2).startsLine || is(TokenKind::RBrace, 2) ||
         is(TokenKind::Semicolon, 2)))
      builder.fixIt({token.range.begin, peek(1).range.end}, "");
    return builder;
  }
  StringRef owner = StringSwitch<StringRef>(word)
                        .Cases({"Func", "Var", "RDom", "ImageParam"}, "Halide")
                        .Cases({"Tensor", "IndexVar"}, "TACO")
                        .Cases({"from", "lambda", "class"}, "Python")
                        .Cases({"void", "double", "int", "float"}, "C")
                        .Default("");
  bool declares = is(TokenKind::Identifier, 1) || is(TokenKind::Less, 1) ||
                  is(TokenKind::Star, 1);
  if (owner.empty() || !declares)
    return success();
  return refuseWith((owner + "'s `" + word + "`").str(),
                    DiagId::DeclareInstead);
}

/// `import ops.ein` and `include "ops.ein"`.
bool Parser::isAtForeignImport() const {
  bool isBare = isWord("import") && is(TokenKind::Identifier, 1) &&
                !looksLikeStatement(position);
  return isBare || (isWord("include") && is(TokenKind::String, 1));
}

void Parser::refuseImport() {
  const Token &word = take();
  if (is(TokenKind::String)) {
    reportWrittenAs(word.range, "import").fixIt(word.range, "import");
    take();
    return;
  }
  uint32_t begin = peek().range.begin;
  do
    take();
  while (!peek().startsLine && !is(TokenKind::EndOfFile));
  SourceRange range = rangeFrom(begin);
  std::string path = buffer.file->getText(range).str();
  diags
      .report(DiagId::Expected, range,
              {"the name of a file in quotes", "`" + path + "`"})
      .fixIt({range.begin, range.begin}, "\"")
      .fixIt({range.end, range.end}, "\"");
}

/// `in 4`, `in range(4)`, `in [0, 4]`: the expression that was to be a range.
LogicalResult Parser::reportRange(const ast::Expr &given) {
  std::string ours;
  auto getText = [&](size_t i) {
    return buffer.file->getText(given.operands[i]->range).str();
  };
  bool isList = given.kind == ast::Expr::Kind::List;
  bool isRange = given.kind == ast::Expr::Kind::Call && given.text == "range";
  size_t numParts = given.operands.size();
  if (!isList && !isRange)
    ours = "0:" + buffer.file->getText(given.range).str();
  else if (isRange && numParts == 1)
    ours = "0:" + getText(0);
  else if (numParts == 2)
    ours = getText(0) + ":" + getText(1);
  else if (isRange && numParts == 3)
    ours = getText(0) + ":" + getText(1) + " step " + getText(2);
  DiagnosticBuilder builder = diags.report(DiagId::RangeForm, given.range);
  return ours.empty() ? builder : builder.fixIt(given.range, ours);
}

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

/// `def f[T](…)` or `def f[…] -> […]`, at the bracket.
LogicalResult Parser::refuseSquareSignature() {
  const Token &opening = take();
  size_t close = position;
  while (close < buffer.tokens.size() &&
         buffer.tokens[close].kind != TokenKind::RSquare &&
         !buffer.tokens[close].startsLine)
    ++close;
  bool isClosed = close < buffer.tokens.size() &&
                  buffer.tokens[close].kind == TokenKind::RSquare;
  bool isGeneric =
      isClosed && buffer.tokens[close + 1].kind == TokenKind::LParen;
  DiagnosticBuilder builder =
      isGeneric ? diags.report(DiagId::GenericsInAngles, opening.range)
                : diags.report(DiagId::Expected, opening.range, {"`(`", "`[`"});
  builder.fixIt(opening.range, isGeneric ? "<" : "(");
  if (isClosed)
    builder.fixIt(buffer.tokens[close].range, isGeneric ? ">" : ")");
  return builder;
}

/// `-> C: f32(M)`, `-> f32(M)` and `-> C`. Names are needed to go on with the
/// body.
LogicalResult Parser::parseBareResults(ast::Def &def) {
  uint32_t begin = peek().range.begin;
  bool isNamed =
      is(TokenKind::Colon, 1) ||
      (!is(TokenKind::LParen, 1) && !parseElementType(buffer.getText(peek())));
  if (!isNamed) {
    FailureOr<ast::Type> type = parseType();
    if (failed(type))
      return failure();
    return diags.report(DiagId::ResultsInParentheses, type->range);
  }
  do {
    FailureOr<ast::Param> result = ast::Param();
    if (is(TokenKind::LBrace, 1)) {
      result->name = *expectName("the name of a result");
      result->range = result->name.range;
    } else {
      result = parseParam(/*isResult=*/true);
    }
    if (failed(result))
      return failure();
    def.results.push_back(std::move(*result));
  } while (consumeIf(TokenKind::Comma) && is(TokenKind::Identifier));
  SourceRange range = rangeFrom(begin);
  diags.report(DiagId::ResultsInParentheses, range)
      .fixIt({range.begin, range.begin}, "(")
      .fixIt({range.end, range.end}, ")");
  return success();
}

} // namespace ein
