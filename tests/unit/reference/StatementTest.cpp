//===- StatementTest.cpp - Statements, definitions and failures -----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DefBuilder.h"
#include "abi/Codes.h"
#include "reference/Compare.h"
#include <cmath>

using namespace ein;
using namespace ein::reference;
using namespace ein::reference::test;
using runtime::Code;

namespace {

/// y(m) op=! A(m, k), or from y's value so far.
Def makeReduction(UpdateKind update, bool fromIdentity) {
  DefBuilder d;
  Affine M = d.symbol("M"), K = d.symbol("K");
  TensorId A = d.input("A", {M, K});
  TensorId y =
      d.tensor("y", fromIdentity ? TensorRole::Output : TensorRole::InOut, {M});
  d.begin(y, update, fromIdentity);
  Affine m = d.index("m", M), k = d.reduce("k", K);
  d.end(d.read(A, {m, k}));
  return d.def;
}

TEST(Reduction, EveryUpdate) {
  Value a = makeFloats({2, 3}, {1, -2, 3, 4, 5, -6});
  auto reduce = [&](UpdateKind update) {
    return toVector(
        evaluateOne(makeReduction(update, true), {2, 3}, {a}).values);
  };
  EXPECT_EQ(reduce(UpdateKind::Add), (std::vector<double>{2, 3}));
  EXPECT_EQ(reduce(UpdateKind::Mul), (std::vector<double>{-6, -120}));
  EXPECT_EQ(reduce(UpdateKind::Max), (std::vector<double>{3, 5}));
  EXPECT_EQ(reduce(UpdateKind::Min), (std::vector<double>{-2, -6}));
  // An index on the right only is summed.
  EXPECT_EQ(reduce(UpdateKind::Assign), (std::vector<double>{2, 3}));
}

TEST(Reduction, ContinuesFromValuesAndBounds) {
  Value a = makeFloats({2, 2}, {1, -2, 4, 5}), y = makeFloats({2}, {10, -10});
  y.bounds << 0.5, 0;
  auto reduce = [&](UpdateKind update) {
    return evaluateOne(makeReduction(update, false), {2, 2}, {a, y});
  };
  Value sum = reduce(UpdateKind::Add);
  EXPECT_EQ(toVector(sum.values), (std::vector<double>{9, -1}));
  EXPECT_NEAR(sum.bounds[0], 0.5, 1e-4);
  EXPECT_GT(sum.bounds[0], 0.5);
  EXPECT_LT(sum.bounds[1], 1e-4);
  Value product = reduce(UpdateKind::Mul);
  EXPECT_EQ(toVector(product.values), (std::vector<double>{-20, -200}));
  EXPECT_NEAR(product.bounds[0], 1, 1e-4);
  Value most = reduce(UpdateKind::Max);
  EXPECT_EQ(toVector(most.values), (std::vector<double>{10, 5}));
  EXPECT_EQ(toVector(most.bounds), (std::vector<double>{0.5, 0}));
}

TEST(Reduction, OfNothingIsTheIdentity) {
  Value none = makeFloats({2, 0}, {});
  auto reduce = [&](UpdateKind update) {
    Value value = evaluateOne(makeReduction(update, true), {2, 0}, {none});
    EXPECT_EQ(toVector(value.bounds), (std::vector<double>{0, 0}));
    return value.values[1];
  };
  EXPECT_EQ(reduce(UpdateKind::Add), 0);
  EXPECT_EQ(reduce(UpdateKind::Mul), 1);
  EXPECT_EQ(reduce(UpdateKind::Max), -INFINITY);
  EXPECT_EQ(reduce(UpdateKind::Min), INFINITY);
  Value same = evaluateOne(makeReduction(UpdateKind::Add, false), {2, 0},
                           {none, makeFloats({2}, {3, 4})});
  EXPECT_EQ(toVector(same.values), (std::vector<double>{3, 4}));
  // And no elements at all.
  for (UpdateKind update : {UpdateKind::Add, UpdateKind::Mul, UpdateKind::Max})
    EXPECT_EQ(evaluateOne(makeReduction(update, true), {0, 3},
                          {makeFloats({0, 3}, {})})
                  .values.size(),
              0);
}

TEST(Reduction, MaxPropagatesNaN) {
  Value value = evaluateOne(makeReduction(UpdateKind::Max, true), {2, 2},
                            {makeFloats({2, 2}, {1, NAN, -INFINITY, 2})});
  EXPECT_TRUE(std::isnan(value.values[0]));
  EXPECT_EQ(value.values[1], 2);
}

TEST(Reduction, ProductBoundsHold) {
  const int64_t n = 500;
  std::vector<float> x(n);
  for (int64_t i = 0; i < n; ++i)
    x[i] = (i % 2 ? 1.25f : 0.8f) + float(i % 13) * 1e-6f;
  Value value = evaluateOne(makeReduction(UpdateKind::Mul, true), {1, n},
                            {makeFloats({1, n}, x)});
  float forward = 1, backward = 1;
  for (int64_t i = 0; i < n; ++i) {
    forward *= x[i];
    backward *= x[n - 1 - i];
  }
  // 1.25 and 0.8 apart from each other: any order is a number here, but all
  // 250 factors of 1.25 first would not be.
  EXPECT_TRUE(compare(value, ElementType::F32, &forward).ok);
  EXPECT_TRUE(compare(value, ElementType::F32, &backward).ok);

  Value shorter =
      evaluateOne(makeReduction(UpdateKind::Mul, true), {1, 100},
                  {makeFloats({1, 100}, {x.begin(), x.begin() + 100})});
  forward = 1;
  for (int64_t i = 0; i < 100; ++i)
    forward *= x[i];
  EXPECT_TRUE(compare(shorter, ElementType::F32, &forward).ok);
  forward *= 1.001f;
  EXPECT_FALSE(compare(shorter, ElementType::F32, &forward).ok);
}

//===----------------------------------------------------------------------===//
// Subscripts
//===----------------------------------------------------------------------===//

/// O(f, h) +=! I(c, 2*h + kh) * W(f, c, kh): both ways, and by hand.
TEST(Subscripts, StridedConvolution) {
  DefBuilder d;
  Affine C = d.symbol("C"), OH = d.symbol("OH"), KH = d.symbol("KH"),
         F = d.symbol("F");
  TensorId I = d.input("I", {C, OH * 2 + KH - Affine(1)}),
           W = d.input("W", {F, C, KH}), O = d.output("O", {F, OH});
  d.begin(O, UpdateKind::Add, true);
  Affine f = d.index("f", F), h = d.index("h", OH), c = d.reduce("c", C),
         kh = d.reduce("kh", KH);
  d.end(d.mul(d.read(I, {c, h * 2 + kh}), d.read(W, {f, c, kh})));

  const int64_t nc = 3, oh = 5, nkh = 4, nf = 2, ih = 2 * oh + nkh - 1;
  std::vector<float> in(nc * ih), w(nf * nc * nkh);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = float(i % 7) - 3;
  for (size_t i = 0; i < w.size(); ++i)
    w[i] = float(i % 5) - 2;
  std::vector<double> expected;
  for (int64_t a = 0; a < nf; ++a)
    for (int64_t b = 0; b < oh; ++b) {
      double sum = 0;
      for (int64_t e = 0; e < nc; ++e)
        for (int64_t g = 0; g < nkh; ++g)
          sum += double(in[e * ih + 2 * b + g]) * w[(a * nc + e) * nkh + g];
      expected.push_back(sum);
    }
  for (bool useMatrixProducts : {true, false}) {
    Value value =
        evaluateOne(d.def, {nc, oh, nkh, nf},
                    {makeFloats({nc, ih}, in), makeFloats({nf, nc, nkh}, w)},
                    useMatrixProducts);
    EXPECT_EQ(toVector(value.values), expected);
  }
}

TEST(Subscripts, ReversedConstantAndDiagonal) {
  // y(i) = A(N - 1 - i, 1) and then y(i) += A(i, i), on the whole both ways.
  DefBuilder d;
  Affine N = d.symbol("N");
  TensorId A = d.input("A", {N, N}), y = d.output("y", {N});
  d.begin(y, UpdateKind::Assign, false);
  Affine i = d.index("i", N);
  d.end(d.read(A, {N - Affine(1) - i, Affine(1)}));
  d.begin(y, UpdateKind::Add, false);
  i = d.index("i", N);
  d.end(d.read(A, {i, i}));
  Value a = makeFloats({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  for (bool useMatrixProducts : {true, false})
    EXPECT_EQ(toVector(evaluateOne(d.def, {3}, {a}, useMatrixProducts).values),
              (std::vector<double>{8 + 1, 5 + 5, 2 + 9}));
}

TEST(Subscripts, StridesThatCancel) {
  // s +=! A(i, 2 - 3*i) in rows of three: always the element at position 2.
  DefBuilder d;
  TensorId A = d.input("A", {Affine(1), Affine(3)}), s = d.output("s", {});
  d.begin(s, UpdateKind::Add, true);
  Affine i = d.reduce("i", Affine(1));
  d.end(d.read(A, {i, Affine(2) - i * 3}));
  for (bool useMatrixProducts : {true, false})
    EXPECT_EQ(evaluateOne(d.def, {}, {makeFloats({1, 3}, {1, 2, 3})},
                          useMatrixProducts)
                  .values[0],
              3);
}

TEST(Subscripts, IndicesThatNobodyReads) {
  // C(i, j) +=! v(i) summed over k as well: broadcast, and times K.
  DefBuilder d;
  TensorId v = d.input("v", {Affine(2)}),
           C = d.output("C", {Affine(2), Affine(3)});
  d.begin(C, UpdateKind::Add, true);
  Affine i = d.index("i", Affine(2));
  d.index("j", Affine(3));
  d.reduce("k", Affine(4));
  d.end(d.read(v, {i}));
  for (bool useMatrixProducts : {true, false})
    EXPECT_EQ(toVector(evaluateOne(d.def, {}, {makeFloats({2}, {1, 2})},
                                   useMatrixProducts)
                           .values),
              (std::vector<double>{4, 4, 4, 8, 8, 8}));
}

TEST(Subscripts, TheRightSideReadsTheOldContents) {
  // y(i) = y(N - 1 - i) turns y round, in place.
  DefBuilder d;
  Affine N = d.symbol("N");
  TensorId y = d.tensor("y", TensorRole::InOut, {N});
  d.begin(y, UpdateKind::Assign, false);
  Affine i = d.index("i", N);
  d.end(d.read(y, {N - Affine(1) - i}));
  EXPECT_EQ(
      toVector(evaluateOne(d.def, {3}, {makeFloats({3}, {1, 2, 3})}).values),
      (std::vector<double>{3, 2, 1}));
}

//===----------------------------------------------------------------------===//
// Definitions
//===----------------------------------------------------------------------===//

TEST(Definition, ScalarsLiteralsAndSeveralResults) {
  // z(i) = 2 * alpha + x(i); m max=! z(i)
  DefBuilder d;
  Affine N = d.symbol("N");
  TensorId alpha = d.input("alpha", {}), x = d.input("x", {N}),
           z = d.output("z", {N}), m = d.output("m", {});
  d.begin(z, UpdateKind::Assign, false);
  Affine i = d.index("i", N);
  d.end(d.apply(BinaryFn::Add, d.mul(d.literal(2), d.read(alpha, {})),
                d.read(x, {i})));
  d.begin(m, UpdateKind::Max, true);
  i = d.reduce("i", N);
  d.end(d.read(z, {i}));
  std::vector<Value> results;
  Failure failure;
  ASSERT_TRUE(succeeded(
      evaluate(d.def, {3}, {makeFloats({}, {0.5f}), makeFloats({3}, {1, 5, 3})},
               results, failure)));
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(toVector(results[0].values), (std::vector<double>{2, 6, 4}));
  EXPECT_EQ(results[0].shape, std::vector<int64_t>{3});
  EXPECT_EQ(toVector(results[1].values), std::vector<double>{6});
  EXPECT_EQ(results[1].shape, std::vector<int64_t>{});
  EXPECT_EQ(results[1].bounds[0], results[0].bounds.maxCoeff());
}

TEST(Definition, AnOverflowedTemporaryIsKnownToBeInfinite) {
  // t = x * x; y = 1 / t
  DefBuilder d;
  TensorId x = d.input("x", {}), t = d.tensor("t", TensorRole::Temporary, {}),
           y = d.output("y", {});
  d.begin(t, UpdateKind::Assign, false);
  d.end(d.mul(d.read(x, {}), d.read(x, {})));
  d.begin(y, UpdateKind::Assign, false);
  d.end(d.apply(BinaryFn::Div, d.literal(1), d.read(t, {})));
  Value value = evaluateOne(d.def, {}, {makeFloats({}, {1e30f})});
  EXPECT_EQ(value.values[0], 0);
  EXPECT_EQ(value.bounds[0], 0);
}

class FailureTest : public testing::Test {
protected:
  DefBuilder d;
  Affine M = d.symbol("M"), N = d.symbol("N");
  TensorId A = d.input("A", {M}), B = d.input("B", {N}), y = d.output("y", {M});

  FailureTest() {
    d.begin(y, UpdateKind::Assign, false);
    Affine i = d.index("i", M);
    d.end(d.apply(BinaryFn::Add, d.read(A, {i}), d.read(B, {i + Affine(1)})));
  }

  Failure run(int64_t m, int64_t n, int64_t given) {
    std::vector<Value> results;
    Failure failure;
    EXPECT_FALSE(
        succeeded(evaluate(d.def, {m, n},
                           {makeFloats({m}, std::vector<float>(m)),
                            makeFloats({given}, std::vector<float>(given))},
                           results, failure)));
    return failure;
  }
};

TEST_F(FailureTest, WrongShapes) {
  Failure failure = run(2, 4, 5);
  EXPECT_EQ(failure.code, int32_t(Code::ShapeMismatch));
  EXPECT_EQ(failure.message, "`B` has another shape than its dims");
}

TEST_F(FailureTest, AccessesOutOfBounds) {
  Failure failure = run(3, 3, 3);
  EXPECT_EQ(failure.code, int32_t(Code::OutOfRange));
  EXPECT_EQ(failure.message, "an access of `B` leaves dimension 0");
  // Nothing is accessed where there are no points.
  evaluateOne(d.def, {0, 0}, {makeFloats({0}, {}), makeFloats({0}, {})});
}

TEST_F(FailureTest, Checks) {
  d.def.checks.push_back({SizeCheck::InBounds,
                          N - M - Affine(1),
                          {M},
                          "`B` is accessed at `i + 1`",
                          {}});
  Failure failure = run(3, 3, 3);
  EXPECT_EQ(failure.code, int32_t(Code::OutOfRange));
  EXPECT_EQ(failure.message, "`B` is accessed at `i + 1`");
  evaluateOne(d.def, {0, 0}, {makeFloats({0}, {}), makeFloats({0}, {})});

  d.def.checks.push_back({SizeCheck::Equal, N - Affine(4), {}, "N is 4", {}});
  EXPECT_EQ(run(2, 5, 5).code, int32_t(Code::ShapeMismatch));
  EXPECT_EQ(run(2, 5, 5).message, "N is 4");
  d.def.checks.back() = {
      SizeCheck::NonNegativeExtent, Affine(4) - N, {}, "4 - N", {}};
  EXPECT_EQ(run(2, 5, 5).code, int32_t(Code::ShapeMismatch));
  // The first that fails decides.
  EXPECT_EQ(run(5, 5, 5).code, int32_t(Code::OutOfRange));
}

TEST_F(FailureTest, WrongNumbers) {
  std::vector<Value> results;
  Failure failure;
  EXPECT_TRUE(failed(evaluate(d.def, {1}, {}, results, failure)));
  EXPECT_EQ(failure.message, "1 sizes for 2 symbols");
  EXPECT_TRUE(failed(evaluate(d.def, {1, 2}, {}, results, failure)));
  EXPECT_EQ(failure.message, "0 inputs for 2");
  EXPECT_TRUE(failed(evaluate(d.def, {-1, 2}, {}, results, failure)));
  EXPECT_EQ(failure.message, "`M` cannot be -1");
}

TEST(Failures, TooLargeAndOverflow) {
  DefBuilder d;
  Affine N = d.symbol("N");
  TensorId s = d.input("s", {}), y = d.output("y", {N, N * 1000000});
  d.begin(y, UpdateKind::Assign, false);
  d.index("i", N);
  d.index("j", N * 1000000);
  d.end(d.read(s, {}));
  std::vector<Value> results;
  Failure failure;
  Value one = makeFloats({}, {1});
  EXPECT_TRUE(failed(evaluate(d.def, {100000}, {one}, results, failure)));
  EXPECT_EQ(failure.code, int32_t(Code::OutOfMemory));
  EXPECT_TRUE(
      failed(evaluate(d.def, {int64_t(1) << 60}, {one}, results, failure)));
  EXPECT_EQ(failure.code, int32_t(Code::ShapeMismatch));
}

/// A divisor's bound says whether rounding may make it zero.
TEST(Failures, DivisorThatMayBeZero) {
  DefBuilder d(ElementType::I32);
  TensorId x = d.input("x", {}), y = d.output("y", {});
  d.begin(y, UpdateKind::Assign, false);
  d.end(d.apply(BinaryFn::Div, d.read(x, {}), d.read(x, {})));
  std::vector<Value> results;
  auto run = [&](int32_t value, double bound) {
    Value divisor = makeValue({}, ElementType::I32, &value);
    divisor.bounds[0] = bound;
    Failure failure;
    failure.code = -1;
    bool isOk = succeeded(evaluate(d.def, {}, {divisor}, results, failure));
    return std::pair(isOk, failure.code);
  };
  double infinity = std::numeric_limits<double>::infinity();
  int32_t domain = int32_t(Code::Domain);
  EXPECT_EQ(run(3, 0), std::pair(true, 0));
  EXPECT_EQ(run(0, 0), std::pair(false, domain));
  EXPECT_EQ(run(0, infinity), std::pair(true, domain));
  EXPECT_EQ(run(3, infinity), std::pair(true, domain));
}

} // namespace
