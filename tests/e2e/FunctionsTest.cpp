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
// Divisions and maxima that are not the processor's are here as well.
//
//===----------------------------------------------------------------------===//

#include "tests/e2e/FunctionErrors.h"
#include "tests/e2e/Harness.h"
#include <limits>

namespace ein::test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
const float kNaN = std::numeric_limits<float>::quiet_NaN();

const float special[] = {
    0.0f, -0.0f, 1.0f, -1.0f, kInfinity, -kInfinity, kNaN, 0x1p-149f,
    -0x1p-149f, 0x1p-126f, 0x1.fffffep127f, -0x1.fffffep127f, 0.5f, 2.0f,
    // Near multiples of a quarter of a turn: 16367173 * 2^72 is the nearest.
    0x1.f37a0ap95f, 1.57079637f, 3.14159274f, 131072.0f, 131088.0f, 1e9f,
    // The ends of the range.
    88.722839f, 88.72284f, -103.97207f, -103.97208f, -87.336548f, 10.0543f};

using Call = std::vector<std::vector<float> *>;

/// What a function gives to the last bit depends on which products and sums
/// LLVM makes one instruction, so each is tested as users have it.
BuildOptions getFullOptions() {
  BuildOptions options;
  options.effort = LLVMEffort::Full;
  return options;
}

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
    BuildOptions options = getFullOptions();
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

/// Where both are computed of one number, by FMA, they are other formulas than
/// each alone: in vectors, behind the last one, and at numbers near zeros.
TEST(SineAndCosine, OfOneNumberErrByTwoUnits) {
  constexpr uint64_t kStep = 4091;
  constexpr double kMost = 2;
  Compiled compiled("def f(A: f32(N)) -> (B: f32(N), C: f32(N)) {\n"
                    "  B(i) = sin(A(i))\n"
                    "  C(i) = cos(A(i))\n"
                    "}",
                    getFullOptions());
  ASSERT_TRUE(compiled.isOk());
  std::vector<float> in(std::begin(special), std::end(special));
  for (uint64_t bits = getSeed() % kStep; bits <= UINT32_MAX; bits += kStep)
    in.push_back(fromBits(static_cast<uint32_t>(bits)));
  for (int turn = 1; turn < 4099; ++turn)
    in.push_back(static_cast<float>(turn * 1.5707963267948966));
  std::vector<float> sines(in.size()), cosines(in.size());
  run(compiled, {&in, &sines, &cosines});
  for (size_t i = 0; i < in.size(); ++i) {
    ASSERT_LE(getError(sines[i], std::sin(double(in[i]))), kMost) << in[i];
    ASSERT_LE(getError(cosines[i], std::cos(double(in[i]))), kMost) << in[i];
  }
  auto areSame = [](float x, float y) {
    return std::memcmp(&x, &y, sizeof x) == 0 ||
           (std::isnan(x) && std::isnan(y));
  };
  for (size_t size = 1; size < 70; ++size) {
    std::vector<float> first(in.begin(), in.begin() + size), b(size), c(size);
    run(compiled, {&first, &b, &c});
    EXPECT_TRUE(areSame(b.back(), sines[size - 1]) &&
                areSame(c.back(), cosines[size - 1]))
        << in[size - 1] << ", the last of " << size;
  }
}

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
    BuildOptions options = getFullOptions();
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

/// What the C compiler's division gives, or next to it.
void expectQuotient(float got, float x, float divisor) {
  float wanted = x / divisor;
  if (std::isnan(wanted)) {
    EXPECT_TRUE(std::isnan(got)) << x << " / " << divisor << " is " << got;
    return;
  }
  EXPECT_EQ(std::signbit(got), std::signbit(wanted)) << x << " / " << divisor;
  // Half a unit is the division's own; a little more where it is hard to say
  // which number is nearer.
  bool isNear =
      got == wanted || getError(got, double(x) / double(divisor)) <= 0.500001;
  EXPECT_TRUE(isNear) << std::hexfloat << x << " / " << divisor << " is " << got
                      << ", not " << wanted;
}

/// Maxima and minima with a constant, of numbers and of NaN and zeros.
TEST(Constants, AreCompared) {
  Compiled compiled("def f(A: f32(N)) -> (relu: f32(N), down: f32(N), six: "
                    "f32(N), up: f32(N)) {\n"
                    "  relu(i) = max(A(i), 0)\n  down(i) = min(A(i), 0)\n"
                    "  six(i) = min(A(i), 6)\n  up(i) = max(A(i), -0.0)\n}",
                    getFullOptions());
  ASSERT_TRUE(compiled.isOk());
  std::vector<float> in(std::begin(special), std::end(special));
  in.insert(in.end(), {6.0f, -6.0f, 7.0f, -kNaN});
  std::vector<float> out[4];
  for (std::vector<float> &array : out)
    array.resize(in.size());
  run(compiled, {&in, &out[0], &out[1], &out[2], &out[3]});
  for (size_t i = 0; i < in.size(); ++i) {
    float x = in[i];
    if (std::isnan(x)) {
      for (const std::vector<float> &array : out)
        EXPECT_TRUE(std::isnan(array[i]));
      continue;
    }
    EXPECT_EQ(out[0][i], x > 0 ? x : 0.0f) << x;
    EXPECT_FALSE(std::signbit(out[0][i])) << x;
    EXPECT_EQ(out[1][i], x < 0 ? x : 0.0f) << x;
    EXPECT_EQ(std::signbit(out[1][i]), std::signbit(x)) << x;
    EXPECT_EQ(out[2][i], x < 6 ? x : 6.0f) << x;
    EXPECT_EQ(std::signbit(out[2][i]), std::signbit(x)) << x;
    EXPECT_EQ(out[3][i], x > 0 ? x : 0.0f) << x;
  }
}

/// A row is divided by its number: all special ones, and those where
/// reciprocals and quotients leave the range.
TEST(Rows, AreDivided) {
  std::vector<float> numbers(std::begin(special), std::end(special));
  for (int exponent = -149; exponent < 128; exponent += 3)
    for (float fraction : {1.0f, 1.3333334f, 1.9999999f})
      numbers.push_back(std::ldexp(fraction, exponent) *
                        (exponent % 2 ? 1.0f : -1.0f));
  auto size = static_cast<int64_t>(numbers.size());
  for (unsigned optLevel : {3u, 0u}) {
    BuildOptions options = getFullOptions();
    options.optLevel = optLevel;
    Compiled compiled("def f(A: f32(M, N), s: f32(M)) -> (B: f32(M, N)) {\n"
                      "  B(m, n) = A(m, n) / s(m)\n}",
                      options);
    ASSERT_TRUE(compiled.isOk());
    std::vector<float> in, out(size * size);
    for (int64_t row = 0; row < size; ++row)
      in.insert(in.end(), numbers.begin(), numbers.end());
    void *arguments[] = {in.data(), numbers.data(), out.data()};
    int64_t sizes[] = {size, size};
    ASSERT_EQ(compiled.getEntry().function(arguments, sizes), 0);
    for (int64_t i = 0; i < size * size; ++i)
      expectQuotient(out[i], in[i], numbers[i / size]);
  }
}

/// Maxima and minima of rows, of numbers that comparisons do not order: NaN
/// wherever it is, and zeros of both signs.
TEST(Rows, HaveExtrema) {
  Compiled compiled("def f(A: f32(M, N)) -> (high: f32(M), low: f32(M)) {\n"
                    "  high(m) max=! A(m, n)\n  low(m) min=! A(m, n)\n}",
                    getFullOptions());
  ASSERT_TRUE(compiled.isOk());
  constexpr int64_t kColumns = 151;
  const float fills[] = {-0.0f, 0.0f, -1.0f, 1.0f};
  const float others[] = {-0.0f, 0.0f, kNaN, -kNaN, kInfinity, -kInfinity};
  std::vector<float> in, high, low;
  for (float fill : fills)
    for (float other : others)
      for (int64_t place = 0; place < kColumns; place += 5) {
        std::vector<float> row(kColumns, fill);
        row[place] = other;
        in.insert(in.end(), row.begin(), row.end());
        auto isLess = [](float x, float y) {
          return x < y || (x == y && std::signbit(x) && !std::signbit(y));
        };
        high.push_back(std::isnan(other) || isLess(fill, other) ? other : fill);
        low.push_back(std::isnan(other) || isLess(other, fill) ? other : fill);
      }
  auto rows = static_cast<int64_t>(high.size());
  std::vector<float> gotHigh(rows), gotLow(rows);
  void *arguments[] = {in.data(), gotHigh.data(), gotLow.data()};
  int64_t sizes[] = {rows, kColumns};
  ASSERT_EQ(compiled.getEntry().function(arguments, sizes), 0);
  auto expectSame = [](float got, float wanted) {
    EXPECT_EQ(std::isnan(got), std::isnan(wanted));
    if (std::isnan(wanted))
      return;
    EXPECT_EQ(got, wanted);
    EXPECT_EQ(std::signbit(got), std::signbit(wanted));
  };
  for (int64_t row = 0; row < rows; ++row) {
    expectSame(gotHigh[row], high[row]);
    expectSame(gotLow[row], low[row]);
  }
}

} // namespace
} // namespace ein::test
