//===- UnevenTest.cpp - Parts that do not lie in a grid -------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "distribute/Uneven.h"
#include "Contractions.h"
#include "bench/scaling/Cases.h"
#include "bench/scaling/Messages.h"
#include "gtest/gtest.h"
#include <random>

using namespace ein::distribute;
namespace bench = ein::bench;

namespace {

/// How many of the blocks have the element.
int countOwners(const std::vector<Block> &blocks,
                const std::vector<int64_t> &element) {
  int owners = 0;
  for (const Block &block : blocks) {
    bool isThere = true;
    for (size_t dim = 0; dim != element.size(); ++dim)
      isThere &= block.ranges[dim].begin <= element[dim] &&
                 element[dim] < block.ranges[dim].end;
    owners += isThere;
  }
  return owners;
}

/// Whether each element of a space is in one block.
void expectPartition(const std::vector<Block> &blocks,
                     const std::vector<int64_t> &extents) {
  std::vector<int64_t> element(extents.size(), 0);
  while (true) {
    ASSERT_EQ(countOwners(blocks, element), 1);
    size_t dim = 0;
    while (dim != extents.size() && ++element[dim] == extents[dim])
      element[dim++] = 0;
    if (dim == extents.size())
      return;
  }
}

// 19 ranks are two of 10 and 9; 10 are 4, 3 and 3.
TEST(Uneven, NineteenRanks) {
  std::vector<int64_t> extents = {114, 114, 114};
  NestedCut cut = {{{2, 2}, {0, 3}, {1, 1}}};
  UnevenParts parts(extents, cut, 19);
  EXPECT_EQ(parts.getParts()[0].ranges,
            (std::vector<Range>{{0, 45}, {0, 28}, {0, 60}}));
  EXPECT_EQ(parts.getParts()[18].ranges,
            (std::vector<Range>{{76, 114}, {76, 114}, {60, 114}}));
  expectPartition(parts.getParts(), extents);
  int64_t most = 0;
  for (const Block &part : parts.getParts())
    most = std::max(most, part.countElements());
  EXPECT_LE(double(most), 1.05 * 114 * 114 * 114 / 19);
}

// Each element is at home once, about as many with each rank, and nearly all of
// them where they are needed.
TEST(Uneven, Homes) {
  std::mt19937 random(11);
  int64_t there = 0, all = 0;
  for (int round = 0; round != 200; ++round) {
    auto pick = [&](int64_t least, int64_t most) {
      return least + int64_t(random() % (most - least + 1));
    };
    int64_t ranks = pick(4, 23);
    std::vector<int64_t> extents;
    for (int dim = 0; dim != 3; ++dim)
      extents.push_back(pick(12, 30));
    std::vector<unsigned> order = {0, 1, 2};
    std::shuffle(order.begin(), order.end(), random);
    NestedCut cut;
    int64_t cutRanks = 1;
    for (unsigned i = pick(0, 1); i != 2; ++i) {
      int64_t own = pick(1, std::max<int64_t>(ranks / cutRanks / 2, 1));
      cut.levels.push_back({order[i], own});
      cutRanks *= own;
    }
    cut.levels.push_back({order[2], 1});
    UnevenParts parts(extents, cut, ranks);
    expectPartition(parts.getParts(), extents);
    for (const std::vector<unsigned> &dims :
         std::vector<std::vector<unsigned>>{{0, 1, 2}, {2, 0}, {1, 2}, {1}}) {
      std::vector<Block> homes = parts.makeHomes(dims);
      std::vector<int64_t> own;
      for (unsigned dim : dims)
        own.push_back(extents[dim]);
      expectPartition(homes, own);
      for (int64_t rank = 0; rank != ranks; ++rank) {
        Block needed;
        for (unsigned dim : dims)
          needed.ranges.push_back(parts.getParts()[rank].ranges[dim]);
        there += intersect(homes[rank], needed).countElements();
        all += homes[rank].countElements();
      }
    }
    // A number is with the first rank.
    std::vector<Block> homes = parts.makeHomes({});
    EXPECT_EQ(homes[0].countElements(), 1);
    for (int64_t rank = 1; rank != ranks; ++rank)
      EXPECT_EQ(homes[rank].countElements(), 0);
  }
  EXPECT_GE(double(there), 0.9 * double(all));
}

// Numbers of ranks that make bad grids, and the bar of bytes.
TEST(Uneven, Plans) {
  int uneven = 0;
  for (const bench::ScalingCase &own : bench::getScalingCases())
    for (int64_t ranks : {5, 7, 11, 13, 19, 23, 38, 59, 95, 119, 159}) {
      Program program = own.makeProgram(ranks);
      std::optional<ProgramPlan> plan =
          planProgram(program, ranks, 0, Network());
      ASSERT_TRUE(plan);
      // A chain over all dims moves a tensor and partial sums, and its bound
      // the less of both.
      bool isOfAllDims = own.name.find("all dims") != std::string::npos;
      EXPECT_LE(double(plan->bytesMoved),
                (isOfAllDims ? 1.4 : 1.3) * getLowerBound(program, ranks) + 1)
          << own.name << " " << ranks;
      for (const StatementPlan &statement : plan->statements)
        uneven += statement.iteration.tiles != nullptr;
      for (bench::Algorithm algorithm :
           {bench::Algorithm::Ring, bench::Algorithm::Doubling})
        EXPECT_EQ(bench::compare(program, *plan, algorithm), "")
            << own.name << " " << ranks;
    }
  EXPECT_GT(uneven, 40);
}

// What follows a product element by element, or sums it, is computed where its
// uneven blocks are.
TEST(Uneven, Followed) {
  Program program = bench::makeProduct(190, 190, 190);
  auto makeUse = [](unsigned array, const std::vector<unsigned> &loops) {
    ArrayUse use = {array, {}};
    for (unsigned loop : loops)
      use.subscripts.push_back(makeSubscript(loop));
    return use;
  };
  program.arrays.push_back({{190, 190}, 8});
  program.arrays.push_back({{190}, 8});
  program.statements.push_back(
      {{190, 190}, {}, {makeUse(2, {0, 1})}, makeUse(3, {0, 1})});
  program.statements.push_back(
      {{190, 190}, {}, {makeUse(3, {0, 1})}, makeUse(4, {0})});
  std::optional<ProgramPlan> plan =
      planProgram(program, 19, 0, {1e15, 1, 0, 0.05});
  ASSERT_TRUE(plan);
  EXPECT_TRUE(plan->statements[0].iteration.tiles);
  EXPECT_EQ(plan->statements[1].bytesMoved, 0);
  EXPECT_EQ(plan->statements[1].followed, 2u);
  EXPECT_EQ(plan->homes[3], plan->homes[2]);
  for (bench::Algorithm algorithm :
       {bench::Algorithm::Ring, bench::Algorithm::Doubling})
    EXPECT_EQ(bench::compare(program, *plan, algorithm), "");
}

} // namespace
