//===- Marks.h - What passes leave for later ones ---------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SCHEDULE_MARKS_H
#define EIN_PASSES_SCHEDULE_MARKS_H

#include "llvm/ADT/StringRef.h"

namespace ein {

/// On a loop of a long program: its number, which no other one has.
inline constexpr llvm::StringLiteral kNestAttr = "ein.nest";

/// On a loop over the vectors of a row: fetch the next row meanwhile.
inline constexpr llvm::StringLiteral kNextRowAttr = "ein.next_row";

/// On a loop over the rows of a register tile: it computes a function of each,
/// and is to become a function of its own.
inline constexpr llvm::StringLiteral kEpilogueAttr = "ein.epilogue";

} // namespace ein

#endif // EIN_PASSES_SCHEDULE_MARKS_H
