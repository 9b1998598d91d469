//===- DocumentForms.cpp - What MLIR's documents write --------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/DocumentForms.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <optional>

using namespace llvm;

namespace ein {

std::string RewrittenText::getText() const {
  std::string text;
  size_t end = 0;
  for (const Edit &edit : edits) {
    text += original.slice(end, edit.offset).str() + edit.by;
    end = edit.offset + edit.size;
  }
  return text + original.drop_front(end).str();
}

unsigned RewrittenText::getColumn(size_t lineStart, unsigned column) const {
  // What is known of the original so far, and the column of the text there.
  size_t known = lineStart, at = 1;
  for (const Edit &edit : edits) {
    if (edit.offset < lineStart)
      continue;
    size_t begin = at + (edit.offset - known);
    if (column < begin)
      break;
    if (column < begin + edit.by.size())
      return edit.offset - lineStart + 1;
    known = edit.offset + edit.size;
    at = begin + edit.by.size();
  }
  return known - lineStart + 1 + (column - at);
}

/// A scanner of MLIR text that sees no comments and no strings.
namespace {
class Scanner {
public:
  explicit Scanner(StringRef text, size_t position = 0)
      : text(text), position(position) {}

  size_t getPosition() const { return position; }
  bool isAtEnd() const { return position >= text.size(); }
  StringRef getRest() const { return text.substr(position); }

  void skipSpace() {
    while (!isAtEnd()) {
      if (isSpace(text[position]))
        ++position;
      else if (getRest().starts_with("//"))
        position = std::min(text.find('\n', position), text.size());
      else
        return;
    }
  }
  bool consume(StringRef word) {
    skipSpace();
    if (!getRest().starts_with(word))
      return false;
    position += word.size();
    return true;
  }
  /// What is between brackets that start here, with them; empty if none do.
  StringRef consumeBrackets(char open, char close) {
    skipSpace();
    if (isAtEnd() || text[position] != open)
      return StringRef();
    size_t begin = position;
    for (unsigned depth = 0; !isAtEnd(); ++position) {
      char c = text[position];
      depth += c == open;
      // An arrow closes nothing.
      depth -= c == close && !(c == '>' && text[position - 1] == '-');
      if (depth == 0)
        return text.slice(begin, ++position);
    }
    return StringRef();
  }
  /// Goes on to the next token that is neither comment nor string.
  void advance() {
    if (text[position] == '"') {
      for (++position; !isAtEnd() && text[position] != '"'; ++position)
        position += text[position] == '\\';
      ++position;
    } else if (getRest().starts_with("//")) {
      position = std::min(text.find('\n', position), text.size());
    } else {
      ++position;
    }
  }

private:
  StringRef text;
  size_t position;
};
} // namespace

/// vector.contract's name of a kind; `max` and `min` are those of the type.
static std::string getKind(StringRef name, StringRef outputs) {
  if (name != "max" && name != "min")
    return name.str();
  size_t end = outputs.rfind('>');
  StringRef element = outputs.take_front(end);
  element = element.drop_front(
      std::min(element.find_last_of("x<") + 1, element.size()));
  bool isInteger = element.starts_with("i");
  if (isInteger)
    return (name + "si").str();
  return (name == "max" ? "maximumf" : "minimumf");
}

namespace {
/// What stands between a contraction's maps and its operands: places in a text.
struct ContractClauses {
  size_t mapsEnd;
  /// With their brackets; empty if there are none.
  StringRef iterators, kind, cast;
  StringRef outputs;
};
} // namespace

/// Reads the clauses of the contraction whose name ends at `begin`; values of
/// enumerations have a dialect's name in front or have not.
static std::optional<ContractClauses> readClauses(StringRef text,
                                                  size_t begin) {
  ContractClauses clauses;
  Scanner scanner(text, begin);
  if (!scanner.consume("indexing_maps") || !scanner.consume("=") ||
      scanner.consumeBrackets('[', ']').empty())
    return std::nullopt;
  clauses.mapsEnd = scanner.getPosition();
  auto readEnum = [&](StringRef dialectName, StringRef &value) {
    if (!scanner.consume("="))
      return false;
    scanner.skipSpace();
    size_t start = scanner.getPosition();
    (void)scanner.consume(dialectName);
    bool isThere = !scanner.consumeBrackets('<', '>').empty();
    value = text.slice(start, scanner.getPosition());
    return isThere;
  };
  while (true) {
    if (scanner.consume("iterator_types")) {
      if (!scanner.consume("="))
        return std::nullopt;
      clauses.iterators = scanner.consumeBrackets('[', ']');
    } else if (scanner.consume("kind")) {
      if (!readEnum("#linalg.kind", clauses.kind))
        return std::nullopt;
    } else if (scanner.consume("cast")) {
      if (!readEnum("#linalg.type_fn", clauses.cast))
        return std::nullopt;
    } else {
      break;
    }
  }
  (void)scanner.consumeBrackets('{', '}');
  if (!scanner.consume("ins") || scanner.consumeBrackets('(', ')').empty() ||
      !scanner.consume("outs"))
    return std::nullopt;
  clauses.outputs = scanner.consumeBrackets('(', ')');
  return clauses;
}

/// The list of iterators with or without quotes; nothing of a list that has
/// more than one line, whose lines have to stay.
static std::optional<std::string> quoteIterators(StringRef list,
                                                 StringRef quote) {
  if (list.empty() || list.contains('\n') || list.contains("//"))
    return std::nullopt;
  std::string quoted;
  for (StringRef rest = list.drop_front().drop_back(); !rest.empty();) {
    auto [each, others] = rest.split(',');
    quoted += (quoted.empty() ? "" : ", ") + quote.str() +
              each.trim(" \t\"").str() + quote.str();
    rest = others;
  }
  return "[" + quoted + "]";
}

/// What is between the angle brackets of `value`, if it is there.
static StringRef getEnumerator(StringRef value) {
  if (value.empty())
    return value;
  return value.drop_front(value.find('<') + 1).drop_back().trim();
}

/// Replaces clauses, in the order in which they stand in the text.
static void replaceClauses(
    StringRef text, RewrittenText &rewritten,
    SmallVector<std::pair<StringRef, std::optional<std::string>>> clauses) {
  llvm::sort(clauses, [](const auto &one, const auto &two) {
    return one.first.data() < two.first.data();
  });
  for (auto &[clause, by] : clauses)
    if (!clause.empty() && by)
      rewritten.replace(clause.data() - text.data(), clause.size(),
                        std::move(*by));
}

constexpr StringLiteral kRfcName = "linalg.contract";
constexpr StringLiteral kOwnName = "ein.contract";

/// `linalg.contract`, at `begin`, with what upstream's has not.
static void rewriteContract(StringRef text, size_t begin,
                            RewrittenText &rewritten) {
  std::optional<ContractClauses> clauses =
      readClauses(text, begin + kRfcName.size());
  if (!clauses || (clauses->iterators.empty() && clauses->kind.empty()))
    return;
  rewritten.replace(begin, kRfcName.size(), kOwnName.str());
  std::string kind = getKind(getEnumerator(clauses->kind), clauses->outputs);
  replaceClauses(
      text, rewritten,
      {{clauses->iterators, quoteIterators(clauses->iterators, "\"")},
       {clauses->kind, "<" + kind + ">"}});
}

/// `ein.contract`, at `begin`, as the RFC has it. The kind is there for a sum
/// as well, where nothing else tells it from upstream's op.
static void rewriteOwnContract(StringRef text, size_t begin,
                               RewrittenText &rewritten) {
  std::optional<ContractClauses> clauses =
      readClauses(text, begin + kOwnName.size());
  if (!clauses)
    return;
  rewritten.replace(begin, kOwnName.size(), kRfcName.str());
  if (clauses->iterators.empty() && clauses->kind.empty())
    rewritten.replace(clauses->mapsEnd, 0, " kind = #linalg.kind<add>");
  std::string kind = getEnumerator(clauses->kind).str();
  std::string cast = getEnumerator(clauses->cast).str();
  replaceClauses(text, rewritten,
                 {{clauses->iterators, quoteIterators(clauses->iterators, "")},
                  {clauses->kind, "#linalg.kind<" + kind + ">"},
                  {clauses->cast, "#linalg.type_fn<" + cast + ">"}});
}

/// Whether a word begins at the position.
static bool isWordStart(StringRef text, size_t position) {
  return position == 0 || !(isAlnum(text[position - 1]) ||
                            StringRef("_.").contains(text[position - 1]));
}

RewrittenText writeDocumentForms(StringRef text) {
  RewrittenText rewritten(text);
  if (!text.contains(kOwnName))
    return rewritten;
  for (Scanner scanner(text); !scanner.isAtEnd(); scanner.advance())
    if (scanner.getRest().starts_with(kOwnName) &&
        isWordStart(text, scanner.getPosition()))
      rewriteOwnContract(text, scanner.getPosition(), rewritten);
  return rewritten;
}

RewrittenText rewriteDocumentForms(StringRef text) {
  RewrittenText rewritten(text);
  for (Scanner scanner(text); !scanner.isAtEnd(); scanner.advance()) {
    StringRef rest = scanner.getRest();
    if (!isWordStart(text, scanner.getPosition()))
      continue;
    if (rest.starts_with(kRfcName)) {
      rewriteContract(text, scanner.getPosition(), rewritten);
    } else if (rest.starts_with("iterator_types")) {
      Scanner list(text, scanner.getPosition() + strlen("iterator_types"));
      if (!list.consume("="))
        continue;
      StringRef iterators = list.consumeBrackets('[', ']');
      size_t begin = list.getPosition() - iterators.size();
      constexpr StringLiteral window = "\"window\"";
      for (size_t at = iterators.find(window); at != StringRef::npos;
           at = iterators.find(window, at + 1))
        rewritten.replace(begin + at, window.size(), "\"reduction\"");
    }
  }
  return rewritten;
}

} // namespace ein
