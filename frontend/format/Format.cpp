//===- Format.cpp - Programs in the house's layout ------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Formatting works on tokens and comments, not on the tree: the tree has no
// comments, and a program that the checker refuses, or that is half written, is
// formatted as well. So this file has to find by itself where a statement ends.
// That takes little: an expression is over where an operand follows an operand,
// and the few words that may stand in between, such as `where`, are known by
// what is beside them. A header goes on to its `{`. Each such line is laid out
// in FormatLine.cpp; here are lines, indentation, blank lines and the comments
// between lines.
//
// Blanks mean something in few places: `sum<k>(…)` starts a reduction where
// `sum <` compares, `2xindex` is a length, and `acc` at the start of a line may
// be a target. All of these stay as they are. As a last resort the result is
// lexed again, and returned only if it has the tokens that the source has.
//
//===----------------------------------------------------------------------===//

#include "frontend/format/Format.h"
#include "frontend/format/FormatLine.h"
#include "frontend/parse/EinsumString.h"
#include "frontend/parse/Parser.h"
#include "frontend/program/ElementType.h"

using namespace llvm;

namespace ein {
namespace {

bool isOpening(TokenKind kind) {
  return kind == TokenKind::LParen || kind == TokenKind::LSquare ||
         kind == TokenKind::LBrace;
}

/// The bracket that `opening` needs.
TokenKind getClosing(TokenKind opening) {
  return opening == TokenKind::LParen    ? TokenKind::RParen
         : opening == TokenKind::LSquare ? TokenKind::RSquare
                                         : TokenKind::RBrace;
}

bool isClosing(TokenKind kind) {
  return kind == TokenKind::RParen || kind == TokenKind::RSquare ||
         kind == TokenKind::RBrace;
}

bool isNumberOrString(TokenKind kind) {
  return kind == TokenKind::Integer || kind == TokenKind::Float ||
         kind == TokenKind::String;
}

LogicalResult checkBrackets(const TokenBuffer &buffer,
                            DiagnosticEngine &diags) {
  SmallVector<const Token *> open;
  auto complain = [&](const Token &token) -> LogicalResult {
    std::string found = token.kind == TokenKind::EndOfFile
                            ? getDescription(token.kind).str()
                            : "`" + buffer.getText(token).str() + "`";
    if (open.empty())
      return diags.report(DiagId::Expected, token.range,
                          {"a def or a statement", found});
    std::string expected = getDescription(getClosing(open.back()->kind)).str();
    return diags.report(DiagId::Expected, token.range, {expected, found})
        .note(DiagId::ToMatch, open.back()->range,
              {buffer.getText(*open.back()).str()});
  };
  for (const Token &token : buffer.tokens) {
    if (isOpening(token.kind)) {
      open.push_back(&token);
      if (open.size() > ast::maxNesting)
        return diags.report(DiagId::NestingTooDeep, token.range,
                            {std::to_string(ast::maxNesting)});
    } else if (isClosing(token.kind)) {
      if (open.empty() || getClosing(open.back()->kind) != token.kind)
        return complain(token);
      open.pop_back();
    }
  }
  return open.empty() ? success() : complain(buffer.tokens.back());
}

//===----------------------------------------------------------------------===//
// Where a line ends
//===----------------------------------------------------------------------===//

/// Finds the end of what begins at a token, and on the way which words are the
/// language's.
class LineFinder {
public:
  LineFinder(const TokenBuffer &buffer)
      : buffer(buffer), keywords(buffer.tokens.size()) {}

  /// Past its last token.
  size_t findEnd(size_t start);
  bool isKeyword(size_t i) const { return keywords[i]; }

private:
  bool is(TokenKind kind, size_t i) const { return at(i).kind == kind; }
  bool isWord(StringRef word, size_t i) const {
    return is(TokenKind::Identifier, i) && buffer.getText(at(i)) == word;
  }
  const Token &at(size_t i) const {
    return buffer.tokens[std::min(i, buffer.tokens.size() - 1)];
  }
  bool isVisibility(size_t start) const;
  bool isHeader(size_t start) const;
  size_t findHeaderEnd(size_t start);
  size_t findStatementEnd(size_t start);
  bool continuesStatement(size_t &i);
  bool needsNextOnItsLine(size_t start, size_t end) const;

  const TokenBuffer &buffer;
  std::vector<bool> keywords;

  // Of the statement that is being read.
  bool isAfterOperand = false;
  bool isAfterAssignment = false;
  bool isInWhere = false;
  /// Where the clause of `where` begins.
  size_t clause = 0;
};

/// `private` or `public` before a def.
bool LineFinder::isVisibility(size_t start) const {
  return (isWord("private", start) || isWord("public", start)) &&
         ((isWord("def", start + 1) && is(TokenKind::Identifier, start + 2)) ||
          (isWord("ods_def", start + 1) && is(TokenKind::Less, start + 2)));
}

bool LineFinder::isHeader(size_t start) const {
  if (isVisibility(start))
    return true;
  return (isWord("def", start) && is(TokenKind::Identifier, start + 1)) ||
         (isWord("ods_def", start) && is(TokenKind::Less, start + 1));
}

size_t LineFinder::findEnd(size_t start) {
  if (isHeader(start))
    return findHeaderEnd(start);
  size_t end = start + 2;
  if (isWord("import", start) && is(TokenKind::String, start + 1))
    keywords[start] = true;
  else
    end = findStatementEnd(start);
  while (is(TokenKind::Semicolon, end) &&
         (end == start || !is(TokenKind::LBrace, end - 1)))
    ++end;
  return end;
}

/// To the `{`; what `ods_def` says is a line of its own.
size_t LineFinder::findHeaderEnd(size_t start) {
  if (isVisibility(start))
    keywords[start++] = true;
  bool isOds = isWord("ods_def", start);
  keywords[start] = true;
  unsigned depth = 0;
  for (size_t i = start + 1; !is(TokenKind::EndOfFile, i); ++i) {
    depth += isOpening(at(i).kind);
    depth -= isClosing(at(i).kind);
    if (depth == 1 && is(TokenKind::LBrace, i))
      return i + 1;
    if (isOds && depth == 0 && is(TokenKind::Colon, i))
      return i + 1;
    if (depth == 0)
      keywords[i] = is(TokenKind::String, i) ||
                    (isWord("attr", i) && is(TokenKind::LParen, i + 1)) ||
                    (isOds && isWord("implements_interface", i));
    if (is(TokenKind::RBrace, i + 1) && depth == 0)
      return i + 1;
  }
  return buffer.tokens.size() - 1;
}

/// Whether the word or literal at `i`, which follows a complete expression,
/// belongs to the statement all the same. Moves to the last token of what does.
bool LineFinder::continuesStatement(size_t &i) {
  if (startsAccumulator(buffer, i)) {
    keywords[i] = true;
    i += 2;
    return true;
  }
  bool startsWhere = isWord("where", i) && !isAssignment(at(i + 1).kind);
  if (startsWhere && is(TokenKind::LParen, i + 1)) {
    // `where(i) = …` is a statement, `where (i < j)` a clause.
    size_t end = i + 1;
    for (unsigned depth = 0; !is(TokenKind::EndOfFile, end); ++end) {
      depth += isOpening(at(end).kind);
      depth -= isClosing(at(end).kind);
      if (depth == 0)
        break;
    }
    startsWhere = !isAssignment(at(end + 1).kind);
  }
  if (startsWhere) {
    isInWhere = true;
    clause = i + 1;
  }
  bool isRange = isInWhere && isWord("in", i) && i == clause + 1;
  bool isStep = isInWhere && isWord("step", i) && is(TokenKind::Integer, i + 1);
  if (!startsWhere && !isRange && !isStep)
    return false;
  keywords[i] = true;
  isAfterOperand = false;
  return true;
}

/// `acc = f32` at the start of a line is a statement because something follows
/// it on the line; without that it would end the statement before it.
bool LineFinder::needsNextOnItsLine(size_t start, size_t end) const {
  return isWord("acc", start) && end == start + 3 && at(start).startsLine &&
         !at(end).startsLine && parseElementType(buffer.getText(at(start + 2)));
}

size_t LineFinder::findStatementEnd(size_t start) {
  isAfterOperand = isAfterAssignment = isInWhere = false;
  size_t i = start;
  if ((isWord("let", i) || isWord("tmp", i)) &&
      (is(TokenKind::Identifier, i + 1) || is(TokenKind::MaxAssign, i + 1) ||
       is(TokenKind::MinAssign, i + 1)))
    keywords[i++] = true;
  unsigned depth = 0;
  for (; !is(TokenKind::EndOfFile, i); ++i) {
    TokenKind kind = at(i).kind;
    if (isClosing(kind)) {
      if (depth == 0)
        return i;
      isAfterOperand = --depth == 0;
      continue;
    }
    if (isOpening(kind)) {
      if (depth++ == 0 && kind == TokenKind::LBrace)
        return i + 1;
      continue;
    }
    if (depth != 0)
      continue;
    if (kind == TokenKind::Semicolon)
      return i;
    bool isOperand = kind == TokenKind::Identifier || isNumberOrString(kind);
    // The lexer glues `max=A(i)`, which may be the next statement.
    bool isGlued =
        isAfterAssignment && !isInWhere &&
        (kind == TokenKind::MaxAssign || kind == TokenKind::MinAssign);
    if (isAfterOperand && (isOperand || isGlued)) {
      if (continuesStatement(i) || needsNextOnItsLine(start, i))
        continue;
      return i;
    }
    if (isInWhere && i == clause && isWord("exists", i) &&
        is(TokenKind::Identifier, i + 1)) {
      keywords[i] = true;
      continue;
    }
    isAfterAssignment |= isAssignment(kind);
    isAfterOperand = isOperand;
    if (kind == TokenKind::Comma)
      clause = i + 1;
  }
  return i;
}

//===----------------------------------------------------------------------===//
// Lines and what is between them
//===----------------------------------------------------------------------===//

class Formatter {
public:
  Formatter(const TokenBuffer &buffer) : buffer(buffer), finder(buffer) {}

  std::string run();

private:
  StringRef getText(SourceRange range) const {
    return buffer.file->getText(range);
  }
  static bool isBlockComment(StringRef text) { return text.starts_with("/*"); }
  /// A comment without the blanks that end its line.
  StringRef getComment(SourceRange range) const {
    StringRef text = getText(range);
    return isBlockComment(text) ? text : text.rtrim();
  }
  bool hasCommentBefore(uint32_t offset) const {
    return comment != buffer.comments.size() &&
           buffer.comments[comment].begin < offset;
  }
  /// Line breaks between what was written last and `offset`.
  size_t countBreaks(uint32_t offset) const {
    return getText({last, offset}).count('\n');
  }
  void startLine(uint32_t offset);
  void addTrailingComments(uint32_t next);
  void addCommentLines(const Token &next);
  void addItems(SmallVectorImpl<FormatItem> &items, size_t i);
  size_t addLine(size_t start);

  const TokenBuffer &buffer;
  LineFinder finder;
  std::string out;
  unsigned indentation = 0;
  /// The next comment, and the end of what was written last.
  size_t comment = 0;
  uint32_t last = 0;
  /// The token that has to begin a line.
  size_t lineStart = 0;
  bool isBlockStart = true;
};

/// Keeps a blank line if there was one, except at the start of a block.
void Formatter::startLine(uint32_t offset) {
  if (!isBlockStart && countBreaks(offset) > 1)
    out += '\n';
  isBlockStart = false;
}

void Formatter::addTrailingComments(uint32_t next) {
  while (hasCommentBefore(next)) {
    SourceRange range = buffer.comments[comment];
    if (countBreaks(range.begin) != 0)
      break;
    out += "  ";
    out += getComment(range);
    last = range.end;
    ++comment;
  }
  out += '\n';
}

/// Comments on lines of their own. The last one, if it is on `next`'s line, is
/// left to that line.
void Formatter::addCommentLines(const Token &next) {
  bool isContinued = false;
  while (hasCommentBefore(next.range.begin)) {
    SourceRange range = buffer.comments[comment];
    StringRef text = getComment(range);
    uint32_t end =
        comment + 1 != buffer.comments.size()
            ? std::min(buffer.comments[comment + 1].begin, next.range.begin)
            : next.range.begin;
    bool endsLine = next.kind == TokenKind::EndOfFile ||
                    next.kind == TokenKind::RBrace ||
                    getText({range.end, end}).contains('\n');
    bool isLast = end == next.range.begin;
    if (!endsLine && isLast && !isContinued)
      return;
    if (isContinued) {
      out += ' ';
    } else {
      startLine(range.begin);
      out.append(indentation, ' ');
    }
    out += text;
    last = range.end;
    ++comment;
    isContinued = !endsLine && !isLast;
    if (!isContinued)
      out += '\n';
  }
}

/// A token and the comments before it.
void Formatter::addItems(SmallVectorImpl<FormatItem> &items, size_t i) {
  const Token &token = buffer.tokens[i];
  bool mustStartLine = false;
  while (hasCommentBefore(token.range.begin)) {
    SourceRange range = buffer.comments[comment++];
    bool startsLine = !items.empty() && countBreaks(range.begin) != 0;
    FormatItem item;
    item.text = getComment(range);
    item.isComment = true;
    uint32_t end =
        comment != buffer.comments.size()
            ? std::min(buffer.comments[comment].begin, token.range.begin)
            : token.range.begin;
    bool endsLine = getText({range.end, end}).contains('\n');
    item.mustStartLine = mustStartLine || (startsLine && endsLine);
    mustStartLine = !isBlockComment(item.text) || (startsLine && endsLine);
    items.push_back(item);
    last = range.end;
  }
  FormatItem item;
  item.text = buffer.getText(token);
  item.kind = token.kind;
  item.isKeyword = finder.isKeyword(i);
  item.touches = i != 0 && buffer.tokens[i - 1].range.end == token.range.begin;
  // A long docstring begins a line.
  item.mustStartLine =
      mustStartLine || (i != 0 && i == lineStart) ||
      (item.isKeyword && !items.empty() && item.text.contains('\n'));
  // Where `acc = f32` begins a line it has to end one as well.
  bool startsLine =
      mustStartLine || (!items.empty() && items.back().isComment &&
                        items.back().text.contains('\n'));
  if (item.isKeyword && item.text == "acc" && startsLine &&
      buffer.tokens[i + 3].kind != TokenKind::Semicolon)
    lineStart = i + 3;
  items.push_back(item);
  last = token.range.end;
}

/// Writes what begins at a token; returns where the next begins.
size_t Formatter::addLine(size_t start) {
  size_t end = std::max(finder.findEnd(start), start + 1);
  startLine(hasCommentBefore(buffer.tokens[start].range.begin)
                ? buffer.comments[comment].begin
                : buffer.tokens[start].range.begin);
  SmallVector<FormatItem> items;
  for (size_t i = start; i != end; ++i)
    addItems(items, i);
  formatLine(out, items, indentation);
  if (items.back().kind == TokenKind::LBrace &&
      buffer.tokens[end].kind != TokenKind::RBrace) {
    indentation += 2;
    isBlockStart = true;
  }
  return end;
}

std::string Formatter::run() {
  size_t i = 0;
  while (true) {
    const Token &token = buffer.tokens[i];
    addCommentLines(token);
    if (token.kind == TokenKind::EndOfFile)
      return std::move(out);
    if (token.kind == TokenKind::RBrace) {
      indentation -= 2;
      out.append(indentation, ' ');
      out += '}';
      last = token.range.end;
      isBlockStart = false;
      ++i;
    } else {
      i = addLine(i);
    }
    // `{}` and `};`.
    bool isEmptyBody = buffer.tokens[i].kind == TokenKind::RBrace &&
                       buffer.tokens[i - 1].kind == TokenKind::LBrace;
    if (isEmptyBody && !hasCommentBefore(buffer.tokens[i].range.begin)) {
      out += '}';
      last = buffer.tokens[i++].range.end;
    } else if (isEmptyBody) {
      indentation += 2;
      isBlockStart = true;
    }
    while (buffer.tokens[i].kind == TokenKind::Semicolon &&
           buffer.tokens[i - 1].kind != TokenKind::LBrace &&
           !hasCommentBefore(buffer.tokens[i].range.begin)) {
      out += ';';
      last = buffer.tokens[i++].range.end;
    }
    addTrailingComments(buffer.tokens[i].range.begin);
  }
}

/// Whether both have the same tokens and comments.
bool isSameProgram(const TokenBuffer &a, const TokenBuffer &b) {
  auto isSameToken = [&](const Token &x, const Token &y) {
    return x.kind == y.kind && a.getText(x) == b.getText(y);
  };
  auto isSameComment = [&](SourceRange x, SourceRange y) {
    return a.file->getText(x).rtrim() == b.file->getText(y).rtrim();
  };
  return llvm::equal(a.tokens, b.tokens, isSameToken) &&
         llvm::equal(a.comments, b.comments, isSameComment);
}

} // namespace

FailureOr<std::string> formatSource(const SourceFile &file,
                                    DiagnosticEngine &diags) {
  // Its blanks may mean something.
  if (isBareEinsumString(file.getText()) && !file.getText().trim().empty())
    return file.getText().str();
  TokenBuffer buffer = lex(file, diags);
  if (diags.hasErrors() || failed(checkBrackets(buffer, diags)))
    return failure();
  std::string text = Formatter(buffer).run();

  SourceFile formatted(file.getName().str(), text);
  DiagnosticEngine ignored;
  if (!isSameProgram(buffer, lex(formatted, ignored)))
    return diags.report(DiagId::InternalError, {},
                        {"formatting would change the program"});
  return text;
}

} // namespace ein
