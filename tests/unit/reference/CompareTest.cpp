//===- CompareTest.cpp - Judging what compiled code returned --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "reference/Compare.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace ein;
using namespace ein::reference;

namespace {

Value makePair(double value, double bound) {
  Value result;
  result.values = Eigen::ArrayXd::Constant(1, value);
  result.bounds = Eigen::ArrayXd::Constant(1, bound);
  return result;
}

bool accepts(double value, double bound, float actual) {
  return compare(makePair(value, bound), ElementType::F32, &actual).ok;
}

TEST(Compare, Rules) {
  EXPECT_TRUE(accepts(1, 0, 1));
  EXPECT_TRUE(accepts(1, 0.25, 1.25));
  EXPECT_FALSE(accepts(1, 0.25, 1.26f));
  EXPECT_FALSE(accepts(1, 0, 1 + 0x1p-23f));
  EXPECT_TRUE(accepts(0, 0, -0.f));
  // NaN and infinity.
  EXPECT_TRUE(accepts(NAN, 0, NAN));
  EXPECT_FALSE(accepts(NAN, 0, 1));
  EXPECT_FALSE(accepts(NAN, 0, INFINITY));
  EXPECT_TRUE(accepts(INFINITY, 0, INFINITY));
  EXPECT_FALSE(accepts(INFINITY, 0, -INFINITY));
  EXPECT_FALSE(accepts(INFINITY, 0, NAN));
  EXPECT_FALSE(accepts(INFINITY, 0, 3e38f));
  EXPECT_FALSE(accepts(1, 0.5, NAN));
  EXPECT_FALSE(accepts(1, 0.5, INFINITY));
  EXPECT_FALSE(accepts(1, 1e30, -INFINITY));
  // Beyond the range.
  EXPECT_TRUE(accepts(3.4e38, 1e37, INFINITY));
  EXPECT_FALSE(accepts(3.4e38, 1e37, -INFINITY));
  EXPECT_TRUE(accepts(-3.4e38, 1e37, -INFINITY));
  EXPECT_TRUE(accepts(3.4e38, 1e37, 3.4e38f));
  EXPECT_FALSE(accepts(3.4e38, 1e37, 3.2e38f));
  // Anything.
  EXPECT_TRUE(accepts(1, INFINITY, NAN));
  EXPECT_TRUE(accepts(NAN, INFINITY, 3));
}

TEST(Compare, F64IsNotRounded) {
  double actual = 1 + 0x1p-52;
  EXPECT_FALSE(compare(makePair(1, 0), ElementType::F64, &actual).ok);
  EXPECT_TRUE(compare(makePair(1, 0x1p-52), ElementType::F64, &actual).ok);
}

TEST(Compare, ReportsTheWorst) {
  Value expected;
  expected.shape = {2, 20};
  expected.values = Eigen::ArrayXd::Constant(40, 1.5);
  expected.bounds = Eigen::ArrayXd::Constant(40, 1e-6);
  std::vector<float> actual(40, 1.5f);
  actual[3] = 1.5f + 1e-6f; // inside
  Comparison comparison = compare(expected, ElementType::F32, actual.data());
  EXPECT_TRUE(comparison.ok);
  EXPECT_EQ(comparison.worstIndex, 3);
  EXPECT_EQ(comparison.numFailures, 0);
  EXPECT_LE(comparison.worstRatio, 1);
  actual[5] = 1.75f;
  actual[37] = 2.5f;
  comparison = compare(expected, ElementType::F32, actual.data());
  EXPECT_FALSE(comparison.ok);
  EXPECT_EQ(comparison.worstIndex, 37);
  EXPECT_EQ(comparison.numFailures, 2);
  EXPECT_NEAR(comparison.worstRatio, 1e6, 1);
  EXPECT_EQ(describe("C", expected.shape, comparison),
            "C(1, 17): expected 1.5, got 2.5, error 1 above the bound 1e-06");
  actual[5] = NAN;
  comparison = compare(expected, ElementType::F32, actual.data());
  EXPECT_EQ(comparison.worstIndex, 5);
  EXPECT_EQ(describe("C", expected.shape, comparison),
            "C(0, 5): expected 1.5, got nan, error inf above the bound 1e-06");
}

TEST(Compare, CountsWhatIsNotKnown) {
  Value expected;
  expected.shape = {3};
  expected.values = Eigen::ArrayXd::Constant(3, 1);
  expected.bounds = Eigen::ArrayXd::Zero(3);
  std::vector<float> actual = {1, 1, 1};
  EXPECT_EQ(compare(expected, ElementType::F32, actual.data()).numUnknown, 0);
  expected.bounds[1] = HUGE_VAL;
  actual[1] = NAN;
  Comparison comparison = compare(expected, ElementType::F32, actual.data());
  EXPECT_TRUE(comparison.ok);
  EXPECT_EQ(comparison.numUnknown, 1);
}

TEST(Compare, RankZeroAndNothing) {
  float actual = 2;
  EXPECT_EQ(
      describe("s", {}, compare(makePair(2, 0), ElementType::F32, &actual)),
      "s: expected 2, got 2, error 0 within the bound 0");
  Value nothing;
  nothing.shape = {0, 3};
  Comparison comparison = compare(nothing, ElementType::F32, nullptr);
  EXPECT_TRUE(comparison.ok);
  EXPECT_EQ(comparison.worstIndex, -1);
  EXPECT_EQ(describe("C", nothing.shape, comparison), "C: no elements");
}

TEST(Value, IsMadeFromEitherType) {
  const float f[] = {0.1f, -2};
  const double d[] = {0.1, NAN};
  EXPECT_EQ(makeValue({2}, ElementType::F32, f).values[0], double(0.1f));
  EXPECT_EQ(makeValue({1, 2}, ElementType::F64, d).values[0], 0.1);
  EXPECT_TRUE(std::isnan(makeValue({2}, ElementType::F64, d).values[1]));
  EXPECT_EQ(makeValue({}, ElementType::F64, d).values.size(), 1);
  EXPECT_EQ(makeValue({0}, ElementType::F64, nullptr).values.size(), 0);
  EXPECT_EQ(makeValue({2}, ElementType::F32, f).bounds[1], 0);
}

} // namespace
