//===- SourceFile.h - A program's text and positions in it ------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything after the lexer speaks of places as byte offsets (SourceRange);
// this is where an offset becomes a line and a column. Any bytes are a source
// file: invalid UTF-8, NULs, CRLF and a missing last newline are all taken as
// they come, and what cannot be part of a program is the lexer's to refuse.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_SOURCEFILE_H
#define EIN_FRONTEND_SOURCEFILE_H

#include "frontend/Program.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace ein {

class SourceFile {
public:
  /// Both count from one; a column is a byte, as clang counts them.
  struct LineColumn {
    unsigned line;
    unsigned column;
  };

  SourceFile(std::string name, std::string text);

  llvm::StringRef getName() const { return name; }
  llvm::StringRef getText() const { return text; }
  llvm::StringRef getText(SourceRange range) const {
    return getText().slice(range.begin, range.end);
  }

  /// Offsets past the end are the end.
  LineColumn getLineColumn(uint32_t offset) const;
  unsigned getNumLines() const { return lineStarts.size(); }
  /// A line by its number, without its line break; empty if there is none.
  llvm::StringRef getLine(unsigned line) const;
  /// Where a line starts.
  uint32_t getLineStart(unsigned line) const { return lineStarts[line - 1]; }

private:
  std::string name;
  std::string text;
  std::vector<uint32_t> lineStarts;
};

} // namespace ein

#endif // EIN_FRONTEND_SOURCEFILE_H
