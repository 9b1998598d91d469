//===- FunctionsTest.cpp - How far functions of f32 err ------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions that `ein-expand-math` computes are to err by 2 units in the
// last place at most, whatever the number: here every 4,093rd f32, compared
// with libm's in f64. NaN, infinities and zeros have to be the same ones. And
// a number is to have one value, in a vector, behind the last one, or alone.
//
//===----------------------------------------------------------------------===//

#include "tests/e2e/Harness.h"
#include <cmath>
#include <cstring>
#include <limits>

namespace ein::test {
namespace {

struct Function {
  const char *name;
  double (*value)(double);
};

double rsqrt(double x) { return 1 / std::sqrt(x); }

const Function functions[] = {
    {"exp", std::exp},     {"exp2", std::exp2}, {"expm1", std::expm1},
    {"log", std::log},     {"log2", std::log2}, {"log10", std::log10},
    {"log1p", std::log1p}, {"tanh", std::tanh}, {"erf", std::erf},
    {"erfc", std::erfc},   {"sin", std::sin},   {"cos", std::cos},
    {"sqrt", std::sqrt},   {"rsqrt", rsqrt},
};

constexpr float kInfinity = std::numeric_limits<float>::infinity();
const float kNaN = std::numeric_limits<float>::quiet_NaN();

const float special[] = {
    0.0f, -0.0f, 1.0f, -1.0f, kInfinity, -kInfinity, kNaN, 0x1p-149f,
    -0x1p-149f, 0x1p-126f, 0x1.fffffep127f, -0x1.fffffep127f, 0.5f, 2.0f,
    // Near multiples of a quarter of a turn: 16367173 * 2^72 is the nearest.
    0x1.f37a0ap95f, 1.57079637f, 3.14159274f, 131072.0f, 131088.0f, 1e9f,
    // The ends of the range.
    88.722839f, 88.72284f, -103.97207f, -103.97208f, -87.336548f, 10.0543f};

float fromBits(uint32_t bits) {
  float number;
  std::memcpy(&number, &bits, sizeof number);
  return number;
}

/// How far `got` is from `wanted`, in units in the last place of that; infinite
/// if it is another zero, or NaN where the other one is none.
double getError(float got, double wanted) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  auto rounded = static_cast<float>(wanted);
  if (std::isnan(got) || std::isnan(wanted))
    return std::isnan(got) && std::isnan(wanted) ? 0 : infinity;
  if (got == 0 && rounded == 0)
    return std::signbit(got) == std::signbit(wanted) ? 0 : infinity;
  if (std::isinf(got) || std::isinf(rounded)) {
    if (got == rounded)
      return 0;
    // Where the range ends, the next number is infinite.
    auto clamp = [](double x) {
      return std::isinf(x) ? std::copysign(0x1p128, x) : x;
    };
    return std::abs(clamp(got) - clamp(wanted)) / 0x1p104;
  }
  int exponent = 0;
  std::frexp(wanted, &exponent);
  double unit = std::ldexp(1, std::max(exponent - 24, -149));
  return std::abs(got - wanted) / unit;
}

using Call = std::vector<std::vector<float> *>;

void run(const Compiled &compiled, const Call &arrays) {
  auto size = static_cast<int64_t>(arrays.front()->size());
  std::vector<void *> arguments;
  for (std::vector<float> *array : arrays)
    arguments.push_back(array->data());
  ASSERT_EQ(compiled.getEntry().function(arguments.data(), &size), 0);
}

std::string getText(const std::string &function) {
  return "def f(A: f32(N)) -> (B: f32(N)) { B(i) = " + function + "(A(i)) }";
}

using Case = std::tuple<Function, unsigned>;
class Functions : public testing::TestWithParam<Case> {
protected:
  Function function = std::get<0>(GetParam());
  BuildOptions getOptions() {
    BuildOptions options;
    options.optLevel = std::get<1>(GetParam());
    return options;
  }
};

TEST_P(Functions, ErrByTwoUnits) {
  constexpr uint64_t kStep = 4093;
  constexpr double kMost = 2;
  Compiled compiled(getText(function.name), getOptions());
  ASSERT_TRUE(compiled.isOk());
  std::vector<float> in(std::begin(special), std::end(special));
  for (uint64_t bits = getSeed() % kStep; bits <= UINT32_MAX; bits += kStep)
    in.push_back(fromBits(static_cast<uint32_t>(bits)));
  std::vector<float> out(in.size());
  run(compiled, {&in, &out});
  double worst = 0;
  float place = 0;
  for (size_t i = 0; i < in.size(); ++i)
    if (double error = getError(out[i], function.value(in[i])); error > worst) {
      worst = error;
      place = in[i];
    }
  EXPECT_LE(worst, kMost) << function.name << " of " << std::hexfloat << place;
}

TEST_P(Functions, AreTheSameAnywhere) {
  Compiled compiled(getText(function.name), getOptions());
  Compiled alone(
      "def f(a: f32) -> (b: f32) { b = " + std::string(function.name) + "(a) }",
      getOptions());
  ASSERT_TRUE(compiled.isOk() && alone.isOk());
  std::vector<float> in(std::begin(special), std::end(special));
  for (int i = 0; i < 21; ++i)
    in.push_back(std::ldexp(0.71f + 0.013f * float(i), i - 12));
  std::vector<float> out(in.size());
  run(compiled, {&in, &out});
  auto areSame = [](float x, float y) {
    return std::memcmp(&x, &y, sizeof x) == 0 ||
           (std::isnan(x) && std::isnan(y));
  };
  for (size_t size = 1; size < in.size(); ++size) {
    std::vector<float> first(in.begin(), in.begin() + size), result(size);
    run(compiled, {&first, &result});
    for (size_t i = 0; i < size; ++i)
      EXPECT_TRUE(areSame(result[i], out[i])) << in[i] << " of " << size;
    float number = in[size - 1], value = 0;
    void *arguments[] = {&number, &value};
    ASSERT_EQ(alone.getEntry().function(arguments, nullptr), 0);
    EXPECT_TRUE(areSame(value, out[size - 1])) << number << " alone";
  }
}

INSTANTIATE_TEST_SUITE_P(Each, Functions,
                         testing::Combine(testing::ValuesIn(functions),
                                          testing::Values(3u, 0u)),
                         [](const testing::TestParamInfo<Case> &info) {
                           return std::string(std::get<0>(info.param).name) +
                                  "_O" +
                                  std::to_string(std::get<1>(info.param));
                         });

/// Powers of all pairs of special numbers, and of random ones whose power is in
/// range.
TEST(Power, ErrsByTwoUnits) {
  const float bases[] = {0.0f,
                         -0.0f,
                         1.0f,
                         -1.0f,
                         kInfinity,
                         -kInfinity,
                         kNaN,
                         2.0f,
                         -2.0f,
                         3.0f,
                         -3.0f,
                         0.5f,
                         -0.5f,
                         1.5f,
                         -1.5f,
                         0x1p-149f,
                         -0x1p-149f,
                         0x1.fffffep127f,
                         -0x1.fffffep127f,
                         0x1.fffffep-1f,
                         0x1.000002p0f,
                         8388607.5f,
                         16777215.0f,
                         -16777215.0f,
                         16777216.0f,
                         33554434.0f};
  std::vector<float> x, y;
  for (float base : bases)
    for (float exponent : bases) {
      x.push_back(base);
      y.push_back(exponent);
    }
  uint64_t state = getSeed() * 2 + 1;
  auto draw = [&]() {
    state = state * 6364136223846793005 + 1442695040888963407;
    return static_cast<uint32_t>(state >> 33);
  };
  for (int i = 0; i < 200000; ++i) {
    float base =
        std::ldexp(1 + float(draw() % (1 << 23)) * 0x1p-23f,
                   i % 3 == 0 ? int(draw() % 250) - 125 : int(draw() % 5) - 2);
    double binary = double(draw() % 30000) / 100 - 150;
    bool isWhole = i % 5 == 0;
    x.push_back(isWhole && i % 2 ? -base : base);
    y.push_back(isWhole ? float(int(draw() % 61)) - 30
                        : static_cast<float>(binary / std::log2(base)));
  }
  for (unsigned optLevel : {3u, 0u}) {
    BuildOptions options;
    options.optLevel = optLevel;
    Compiled compiled("def f(A: f32(N), B: f32(N)) -> (C: f32(N)) {\n"
                      "  C(i) = pow(A(i), B(i))\n}",
                      options);
    ASSERT_TRUE(compiled.isOk());
    std::vector<float> out(x.size());
    run(compiled, {&x, &y, &out});
    for (size_t i = 0; i < x.size(); ++i)
      ASSERT_LE(getError(out[i], std::pow(double(x[i]), double(y[i]))), 2)
          << x[i] << " to the " << y[i] << " is " << out[i] << " at -O"
          << optLevel;
  }
}

} // namespace
} // namespace ein::test
