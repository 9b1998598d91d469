//===- ComplexTest.cpp - Complex numbers in memory, files and text --------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"
#include "runtime/Call.h"
#include "runtime/Npy.h"
#include "runtime/Print.h"
#include "runtime/Random.h"

namespace ein::runtime::test {
namespace {

std::string print(const std::string &text, DType type) {
  Array scalar;
  return parseScalar(text, type, scalar) ? printElements(scalar) : "refused";
}

TEST(Complex, PrintsAndReadsAsPythonDoes) {
  EXPECT_EQ(print("1.5-2j", DType::C64), "1.5-2j");
  EXPECT_EQ(print("-3", DType::C64), "-3+0j");
  EXPECT_EQ(print("0.1j", DType::C128), "0+0.1j");
  EXPECT_EQ(print("-1e-3+1e20j", DType::C128), "-0.001+1e+20j");
  EXPECT_EQ(print("-inf-infj", DType::C64), "-inf-infj");
  EXPECT_EQ(print("nan+nanj", DType::C64), "nan+nanj");
  // Rounded to each part's type.
  EXPECT_EQ(print("16777217+16777217j", DType::C64), "16777216+16777216j");
  for (const char *text : {"", "j", "1+2", "1+2i", "1+j", "1+-2j", "1 +2j",
                           "1+ 2j", "1+2j ", "2j+1", "1j1", "1+2jj", "1e39j"})
    EXPECT_EQ(print(text, DType::C64), "refused") << text;
}

TEST(Complex, FilesOfEitherOrder) {
  TemporaryDirectory directory;
  std::string error, path = directory / "a.npy";
  for (DType type : {DType::C64, DType::C128}) {
    Array array, back;
    ASSERT_TRUE(array.allocate(type, {3, 2}));
    fillRandom(array, 7, 0);
    ASSERT_TRUE(writeNpy(path, array, error)) << error;
    std::string bytes = readFile(path);
    bool isShort = type == DType::C64;
    ASSERT_NE(bytes.find(isShort ? "'<c8'" : "'<c16'"), std::string::npos);
    ASSERT_TRUE(readNpy(path, back, error)) << error;
    EXPECT_EQ(back.type, type);
    EXPECT_EQ(std::memcmp(back.data(), array.data(), array.getNumBytes()), 0);

    // The other byte order turns round parts, not pairs; the other order of
    // dims moves pairs.
    size_t width = isShort ? 4 : 8, start = bytes.size() - array.getNumBytes();
    for (size_t at = start; at < bytes.size(); at += width)
      std::reverse(bytes.begin() + at, bytes.begin() + at + width);
    bytes[bytes.find("'<c") + 1] = '>';
    bytes.replace(bytes.find("False"), 5, "True ");
    writeFile(path, bytes);
    ASSERT_TRUE(readNpy(path, back, error)) << error;
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < 2; ++column)
        EXPECT_EQ(std::memcmp(back.as<char>() + (row * 2 + column) * 2 * width,
                              array.as<char>() + (column * 3 + row) * 2 * width,
                              2 * width),
                  0);
  }
}

TEST(Complex, RandomPartsDiffer) {
  Array array;
  ASSERT_TRUE(array.allocate(DType::C64, {100}));
  fillRandom(array, 1, 0);
  for (int i = 0; i < 100; ++i) {
    EXPECT_LE(std::abs(array.as<float>()[i]), 1);
    EXPECT_NE(array.as<float>()[2 * i], array.as<float>()[2 * i + 1]);
  }
}

} // namespace
} // namespace ein::runtime::test
