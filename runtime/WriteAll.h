//===- WriteAll.h - All of some bytes to a file -----------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_RUNTIME_WRITEALL_H
#define EIN_RUNTIME_WRITEALL_H

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <unistd.h>

namespace ein::runtime {

/// Writes `size` bytes; false, with `errno`, on an error.
inline bool writeAll(int descriptor, const void *memory, int64_t size) {
  auto *bytes = static_cast<const char *>(memory);
  while (size > 0) {
    // Linux transfers at most 2 GiB at a time anyway.
    size_t step = std::min<int64_t>(size, 1 << 30);
    ssize_t count = ::write(descriptor, bytes, step);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return false;
    bytes += count;
    size -= count;
  }
  return true;
}

} // namespace ein::runtime

#endif // EIN_RUNTIME_WRITEALL_H
