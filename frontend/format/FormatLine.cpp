//===- FormatLine.cpp - Where a line gets blanks and breaks ---------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three steps. Each token gets a role by what is beside it: the `-` of a
// difference or of a negative number, the `:` of a type, of a range or of `?:`.
// Roles decide about blanks: one on either side of an operator, none where a
// product of names and numbers is part of a subscript or of an argument,
// `2*h + k`. A line that does not fit into 100 columns is then broken at the
// outermost bracket first, and there at what binds least: before `->`, `attr`
// and `where`, after commas, before operators, or after the assignment if that
// is enough. What has to be broken is filled, and continues below the bracket
// it is in.
//
//===----------------------------------------------------------------------===//

#include "frontend/format/FormatLine.h"
#include "frontend/parse/Parser.h"
#include <climits>

using namespace llvm;

namespace ein {
namespace {

constexpr unsigned maxColumns = 100;
/// How far a continued line is indented that is in no bracket.
constexpr unsigned continuation = 4;
/// Beyond, lines do not continue below their bracket.
constexpr unsigned maxAlignment = 60;
/// The rank of a statement's right side: before all that is in brackets, if it
/// then fits.
constexpr unsigned afterAssignment = 31;

enum class Role : uint8_t {
  Word, ///< names, numbers, strings, and what has nothing special
  Comment,
  Unary,
  Binary,
  TightBinary,
  Assign,
  TightAssign,
  TypeColon,
  RangeColon,
  WideColon,
  Ternary,
  OptionalMark,
  Dot,
  Arrow,
  Comma,
  Semicolon,
  Open,  ///< of a list or a group
  Call,  ///< `(` or `<` that belongs to the name before
  Close, ///< of either
  Brace,
};

/// A token's role, and where it may be broken before: the least rank is broken
/// first, and 0 is a break that must be.
struct Piece {
  StringRef text;
  Role role = Role::Word;
  TokenKind kind = TokenKind::Identifier;
  bool blankBefore = false;
  unsigned depth = 0;
  unsigned rank = UINT_MAX;
};

/// Whether the lexer would read both as something else if they touched.
bool wouldMerge(StringRef left, StringRef right) {
  constexpr StringLiteral alone = "()[]{},;";
  if (alone.contains(left.back()) || alone.contains(right.front()))
    return false;
  SourceFile file("", (left + right).str());
  DiagnosticEngine ignored;
  TokenBuffer buffer = lex(file, ignored);
  return buffer.tokens.size() != 3 || ignored.hasErrors() ||
         buffer.tokens[0].range.end != left.size();
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

class Annotator {
public:
  Annotator(ArrayRef<FormatItem> items) : items(items) {}

  std::vector<Piece> run();

private:
  /// What is inside a bracket, or the line itself.
  struct Frame {
    size_t opener;
    bool isAngle = false;
    /// `=` has blanks.
    bool isWide = false;
    /// Subscripts and arguments, where products may be tight.
    bool isTight = false;
    unsigned numQuestions = 0;
    bool isRange = false;
    bool hasOperator = false;
    std::optional<size_t> rangeColon = std::nullopt;
  };

  const FormatItem *getPrevious(size_t i, unsigned distance = 1) const;
  bool isAfterOperand() const;
  bool startsAngle(size_t i) const;
  Role getRole(size_t i);
  Role open(size_t i);
  Role getColonRole();
  void endRange();
  std::optional<size_t> skipSimpleOperand(size_t i) const;
  void tightenProducts();
  unsigned getRank(size_t i) const;
  bool wantsBlank(size_t i) const;
  bool needsBlank(size_t i) const;

  ArrayRef<FormatItem> items;
  std::vector<Piece> pieces;
  /// For each bracket that was closed or is open: whether products are tight.
  std::vector<bool> isTight;
  SmallVector<Frame> frames;
  /// The last piece that is no comment.
  const Piece *previous = nullptr;
  size_t previousIndex = 0;
};

/// The token before, comments left out.
const FormatItem *Annotator::getPrevious(size_t i, unsigned distance) const {
  while (i-- != 0)
    if (!items[i].isComment && --distance == 0)
      return &items[i];
  return nullptr;
}

bool Annotator::isAfterOperand() const {
  if (!previous || items[previousIndex].isKeyword)
    return false;
  if (previous->role == Role::Close)
    return previous->kind != TokenKind::Greater;
  return previous->role == Role::Word;
}

/// `<` after a name: generics, or `sum<k, l>` and `f<k>(` written without a
/// blank.
bool Annotator::startsAngle(size_t i) const {
  const FormatItem *name = getPrevious(i);
  if (!name || name->kind != TokenKind::Identifier)
    return false;
  const FormatItem *before = getPrevious(i, 2);
  bool isOds = name->isKeyword && (name->text == "ods_def" ||
                                   name->text == "implements_interface");
  if (isOds || (before && before->isKeyword && before->text == "def"))
    return true;
  if (!items[i].touches)
    return false;
  // Moves to the next token.
  auto is = [&](TokenKind kind) {
    while (++i < items.size() && items[i].isComment)
      continue;
    return i < items.size() && items[i].kind == kind;
  };
  do {
    if (!is(TokenKind::Identifier))
      return false;
  } while (is(TokenKind::Comma));
  return i < items.size() && items[i].kind == TokenKind::Greater &&
         (takesAngleBrackets(name->text) || is(TokenKind::LParen));
}

Role Annotator::open(size_t i) {
  Frame frame = {i};
  TokenKind kind = items[i].kind;
  bool isKeyword = previous && items[previousIndex].isKeyword;
  bool isAttr = isKeyword && items[previousIndex].text == "attr";
  bool isCall = kind != TokenKind::LBrace && previous &&
                (isAttr ||
                 (!isKeyword && previous->role == Role::Word &&
                  previous->kind == TokenKind::Identifier) ||
                 (previous->role == Role::Close && kind == TokenKind::LParen));
  frame.isAngle = kind == TokenKind::Less;
  frame.isWide = isAttr || frame.isAngle;
  frame.isTight = isCall || frames.back().isTight;
  frames.push_back(frame);
  if (kind == TokenKind::LBrace)
    return Role::Brace;
  return isCall || frame.isAngle ? Role::Call : Role::Open;
}

Role Annotator::getColonRole() {
  Frame &frame = frames.back();
  if (frame.numQuestions != 0) {
    --frame.numQuestions;
    return Role::Ternary;
  }
  if (!frame.isRange)
    return Role::TypeColon;
  frame.rangeColon = pieces.size();
  return Role::RangeColon;
}

/// `0:N`, but `i + 1 : N`.
void Annotator::endRange() {
  Frame &frame = frames.back();
  if (frame.rangeColon && frame.hasOperator)
    pieces[*frame.rangeColon].role = Role::WideColon;
  frame.isRange = frame.hasOperator = false;
  frame.rangeColon = std::nullopt;
}

Role Annotator::getRole(size_t i) {
  const FormatItem &item = items[i];
  if (item.isComment)
    return Role::Comment;
  switch (item.kind) {
  case TokenKind::Identifier:
    if (item.isKeyword)
      endRange();
    if (item.isKeyword && item.text == "in")
      frames.back().isRange = true;
    return Role::Word;
  case TokenKind::Integer:
  case TokenKind::Float:
  case TokenKind::String:
  case TokenKind::EndOfFile:
  case TokenKind::Error:
    return Role::Word;
  case TokenKind::LParen:
  case TokenKind::LSquare:
  case TokenKind::LBrace:
    return open(i);
  case TokenKind::RParen:
  case TokenKind::RSquare:
  case TokenKind::RBrace:
    endRange();
    while (frames.size() > 1 && frames.back().isAngle)
      frames.pop_back(); // a `>` that never came
    if (frames.size() > 1)
      frames.pop_back();
    return Role::Close;
  case TokenKind::Comma:
    endRange();
    return Role::Comma;
  case TokenKind::Semicolon:
    return Role::Semicolon;
  case TokenKind::Dot:
    return Role::Dot;
  case TokenKind::Arrow:
    return Role::Arrow;
  case TokenKind::Colon:
    return getColonRole();
  case TokenKind::Question:
    if (i + 1 != items.size() && items[i + 1].kind == TokenKind::Colon)
      return Role::OptionalMark;
    ++frames.back().numQuestions;
    return Role::Ternary;
  case TokenKind::Less:
    if (startsAngle(i))
      return open(i);
    break;
  case TokenKind::Greater:
    if (!frames.back().isAngle)
      break;
    frames.pop_back();
    return Role::Close;
  default:
    break;
  }
  if (isAssignment(item.kind))
    return frames.size() == 1 || frames.back().isWide ? Role::Assign
                                                      : Role::TightAssign;
  if (!isAfterOperand())
    return Role::Unary;
  frames.back().hasOperator = true;
  return Role::Binary;
}

/// Past an operand that is a name, a number or an element `s.0`; nothing if it
/// is something else.
std::optional<size_t> Annotator::skipSimpleOperand(size_t i) const {
  auto is = [&](Role role) {
    return i < pieces.size() && pieces[i].role == role;
  };
  while (is(Role::Unary))
    ++i;
  if (!is(Role::Word))
    return std::nullopt;
  ++i;
  if (is(Role::Dot))
    i += 2;
  if (is(Role::Call))
    return std::nullopt;
  return i;
}

/// A product of nothing but names and numbers in a subscript: `2*h + k`.
void Annotator::tightenProducts() {
  auto isProduct = [&](size_t i) {
    return i < pieces.size() && pieces[i].role == Role::Binary &&
           getPrecedence(pieces[i].kind) == getPrecedence(TokenKind::Star);
  };
  for (size_t i = 1; i < pieces.size(); ++i) {
    bool isSimple =
        isProduct(i) && isTight[i] && pieces[i - 1].role == Role::Word;
    SmallVector<size_t> operators;
    while (isProduct(i)) {
      operators.push_back(i);
      std::optional<size_t> next = skipSimpleOperand(i + 1);
      isSimple &= next.has_value();
      i = next.value_or(i + 1);
    }
    if (isSimple)
      for (size_t op : operators)
        pieces[op].role = Role::TightBinary;
  }
}

//===----------------------------------------------------------------------===//
// Blanks and ranks
//===----------------------------------------------------------------------===//

bool isLineComment(const Piece &piece) {
  return piece.role == Role::Comment && !piece.text.starts_with("/*");
}

bool isWide(Role role) {
  return role == Role::Binary || role == Role::Assign ||
         role == Role::WideColon || role == Role::Ternary ||
         role == Role::Arrow;
}

bool isTightOnBothSides(Role role) {
  return role == Role::TightBinary || role == Role::TightAssign ||
         role == Role::RangeColon || role == Role::Dot;
}

/// Whether the layout has a blank before a piece.
bool Annotator::wantsBlank(size_t i) const {
  const Piece &left = pieces[i - 1];
  const Piece &right = pieces[i];
  bool isOpen = left.role == Role::Open || left.role == Role::Call;
  if (right.role == Role::Comma || right.role == Role::Semicolon)
    return false;
  if (right.role == Role::Comment || left.role == Role::Comment)
    return isLineComment(right) || (!isOpen && right.role != Role::Close);
  if (isOpen || right.role == Role::Close || right.role == Role::Call)
    return false;
  if (isWide(left.role) || isWide(right.role) || left.role == Role::Comma)
    return true;
  bool isLength = left.kind == TokenKind::Integer &&
                  right.kind == TokenKind::Identifier && items[i].touches;
  bool isTight =
      isLength || left.role == Role::Unary || isTightOnBothSides(left.role) ||
      isTightOnBothSides(right.role) || right.role == Role::TypeColon ||
      right.role == Role::OptionalMark;
  return !isTight;
}

/// Whether a piece has to have one.
bool Annotator::needsBlank(size_t i) const {
  if (i == 0)
    return false;
  const Piece &left = pieces[i - 1];
  const Piece &right = pieces[i];
  if (wantsBlank(i))
    return true;
  if (left.role == Role::Comment || right.role == Role::Comment)
    return false;
  // The 0 in `A.0` must touch the dot, and the dot the name, or it is `.0`.
  if (left.role == Role::Dot && right.kind == TokenKind::Integer)
    return i < 2 || left.blankBefore ||
           (pieces[i - 2].kind != TokenKind::Identifier &&
            pieces[i - 2].role != Role::Close);
  return wouldMerge(left.text, right.text) &&
         !(left.kind == TokenKind::Integer && items[i].touches);
}

unsigned Annotator::getRank(size_t i) const {
  constexpr unsigned none = UINT_MAX;
  // The levels of one bracket.
  enum { Clause = 1, Element, Choice, Operator, Count = afterAssignment + 1 };
  const Piece &piece = pieces[i];
  if (items[i].mustStartLine)
    return 0;
  if (i == 0 || piece.role == Role::Comment)
    return none;
  unsigned base = piece.depth * Count;
  bool startsClause =
      piece.role == Role::Arrow ||
      (items[i].isKeyword && (piece.kind == TokenKind::String ||
                              piece.text == "attr" || piece.text == "where"));
  if (startsClause)
    return base + Clause;
  switch (pieces[i - 1].role) {
  case Role::Comma:
    return base + Element;
  case Role::Assign:
    return piece.depth == 0 ? afterAssignment : none;
  default:
    break;
  }
  if (piece.role == Role::Ternary)
    return base + Choice;
  if (piece.role == Role::Binary)
    return base + Operator + getPrecedence(piece.kind);
  return none;
}

std::vector<Piece> Annotator::run() {
  frames.push_back({0});
  pieces.reserve(items.size());
  for (size_t i = 0; i != items.size(); ++i) {
    isTight.push_back(frames.back().isTight);
    Role role = getRole(i);
    Piece piece;
    piece.text = items[i].text;
    piece.kind = items[i].isComment ? TokenKind::Error : items[i].kind;
    piece.role = role;
    // A bracket belongs to what is round it.
    bool opens =
        role == Role::Open || role == Role::Call || role == Role::Brace;
    piece.depth = frames.size() - 1 - opens;
    pieces.push_back(piece);
    if (role == Role::Comment)
      continue;
    previous = &pieces.back();
    previousIndex = i;
  }
  while (frames.size() > 1)
    frames.pop_back();
  endRange();
  tightenProducts();
  for (size_t i = 0; i != pieces.size(); ++i) {
    // `f(max = 3)`, as `max=` is an update.
    if (pieces[i].role == Role::TightAssign && i != 0 &&
        wouldMerge(pieces[i - 1].text, pieces[i].text))
      pieces[i].role = Role::Assign;
    pieces[i].blankBefore = needsBlank(i);
    pieces[i].rank = getRank(i);
  }
  return std::move(pieces);
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

class LineWriter {
public:
  LineWriter(std::string &out, ArrayRef<Piece> pieces, unsigned indentation);

  /// Writes pieces `begin` to `end`, broken where need be.
  void write(size_t begin, size_t end);

private:
  unsigned getWidth(size_t begin, size_t end) const {
    return widths[end] - widths[begin];
  }
  bool fits(size_t begin, size_t end) const {
    return column + getWidth(begin, end) <= maxColumns;
  }
  void breakLine(size_t next);
  void writePiece(size_t i);

  std::string &out;
  ArrayRef<Piece> pieces;
  unsigned indentation;
  unsigned column;
  bool isLineStart = true;
  /// Of all pieces before, blanks included; and how many of them have to start
  /// a line.
  std::vector<unsigned> widths = {0}, breaks = {0};
  /// The columns right of the brackets that are open.
  SmallVector<unsigned> brackets;
};

LineWriter::LineWriter(std::string &out, ArrayRef<Piece> pieces,
                       unsigned indentation)
    : out(out), pieces(pieces), indentation(indentation), column(indentation) {
  for (const Piece &piece : pieces) {
    unsigned width = piece.text.split('\n').first.size();
    widths.push_back(widths.back() + width + piece.blankBefore);
    breaks.push_back(breaks.back() + (piece.rank == 0));
  }
  out.append(indentation, ' ');
}

void LineWriter::breakLine(size_t next) {
  const Piece &piece = pieces[next];
  column = indentation;
  if (piece.depth != 0 && piece.depth <= brackets.size() &&
      brackets[piece.depth - 1] <= maxAlignment)
    column = brackets[piece.depth - 1];
  else if (piece.depth != 0 || piece.role != Role::Close)
    column += continuation + 2 * piece.depth;
  out += '\n';
  out.append(column, ' ');
  isLineStart = true;
}

void LineWriter::writePiece(size_t i) {
  const Piece &piece = pieces[i];
  if (piece.blankBefore && !isLineStart) {
    // As behind a whole line.
    unsigned blanks = isLineComment(piece) ? 2 : 1;
    out.append(blanks, ' ');
    column += blanks;
  }
  isLineStart = false;
  out += piece.text;
  size_t lastBreak = piece.text.rfind('\n');
  column = lastBreak == StringRef::npos ? column + piece.text.size()
                                        : piece.text.size() - lastBreak - 1;
  brackets.truncate(std::min<size_t>(brackets.size(), piece.depth));
  if (piece.role == Role::Open || piece.role == Role::Call)
    brackets.resize(piece.depth + 1, column);
}

void LineWriter::write(size_t begin, size_t end) {
  unsigned rank = UINT_MAX;
  bool mustBreak = breaks[end] != breaks[begin + 1];
  if (mustBreak || !fits(begin, end))
    for (size_t i = begin + 1; i != end; ++i)
      if (pieces[i].rank != afterAssignment ||
          indentation + continuation + getWidth(i, end) <= maxColumns)
        rank = std::min(rank, pieces[i].rank);
  if (rank == UINT_MAX) {
    for (size_t i = begin; i != end; ++i)
      writePiece(i);
    return;
  }
  for (size_t segment = begin, next; segment != end; segment = next) {
    next = segment + 1;
    while (next != end && pieces[next].rank != rank)
      ++next;
    if (segment != begin && (rank == 0 || !fits(segment, next)))
      breakLine(segment);
    write(segment, next);
  }
}

} // namespace

void formatLine(std::string &out, ArrayRef<FormatItem> items,
                unsigned indentation) {
  std::vector<Piece> pieces = Annotator(items).run();
  LineWriter(out, pieces, indentation).write(0, pieces.size());
}

} // namespace ein
