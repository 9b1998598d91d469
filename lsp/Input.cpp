//===- Input.cpp - What an editor sends -----------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lsp/Input.h"

using namespace llvm;

namespace ein::lsp {

/// A header, which has an end: what is too long for one is cut.
bool Input::readLine(std::string &line) {
  constexpr size_t kLongest = 1 << 16;
  line.clear();
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) {
    if (c == '\n')
      return true;
    if (line.size() < kLongest)
      line += static_cast<char>(c);
  }
  return false;
}

LogicalResult Input::readStandardMessage(std::string &json) {
  constexpr uint64_t kLongest = uint64_t(1) << 30;
  uint64_t length = 0;
  std::string line;
  while (true) {
    if (!readLine(line))
      return failure();
    StringRef header = StringRef(line).trim();
    if (header.empty())
      break;
    auto [name, value] = header.split(':');
    if (name.trim().equals_insensitive("content-length") &&
        value.trim().getAsInteger(10, length))
      length = 0;
  }
  if (length == 0 || length > kLongest)
    return failure();
  // As it comes: a length may be a mistake, and no reason to take the memory.
  constexpr size_t kPart = 1 << 20;
  json.clear();
  while (json.size() < length) {
    size_t begin = json.size();
    size_t part = std::min<uint64_t>(kPart, length - begin);
    json.resize(begin + part);
    if (std::fread(json.data() + begin, 1, part, file) != part)
      return failure();
  }
  return success();
}

} // namespace ein::lsp
