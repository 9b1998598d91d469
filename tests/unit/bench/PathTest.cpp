//===- PathTest.cpp - Orders of contraction in the benchmark --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/cases/Path.h"
#include <gtest/gtest.h>
#include <random>
#include <set>

namespace ein::bench {
namespace {

/// Each label is in two arrays, or in one and the output.
Problem draw(size_t count, std::mt19937 &random) {
  Problem problem;
  std::vector<std::string> labels(count);
  std::string output;
  char next = 'a';
  for (size_t i = 0; i < count; ++i) {
    size_t other = random() % count;
    labels[i] += next;
    (other == i ? output : labels[other]) += next++;
    if (i > 0) {
      labels[i] += next;
      labels[i - 1] += next++;
    }
  }
  for (char label = 'a'; label < next; ++label)
    problem.extents[label] = 2 + random() % 9;
  for (const std::string &word : labels) {
    problem.inputs.push_back(getContiguous(word, problem.extents));
    problem.einsum += (problem.einsum.empty() ? "" : ",") + word;
  }
  problem.einsum += "->" + output;
  problem.output = getContiguous(output, problem.extents);
  return problem;
}

TEST(Path, SubsetsFindWhatTryingAllDoes) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 200; ++trial) {
    Problem problem = draw(2 + trial % 4, random);
    EXPECT_DOUBLE_EQ(getBestPath(problem).flops,
                     getPaths(problem).front().flops)
        << problem.einsum;
  }
}

TEST(Path, StepsOfANetworkLeaveTheOutput) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 20; ++trial) {
    Problem problem = draw(10, random);
    Path path = getPaths(problem).front();
    size_t left = problem.inputs.size();
    for (const PathStep &step : path.steps) {
      ASSERT_LT(step.lhs, step.rhs);
      ASSERT_LT(step.rhs, left);
      --left;
    }
    EXPECT_EQ(left, 1u);
    EXPECT_EQ(path.steps.back().result, problem.output.labels);
  }
}

} // namespace
} // namespace ein::bench
