//===- ParseForeignStatement.cpp - Statements as they are elsewhere -------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The half of ParseForeign.cpp that is about statements, files and signatures.
// A statement of another language is refused as a whole, with what it holds:
// nothing in the block of a loop is reported.
//
//===----------------------------------------------------------------------===//

#include "frontend/parse/ParserImpl.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace ein {

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
  // What ends a block that has been refused.
  if (word == "end" && (peek(1).startsLine || is(TokenKind::RBrace, 1))) {
    const Token &end = take();
    return diags.hasErrors()
               ? failure()
               : LogicalResult(
                     diags.report(DiagId::NotInLanguage, end.range, {"`end`"}));
  }
  // `f32 t = 2;`
  bool isDeclaration = parseElementType(word) && is(TokenKind::Identifier, 1) &&
                       is(TokenKind::Assign, 2) && !peek(1).startsLine;
  if (isDeclaration) {
    SourceRange range = {token.range.begin, peek(1).range.end};
    std::string ours = "let " + text(peek(1)) + ": " + word.str();
    return reportWrittenAs(range, ours).fixIt(range, ours);
  }
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
  // A file has a directory or an ending.
  if (!StringRef(path).contains('/') && !StringRef(path).contains(".ein")) {
    range.begin = word.range.begin;
    diags.report(DiagId::NotInLanguage, range, {"Python's `import`"})
        .fixIt(range, "");
    return;
  }
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

/// The dots of `0..4`, `0...4` and `0..=4`, after the first part. `end` is
/// where an inclusive range ends once its second part is parsed.
bool Parser::takeRangeDots(uint32_t &end) {
  if (!is(TokenKind::Dot) || !is(TokenKind::Dot, 1))
    return false;
  uint32_t begin = peek().range.begin;
  size_t numDots = 0;
  for (; is(TokenKind::Dot); ++numDots)
    take();
  bool isInclusive = numDots == 3 || consumeIf(TokenKind::Assign);
  SourceRange dots = rangeFrom(begin);
  size_t start = position;
  DiagnosticBuilder builder = diags.report(DiagId::RangeForm, dots);
  builder.fixIt(dots, ":");
  // Where the second part ends is known once it is parsed.
  if (isInclusive && (is(TokenKind::Integer) || is(TokenKind::Identifier))) {
    position = start;
    end = peek().range.end;
    builder.fixIt({end, end}, " + 1");
  }
  return true;
}

/// `in [0:4]`
bool Parser::isAtBracketedRange() const {
  constexpr size_t maxLength = 16;
  if (!is(TokenKind::LSquare))
    return false;
  for (size_t i = 1; i != maxLength && !is(TokenKind::RSquare, i); ++i)
    if (is(TokenKind::Comma, i) || is(TokenKind::Colon, i))
      return is(TokenKind::Colon, i);
  return false;
}

/// `C(i) = A(i), i in 0:4` and `C(i) = A(i) for i in 0:4`, and other words.
bool Parser::takeForeignWhere() {
  if (peek().startsLine || looksLikeStatement(position))
    return false;
  bool isRange = is(TokenKind::Identifier, 1) && isWord("in", 2);
  bool isComma = is(TokenKind::Comma) && isRange;
  bool isFor = isWord("for") && isRange && !isWord("range", 3);
  bool isOther = (isWord("when") || isWord("with") || isWord("such")) &&
                 is(TokenKind::Identifier, 1);
  if (!isComma && !isFor && !isOther)
    return false;
  uint32_t begin = take().range.begin;
  if (isOther && isWord("that"))
    take();
  SourceRange range = rangeFrom(begin);
  reportWrittenAs(range, "where").fixIt(range, isComma ? " where" : "where");
  return true;
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

/// `const A: …`, `out A: …`, `A: in f32(M)`: the word is next, and something of
/// a parameter after it.
LogicalResult Parser::refuseQualifier() {
  bool isQualifier =
      StringSwitch<bool>(buffer.getText(peek()))
          .Cases({"const", "in", "out", "mut", "ref", "restrict", "var"}, true)
          .Default(false);
  if (!isQualifier || !is(TokenKind::Identifier, 1))
    return success();
  const Token &word = take();
  DiagnosticBuilder builder =
      diags.report(DiagId::QualifiedParameter, word.range, {text(word)});
  if (text(word) == "out")
    builder.note(DiagId::ResultsInstead, word.range);
  else
    builder.fixIt({word.range.begin, peek().range.begin}, "");
  return builder;
}

/// `float A[M][N]` and `float *A`, at the bracket or the star.
LogicalResult Parser::refuseCArray(const ast::Param &param) {
  if (!is(TokenKind::LSquare) || !param.type || !param.type->dims.empty())
    return diags.report(DiagId::TypeForm, peek().range);
  std::string dims;
  while (consumeIf(TokenKind::LSquare)) {
    uint32_t begin = peek().range.begin;
    while (!is(TokenKind::RSquare) && !is(TokenKind::EndOfFile) &&
           !peek().startsLine)
      take();
    std::string dim = buffer.file->getText({begin, peek().range.begin}).str();
    dims += (dims.empty() ? "" : ", ") + dim;
    if (!consumeIf(TokenKind::RSquare) || dim.empty())
      return diags.report(DiagId::TypeForm, rangeFrom(param.range.begin));
  }
  SourceRange range = rangeFrom(param.range.begin);
  std::string ours =
      param.name.text + ": " + param.type->element.text + "(" + dims + ")";
  return reportWrittenAs(range, ours).fixIt(range, ours);
}

/// `f32(?, ?)`, `f32(*)`, `f32(:, :)`, at the parenthesis.
LogicalResult Parser::checkDims() {
  bool isPlaceholder = is(TokenKind::Question, 1) || is(TokenKind::Star, 1) ||
                       is(TokenKind::Colon, 1);
  if (!isPlaceholder || (!is(TokenKind::Comma, 2) && !is(TokenKind::RParen, 2)))
    return success();
  return diags.report(DiagId::TypeForm, peek(1).range);
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
