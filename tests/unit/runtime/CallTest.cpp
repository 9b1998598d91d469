//===- CallTest.cpp - Calling entries, random data, text ------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Call.h"
#include "TestSupport.h"
#include "runtime/Print.h"
#include "runtime/Random.h"
#include <cmath>
#include <limits>

using namespace ein::runtime;
using namespace ein::runtime::test;

namespace {

/// Y += alpha * X.
int32_t axpy(void **arguments, const int64_t *sizes) {
  for (int64_t i = 0; i < sizes[0]; ++i)
    static_cast<float *>(arguments[2])[i] +=
        *static_cast<float *>(arguments[0]) *
        static_cast<float *>(arguments[1])[i];
  return 0;
}

int32_t failWithOutOfRange(void **, const int64_t *) { return 2; }
int32_t failWithUnknown(void **, const int64_t *) { return 77; }

/// Writes only the first element of its output.
int32_t writeOne(void **arguments, const int64_t *) {
  *static_cast<double *>(arguments[0]) = 1;
  return 0;
}

Signature parsed(const char *text) {
  Signature signature;
  EXPECT_TRUE(parse(text, signature));
  return signature;
}

const char *const axpyText =
    "axpy<N>(alpha: f32, X: f32(N)) -> (inout Y: f32(N))";

TEST(Call, PassesScalarsArraysAndInouts) {
  Invocation call(parsed(axpyText));
  std::string error;
  ASSERT_TRUE(call.setInput("alpha", makeArray<float>({}, {2}), error));
  ASSERT_TRUE(call.setInput("X", makeArray<float>({3}, {1, 2, 3}), error));
  ASSERT_TRUE(call.setInput("Y", makeArray<float>({3}, {10, 20, 30}), error));
  ASSERT_TRUE(call.bind({}, error)) << error;
  ASSERT_TRUE(call.run(axpy, error)) << error;
  EXPECT_EQ(getElements<float>(call.getArray(2)),
            (std::vector<float>{12, 24, 36}));
}

TEST(Call, EmptyArraysHaveAnAddress) {
  Invocation call(parsed(axpyText));
  std::string error;
  ASSERT_TRUE(call.bind({{"N", 0}}, error)) << error;
  ASSERT_TRUE(call.fillMissing(1, error)) << error;
  ASSERT_TRUE(call.run(axpy, error)) << error;
  EXPECT_EQ(call.getArray(2).getNumElements(), 0);
  EXPECT_NE(call.getArray(2).data(), nullptr);
}

TEST(Call, Errors) {
  Invocation call(parsed(axpyText));
  std::string error;
  EXPECT_FALSE(call.setInput("Q", makeArray<float>({}, {2}), error));
  EXPECT_EQ(error, "`Q` is not an input of `axpy`");
  ASSERT_TRUE(call.bind({{"N", 2}}, error));
  EXPECT_FALSE(call.run(axpy, error));
  EXPECT_EQ(error, "the input `alpha` is missing");
  ASSERT_TRUE(call.fillMissing(1, error));
  EXPECT_FALSE(call.run(failWithOutOfRange, error));
  EXPECT_EQ(error, "`axpy` failed: an index is out of range");
  EXPECT_EQ(call.getCode(), int32_t(Code::OutOfRange));
  EXPECT_FALSE(call.run(failWithUnknown, error));
  EXPECT_EQ(error, "`axpy` failed: unknown code 77");

  Invocation output(parsed("f<N>() -> (Y: f32(N))"));
  EXPECT_FALSE(output.setInput("Y", makeArray<float>({1}, {2}), error));
#ifndef __SANITIZE_ADDRESS__ // whose allocator ends the process instead
  ASSERT_TRUE(output.bind({{"N", int64_t(1) << 58}}, error)) << error;
  EXPECT_FALSE(output.run(failWithUnknown, error));
  EXPECT_EQ(error, "there is not enough memory for `Y`, 288230376151711744");
#endif
}

TEST(Call, ElementsNobodyWroteAreNaN) {
  Invocation call(parsed("f<N>() -> (Y: f64(N))"));
  std::string error;
  ASSERT_TRUE(call.bind({{"N", 3}}, error));
  ASSERT_TRUE(call.run(writeOne, error));
  EXPECT_EQ(call.getArray(0).as<double>()[0], 1);
  EXPECT_TRUE(std::isnan(call.getArray(0).as<double>()[1]));
  EXPECT_TRUE(std::isnan(call.getArray(0).as<double>()[2]));
}

TEST(Call, MeasuringRestoresInouts) {
  Invocation call(parsed(axpyText));
  std::string error;
  ASSERT_TRUE(call.setInput("Y", makeArray<float>({2}, {1, 2}), error));
  ASSERT_TRUE(call.bind({}, error));
  ASSERT_TRUE(call.fillMissing(1, error));
  Timing timing;
  ASSERT_TRUE(call.measure(axpy, 0.001, timing, error));
  EXPECT_GE(timing.calls, 3);
  EXPECT_GE(timing.median, timing.minimum);
  EXPECT_EQ(getElements<float>(call.getArray(2)), (std::vector<float>{1, 2}));
}

TEST(Array, Aligned) {
  for (int64_t n : {0, 1, 7, 1000}) {
    Array array;
    ASSERT_TRUE(array.allocate(DType::F32, {n}));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(array.data()) % 64, 0u);
  }
  Array array;
  EXPECT_FALSE(array.allocate(DType::F32, {INT64_MAX}));
  EXPECT_FALSE(array.isAllocated());
  EXPECT_FALSE(array.allocate(DType::F32, {-1}));
}

TEST(Random, IsAFunctionOfSeedArgumentAndElement) {
  // The generator is part of what a seed means: these never change.
  EXPECT_EQ(randomBits(0, 0, 0), randomBits(0, 0, 0));
  EXPECT_NE(randomBits(0, 0, 0), randomBits(1, 0, 0));
  EXPECT_NE(randomBits(0, 0, 0), randomBits(0, 1, 0));
  EXPECT_NE(randomBits(0, 0, 0), randomBits(0, 0, 1));
  for (DType type : {DType::F32, DType::F64}) {
    Array array, longer;
    ASSERT_TRUE(array.allocate(type, {1000}));
    ASSERT_TRUE(longer.allocate(type, {2000}));
    fillRandom(array, 42, 3);
    fillRandom(longer, 42, 3);
    EXPECT_EQ(std::memcmp(array.data(), longer.data(), array.getNumBytes()), 0);
    double sum = 0, least = 1, most = -1;
    for (int64_t i = 0; i < 1000; ++i) {
      double x =
          type == DType::F32 ? array.as<float>()[i] : array.as<double>()[i];
      sum += x;
      least = std::min(least, x);
      most = std::max(most, x);
    }
    EXPECT_GE(least, -1);
    EXPECT_LT(most, 1);
    EXPECT_LT(least, -0.98);
    EXPECT_GT(most, 0.98);
    EXPECT_LT(std::abs(sum), 100);
  }
}

TEST(Scalar, Parses) {
  auto f64 = [](const char *text) {
    Array scalar;
    return parseScalar(text, DType::F64, scalar) ? *scalar.as<double>() : 777;
  };
  EXPECT_EQ(f64("2.5"), 2.5);
  EXPECT_EQ(f64("-1e-3"), -1e-3);
  EXPECT_EQ(f64("+4"), 4);
  EXPECT_EQ(f64("0x1p-4"), 0x1p-4);
  EXPECT_EQ(f64("-inf"), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(f64("nan")));
  EXPECT_EQ(f64("1e-400"), 0);
  for (const char *text : {"", " 1", "1 ", "1.5x", "A.npy", "1e400", "--1"})
    EXPECT_EQ(f64(text), 777) << text;
  Array scalar;
  EXPECT_FALSE(parseScalar("1e39", DType::F32, scalar));
  // Rounded once, not by way of f64: this lies just above the middle between
  // two neighbours, and rounds to it in f64.
  ASSERT_TRUE(parseScalar("1.00000005960464477540", DType::F32, scalar));
  EXPECT_EQ(*scalar.as<float>(), 1 + 0x1p-23f);
}

TEST(Print, Elements) {
  EXPECT_EQ(printElements(makeArray<float>({}, {0.1f})), "0.1");
  EXPECT_EQ(printElements(makeArray<double>({2, 2}, {1, -0.5, 20, NAN})),
            "[[   1 -0.5]\n [  20  nan]]");
  EXPECT_EQ(printElements(makeArray<double>({2, 0}, {})), "[]");
  EXPECT_EQ(printElements(makeArray<double>({2, 1, 1}, {1, 2})),
            "[[[1]]\n\n [[2]]]");
  std::string text =
      printElements(makeArray<float>({1001}, std::vector<float>(1001, 7)));
  EXPECT_EQ(text, "[7 7 7 ... 7 7 7]");
}

TEST(Print, Seconds) {
  EXPECT_EQ(printSeconds(1.5), "1.5 s");
  EXPECT_EQ(printSeconds(0.0012345), "1.234 ms");
  EXPECT_EQ(printSeconds(2e-9), "2 ns");
}

} // namespace
