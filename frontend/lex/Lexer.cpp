//===- Lexer.cpp - Text to tokens -----------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/lex/Lexer.h"
#include "frontend/program/ElementType.h"
#include "frontend/source/Unicode.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace ein {

StringRef getDescription(TokenKind kind) {
  static constexpr StringLiteral descriptions[] = {
#define EIN_TOKEN(ENUM, NAME) NAME,
#include "frontend/lex/TokenKinds.def"
  };
  return descriptions[static_cast<size_t>(kind)];
}

StringRef getName(TokenKind kind) {
  static constexpr StringLiteral names[] = {
#define EIN_TOKEN(ENUM, NAME) #ENUM,
#include "frontend/lex/TokenKinds.def"
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
#include "frontend/lex/TokenKinds.def"
};

} // namespace

StringRef getSpelling(TokenKind kind) {
  for (const Punctuation &candidate : punctuation)
    if (candidate.kind == kind)
      return candidate.spelling;
  return {};
}

namespace {

constexpr std::pair<StringLiteral, StringLiteral> foreignQuotes[] = {
    {"'", "'"}, {"`", "`"}, {"“", "”"}, {"‘", "’"}, {"„", "“"}, {"«", "»"}};

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
    return getRange(begin, position);
  }
  SourceRange getRange(size_t begin, size_t end) const {
    return {base + static_cast<uint32_t>(begin),
            base + static_cast<uint32_t>(end)};
  }

  void skipBlanks();
  void skipBlockComment();
  bool isDivisor(StringRef comment) const;
  void skipWhile(function_ref<bool(char)> predicate) {
    position += rest().take_while(predicate).size();
  }
  TokenKind lexToken();
  TokenKind lexNumber();
  TokenKind lexString();
  TokenKind lexForeignString(StringRef open, StringRef close);
  TokenKind lexForeignNumber(size_t begin);
  TokenKind lexForeignWord();
  TokenKind lexUnexpected();
  TokenKind lexLatex();
  bool lexNotation();
  std::optional<size_t> findClosing(size_t open) const;
  void fixRoot(DiagnosticBuilder &builder, size_t begin) const;
  void fixPower(DiagnosticBuilder &builder, size_t begin,
                StringRef exponent) const;
  bool canEndOperand() const;

  StringRef text;
  uint32_t base;
  DiagnosticEngine &diags;
  TokenBuffer buffer;
  size_t position = 0;
  bool startsLine = true;
  /// Names that are none, and have been reported.
  StringMap<DiagnosticBuilder> foreignNames;
};

bool isWordStart(char c) { return isAlpha(c) || c == '_'; }
bool isWord(char c) { return isAlnum(c) || c == '_'; }

/// Nothing of such a file would be understood.
size_t findOpdslSource(StringRef text) {
  constexpr StringLiteral decorator = "@linalg_structured_op";
  size_t at = text.find(decorator);
  bool startsLine = at == 0 || (at != StringRef::npos && text[at - 1] == '\n');
  return startsLine ? at : StringRef::npos;
}

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
  if (size_t at = findOpdslSource(text); at != StringRef::npos) {
    position = at + StringRef("@linalg_structured_op").size();
    diags
        .report(DiagId::NotInLanguage, rangeFrom(at), {"OpDSL's Python source"})
        .note(DiagId::ReadsYaml, rangeFrom(at));
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
      if (isDivisor(text.slice(begin, position)))
        diags.report(DiagId::SlashComment,
                     {base + static_cast<uint32_t>(begin),
                      base + static_cast<uint32_t>(begin) + 2});
    } else if (rest().starts_with("/*")) {
      skipBlockComment();
    } else {
      return;
    }
  }
}

/// Whether `// 3` follows an operand on its line, and is a number, or a name
/// that came before, and nothing else but what an expression may go on with.
bool Lexer::isDivisor(StringRef comment) const {
  if (!comment.consume_front("//") || startsLine || buffer.tokens.empty())
    return false;
  TokenKind last = buffer.tokens.back().kind;
  if (last != TokenKind::Identifier && last != TokenKind::RParen &&
      last != TokenKind::Integer && last != TokenKind::Float)
    return false;
  comment = comment.trim();
  StringRef number =
      comment.take_while([](char c) { return isDigit(c) || c == '.'; });
  StringRef name =
      comment.take_while([](char c) { return isAlnum(c) || c == '_'; });
  StringRef operand = number.size() >= name.size() ? number : name;
  StringRef rest = comment.drop_front(operand.size());
  bool isCall = rest.starts_with("(") && rest.ends_with(")");
  rest = rest.ltrim();
  bool goesOn =
      isCall || rest.empty() || StringRef("+-*/%)").contains(rest.front());
  if (operand.empty() || !goesOn)
    return false;
  // The names are looked through last: most comments are more than a word.
  return isDigit(operand.front()) ||
         llvm::any_of(buffer.tokens, [&](const Token &token) {
           return token.kind == TokenKind::Identifier &&
                  buffer.getText(token) == operand;
         });
}

void Lexer::skipBlockComment() {
  size_t begin = position;
  size_t end = text.find("*/", begin + 2);
  if (end == StringRef::npos) {
    position = begin + 2;
    diags.report(DiagId::UnterminatedComment, rangeFrom(begin));
    // What is open here may be closed in it.
    buffer.tokens.push_back({TokenKind::Error, startsLine, rangeFrom(begin)});
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
    StringRef word = rest().take_while(isWord);
    StringRef after = rest().substr(word.size());
    if (!after.empty() && !isASCII(after[0])) {
      Character next = decodeCharacter(after);
      if (next.isValid && isLetter(next.codePoint))
        return lexForeignWord();
    }
    // `C_{ij}`; `sum_{k}` is a reduction, which the parser knows better.
    bool isLatex = word.ends_with("_") && after.starts_with("{") &&
                   !StringSwitch<bool>(word.drop_back())
                        .Cases({"sum", "prod", "max", "min"}, true)
                        .Default(false);
    if (isLatex)
      return lexLatex();
    position += word.size();
    return TokenKind::Identifier;
  }
  return lexUnexpected();
}

/// The previous token touches this one and ends an operand, or is the dot
/// before the last one of `0..4`.
bool Lexer::canEndOperand() const {
  if (buffer.tokens.empty() ||
      buffer.tokens.back().range.end != base + position)
    return false;
  TokenKind kind = buffer.tokens.back().kind;
  return kind == TokenKind::Identifier || kind == TokenKind::RParen ||
         kind == TokenKind::RSquare || kind == TokenKind::Dot;
}

/// `0x1F`, `0b101`, `0o17`, `1_000`, `1.0f` and `2i`, as the language has them.
static std::optional<std::string> respellNumber(StringRef digits,
                                                StringRef suffix) {
  uint64_t value;
  bool hasRadix = digits == "0" && suffix.size() > 1 &&
                  StringRef("xXbBoO").contains(suffix[0]);
  if (hasRadix && !(digits + suffix).str().empty() &&
      !StringRef((digits + suffix).str()).getAsInteger(0, value))
    return std::to_string(value);
  if (suffix == "f" || suffix == "F")
    return (digits + "f32").str();
  if (suffix == "i" || suffix == "j")
    return ("complex(0, " + digits + ")").str();
  std::string plain = suffix.str();
  llvm::erase(plain, '_');
  if (suffix.starts_with("_") && !plain.empty() && llvm::all_of(plain, isDigit))
    return (digits + plain).str();
  return std::nullopt;
}

/// digits [. digits] [e [sign] digits] [element type]
TokenKind Lexer::lexNumber() {
  TokenKind kind = TokenKind::Integer;
  size_t begin = position;
  skipWhile(isDigit);
  // The dots of `0..4` are a range's.
  if (peek() == '.' && !rest().starts_with("..")) {
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
  if (std::optional<std::string> ours =
          respellNumber(text.slice(begin, suffixBegin), suffix)) {
    diags
        .report(DiagId::WrittenAs, rangeFrom(begin),
                {text.slice(begin, position).str(), *ours})
        .fixIt(rangeFrom(begin), *ours);
    return TokenKind::Error;
  }
  // The length of an attribute's list, as in `2xindex`, or its shape,
  // `5x6xi32`.
  bool isZero = text.slice(begin, suffixBegin) == "0"; // of `0x1f`
  if (kind == TokenKind::Integer && suffix.size() > 1 && suffix[0] == 'x' &&
      (isWordStart(suffix[1]) || (!isZero && isDigit(suffix[1])))) {
    position = suffixBegin;
    return kind;
  }
  static constexpr StringRef types[] = {
#define EIN_ELEMENT_TYPE(ENUM, SPELLING, CTYPE, KIND, BITS, NPY) SPELLING,
#include "abi/ElementTypes.def"
  };
  diags.report(DiagId::BadNumberSuffix, rangeFrom(suffixBegin), {suffix.str()})
      .didYouMean(rangeFrom(suffixBegin), suffix, types);
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

/// A string in other quotes, on one line.
TokenKind Lexer::lexForeignString(StringRef open, StringRef close) {
  size_t begin = position;
  // A string that long is none, and looking further takes quadratic time.
  constexpr size_t maxLength = 512;
  StringRef line = text.substr(begin, maxLength).split('\n').first;
  size_t end = line.find(close, open.size());
  if (end == StringRef::npos)
    return TokenKind::Error;
  end += begin;
  position = end + close.size();
  uint32_t first = base + begin, last = base + end;
  diags.report(DiagId::StringQuotes, rangeFrom(begin))
      .fixIt({first, first + static_cast<uint32_t>(open.size())}, "\"")
      .fixIt({last, last + static_cast<uint32_t>(close.size())}, "\"");
  // Quotes of more than one byte would be in the way of what is between them.
  return open.size() == 1 ? TokenKind::String : TokenKind::Error;
}

/// A name with letters beyond ASCII, which is reported where it is first.
TokenKind Lexer::lexForeignWord() {
  size_t begin = position;
  while (!atEnd()) {
    Character character = decodeCharacter(rest());
    bool isPart = character.isValid &&
                  (character.length == 1 ? isWord(peek())
                                         : isLetter(character.codePoint));
    if (!isPart)
      break;
    position += character.length;
  }
  StringRef name = text.slice(begin, position);
  std::string ascii = transliterate(name);
  auto known = foreignNames.find(name);
  if (known == foreignNames.end())
    known = foreignNames
                .try_emplace(name, diags.report(DiagId::NameNotAscii,
                                                rangeFrom(begin), {name.str()}))
                .first;
  if (!ascii.empty())
    known->second.fixIt(rangeFrom(begin), ascii);
  return TokenKind::Identifier;
}

/// `\sum_{k} A_{ik}`, `C_{ij}`, `$C = A B$`: a formula is one mistake up to the
/// end of its line, or of the def that is on it.
TokenKind Lexer::lexLatex() {
  size_t begin = position;
  skipWhile([](char c) { return c == '$' || c == '\\'; });
  skipWhile(isWord);
  diags
      .report(DiagId::NotInLanguage, rangeFrom(begin),
              {"LaTeX's `" + text.slice(begin, position).str() + "`"})
      .note(DiagId::ProductInstead, rangeFrom(begin));
  unsigned depth = 0;
  while (!atEnd() && peek() != '\n' && (peek() != '}' || depth != 0)) {
    depth += peek() == '{';
    depth -= peek() == '}';
    ++position;
  }
  return TokenKind::Error;
}

/// One past the bracket that closes the one at `open`, on its line.
std::optional<size_t> Lexer::findClosing(size_t open) const {
  unsigned depth = 0;
  for (size_t i = open; i < text.size() && text[i] != '\n'; ++i) {
    depth += text[i] == '(';
    depth -= text[i] == ')';
    if (depth == 0)
      return i + 1;
  }
  return std::nullopt;
}

/// `√x(i)` and `√(x + y)`; `position` is behind the sign.
void Lexer::fixRoot(DiagnosticBuilder &builder, size_t begin) const {
  size_t end = position;
  while (end < text.size() && isWord(text[end]))
    ++end;
  bool isName = end != position && isWordStart(text[position]);
  bool hasBracket = end < text.size() && text[end] == '(';
  std::optional<size_t> close =
      hasBracket ? findClosing(end) : std::optional<size_t>(end);
  if (!close || (!isName && (!hasBracket || end != position)))
    return;
  builder.fixIt(getRange(begin, position), isName ? "sqrt(" : "sqrt");
  if (isName)
    builder.fixIt(getRange(*close, *close), ")");
}

/// `x(i)²` and `(x + y)²`: a power binds tighter than all that is before its
/// operand.
void Lexer::fixPower(DiagnosticBuilder &builder, size_t begin,
                     StringRef exponent) const {
  size_t open = begin;
  if (open != 0 && text[open - 1] == ')') {
    unsigned depth = 0;
    do {
      --open;
      depth += text[open] == ')';
      depth -= text[open] == '(';
    } while (depth != 0 && open != 0 && text[open - 1] != '\n');
    if (depth != 0)
      return;
  }
  size_t bracket = open;
  while (open != 0 && isWord(text[open - 1]))
    --open;
  bool isName = open != bracket && isWordStart(text[open]);
  if (open == begin || (open != bracket && !isName))
    return;
  builder.fixIt(getRange(open, open), "pow(");
  builder.fixIt(getRange(begin, position), (", " + exponent + ")").str());
}

/// `∑_k`, `√`, `²`: notation that stands for a call.
bool Lexer::lexNotation() {
  static constexpr std::pair<StringLiteral, StringLiteral> notations[] = {
      {"∑", "sum<k>(…)"},   {"Σ_", "sum<k>(…)"}, {"∏", "prod<k>(…)"},
      {"Π_", "prod<k>(…)"}, {"√", "sqrt(…)"},    {"²", "pow(x, 2)"},
      {"³", "pow(x, 3)"},   {"∈", "in"}};
  for (auto [theirs, ours] : notations) {
    if (!rest().starts_with(theirs))
      continue;
    size_t begin = position;
    position += theirs.size();
    DiagnosticBuilder builder =
        diags.report(DiagId::WrittenAs, rangeFrom(begin),
                     {StringRef(theirs).rtrim('_').str(), ours.str()});
    if (ours == "in")
      builder.fixIt(rangeFrom(begin), ours);
    else if (theirs == "√")
      fixRoot(builder, begin);
    else if (theirs == "²" || theirs == "³")
      fixPower(builder, begin, theirs == "²" ? "2" : "3");
    skipWhile(isWord);
    return true;
  }
  return false;
}

TokenKind Lexer::lexUnexpected() {
  size_t begin = position;
  bool isCommand = peek() == '\\' && rest().size() > 1 && isAlpha(rest()[1]);
  bool isFormula = peek() == '$' && rest().size() > 1 &&
                   (isWordStart(rest()[1]) || rest()[1] == '\\');
  if (isCommand || isFormula)
    return lexLatex();
  if (lexNotation())
    return TokenKind::Error;
  for (auto [open, close] : foreignQuotes)
    if (rest().starts_with(open))
      if (TokenKind kind = lexForeignString(open, close); position != begin)
        return kind;
  if (std::optional<LookAlike> found = findLookAlike(rest())) {
    position += found->character.size();
    diags
        .report(DiagId::WrittenAs, rangeFrom(begin),
                {found->character.str(), found->ours.str()})
        .fixIt(rangeFrom(begin), found->ours);
    for (const Punctuation &candidate : punctuation)
      if (candidate.spelling == found->ours)
        return candidate.kind;
    return TokenKind::Error;
  }
  if (Character next = decodeCharacter(rest());
      next.isValid && next.length > 1 && isLetter(next.codePoint))
    return lexForeignWord();
  // Julia's macros.
  if (peek() == '@' && startsLine && rest().size() > 1 &&
      isWordStart(rest()[1])) {
    ++position;
    skipWhile(isWord);
    diags.report(DiagId::NotInLanguage, rangeFrom(begin),
                 {"`" + text.slice(begin, position).str() + "`"});
    return TokenKind::Error;
  }
  if (peek() == '@' && !startsLine) {
    ++position;
    diags.report(DiagId::NotInLanguage, rangeFrom(begin), {"`@`"})
        .note(DiagId::ProductInstead, rangeFrom(begin));
    return TokenKind::Error;
  }
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
