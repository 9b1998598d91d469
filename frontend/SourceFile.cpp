//===- SourceFile.cpp - A program's text and positions in it --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/SourceFile.h"
#include <algorithm>

using namespace llvm;

namespace ein {

SourceFile::SourceFile(std::string name, std::string text)
    : name(std::move(name)), text(std::move(text)), lineStarts({0}) {
  for (size_t i = 0, e = this->text.size(); i != e; ++i)
    if (this->text[i] == '\n')
      lineStarts.push_back(static_cast<uint32_t>(i + 1));
}

SourceFile::LineColumn SourceFile::getLineColumn(uint32_t offset) const {
  offset = std::min<size_t>(offset, text.size());
  auto next = std::upper_bound(lineStarts.begin(), lineStarts.end(), offset);
  unsigned line = next - lineStarts.begin();
  return {line, offset - getLineStart(line) + 1};
}

StringRef SourceFile::getLine(unsigned line) const {
  if (line == 0 || line > lineStarts.size())
    return {};
  StringRef rest = getText().substr(getLineStart(line));
  StringRef content = rest.substr(0, rest.find('\n'));
  content.consume_back("\r");
  return content;
}

} // namespace ein
