//===- SourceFileTest.cpp - Positions in text -----------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/source/SourceFile.h"
#include <gtest/gtest.h>

using namespace ein;

namespace {

std::pair<unsigned, unsigned> locate(const SourceFile &file, uint32_t offset) {
  auto [line, column] = file.getLineColumn(offset);
  return {line, column};
}

TEST(SourceFile, CountsLinesAndBytes) {
  SourceFile file("f", "ab\né\n\nx");
  EXPECT_EQ(file.getNumLines(), 4u);
  EXPECT_EQ(locate(file, 0), std::pair(1u, 1u));
  EXPECT_EQ(locate(file, 2), std::pair(1u, 3u)); // the line break
  EXPECT_EQ(locate(file, 5), std::pair(2u, 3u));
  EXPECT_EQ(locate(file, 7), std::pair(4u, 1u));
  EXPECT_EQ(locate(file, 1000), std::pair(4u, 2u));
  EXPECT_EQ(file.getLine(2), "é");
  EXPECT_EQ(file.getLine(3), "");
  EXPECT_EQ(file.getLine(4), "x");
  EXPECT_EQ(file.getLine(0), "");
  EXPECT_EQ(file.getLine(5), "");
}

TEST(SourceFile, TakesAnyBytes) {
  SourceFile empty("f", "");
  EXPECT_EQ(empty.getNumLines(), 1u);
  EXPECT_EQ(locate(empty, 0), std::pair(1u, 1u));
  SourceFile windows("f", "a\r\nb\r\n");
  EXPECT_EQ(windows.getLine(1), "a");
  EXPECT_EQ(windows.getLine(2), "b");
  EXPECT_EQ(windows.getLine(3), "");
  SourceFile binary("f", std::string("\0\xFF\n\xC3", 4));
  EXPECT_EQ(binary.getLine(1).size(), 2u);
  EXPECT_EQ(binary.getLine(2), "\xC3");
}

} // namespace
