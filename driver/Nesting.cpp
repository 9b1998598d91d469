//===- Nesting.cpp - How deep the text of a module nests ------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Nesting.h"

using namespace llvm;

namespace ein {

std::optional<size_t> findTooDeep(StringRef text) {
  unsigned depth = 0, signs = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    // `- - 1` nests as `-(-1)` does.
    if (c == '-')
      ++signs;
    else if (c != ' ')
      signs = 0;
    switch (c) {
    case '"':
      for (++i; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i)
        i += text[i] == '\\';
      break;
    case '/':
      if (text.substr(i).starts_with("//"))
        i = std::min(text.find('\n', i), text.size());
      break;
    case '(':
    case '[':
    case '{':
    case '<':
      ++depth;
      break;
    case '>':
      // Of `->` and `>=`, which close nothing.
      if (text.substr(i).starts_with(">=") || (i > 0 && text[i - 1] == '-'))
        break;
      [[fallthrough]];
    case ')':
    case ']':
    case '}':
      depth -= depth > 0;
      break;
    default:
      break;
    }
    if (depth > kMaxModuleNesting || signs > kMaxModuleNesting)
      return i;
  }
  return std::nullopt;
}

} // namespace ein
