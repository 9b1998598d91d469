//===- RoundingTest.cpp - Pairs against real f32 arithmetic ---------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The property that everything else rests on: whatever an operand holds within
// its bound, the f32 result of an operation is within the result's bound.
//
//===----------------------------------------------------------------------===//

#include "reference/Rounding.h"
#include "reference/Compare.h"
#include "reference/Functions.h"
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace ein;
using namespace ein::reference;

namespace {

const Rounding &f32 = Rounding::get(ElementType::F32);

bool isInside(Pair pair, float actual) {
  Value value;
  value.values = Eigen::ArrayXd::Constant(1, pair.value);
  value.bounds = Eigen::ArrayXd::Constant(1, pair.bound);
  return compare(value, ElementType::F32, &actual).ok;
}

class Sampler {
public:
  /// A pair of any magnitude, with a bound of any relation to it.
  Pair makePair() {
    static const float special[] = {0,         -0.f, 1,     -1,     INFINITY,
                                    -INFINITY, NAN,  3e38f, -3e38f, 1e-38f,
                                    1e-45f,    88,   89,    -104,   16777216};
    float value = random() % 3 ? magnitude() : special[random() % 15];
    double bound = 0;
    switch (random() % 5) {
    case 0:
    case 1:
      break;
    case 2:
      bound = std::abs(value) * 1e-6;
      break;
    case 3:
      bound = std::abs(value) * std::abs(unit(random)) * 2;
      break;
    case 4:
      bound = std::abs(magnitude());
      break;
    }
    if (!std::isfinite(value))
      bound = 0;
    return {value, bound};
  }

  /// What compiled code may hold for it.
  float sample(Pair pair) {
    if (pair.bound == 0)
      return float(pair.value);
    double where = random() % 3 == 0   ? 1
                   : random() % 2 == 0 ? -1
                                       : unit(random);
    auto result = float(pair.value + where * pair.bound);
    // Rounding to f32 must not lead outside.
    while (std::isfinite(result) && std::abs(result - pair.value) > pair.bound)
      result = std::nextafter(result, float(pair.value));
    return result;
  }

  std::mt19937 random{11};

private:
  std::uniform_real_distribution<double> unit{-1, 1};
  float magnitude() {
    return float(unit(random) * std::pow(10, int(random() % 80) - 42));
  }
};

float apply(UnaryFn fn, float x) { return evaluate(fn, x); }

float apply(BinaryFn fn, float x, float y) {
  switch (fn) {
  case BinaryFn::Add:
    return x + y;
  case BinaryFn::Sub:
    return x - y;
  case BinaryFn::Mul:
    return x * y;
  case BinaryFn::Div:
    return x / y;
  case BinaryFn::Max:
    return std::isnan(x) || std::isnan(y) ? NAN : std::max(x, y);
  case BinaryFn::Min:
    return std::isnan(x) || std::isnan(y) ? NAN : std::min(x, y);
  case BinaryFn::MaxNum:
    return std::fmax(x, y);
  case BinaryFn::MinNum:
    return std::fmin(x, y);
  case BinaryFn::Pow:
    return std::pow(x, y);
  case BinaryFn::Atan2:
    return std::atan2(x, y);
  case BinaryFn::CopySign:
    return std::copysign(x, y);
  case BinaryFn::Fmod:
    return std::fmod(x, y);
  case BinaryFn::Remainder:
    return std::remainder(x, y);
  case BinaryFn::NextAfter:
    return std::nextafter(x, y);
  default:
    break; // of integers, or makes a complex number
  }
  return 0;
}

TEST(Rounding, UnaryFunctionsStayInside) {
  Sampler sampler;
  for (UnaryFn fn :
       {UnaryFn::Neg,   UnaryFn::Exp,   UnaryFn::Log,    UnaryFn::Sqrt,
        UnaryFn::Abs,   UnaryFn::Tanh,  UnaryFn::Exp2,   UnaryFn::Expm1,
        UnaryFn::Log2,  UnaryFn::Log10, UnaryFn::Log1p,  UnaryFn::Rsqrt,
        UnaryFn::Cbrt,  UnaryFn::Sin,   UnaryFn::Cos,    UnaryFn::Tan,
        UnaryFn::Asin,  UnaryFn::Acos,  UnaryFn::Atan,   UnaryFn::Sinh,
        UnaryFn::Cosh,  UnaryFn::Asinh, UnaryFn::Acosh,  UnaryFn::Atanh,
        UnaryFn::Erf,   UnaryFn::Erfc,  UnaryFn::Square, UnaryFn::Ceil,
        UnaryFn::Floor, UnaryFn::Round, UnaryFn::Trunc,  UnaryFn::RoundEven})
    for (int round = 0; round < 20000; ++round) {
      Pair x = sampler.makePair();
      Pair result = f32.apply(fn, x);
      for (int i = 0; i < 5; ++i) {
        float sample = sampler.sample(x), actual = apply(fn, sample);
        ASSERT_TRUE(isInside(result, actual))
            << getSpelling(fn).str() << "(" << x.value << " +- " << x.bound
            << ") = " << result.value << " +- " << result.bound << ", but of "
            << sample << " it is " << actual;
      }
    }
}

TEST(Rounding, SpecialFunctionsStayInside) {
  Sampler sampler;
  for (UnaryFn fn :
       {UnaryFn::Erfcx, UnaryFn::ErfInv, UnaryFn::ErfcInv, UnaryFn::NormCdfInv,
        UnaryFn::Lgamma, UnaryFn::Tgamma, UnaryFn::BesselI0, UnaryFn::BesselI1,
        UnaryFn::BesselJ0, UnaryFn::BesselJ1, UnaryFn::BesselY0,
        UnaryFn::BesselY1, UnaryFn::Logb})
    for (int round = 0; round < 800; ++round) {
      Pair x = sampler.makePair();
      // Most numbers are outside of the domains.
      if (sampler.random() % 4 != 0 && std::isfinite(x.value))
        x.value = float(std::fmod(x.value, sampler.random() % 2 ? 1 : 30));
      if (sampler.random() % 2 != 0)
        x.bound = std::min(x.bound, std::abs(x.value) * 1e-3);
      Pair result = f32.apply(fn, x);
      for (int i = 0; i < 3; ++i) {
        float sample = sampler.sample(x), actual = apply(fn, sample);
        ASSERT_TRUE(isInside(result, actual))
            << getSpelling(fn).str() << "(" << x.value << " +- " << x.bound
            << ") = " << result.value << " +- " << result.bound << ", but of "
            << sample << " it is " << actual;
      }
    }
}

TEST(Rounding, BinaryFunctionsStayInside) {
  Sampler sampler;
  for (BinaryFn fn :
       {BinaryFn::Add, BinaryFn::Sub, BinaryFn::Mul, BinaryFn::Div,
        BinaryFn::Max, BinaryFn::Min, BinaryFn::MaxNum, BinaryFn::MinNum,
        BinaryFn::Pow, BinaryFn::Atan2, BinaryFn::CopySign, BinaryFn::Fmod,
        BinaryFn::Remainder, BinaryFn::NextAfter})
    for (int round = 0; round < 60000; ++round) {
      Pair x = sampler.makePair(), y = sampler.makePair();
      // Numbers of one magnitude cancel.
      if (sampler.random() % 4 == 0 && std::isfinite(x.value))
        y.value = float(x.value * (1 + int(sampler.random() % 3 - 1) * 1e-6));
      Pair result = f32.apply(fn, x, y);
      for (int i = 0; i < 5; ++i) {
        float a = sampler.sample(x), b = sampler.sample(y);
        float actual = apply(fn, a, b);
        ASSERT_TRUE(isInside(result, actual))
            << "(" << x.value << " +- " << x.bound << ") "
            << getSpelling(fn).str() << " (" << y.value << " +- " << y.bound
            << ") = " << result.value << " +- " << result.bound << ", but of "
            << a << " and " << b << " it is " << actual;
      }
    }
}

TEST(Rounding, ChainsStayInside) {
  // Random expressions of a few steps, in pairs and in f32 side by side.
  Sampler sampler;
  for (int round = 0; round < 100000; ++round) {
    std::vector<Pair> pairs;
    std::vector<float> values;
    for (int i = 0; i < 3; ++i) {
      Pair x = sampler.makePair();
      x.bound = 0;
      if (sampler.random() % 2)
        x.value = float(std::fmod(x.value, 3));
      pairs.push_back(x);
      values.push_back(float(x.value));
    }
    std::string text;
    for (int step = 0; step < 5; ++step) {
      size_t a = sampler.random() % pairs.size(),
             b = sampler.random() % pairs.size();
      if (sampler.random() % 3 == 0) {
        auto fn = UnaryFn(sampler.random() % (unsigned(UnaryFn::Tanh) + 1));
        pairs.push_back(f32.apply(fn, pairs[a]));
        values.push_back(apply(fn, values[a]));
        text += getSpelling(fn).str() + " ";
      } else {
        static constexpr BinaryFn functions[] = {BinaryFn::Add, BinaryFn::Sub,
                                                 BinaryFn::Mul, BinaryFn::Div,
                                                 BinaryFn::Max, BinaryFn::Min};
        BinaryFn fn = functions[sampler.random() % 6];
        pairs.push_back(f32.apply(fn, pairs[a], pairs[b]));
        values.push_back(apply(fn, values[a], values[b]));
        text += getSpelling(fn).str() + " ";
      }
      ASSERT_TRUE(isInside(pairs.back(), values.back()))
          << text << pairs.back().value << " +- " << pairs.back().bound
          << ", but it is " << values.back();
    }
  }
}

TEST(Rounding, BoundsAreNotLoose) {
  // An exact operand: the function's own ulps, and little more.
  for (float x : {0.3f, 1.f, 2.5f, 10.f}) {
    for (UnaryFn fn : {UnaryFn::Exp, UnaryFn::Log, UnaryFn::Tanh}) {
      Pair result = f32.apply(fn, Pair{x, 0});
      EXPECT_LE(result.bound, 8.1 * 0x1p-24 * std::abs(result.value) + 1e-37);
    }
    EXPECT_LE(f32.apply(UnaryFn::Sqrt, Pair{x, 0}).bound,
              2.1 * 0x1p-24 * std::sqrt(x));
    EXPECT_LE(f32.apply(BinaryFn::Mul, Pair{x, 0}, Pair{3, 0}).bound,
              2.1 * 0x1p-24 * x * 3);
  }
  // First order: the derivative times the bound.
  EXPECT_NEAR(f32.apply(UnaryFn::Exp, Pair{2, 1e-3}).bound, std::exp(2) * 1e-3,
              1e-5);
  EXPECT_NEAR(f32.apply(UnaryFn::Log, Pair{2, 1e-3}).bound, 1e-3 / 2, 2e-6);
  EXPECT_NEAR(f32.apply(UnaryFn::Sqrt, Pair{4, 1e-3}).bound, 1e-3 / 4, 2e-6);
  EXPECT_NEAR(f32.apply(UnaryFn::Tanh, Pair{0, 1e-3}).bound, 1e-3, 2e-6);
  EXPECT_NEAR(f32.apply(BinaryFn::Div, Pair{1, 1e-3}, Pair{2, 1e-3}).bound,
              1e-3 / 2 + 1e-3 / 4, 2e-6);
}

TEST(Rounding, SpecialCases) {
  auto expect = [](Pair pair, double value, double bound) {
    EXPECT_TRUE(pair.value == value ||
                (std::isnan(pair.value) && std::isnan(value)))
        << pair.value;
    EXPECT_EQ(pair.bound, bound);
  };
  expect(f32.apply(UnaryFn::Log, Pair{0, 0}), -INFINITY, 0);
  expect(f32.apply(UnaryFn::Log, Pair{-1, 0}), NAN, 0);
  expect(f32.apply(UnaryFn::Log, Pair{1e-3, 1e-3}), std::log(1e-3), INFINITY);
  expect(f32.apply(UnaryFn::Log, Pair{-1, 0.5}), NAN, 0);
  expect(f32.apply(UnaryFn::Sqrt, Pair{0, 0}), 0, 0);
  expect(f32.apply(UnaryFn::Exp, Pair{-INFINITY, 0}), 0, 0);
  expect(f32.apply(UnaryFn::Exp, Pair{100, 0}), INFINITY, 0);
  expect(f32.apply(UnaryFn::Exp, Pair{1000, 0}), INFINITY, 0);
  expect(f32.apply(BinaryFn::Div, Pair{1, 0}, Pair{0, 0}), INFINITY, INFINITY);
  expect(f32.apply(BinaryFn::Div, Pair{1, 0}, Pair{0, 0}, true), INFINITY, 0);
  expect(f32.apply(BinaryFn::Div, Pair{-1, 0}, Pair{0, 0}, true), -INFINITY, 0);
  expect(f32.apply(BinaryFn::Div, Pair{0, 0}, Pair{0, 0}), NAN, 0);
  expect(f32.apply(BinaryFn::Div, Pair{1, 0}, Pair{1e-3, 1e-2}), 1e3, INFINITY);
  expect(f32.apply(BinaryFn::Sub, Pair{3, 0}, Pair{3, 0}), 0,
         f32.apply(BinaryFn::Sub, Pair{3, 0}, Pair{3, 0}).bound);
  expect(f32.apply(BinaryFn::Max, Pair{NAN, 0}, Pair{3, 1}), NAN, 0);
  expect(f32.apply(BinaryFn::Max, Pair{INFINITY, 0}, Pair{3, 1}), INFINITY, 0);
  expect(f32.apply(BinaryFn::Max, Pair{1, 0.5}, Pair{3, 0.25}), 3, 0.5);
  expect(f32.literal(0.5, ElementType::F32), 0.5, 0);
  EXPECT_LE(f32.literal(0.1, ElementType::F32).bound, 0.11 * 0x1p-24);
  EXPECT_TRUE(isInside(f32.literal(0.1, ElementType::F32), 0.1f));
  expect(f32.literal(1e39, ElementType::F32), INFINITY, 0);
  expect(Rounding::get(ElementType::F64).literal(0.1, ElementType::F64), 0.1,
         0);
}

TEST(Rounding, F64OverflowsAsCompiledCodeDoes) {
  const Rounding &f64 = Rounding::get(ElementType::F64);
  Pair product = f64.apply(BinaryFn::Mul, Pair{1e200, 0}, Pair{1e200, 0});
  EXPECT_EQ(product.value, INFINITY);
  EXPECT_EQ(product.bound, 0);
  EXPECT_EQ(f64.apply(UnaryFn::Exp, Pair{709.9, 0}).bound, 0);
  EXPECT_EQ(f64.apply(UnaryFn::Exp, Pair{709.9, 1}).bound, INFINITY);
}

} // namespace
