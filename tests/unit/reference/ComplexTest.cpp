//===- ComplexTest.cpp - Complex arithmetic with error bounds -------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "reference/Complex.h"
#include "DefBuilder.h"
#include "reference/Compare.h"
#include "reference/Evaluate.h"
#include <gtest/gtest.h>
#include <random>

namespace ein::reference {
namespace {

using Number = std::complex<double>;

/// Upstream's way, in f32: by the larger part of the divisor.
std::complex<float> smith(float a, float b, float c, float d) {
  if (std::abs(c) < std::abs(d)) {
    std::complex<float> q = smith(b, -a, d, -c);
    return q;
  }
  float r = d / c, den = c + d * r;
  return {(a + b * r) / den, (b - a * r) / den};
}

class Complex : public testing::Test {
protected:
  std::mt19937 random{5};
  const Rounding &f32 = Rounding::get(ElementType::C64);

  float draw() {
    float mantissa = std::uniform_real_distribution<float>(-1, 1)(random);
    return std::ldexp(mantissa, static_cast<int>(random() % 60) - 30);
  }
  /// A number near `x`, and the bound that says so.
  static Pair near(float x, double relative) {
    return {x * (1 + relative / 2), std::abs(x) * relative};
  }
};

TEST_F(Complex, QuotientsAreWithinTheirBounds) {
  double worst = 0;
  for (int i = 0; i < 100000; ++i) {
    float a = draw(), b = draw(), c = draw(), d = draw();
    std::complex<float> got = smith(a, b, c, d);
    for (double relative : {0.0, 1e-6}) {
      Pair x = near(a, relative), y = near(b, relative), z = near(c, relative),
           w = near(d, relative);
      Pair real = divide(f32, x, y, z, w, Part::Real);
      Pair imaginary = divide(f32, x, y, z, w, Part::Imaginary);
      ASSERT_LE(std::abs(got.real() - real.value), real.bound);
      ASSERT_LE(std::abs(got.imag() - imaginary.value), imaginary.bound);
      if (relative == 0)
        worst = std::max(worst, std::abs(got.real() - real.value) / real.bound);
      // Tight enough to be worth something.
      ASSERT_LE(real.bound, (20 * 0x1p-24 + 10 * relative) *
                                    std::abs(Number(a, b) / Number(c, d)) +
                                1e-30);
    }
  }
  EXPECT_GT(worst, 0.1);
}

TEST_F(Complex, QuotientsThatMayBeAnythingAreOpen) {
  auto bound = [&](Pair a, Pair c) {
    return divide(f32, a, {0, 0}, c, {0, 0}, Part::Real).bound;
  };
  EXPECT_EQ(bound({1, 0}, {0, 0}), infinity);
  EXPECT_EQ(bound({1, 0}, {1e-3, 1e-2}), infinity);
  EXPECT_EQ(bound({infinity, 0}, {1, 0}), infinity);
  EXPECT_EQ(bound({1, infinity}, {1, 0}), infinity);
  EXPECT_EQ(bound({1, 0}, {NAN, 0}), infinity);
  EXPECT_EQ(bound({1e30, 0}, {1e-30, 0}), infinity);
  EXPECT_LT(bound({1, 0}, {3, 0}), 1e-6);
}

TEST_F(Complex, MagnitudesAreWithinTheirBounds) {
  for (int i = 0; i < 100000; ++i) {
    float a = draw(), b = draw();
    float most = std::max(std::abs(a), std::abs(b));
    float least = std::min(std::abs(a), std::abs(b));
    float ratio = least / most;
    float got = most * std::sqrt(1 + ratio * ratio);
    for (double relative : {0.0, 1e-6}) {
      Pair value = getMagnitude(f32, near(a, relative), near(b, relative));
      ASSERT_LE(std::abs(got - value.value), value.bound);
      ASSERT_LE(value.bound, (10 * 0x1p-24 + 3 * relative) * got + 1e-30);
    }
  }
  EXPECT_EQ(getMagnitude(f32, {0, 0}, {0, 0}).bound, 0);
  EXPECT_EQ(getMagnitude(f32, {-infinity, 0}, {1, 0}).value, infinity);
  EXPECT_EQ(getMagnitude(f32, {-infinity, 0}, {1, 0}).bound, 0);
  EXPECT_EQ(getMagnitude(f32, {infinity, 0}, {NAN, 0}).bound, infinity);
  EXPECT_TRUE(std::isnan(getMagnitude(f32, {1, 0}, {NAN, 0}).value));
}

TEST_F(Complex, ComparesPartByPart) {
  Value expected;
  expected.shape = {2};
  expected.allocate(2, ElementType::C64);
  expected.set(0, Part::Real, {1, 0.5});
  expected.set(1, Part::Imaginary, {2, 0.25});
  float actual[] = {1.5f, 0, 0, 2};
  EXPECT_TRUE(compare(expected, ElementType::C64, actual).ok);
  actual[3] = 3;
  Comparison comparison = compare(expected, ElementType::C64, actual);
  EXPECT_FALSE(comparison.ok);
  EXPECT_EQ(comparison.numFailures, 1);
  EXPECT_EQ(describe("C", {2}, comparison),
            "C(1), imaginary part: expected 2, got 3, error 1 above the bound "
            "0.25");
}

} // namespace
} // namespace ein::reference
