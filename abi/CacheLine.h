//===- CacheLine.h - How much memory comes at once --------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The unit in which compiled code lays memory out: what it allocates begins on
// a line, and what threads write for themselves is on lines of its own. All
// machines that there is a family for have lines of 64 bytes, and so does the
// generic one. It is a number and not a member of TargetInfo, as passes that
// obey a strategy use it, and they do not look at a machine: where another one
// is right it costs time and nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_ABI_CACHELINE_H
#define EIN_ABI_CACHELINE_H

#include <cstdint>

namespace ein {

inline constexpr int64_t kCacheLineBytes = 64;

/// The least page that any of them has, beyond which a processor does not
/// prefetch by itself.
inline constexpr int64_t kPageBytes = 4096;

/// How many elements of `bits` begin in one line, at least 1.
constexpr int64_t getElementsPerLine(int64_t bits) {
  return bits < 8 * kCacheLineBytes ? 8 * kCacheLineBytes / bits : 1;
}

} // namespace ein

#endif // EIN_ABI_CACHELINE_H
