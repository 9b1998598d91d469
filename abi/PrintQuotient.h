//===- PrintQuotient.h - How quotients of sizes are written -----*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The program, the printed source and the signature that a compiled program
// carries all write half of a size, and read it again. The runtime links to
// nothing of the compiler, so that what they share is here.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_ABI_PRINTQUOTIENT_H
#define EIN_ABI_PRINTQUOTIENT_H

#include <cstdint>
#include <string>

namespace ein {

/// `(M + 1) / 2`, or `M / 2` if what is divided is a name alone.
inline std::string printQuotient(const std::string &dividend, bool isName,
                                 int64_t divisor) {
  return (isName ? dividend : "(" + dividend + ")") + " / " +
         std::to_string(divisor);
}

} // namespace ein

#endif // EIN_ABI_PRINTQUOTIENT_H
