//===- PlanTest.cpp - The best grids --------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The search is compared with a look at all grids, and with what is known of
// products of matrices.
//
//===----------------------------------------------------------------------===//

#include "distribute/Plan.h"
#include "Contractions.h"
#include "gtest/gtest.h"
#include <ctime>
#include <functional>
#include <random>

using namespace ein::distribute;
using ein::distribute::test::makeMttkrp;
using ein::distribute::test::makeProduct;
using ein::distribute::test::makeTtm;

namespace {

/// Bytes matter, and neither work nor messages do.
constexpr Network kSlow = {1e15, 1, 0, 0.05};

void forEachGrid(const Contraction &contraction, int64_t ranks,
                 const std::function<void(const Grid &)> &visit) {
  Grid grid(contraction.extents.size(), 1);
  std::function<void(size_t, int64_t)> go = [&](size_t dim, int64_t left) {
    if (dim == grid.size()) {
      visit(grid);
      return;
    }
    int64_t last = 0;
    for (int64_t parts = 1; parts <= left; ++parts) {
      int64_t block = getLargestPart(contraction.extents[dim], parts);
      // More parts with the same block only leave more ranks without work.
      if (parts != 1 && block == last)
        continue;
      last = block;
      grid[dim] = parts;
      go(dim + 1, left / parts);
    }
    grid[dim] = 1;
  };
  go(0, ranks);
}

void compareWithAll(const Contraction &contraction, int64_t ranks,
                    int64_t memory, const Network &network, bool isExact) {
  // The same number in another order of factors counts as the same.
  const double limit = (1 + network.slack) * (1 + 1e-9);
  double leastWork = 1e300, leastTime = 1e300, best = 1e300;
  auto forEachPlan = [&](const std::function<void(const Plan &)> &visit) {
    forEachGrid(contraction, ranks, [&](const Grid &grid) {
      if (std::optional<Plan> plan =
              planGrid(contraction, grid, memory, network))
        if (plan->computeSeconds <= leastWork * limit)
          visit(*plan);
    });
  };
  auto getTime = [](const Plan &plan) {
    return plan.computeSeconds + plan.moveSeconds;
  };
  auto getScore = [&](const Plan &plan) {
    double bytes = 1;
    for (const Collective &collective : plan.collectives)
      bytes += double(collective.bytesPerRank);
    return bytes * getTime(plan);
  };
  double least = 1e300;
  forEachPlan(
      [&](const Plan &plan) { least = std::min(least, plan.computeSeconds); });
  leastWork = least;
  forEachPlan([&](const Plan &plan) {
    leastTime = std::min(leastTime, getTime(plan));
  });
  forEachPlan([&](const Plan &plan) {
    if (getTime(plan) <= leastTime * limit)
      best = std::min(best, getScore(plan));
  });
  std::optional<Plan> plan =
      planContraction(contraction, ranks, memory, network);
  ASSERT_EQ(plan.has_value(), best != 1e300);
  if (!plan)
    return;
  // Of several dims with one role, those with the smallest block are looked at:
  // pieces that sharers have at home may round better for others.
  if (isExact)
    EXPECT_NEAR(getScore(*plan), best, 1e-9 * best);
  EXPECT_LE(getScore(*plan), best * 1.6);
  EXPECT_GE(getScore(*plan), best * (1 - 1e-9));
  EXPECT_LE(countRanks(plan->grid), ranks);
  if (memory != 0)
    EXPECT_LE(plan->memoryBytes, memory);
}

TEST(Plan, IsTheBestOfAllGrids) {
  std::mt19937 random(1);
  auto pick = [&](int64_t most) { return int64_t(random() % (most + 1)); };
  for (int round = 0; round != 300; ++round) {
    Contraction contraction;
    switch (round % 4) {
    case 0:
      contraction = makeProduct(pick(40), pick(40), pick(40));
      break;
    case 1:
      contraction = makeMttkrp(pick(20), pick(20), pick(20), pick(20));
      break;
    case 2:
      contraction = makeTtm(pick(30), pick(10), pick(30), pick(10));
      break;
    default:
      // D(b, m1, n, m2) += A(b, m1, k, m2, l) * B(k, b, n)
      contraction = {{pick(4), pick(9), pick(9), pick(9), pick(9), pick(3)},
                     {{{0, 1, 4, 3, 5}, 4}, {{4, 0, 2}, 8}},
                     {{0, 1, 2, 3}, 4}};
    }
    Network network = round % 3 == 0 ? kSlow : Network();
    if (round % 5 == 0)
      network.latency = 0;
    if (round % 2 == 0)
      network.slack = 1e9;
    int64_t ranks = 1 + pick(39);
    compareWithAll(contraction, ranks, 0, network, round % 4 < 2);
    if (std::optional<Plan> plan =
            planContraction(contraction, ranks, 0, network))
      for (double part : {0.3, 0.6, 0.9})
        compareWithAll(contraction, ranks,
                       std::max<int64_t>(1, int64_t(plan->memoryBytes * part)),
                       network, round % 4 < 2);
  }
}

TEST(Plan, KnownAlgorithms) {
  // 3D, 2D and 1D, as Demmel et al. have them.
  EXPECT_EQ(planContraction(makeProduct(512, 512, 512), 64, 0, kSlow)->grid,
            (Grid{4, 4, 4}));
  EXPECT_EQ(planContraction(makeProduct(4096, 4096, 64), 64, 0, kSlow)->grid,
            (Grid{8, 8, 1}));
  EXPECT_EQ(planContraction(makeProduct(65536, 64, 64), 64, 0, kSlow)->grid,
            (Grid{64, 1, 1}));
  EXPECT_EQ(planContraction(makeProduct(64, 64, 65536), 64, 0, kSlow)->grid,
            (Grid{1, 1, 64}));
  // A batch needs nobody.
  Contraction batch = {
      {8, 64, 64, 64}, {{{0, 1, 3}, 8}, {{0, 3, 2}, 8}}, {{0, 1, 2}, 8}};
  std::optional<Plan> plan = planContraction(batch, 8, 0, kSlow);
  EXPECT_EQ(plan->grid, (Grid{8, 1, 1, 1}));
  EXPECT_EQ(plan->bytesMoved, 0);
  EXPECT_TRUE(plan->collectives.empty());
}

TEST(Plan, BytesOfAProduct) {
  std::optional<Plan> plan =
      planContraction(makeProduct(64, 64, 64), 8, 0, kSlow);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->grid, (Grid{2, 2, 2}));
  // Of blocks of 32 x 32, half is at home.
  EXPECT_EQ(plan->bytesMoved, 3 * 32 * 16 * 8);
  EXPECT_EQ(plan->totalBytes, 8. * plan->bytesMoved);
  EXPECT_EQ(plan->homeBytes, 3 * 32 * 16 * 8);
  EXPECT_EQ(plan->memoryBytes, plan->homeBytes + 3 * 32 * 32 * 8);
  ASSERT_EQ(plan->collectives.size(), 3u);
  EXPECT_EQ(plan->collectives[0].kind, CollectiveKind::AllGather);
  EXPECT_EQ(plan->collectives[2].kind, CollectiveKind::ReduceScatter);
  EXPECT_EQ(plan->collectives[2].array, 2u);
}

TEST(Plan, ShortMemoryTakesStepsAndFlatGrids) {
  Contraction product = makeProduct(1024, 1024, 1024);
  std::optional<Plan> deep = planContraction(product, 64, 0, kSlow);
  // What a rank has at home, and a twentieth.
  int64_t memory = deep->homeBytes + deep->homeBytes / 20;
  std::optional<Plan> flat = planContraction(product, 64, memory, kSlow);
  ASSERT_TRUE(flat);
  EXPECT_LE(flat->memoryBytes, memory);
  EXPECT_EQ(flat->grid, (Grid{8, 8, 1}));
  EXPECT_EQ(flat->steps.dim, 2u);
  EXPECT_GT(flat->steps.count, 1);
  EXPECT_GT(flat->bytesMoved, deep->bytesMoved);
  EXPECT_FALSE(planContraction(product, 64, deep->homeBytes, kSlow));
}

TEST(Plan, TheLeastMemoryIsEnough) {
  std::mt19937 random(3);
  for (int round = 0; round != 100; ++round) {
    auto pick = [&](int64_t most) { return 1 + int64_t(random() % most); };
    Contraction contraction =
        round % 2 == 0 ? makeProduct(pick(40), pick(40), pick(40))
                       : makeMttkrp(pick(9), pick(9), pick(9), pick(9));
    int64_t ranks = pick(30);
    int64_t least = findLeastMemory(contraction, ranks, Network());
    std::optional<Plan> plan =
        planContraction(contraction, ranks, least, Network());
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->memoryBytes, least);
    EXPECT_FALSE(planContraction(contraction, ranks, least - 1, Network()));
  }
}

TEST(Plan, SmallAndOddSizes) {
  for (int64_t ranks : {1, 2, 3, 7, 97, 1000})
    for (int64_t m : {0, 1, 2, 97})
      for (int64_t k : {0, 1, 5}) {
        std::optional<Plan> plan =
            planContraction(makeProduct(m, 3, k), ranks, 0, Network());
        ASSERT_TRUE(plan);
        EXPECT_LE(countRanks(plan->grid), ranks);
        for (size_t dim = 0; dim != 3; ++dim)
          EXPECT_LE(plan->grid[dim],
                    std::max<int64_t>(1, makeProduct(m, 3, k).extents[dim]));
      }
}

TEST(Plan, ManyRanksTakeLittleTime) {
  std::clock_t begin = std::clock();
  for (int64_t ranks : {65536, 65521, 60000}) {
    planContraction(makeProduct(65536, 65536, 65536), ranks, 0, Network());
    planContraction(makeMttkrp(4096, 4096, 4096, 512), ranks, 0, Network());
    planContraction({{100, 90, 80, 70, 60, 50, 40, 30},
                     {{{0, 1, 2, 3, 4}, 8}, {{0, 3, 4, 5, 6, 7}, 8}},
                     {{0, 1, 2, 5, 6, 7}, 8}},
                    ranks, 0, Network());
  }
  // Of the processor, which others use as well. It takes one.
  double seconds = double(std::clock() - begin) / CLOCKS_PER_SEC;
  EXPECT_LT(seconds, 20);
}

} // namespace
