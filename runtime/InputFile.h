//===- InputFile.h - A file that is read from -----------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_RUNTIME_INPUTFILE_H
#define EIN_RUNTIME_INPUTFILE_H

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <string>
#include <unistd.h>

namespace ein::runtime {

/// An open file; closes itself.
struct InputFile {
  int descriptor = -1;
  ~InputFile() {
    if (descriptor > STDERR_FILENO)
      close(descriptor);
  }

  /// As many bytes as there are, up to `size`; -1 on an error.
  int64_t read(void *memory, int64_t size) {
    int64_t done = 0;
    while (done < size) {
      // Linux transfers at most 2 GiB at a time anyway.
      size_t step = std::min<int64_t>(size - done, 1 << 30);
      ssize_t count =
          ::read(descriptor, static_cast<char *>(memory) + done, step);
      if (count < 0 && errno == EINTR)
        continue;
      if (count < 0)
        return -1;
      if (count == 0)
        break;
      done += count;
    }
    return done;
  }

  /// Exactly `size` bytes from `offset` on.
  bool readAt(int64_t offset, void *memory, int64_t size) {
    return lseek(descriptor, offset, SEEK_SET) == offset &&
           read(memory, size) == size;
  }
};

/// Opens what can be read from; `size` is -1 if that is not known beforehand.
bool openInput(const std::string &path, InputFile &file, int64_t &size,
               std::string &error);

} // namespace ein::runtime

#endif // EIN_RUNTIME_INPUTFILE_H
