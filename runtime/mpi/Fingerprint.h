//===- Fingerprint.h - 64 bits that stand for many bytes --------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// FNV-1a on words instead of bytes, with a shift after each product (as in
// Murmur), so that high bits reach low ones. A step is one-to-one in the state
// and in the word: bytes that differ in one word have another fingerprint for
// sure, others but for one of 2^64. It is no protection from an adversary.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_RUNTIME_MPI_FINGERPRINT_H
#define EIN_RUNTIME_MPI_FINGERPRINT_H

#include <cstdint>
#include <cstring>
#include <string>

namespace ein::runtime {

class Fingerprint {
public:
  /// How many bytes there are counts as well.
  void add(const void *memory, int64_t size) {
    addWord(static_cast<uint64_t>(size));
    auto *bytes = static_cast<const char *>(memory);
    for (; size >= 8; size -= 8, bytes += 8) {
      uint64_t word;
      std::memcpy(&word, bytes, 8);
      addWord(word);
    }
    uint64_t last = 0;
    if (size > 0) {
      std::memcpy(&last, bytes, static_cast<size_t>(size));
      addWord(last);
    }
  }
  void add(const std::string &text) {
    add(text.data(), static_cast<int64_t>(text.size()));
  }
  void addWord(uint64_t word) {
    state = (state ^ word) * 0x100000001b3;
    state ^= state >> 32;
  }
  uint64_t get() const { return state; }

private:
  uint64_t state = 0xcbf29ce484222325;
};

} // namespace ein::runtime

#endif // EIN_RUNTIME_MPI_FINGERPRINT_H
