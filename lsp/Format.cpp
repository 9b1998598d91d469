//===- Format.cpp - The layout of einc fmt, as edits ----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lines that stay are left alone, at the beginning, at the end, and between, so
// that cursors and marks in them stay where they are.
//
//===----------------------------------------------------------------------===//

#include "frontend/format/Format.h"
#include "lsp/Features.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein::lsp {

/// With their line breaks.
static SmallVector<StringRef> splitLines(StringRef text) {
  SmallVector<StringRef> lines;
  while (!text.empty()) {
    size_t end = text.find('\n');
    lines.push_back(text.take_front(end == StringRef::npos ? end : end + 1));
    text = text.drop_front(lines.back().size());
  }
  return lines;
}

static std::string join(ArrayRef<StringRef> lines) {
  std::string text;
  for (StringRef line : lines)
    text += line;
  return text;
}

/// A run of lines that differ becomes an edit. Where both have the same number
/// of lines, each line is one by itself.
static std::vector<TextEdit> diff(StringRef before, StringRef after) {
  SmallVector<StringRef> oldLines = splitLines(before);
  SmallVector<StringRef> newLines = splitLines(after);
  ArrayRef<StringRef> old = oldLines, now = newLines;
  std::vector<TextEdit> edits;
  int first = 0;
  auto replace = [&](int line, size_t numLines, ArrayRef<StringRef> lines) {
    edits.push_back({{{line, 0}, {line + static_cast<int>(numLines), 0}},
                     fix(join(lines))});
  };
  if (old.size() == now.size()) {
    for (auto [line, pair] : llvm::enumerate(llvm::zip_equal(old, now)))
      if (std::get<0>(pair) != std::get<1>(pair))
        replace(static_cast<int>(line), 1, std::get<1>(pair));
    return edits;
  }
  while (!old.empty() && !now.empty() && old.front() == now.front()) {
    old = old.drop_front();
    now = now.drop_front();
    ++first;
  }
  while (!old.empty() && !now.empty() && old.back() == now.back()) {
    old = old.drop_back();
    now = now.drop_back();
  }
  if (!old.empty() || !now.empty())
    replace(first, old.size(), now);
  return edits;
}

Expected<std::vector<TextEdit>> format(const Document &document) {
  const Analysis &analysis = *document.analysis;
  if (analysis.isOpDSL())
    return refuse("the layout of YAML is another's");
  DiagnosticEngine diags;
  FailureOr<std::string> text = formatSource(analysis.getFile(), diags);
  if (failed(text)) {
    const Diagnostic &reason = diags.getDiagnostics().front();
    Position place = getPosition(analysis.getFile(), reason.range.begin);
    return refuse("not formatted: line " + Twine(place.line + 1) + ": " +
                  fix(reason.message));
  }
  return diff(analysis.getFile().getText(), *text);
}

} // namespace ein::lsp
