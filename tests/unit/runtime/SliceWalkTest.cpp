//===- SliceWalkTest.cpp - A part of a network, slice by slice ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/mpi/SliceWalk.h"
#include "runtime/mpi/Fingerprint.h"
#include "tests/unit/distribute/ListPoints.h"
#include <gtest/gtest.h>

using namespace ein::runtime;
using namespace ein::distribute;
using ein::distribute::test::listPoints;

namespace {

TEST(SliceWalk, BoxesHaveAllPointsOnceInOrder) {
  for (const Block &part : {Block{{{2, 7}}}, Block{{{0, 3}, {4, 9}}},
                            Block{{{1, 2}, {0, 4}, {3, 6}}},
                            Block{{{5, 8}, {0, 1}, {2, 6}, {1, 3}}}})
    for (int64_t most = 1; most != part.countElements() + 3; ++most) {
      std::vector<std::vector<int64_t>> seen;
      int64_t boxes = 0;
      while (static_cast<int64_t>(seen.size()) < part.countElements()) {
        Block box = getFollowing(part, static_cast<int64_t>(seen.size()), most);
        ASSERT_GE(box.countElements(), 1);
        ASSERT_LE(box.countElements(), most);
        for (const std::vector<int64_t> &point : listPoints(box))
          seen.push_back(point);
        ++boxes;
      }
      EXPECT_EQ(seen, listPoints(part)) << "at most " << most;
      if (most >= part.countElements()) {
        EXPECT_EQ(boxes, 1);
      }
    }
}

TEST(SliceWalk, BoxesAreAsLargeAsTheyCanBe) {
  Block part = {{{0, 3}, {4, 9}}};
  EXPECT_EQ(getFollowing(part, 0, 11), (Block{{{0, 2}, {4, 9}}}));
  EXPECT_EQ(getFollowing(part, 2, 11), (Block{{{0, 1}, {6, 9}}}));
  EXPECT_EQ(getFollowing(part, 5, 4), (Block{{{1, 2}, {4, 8}}}));
  EXPECT_EQ(getFollowing(part, 14, 9), (Block{{{2, 3}, {8, 9}}}));
}

uint64_t getFingerprint(const std::string &text) {
  Fingerprint fingerprint;
  fingerprint.add(text);
  return fingerprint.get();
}

TEST(Fingerprint, EveryChangeShows) {
  std::string text(100, '\0');
  std::vector<uint64_t> seen = {getFingerprint(text)};
  for (size_t at = 0; at != text.size(); ++at)
    for (int bit = 0; bit != 8; ++bit) {
      std::string changed = text;
      changed[at] = static_cast<char>(changed[at] ^ 1 << bit);
      seen.push_back(getFingerprint(changed));
    }
  // Zeros that are there, or are not.
  for (size_t length = 0; length != 40; ++length)
    seen.push_back(getFingerprint(std::string(length, '\0')));
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
}

TEST(Fingerprint, WhereAPartEndsCounts) {
  Fingerprint together, apart;
  together.add("abcdefgh12345678");
  apart.add("abcdefgh");
  apart.add("12345678");
  EXPECT_NE(together.get(), apart.get());
}

} // namespace
