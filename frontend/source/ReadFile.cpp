//===- ReadFile.cpp - A source's bytes, up to a bound ---------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/source/ReadFile.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace ein {

ErrorOr<std::string> readSourceFile(StringRef name) {
  bool isInput = name == "-";
  Expected<sys::fs::file_t> file =
      isInput ? Expected<sys::fs::file_t>(sys::fs::getStdinHandle())
              : sys::fs::openNativeFileForRead(name);
  if (!file)
    return errorToErrorCode(file.takeError());
  scope_exit close([&] {
    if (!isInput)
      sys::fs::closeFile(*file);
  });
  constexpr size_t kChunkBytes = 1u << 16;
  std::string text;
  while (true) {
    size_t known = text.size();
    text.resize(known + kChunkBytes);
    Expected<size_t> bytes = sys::fs::readNativeFile(
        *file, MutableArrayRef(text.data() + known, kChunkBytes));
    if (!bytes)
      return errorToErrorCode(bytes.takeError());
    text.resize(known + *bytes);
    if (*bytes == 0)
      return text;
    if (text.size() > kMaxSourceBytes)
      return std::make_error_code(std::errc::file_too_large);
  }
}

} // namespace ein
