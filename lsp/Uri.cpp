//===- Uri.cpp - Paths as the protocol writes them ------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lsp/Uri.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace ein::lsp {

std::optional<std::string> getPath(StringRef uri) {
  if (!uri.consume_front("file://"))
    return std::nullopt;
  // The name of a host, `localhost`, says nothing.
  uri = uri.drop_until([](char c) { return c == '/'; });
  if (uri.empty())
    return std::nullopt;
  std::string path;
  while (!uri.empty()) {
    uint8_t byte;
    if (uri[0] == '%' && uri.size() >= 3 &&
        tryGetHexFromNibbles(uri[1], uri[2], byte)) {
      path += static_cast<char>(byte);
      uri = uri.drop_front(3);
      continue;
    }
    path += uri[0];
    uri = uri.drop_front();
  }
  // No file has one, and system calls would read up to it.
  if (path.find('\0') != std::string::npos)
    return std::nullopt;
  return path;
}

std::string makeUri(StringRef path) {
  std::string uri = "file://";
  for (char c : path) {
    bool isPlain = isAlnum(c) || StringRef("/-_.~").contains(c);
    uri += isPlain ? std::string(1, c)
                   : "%" + toHex(StringRef(&c, 1), /*LowerCase=*/false);
  }
  return uri;
}

std::string getRealPath(StringRef path) {
  SmallString<128> real;
  if (!sys::fs::real_path(path, real))
    return real.str().str();
  // A file that has not been written yet, in a directory that may be there.
  SmallString<128> parent;
  if (!sys::fs::real_path(sys::path::parent_path(path), parent)) {
    sys::path::append(parent, sys::path::filename(path));
    return parent.str().str();
  }
  real = path;
  sys::path::remove_dots(real, /*remove_dot_dot=*/true);
  return real.str().str();
}

} // namespace ein::lsp
