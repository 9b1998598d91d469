//===- LowerBoundTest.cpp - What has to move ------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The formulas are those of the literature, for cases that they are known for.
//
//===----------------------------------------------------------------------===//

#include "distribute/LowerBound.h"
#include "Contractions.h"
#include "distribute/Plan.h"
#include "gmock/gmock.h"
#include <cmath>
#include <random>

using namespace ein::distribute;
using ein::distribute::test::makeMttkrp;
using ein::distribute::test::makeProduct;
using ein::distribute::test::makeTtm;

namespace {

TEST(LowerBound, CoversOfAProduct) {
  std::vector<std::vector<double>> covers = getCovers(makeProduct(4, 4, 4));
  EXPECT_THAT(covers, testing::Contains(std::vector<double>{0.5, 0.5, 0.5}));
  for (const std::vector<double> &cover : covers) {
    EXPECT_GE(cover[0] + cover[1], 1); // k
    EXPECT_GE(cover[0] + cover[2], 1); // m
    EXPECT_GE(cover[1] + cover[2], 1); // n
  }
}

// Al Daas et al. 2022: three cases, by the aspect of m >= n >= k.
TEST(LowerBound, Products) {
  auto get = [](int64_t m, int64_t n, int64_t k, int64_t ranks) {
    return getLowerBound(makeProduct(m, n, k), ranks).anyMemory / 8;
  };
  // 3D: 3 (mnk / P)^(2/3) - (mn + mk + nk) / P
  EXPECT_NEAR(get(1024, 1024, 1024, 64),
              3 * std::pow(1024. * 1024 * 1024 / 64, 2. / 3) -
                  3 * 1024. * 1024 / 64,
              1);
  // 2D: 2 sqrt(mnk² / P) - (mk + nk) / P
  EXPECT_NEAR(get(4096, 2048, 16, 64),
              2 * std::sqrt(4096. * 2048 * 16 * 16 / 64) -
                  (4096. * 16 + 2048 * 16) / 64,
              1);
  // 1D: (1 - 1/P) nk
  EXPECT_NEAR(get(65536, 64, 64, 16), 64 * 64 * 15 / 16., 1);
  EXPECT_EQ(get(64, 64, 64, 1), 0);
  EXPECT_EQ(get(0, 64, 64, 8), 0);
}

// Ballard, Knight and Rouse 2018: 2/3 of the dims, and a stationary tensor.
TEST(LowerBound, Mttkrp) {
  double volume = 512. * 512 * 512;
  int64_t ranks = 512;
  EXPECT_NEAR(getLowerBound(makeMttkrp(512, 512, 512, 16), ranks).anyMemory / 8,
              3 * 16 * std::cbrt(volume / ranks) - 3 * 512. * 16 / ranks, 1);
}

// sqrt(2) F / sqrt(M) - 4 M, four times that of Irony, Toledo and Tiskin.
TEST(LowerBound, LittleMemory) {
  double points = 4096. * 4096 * 4096 / 64, elements = 16384;
  LowerBound bound =
      getLowerBound(makeProduct(4096, 4096, 4096), 64, int64_t(elements * 8));
  EXPECT_NEAR(bound.thisMemory / 8,
              std::sqrt(2) * points / std::sqrt(elements) - 4 * elements, 1);
  EXPECT_GT(bound.thisMemory, bound.anyMemory);
  EXPECT_EQ(bound.getBytes(), bound.thisMemory);
}

TEST(LowerBound, NothingMovesOfElementwise) {
  Contraction sum = {{100, 100}, {{{0, 1}, 8}, {{0, 1}, 8}}, {{0, 1}, 8}};
  EXPECT_EQ(getLowerBound(sum, 16, 1000).getBytes(), 0);
}

// No plan moves less, whatever the grid is; in grids of all ranks, so that what
// is at home is even.
TEST(LowerBound, NoPlanIsBelow) {
  std::mt19937 random(2);
  auto pick = [&](int64_t most) { return 1 + int64_t(random() % most); };
  for (int round = 0; round != 2000; ++round) {
    Grid grid = {pick(4), pick(4), pick(4), pick(4)};
    auto extent = [&](int dim) { return grid[dim] * pick(6); };
    Contraction contraction;
    if (round % 3 == 0) {
      contraction = makeProduct(extent(0), extent(1), extent(2));
      grid.resize(3);
    } else {
      contraction = (round % 3 == 1 ? makeMttkrp : makeTtm)(
          extent(0), extent(1), extent(2), extent(3));
    }
    std::optional<Plan> plan = planGrid(contraction, grid, 0, Network());
    ASSERT_TRUE(plan);
    int64_t ranks = countRanks(grid);
    // The busiest rank moves no less than the average.
    double average = plan->totalBytes / double(ranks);
    EXPECT_GE(plan->bytesMoved + 1e-6, average);
    EXPECT_GE(average + 1e-6, getLowerBound(contraction, ranks).anyMemory);
    LowerBound bound = getLowerBound(contraction, ranks, plan->memoryBytes);
    EXPECT_GE(plan->bytesMoved + 1e-6, bound.getBytes());
  }
}

} // namespace
