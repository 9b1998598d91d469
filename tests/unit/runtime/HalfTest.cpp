//===- HalfTest.cpp - Half-precision numbers and their bits ---------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Half.h"
#include "TestSupport.h"
#include "runtime/Call.h"
#include "runtime/Print.h"
#include <gtest/gtest.h>

namespace ein::runtime {
namespace {

TEST(Half, EveryNumberIsItself) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    float f16 = fromFloat16(bits), bf16 = fromBFloat16(bits);
    if (!std::isnan(f16)) {
      ASSERT_EQ(toFloat16(f16), bits);
    }
    if (!std::isnan(bf16)) {
      ASSERT_EQ(toBFloat16(bf16), bits);
    }
  }
  EXPECT_TRUE(std::isnan(fromFloat16(toFloat16(NAN))));
  EXPECT_TRUE(std::isnan(fromBFloat16(toBFloat16(NAN))));
}

/// Between two neighbours: the nearer, and of both the even one.
TEST(Half, RoundsToNearestEven) {
  for (uint32_t bits = 0; bits < 0x7bff; ++bits) {
    float low = fromFloat16(bits), high = fromFloat16(bits + 1);
    float middle = low + (high - low) / 2;
    ASSERT_EQ(toFloat16(middle), bits + (bits & 1));
    ASSERT_EQ(toFloat16(std::nextafterf(middle, 0)), bits);
    ASSERT_EQ(toFloat16(std::nextafterf(middle, 1e6f)), bits + 1);
  }
  EXPECT_EQ(toFloat16(65519.996f), 0x7bff);
  EXPECT_EQ(toFloat16(65520), 0x7c00);
  EXPECT_EQ(toFloat16(-1e30f), 0xfc00);
  EXPECT_EQ(toBFloat16(1 + 0x1p-8f), 0x3f80);
  EXPECT_EQ(toBFloat16(1 + 0x1.8p-7f), 0x3f82);
}

TEST(Half, ScalarsAreParsedByTheirType) {
  auto print = [](const char *text, DType type) {
    Array scalar;
    return parseScalar(text, type, scalar) ? printElements(scalar) : "refused";
  };
  EXPECT_EQ(print("0.1", DType::F16), "0.1");
  EXPECT_EQ(print("65520", DType::F16), "refused");
  EXPECT_EQ(print("-inf", DType::F16), "-inf");
  EXPECT_EQ(print("3.14159", DType::BF16), "3.14");
  EXPECT_EQ(print("-128", DType::I8), "-128");
  EXPECT_EQ(print("128", DType::I8), "refused");
  EXPECT_EQ(print("1.5", DType::I8), "refused");
  EXPECT_EQ(print("-1", DType::U8), "refused");
  EXPECT_EQ(print("18446744073709551615", DType::U64), "18446744073709551615");
  EXPECT_EQ(print("9223372036854775808", DType::Index), "refused");
  EXPECT_EQ(print("True", DType::Bool), "True");
  EXPECT_EQ(print("0", DType::Bool), "False");
  EXPECT_EQ(print("2", DType::Bool), "refused");
}

} // namespace
} // namespace ein::runtime
