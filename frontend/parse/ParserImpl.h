//===- ParserImpl.h - The parser's state, shared by its files ---*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function that parses something returns failure once it has reported why;
// the caller passes the failure up to the statement or def, where `recover…`
// finds a place to go on from.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_PARSE_PARSERIMPL_H
#define EIN_FRONTEND_PARSE_PARSERIMPL_H

#include "frontend/parse/Parser.h"
#include "frontend/program/ElementType.h"
#include "llvm/ADT/StringSet.h"
#include <algorithm>

namespace ein {

class Parser {
public:
  Parser(const TokenBuffer &buffer, DiagnosticEngine &diags)
      : buffer(buffer), diags(diags) {}

  ast::Module parseModule();
  ModuleIndex indexModule();
  ast::Def parseDefAt(size_t start) {
    position = start;
    return parseDef();
  }

private:
  using LogicalResult = llvm::LogicalResult;
  template <typename T> using FailureOr = llvm::FailureOr<T>;

  // Parser.cpp: the file.
  LogicalResult checkTopLevel();
  bool isAtImport() const {
    return isWord("import") && is(TokenKind::String, 1);
  }
  ast::Import parseImport();

  // ParseDef.cpp: defs and signatures.
  ast::Def parseDef();
  void parseVisibility(ast::Def &def);
  LogicalResult parseOdsName(ast::Def &def);
  LogicalResult parseName(ast::Def &def);
  LogicalResult parseAngleNames(std::vector<ast::Name> &names,
                                llvm::StringRef what);
  LogicalResult parseHeader(ast::Def &def);
  LogicalResult parseArrow();
  LogicalResult parseGenerics(ast::Def &def);
  LogicalResult parseAttributes(ast::Def &def);
  LogicalResult parseShape(ast::Attribute &attribute);
  FailureOr<ast::Attribute> parseAttribute();
  LogicalResult parseAttributeValue(ast::Attribute &attribute);
  LogicalResult parseSignatureList(std::vector<ast::Param> &params,
                                   bool areResults);
  FailureOr<ast::Param> parseParam(bool isResult);
  FailureOr<ast::Type> parseType();
  void skipStatement(ast::Def &def, size_t start);
  void parseBody(ast::Def &def);

  // ParseStatement.cpp: statements, and where to go on after a mistake.
  FailureOr<ast::Statement> parseStatement();
  LogicalResult parseLeftSide(ast::Statement &statement);
  LogicalResult parseAssignment(ast::Statement &statement);
  LogicalResult parseClauses(ast::Statement &statement);
  FailureOr<ast::Clause> parseClause();
  LogicalResult parseRange(ast::Clause &clause);
  bool consumeAnd();
  bool isAtAccumulator() const;
  bool isAtLet() const;
  bool looksLikeStatement(size_t position) const;
  bool isTestInParentheses(size_t ahead) const;
  bool looksLikeDef(size_t at) const;
  bool isVisibility(size_t ahead) const;
  bool isAtSignature(size_t ahead) const;
  void recoverToStatement(size_t start);
  void recoverToDef();

  // ParseUpdates.cpp: all that one comprehension writes.
  LogicalResult parseStatements(std::vector<ast::Statement> &statements);
  bool isAtUpdates() const;
  LogicalResult parseUpdates(std::vector<ast::Statement> &updates);
  LogicalResult orderUpdates(std::vector<ast::Statement> &updates);

  // ParseExpr.cpp: expressions.
  FailureOr<ast::ExprPtr> parseExpr();
  FailureOr<ast::ExprPtr> parseBinary(unsigned minPrecedence);
  FailureOr<ast::ExprPtr> parseUnary();
  void reportMisplacedPlus();
  FailureOr<ast::ExprPtr> parsePower();
  FailureOr<ast::ExprPtr> parsePrimary();
  bool isIndexList() const;
  FailureOr<ast::ExprPtr> parseReduction(const Token &name);
  FailureOr<ast::ExprPtr> parseParenthesized();
  FailureOr<ast::ExprPtr> parseNameOrCall();
  FailureOr<ast::ExprPtr> parseElement(const Token &name);
  FailureOr<ast::ExprPtr> parseCast(const Token &name);
  FailureOr<ast::ExprPtr> parseList();
  ast::ExprPtr takeEllipsis();
  /// Of a call, whose named arguments go into `call`, or of an access.
  FailureOr<std::vector<ast::ExprPtr>> parseArguments(ast::Expr *call = nullptr,
                                                      bool isEinsum = false);
  LogicalResult parseEinsumArgument(ast::Expr &einsum);
  FailureOr<ast::ExprPtr> finish(ast::ExprPtr expr);

  // ParseForeign.cpp: what people bring along from elsewhere.
  DiagnosticBuilder reportWrittenAs(SourceRange range, const llvm::Twine &ours);
  std::optional<TokenKind> takeForeignAssignment();
  void reportSubtraction(SourceRange op, SourceRange value);
  bool takeForeignUpdate(ast::Statement &statement);
  void reportUpdate(const ast::Statement &statement, SourceRange value);
  bool isAtForeignCast() const;
  FailureOr<ast::ExprPtr> takePostfixCast(ast::ExprPtr value);
  bool isAtScope(size_t ahead = 0) const;
  std::string takeQualifiers(const Token &name);
  LogicalResult reportMethod(llvm::StringRef object, const Token &member);
  bool isAtForeignList() const;
  bool isAtThen() const;
  std::optional<TokenKind> getForeignOperator() const;
  bool isAtForeignOperator() const;
  void reportPower(const ast::Expr &base, SourceRange op,
                   const ast::Expr &exponent);
  FailureOr<ast::ExprPtr> parsePythonConditional(ast::ExprPtr value);
  FailureOr<ast::ExprPtr> parseMember(const Token &name);
  std::optional<LogicalResult> refuseReduction(const Token &name);
  bool isForeignReducer(llvm::StringRef name) const;
  bool isAtForeignCast(llvm::StringRef name) const;
  FailureOr<ast::ExprPtr> parseCStyleCast(const ast::Expr &type,
                                          SourceRange parentheses);
  LogicalResult refuseSecondSubscripts();
  LogicalResult refuseSlice(SourceRange range);
  bool closesOnLine() const;
  void skipBlock();
  void skipControl();
  LogicalResult refuseForeignStatement();
  bool isAtForeignImport() const;
  void refuseImport();
  LogicalResult reportRange(const ast::Expr &given);
  bool takeRangeDots(uint32_t &end);
  bool isAtBracketedRange() const;
  bool takeForeignWhere();
  LogicalResult refuseQualifier();
  LogicalResult refuseCArray(const ast::Param &param);
  LogicalResult checkDims();
  LogicalResult refuseSquareSignature();
  LogicalResult parseBareResults(ast::Def &def);

  // Tokens.
  const Token &peek(size_t ahead = 0) const {
    return buffer.tokens[std::min(position + ahead, buffer.tokens.size() - 1)];
  }
  bool is(TokenKind kind, size_t ahead = 0) const {
    return peek(ahead).kind == kind;
  }
  bool isWord(llvm::StringRef word, size_t ahead = 0) const {
    return is(TokenKind::Identifier, ahead) &&
           buffer.getText(peek(ahead)) == word;
  }
  std::string text(const Token &token) const {
    return buffer.getText(token).str();
  }
  /// What is between the quotes, and where.
  SourceRange getStringRange(const Token &token) const {
    uint32_t quotes = buffer.getText(token).starts_with("\"\"\"") ? 3 : 1;
    return {token.range.begin + quotes, token.range.end - quotes};
  }
  std::string getStringContents(const Token &token) const {
    return buffer.file->getText(getStringRange(token)).str();
  }
  /// Never moves past the end of the file.
  const Token &take() {
    const Token &token = peek();
    if (token.kind != TokenKind::EndOfFile)
      ++position;
    return token;
  }
  bool consumeIf(TokenKind kind) {
    if (!is(kind))
      return false;
    take();
    return true;
  }
  /// From `begin` to the end of the token last taken.
  SourceRange rangeFrom(uint32_t begin) const {
    return {begin,
            position == 0 ? begin : std::max(begin, previous().range.end)};
  }
  const Token &previous() const { return buffer.tokens[position - 1]; }

  // Complaints.
  LogicalResult expect(TokenKind kind);
  /// In a list, a comma may be what is missing.
  LogicalResult expectClosing(TokenKind kind, const Token &opening,
                              bool isList = false);
  FailureOr<ast::Name> expectName(llvm::StringRef what);
  LogicalResult reportExpected(llvm::StringRef what,
                               const Token *opening = nullptr);
  LogicalResult reportMisplaced(llvm::StringRef expected);
  DiagnosticBuilder reportExpectedAfter(llvm::StringRef what,
                                        const Token *opening);
  DiagnosticBuilder reportExpectedAt(SourceRange range, llvm::StringRef what,
                                     const Token *opening);
  LogicalResult refuseSquare(llvm::StringRef what);
  LogicalResult reportMissingAssignment(const ast::Statement &statement,
                                        size_t target);
  LogicalResult refuseForeignWord();
  LogicalResult refuseClosing();
  LogicalResult reportTrailingComma(llvm::StringRef what);

  const TokenBuffer &buffer;
  DiagnosticEngine &diags;
  size_t position = 0;
  unsigned nesting = 0;
  /// Of the def being parsed.
  llvm::StringSet<> attributeNames;
};

} // namespace ein

#endif // EIN_FRONTEND_PARSE_PARSERIMPL_H
