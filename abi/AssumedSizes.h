//===- AssumedSizes.h - What unknown sizes count as -------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nobody knows a dynamic size before the code runs, and what is decided before
// depends on it. All that decides asks here, so that two decisions never rest
// on two guesses.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_ABI_ASSUMEDSIZES_H
#define EIN_ABI_ASSUMEDSIZES_H

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace ein {

/// Large, and no power of two: what is lost where there is much is most.
inline constexpr int64_t kAssumedSize = 1000;

/// A tensor of many dims is no larger than a matrix is: what each dim counts as
/// if so many of a tensor's are dynamic, and a matrix's count as `size`.
inline double countExtent(double size, size_t numDynamic) {
  return numDynamic <= 2 ? size
                         : std::pow(size, 2 / static_cast<double>(numDynamic));
}

/// And smaller ones, down to where an op is mostly ends of loops. A schedule
/// has alternatives where another one is cheaper at them.
inline constexpr int64_t kSmallerSizes[] = {125, 15};

/// A smaller size stands for those round it, down to and up to so many times:
/// tiles that fit it by chance are for no other.
inline constexpr double kSpreads[] = {1, 0.65, 1.5};

} // namespace ein

#endif // EIN_ABI_ASSUMEDSIZES_H
