//===- Unroll.h - Steps of k that are taken at a time -----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_TARGET_UNROLL_H
#define EIN_TARGET_UNROLL_H

#include "target/Target.h"

namespace ein {

/// How many steps of the loop over k of a register tile are made one, at least
/// 1; of a loop that is long enough for the largest number to be a part of it.
unsigned getUnroll(const TargetInfo &target);

// What LLVM makes of code without loops. Of more it orders instructions so that
// registers run out, and compiling takes longer than it saves.

/// So many multiply-adds of vectors may be one piece of code, for all steps of
/// k of a register tile, and for all steps of a window.
inline constexpr int64_t kStraightMultiplyAdds = 320, kStraightWindow = 160;
/// A window's sum that is longer has a loop, of which so many steps are made
/// one; of one of unknown length, 3, 5 or 7 as a rule, two are, as one is left.
inline constexpr int64_t kLongestWindow = 16, kWindowSteps = 4,
                         kOpenWindowSteps = 2;
/// Of sums of so many products what is known of A is kept for all columns, if
/// the loop over these is the inner one; of longer ones it is spilled.
inline constexpr int64_t kShallowSum = 64;

} // namespace ein

#endif // EIN_TARGET_UNROLL_H
