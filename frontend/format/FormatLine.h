//===- FormatLine.h - Where a line gets blanks and breaks -------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_FORMAT_FORMATLINE_H
#define EIN_FRONTEND_FORMAT_FORMATLINE_H

#include "frontend/lex/Lexer.h"

namespace ein {

/// A token of a statement or of a def's header, or a comment in between.
struct FormatItem {
  llvm::StringRef text;
  TokenKind kind = TokenKind::Identifier;
  bool isComment = false;
  /// A word, or a docstring, that is part of the language's form here.
  bool isKeyword = false;
  /// Nothing is between it and the token before.
  bool touches = false;
  bool mustStartLine = false;
};

/// Appends them to `out`, which is at the start of a line, on as few lines as
/// fit; without the last line break.
void formatLine(std::string &out, llvm::ArrayRef<FormatItem> items,
                unsigned indentation);

} // namespace ein

#endif // EIN_FRONTEND_FORMAT_FORMATLINE_H
