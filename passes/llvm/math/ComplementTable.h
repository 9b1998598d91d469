//===- ComplementTable.h - erfc at multiples of 1/128 -----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_LLVM_MATH_COMPLEMENTTABLE_H
#define EIN_PASSES_LLVM_MATH_COMPLEMENTTABLE_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace ein {

/// Of r = 0, 1/128, ..., 27 5/16: erfc(r) and -erfc'(r), side by side; and by
/// how much of it erfc(r) is more than what is there. From `kFirstScaled` on,
/// where r is 20, all is times 2^kScale, or the last rows would be denormal.
struct ComplementTable {
  static constexpr int64_t kRowsOfOne = 128, kRows = 3497, kFirstScaled = 2560;
  static constexpr int kScale = 128;
  llvm::SmallVector<double, 0> pairs;
  llvm::SmallVector<float, 0> rests;
};

ComplementTable computeComplementTable();

} // namespace ein

#endif // EIN_PASSES_LLVM_MATH_COMPLEMENTTABLE_H
