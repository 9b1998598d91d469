//===- FunctionErrors.h - Functions of f32 beside libm's --------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions that `ein-expand-math` computes, what they are in f64, and how
// far a number is from that.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_TESTS_E2E_FUNCTIONERRORS_H
#define EIN_TESTS_E2E_FUNCTIONERRORS_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace ein::test {

struct Function {
  const char *name;
  double (*value)(double);
};

inline double rsqrt(double x) { return 1 / std::sqrt(x); }

inline const Function functions[] = {
    {"exp", std::exp},     {"exp2", std::exp2}, {"expm1", std::expm1},
    {"log", std::log},     {"log2", std::log2}, {"log10", std::log10},
    {"log1p", std::log1p}, {"tanh", std::tanh}, {"erf", std::erf},
    {"erfc", std::erfc},   {"sin", std::sin},   {"cos", std::cos},
    {"tan", std::tan},     {"asin", std::asin}, {"acos", std::acos},
    {"atan", std::atan},   {"sinh", std::sinh}, {"cosh", std::cosh},
    {"cbrt", std::cbrt},   {"sqrt", std::sqrt}, {"rsqrt", rsqrt},
};

inline float fromBits(uint32_t bits) {
  float number;
  std::memcpy(&number, &bits, sizeof number);
  return number;
}

/// How far `got` is from `wanted`, in units in the last place of that; infinite
/// if it is another zero, or NaN where the other one is none.
inline double getError(float got, double wanted) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  auto rounded = static_cast<float>(wanted);
  if (std::isnan(got) || std::isnan(wanted))
    return std::isnan(got) && std::isnan(wanted) ? 0 : infinity;
  if (got == 0 && rounded == 0)
    return std::signbit(got) == std::signbit(wanted) ? 0 : infinity;
  if (std::isinf(got) || std::isinf(rounded)) {
    if (got == rounded)
      return 0;
    // Where the range ends, the next number is infinite.
    auto clamp = [](double x) {
      return std::isinf(x) ? std::copysign(0x1p128, x) : x;
    };
    return std::abs(clamp(got) - clamp(wanted)) / 0x1p104;
  }
  int exponent = 0;
  std::frexp(wanted, &exponent);
  double unit = std::ldexp(1, std::max(exponent - 24, -149));
  return std::abs(got - wanted) / unit;
}

} // namespace ein::test

#endif // EIN_TESTS_E2E_FUNCTIONERRORS_H
