//===- NumberNests.h - Nests that are told apart quickly --------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_NUMBERNESTS_H
#define EIN_PASSES_NUMBERNESTS_H

#include "llvm/ADT/StringRef.h"

namespace ein {

/// On a loop of a long program: its number, which no other one has.
inline constexpr llvm::StringLiteral kNestAttr = "ein.nest";

} // namespace ein

#endif // EIN_PASSES_NUMBERNESTS_H
