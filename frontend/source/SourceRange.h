//===- SourceRange.h - A place in the source ---------------------*- C++
//-*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_SOURCE_SOURCERANGE_H
#define EIN_FRONTEND_SOURCE_SOURCERANGE_H

#include <cstdint>

namespace ein {

/// A half-open range of bytes in the source file; {0, 0} is nowhere.
struct SourceRange {
  uint32_t begin = 0;
  uint32_t end = 0;
};

} // namespace ein

#endif // EIN_FRONTEND_SOURCE_SOURCERANGE_H
