//===- StackBytes.h - What compiled code takes of a stack -------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A limit of what there is, and no matter of speed: who calls compiled code, or
// a thread of OpenMP's, has a stack of some MiB, of which others have parts.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_ABI_STACKBYTES_H
#define EIN_ABI_STACKBYTES_H

#include <cstdint>

namespace ein {

/// What one buffer, or the buffers of one loop that threads share, are to take.
inline constexpr int64_t kStackBytes = 256 * 1024;

/// What all buffers of a thread may take: no more than a few loops have.
inline constexpr int64_t kMostStackBytes = 4 * kStackBytes;

} // namespace ein

#endif // EIN_ABI_STACKBYTES_H
