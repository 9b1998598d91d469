//===- PositionsTest.cpp - Bytes as lines and UTF-16, and names of files --===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lsp/Positions.h"
#include "lsp/Uri.h"
#include <gtest/gtest.h>

using namespace ein;
using namespace ein::lsp;

namespace {

TEST(Positions, CountUnitsOfUtf16) {
  // a, é (two bytes, one unit), 𝛼 (four bytes, two units), b
  SourceFile file("x",
                  "a\xC3\xA9\xF0\x9D\x9B\xBC"
                  "b\r\nc\n",
                  100);
  struct {
    uint32_t offset;
    Position position;
  } const cases[] = {{100, {0, 0}}, {101, {0, 1}}, {103, {0, 2}},
                     {107, {0, 4}}, {108, {0, 5}}, {110, {1, 0}},
                     {111, {1, 1}}, {112, {2, 0}}};
  for (auto [offset, position] : cases) {
    EXPECT_EQ(getPosition(file, offset), position) << offset;
    EXPECT_EQ(getOffset(file, position), offset) << offset;
    EXPECT_EQ(getOffset(file.getText(), position), offset - 100) << offset;
  }
}

TEST(Positions, AnyPositionIsSomePlace) {
  SourceFile file("x", "ab\ncd", 10);
  EXPECT_EQ(getOffset(file, {0, 99}), 12u);
  EXPECT_EQ(getOffset(file, {-1, 0}), 10u);
  EXPECT_EQ(getOffset(file, {0, -1}), 10u);
  EXPECT_EQ(getOffset(file, {7, 1}), 15u);
  EXPECT_EQ(getOffset(file.getText(), {7, 1}), 5u);
  EXPECT_EQ(getOffset(file.getText(), {1, 7}), 5u);
  // Half of a character is the character's beginning.
  SourceFile wide("x", "\xF0\x9D\x9B\xBC");
  EXPECT_EQ(getOffset(wide, {0, 1}), 0u);
  EXPECT_EQ(getOffset(wide, {0, 2}), 4u);
}

TEST(Uri, IsThePathAndBack) {
  EXPECT_EQ(getPath("file:///a%20b/c%C3%A9.ein"), "/a b/c\xC3\xA9.ein");
  EXPECT_EQ(makeUri("/a b/c\xC3\xA9.ein"), "file:///a%20b/c%C3%A9.ein");
  EXPECT_EQ(getPath("file://localhost/a"), "/a");
  EXPECT_EQ(getPath("file:///100%"), "/100%");
  EXPECT_EQ(getPath("file:///a%00b"), std::nullopt);
  EXPECT_EQ(getPath("untitled:Untitled-1"), std::nullopt);
  EXPECT_EQ(getPath("file://"), std::nullopt);
}

} // namespace
