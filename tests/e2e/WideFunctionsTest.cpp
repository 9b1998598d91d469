//===- WideFunctionsTest.cpp - Functions of f64 -------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of f64 that `ein-expand-math` computes are to err by 1.5 units
// in the last place at most, `pow` by 2. They are compared with libm's in long
// double, which has 11 bits more: at the ends of the range, at numbers of any
// exponent, and where each function is hardest. And a number is to have one
// value, in a vector, behind the last one, or alone.
//
//===----------------------------------------------------------------------===//

#include "tests/e2e/Harness.h"
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

namespace ein::test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

const double special[] = {
    0.0, -0.0, 1, -1, 0.5, -0.5, 2, -2, kInfinity, -kInfinity,
    std::numeric_limits<double>::quiet_NaN(), 0x1p-1074, -0x1p-1074, 0x1p-1022,
    0x1p-60, -0x1p-60, 0x1.fffffffffffffp1023, -0x1.fffffffffffffp1023,
    // Next to multiples of a quarter of a turn.
    1.5707963267948966, 3.141592653589793, 1048575.5, 1048576.5, 2e6, 1e22,
    // Those of any exponent next to them, where glibc errs by up to 143,000.
    6381956970095103 * 0x1p797, 0x1.4c96c11134d36p+578, 0x1.69eab0985179bp+246,
    -0x1.817050190d2a4p+734, -0x1.1d09901565674p+613,
    // The ends of the range.
    709.78271289338397, 709.78271289338409, -745.13321910194122,
    -745.13321910194111, 710.47586007394386, 710.47586007394398, 26.5, 27.3};

struct WideFunction {
  const char *name;
  long double (*value)(long double);
  /// Where arguments are drawn, beside numbers of any exponent.
  double least, most;
};

const WideFunction wideFunctions[] = {
    {"exp", std::exp, -2, 2},       {"exp2", std::exp2, -2, 2},
    {"expm1", std::expm1, -2, 2},   {"log", std::log, 0.5, 2},
    {"log2", std::log2, 0.5, 2},    {"log10", std::log10, 0.5, 2},
    {"log1p", std::log1p, -0.8, 2}, {"tanh", std::tanh, -2, 2},
    {"sinh", std::sinh, -2, 2},     {"cosh", std::cosh, -2, 2},
    {"cbrt", std::cbrt, -8, 8},     {"erf", std::erf, -3, 3},
    {"erfc", std::erfc, -2, 27},    {"sin", std::sin, -100, 100},
    {"cos", std::cos, -100, 100},   {"tan", std::tan, -100, 100},
    {"asin", std::asin, -1, 1},     {"acos", std::acos, -1, 1},
    {"atan", std::atan, -3, 3},
};

/// How far `got` is from `wanted`, in units in the last place of that; infinite
/// if it is another zero, or NaN where the other one is none.
double getWideError(double got, long double wanted) {
  auto rounded = static_cast<double>(wanted);
  if (std::isnan(got) || std::isnan(wanted))
    return std::isnan(got) && std::isnan(wanted) ? 0 : kInfinity;
  if (got == 0 && rounded == 0)
    return std::signbit(got) == std::signbit(wanted) ? 0 : kInfinity;
  if (got == rounded)
    return std::isinf(got)
               ? 0
               : std::abs(static_cast<double>(got - wanted)) /
                     std::ldexp(1, std::max(std::ilogb(got) - 52, -1074));
  if (std::isinf(got) || std::isinf(rounded)) {
    // Where the range ends, the next number is infinite.
    constexpr double kLast = std::numeric_limits<double>::max();
    return std::abs(got) >= kLast && std::abs(rounded) >= kLast ? 1 : kInfinity;
  }
  int exponent = 0;
  std::frexp(wanted, &exponent);
  return static_cast<double>(std::abs(got - wanted) /
                             std::ldexp(1.0L, std::max(exponent - 53, -1074)));
}

/// Numbers of any sign and exponent, and some between two.
std::vector<double> draw(size_t count, double least, double most) {
  std::mt19937_64 engine(getSeed());
  std::uniform_real_distribution<double> middle(least, most);
  std::vector<double> result(std::begin(special), std::end(special));
  while (result.size() < count) {
    uint64_t bits = engine();
    double number;
    std::memcpy(&number, &bits, sizeof number);
    result.push_back(result.size() % 2 ? number : middle(engine));
  }
  return result;
}

bool areSame(double x, double y) {
  return std::memcmp(&x, &y, sizeof x) == 0 || (std::isnan(x) && std::isnan(y));
}

void run(const Compiled &compiled,
         const std::vector<std::vector<double> *> &arrays) {
  auto size = static_cast<int64_t>(arrays.front()->size());
  std::vector<void *> arguments;
  for (std::vector<double> *array : arrays)
    arguments.push_back(array->data());
  ASSERT_EQ(compiled.getEntry().function(arguments.data(), &size), 0);
}

BuildOptions getFullOptions() {
  BuildOptions options;
  options.effort = LLVMEffort::Full;
  return options;
}

class WideFunctions : public testing::TestWithParam<WideFunction> {};

TEST_P(WideFunctions, ErrByLittleMoreThanAUnit) {
  constexpr double kMost = 1.5;
  const WideFunction function = GetParam();
  std::string name = function.name;
  Compiled compiled("def f(A: f64(N)) -> (B: f64(N)) { B(i) = " + name +
                        "(A(i)) }",
                    getFullOptions());
  Compiled alone("def f(a: f64) -> (b: f64) { b = " + name + "(a) }",
                 getFullOptions());
  ASSERT_TRUE(compiled.isOk() && alone.isOk());
  std::vector<double> in = draw(100003, function.least, function.most);
  std::vector<double> out(in.size());
  run(compiled, {&in, &out});
  double worst = 0, place = 0;
  for (size_t i = 0; i < in.size(); ++i)
    if (double error = getWideError(out[i], function.value(in[i]));
        error > worst) {
      worst = error;
      place = in[i];
    }
  EXPECT_LE(worst, kMost) << name << " of " << std::hexfloat << place;
  for (size_t size = 1; size < 90; ++size) {
    std::vector<double> first(in.begin(), in.begin() + size), result(size);
    run(compiled, {&first, &result});
    EXPECT_TRUE(areSame(result.back(), out[size - 1]))
        << name << " of " << in[size - 1] << ", the last of " << size;
    double number = in[size - 1], value = 0;
    void *arguments[] = {&number, &value};
    ASSERT_EQ(alone.getEntry().function(arguments, nullptr), 0);
    EXPECT_TRUE(areSame(value, out[size - 1]))
        << name << " of " << number << " alone";
  }
}

INSTANTIATE_TEST_SUITE_P(Each, WideFunctions, testing::ValuesIn(wideFunctions),
                         [](const testing::TestParamInfo<WideFunction> &info) {
                           return std::string(info.param.name);
                         });

/// Of a hundred thousand numbers a sine erred by 1.5, of two million by 1.6. Of
/// erfc each of some three thousand rows is to be asked often.
TEST(WideNumbers, OfMillionsOfNumbersErrByLittleMoreThanAUnit) {
  constexpr double kMost = 1.5, kRange = 100;
  constexpr size_t kCount = 2000000;
  const WideFunction functions[] = {{"sin", std::sin, -kRange, kRange},
                                    {"cos", std::cos, -kRange, kRange},
                                    {"tan", std::tan, -kRange, kRange},
                                    {"erfc", std::erfc, -1, 27.3}};
  std::mt19937_64 engine(getSeed());
  for (const WideFunction &function : functions) {
    Compiled compiled("def f(A: f64(N)) -> (B: f64(N)) { B(i) = " +
                          std::string(function.name) + "(A(i)) }",
                      getFullOptions());
    ASSERT_TRUE(compiled.isOk());
    std::uniform_real_distribution<double> range(function.least, function.most);
    std::vector<double> in(kCount), out(kCount);
    for (double &number : in)
      number = range(engine);
    run(compiled, {&in, &out});
    double worst = 0, place = 0;
    for (size_t i = 0; i < kCount; ++i)
      if (double error = getWideError(out[i], function.value(in[i]));
          error > worst) {
        worst = error;
        place = in[i];
      }
    EXPECT_LE(worst, kMost)
        << function.name << " of " << std::hexfloat << place;
  }
}

/// Where both are computed of one number, by FMA, they are other formulas than
/// each alone.
TEST(WideNumbers, SinesAndCosinesOfOneErrByLittleMoreThanAUnit) {
  constexpr double kMost = 1.5;
  Compiled compiled("def f(A: f64(N)) -> (B: f64(N), C: f64(N)) {\n"
                    "  B(i) = sin(A(i))\n"
                    "  C(i) = cos(A(i))\n"
                    "}",
                    getFullOptions());
  ASSERT_TRUE(compiled.isOk());
  std::vector<double> in = draw(2000003, -100, 100);
  for (int turn = 1; turn < 1000; ++turn)
    in.push_back(turn * 1.5707963267948966);
  std::vector<double> sines(in.size()), cosines(in.size());
  run(compiled, {&in, &sines, &cosines});
  double worst = 0, place = 0;
  for (size_t i = 0; i < in.size(); ++i) {
    double error = std::max(
        getWideError(sines[i], std::sin(static_cast<long double>(in[i]))),
        getWideError(cosines[i], std::cos(static_cast<long double>(in[i]))));
    if (error > worst) {
      worst = error;
      place = in[i];
    }
  }
  EXPECT_LE(worst, kMost) << std::hexfloat << place;
  for (size_t size = 1; size < 50; ++size) {
    std::vector<double> first(in.begin(), in.begin() + size), b(size), c(size);
    run(compiled, {&first, &b, &c});
    EXPECT_TRUE(areSame(b.back(), sines[size - 1]) &&
                areSame(c.back(), cosines[size - 1]))
        << in[size - 1] << ", the last of " << size;
  }
}

/// A function of two numbers, of all pairs of special numbers and of random
/// ones that `draw` makes.
template <typename DrawT>
void checkPairs(const char *name,
                long double (*value)(long double, long double), double most,
                DrawT draw) {
  Compiled compiled("def f(A: f64(N), C: f64(N)) -> (B: f64(N)) { B(i) = " +
                        std::string(name) + "(A(i), C(i)) }",
                    getFullOptions());
  ASSERT_TRUE(compiled.isOk());
  std::vector<double> first, second;
  for (double x : special)
    for (double y : special) {
      first.push_back(x);
      second.push_back(y);
    }
  std::mt19937_64 engine(getSeed());
  for (int i = 0; i < 100000; ++i) {
    auto [x, y] = draw(engine, i);
    first.push_back(x);
    second.push_back(y);
  }
  std::vector<double> out(first.size());
  run(compiled, {&first, &second, &out});
  for (size_t i = 0; i < out.size(); ++i)
    ASSERT_LE(getWideError(out[i], value(first[i], second[i])), most)
        << name << " of " << std::hexfloat << first[i] << " and " << second[i];
}

TEST(WidePower, ErrsByTwoUnits) {
  std::uniform_real_distribution<double> unit(-1, 1);
  checkPairs("pow", std::pow, 2, [&](std::mt19937_64 &engine, int i) {
    double x = unit(engine), y = unit(engine);
    switch (i % 4) {
    case 0: // near 1, to large powers
      return std::pair(1 + x * 0x1p-8, y * 0x1p17);
    case 1: // of any magnitude
      return std::pair(std::exp(700 * x), 2 * y);
    case 2: // of negative numbers, to odd and even powers
      return std::pair(8 * x, std::round(300 * y));
    default: // large whole powers
      return std::pair(-1.0, std::round(std::ldexp(y, 50 + i / 4 % 5)));
    }
  });
}

TEST(WideArc, OfTwoNumbersErrsByLittleMoreThanAUnit) {
  std::uniform_real_distribution<double> unit(-1, 1);
  checkPairs("atan2", std::atan2, 1.5, [&](std::mt19937_64 &engine, int i) {
    double x = unit(engine), y = unit(engine);
    int exponent = i % 2 ? 0 : static_cast<int>(1000 * unit(engine));
    return std::pair(
        std::ldexp(x, exponent),
        std::ldexp(y, exponent + i % 3 * static_cast<int>(60 * x)));
  });
}

} // namespace
} // namespace ein::test
