//===- Parser.cpp - Tokens to a tree: defs and signatures -----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/opdsl/Read.h"
#include "frontend/parse/EinsumString.h"
#include "frontend/parse/ParserImpl.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace ein {

//===----------------------------------------------------------------------===//
// Tokens and complaints
//===----------------------------------------------------------------------===//

LogicalResult Parser::reportExpected(StringRef what, const Token *opening) {
  return reportExpectedAfter(what, opening);
}

DiagnosticBuilder Parser::reportExpectedAfter(StringRef what,
                                              const Token *opening) {
  SourceRange range = peek().range;
  // What is missing at the end of a line is missing there, not further down.
  if (peek().startsLine && position != 0)
    range = {previous().range.end, previous().range.end};
  return reportExpectedAt(range, what, opening);
}

/// Nothing is missing before it: the token itself is what is wrong.
LogicalResult Parser::reportMisplaced(StringRef expected) {
  return reportExpectedAt(peek().range, expected, nullptr);
}

DiagnosticBuilder Parser::reportExpectedAt(SourceRange range, StringRef what,
                                           const Token *opening) {
  if (is(TokenKind::Error)) // the lexer has complained
    return DiagnosticBuilder(diags, SIZE_MAX);
  std::string found = "`" + text(peek()) + "`";
  if (is(TokenKind::EndOfFile) || is(TokenKind::String))
    found = getDescription(peek().kind).str();
  DiagnosticBuilder builder =
      diags.report(DiagId::Expected, range, {what.str(), found});
  if (opening)
    builder.note(DiagId::ToMatch, opening->range, {text(*opening)});
  return builder;
}

LogicalResult Parser::expect(TokenKind kind) {
  if (consumeIf(kind))
    return success();
  return reportExpected(getDescription(kind));
}

/// Whether a closing bracket that is missing before the next token was
/// forgotten there.
static bool endsNested(const Token &token) {
  return token.startsLine || token.kind == TokenKind::EndOfFile ||
         token.kind == TokenKind::RBrace || token.kind == TokenKind::RParen ||
         token.kind == TokenKind::RSquare || token.kind == TokenKind::LBrace ||
         token.kind == TokenKind::Arrow || token.kind == TokenKind::Semicolon;
}

LogicalResult Parser::expectClosing(TokenKind kind, const Token &opening,
                                    bool isList) {
  if (consumeIf(kind))
    return success();
  bool isForgotten = endsNested(peek()) && kind != TokenKind::Colon;
  uint32_t end = previous().range.end;
  bool isNext = !peek().startsLine || !looksLikeStatement(position);
  if (isList && is(TokenKind::Identifier) && isNext)
    return reportExpectedAfter("`,` or `)`", &opening).fixIt({end, end}, ",");
  DiagnosticBuilder builder =
      reportExpectedAfter(getDescription(kind), &opening);
  StringRef closing = getSpelling(kind);
  if (isForgotten)
    builder.fixIt({end, end}, kind == TokenKind::RBrace ? "\n}" : closing);
  return builder;
}

FailureOr<ast::Name> Parser::expectName(StringRef what) {
  if (!is(TokenKind::Identifier))
    return reportExpected(what);
  const Token &token = take();
  return ast::Name{text(token), token.range};
}

/// `A[i, j]` and `A[i][j]`, at the first bracket.
LogicalResult Parser::refuseSquare(StringRef what) {
  DiagnosticBuilder builder =
      diags.report(DiagId::SquareSubscripts, peek().range, {what.str()});
  builder.fixIt(peek().range, "(");
  unsigned depth = 0;
  while (!is(TokenKind::EndOfFile)) {
    const Token &token = take();
    depth += token.kind == TokenKind::LSquare;
    depth -= token.kind == TokenKind::RSquare;
    if (depth != 0)
      continue;
    if (!is(TokenKind::LSquare)) {
      builder.fixIt(token.range, ")");
      break;
    }
    builder.fixIt({token.range.begin, take().range.end}, ", ");
    ++depth;
  }
  return builder;
}

/// `}` or `)` that nothing is open for.
LogicalResult Parser::refuseClosing() {
  return diags.report(DiagId::ClosesNothing, peek().range, {text(peek())})
      .fixIt(peek().range, "");
}

/// Words that begin a def or a declaration in other languages, and ours with a
/// letter too many, before a name.
LogicalResult Parser::refuseForeignWord() {
  if (!is(TokenKind::Identifier) || !is(TokenKind::Identifier, 1))
    return success();
  StringRef word = buffer.getText(peek());
  StringRef ours =
      StringSwitch<StringRef>(word)
          .Cases({"func", "function", "fn", "fun", "define"}, "def")
          .Cases({"var", "const", "auto", "temp"}, "let")
          .Default("");
  if (ours.empty())
    ours = findSimilarName(word, {"def", "let", "tmp", "import"}).value_or("");
  if (ours.empty() || ours == word)
    return success();
  return diags
      .report(DiagId::Expected, peek().range,
              {"a def or a statement", "`" + word.str() + "`"})
      .note(DiagId::DidYouMean, peek().range, {ours.str()})
      .fixIt(peek().range, ours);
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

ast::Module Parser::parseModule() {
  ast::Module module;
  ast::Def loose;
  loose.name.text = "main_program";
  loose.isImplicit = true;
  while (true) {
    while (consumeIf(TokenKind::Semicolon))
      continue;
    if (is(TokenKind::EndOfFile))
      break;
    size_t start = position;
    if (looksLikeDef(position)) {
      module.defs.push_back(parseDef());
      continue;
    }
    if (isAtImport()) {
      module.imports.push_back(parseImport());
      continue;
    }
    if (isAtForeignImport()) {
      refuseImport();
      continue;
    }
    if (failed(checkTopLevel())) {
      recoverToStatement(start);
    } else if (failed(parseStatements(loose.statements))) {
      loose.hasErrors = true;
      recoverToStatement(start);
    }
  }

  if (!module.defs.empty() && !loose.statements.empty())
    diags.report(DiagId::StatementOutsideDef, loose.statements[0].range)
        .note(DiagId::DefHere, module.defs[0].name.range,
              {module.defs[0].name.text});
  else if (!loose.statements.empty() || loose.hasErrors)
    module.defs.push_back(std::move(loose));
  else if (module.defs.empty() && !diags.hasErrors())
    diags.report(DiagId::EmptyProgram, peek().range);
  if (!module.defs.empty() && module.defs.back().isImplicit &&
      !module.defs.back().statements.empty()) {
    ast::Def &def = module.defs.back();
    def.range = {def.statements.front().range.begin,
                 def.statements.back().range.end};
    def.name.range = def.statements.front().target.range;
  }
  return module;
}

ast::Import Parser::parseImport() {
  take();
  const Token &path = take();
  return {getStringContents(path), path.range};
}

LogicalResult Parser::checkTopLevel() {
  if (is(TokenKind::RBrace) || is(TokenKind::RParen))
    return refuseClosing();
  // `f(A: f32(M)) -> …` lacks its word.
  if (is(TokenKind::Identifier) && is(TokenKind::LParen, 1) &&
      is(TokenKind::Identifier, 2) && is(TokenKind::Colon, 3) &&
      isAtSignature(1)) {
    uint32_t begin = peek().range.begin;
    DiagnosticBuilder builder = diags.report(
        DiagId::Expected, peek().range, {"`def`", "`" + text(peek()) + "`"});
    recoverToDef();
    return builder.fixIt({begin, begin}, "def ");
  }
  if (is(TokenKind::Identifier) || is(TokenKind::MaxAssign) ||
      is(TokenKind::MinAssign))
    return success();
  return reportMisplaced("a def or a statement");
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

/// Braces tell what is inside of a def; nothing else is looked at.
ModuleIndex Parser::indexModule() {
  ModuleIndex index;
  while (!is(TokenKind::EndOfFile)) {
    if (consumeIf(TokenKind::Semicolon))
      continue;
    if (isAtImport()) {
      index.imports.push_back(parseImport());
      continue;
    }
    if (!looksLikeDef(position)) {
      if (!is(TokenKind::Error)) // the lexer has complained
        diags.report(DiagId::ImportedStatement, peek().range);
      break;
    }
    size_t start = position;
    while (!isWord("def") && !is(TokenKind::EndOfFile))
      take();
    take();
    ast::Name name = {text(peek()), peek().range};
    index.defs.push_back({std::move(name), start});
    recoverToDef();
  }
  return index;
}

ModuleIndex indexModule(const TokenBuffer &tokens, DiagnosticEngine &diags) {
  return Parser(tokens, diags).indexModule();
}

ast::Def parseDef(const TokenBuffer &tokens, size_t position,
                  DiagnosticEngine &diags) {
  return Parser(tokens, diags).parseDefAt(position);
}

ast::Module parse(const TokenBuffer &tokens, DiagnosticEngine &diags) {
  return Parser(tokens, diags).parseModule();
}

static bool isEinsumString(const SourceFile &file, SourceForm form) {
  return form == SourceForm::CommandLine && isBareEinsumString(file.getText());
}

bool isOpDSLFile(StringRef path) {
  return path.ends_with(".yaml") || path.ends_with(".yml");
}

TokenBuffer lexSource(const SourceFile &file, SourceForm form,
                      DiagnosticEngine &diags) {
  if (form == SourceForm::OpDSL)
    return {&file, {}};
  DiagnosticEngine unseen;
  return lex(file, isEinsumString(file, form) ? unseen : diags);
}

ast::Module parseSource(const TokenBuffer &tokens, SourceForm form,
                        DiagnosticEngine &diags) {
  if (isEinsumString(*tokens.file, form))
    return makeEinsumModule(*tokens.file, diags);
  if (form == SourceForm::OpDSL)
    return opdsl::parseModule(*tokens.file, diags);
  return parse(tokens, diags);
}

ast::Module parseSource(const SourceFile &file, SourceForm form,
                        DiagnosticEngine &diags) {
  return parseSource(lexSource(file, form, diags), form, diags);
}

} // namespace ein
