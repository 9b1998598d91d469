//===- ComplexFunctionsTest.cpp - Functions of complex numbers ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `exp`, `log`, `sqrt`, `abs`, `arg`, `polar`, `pow` and quotients of c64 and
// c128 beside libm's of long double, in units in the last place of the result's
// magnitude: numbers of any exponent and sign, some of middle size, next to the
// unit circle and the axes. Infinities, NaN and zeros with their signs are as
// annex G of C99 has them. And a number has one value, in a vector, behind the
// last one, or alone.
//
//===----------------------------------------------------------------------===//

#include "tests/e2e/Harness.h"
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <random>

namespace ein::test {
namespace {

using Wide = std::complex<long double>;

struct Function {
  const char *name;
  Wide (*value)(Wide);
  /// The most that it may err by.
  double ulps;
  bool isReal = false;
};

Wide toNumber(long double x) { return {x, 0}; }

const Function functions[] = {
    {"exp(Z(i))", [](Wide z) { return std::exp(z); }, 4},
    {"log(Z(i))", [](Wide z) { return std::log(z); }, 3},
    {"sqrt(Z(i))", [](Wide z) { return std::sqrt(z); }, 3},
    {"abs(Z(i))", [](Wide z) { return toNumber(std::abs(z)); }, 2, true},
    {"arg(Z(i))", [](Wide z) { return toNumber(std::arg(z)); }, 2, true},
    {"polar(re(Z(i)), im(Z(i)))",
     [](Wide z) {
       return Wide(z.real() * std::cos(z.imag()),
                   z.real() * std::sin(z.imag()));
     },
     3},
    {"conj(Z(i))", [](Wide z) { return std::conj(z); }, 0},
};

template <typename T> constexpr const char *kName = "c64";
template <> constexpr const char *kName<double> = "c128";
template <typename T> constexpr const char *kPart = "f32";
template <> constexpr const char *kPart<double> = "f64";

/// Parts where something happens: ends of ranges, signs, infinities, NaN.
template <typename T> std::vector<T> getSpecial() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> parts = {0,
                          1,
                          T(0.5),
                          2,
                          Limits::min(),
                          Limits::denorm_min(),
                          Limits::max(),
                          Limits::max() / 2,
                          Limits::infinity(),
                          T(1.5707963267948966),
                          std::log(Limits::max()),
                          std::log(Limits::max()) + 3};
  for (size_t i = 0, e = parts.size(); i < e; ++i)
    parts.push_back(-parts[i]);
  parts.push_back(Limits::quiet_NaN());
  return parts;
}

template <typename T> std::vector<std::complex<T>> draw(size_t count) {
  std::mt19937_64 engine(getSeed());
  std::uniform_real_distribution<T> middle(-3, 3), angle(-4, 4), few(-6, 6);
  std::vector<std::complex<T>> result;
  for (T re : getSpecial<T>())
    for (T im : getSpecial<T>())
      result.push_back({re, im});
  auto any = [&] {
    constexpr int kExponents = std::numeric_limits<T>::max_exponent;
    return std::ldexp(middle(engine),
                      int(engine() % (2 * kExponents)) - kExponents);
  };
  while (result.size() < count)
    switch (result.size() % 4) {
    case 0:
      result.push_back({any(), any()});
      break;
    case 1: // a thin ring
      result.push_back(
          std::polar(T(1) + std::ldexp(middle(engine), -int(engine() % 40)),
                     angle(engine)));
      break;
    case 2: // next to one, or to an axis
      result.push_back({1 + std::ldexp(middle(engine), -int(engine() % 40)),
                        std::ldexp(middle(engine), -int(engine() % 40))});
      break;
    default:
      result.push_back({middle(engine), few(engine)});
    }
  return result;
}

/// How far `got` is from `wanted`, in units in the last place of `magnitude`.
template <typename T>
double getError(T got, long double wanted, long double magnitude) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  using Limits = std::numeric_limits<T>;
  auto rounded = static_cast<T>(wanted);
  if (std::isnan(got) || std::isnan(wanted))
    return std::isnan(got) && std::isnan(wanted) ? 0 : infinity;
  if (std::isinf(got) || std::isinf(rounded)) {
    // Where the range ends, the next number is infinite.
    T least = Limits::max() / 2;
    return got == rounded ||
                   (std::abs(magnitude) > Limits::max() / 2 &&
                    std::abs(got) > least && std::abs(rounded) > least)
               ? 0
               : infinity;
  }
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  exponent = std::max(exponent, Limits::min_exponent);
  return double(std::abs((long double)(got)-wanted) /
                std::ldexp(1.0L, exponent - Limits::digits));
}

template <typename T> double getError(std::complex<T> got, Wide wanted) {
  long double magnitude =
      std::hypot(std::isnan(wanted.real()) ? 0 : wanted.real(),
                 std::isnan(wanted.imag()) ? 0 : wanted.imag());
  return std::max(getError(got.real(), wanted.real(), magnitude),
                  getError(got.imag(), wanted.imag(), magnitude));
}

BuildOptions getFullOptions() {
  BuildOptions options;
  options.effort = LLVMEffort::Full;
  return options;
}

template <typename T>
void run(const Compiled &compiled, std::vector<const void *> arrays,
         int64_t size) {
  std::vector<void *> arguments;
  for (const void *array : arrays)
    arguments.push_back(const_cast<void *>(array));
  ASSERT_EQ(compiled.getEntry().function(arguments.data(), &size), 0);
}

template <typename T> void checkFunction(const Function &function) {
  std::string type = kName<T>, result = function.isReal ? kPart<T> : kName<T>;
  Compiled compiled("def f(Z: " + type + "(N)) -> (W: " + result +
                        "(N)) { W(i) = " + function.name + " }",
                    getFullOptions());
  ASSERT_TRUE(compiled.isOk());
  auto in = draw<T>(40003);
  std::vector<std::complex<T>> out(in.size());
  auto compute = [&](size_t size, std::vector<std::complex<T>> &values) {
    std::vector<T> reals(function.isReal ? size : 0);
    void *target =
        function.isReal ? static_cast<void *>(reals.data()) : values.data();
    run<T>(compiled, {in.data(), target}, int64_t(size));
    for (size_t i = 0; i < reals.size(); ++i)
      values[i] = reals[i];
  };
  compute(in.size(), out);
  double worst = 0;
  std::complex<T> place = 0;
  for (size_t i = 0; i < in.size(); ++i)
    if (double error = getError(out[i], function.value(Wide(in[i])));
        error > worst) {
      worst = error;
      place = in[i];
    }
  EXPECT_LE(worst, function.ulps) << function.name << " of " << std::hexfloat
                                  << place.real() << " + i " << place.imag();
  testing::Test::RecordProperty("worst", std::to_string(worst));
  // Whatever is beside it.
  for (size_t size = 1; size < 70; ++size) {
    std::vector<std::complex<T>> first(size);
    compute(size, first);
    for (size_t i = 0; i < size; ++i)
      EXPECT_EQ(getError(first[i], Wide(out[i])), 0)
          << function.name << ", " << i << " of " << size;
  }
}

class ComplexFunctions : public testing::TestWithParam<Function> {};

TEST_P(ComplexFunctions, OfC64) { checkFunction<float>(GetParam()); }
TEST_P(ComplexFunctions, OfC128) { checkFunction<double>(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, ComplexFunctions, testing::ValuesIn(functions),
                         [](const testing::TestParamInfo<Function> &info) {
                           std::string name = info.param.name;
                           return name.substr(0, name.find('('));
                         });

/// Next to the unit circle the logarithm's real part is small, but for what the
/// squares' rounding errors lose as they are added. Where both parts are alike
/// neither square is near one.
template <typename T> void checkLogsOfOne() {
  std::string type = kName<T>, part = kPart<T>;
  Compiled compiled("def f(Z: " + type + "(N)) -> (L: " + part +
                        "(N)) { L(i) = re(log(Z(i))) }",
                    getFullOptions());
  ASSERT_TRUE(compiled.isOk());
  constexpr T kStep = std::numeric_limits<T>::epsilon() / 2;
  std::mt19937_64 engine(getSeed());
  std::uniform_real_distribution<double> angle(-4, 4);
  std::vector<std::complex<T>> in;
  for (int i = -100; i < 100; ++i)
    for (int j = -8; j <= 8; ++j)
      in.push_back({T(M_SQRT1_2) + i * kStep, T(M_SQRT1_2) + (j - i) * kStep});
  while (in.size() < 20003)
    in.push_back(std::complex<T>(std::polar(1.0, angle(engine))));
  std::vector<T> logs(in.size());
  run<T>(compiled, {in.data(), logs.data()}, int64_t(in.size()));
  for (size_t i = 0; i < in.size(); ++i) {
    T x = std::abs(in[i].real()), y = std::abs(in[i].imag());
    if (x < y)
      std::swap(x, y);
    // The squares and their rounding errors; so, too, the sum's.
    T squareX = x * x, squareY = y * y, sum = squareX + squareY;
    long double low = (long double)(std::fma(x, x, -squareX)) +
                      std::fma(y, y, -squareY) + (squareY - (sum - squareX));
    long double wanted = std::log1p((long double)(sum)-1 + low) / 2;
    EXPECT_LE(std::abs(logs[i] - wanted),
              4 * kStep * (std::abs(wanted) + kStep))
        << "log of " << std::hexfloat << in[i].real() << " + i "
        << in[i].imag();
  }
}

TEST(ComplexFunctions, LogsNextToOne) {
  checkLogsOfOne<float>();
  checkLogsOfOne<double>();
}

/// Zeros, infinities and NaN: what C99 says, signs of zeros included.
template <typename T> void checkSpecial() {
  std::string type = kName<T>;
  Compiled compiled("def f(Z: " + type + "(N)) -> (E: " + type +
                        "(N), L: " + type + "(N), S: " + type +
                        "(N)) { E(i) = exp(Z(i)) L(i) = log(Z(i)) S(i) = "
                        "sqrt(Z(i)) }",
                    getFullOptions());
  ASSERT_TRUE(compiled.isOk());
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  constexpr T kNaN = std::numeric_limits<T>::quiet_NaN();
  std::vector<T> parts = {0,       -T(0),     1,          -1,
                          T(0.25), kInfinity, -kInfinity, kNaN};
  std::vector<std::complex<T>> in;
  for (T re : parts)
    for (T im : parts)
      in.push_back({re, im});
  std::vector<std::complex<T>> exps(in.size()), logs(in.size()),
      roots(in.size());
  run<T>(compiled, {in.data(), exps.data(), logs.data(), roots.data()},
         int64_t(in.size()));
  auto areSame = [](T got, T wanted, bool needsSign) {
    if (std::isnan(got) || std::isnan(wanted))
      return std::isnan(got) && std::isnan(wanted);
    if (std::isinf(wanted))
      return needsSign ? got == wanted : std::isinf(got);
    return std::signbit(got) == std::signbit(wanted) || !needsSign;
  };
  for (size_t i = 0; i < in.size(); ++i) {
    // Where the angle is none, C99 leaves signs open.
    bool hasAngle = std::isfinite(in[i].imag()) || !std::isinf(in[i].real());
    auto check = [&](std::complex<T> got, std::complex<T> wanted, bool re,
                     bool im, const char *name) {
      EXPECT_TRUE(areSame(got.real(), wanted.real(), re) &&
                  areSame(got.imag(), wanted.imag(), im))
          << name << in[i] << " is " << got << ", not " << wanted;
    };
    check(exps[i], std::exp(in[i]), hasAngle, hasAngle, "exp");
    check(logs[i], std::log(in[i]), true, true, "log");
    // Of minus infinity and NaN the sign of the imaginary part is open.
    check(roots[i], std::sqrt(in[i]), true, !std::isnan(in[i].imag()), "sqrt");
  }
}

TEST(ComplexFunctions, AreC99sOfSpecialNumbers) {
  checkSpecial<float>();
  checkSpecial<double>();
}

/// The lesser part of a root beside its larger one, of parts that are next to
/// nothing: half of the imaginary part must not be rounded first.
template <typename T> void checkLesserParts() {
  std::string type = kName<T>;
  Compiled compiled("def f(Z: " + type + "(N)) -> (S: " + type +
                        "(N)) { S(i) = sqrt(Z(i)) }",
                    getFullOptions());
  ASSERT_TRUE(compiled.isOk());
  constexpr T kLeast = std::numeric_limits<T>::denorm_min();
  std::vector<std::complex<T>> in;
  for (T re : {T(1e-10), T(-1e-18), T(1e-30), T(3)})
    for (int count : {1, 3, 5, 7, 1001})
      in.push_back({re, count * kLeast});
  std::vector<std::complex<T>> roots(in.size());
  run<T>(compiled, {in.data(), roots.data()}, int64_t(in.size()));
  for (size_t i = 0; i < in.size(); ++i) {
    Wide wanted = std::sqrt(Wide(in[i]));
    auto isNear = [](T got, long double part) {
      constexpr long double kStep = std::numeric_limits<T>::epsilon();
      return std::abs(got - part) <= 4 * kStep * std::abs(part) + kLeast;
    };
    EXPECT_TRUE(isNear(roots[i].real(), wanted.real()) &&
                isNear(roots[i].imag(), wanted.imag()))
        << "root of " << in[i] << " is " << roots[i] << ", not " << wanted;
  }
}

TEST(ComplexFunctions, LesserPartsOfRoots) {
  checkLesserParts<float>();
  checkLesserParts<double>();
}

/// Powers err by what the exponent's error makes of them, and are exact of
/// zero.
template <typename T> void checkPowers() {
  std::string type = kName<T>;
  Compiled compiled("def f(Z: " + type + "(N), W: " + type +
                        "(N)) -> (P: " + type + "(N), Q: " + type +
                        "(N)) { P(i) = pow(Z(i), W(i)) Q(i) = Z(i) / W(i) }",
                    getFullOptions());
  ASSERT_TRUE(compiled.isOk());
  std::mt19937_64 engine(getSeed());
  std::uniform_real_distribution<T> middle(-3, 3);
  auto number = [&] { return std::complex<T>(middle(engine), middle(engine)); };
  std::vector<std::complex<T>> z = {0, 0, 0, {-1, 0}, {-4, -T(0)}, 2},
                               w = {0, 2, {1, 3}, T(0.5), T(0.5), 0};
  while (z.size() < 20003) {
    z.push_back(number());
    w.push_back(number());
  }
  std::vector<std::complex<T>> powers(z.size()), quotients(z.size());
  run<T>(compiled, {z.data(), w.data(), powers.data(), quotients.data()},
         int64_t(z.size()));
  std::complex<T> zero = 0, one = 1;
  EXPECT_EQ(powers[0], one);
  EXPECT_EQ(powers[1], zero);
  EXPECT_EQ(powers[2], zero);
  EXPECT_EQ(powers[5], one);
  for (size_t i = 3; i < z.size(); ++i) {
    Wide factor = Wide(w[i]) * std::log(Wide(z[i]));
    if (i != 5)
      EXPECT_LE(getError(powers[i], std::exp(factor)),
                5 + 6 * double(std::abs(factor)))
          << z[i] << " to the power " << w[i];
    if (w[i] != zero)
      EXPECT_LE(getError(quotients[i], Wide(z[i]) / Wide(w[i])), 4)
          << z[i] << " / " << w[i];
  }
}

/// Divisors of any magnitude whose inverse is a number, one in a hundred of
/// them: a vector has usual ones and others.
template <typename T> void checkQuotients() {
  std::string type = kName<T>;
  Compiled compiled("def f(Z: " + type + "(N), W: " + type +
                        "(N)) -> (Q: " + type + "(N)) { Q(i) = Z(i) / W(i) }",
                    getFullOptions());
  ASSERT_TRUE(compiled.isOk());
  std::mt19937_64 engine(getSeed());
  std::uniform_real_distribution<T> part(-3, 3);
  constexpr int kExponents = std::numeric_limits<T>::max_exponent;
  auto draw = [&](int exponents) {
    int exponent = int(engine() % (2 * exponents)) - exponents;
    return std::complex<T>(std::ldexp(part(engine), exponent),
                           std::ldexp(part(engine), exponent));
  };
  std::vector<std::complex<T>> z, w, quotients;
  for (int i = 0; i < 40003; ++i) {
    // Whole vectors of usual ones as well.
    bool isUsual = i < 20000 || engine() % 100 != 0;
    w.push_back(draw(isUsual ? kExponents / 4 : kExponents - 20));
    z.push_back(w.back() * draw(8));
  }
  quotients.resize(z.size());
  run<T>(compiled, {z.data(), w.data(), quotients.data()}, int64_t(z.size()));
  for (size_t i = 0; i < z.size(); ++i)
    EXPECT_LE(getError(quotients[i], Wide(z[i]) / Wide(w[i])), 4)
        << z[i] << " / " << w[i];
}

TEST(ComplexFunctions, Quotients) {
  checkQuotients<float>();
  checkQuotients<double>();
}

TEST(ComplexFunctions, Powers) {
  checkPowers<float>();
  checkPowers<double>();
}

} // namespace
} // namespace ein::test
