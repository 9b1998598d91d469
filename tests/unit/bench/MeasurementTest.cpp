//===- MeasurementTest.cpp - The yardstick of a case ----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/harness/Measure.h"
#include <gtest/gtest.h>

namespace ein::bench {
namespace {

/// A product of 100 x 100 matrices on a machine of 1e9 operations and 1e12
/// bytes a second: 2 ms, by the loops.
struct Case {
  Problem problem;
  Measurement measurement;

  explicit Case(std::vector<double> seconds) {
    measurement.problem = &problem;
    measurement.flops = 2e6;
    measurement.peak = {1e9};
    measurement.bandwidth = {1e12};
    for (double each : seconds) {
      Result result;
      result.name = measurement.results.empty() ? "einc" : "peer";
      result.samples = {each, each, each};
      measurement.results.push_back(result);
    }
  }
};

TEST(Measurement, RooflineOfTheLoops) {
  Case slow({4e-3, 3e-3});
  EXPECT_DOUBLE_EQ(slow.measurement.getLoopRoofline(), 2e-3);
  EXPECT_DOUBLE_EQ(slow.measurement.getRoofline(), 2e-3);
  EXPECT_DOUBLE_EQ(slow.measurement.getAboveLoops(), 1);
}

TEST(Measurement, RooflineOfTheFastestContestant) {
  Case fast({4e-3, 1e-3});
  EXPECT_DOUBLE_EQ(fast.measurement.getRoofline(), 1e-3);
  EXPECT_DOUBLE_EQ(fast.measurement.getAboveLoops(), 2);
}

TEST(Measurement, WhoIsWrongIsNoYardstick) {
  Case wrong({4e-3, 1e-3});
  wrong.measurement.results[1].error = 2;
  EXPECT_DOUBLE_EQ(wrong.measurement.getRoofline(), 2e-3);
  EXPECT_DOUBLE_EQ(wrong.measurement.getAboveLoops(), 1);
}

} // namespace
} // namespace ein::bench
