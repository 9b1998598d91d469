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
// A program may be made of several files, which import each other. All of them
// share one space of offsets: each begins where the one before it ends, so that
// a place says by itself which file it is in.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_SOURCE_SOURCEFILE_H
#define EIN_FRONTEND_SOURCE_SOURCEFILE_H

#include "frontend/source/SourceRange.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
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

  /// `base` is the offset of its first byte.
  SourceFile(std::string name, std::string text, uint32_t base = 0);

  llvm::StringRef getName() const { return name; }
  llvm::StringRef getText() const { return text; }
  llvm::StringRef getText(SourceRange range) const {
    return getText().slice(range.begin - base, range.end - base);
  }
  uint32_t getBase() const { return base; }
  /// One past its last byte, which is a place of its own.
  uint32_t getEnd() const { return base + static_cast<uint32_t>(text.size()); }

  /// Offsets past the end are the end.
  LineColumn getLineColumn(uint32_t offset) const;
  unsigned getNumLines() const { return lineStarts.size(); }
  /// A line by its number, without its line break; empty if there is none.
  llvm::StringRef getLine(unsigned line) const;
  /// Where a line starts.
  uint32_t getLineStart(unsigned line) const {
    return base + lineStarts[line - 1];
  }

private:
  std::string name;
  std::string text;
  uint32_t base;
  std::vector<uint32_t> lineStarts;
};

/// The files of a program: the one that is compiled, and what it brings in.
class Sources {
public:
  Sources(std::string name, std::string text);

  const SourceFile &getMain() const { return *files.front(); }
  /// Null if all offsets are used up.
  const SourceFile *add(std::string name, std::string text);
  const SourceFile &find(uint32_t offset) const;
  /// Null if there is none of that name.
  const SourceFile *find(llvm::StringRef name) const;
  llvm::ArrayRef<std::unique_ptr<SourceFile>> getFiles() const { return files; }

  /// Of the file that is compiled.
  llvm::StringRef getName() const { return getMain().getName(); }
  llvm::StringRef getText() const { return getMain().getText(); }

private:
  std::vector<std::unique_ptr<SourceFile>> files; // in the order of offsets
};

} // namespace ein

#endif // EIN_FRONTEND_SOURCE_SOURCEFILE_H
