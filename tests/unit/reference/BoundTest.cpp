//===- BoundTest.cpp - The bounds against real f32 arithmetic -------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same sum in many orders, on data made to be hard on f32: all of them have
// to be inside of the bound, and what is wrong by little more outside.
//
//===----------------------------------------------------------------------===//

#include "DefBuilder.h"
#include "reference/Compare.h"
#include "reference/Convert.h"
#include "reference/Rounding.h"
#include "runtime/Half.h"
#include <cmath>
#include <numeric>
#include <random>

using namespace ein;
using namespace ein::reference;
using namespace ein::reference::test;

namespace {

float sumInOrder(const std::vector<float> &x) {
  volatile float sum = 0;
  for (float term : x)
    sum = sum + term;
  return sum;
}

float sumPairwise(const float *x, size_t n) {
  if (n == 1)
    return *x;
  volatile float left = sumPairwise(x, n / 2);
  volatile float right = sumPairwise(x + n / 2, n - n / 2);
  return left + right;
}

/// As vectorised code does, in `lanes` partial sums.
float sumInLanes(const std::vector<float> &x, size_t lanes) {
  std::vector<float> sums(lanes, 0);
  for (size_t i = 0; i < x.size(); ++i)
    sums[i % lanes] += x[i];
  return sumInOrder(sums);
}

std::vector<float> makeAdversary(int kind, size_t n, std::mt19937 &random) {
  std::vector<float> x(n);
  std::uniform_real_distribution<float> uniform(-1, 1);
  for (size_t i = 0; i < n; ++i)
    switch (kind) {
    case 0:
      x[i] = 0.1f; // every addition rounds, all in one direction
      break;
    case 1:
      x[i] = uniform(random);
      break;
    case 2: // cancellation
      x[i] = (i % 2 ? -1 : 1) * (1e7f + float(i % 7));
      break;
    case 3: // thirty orders of magnitude
      x[i] = uniform(random) * std::pow(10.f, float(random() % 30) - 15);
      break;
    case 4: // one giant, then dwarfs that vanish
      x[i] = i ? 0.9f : 33554432.f;
      break;
    case 5: // subnormal numbers
      x[i] = uniform(random) * 1e-40f;
      break;
    }
  return x;
}

bool isInside(const Value &value, float actual) {
  return compare(value, ElementType::F32, &actual).ok;
}

TEST(Bound, HoldsForEveryOrderOfASum) {
  std::mt19937 random(3);
  for (int kind = 0; kind < 6; ++kind)
    for (size_t n : {1, 2, 3, 10, 1000, 100000}) {
      std::vector<float> x = makeAdversary(kind, n, random);
      Value value = evaluateOne(makeEinsum("i->", {{'i', int64_t(n)}}), {},
                                {makeFloats({int64_t(n)}, x)});
      auto check = [&](float sum) {
        EXPECT_TRUE(isInside(value, sum)) << kind << " " << n << " " << sum;
      };
      check(sumInOrder(x));
      check(sumPairwise(x.data(), n));
      for (size_t lanes : {4, 16, 64})
        check(sumInLanes(x, lanes));
      std::vector<float> y(x.rbegin(), x.rend());
      check(sumInOrder(y));
      std::sort(y.begin(), y.end());
      check(sumInOrder(y));
      std::sort(y.begin(), y.end(),
                [](float a, float b) { return std::abs(a) > std::abs(b); });
      check(sumInOrder(y));
      std::shuffle(y.begin(), y.end(), random);
      check(sumInOrder(y));

      // Higham (3.4), with a little on top: not a loose constant.
      double mass = 0;
      for (float term : x)
        mass += std::abs(double(term));
      EXPECT_LE(value.bounds[0], 1.01 * gamma(double(n) + 3, 0x1p-24) * mass +
                                     (double(n) + 3) * 0x1p-126);
      float outside = float(value.values[0] + 10 * value.bounds[0]);
      EXPECT_FALSE(isInside(value, outside)) << kind << " " << n;
    }
}

TEST(Bound, HoldsForMatrixProductsAndCatchesWrongElements) {
  std::mt19937 random(4);
  std::uniform_real_distribution<float> uniform(-1, 1);
  const int64_t m = 9, k = 257, n = 11;
  std::vector<float> a(m * k), b(k * n), naive(m * n), fused(m * n),
      narrow(m * n), shifted(m * n), short1(m * n);
  for (float &x : a)
    x = uniform(random);
  for (float &x : b)
    x = uniform(random);
  // bf16 keeps the upper half of the bits.
  auto truncate = [](float x) {
    uint32_t bits;
    std::memcpy(&bits, &x, 4);
    bits &= 0xffff0000;
    std::memcpy(&x, &bits, 4);
    return x;
  };
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j)
      for (int64_t l = 0; l < k; ++l) {
        float x = a[i * k + l], y = b[l * n + j];
        volatile float product = x * y;
        naive[i * n + j] += product;
        fused[i * n + j] = std::fma(x, y, fused[i * n + j]);
        narrow[i * n + j] += truncate(x) * truncate(y);
        shifted[i * n + j] += x * b[l * n + (j + 1) % n];
        if (l + 1 < k)
          short1[i * n + j] += product;
      }
  Def def = makeEinsum("ij,jk->ik", {{'i', m}, {'j', k}, {'k', n}});
  Value value =
      evaluateOne(def, {}, {makeFloats({m, k}, a), makeFloats({k, n}, b)});
  auto judge = [&](const std::vector<float> &c) {
    return compare(value, ElementType::F32, c.data());
  };
  EXPECT_TRUE(judge(naive).ok);
  EXPECT_TRUE(judge(fused).ok);
  EXPECT_GT(judge(naive).worstRatio, 0);
  // Wrong by a rounding of the inputs, by a column, by the last term.
  EXPECT_FALSE(judge(narrow).ok);
  EXPECT_EQ(judge(shifted).numFailures, m * n);
  EXPECT_GT(judge(short1).numFailures, m * n * 9 / 10);

  for (int64_t i : {int64_t(0), int64_t(42), m * n - 1}) {
    std::vector<float> wrong = naive;
    wrong[i] += float(10 * value.bounds[i]);
    Comparison comparison = judge(wrong);
    EXPECT_FALSE(comparison.ok);
    EXPECT_EQ(comparison.numFailures, 1);
    EXPECT_EQ(comparison.worstIndex, i);
  }
}

TEST(Bound, HoldsForEveryPairwiseOrderOfANetwork) {
  // A(i, j) B(j, k) C(k, l), where the exact result is small: the errors of
  // the intermediate are seen in full.
  std::mt19937 random(5);
  std::uniform_real_distribution<float> uniform(-1, 1);
  const int64_t n = 40;
  std::vector<float> a(n * n), b(n * n), c(n * n);
  for (int round = 0; round < 5; ++round) {
    for (std::vector<float> *x : {&a, &b, &c})
      for (float &element : *x)
        element = uniform(random) * (random() % 4 ? 1e-3f : 1e3f);
    auto multiply = [&](const std::vector<float> &x,
                        const std::vector<float> &y) {
      std::vector<float> z(n * n);
      for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < n; ++j)
          for (int64_t l = 0; l < n; ++l)
            z[i * n + j] += x[i * n + l] * y[l * n + j];
      return z;
    };
    std::vector<float> left = multiply(multiply(a, b), c);
    std::vector<float> right = multiply(a, multiply(b, c));
    Def def =
        makeEinsum("ij,jk,kl->il", {{'i', n}, {'j', n}, {'k', n}, {'l', n}});
    std::vector<Value> inputs = {makeFloats({n, n}, a), makeFloats({n, n}, b),
                                 makeFloats({n, n}, c)};
    Value value = evaluateOne(def, {}, inputs);
    EXPECT_TRUE(compare(value, ElementType::F32, left.data()).ok);
    EXPECT_TRUE(compare(value, ElementType::F32, right.data()).ok);
    std::swap(left[0], left[1]);
    EXPECT_EQ(compare(value, ElementType::F32, left.data()).numFailures, 2);
  }
}

TEST(Bound, HoldsForF64) {
  std::mt19937 random(6);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> x(10000);
  for (double &term : x)
    term = uniform(random) * (random() % 2 ? 1e6 : 1);
  Def def = makeEinsum("i->", {{'i', 10000}}, ElementType::F64);
  Value value =
      evaluateOne(def, {}, {makeValue({10000}, ElementType::F64, x.data())});
  std::sort(x.begin(), x.end());
  double forward = std::accumulate(x.begin(), x.end(), 0.0);
  double backward = std::accumulate(x.rbegin(), x.rend(), 0.0);
  EXPECT_NE(forward, backward);
  EXPECT_TRUE(compare(value, ElementType::F64, &forward).ok);
  EXPECT_TRUE(compare(value, ElementType::F64, &backward).ok);
  double outside = value.values[0] + 10 * value.bounds[0];
  EXPECT_FALSE(compare(value, ElementType::F64, &outside).ok);
  EXPECT_LT(value.bounds[0], 1e-2); // of a mass of 2.5e9
}

TEST(Bound, ReassociationOfNestedAdditions) {
  // ((a + b) + c) is 1, but (a + (b + c)) is 0 in f32.
  DefBuilder d;
  TensorId a = d.input("a", {}), b = d.input("b", {}), c = d.input("c", {}),
           y = d.output("y", {});
  d.begin(y, UpdateKind::Assign, false);
  d.end(d.apply(BinaryFn::Sub,
                d.apply(BinaryFn::Add, d.read(a, {}), d.read(b, {})),
                d.apply(UnaryFn::Neg, d.read(c, {}))));
  Value value = evaluateOne(
      d.def, {},
      {makeFloats({}, {1e8f}), makeFloats({}, {-1e8f}), makeFloats({}, {1})});
  EXPECT_EQ(value.values[0], 1);
  EXPECT_TRUE(isInside(value, 1));
  EXPECT_TRUE(isInside(value, 0));
  EXPECT_FALSE(isInside(value, -40));
  // Elementary cases stay sharp.
  value = evaluateOne(
      d.def, {},
      {makeFloats({}, {1}), makeFloats({}, {2}), makeFloats({}, {3})});
  EXPECT_LT(value.bounds[0], 6 * 4 * 0x1p-24);
}

/// log_matmul_exp of SPEC.md, in f64 here and in f32 below.
TEST(Bound, HoldsForLogMatmulExp) {
  DefBuilder d;
  Affine M = d.symbol("M"), K = d.symbol("K"), N = d.symbol("N");
  TensorId A = d.input("A", {M, K}), B = d.input("B", {K, N}),
           C = d.output("C", {M, N});
  TensorId shift = d.tensor("shift", TensorRole::Temporary, {M, N}),
           s = d.tensor("s", TensorRole::Temporary, {M, N});
  Affine m, n, k;
  auto interim = [&] {
    return d.apply(BinaryFn::Add, d.read(A, {m, k}), d.read(B, {k, n}));
  };
  for (int step = 0; step < 3; ++step) {
    d.begin(step == 0   ? shift
            : step == 1 ? s
                        : C,
            step == 0   ? UpdateKind::Max
            : step == 1 ? UpdateKind::Add
                        : UpdateKind::Assign,
            step < 2);
    m = d.index("m", M);
    n = d.index("n", N);
    if (step < 2)
      k = d.reduce("k", K);
    if (step == 0)
      d.end(interim());
    else if (step == 1)
      d.end(d.apply(UnaryFn::Exp,
                    d.apply(BinaryFn::Sub, interim(), d.read(shift, {m, n}))));
    else
      d.end(d.apply(BinaryFn::Add, d.apply(UnaryFn::Log, d.read(s, {m, n})),
                    d.read(shift, {m, n})));
  }

  std::mt19937 random(8);
  std::uniform_real_distribution<float> uniform(-20, 20);
  const int64_t sizes[] = {5, 33, 4};
  std::vector<float> a(5 * 33), b(33 * 4), c(5 * 4);
  for (float &x : a)
    x = uniform(random);
  for (float &x : b)
    x = uniform(random);
  Value value = evaluateOne(d.def, sizes,
                            {makeFloats({5, 33}, a), makeFloats({33, 4}, b)});
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 4; ++j) {
      float largest = -INFINITY, sum = 0;
      double exact = 0;
      for (int l = 0; l < 33; ++l) {
        largest = std::max(largest, a[i * 33 + l] + b[l * 4 + j]);
        exact += std::exp(double(a[i * 33 + l]) + double(b[l * 4 + j]));
      }
      for (int l = 0; l < 33; ++l)
        sum += std::exp(a[i * 33 + l] + b[l * 4 + j] - largest);
      c[i * 4 + j] = std::log(sum) + largest;
      EXPECT_NEAR(value.values[i * 4 + j], std::log(exact), 1e-12);
      EXPECT_LT(value.bounds[i * 4 + j], 1e-3);
    }
  EXPECT_TRUE(compare(value, ElementType::F32, c.data()).ok);
  c[7] += 0.01f;
  EXPECT_EQ(compare(value, ElementType::F32, c.data()).worstIndex, 7);
  EXPECT_FALSE(compare(value, ElementType::F32, c.data()).ok);
}

/// Inner products of half precision up to 4096 terms, as vectors of `lanes`
/// partial sums compute them: with `isWide` in f32, else rounded at each step.
class HalfBounds
    : public testing::TestWithParam<std::tuple<ElementType, int64_t>> {
protected:
  ElementType type = std::get<0>(GetParam());
  int64_t k = std::get<1>(GetParam());
  std::vector<float> a, b;
  std::mt19937 random{8};

  float round(float x) const {
    return type == ElementType::F16
               ? runtime::fromFloat16(runtime::toFloat16(x))
               : runtime::fromBFloat16(runtime::toBFloat16(x));
  }
  uint16_t getBits(float x) const {
    return type == ElementType::F16 ? runtime::toFloat16(x)
                                    : runtime::toBFloat16(x);
  }
  void fill() {
    std::uniform_real_distribution<float> uniform(-1, 1);
    a.resize(k), b.resize(k);
    for (int64_t i = 0; i < k; ++i) {
      a[i] = round(uniform(random));
      b[i] = round(uniform(random));
    }
  }
  Value evaluate(ElementType computeType) const {
    return evaluateOne(makeEinsum("i,i->", {{'i', k}}, computeType), {},
                       {makeFloats({k}, a), makeFloats({k}, b)});
  }
  float sum(size_t lanes, bool isWide) const {
    auto step = [&](float x) { return isWide ? x : round(x); };
    std::vector<float> sums(lanes, 0);
    for (int64_t i = 0; i < k; ++i)
      sums[i % lanes] = step(sums[i % lanes] + step(a[i] * b[i]));
    float total = 0;
    for (float part : sums)
      total = step(total + part);
    return total;
  }
  bool isInside(const Value &value, float actual) const {
    uint16_t bits = getBits(actual);
    return compare(value, type, &bits).ok;
  }
};

TEST_P(HalfBounds, AreTightInF32) {
  double u = Rounding::get(type).unitRoundoff;
  int numTries = 40, caught = 0;
  for (int i = 0; i < numTries; ++i) {
    fill();
    Value value = convert(evaluate(ElementType::F32), ElementType::F32, type);
    for (size_t lanes : {1, 4, 16, 64})
      EXPECT_TRUE(isInside(value, sum(lanes, true)));
    // Not much more than the last rounding and what f32 loses.
    double mass = 0;
    for (int64_t j = 0; j < k; ++j)
      mass += std::abs(double(a[j]) * b[j]);
    EXPECT_LE(value.bounds[0],
              1.1 * (u * std::abs(value.values[0]) + (k + 4) * 0x1p-24 * mass) +
                  Rounding::get(type).smallest);
    // Two units in the last place are too many.
    EXPECT_FALSE(isInside(value, float(value.values[0] + 2 * value.bounds[0] +
                                       4 * u * std::abs(value.values[0]))));
    // A term that is left out is seen wherever it is more than the rounding.
    a[0] = 0;
    caught += !isInside(value, sum(16, true));
  }
  if (k <= 256)
    EXPECT_GT(caught, numTries * 3 / 4);
}

TEST_P(HalfBounds, HoldInTheTypeItself) {
  for (int i = 0; i < 20; ++i) {
    fill();
    Value value = evaluate(type);
    for (size_t lanes : {1, 4, 16, 64})
      EXPECT_TRUE(isInside(value, sum(lanes, false)));
    double mass = 0;
    for (int64_t j = 0; j < k; ++j)
      mass += std::abs(double(a[j]) * b[j]);
    const Rounding &rounding = Rounding::get(type);
    EXPECT_LE(value.bounds[0],
              1.1 * gamma(double(k) + 4, rounding.unitRoundoff) * mass +
                  (k + 4) * rounding.smallest);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Sums, HalfBounds,
    testing::Combine(testing::Values(ElementType::F16, ElementType::BF16),
                     testing::Values(1, 7, 64, 256, 1024, 4096)),
    [](const auto &info) {
      return getSpelling(std::get<0>(info.param)).str() + "_" +
             std::to_string(std::get<1>(info.param));
    });

TEST(Bound, IntegersAreExact) {
  const Rounding &f32 = Rounding::get(ElementType::F32);
  const Rounding &bf16 = Rounding::get(ElementType::BF16);
  EXPECT_EQ(f32.apply(BinaryFn::Add, {3, 0}, {5, 0}).bound, 0);
  EXPECT_EQ(f32.apply(BinaryFn::Mul, {3, 0}, {-5, 0}).bound, 0);
  EXPECT_EQ(f32.apply(BinaryFn::Add, {0x1p24 - 1, 0}, {1, 0}).bound, 0);
  // Not beyond what the type holds, with fractions, or where one is not known.
  EXPECT_GT(f32.apply(BinaryFn::Add, {0x1p24, 0}, {1, 0}).bound, 0);
  EXPECT_GT(f32.apply(BinaryFn::Sub, {0x1p24, 0}, {0x1p24 - 1, 0}).bound, 0);
  EXPECT_GT(bf16.apply(BinaryFn::Mul, {17, 0}, {17, 0}).bound, 0);
  EXPECT_GT(f32.apply(BinaryFn::Add, {0.5, 0}, {1, 0}).bound, 0);
  EXPECT_GT(f32.apply(BinaryFn::Mul, {3, 1e-9}, {5, 0}).bound, 0);
  // Infinities stay what they are.
  EXPECT_EQ(f32.apply(BinaryFn::Add, {infinity, 0}, {1, 0}).value, infinity);
  EXPECT_TRUE(
      std::isnan(f32.apply(BinaryFn::Sub, {infinity, 0}, {infinity, 0}).value));
}

TEST(Bound, LongSumsStillHaveOne) {
  // n u = 1: gamma_n has no value any more.
  EXPECT_NEAR(gamma(1 << 23, 0x1p-24), 1, 1e-6);
  EXPECT_EQ(gamma(1 << 24, 0x1p-24), 2);
  EXPECT_GT(gamma((1 << 23) + 1, 0x1p-24), gamma(1 << 23, 0x1p-24));
  const int64_t n = (1 << 24) + 4096;
  std::vector<float> x(n, 1);
  Value value =
      evaluateOne(makeEinsum("i->", {{'i', n}}), {}, {makeFloats({n}, x)});
  EXPECT_TRUE(isInside(value, sumInOrder(x))); // stagnates at 2^24
  EXPECT_TRUE(std::isfinite(value.bounds[0]));
}

} // namespace
