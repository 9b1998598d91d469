//===- DocumentForms.cpp - What MLIR's documents write --------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/DocumentForms.h"
#include "llvm/ADT/StringExtras.h"

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

/// `linalg.contract`, at `begin`, with what upstream's has not.
static void rewriteContract(StringRef text, size_t begin,
                            RewrittenText &rewritten) {
  constexpr StringLiteral name = "linalg.contract";
  Scanner scanner(text, begin + name.size());
  if (!scanner.consume("indexing_maps") || !scanner.consume("=") ||
      scanner.consumeBrackets('[', ']').empty())
    return;
  StringRef iterators, kind;
  size_t iteratorsAt = 0, kindAt = 0;
  while (true) {
    if (scanner.consume("iterator_types")) {
      if (!scanner.consume("="))
        return;
      iterators = scanner.consumeBrackets('[', ']');
      iteratorsAt = scanner.getPosition() - iterators.size();
    } else if (scanner.consume("kind")) {
      if (!scanner.consume("="))
        return;
      scanner.skipSpace();
      kindAt = scanner.getPosition();
      if (!scanner.consume("#linalg.kind"))
        return;
      StringRef brackets = scanner.consumeBrackets('<', '>');
      kind = text.slice(kindAt, scanner.getPosition());
      if (brackets.empty())
        return;
    } else {
      break;
    }
  }
  if ((iterators.empty() && kind.empty()) || !scanner.consume("ins") ||
      scanner.consumeBrackets('(', ')').empty() || !scanner.consume("outs"))
    return;
  StringRef outputs = scanner.consumeBrackets('(', ')');
  rewritten.replace(begin, name.size(), "ein.contract");
  auto replaceIterators = [&] {
    std::string quoted;
    for (StringRef rest = iterators.drop_front().drop_back(); !rest.empty();) {
      auto [each, others] = rest.split(',');
      quoted +=
          (quoted.empty() ? "\"" : ", \"") + each.trim(" \t\"").str() + "\"";
      rest = others;
    }
    if (!iterators.contains('\n') && !iterators.contains("//"))
      rewritten.replace(iteratorsAt, iterators.size(), "[" + quoted + "]");
  };
  auto replaceKind = [&] {
    StringRef given = kind.drop_front(kind.find('<') + 1).drop_back().trim();
    rewritten.replace(kindAt, kind.size(), "<" + getKind(given, outputs) + ">");
  };
  // In their order.
  if (!iterators.empty() && (kind.empty() || iteratorsAt < kindAt))
    replaceIterators();
  if (!kind.empty())
    replaceKind();
  if (!iterators.empty() && !kind.empty() && kindAt < iteratorsAt)
    replaceIterators();
}

RewrittenText rewriteDocumentForms(StringRef text) {
  RewrittenText rewritten(text);
  for (Scanner scanner(text); !scanner.isAtEnd(); scanner.advance()) {
    StringRef rest = scanner.getRest();
    bool isWord = scanner.getPosition() > 0 &&
                  (isAlnum(text[scanner.getPosition() - 1]) ||
                   StringRef("_.").contains(text[scanner.getPosition() - 1]));
    if (isWord)
      continue;
    if (rest.starts_with("linalg.contract")) {
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
