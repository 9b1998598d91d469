//===- SourceFile.cpp - A program's text and positions in it --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/source/SourceFile.h"
#include <algorithm>

using namespace llvm;

namespace ein {

SourceFile::SourceFile(std::string name, std::string text, uint32_t base)
    : name(std::move(name)), text(std::move(text)), base(base),
      lineStarts({0}) {
  for (size_t i = 0, e = this->text.size(); i != e; ++i)
    if (this->text[i] == '\n')
      lineStarts.push_back(static_cast<uint32_t>(i + 1));
}

SourceFile::LineColumn SourceFile::getLineColumn(uint32_t offset) const {
  offset = std::min<size_t>(offset < base ? 0 : offset - base, text.size());
  auto next = llvm::upper_bound(lineStarts, offset);
  unsigned line = next - lineStarts.begin();
  return {line, offset - lineStarts[line - 1] + 1};
}

StringRef SourceFile::getLine(unsigned line) const {
  if (line == 0 || line > lineStarts.size())
    return {};
  StringRef rest = getText().substr(lineStarts[line - 1]);
  StringRef content = rest.substr(0, rest.find('\n'));
  content.consume_back("\r");
  return content;
}

Sources::Sources(std::string name, std::string text) {
  files.push_back(
      std::make_unique<SourceFile>(std::move(name), std::move(text)));
}

const SourceFile *Sources::add(std::string name, std::string text) {
  // The end of a file is a place too.
  uint64_t base = uint64_t{files.back()->getEnd()} + 1;
  if (base + text.size() >= UINT32_MAX)
    return nullptr;
  files.push_back(std::make_unique<SourceFile>(std::move(name), std::move(text),
                                               static_cast<uint32_t>(base)));
  return files.back().get();
}

const SourceFile &Sources::find(uint32_t offset) const {
  auto next = llvm::upper_bound(
      files, offset,
      [](uint32_t offset, const std::unique_ptr<SourceFile> &file) {
        return offset < file->getBase();
      });
  return **std::prev(next);
}

const SourceFile *Sources::find(StringRef name) const {
  for (const std::unique_ptr<SourceFile> &file : files)
    if (file->getName() == name)
      return file.get();
  return nullptr;
}

} // namespace ein
