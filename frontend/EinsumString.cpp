//===- EinsumString.cpp - The strings of einsum ---------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/EinsumString.h"
#include "frontend/Unicode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace ein {

std::optional<size_t> EinsumTerm::getEllipsis() const {
  for (size_t i = 0, e = labels.size(); i != e; ++i)
    if (labels[i].isEllipsis)
      return i;
  return std::nullopt;
}

namespace {

class EinsumParser {
public:
  EinsumParser(StringRef text, uint32_t offset, DiagnosticEngine &diags)
      : text(text), offset(offset), diags(diags) {}

  FailureOr<EinsumString> parse();

private:
  SourceRange makeRange(size_t begin, size_t end) const {
    return {static_cast<uint32_t>(offset + begin),
            static_cast<uint32_t>(offset + end)};
  }
  FailureOr<EinsumTerm> parseTerm();
  LogicalResult parseLabel(EinsumTerm &term);
  LogicalResult refuseCharacter();
  LogicalResult checkOutput(const EinsumString &einsum);
  void inferOutput(EinsumString &einsum);

  StringRef text;
  uint32_t offset;
  DiagnosticEngine &diags;
  size_t position = 0;
};

FailureOr<EinsumString> EinsumParser::parse() {
  EinsumString einsum;
  do {
    if (!einsum.operands.empty())
      ++position; // the comma
    FailureOr<EinsumTerm> term = parseTerm();
    if (failed(term))
      return failure();
    if (einsum.operands.size() == ast::maxHeight)
      return diags.report(DiagId::ExpressionTooLarge, term->range,
                          {std::to_string(ast::maxHeight)});
    einsum.operands.push_back(std::move(*term));
  } while (text.substr(position).starts_with(","));

  if (text.substr(position).starts_with("->")) {
    position += 2;
    FailureOr<EinsumTerm> term = parseTerm();
    if (failed(term))
      return failure();
    einsum.output = std::move(*term);
    einsum.isOutputExplicit = true;
  }
  if (position != text.size())
    return refuseCharacter();
  if (!einsum.isOutputExplicit)
    inferOutput(einsum);
  else if (failed(checkOutput(einsum)))
    return failure();
  return einsum;
}

/// Labels up to `,`, `->` or the end.
FailureOr<EinsumTerm> EinsumParser::parseTerm() {
  EinsumTerm term;
  while (text.substr(position).starts_with(" "))
    ++position;
  size_t begin = position, end = position;
  while (position != text.size()) {
    StringRef rest = text.substr(position);
    if (rest.starts_with(",") || rest.starts_with("->"))
      break;
    if (rest.starts_with(" ")) {
      ++position;
      continue;
    }
    if (failed(parseLabel(term)))
      return failure();
    end = position;
  }
  term.range = makeRange(begin, end);
  return term;
}

LogicalResult EinsumParser::parseLabel(EinsumTerm &term) {
  StringRef rest = text.substr(position);
  size_t begin = position;
  if (rest.starts_with("...")) {
    position += 3;
    if (term.getEllipsis())
      return diags.report(DiagId::SecondEllipsis, makeRange(begin, position));
    term.labels.push_back({"...", makeRange(begin, position), true});
    return success();
  }
  Character character = decodeCharacter(rest);
  if (!character.isValid || !isLetter(character.codePoint))
    return refuseCharacter();
  position += character.length;
  term.labels.push_back({rest.take_front(character.length).str(),
                         makeRange(begin, position), false});
  return success();
}

LogicalResult EinsumParser::refuseCharacter() {
  StringRef rest = text.substr(position);
  SourceRange range =
      makeRange(position, position + decodeCharacter(rest).length);
  if (rest.starts_with("(") || rest.starts_with(")"))
    return diags.report(DiagId::NotSupported, range,
                        {"parentheses in an einsum string are"});
  return diags.report(DiagId::BadEinsumCharacter, range,
                      {describeCharacter(rest)});
}

LogicalResult EinsumParser::checkOutput(const EinsumString &einsum) {
  StringMap<SourceRange> seen;
  for (const EinsumLabel &label : einsum.output.labels) {
    if (label.isEllipsis)
      continue;
    auto [first, isNew] = seen.try_emplace(label.name, label.range);
    if (!isNew)
      return diags
          .report(DiagId::NotSupported, label.range,
                  {"a label twice in the output is"})
          .note(DiagId::FirstHere, first->second);
    auto isSame = [&](const EinsumLabel &other) {
      return other.name == label.name;
    };
    if (llvm::none_of(einsum.operands, [&](const EinsumTerm &term) {
          return llvm::any_of(term.labels, isSame);
        }))
      return diags.report(DiagId::OutputLabelUnknown, label.range,
                          {label.name});
  }
  return success();
}

void EinsumParser::inferOutput(EinsumString &einsum) {
  einsum.output.range = makeRange(text.size(), text.size());
  StringMap<unsigned> counts;
  for (const EinsumTerm &term : einsum.operands)
    for (const EinsumLabel &label : term.labels)
      ++counts[label.name];
  std::vector<EinsumLabel> &output = einsum.output.labels;
  for (const EinsumTerm &term : einsum.operands)
    for (const EinsumLabel &label : term.labels)
      if (!label.isEllipsis && counts[label.name] == 1)
        output.push_back(label);
  // In UTF-8, the order of bytes is the order of code points.
  llvm::sort(output, [](const EinsumLabel &a, const EinsumLabel &b) {
    return a.name < b.name;
  });
  for (const EinsumTerm &term : einsum.operands) {
    if (std::optional<size_t> ellipsis = term.getEllipsis()) {
      output.insert(output.begin(), term.labels[*ellipsis]);
      break;
    }
  }
}

} // namespace

FailureOr<EinsumString> parseEinsumString(StringRef text, uint32_t offset,
                                          DiagnosticEngine &diags) {
  return EinsumParser(text, offset, diags).parse();
}

/// A name and, without a blank, several subscripts: `C(m, n)`. In an einsum
/// string, parentheses with a comma group operands and follow none.
static bool hasAccess(StringRef text) {
  while (true) {
    auto [before, after] = text.split('(');
    if (before.size() == text.size())
      return false;
    if (!before.empty() && (isAlnum(before.back()) || before.back() == '_') &&
        after.take_until([](char c) { return c == ')' || c == '('; })
            .contains(','))
      return true;
    text = after;
  }
}

bool isBareEinsumString(StringRef text) {
  // A statement without its assignment is to be told that it lacks one.
  bool isExpression = hasAccess(text) ||
                      (text.find_first_of("+*/<!&|^%~?[]") != StringRef::npos &&
                       !text.contains("->"));
  return !text.trim().empty() && !isExpression &&
         text.find_first_of("={}\":;#") == StringRef::npos;
}

/// A, B, …, Z, A1, B1, …
static std::string makeOperandName(size_t position) {
  std::string name(1, static_cast<char>('A' + position % 26));
  return position < 26 ? name : name + std::to_string(position / 26);
}

ast::Module makeEinsumModule(const SourceFile &file, DiagnosticEngine &diags) {
  // What ends the line on which the string was typed is not part of it.
  StringRef text = file.getText().rtrim("\r\n");
  SourceRange range = {0, static_cast<uint32_t>(text.size())};
  auto string = std::make_unique<ast::Expr>();
  string->kind = ast::Expr::Kind::String;
  string->text = text.str();
  string->range = string->nameRange = range;

  std::vector<ast::ExprPtr> args;
  args.push_back(std::move(string));
  size_t numOperands = text.split("->").first.count(',') + 1;
  // Any more are refused together with the string.
  numOperands = std::min<size_t>(numOperands, ast::maxHeight);
  for (size_t i = 0; i != numOperands; ++i)
    args.push_back(ast::makeName(makeOperandName(i), range));

  ast::Statement statement;
  statement.target = {makeOperandName(numOperands), range};
  statement.opRange = statement.range = range;
  statement.value = ast::makeCall({"einsum", range}, range, std::move(args));
  ast::Def def;
  def.name = {"main_program", range};
  def.range = range;
  def.isImplicit = true;
  def.statements.push_back(std::move(statement));
  ast::Module module;
  module.defs.push_back(std::move(def));
  return module;
}

} // namespace ein
