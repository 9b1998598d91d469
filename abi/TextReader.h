//===- TextReader.h - Takes text apart from its start -----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_ABI_TEXTREADER_H
#define EIN_ABI_TEXTREADER_H

#include <charconv>
#include <cstddef>
#include <string>
#include <system_error>

namespace ein::runtime {

/// A place in a text, and what stands there. Functions return false, and stay
/// where they are, where it is something else.
class TextReader {
public:
  explicit TextReader(const std::string &text) : text(text) {}

  bool isAtEnd() const { return at == text.size(); }

  bool consume(const char *token) {
    std::string expected = token;
    if (text.compare(at, expected.size(), expected) != 0)
      return false;
    at += expected.size();
    return true;
  }

  template <typename T> bool readNumber(T &number) {
    auto [end, error] =
        std::from_chars(text.data() + at, text.data() + text.size(), number);
    if (error != std::errc())
      return false;
    at = end - text.data();
    return true;
  }

protected:
  const std::string &text;
  size_t at = 0;
};

} // namespace ein::runtime

#endif // EIN_ABI_TEXTREADER_H
