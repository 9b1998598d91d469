//===- SlicesTest.cpp - Slices over ranks ---------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "distribute/Slices.h"
#include "gtest/gtest.h"

using namespace ein::distribute;

namespace {

ArrayUse makeUse(unsigned array, const std::vector<unsigned> &loops) {
  ArrayUse use = {array, {}};
  for (unsigned loop : loops)
    use.subscripts.push_back(makeSubscript(loop));
  return use;
}

/// In each of the slices, A(m, k) B(k, n) C(n, m) summed to a number; A and C
/// have a part for each, B is the same.
SlicedProgram makeNetwork(int64_t n, int64_t slices) {
  SlicedProgram program;
  program.numSlices = slices;
  program.slice.arrays = {
      {{n, n}, 8}, {{n, n}, 8}, {{n, n}, 8}, {{n, n}, 8, false}, {{}, 8}};
  program.slice.statements = {
      {{n, n, n},
       {},
       {makeUse(0, {0, 2}), makeUse(1, {2, 1})},
       makeUse(3, {0, 1})},
      {{n, n}, {}, {makeUse(3, {0, 1}), makeUse(2, {1, 0})}, makeUse(4, {})}};
  program.parts = {slices, 1, slices, 1, 1};
  return program;
}

TEST(Slices, NothingMovesBetweenRanksUntilTheSum) {
  for (int64_t ranks : {2, 3, 7, 8, 64}) {
    std::optional<SlicedPlan> plan =
        planSlices(makeNetwork(512, 64), ranks, 0, Network());
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->ranksPerGroup, 1);
    EXPECT_EQ(plan->rounds, (64 + ranks - 1) / ranks);
    EXPECT_EQ(plan->stepBytes, 0);
    EXPECT_EQ(plan->sumBytes, 8); // one number
    // Parts of A and C for each slice, and B once.
    EXPECT_EQ(plan->inputBytes, (2 * plan->rounds + 1) * 512 * 512 * 8);
  }
}

TEST(Slices, OneRank) {
  std::optional<SlicedPlan> plan =
      planSlices(makeNetwork(64, 8), 1, 0, Network());
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->rounds, 8);
  EXPECT_EQ(plan->getBytesMoved(), 0);
  EXPECT_EQ(plan->memoryBytes, plan->slice.memoryBytes);
}

TEST(Slices, MoreRanksThanSlicesMakeGrids) {
  std::optional<SlicedPlan> plan =
      planSlices(makeNetwork(1024, 4), 32, 0, Network());
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->groups, 4);
  EXPECT_EQ(plan->ranksPerGroup, 8);
  EXPECT_EQ(plan->rounds, 1);
  EXPECT_GT(plan->stepBytes, 0);
}

TEST(Slices, LittleMemoryMakesGroups) {
  SlicedProgram network = makeNetwork(512, 64);
  std::optional<SlicedPlan> free = planSlices(network, 16, 0, Network());
  // One array of a slice less.
  int64_t memory = free->memoryBytes - 512 * 512 * 8;
  std::optional<SlicedPlan> plan = planSlices(network, 16, memory, Network());
  ASSERT_TRUE(plan);
  EXPECT_GT(plan->ranksPerGroup, 1);
  EXPECT_LE(plan->memoryBytes, memory);
  EXPECT_FALSE(planSlices(network, 16, 1000, Network()));
}

// Slices that have parts of the result are not added.
TEST(Slices, PartsOfTheResult) {
  SlicedProgram network = makeNetwork(64, 8);
  network.parts.back() = 8;
  std::optional<SlicedPlan> plan = planSlices(network, 8, 0, Network());
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->sumBytes, 0);
}

} // namespace
