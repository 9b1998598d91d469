//===- EinsumCall.cpp - A call of einsum, read with its operands ----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/check/EinsumCall.h"
#include "frontend/program/ElementType.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace ein {

static bool isDecimal(char c) { return c >= '0' && c <= '9'; }

using Ranks = SmallVector<std::optional<size_t>>;

std::optional<size_t> getEllipsisRank(const EinsumTerm &term, size_t rank) {
  bool hasEllipsis = term.getEllipsis().has_value();
  size_t numLabels = term.getNumLabels();
  if (hasEllipsis ? rank < numLabels : rank != numLabels)
    return std::nullopt;
  return rank - numLabels;
}

//===----------------------------------------------------------------------===//
// Strings
//===----------------------------------------------------------------------===//

/// Whether the terms may be those of operands with these ranks.
static bool fits(const EinsumString &einsum, const Ranks &ranks) {
  return einsum.operands.size() == ranks.size() &&
         llvm::all_of(llvm::zip(einsum.operands, ranks), [](auto pair) {
           auto [term, rank] = pair;
           return !rank || getEllipsisRank(term, *rank);
         });
}

static bool repeatsOutputLabel(const EinsumString &einsum) {
  StringSet<> seen;
  return llvm::any_of(einsum.output.labels, [&](const EinsumLabel &label) {
    return !label.isEllipsis && !label.isGroup() &&
           !seen.insert(label.name).second;
  });
}

/// Letters where numpy's reading fits, else words where they do; where neither
/// does, what is wrong is said of letters, unless it is words that are nearly
/// right.
static FailureOr<EinsumString> parseString(const ast::Expr &string,
                                           const Ranks &ranks, bool areWords,
                                           DiagnosticEngine &diags) {
  auto parse = [&](EinsumNotation notation, DiagnosticEngine &engine) {
    return parseEinsumString(string.text, string.nameRange.begin, engine,
                             notation);
  };
  if (areWords)
    return parse(EinsumNotation::Words, diags);
  DiagnosticEngine ignored;
  FailureOr<EinsumString> letters = parse(EinsumNotation::Letters, ignored);
  bool lettersFit = succeeded(letters) && fits(*letters, ranks);
  // numpy refuses a label twice in the output. With no ranks to tell, that is
  // a sign of words rather than of a diagonal.
  bool isDoubtful = lettersFit && repeatsOutputLabel(*letters) &&
                    llvm::any_of(ranks, [](const auto &rank) { return !rank; });
  if (lettersFit && !isDoubtful)
    return letters;
  // numpy refuses `ij` of a vector, and so do we: words are between blanks.
  if (!StringRef(string.text).contains(' '))
    return parse(EinsumNotation::Letters, diags);
  DiagnosticEngine ofWords;
  FailureOr<EinsumString> words = parse(EinsumNotation::Words, ofWords);
  if (succeeded(words) && fits(*words, ranks))
    return words;
  // Letters do not fit, and words do but for one that is nearly right.
  bool isMisspelt =
      failed(words) && succeeded(letters) && !lettersFit &&
      letters->operands.size() == ranks.size() &&
      ofWords.getDiagnostics().front().id == DiagId::OutputLabelUnknown &&
      !ofWords.getDiagnostics().front().notes.empty();
  if (isMisspelt)
    return parse(EinsumNotation::Words, diags);
  return parse(EinsumNotation::Letters, diags);
}

static FailureOr<EinsumCall> readStringCall(const ast::Expr &call,
                                            EinsumRankFn getRank,
                                            DiagnosticEngine &diags) {
  EinsumCall result;
  Ranks ranks;
  for (const ast::ExprPtr &operand : ArrayRef(call.operands).drop_front()) {
    result.operands.push_back(operand.get());
    ranks.push_back(getRank(*operand));
  }
  const ast::Expr &string = *call.operands[0];
  FailureOr<EinsumString> einsum =
      parseString(string, ranks, call.labels.has_value(), diags);
  if (failed(einsum))
    return failure();
  result.einsum = std::move(*einsum);
  return result;
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

/// `[0, ..., 2]` as a term. A label is called after its number.
static FailureOr<EinsumTerm> readList(const ast::Expr &list,
                                      DiagnosticEngine &diags) {
  EinsumTerm term;
  term.range = list.range;
  for (const ast::ExprPtr &element : list.operands) {
    bool isEllipsis =
        element->kind == ast::Expr::Kind::Name && element->text == "...";
    bool isNumber = element->kind == ast::Expr::Kind::Number &&
                    element->op == TokenKind::Integer;
    if (!isEllipsis && !isNumber)
      return diags.report(DiagId::EinsumListElement, element->range);
    if (isEllipsis && term.getEllipsis())
      return diags.report(DiagId::SecondEllipsis, element->range);
    StringRef digits = StringRef(element->text).ltrim('0');
    if (isEllipsis)
      digits = "...";
    else if (digits.size() > 18 || !llvm::all_of(digits, isDecimal))
      return diags.report(DiagId::EinsumListElement, element->range);
    term.labels.push_back(
        {isEllipsis ? "..." : "i" + (digits.empty() ? "0" : digits.str()),
         element->range, isEllipsis});
  }
  return term;
}

/// Operands, each followed by the list of its labels, and perhaps the output's.
static FailureOr<EinsumCall> readListCall(const ast::Expr &call,
                                          DiagnosticEngine &diags) {
  EinsumCall result;
  result.einsum.isInterleaved = true;
  for (size_t i = 0, e = call.operands.size(); i != e; ++i) {
    const ast::Expr &arg = *call.operands[i];
    bool isList = arg.kind == ast::Expr::Kind::List;
    bool isOutput = isList && i + 1 == e && i % 2 == 0;
    if (!isOutput && isList != (i % 2 == 1))
      return diags.report(DiagId::EinsumInterleaved, arg.range);
    if (!isList) {
      result.operands.push_back(&arg);
      continue;
    }
    FailureOr<EinsumTerm> term = readList(arg, diags);
    if (failed(term))
      return failure();
    if (isOutput) {
      result.einsum.output = std::move(*term);
      result.einsum.isOutputExplicit = true;
    } else {
      result.einsum.operands.push_back(std::move(*term));
    }
  }
  if (call.labels)
    return diags.report(DiagId::EinsumNeedsString, call.operands[0]->range);
  if (result.einsum.operands.size() != result.operands.size())
    return diags.report(DiagId::EinsumInterleaved, call.operands.back()->range);
  if (!result.einsum.isOutputExplicit) {
    result.einsum.output.range = {call.range.end - 1, call.range.end - 1};
    // By number, whatever the number of digits.
    inferEinsumOutput(result.einsum, [](StringRef a, StringRef b) {
      return a.size() != b.size() ? a.size() < b.size() : a < b;
    });
  } else if (failed(checkEinsumOutput(result.einsum, diags))) {
    return failure();
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// `optimize=`, `out=` and their like are numpy's, `h=4` is einops'.
static void reportKeyword(const ast::Expr &call, const ast::NamedArgument &arg,
                          DiagnosticEngine &diags) {
  StringRef name = arg.name.text;
  DiagnosticBuilder builder =
      diags.report(DiagId::EinsumKeyword, arg.name.range, {name.str()});
  auto instead = StringSwitch<std::optional<DiagId>>(name)
                     .Case("optimize", DiagId::OrderInstead)
                     .Case("out", DiagId::TargetInstead)
                     .Case("dtype", DiagId::AccumulatorInstead)
                     .Case("casting", DiagId::TypesInstead)
                     .Case("order", DiagId::LayoutInstead)
                     .Default(std::nullopt);
  bool hasString = !call.operands.empty() &&
                   call.operands[0]->kind == ast::Expr::Kind::String;
  bool isType = arg.value->kind == ast::Expr::Kind::Name &&
                parseElementType(arg.value->text);
  if (name == "dtype" && isType && !call.type)
    builder.fixIt(arg.name.range, "acc");
  if (instead)
    builder.note(*instead, arg.name.range);
  else if (hasString && StringRef(call.operands[0]->text).contains(name))
    builder.note(DiagId::LabelSizes, arg.name.range);
  else
    builder.didYouMean(arg.name.range, name, {"acc", "labels"},
                       /*listsThem=*/true);
}

FailureOr<EinsumCall> readEinsumCall(const ast::Expr &call,
                                     EinsumRankFn getRank,
                                     DiagnosticEngine &diags) {
  auto isList = [](const ast::ExprPtr &operand) {
    return operand->kind == ast::Expr::Kind::List;
  };
  bool hasString = !call.operands.empty() &&
                   call.operands[0]->kind == ast::Expr::Kind::String;
  if (!hasString && !llvm::any_of(call.operands, isList))
    return diags.report(DiagId::EinsumNeedsString,
                        call.operands.empty() ? call.range
                                              : call.operands[0]->range);
  for (const ast::NamedArgument &argument : call.named)
    reportKeyword(call, argument, diags);
  FailureOr<EinsumCall> result = hasString
                                     ? readStringCall(call, getRank, diags)
                                     : readListCall(call, diags);
  if (failed(result) || !call.named.empty())
    return failure();
  auto count = [](size_t number, const char *noun) {
    return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
  };
  size_t numTerms = result->einsum.operands.size();
  if (numTerms != result->operands.size())
    return diags.report(
        DiagId::EinsumOperandCount, call.operands[0]->range,
        {count(numTerms, "term"), count(result->operands.size(), "operand")});
  return result;
}

/// `prefix`, or with underscores after it, so that no label is it and a number.
static std::string findFreePrefix(const EinsumString &einsum,
                                  std::string prefix) {
  auto isTaken = [&](const EinsumLabel &label) {
    StringRef rest = label.name;
    return rest.consume_front(prefix) && !rest.empty() &&
           llvm::all_of(rest, isDecimal);
  };
  auto hasTaken = [&](const EinsumTerm &term) {
    return llvm::any_of(term.labels, [&](const EinsumLabel &label) {
      return isTaken(label) || llvm::any_of(label.members, isTaken);
    });
  };
  while (llvm::any_of(einsum.operands, hasTaken))
    prefix += "_";
  return prefix;
}

static bool isNamedEllipsis(const EinsumLabel &label) {
  return label.isEllipsis && label.name != "...";
}

namespace {

/// What the ellipses of a string stand for.
class EllipsisExpander {
public:
  EllipsisExpander(EinsumString &einsum, ArrayRef<size_t> ranks,
                   DiagnosticEngine &diags)
      : einsum(einsum), ranks(ranks), diags(diags) {}

  LogicalResult expand();

private:
  LogicalResult sizeNamed();
  bool sizeLast(const EinsumTerm &term, size_t held);
  LogicalResult checkHeld();
  void expand(EinsumTerm &term, size_t numPlain) const;

  EinsumString &einsum;
  ArrayRef<size_t> ranks;
  DiagnosticEngine &diags;
  /// How many dims those with names hold, and `...` in each operand.
  StringMap<size_t> named;
  SmallVector<size_t> plain;
  size_t mostPlain = 0;
  /// What their labels begin with.
  StringMap<std::string> prefixes;
};

} // namespace

/// Gives the term's only ellipsis of unknown size what is left; false if there
/// are none or several.
bool EllipsisExpander::sizeLast(const EinsumTerm &term, size_t held) {
  const EinsumLabel *unknown = nullptr;
  for (const EinsumLabel &label : term.labels) {
    if (!label.isEllipsis)
      continue;
    auto size = named.find(label.name);
    if (size != named.end()) {
      held -= std::min(held, size->second);
    } else {
      if (unknown)
        return false;
      unknown = &label;
    }
  }
  if (!unknown || !isNamedEllipsis(*unknown))
    return false;
  named[unknown->name] = held;
  return true;
}

/// Each from a term in which all others are known, until all are.
LogicalResult EllipsisExpander::sizeNamed() {
  bool progress = true;
  while (progress) {
    progress = false;
    for (auto [term, rank] : llvm::zip_equal(einsum.operands, ranks))
      progress |= sizeLast(term, *getEllipsisRank(term, rank));
  }
  for (const EinsumTerm &term : einsum.operands)
    for (const EinsumLabel &label : term.labels)
      if (isNamedEllipsis(label) && !named.count(label.name))
        return diags.report(DiagId::EllipsisOpen, label.range, {label.name});
  return success();
}

/// The ellipses of a term are all of what its labels leave over.
LogicalResult EllipsisExpander::checkHeld() {
  for (auto [term, rank] : llvm::zip_equal(einsum.operands, ranks)) {
    size_t held = *getEllipsisRank(term, rank), ofNames = 0;
    bool hasPlain = false;
    const EinsumLabel *last = nullptr;
    for (const EinsumLabel &label : term.labels) {
      hasPlain |= label.isEllipsis && !isNamedEllipsis(label);
      if (!isNamedEllipsis(label))
        continue;
      ofNames += named[label.name];
      last = &label;
    }
    if (last && (hasPlain ? ofNames > held : ofNames != held)) {
      auto count = [](size_t number) {
        return std::to_string(number) + " dim" + (number == 1 ? "" : "s");
      };
      return diags.report(DiagId::EllipsisHolds, last->range,
                          {last->name, count(named[last->name]), count(held),
                           std::to_string(ofNames)});
    }
    plain.push_back(held - ofNames);
    mostPlain = std::max(mostPlain, plain.back());
  }
  return success();
}

void EllipsisExpander::expand(EinsumTerm &term, size_t numPlain) const {
  std::vector<EinsumLabel> labels;
  for (const EinsumLabel &label : term.labels) {
    if (!label.isEllipsis) {
      labels.push_back(label);
      continue;
    }
    bool isNamed = isNamedEllipsis(label);
    size_t most = isNamed ? named.lookup(label.name) : mostPlain;
    for (size_t i = isNamed ? 0 : most - numPlain; i != most; ++i)
      labels.push_back(
          {prefixes.lookup(label.name) + std::to_string(i), label.range});
  }
  term.labels = std::move(labels);
}

LogicalResult EllipsisExpander::expand() {
  if (failed(sizeNamed()) || failed(checkHeld()))
    return failure();
  bool keepsPlain =
      llvm::any_of(einsum.output.labels, [](const EinsumLabel &label) {
        return label.isEllipsis && !isNamedEllipsis(label);
      });
  if (mostPlain != 0 && !keepsPlain) {
    uint32_t begin = einsum.output.range.begin + einsum.isInterleaved;
    bool isBeside = einsum.isInterleaved && !einsum.output.labels.empty();
    return diags.report(DiagId::EllipsisDropped, einsum.output.range)
        .fixIt({begin, begin}, isBeside ? "..., " : "...");
  }
  prefixes["..."] = findFreePrefix(einsum, "e");
  for (const auto &size : named)
    prefixes[size.getKey()] =
        findFreePrefix(einsum, size.getKey().drop_front(2).str() + "_");
  for (auto [term, number] : llvm::zip_equal(einsum.operands, plain))
    expand(term, number);
  expand(einsum.output, mostPlain);
  return success();
}

LogicalResult expandEllipses(EinsumString &einsum, ArrayRef<size_t> ranks,
                             DiagnosticEngine &diags) {
  return EllipsisExpander(einsum, ranks, diags).expand();
}

} // namespace ein
