//===- EinsumString.cpp - The strings of einsum ---------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/parse/EinsumString.h"
#include "frontend/source/Unicode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace ein {

std::optional<size_t> EinsumTerm::getEllipsis() const {
  for (size_t i = 0, e = labels.size(); i != e; ++i)
    if (labels[i].isEllipsis)
      return i;
  return std::nullopt;
}

size_t EinsumTerm::getNumLabels() const {
  return llvm::count_if(
      labels, [](const EinsumLabel &label) { return !label.isEllipsis; });
}

/// The labels of a term, those of groups too, but no ellipsis.
static void forEachLabel(const EinsumTerm &term,
                         function_ref<void(const EinsumLabel &)> callback) {
  for (const EinsumLabel &label : term.labels) {
    if (!label.isEllipsis && !label.isGroup())
      callback(label);
    for (const EinsumLabel &member : label.members)
      callback(member);
  }
}

namespace {

class EinsumParser {
public:
  EinsumParser(StringRef text, uint32_t offset, EinsumNotation notation,
               DiagnosticEngine &diags)
      : text(text), offset(offset), notation(notation), diags(diags) {}

  FailureOr<EinsumString> parse();

private:
  /// A member of a group: an operand by its number, or another group.
  struct Member {
    unsigned number;
    bool isGroup;
  };

  SourceRange makeRange(size_t begin, size_t end) const {
    return {static_cast<uint32_t>(offset + begin),
            static_cast<uint32_t>(offset + end)};
  }
  bool isAt(StringRef what) const {
    return text.substr(position).starts_with(what);
  }
  /// At a parenthesis round terms, not round labels.
  bool isAtTerms(StringRef parenthesis) const {
    return isAt(parenthesis) && isRoundTerms[position];
  }
  void skipBlanks() {
    while (isAt(" "))
      ++position;
  }
  LogicalResult matchParentheses();
  LogicalResult checkEllipses();
  LogicalResult parseOperands();
  void closeGroup();
  void numberGroups();
  FailureOr<EinsumTerm> parseTerm();
  bool isAtEllipsis() const;
  LogicalResult parseEllipsis(EinsumTerm &term);
  LogicalResult parseGroup(EinsumTerm &term);
  FailureOr<EinsumLabel> parseLabel();
  LogicalResult refuseCharacter();

  StringRef text;
  uint32_t offset;
  EinsumNotation notation;
  DiagnosticEngine &diags;
  size_t position = 0;
  /// By position: whether there is a parenthesis of a pair with a comma in it.
  std::vector<bool> isRoundTerms;
  EinsumString einsum;
  /// The members so far of the groups that are open, outermost first; the
  /// first is the product as a whole.
  std::vector<std::vector<Member>> open{1};
  std::vector<std::vector<Member>> closed;
};

FailureOr<EinsumString> EinsumParser::parse() {
  einsum.notation = notation;
  if (failed(matchParentheses()) || failed(parseOperands()))
    return failure();
  if (isAt("->")) {
    if (open.size() != 1)
      return diags.report(DiagId::EinsumArrowInside,
                          makeRange(position, position + 2));
    position += 2;
    FailureOr<EinsumTerm> term = parseTerm();
    if (failed(term))
      return failure();
    einsum.output = std::move(*term);
    einsum.isOutputExplicit = true;
    if (isAt("->"))
      return diags.report(DiagId::EinsumSecondArrow,
                          makeRange(position, position + 2));
  }
  if (position != text.size())
    return refuseCharacter();
  if (failed(checkEllipses()))
    return failure();
  numberGroups();
  if (!einsum.isOutputExplicit) {
    einsum.output.range = makeRange(text.size(), text.size());
    // In UTF-8, the order of bytes is the order of code points.
    inferEinsumOutput(einsum, std::less<StringRef>());
  } else if (failed(checkEinsumOutput(einsum, diags))) {
    return failure();
  }
  return std::move(einsum);
}

/// `..k` beside a label `k` may be `...k` with a dot missing.
LogicalResult EinsumParser::checkEllipses() {
  StringSet<> labels;
  for (const EinsumTerm &term : einsum.operands)
    forEachLabel(term,
                 [&](const EinsumLabel &label) { labels.insert(label.name); });
  for (const EinsumTerm &term : einsum.operands)
    for (const EinsumLabel &label : term.labels)
      if (label.isEllipsis && labels.contains(label.name.substr(2))) {
        uint32_t begin = label.range.begin;
        return diags
            .report(DiagId::BadEinsumCharacter, {begin, begin + 1},
                    {describeCharacter(".")})
            .note(DiagId::EllipsisForms, label.range, {label.name.substr(2)});
      }
  return success();
}

LogicalResult EinsumParser::matchParentheses() {
  struct Open {
    size_t position;
    bool hasComma;
  };
  isRoundTerms.assign(text.size(), false);
  std::vector<Open> unmatched;
  auto report = [&](size_t at) {
    return diags.report(DiagId::EinsumParenthesis, makeRange(at, at + 1),
                        {text.substr(at, 1).str()});
  };
  for (size_t i = 0, e = text.size(); i != e; ++i) {
    if (text[i] == ',' && !unmatched.empty())
      unmatched.back().hasComma = true;
    if (text[i] == '(')
      unmatched.push_back({i, false});
    if (text[i] != ')')
      continue;
    if (unmatched.empty())
      return report(i);
    Open opening = unmatched.back();
    unmatched.pop_back();
    isRoundTerms[opening.position] = isRoundTerms[i] = opening.hasComma;
    if (opening.hasComma && !unmatched.empty())
      unmatched.back().hasComma = true;
  }
  return unmatched.empty() ? success() : report(unmatched.back().position);
}

/// Up to `->`, the end, or what no operand begins with.
LogicalResult EinsumParser::parseOperands() {
  while (true) {
    skipBlanks();
    for (; isAtTerms("("); skipBlanks()) {
      open.emplace_back();
      if (open.size() > ast::maxNesting)
        return diags.report(DiagId::NestingTooDeep,
                            makeRange(position, position + 1),
                            {std::to_string(ast::maxNesting)});
      ++position;
    }
    FailureOr<EinsumTerm> term = parseTerm();
    if (failed(term))
      return failure();
    open.back().push_back(
        {static_cast<unsigned>(einsum.operands.size()), /*isGroup=*/false});
    einsum.operands.push_back(std::move(*term));
    if (isAtTerms("(")) // what it holds began as a term
      return diags.report(DiagId::EinsumGroupBeside,
                          makeRange(position, position + 1));
    for (; isAtTerms(")"); skipBlanks()) {
      closeGroup();
      ++position;
    }
    if (isAt(",")) {
      ++position;
      continue;
    }
    bool isAfterGroup =
        position != 0 && !open.back().empty() && open.back().back().isGroup;
    if (isAfterGroup && position != text.size() && !isAt("->"))
      return diags.report(DiagId::EinsumGroupBeside,
                          makeRange(position, position + 1));
    return success();
  }
}

void EinsumParser::closeGroup() {
  std::vector<Member> members = std::move(open.back());
  open.pop_back();
  Member member = members.front();
  // Parentheses round one group say nothing new.
  if (members.size() > 1) {
    member = {static_cast<unsigned>(closed.size()), /*isGroup=*/true};
    closed.push_back(std::move(members));
  }
  open.back().push_back(member);
}

/// Groups count on from the operands, whose number is known now. One that has
/// everything in it leaves nothing to be said.
void EinsumParser::numberGroups() {
  if (!closed.empty() && open.front().size() == 1)
    closed.pop_back();
  for (const std::vector<Member> &members : closed) {
    std::vector<unsigned> &group = einsum.groups.emplace_back();
    for (Member member : members)
      group.push_back(member.number +
                      (member.isGroup ? einsum.operands.size() : 0));
  }
}

/// Labels up to `,`, `->`, a parenthesis round terms, or the end.
FailureOr<EinsumTerm> EinsumParser::parseTerm() {
  EinsumTerm term;
  skipBlanks();
  size_t begin = position, end = position;
  while (position != text.size() && !isAt(",") && !isAt("->") &&
         !isRoundTerms[position]) {
    if (isAt(" ")) {
      ++position;
      continue;
    }
    if (isAtEllipsis() || isAt("(")) {
      if (failed(isAt("(") ? parseGroup(term) : parseEllipsis(term)))
        return failure();
    } else {
      FailureOr<EinsumLabel> label = parseLabel();
      if (failed(label))
        return failure();
      term.labels.push_back(std::move(*label));
    }
    end = position;
  }
  term.range = makeRange(begin, end);
  return term;
}

static size_t getLetterLength(StringRef text) {
  if (text.empty())
    return 0;
  Character character = decodeCharacter(text);
  return character.isValid && isLetter(character.codePoint) ? character.length
                                                            : 0;
}

/// `...`, or two dots and a label.
bool EinsumParser::isAtEllipsis() const {
  return isAt("...") ||
         (isAt("..") && (getLetterLength(text.substr(position + 2)) != 0 ||
                         (notation == EinsumNotation::Words &&
                          text.substr(position + 2).starts_with("_"))));
}

LogicalResult EinsumParser::parseEllipsis(EinsumTerm &term) {
  EinsumLabel ellipsis = {"...", makeRange(position, position + 3),
                          /*isEllipsis=*/true};
  if (isAt("...")) {
    position += 3;
  } else {
    position += 2;
    FailureOr<EinsumLabel> name = parseLabel();
    if (failed(name))
      return failure();
    ellipsis.name = ".." + name->name;
    ellipsis.range = {name->range.begin - 2, name->range.end};
  }
  if (llvm::any_of(term.labels, [&](const EinsumLabel &label) {
        return label.isEllipsis && label.name == ellipsis.name;
      }))
    return diags.report(DiagId::SecondEllipsis, ellipsis.range);
  term.labels.push_back(std::move(ellipsis));
  return success();
}

/// '(' label+ ')', one dim of several labels.
LogicalResult EinsumParser::parseGroup(EinsumTerm &term) {
  size_t begin = position++;
  EinsumLabel group;
  for (skipBlanks(); !isAt(")"); skipBlanks()) {
    if (isAt("(") || isAtEllipsis() || isAt("->"))
      return diags.report(DiagId::EinsumGroupOfLabels,
                          makeRange(position, position + 1));
    FailureOr<EinsumLabel> label = parseLabel();
    if (failed(label))
      return failure();
    group.members.push_back(std::move(*label));
  }
  ++position;
  group.range = makeRange(begin, position);
  if (group.members.empty())
    return diags.report(DiagId::EinsumGroupOfLabels, group.range);
  // One label is what it is without them.
  term.labels.push_back(group.members.size() == 1 ? group.members.front()
                                                  : group);
  return success();
}

/// A letter; of words, also the letters, digits and `_` that follow it.
FailureOr<EinsumLabel> EinsumParser::parseLabel() {
  StringRef rest = text.substr(position);
  size_t length = getLetterLength(rest);
  bool isWord = notation == EinsumNotation::Words;
  if (isWord && length == 0 && rest.starts_with("_"))
    length = 1;
  if (length == 0)
    return refuseCharacter();
  while (isWord) {
    StringRef next = rest.substr(length);
    size_t more = getLetterLength(next);
    if (more == 0 && !next.empty() && (isDigit(next[0]) || next[0] == '_'))
      more = 1;
    if (more == 0)
      break;
    length += more;
  }
  size_t begin = position;
  position += length;
  return EinsumLabel{rest.take_front(length).str(), makeRange(begin, position)};
}

LogicalResult EinsumParser::refuseCharacter() {
  StringRef rest = text.substr(position);
  SourceRange range =
      makeRange(position, position + decodeCharacter(rest).length);
  if (rest.starts_with("\t"))
    return diags.report(DiagId::EinsumTab, range).fixIt(range, " ");
  // What arrows, commas and ellipses are typed as.
  static constexpr std::pair<StringLiteral, StringLiteral> respelt[] = {
      {"=>", "->"}, {"- >", "->"}, {"-", "->"},   {">", "->"},  {"→", "->"},
      {";", ","},   {"|", ","},    {"..", "..."}, {"…", "..."}, {"，", ","}};
  DiagnosticBuilder builder = diags.report(DiagId::BadEinsumCharacter, range,
                                           {describeCharacter(rest)});
  // A statement's end is in no string.
  if (rest.trim() == ";")
    return builder.fixIt(range, "");
  for (auto [theirs, ours] : respelt) {
    uint32_t end = range.begin + static_cast<uint32_t>(theirs.size());
    // `m..k` may be `m...k` and `m ..k`.
    bool isName = theirs == ".." && rest.size() > 2 && isAlpha(rest[2]);
    if (rest.starts_with(theirs) && !isName)
      return builder.fixIt({range.begin, end}, ours);
  }
  return builder;
}

} // namespace

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

LogicalResult checkEinsumOutput(const EinsumString &einsum,
                                DiagnosticEngine &diags) {
  StringSet<> known, ellipses;
  for (const EinsumTerm &term : einsum.operands) {
    forEachLabel(term,
                 [&](const EinsumLabel &label) { known.insert(label.name); });
    for (const EinsumLabel &label : term.labels)
      if (label.isEllipsis)
        ellipses.insert(label.name);
  }
  LogicalResult result = success();
  auto check = [&](const EinsumLabel &label, const StringSet<> &names) {
    if (succeeded(result) && !names.contains(label.name))
      result =
          diags.report(DiagId::OutputLabelUnknown, label.range, {label.name})
              .didYouMean(label.range, label.name,
                          llvm::to_vector(names.keys()));
  };
  forEachLabel(einsum.output,
               [&](const EinsumLabel &label) { check(label, known); });
  for (const EinsumLabel &label : einsum.output.labels)
    if (label.isEllipsis && label.name != "...")
      check(label, ellipses);
  return result;
}

void inferEinsumOutput(EinsumString &einsum,
                       function_ref<bool(StringRef, StringRef)> isLess) {
  StringMap<unsigned> counts;
  for (const EinsumTerm &term : einsum.operands) {
    forEachLabel(term, [&](const EinsumLabel &label) { ++counts[label.name]; });
    for (const EinsumLabel &label : term.labels)
      if (label.isEllipsis)
        ++counts[label.name];
  }
  std::vector<EinsumLabel> &output = einsum.output.labels;
  for (const EinsumTerm &term : einsum.operands)
    forEachLabel(term, [&](const EinsumLabel &label) {
      if (counts[label.name] == 1)
        output.push_back(label);
    });
  llvm::sort(output, [&](const EinsumLabel &a, const EinsumLabel &b) {
    return isLess(a.name, b.name);
  });
  // `...` always, those with names as labels, in the order of the text.
  std::vector<EinsumLabel> ellipses;
  bool hasPlain = false;
  for (const EinsumTerm &term : einsum.operands)
    for (const EinsumLabel &label : term.labels) {
      bool isPlain = label.isEllipsis && label.name == "...";
      if (isPlain && !hasPlain)
        ellipses.insert(ellipses.begin(), label);
      else if (label.isEllipsis && !isPlain && counts[label.name] == 1)
        ellipses.push_back(label);
      hasPlain |= isPlain;
    }
  output.insert(output.begin(), ellipses.begin(), ellipses.end());
}

//===----------------------------------------------------------------------===//
// Strings and programs
//===----------------------------------------------------------------------===//

FailureOr<EinsumString> parseEinsumString(StringRef text, uint32_t offset,
                                          DiagnosticEngine &diags,
                                          EinsumNotation notation) {
  return EinsumParser(text, offset, notation, diags).parse();
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
  // A `;` at the end is of no statement there.
  return !isExpression &&
         text.rtrim("; \t\r\n").find_first_of("={}\":;#") == StringRef::npos;
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
