//===- Lexer.h - Text to tokens ---------------------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lexer never fails: what it cannot read becomes an Error token, which it
// has reported and which the parser passes over in silence.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_LEX_LEXER_H
#define EIN_FRONTEND_LEX_LEXER_H

#include "frontend/source/Diagnostics.h"
#include "frontend/source/SourceFile.h"

namespace ein {

enum class TokenKind : uint8_t {
#define EIN_TOKEN(ENUM, NAME) ENUM,
#include "frontend/lex/TokenKinds.def"
};

/// "`+=!`" or "identifier": how a message names a kind.
llvm::StringRef getDescription(TokenKind kind);
/// `+=!`; empty of a kind that has many.
llvm::StringRef getSpelling(TokenKind kind);
/// `AddInit`.
llvm::StringRef getName(TokenKind kind);

/// `=` and the updates, those too that are no part of the language.
constexpr bool isAssignment(TokenKind kind) {
  return kind >= TokenKind::Assign && kind <= TokenKind::TcEquation;
}

struct Token {
  TokenKind kind;
  /// No other token precedes it on its line.
  bool startsLine;
  SourceRange range;
};

/// The tokens of a file; the last one, and only that, is EndOfFile. The file
/// must outlive it.
struct TokenBuffer {
  const SourceFile *file;
  std::vector<Token> tokens;
  /// Where comments are; nothing but blanks and line breaks is between tokens
  /// and comments.
  std::vector<SourceRange> comments = {};

  llvm::StringRef getText(const Token &token) const {
    return file->getText(token.range);
  }
};

TokenBuffer lex(const SourceFile &file, DiagnosticEngine &diags);

} // namespace ein

#endif // EIN_FRONTEND_LEX_LEXER_H
