//===- Codes.h - What a compiled function returns ---------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_ABI_CODES_H
#define EIN_ABI_CODES_H

#include <cstdint>

namespace ein::runtime {

enum class Code : int32_t {
#define EIN_CODE(ENUM, CNAME, VALUE, TEXT) ENUM = VALUE,
#include "abi/Codes.def"
};

/// The text in Codes.def, or null for a number that is not listed there.
inline const char *getText(int32_t code) {
  switch (code) {
#define EIN_CODE(ENUM, CNAME, VALUE, TEXT)                                     \
  case VALUE:                                                                  \
    return TEXT;
#include "abi/Codes.def"
  }
  return nullptr;
}

} // namespace ein::runtime

#endif // EIN_ABI_CODES_H
