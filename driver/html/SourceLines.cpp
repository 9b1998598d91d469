//===- SourceLines.cpp - Lines of several files in one count --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/html/SourceLines.h"
#include "driver/html/Page.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace ein {

unsigned getPageLine(const Sources &sources, uint32_t offset) {
  const SourceFile &wanted = sources.find(offset);
  unsigned before = 0;
  for (const auto &file : sources.getFiles()) {
    if (file.get() == &wanted)
      return before + file->getLineColumn(offset).line;
    before += file->getNumLines();
  }
  return 0;
}

unsigned getPageLine(const Sources &sources, StringRef name, unsigned line) {
  // A whole name counts for more than the last part of one.
  for (bool isWhole : {true, false}) {
    unsigned before = 0;
    for (const auto &file : sources.getFiles()) {
      bool isWanted = isWhole ? file->getName() == name
                              : sys::path::filename(file->getName()) ==
                                    sys::path::filename(name);
      if (isWanted)
        return line != 0 && line <= file->getNumLines() ? before + line : 0;
      before += file->getNumLines();
    }
  }
  return 0;
}

unsigned getPageColumn(const Sources &sources, uint32_t offset) {
  const SourceFile &file = sources.find(offset);
  SourceFile::LineColumn place = file.getLineColumn(offset);
  unsigned column = 0;
  for (unsigned char c : file.getLine(place.line).take_front(place.column - 1))
    if ((c & 0xC0) != 0x80) // the first byte of a character
      column += c >= 0xF0 ? 2 : 1;
  return column;
}

void printSources(json::OStream &json, const Sources &sources) {
  json.array([&] {
    unsigned first = 1;
    for (const auto &file : sources.getFiles()) {
      unsigned size = file->getNumLines();
      json.object([&] {
        json.attribute("name", json::fixUTF8(file->getName()));
        json.attribute("first", first);
        unsigned shown = std::min(size, kMostPageLines);
        json.attributeArray("lines", [&] {
          for (unsigned line = 1; line <= shown; ++line)
            json.value(json::fixUTF8(file->getLine(line).rtrim("\r\n")));
        });
        if (shown < size)
          json.attribute("omitted", size - shown);
      });
      first += size;
    }
  });
}

} // namespace ein
