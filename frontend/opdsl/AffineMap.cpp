//===- AffineMap.cpp - affine_map<…> as expressions -----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/opdsl/AffineMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace ein::opdsl {
namespace {

class MapParser {
public:
  MapParser(const SourceFile &file, SourceRange range, DiagnosticEngine &diags)
      : file(file), range(range), position(range.begin), diags(diags) {}

  FailureOr<AffineMap> parse();

private:
  LogicalResult parseNames(char opening, char closing,
                           std::vector<ast::Name> &names);
  FailureOr<ast::Name> parseName();
  FailureOr<ast::ExprPtr> parseSum();
  FailureOr<ast::ExprPtr> parseProduct();
  FailureOr<ast::ExprPtr> parseFactor();
  FailureOr<ast::ExprPtr> finish(ast::ExprPtr expr);

  void skipBlanks() {
    while (position < range.end && isSpace(at(position)))
      ++position;
  }
  /// The next character that is no blank; 0 at the end.
  char peek() {
    skipBlanks();
    return position < range.end ? at(position) : '\0';
  }
  bool consumeIf(StringRef token) {
    skipBlanks();
    if (!getText(position, range.end).starts_with(token))
      return false;
    position += token.size();
    return true;
  }
  LogicalResult expect(StringRef token) {
    return success(consumeIf(token) ||
                   succeeded(fail("`" + token.str() + "`")));
  }
  LogicalResult fail(const std::string &expected);

  char at(uint32_t place) const { return getText(place, place + 1)[0]; }
  StringRef getText(uint32_t begin, uint32_t end) const {
    return file.getText({begin, end});
  }

  const SourceFile &file;
  SourceRange range;
  uint32_t position;
  DiagnosticEngine &diags;
  unsigned nesting = 0;
};

LogicalResult MapParser::fail(const std::string &expected) {
  bool isAtEnd = peek() == '\0' && position >= range.end;
  uint32_t end = isAtEnd ? position : position + 1;
  std::string found =
      isAtEnd ? "the end of the map" : "`" + getText(position, end).str() + "`";
  return diags.report(DiagId::Expected, {position, end}, {expected, found});
}

FailureOr<ast::Name> MapParser::parseName() {
  char first = peek();
  if (!isAlpha(first) && first != '_')
    return fail("a name");
  uint32_t begin = position;
  while (position < range.end && (isAlnum(at(position)) || at(position) == '_'))
    ++position;
  return ast::Name{getText(begin, position).str(), {begin, position}};
}

LogicalResult MapParser::parseNames(char opening, char closing,
                                    std::vector<ast::Name> &names) {
  if (failed(expect(StringRef(&opening, 1))))
    return failure();
  if (consumeIf(StringRef(&closing, 1)))
    return success();
  do {
    FailureOr<ast::Name> name = parseName();
    if (failed(name))
      return failure();
    names.push_back(*name);
  } while (consumeIf(","));
  return expect(StringRef(&closing, 1));
}

FailureOr<AffineMap> MapParser::parse() {
  AffineMap map;
  map.range = range;
  if (failed(expect("affine_map")) || failed(expect("<")) ||
      failed(parseNames('(', ')', map.dims)) ||
      (peek() == '[' && failed(parseNames('[', ']', map.symbols))) ||
      failed(expect("->")) || failed(expect("(")))
    return failure();
  StringSet<> known;
  for (const std::vector<ast::Name> &names : {map.dims, map.symbols})
    for (const ast::Name &name : names)
      if (!known.insert(name.text).second)
        return diags.report(DiagId::DuplicateName, name.range, {name.text});
  if (!consumeIf(")")) {
    do {
      FailureOr<ast::ExprPtr> result = parseSum();
      if (failed(result))
        return failure();
      map.results.push_back(std::move(*result));
    } while (consumeIf(","));
    if (failed(expect(")")))
      return failure();
  }
  if (failed(expect(">")))
    return failure();
  if (peek() != '\0' || position < range.end)
    return fail("the end of the map");
  // Every name that is used is declared.
  LogicalResult result = success();
  for (const ast::ExprPtr &expr : map.results)
    (void)substitute(*expr, [&](const ast::Expr &name) {
      if (!known.contains(name.text))
        result = diags.report(DiagId::UnknownName, name.range, {name.text});
      return ast::makeName(name.text, name.range);
    });
  if (failed(result))
    return failure();
  return map;
}

FailureOr<ast::ExprPtr> MapParser::finish(ast::ExprPtr expr) {
  if (expr->height > ast::maxHeight)
    return diags.report(DiagId::ExpressionTooLarge, expr->nameRange,
                        {std::to_string(ast::maxHeight)});
  return expr;
}

FailureOr<ast::ExprPtr> MapParser::parseSum() {
  FailureOr<ast::ExprPtr> lhs = parseProduct();
  while (succeeded(lhs)) {
    char op = peek();
    // `->` cannot follow here, so that every `-` is a difference.
    if (op != '+' && op != '-')
      return lhs;
    uint32_t place = position++;
    FailureOr<ast::ExprPtr> rhs = parseProduct();
    if (failed(rhs))
      return failure();
    lhs = finish(ast::makeBinary(op == '+' ? TokenKind::Plus : TokenKind::Minus,
                                 {place, place + 1}, std::move(*lhs),
                                 std::move(*rhs)));
  }
  return failure();
}

FailureOr<ast::ExprPtr> MapParser::parseProduct() {
  FailureOr<ast::ExprPtr> lhs = parseFactor();
  while (succeeded(lhs)) {
    char op = peek();
    uint32_t place = position;
    if (isAlpha(op)) { // mod, floordiv, ceildiv
      FailureOr<ast::Name> name = parseName();
      return diags.report(DiagId::NotLinear, name->range, {"map"});
    }
    if (op != '*')
      return lhs;
    ++position;
    FailureOr<ast::ExprPtr> rhs = parseFactor();
    if (failed(rhs))
      return failure();
    lhs = finish(ast::makeBinary(TokenKind::Star, {place, place + 1},
                                 std::move(*lhs), std::move(*rhs)));
  }
  return failure();
}

FailureOr<ast::ExprPtr> MapParser::parseFactor() {
  char first = peek();
  uint32_t begin = position;
  if (first == '(' || first == '-') {
    if (++nesting > ast::maxNesting)
      return diags.report(DiagId::NestingTooDeep, {begin, begin + 1},
                          {std::to_string(ast::maxNesting)});
    ++position;
    FailureOr<ast::ExprPtr> inner = first == '(' ? parseSum() : parseFactor();
    if (failed(inner) || (first == '(' && failed(expect(")"))))
      return failure();
    --nesting;
    if (first == '-')
      return finish(ast::makeUnary(TokenKind::Minus, {begin, begin + 1},
                                   std::move(*inner)));
    (*inner)->range = {begin, position};
    return inner;
  }
  if (isDigit(first)) {
    while (position < range.end && isDigit(at(position)))
      ++position;
    return ast::makeLiteral(getText(begin, position).str(), {begin, position});
  }
  FailureOr<ast::Name> name = parseName();
  if (failed(name))
    return failure();
  return ast::makeName(name->text, name->range);
}

} // namespace

FailureOr<AffineMap> parseAffineMap(const SourceFile &file, SourceRange range,
                                    DiagnosticEngine &diags) {
  return MapParser(file, range, diags).parse();
}

ast::ExprPtr substitute(const ast::Expr &expr,
                        function_ref<ast::ExprPtr(const ast::Expr &)> replace) {
  switch (expr.kind) {
  case ast::Expr::Kind::Name:
    return replace(expr);
  case ast::Expr::Kind::Unary:
    return ast::makeUnary(expr.op, expr.nameRange,
                          substitute(*expr.operands[0], replace));
  case ast::Expr::Kind::Binary: {
    ast::ExprPtr copy = ast::makeBinary(expr.op, expr.nameRange,
                                        substitute(*expr.operands[0], replace),
                                        substitute(*expr.operands[1], replace));
    copy->range = expr.range;
    return copy;
  }
  default:
    return ast::makeLiteral(expr.text, expr.range);
  }
}

std::optional<Polynomial> multiplyOut(const ast::Expr &expr) {
  constexpr size_t maxTerms = 64;
  if (expr.kind == ast::Expr::Kind::Name)
    return Polynomial{{{expr.text}, 1}};
  if (expr.kind == ast::Expr::Kind::Number) {
    int64_t value;
    if (StringRef(expr.text).getAsInteger(10, value))
      return std::nullopt;
    return value == 0 ? Polynomial{} : Polynomial{{{}, value}};
  }
  std::optional<Polynomial> lhs = multiplyOut(*expr.operands[0]);
  std::optional<Polynomial> rhs = expr.kind == ast::Expr::Kind::Unary
                                      ? Polynomial{}
                                      : multiplyOut(*expr.operands[1]);
  if (!lhs || !rhs)
    return std::nullopt;
  if (expr.kind == ast::Expr::Kind::Unary)
    std::swap(lhs, rhs); // 0 - x
  Polynomial result;
  bool overflows = false;
  auto add = [&](const std::vector<std::string> &names, int64_t value) {
    int64_t &sum = result[names];
    overflows |= static_cast<bool>(AddOverflow(sum, value, sum));
    if (sum == 0)
      result.erase(names);
  };
  if (expr.op == TokenKind::Star) {
    for (const auto &[names, value] : *lhs)
      for (const auto &[otherNames, otherValue] : *rhs) {
        std::vector<std::string> product = names;
        llvm::append_range(product, otherNames);
        llvm::sort(product);
        int64_t coefficient;
        overflows |=
            static_cast<bool>(MulOverflow(value, otherValue, coefficient));
        add(product, coefficient);
        if (result.size() > maxTerms || product.size() > maxTerms)
          return std::nullopt;
      }
  } else {
    result = *lhs;
    for (const auto &[names, value] : *rhs) {
      overflows |= value == std::numeric_limits<int64_t>::min();
      add(names, expr.op == TokenKind::Plus || overflows ? value : -value);
    }
  }
  if (overflows || result.size() > maxTerms)
    return std::nullopt;
  return result;
}

} // namespace ein::opdsl
