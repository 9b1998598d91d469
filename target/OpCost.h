//===- OpCost.h - What single ops take --------------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In instructions of vectors, of ops that are more than one. They are about
// the same on all machines: formulas are polynomials of the same degree, and a
// division holds a port about as long as a short one.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_TARGET_OPCOST_H
#define EIN_TARGET_OPCOST_H

namespace ein {

struct OpCost {
  /// A function, most of whose instructions wait for others.
  static constexpr double kFormula = 16;
  static constexpr double kQuotient = 8;
  /// A product of two complex numbers.
  static constexpr double kComplexProduct = 4;
};

} // namespace ein

#endif // EIN_TARGET_OPCOST_H
