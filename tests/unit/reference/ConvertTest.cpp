//===- ConvertTest.cpp - Integers and conversions of the reference --------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "reference/Convert.h"
#include "DefBuilder.h"

namespace ein::reference::test {
namespace {

Scalar number(double value, double bound = 0) { return {{value, bound}, 0}; }
Scalar integer(int64_t value) { return {{0, 0}, value}; }

TEST(Convert, WrapsToTheWidth) {
  EXPECT_EQ(wrap(200, ElementType::I8), -56);
  EXPECT_EQ(wrap(-1, ElementType::U16), 65535);
  EXPECT_EQ(wrap(-1, ElementType::U64), -1);
  EXPECT_EQ(wrap(INT64_MAX, ElementType::I32), -1);
  EXPECT_EQ(wrap(3, ElementType::Bool), 1);
}

TEST(Convert, TruncatesAndSaturatesNumbers) {
  auto toI8 = [](double x) {
    return convert(number(x), ElementType::F32, ElementType::I8).integer;
  };
  EXPECT_EQ(toI8(-1.9), -1);
  EXPECT_EQ(toI8(127.9), 127);
  EXPECT_EQ(toI8(1e9), 127);
  EXPECT_EQ(toI8(-INFINITY), -128);
  EXPECT_EQ(toI8(NAN), 0);
  EXPECT_EQ(convert(number(0x1p63), ElementType::F64, ElementType::U64).integer,
            INT64_MIN);
  EXPECT_EQ(convert(number(-1), ElementType::F64, ElementType::U64).integer, 0);
  EXPECT_EQ(convert(number(NAN), ElementType::F64, ElementType::Bool).integer,
            1);
}

TEST(Convert, KnowsAnIntegerIfTheBoundDoes) {
  auto isKnown = [](double x, double bound) {
    return convert(number(x, bound), ElementType::F32, ElementType::I32)
        .isKnown();
  };
  EXPECT_TRUE(isKnown(1.5, 0.25));
  EXPECT_FALSE(isKnown(2, 0.25));
  EXPECT_TRUE(isKnown(0, 0.25));
  EXPECT_FALSE(isKnown(1.5, infinity));
  Scalar open = convert(number(2, 0.5), ElementType::F32, ElementType::I32);
  EXPECT_FALSE(
      apply(BinaryFn::Add, open, integer(1), ElementType::I32).isKnown());
  EXPECT_EQ(convert(open, ElementType::I32, ElementType::F32).number.bound,
            infinity);
}

TEST(Convert, RoundsToHalfPrecision) {
  auto toF16 = [](double x, double bound = 0) {
    return convert(number(x, bound), ElementType::F32, ElementType::F16).number;
  };
  EXPECT_EQ(toF16(1 + 0x1p-11).value, 1);
  EXPECT_EQ(toF16(1 + 0x1.8p-10).value, 1 + 0x1p-9);
  EXPECT_EQ(toF16(65519).value, 65504);
  EXPECT_EQ(toF16(65520).value, INFINITY);
  EXPECT_EQ(toF16(0x1p-25).value, 0);
  EXPECT_EQ(toF16(0x1.8p-25).value, 0x1p-24);
  EXPECT_EQ(toF16(0.1).bound, 0);
  EXPECT_GE(toF16(0.1, 1e-6).bound, 1e-6 + 0.1 * 0x1p-11);
  EXPECT_EQ(convert(number(1 + 0x1p-8), ElementType::F32, ElementType::BF16)
                .number.value,
            1);
}

TEST(Convert, ComparesInTheType) {
  auto less = [](int64_t a, int64_t b, ElementType type) {
    return compare(BinaryFn::Less, integer(a), integer(b), type).integer;
  };
  EXPECT_EQ(less(-1, 1, ElementType::I64), 1);
  EXPECT_EQ(less(-1, 1, ElementType::U64), 0);
  auto check = [](BinaryFn fn, Pair a, Pair b) {
    Scalar result = compare(fn, a, b);
    return result.isKnown() ? int(result.integer) : -1;
  };
  EXPECT_EQ(check(BinaryFn::Less, {1, 0}, {2, 0}), 1);
  EXPECT_EQ(check(BinaryFn::Less, {1, 0.4}, {2, 0.5}), 1);
  EXPECT_EQ(check(BinaryFn::Less, {1, 0.5}, {2, 0.5}), -1);
  EXPECT_EQ(check(BinaryFn::Equal, {1, 0.5}, {1, 0}), -1);
  EXPECT_EQ(check(BinaryFn::Equal, {NAN, 0}, {NAN, 0}), 0);
  EXPECT_EQ(check(BinaryFn::NotEqual, {NAN, 0}, {1, 5}), 1);
  EXPECT_EQ(check(BinaryFn::GreaterEqual, {INFINITY, 0}, {INFINITY, 0}), 1);
  EXPECT_EQ(check(BinaryFn::Less, {NAN, INFINITY}, {1, 0}), -1);
}

TEST(Convert, ShiftsOutWhatIsTooFar) {
  auto shift = [](BinaryFn fn, int64_t a, int64_t b, ElementType type) {
    return apply(fn, integer(a), integer(b), type).integer;
  };
  EXPECT_EQ(shift(BinaryFn::ShiftLeft, 3, 7, ElementType::I8), -128);
  EXPECT_EQ(shift(BinaryFn::ShiftLeft, 3, 8, ElementType::I8), 0);
  EXPECT_EQ(shift(BinaryFn::ShiftLeft, 3, -1, ElementType::I8), 0);
  EXPECT_EQ(shift(BinaryFn::ShiftRight, -3, 1, ElementType::I8), -2);
  EXPECT_EQ(shift(BinaryFn::ShiftRight, -3, 100, ElementType::I8), -1);
  EXPECT_EQ(shift(BinaryFn::ShiftRight, -3, -2, ElementType::I8), -1);
  EXPECT_EQ(shift(BinaryFn::ShiftRight, 3, 64, ElementType::I64), 0);
  EXPECT_EQ(shift(BinaryFn::ShiftRight, -1, 63, ElementType::U64), 1);
  EXPECT_EQ(shift(BinaryFn::ShiftRight, -1, -1, ElementType::U64), 0);
}

TEST(Convert, KnowsWhatOneSideDecides) {
  Scalar open = {{0, infinity}, 1};
  auto isKnown = [&](BinaryFn fn, int64_t other) {
    return apply(fn, open, integer(other), ElementType::Bool).isKnown() &&
           apply(fn, integer(other), open, ElementType::Bool).isKnown();
  };
  EXPECT_TRUE(isKnown(BinaryFn::And, 0));
  EXPECT_FALSE(isKnown(BinaryFn::And, 1));
  EXPECT_TRUE(isKnown(BinaryFn::Or, 1));
  EXPECT_FALSE(isKnown(BinaryFn::Or, 0));
}

TEST(Convert, DividesAsC) {
  auto divide = [](int64_t a, int64_t b, ElementType type) {
    return apply(BinaryFn::Div, integer(a), integer(b), type).integer;
  };
  EXPECT_EQ(divide(-7, 2, ElementType::I32), -3);
  EXPECT_EQ(divide(INT32_MIN, -1, ElementType::I32), INT32_MIN);
  EXPECT_EQ(divide(-1, 2, ElementType::U64), INT64_MAX);
  EXPECT_EQ(
      apply(BinaryFn::Rem, integer(-7), integer(2), ElementType::I32).integer,
      -1);
}

/// Through matrix products and point by point, and with wrapping.
TEST(Convert, SumsIntegersExactly) {
  for (ElementType type : {ElementType::I8, ElementType::U64}) {
    Def def = makeEinsum("ij,jk,kl->il",
                         {{'i', 3}, {'j', 5}, {'k', 4}, {'l', 2}}, type);
    std::vector<Value> inputs;
    uint64_t bits = 12345;
    for (std::vector<int64_t> shape :
         {std::vector<int64_t>{3, 5}, {5, 4}, {4, 2}}) {
      std::vector<uint64_t> elements(countElements(shape));
      for (uint64_t &element : elements)
        element = bits = bits * 6364136223846793005u + 1442695040888963407u;
      inputs.push_back(makeValue(shape, type, elements.data()));
    }
    Value fast = evaluateOne(def, {}, inputs, true);
    Value plain = evaluateOne(def, {}, inputs, false);
    ASSERT_EQ(fast.integers.size(), 6);
    EXPECT_TRUE((fast.integers == plain.integers).all());
    EXPECT_TRUE((fast.bounds == 0).all());
  }
}

} // namespace
} // namespace ein::reference::test
