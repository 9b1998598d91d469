//===- LayoutTest.cpp - Which rank has which block ------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "distribute/Layout.h"
#include "Contractions.h"
#include "ListPoints.h"
#include "gtest/gtest.h"
#include <map>

using namespace ein::distribute;
using ein::distribute::test::listPoints;
using ein::distribute::test::makeMttkrp;
using ein::distribute::test::makeProduct;

namespace {

TEST(CutRange, CoversAndIsEven) {
  for (int64_t size : {0, 1, 2, 5, 7, 12, 100})
    for (int64_t parts : {1, 2, 3, 7, 13, 101}) {
      int64_t next = 0;
      for (int64_t number = 0; number != parts; ++number) {
        Range range = cutRange(size, parts, number);
        EXPECT_EQ(range.begin, next);
        EXPECT_GE(range.size(), size / parts);
        EXPECT_LE(range.size(), getLargestPart(size, parts));
        next = range.end;
      }
      EXPECT_EQ(next, size);
      EXPECT_EQ(cutRange(size, parts, 0).size(), getLargestPart(size, parts));
    }
}

/// By element, how many ranks have it at home.
std::map<std::vector<int64_t>, int> countHomes(const BlockLayout &layout,
                                               int64_t ranks) {
  std::map<std::vector<int64_t>, int> homes;
  for (int64_t rank = 0; rank != ranks; ++rank) {
    Block block = getHomeBlock(layout, rank);
    std::vector<int64_t> place;
    for (Range range : block.ranges)
      place.push_back(range.begin);
    for (int64_t i = 0, n = block.countElements(); i != n; ++i) {
      ++homes[place];
      for (size_t dim = place.size(); dim-- != 0;) {
        if (++place[dim] != block.ranges[dim].end)
          break;
        place[dim] = block.ranges[dim].begin;
      }
    }
  }
  return homes;
}

void checkLayouts(const Contraction &contraction, const Grid &grid) {
  for (unsigned array = 0; array != contraction.getNumArrays(); ++array) {
    BlockLayout layout = makeLayout(contraction, grid, array);
    int64_t ranks = countRanks(grid), elements = 1;
    for (int64_t extent : layout.extents)
      elements *= extent;
    std::map<std::vector<int64_t>, int> homes = countHomes(layout, ranks + 2);
    EXPECT_EQ(int64_t(homes.size()), elements);
    for (const auto &[place, count] : homes)
      EXPECT_EQ(count, 1);
    for (int64_t rank = 0; rank != ranks; ++rank) {
      Block needed = getNeededBlock(layout, rank);
      std::vector<int64_t> sharers = getSharers(layout, rank);
      EXPECT_EQ(int64_t(sharers.size()), layout.countSharers());
      int64_t together = 0;
      for (size_t number = 0; number != sharers.size(); ++number) {
        EXPECT_EQ(getNeededBlock(layout, sharers[number]), needed);
        EXPECT_EQ(getSharer(layout, *getCoordinates(grid, sharers[number])),
                  int64_t(number));
        together += getHomeBlock(layout, sharers[number]).countElements();
      }
      EXPECT_EQ(together, needed.countElements());
    }
  }
}

TEST(Layout, EachElementHasOneHome) {
  checkLayouts(makeProduct(4, 6, 8), {1, 1, 1});
  checkLayouts(makeProduct(4, 6, 8), {2, 3, 4});
  checkLayouts(makeProduct(5, 7, 3), {2, 3, 2});
  checkLayouts(makeProduct(1, 1, 1), {1, 1, 1});
  checkLayouts(makeProduct(1, 3, 2), {5, 2, 3});
  checkLayouts(makeProduct(0, 3, 2), {1, 2, 2});
  checkLayouts(makeMttkrp(5, 4, 3, 7), {2, 3, 1, 2});
}

TEST(Layout, NoDims) {
  Contraction sum = {{10}, {{{0}, 8}}, {{}, 8}};
  checkLayouts(sum, {3});
  BlockLayout layout = makeLayout(sum, {3}, 1);
  EXPECT_FALSE(layout.sharedDim);
  EXPECT_EQ(getHomeBlock(layout, 0).countElements(), 1);
  EXPECT_EQ(getHomeBlock(layout, 1).countElements(), 0);
  EXPECT_EQ(getNeededBlock(layout, 1).countElements(), 1);
  EXPECT_EQ(getNeededBlock(layout, 3).countElements(), 0);
}

TEST(Layout, PiecesAreOfTheOutermostDimThatIsEven) {
  // Of A: its m, and its k where the code does not step along it.
  BlockLayout layout = makeLayout(makeProduct(8, 8, 8), {2, 2, 2}, 0);
  EXPECT_EQ(layout.sharingAxes, std::vector<unsigned>{1});
  EXPECT_EQ(layout.sharedDim, 0u);
  EXPECT_EQ(makeLayout(makeProduct(8, 8, 8), {2, 2, 2}, 0, 0).sharedDim, 1u);
  EXPECT_EQ(makeLayout(makeProduct(2, 8, 8), {2, 2, 2}, 0).sharedDim, 1u);
}

TEST(Layout, RanksAreInRowMajorOrder) {
  Grid grid = {2, 3, 4};
  for (int64_t rank = 0; rank != 24; ++rank)
    EXPECT_EQ(getRank(grid, *getCoordinates(grid, rank)), rank);
  EXPECT_EQ(getCoordinates(grid, 13), (std::vector<int64_t>{1, 0, 1}));
  EXPECT_FALSE(getCoordinates(grid, 24));
}

/// Every box of a small array, held against where its elements are.
TEST(Layout, AdjacentElementsAreFound) {
  Block whole = {{{1, 4}, {0, 2}, {5, 8}}};
  std::vector<std::vector<int64_t>> all = listPoints(whole);
  auto find = [&](const std::vector<int64_t> &point) {
    return std::find(all.begin(), all.end(), point) - all.begin();
  };
  std::vector<Range> choices[3];
  for (size_t dim = 0; dim != 3; ++dim)
    for (int64_t begin = whole.ranges[dim].begin;
         begin != whole.ranges[dim].end; ++begin)
      for (int64_t end = begin + 1; end <= whole.ranges[dim].end; ++end)
        choices[dim].push_back({begin, end});
  int64_t adjacent = 0;
  for (Range a : choices[0])
    for (Range b : choices[1])
      for (Range c : choices[2]) {
        Block box = {{a, b, c}};
        std::vector<std::vector<int64_t>> points = listPoints(box);
        int64_t first = find(points.front());
        bool isAdjacent = find(points.back()) - first + 1 ==
                          static_cast<int64_t>(points.size());
        std::optional<int64_t> found = findAdjacent(box, whole);
        EXPECT_EQ(found.has_value(), isAdjacent);
        if (found) {
          EXPECT_EQ(*found, first);
          ++adjacent;
        }
      }
  EXPECT_EQ(adjacent, 42);
  EXPECT_EQ(findAdjacent(Block(), Block()), 0); // the only element
}

} // namespace
