//===- Lexer.cpp - Text to tokens -----------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Lexer.h"
#include "frontend/Unicode.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace ein {

StringRef getDescription(TokenKind kind) {
  static constexpr StringLiteral descriptions[] = {
#define EIN_TOKEN(ENUM, NAME) NAME,
#include "frontend/TokenKinds.def"
  };
  return descriptions[static_cast<size_t>(kind)];
}

StringRef getName(TokenKind kind) {
  static constexpr StringLiteral names[] = {
#define EIN_TOKEN(ENUM, NAME) #ENUM,
#include "frontend/TokenKinds.def"
  };
  return names[static_cast<size_t>(kind)];
}

namespace {

/// Of so many control characters in a file's head, no person wrote the file.
constexpr size_t headSize = 1024, maxControls = 16;

size_t countControls(StringRef text) {
  return llvm::count_if(text, [](char c) {
    return static_cast<unsigned char>(c) < ' ' && !isSpace(c);
  });
}

/// Positions are 32 bits wide; the limit is far below that so that nothing
/// computed from a position can overflow either.
constexpr size_t maxSourceSize = size_t{4} << 20;

struct Punctuation {
  TokenKind kind;
  StringLiteral spelling;
};
constexpr Punctuation punctuation[] = {
#define EIN_PUNCTUATION(ENUM, SPELLING) {TokenKind::ENUM, SPELLING},
#include "frontend/TokenKinds.def"
};

} // namespace

StringRef getSpelling(TokenKind kind) {
  for (const Punctuation &candidate : punctuation)
    if (candidate.kind == kind)
      return candidate.spelling;
  return {};
}

namespace {

class Lexer {
public:
  Lexer(const SourceFile &file, DiagnosticEngine &diags)
      : text(file.getText()), base(file.getBase()), diags(diags),
        buffer{&file, {}} {}

  TokenBuffer run();

private:
  bool atEnd() const { return position == text.size(); }
  StringRef rest() const { return text.substr(position); }
  char peek() const { return atEnd() ? '\0' : text[position]; }
  SourceRange rangeFrom(size_t begin) const {
    return {base + static_cast<uint32_t>(begin),
            base + static_cast<uint32_t>(position)};
  }

  void skipBlanks();
  void skipBlockComment();
  void skipWhile(function_ref<bool(char)> predicate) {
    position += rest().take_while(predicate).size();
  }
  TokenKind lexToken();
  TokenKind lexNumber();
  TokenKind lexString();
  TokenKind lexUnexpected();
  bool canEndOperand() const;

  StringRef text;
  uint32_t base;
  DiagnosticEngine &diags;
  TokenBuffer buffer;
  size_t position = 0;
  bool startsLine = true;
};

bool isWordStart(char c) { return isAlpha(c) || c == '_'; }
bool isWord(char c) { return isAlnum(c) || c == '_'; }

TokenBuffer Lexer::run() {
  if (text.size() > maxSourceSize) {
    diags.report(DiagId::SourceTooLarge, {}, {std::to_string(maxSourceSize)});
    buffer.tokens.push_back({TokenKind::EndOfFile, true, {}});
    return std::move(buffer);
  }
  // One error says it better than one per byte.
  StringRef head = text.take_front(headSize);
  if (size_t controls = countControls(head); controls > maxControls) {
    diags.report(DiagId::SourceNotText, {},
                 {std::to_string(controls), std::to_string(head.size())});
    buffer.tokens.push_back({TokenKind::EndOfFile, true, {}});
    return std::move(buffer);
  }
  if (text.starts_with("\xEF\xBB\xBF")) // a byte order mark
    position = 3;
  while (true) {
    skipBlanks();
    if (atEnd())
      break;
    size_t begin = position;
    TokenKind kind = lexToken();
    buffer.tokens.push_back({kind, startsLine, rangeFrom(begin)});
    startsLine = false;
  }
  buffer.tokens.push_back({TokenKind::EndOfFile, true, rangeFrom(position)});
  return std::move(buffer);
}

void Lexer::skipBlanks() {
  while (!atEnd()) {
    if (peek() == '\n') {
      startsLine = true;
      ++position;
    } else if (isSpace(peek())) {
      ++position;
    } else if (peek() == '#' || rest().starts_with("//")) {
      size_t begin = position;
      skipWhile([](char c) { return c != '\n'; });
      buffer.comments.push_back(rangeFrom(begin));
    } else if (rest().starts_with("/*")) {
      skipBlockComment();
    } else {
      return;
    }
  }
}

void Lexer::skipBlockComment() {
  size_t begin = position;
  size_t end = text.find("*/", begin + 2);
  if (end == StringRef::npos) {
    position = begin + 2;
    diags.report(DiagId::UnterminatedComment, rangeFrom(begin));
    position = text.size();
    return;
  }
  position = end + 2;
  buffer.comments.push_back(rangeFrom(begin));
  startsLine |= text.slice(begin, position).contains('\n');
}

TokenKind Lexer::lexToken() {
  if (isDigit(peek()))
    return lexNumber();
  // `.5` is a number, but the dot in `p.0` is not part of one.
  if (peek() == '.' && rest().size() > 1 && isDigit(rest()[1]) &&
      !canEndOperand())
    return lexNumber();
  if (peek() == '"')
    return lexString();

  const Punctuation *longest = nullptr;
  for (const Punctuation &candidate : punctuation)
    if (rest().starts_with(candidate.spelling) &&
        (!longest || candidate.spelling.size() > longest->spelling.size()))
      longest = &candidate;
  // `max==x` compares, and `max` is then a name.
  bool isWordOperator = longest && isAlpha(longest->spelling[0]);
  if (isWordOperator &&
      rest().substr(longest->spelling.size()).starts_with("="))
    longest = nullptr;
  if (longest) {
    position += longest->spelling.size();
    return longest->kind;
  }
  if (isWordStart(peek())) {
    skipWhile(isWord);
    return TokenKind::Identifier;
  }
  return lexUnexpected();
}

/// The previous token touches this one and ends an operand.
bool Lexer::canEndOperand() const {
  if (buffer.tokens.empty() ||
      buffer.tokens.back().range.end != base + position)
    return false;
  TokenKind kind = buffer.tokens.back().kind;
  return kind == TokenKind::Identifier || kind == TokenKind::RParen ||
         kind == TokenKind::RSquare;
}

/// digits [. digits] [e [sign] digits] [element type]
TokenKind Lexer::lexNumber() {
  TokenKind kind = TokenKind::Integer;
  size_t begin = position;
  skipWhile(isDigit);
  if (peek() == '.') {
    kind = TokenKind::Float;
    ++position;
    skipWhile(isDigit);
  }
  StringRef exponent = rest();
  if (exponent.consume_front_insensitive("e")) {
    if (exponent.starts_with("+") || exponent.starts_with("-"))
      exponent = exponent.drop_front();
    if (!exponent.empty() && isDigit(exponent.front())) {
      kind = TokenKind::Float;
      position = exponent.data() - text.data();
      skipWhile(isDigit);
    }
  }
  size_t suffixBegin = position;
  skipWhile(isWord);
  StringRef suffix = text.slice(suffixBegin, position);
  if (suffix.empty())
    return kind;
  if (parseElementType(suffix))
    return TokenKind::Float;
  // The length of an attribute's list, as in `2xindex`, or its shape,
  // `5x6xi32`.
  bool isZero = text.slice(begin, suffixBegin) == "0"; // of `0x1f`
  if (kind == TokenKind::Integer && suffix.size() > 1 && suffix[0] == 'x' &&
      (isWordStart(suffix[1]) || (!isZero && isDigit(suffix[1])))) {
    position = suffixBegin;
    return kind;
  }
  diags.report(DiagId::BadNumberSuffix, rangeFrom(suffixBegin), {suffix.str()});
  return TokenKind::Error;
}

/// "…" on one line, or """…""" over several. There are no escapes.
TokenKind Lexer::lexString() {
  size_t begin = position;
  bool isLong = rest().starts_with("\"\"\"");
  position += isLong ? 3 : 1;
  size_t end = isLong ? text.find("\"\"\"", position)
                      : text.find_first_of("\"\n", position);
  if (end == StringRef::npos || text[end] == '\n') {
    diags.report(DiagId::UnterminatedString, rangeFrom(begin));
    position = std::min(end, text.size());
    return TokenKind::Error;
  }
  position = end + (isLong ? 3 : 1);
  return TokenKind::String;
}

TokenKind Lexer::lexUnexpected() {
  size_t begin = position;
  Character character = decodeCharacter(rest());
  std::string description = describeCharacter(rest());
  position += character.length;
  // A run of bytes that are no text is one mistake, not many.
  while (!character.isValid && !atEnd() && !decodeCharacter(rest()).isValid)
    ++position;
  diags.report(DiagId::UnexpectedCharacter, rangeFrom(begin), {description});
  return TokenKind::Error;
}

} // namespace

TokenBuffer lex(const SourceFile &file, DiagnosticEngine &diags) {
  return Lexer(file, diags).run();
}

} // namespace ein
