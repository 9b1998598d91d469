//===- LargeAngles.h - What multiples of pi leave of any f64 ----*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_LLVM_MATH_LARGEANGLES_H
#define EIN_PASSES_LLVM_MATH_LARGEANGLES_H

#include "passes/llvm/math/WideParts.h"

namespace ein {

/// What an angle is reduced by.
enum class AnglePeriod {
  /// x = n pi + r, of which n's last bit is right.
  Half,
  /// |x| = (n - 1/2) pi + r, likewise.
  HalfFromMiddle,
  /// x = n pi / 2 + r, of which n's last two bits are right.
  Quarter
};

struct LargeAngle {
  FormulaPair r;
  FormulaValue n;
};

/// Of numbers of f64 from 2^17 on, r with a relative error of 2^-70, in the
/// worst case; of infinity and NaN, NaN; of smaller ones, something. Number by
/// number, for branches that are hardly ever taken.
LargeAngle reduceLargeAngle(const VectorInstructions &instructions,
                            FormulaValue x, AnglePeriod period);

/// The name of the table that it looks up, and its numbers.
inline constexpr char kTwoByPiName[] = "__ein_table_two_by_pi";
llvm::ArrayRef<int64_t> getTwoByPi();

} // namespace ein

#endif // EIN_PASSES_LLVM_MATH_LARGEANGLES_H
