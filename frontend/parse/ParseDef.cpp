//===- ParseDef.cpp - Tokens to a tree: defs and their signatures ---------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A def's header is read as a whole: after a mistake in it there is nothing to
// check the body by, and parsing goes on with the next def.
//
//===----------------------------------------------------------------------===//

#include "frontend/parse/OdsNotation.h"
#include "frontend/parse/ParserImpl.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace ein {

/// odsdef? 'def' id generics? '(' params ')' '->' '(' results ')' attrs?
/// docstring? '{' statements '}'
ast::Def Parser::parseDef() {
  ast::Def def;
  attributeNames.clear();
  uint32_t begin = peek().range.begin;
  parseVisibility(def);
  if (failed(parseOdsName(def)) || failed(parseName(def)) ||
      failed(parseHeader(def))) {
    def.hasErrors = true;
    recoverToDef();
  } else {
    parseBody(def);
    if (!def.hasErrors)
      completeOdsDef(def, diags);
  }
  def.range = rangeFrom(begin);
  return def;
}

/// ('private' | 'public')?
void Parser::parseVisibility(ast::Def &def) {
  if (!isVisibility(0))
    return;
  def.visibility =
      isWord("private") ? ast::Visibility::Private : ast::Visibility::Public;
  take();
}

/// 'ods_def' '<' id '>' ('implements_interface' '<' id (',' id)* '>')? ':'
LogicalResult Parser::parseOdsName(ast::Def &def) {
  if (!isWord("ods_def"))
    return success();
  take();
  def.ods.emplace();
  std::vector<ast::Name> names;
  if (failed(parseAngleNames(names, "the name of an op")))
    return failure();
  def.ods->name = names.front();
  if (names.size() > 1)
    return diags.report(DiagId::Expected, names[1].range,
                        {"one name", "`" + names[1].text + "`"});
  if (isWord("implements_interface")) {
    take();
    if (failed(
            parseAngleNames(def.ods->interfaces, "the name of an interface")))
      return failure();
  }
  return expect(TokenKind::Colon);
}

LogicalResult Parser::parseName(ast::Def &def) {
  if (!isWord("def"))
    return reportExpected("`def`");
  take();
  if (is(TokenKind::LParen))
    return reportMisplaced("the name of a def");
  FailureOr<ast::Name> name = expectName("the name of a def");
  if (succeeded(name))
    def.name = *name;
  return name;
}

/// '<' id (',' id)* '>'
LogicalResult Parser::parseAngleNames(std::vector<ast::Name> &names,
                                      StringRef what) {
  const Token &opening = peek();
  if (failed(expect(TokenKind::Less)))
    return failure();
  do {
    FailureOr<ast::Name> name = expectName(what);
    if (failed(name))
      return failure();
    names.push_back(*name);
  } while (consumeIf(TokenKind::Comma));
  return expectClosing(TokenKind::Greater, opening);
}

LogicalResult Parser::parseHeader(ast::Def &def) {
  if (is(TokenKind::LSquare))
    return refuseSquareSignature();
  if (failed(parseGenerics(def)) ||
      failed(parseSignatureList(def.params, /*areResults=*/false)) ||
      failed(parseArrow()))
    return failure();
  if (failed(is(TokenKind::Identifier)
                 ? parseBareResults(def)
                 : parseSignatureList(def.results, /*areResults=*/true)))
    return failure();
  if (def.results.empty())
    return diags.report(DiagId::NoResult, def.name.range, {def.name.text});
  if (isWord("attr") && is(TokenKind::LParen, 1) &&
      failed(parseAttributes(def)))
    return failure();
  if (isWord("attrs") || isWord("attribute") || isWord("attributes"))
    return reportWrittenAs(peek().range, "attr").fixIt(peek().range, "attr");
  if (is(TokenKind::String))
    def.docstring = getStringContents(take());
  if (is(TokenKind::Semicolon) && is(TokenKind::LBrace, 1))
    return diags.report(DiagId::Expected, peek().range, {"`{`", "`;`"})
        .fixIt(peek().range, "");
  return success();
}

/// `->`; what stands for it elsewhere is reported, and then taken for it.
LogicalResult Parser::parseArrow() {
  if (consumeIf(TokenKind::Arrow))
    return success();
  uint32_t begin = peek().range.begin;
  bool isFat = is(TokenKind::Assign) && is(TokenKind::Greater, 1) &&
               peek(1).range.begin == peek().range.end;
  bool isColon = is(TokenKind::Colon) && is(TokenKind::LParen, 1);
  if (isFat || isColon) {
    take();
    if (isFat)
      take();
    reportWrittenAs(rangeFrom(begin), "->").fixIt(rangeFrom(begin), "->");
    return success();
  }
  if (is(TokenKind::LParen)) {
    diags.report(DiagId::Expected, peek().range, {"`->`", "`(`"})
        .fixIt({begin, begin}, "-> ");
    return success();
  }
  return reportExpected("`->` and results");
}

/// '<' id ('=' element type)? (',' …)* '>'
LogicalResult Parser::parseGenerics(ast::Def &def) {
  const Token &opening = peek();
  if (!consumeIf(TokenKind::Less))
    return success();
  do {
    FailureOr<ast::Name> name = expectName("the name of a type");
    if (failed(name))
      return failure();
    def.generics.push_back({*name, std::nullopt});
    if (!consumeIf(TokenKind::Assign))
      continue;
    FailureOr<ast::Name> type = expectName("an element type");
    if (failed(type))
      return failure();
    def.generics.back().defaultType = *type;
  } while (consumeIf(TokenKind::Comma));
  return expectClosing(TokenKind::Greater, opening);
}

/// 'attr' '(' (id '?'? ':' (int 'x')* element type '[]'? ('=' literal)?),* ')'
LogicalResult Parser::parseAttributes(ast::Def &def) {
  take();
  const Token &opening = take();
  if (consumeIf(TokenKind::RParen))
    return success();
  do {
    FailureOr<ast::Attribute> attribute = parseAttribute();
    if (failed(attribute))
      return failure();
    attributeNames.insert(attribute->name.text);
    def.attributes.push_back(std::move(*attribute));
  } while (consumeIf(TokenKind::Comma));
  return expectClosing(TokenKind::RParen, opening);
}

FailureOr<ast::Attribute> Parser::parseAttribute() {
  ast::Attribute attribute;
  uint32_t begin = peek().range.begin;
  FailureOr<ast::Name> name = expectName("the name of an attribute");
  if (failed(name))
    return failure();
  attribute.name = *name;
  attribute.isOptional = consumeIf(TokenKind::Question);
  if (failed(expect(TokenKind::Colon)))
    return failure();
  // `2xindex`: the lexer takes the number apart from `xindex`.
  bool hasLength = is(TokenKind::Integer) && is(TokenKind::Identifier, 1) &&
                   peek().range.end == peek(1).range.begin &&
                   buffer.getText(peek(1)).starts_with("x");
  if (hasLength) {
    const Token &length = take();
    int64_t value;
    if (buffer.getText(length).getAsInteger(10, value))
      return diags.report(DiagId::IntegerTooLarge, length.range,
                          {text(length)});
    attribute.length = value;
  }
  FailureOr<ast::Name> element = expectName("an element type");
  if (failed(element))
    return failure();
  attribute.element = *element;
  if (takeEllipsis())
    attribute.length = ast::anyLength;
  if (hasLength && failed(parseShape(attribute)))
    return failure();
  // ods-gen's list of any length.
  if (!attribute.length && is(TokenKind::LSquare) &&
      is(TokenKind::RSquare, 1)) {
    take();
    take();
    attribute.length = ast::anyLength;
  }
  if (consumeIf(TokenKind::Assign) && failed(parseAttributeValue(attribute)))
    return failure();
  attribute.range = rangeFrom(begin);
  return attribute;
}

/// What the lexer took for a name after a length: `xindex`, or the rest of
/// ods-gen's `5x6xi32`, thirty numbers.
LogicalResult Parser::parseShape(ast::Attribute &attribute) {
  ast::Name &element = attribute.element;
  StringRef rest = element.text;
  rest.consume_front("x");
  while (!rest.empty() && llvm::isDigit(rest.front())) {
    int64_t length;
    StringRef digits = rest.take_while(llvm::isDigit);
    rest = rest.drop_front(digits.size());
    if (digits.getAsInteger(10, length) ||
        llvm::MulOverflow(*attribute.length, length, length))
      return diags.report(DiagId::IntegerTooLarge, element.range,
                          {digits.str()});
    attribute.length = length;
    if (!rest.consume_front("x"))
      break;
  }
  element.range.begin += element.text.size() - rest.size();
  element.text = rest.str();
  return success();
}

/// A number, or a list of numbers; of an attribute `f: unary_fn` a function.
LogicalResult Parser::parseAttributeValue(ast::Attribute &attribute) {
  if (StringRef(attribute.element.text).ends_with("_fn") &&
      is(TokenKind::Identifier)) {
    FailureOr<ast::Name> function = expectName("a function");
    if (succeeded(function))
      attribute.function = *function;
    return function;
  }
  const Token &opening = peek();
  bool isList = consumeIf(TokenKind::LSquare);
  do {
    bool isNumber = is(TokenKind::Integer) || is(TokenKind::Float) ||
                    (is(TokenKind::Minus) &&
                     (is(TokenKind::Integer, 1) || is(TokenKind::Float, 1)));
    if (!isNumber)
      return reportExpected("a number");
    FailureOr<ast::ExprPtr> value = parseUnary();
    if (failed(value))
      return failure();
    attribute.values.push_back(std::move(*value));
  } while (isList && consumeIf(TokenKind::Comma));
  return isList ? expectClosing(TokenKind::RSquare, opening) : success();
}

LogicalResult Parser::parseSignatureList(std::vector<ast::Param> &params,
                                         bool areResults) {
  const Token &opening = peek();
  if (failed(expect(TokenKind::LParen)))
    return failure();
  if (consumeIf(TokenKind::RParen))
    return success();
  do {
    FailureOr<ast::Param> param = parseParam(areResults);
    if (failed(param))
      return failure();
    params.push_back(std::move(*param));
    if (is(TokenKind::Semicolon)) {
      reportWrittenAs(peek().range, ",").fixIt(peek().range, ",");
      take();
    } else if (!consumeIf(TokenKind::Comma)) {
      break;
    }
    if (is(TokenKind::RParen))
      return reportTrailingComma("a parameter");
  } while (true);
  return expectClosing(TokenKind::RParen, opening, /*isList=*/true);
}

LogicalResult Parser::reportTrailingComma(StringRef what) {
  return diags
      .report(DiagId::Expected, peek().range,
              {what.str(), "`" + text(peek()) + "`"})
      .fixIt(previous().range, "");
}

/// id ':' type | type id, and of results also: id, 'inout' …
FailureOr<ast::Param> Parser::parseParam(bool isResult) {
  ast::Param param;
  uint32_t begin = peek().range.begin;
  if (isWord("inout") && is(TokenKind::Identifier, 1)) {
    if (!isResult)
      return diags.report(DiagId::InOutParameter, peek().range);
    take();
    param.isInOut = true;
  }
  if (failed(refuseQualifier()))
    return failure();
  // `A f32(M)` lacks its colon; `f32 f64` is TC's order.
  if (is(TokenKind::Identifier) && is(TokenKind::Identifier, 1) &&
      parseElementType(buffer.getText(peek(1))) &&
      !parseElementType(buffer.getText(peek()))) {
    uint32_t end = peek().range.end;
    return diags
        .report(DiagId::Expected, peek(1).range,
                {"`:`", "`" + text(peek(1)) + "`"})
        .fixIt({end, end}, ":");
  }
  bool nameIsFirst = is(TokenKind::Colon, 1) || is(TokenKind::Comma, 1) ||
                     is(TokenKind::RParen, 1);
  if (!nameIsFirst) {
    FailureOr<ast::Type> type = parseType();
    if (failed(type))
      return failure();
    param.type = std::move(*type);
  }
  if (is(TokenKind::Star) || is(TokenKind::And))
    return refuseCArray(param);
  FailureOr<ast::Name> name =
      expectName(isResult ? "the name of a result" : "the name of a parameter");
  if (failed(name))
    return failure();
  param.name = *name;
  if (nameIsFirst && consumeIf(TokenKind::Colon)) {
    FailureOr<ast::Type> type = parseType();
    if (failed(type))
      return failure();
    param.type = std::move(*type);
  }
  param.range = rangeFrom(begin);
  if (is(TokenKind::LSquare) && !nameIsFirst)
    return refuseCArray(param);
  if (is(TokenKind::Assign))
    return diags.report(DiagId::Expected, peek().range, {"`,` or `)`", "`=`"})
        .note(DiagId::AttributeInstead, peek().range);
  if (!param.type && (!isResult || param.isInOut))
    return diags.report(DiagId::ParameterNeedsType, param.name.range,
                        {param.name.text});
  return param;
}

/// id ('(' dims ')')?
FailureOr<ast::Type> Parser::parseType() {
  uint32_t begin = peek().range.begin;
  if (failed(refuseQualifier()))
    return failure();
  // `np.float32`
  if (is(TokenKind::Identifier) &&
      (isAtScope(1) || (is(TokenKind::Dot, 1) && is(TokenKind::Identifier, 2))))
    takeQualifiers(take());
  FailureOr<ast::Name> element = expectName("an element type");
  if (failed(element))
    return failure();
  ast::Type type;
  type.element = *element;
  if (is(TokenKind::LSquare))
    return refuseSquare("dims");
  if (is(TokenKind::Less))
    return diags.report(DiagId::TypeForm, rangeFrom(begin));
  if (element->text == "double" && isWord("precision")) {
    take();
    reportWrittenAs(rangeFrom(begin), "f64").fixIt(rangeFrom(begin), "f64");
  }
  if (is(TokenKind::LParen)) {
    if (failed(checkDims()))
      return failure();
    FailureOr<std::vector<ast::ExprPtr>> dims = parseArguments();
    if (failed(dims))
      return failure();
    type.dims = std::move(*dims);
  }
  type.range = rangeFrom(begin);
  return type;
}

/// The statement at `start` is left out. One that ends before it on its line
/// did not end there, but went on with what could not be parsed.
void Parser::skipStatement(ast::Def &def, size_t start) {
  def.hasErrors = def.isPartial = true;
  TokenKind before = buffer.tokens[start - 1].kind;
  bool isAlone = buffer.tokens[start].startsLine ||
                 before == TokenKind::Semicolon || before == TokenKind::LBrace;
  if (!isAlone && !def.statements.empty()) {
    const ast::Statement &last = def.statements.back();
    def.skippedNames.push_back(last.target.text);
    for (const ast::Name &target : last.moreTargets)
      def.skippedNames.push_back(target.text);
    def.statements.pop_back();
  }
  for (size_t i = start; i != position; ++i)
    if (buffer.tokens[i].kind == TokenKind::Identifier)
      def.skippedNames.push_back(text(buffer.tokens[i]));
  // What is returned is a result.
  if (buffer.getText(buffer.tokens[start]) == "return")
    for (const ast::Param &result : def.results)
      def.skippedNames.push_back(result.name.text);
}

void Parser::parseBody(ast::Def &def) {
  const Token &opening = peek();
  if (failed(expect(TokenKind::LBrace))) {
    def.hasErrors = true;
    return recoverToDef();
  }
  while (true) {
    while (consumeIf(TokenKind::Semicolon))
      continue;
    if (is(TokenKind::RBrace) || is(TokenKind::EndOfFile) ||
        looksLikeDef(position))
      break;
    size_t start = position;
    if (succeeded(parseStatements(def.statements)))
      continue;
    recoverToStatement(start);
    skipStatement(def, start);
  }
  // What is open at the end has been said of the last statement already.
  if (def.hasErrors && is(TokenKind::EndOfFile))
    return;
  if (failed(expectClosing(TokenKind::RBrace, opening)))
    def.hasErrors = true;
}

} // namespace ein
