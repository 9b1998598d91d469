//===- Positions.cpp - Bytes of a file as lines and UTF-16 ----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lsp/Positions.h"
#include "frontend/source/Unicode.h"

using namespace llvm;

namespace ein::lsp {

static unsigned countUnits(const Character &character) {
  return character.codePoint > 0xFFFF ? 2 : 1;
}

/// How many bytes of `line` are before its unit number `units`.
static size_t getBytes(StringRef line, unsigned units) {
  StringRef rest = line;
  for (unsigned seen = 0; !rest.empty();) {
    Character character = decodeCharacter(rest);
    seen += countUnits(character);
    if (seen > units)
      break;
    rest = rest.drop_front(character.length);
  }
  return line.size() - rest.size();
}

Position getPosition(const SourceFile &file, uint32_t offset) {
  auto [line, column] = file.getLineColumn(offset);
  StringRef before = file.getText(
      {file.getLineStart(line), file.getLineStart(line) + column - 1});
  unsigned units = 0;
  while (!before.empty()) {
    Character character = decodeCharacter(before);
    units += countUnits(character);
    before = before.drop_front(character.length);
  }
  return {static_cast<int>(line) - 1, static_cast<int>(units)};
}

Range getRange(const SourceFile &file, SourceRange range) {
  return {getPosition(file, range.begin), getPosition(file, range.end)};
}

uint32_t getOffset(const SourceFile &file, Position position) {
  if (position.line < 0)
    return file.getBase();
  unsigned line = static_cast<unsigned>(position.line) + 1;
  if (line > file.getNumLines())
    return file.getEnd();
  unsigned units = std::max(position.character, 0);
  return file.getLineStart(line) + getBytes(file.getLine(line), units);
}

size_t getOffset(StringRef text, Position position) {
  size_t start = 0;
  for (int line = 0; line < position.line; ++line) {
    size_t end = text.find('\n', start);
    if (end == StringRef::npos)
      return text.size();
    start = end + 1;
  }
  StringRef line = text.substr(start);
  line = line.take_front(line.find('\n'));
  line.consume_back("\r");
  return start + getBytes(line, std::max(position.character, 0));
}

} // namespace ein::lsp
