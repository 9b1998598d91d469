//===- ValuesTest.cpp - Special values, memory, codes ---------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Random.h"
#include "tests/e2e/Harness.h"
#include <cmath>
#include <limits>
#include <malloc.h>

namespace ein::test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNaN = std::numeric_limits<double>::quiet_NaN();

void set(runtime::Array &array, int64_t position, double value) {
  if (array.type == runtime::DType::F32)
    array.as<float>()[position] = static_cast<float>(value);
  else
    array.as<double>()[position] = value;
}

//===----------------------------------------------------------------------===//
// NaN and infinity
//===----------------------------------------------------------------------===//

struct SpecialProgram {
  const char *name;
  const char *text;
};

const SpecialProgram specialPrograms[] = {
    {"matmul", "C(m, n) +=! A(m, k) * B(k, n)"},
    {"matmul_transposed", "C(n, m) +=! A(k, m) * B(n, k)"},
    {"matvec", "C(m) +=! A(m, k) * B(k)"},
    {"dot", "C +=! A(k) * B(k)"},
    {"sum", "C(m) +=! A(m, k)"},
    {"accumulate", "def f(A: f32(M, K), B: f32(K, N)) -> (inout C: f32(M, N)) "
                   "{ C(m, n) += A(m, k) * B(k, n) }"},
    {"chain", "D = einsum(\"mk,kl,ln->mn\", A, B, C)"},
    {"max", "C(m) max=! A(m, k)"},
    {"min", "C(m) min=! A(m, k)"},
    {"max_columns", "C(k) max=! A(m, k)"},
    {"product", "C(m) *=! A(m, k)"},
    {"max_function", "C(m, n) = max(A(m, n), B(m, n))"},
    {"min_function", "C(m, n) = min(A(m, n), B(m, n))"},
    {"relu", "C(m, n) = max(A(m, n), 0)"},
    {"exp", "C(m, n) = exp(A(m, n))"},
    {"log", "C(m, n) = log(A(m, n))"},
    {"sqrt", "C(m, n) = sqrt(A(m, n))"},
    {"tanh", "C(m, n) = tanh(A(m, n))"},
    {"abs", "C(m, n) = abs(A(m, n))"},
    {"divide", "C(m, n) = A(m, n) / B(m, n)"},
    {"divide_by_zero", "C(m, n) = A(m, n) / (B(m, n) * 0)"},
    {"subtract", "C(m, n) = A(m, n) - B(m, n)"},
    {"times_zero", "C(m, n) = A(m, n) * 0"},
    {"minus_itself", "C(m, n) = A(m, n) - A(m, n)"},
    {"condition_on_nan", "C(m, n) = A(m, n) == A(m, n) ? A(m, n) : B(m, n)"},
    {"clamped", "C(m, n) = A(m, n) < 0 ? 0 : A(m, n) >= 1 ? 1 : A(m, n)"},
    {"not_greater", "C(m, n) = !(A(m, n) > B(m, n)) || A(m, n) != 0 ? 1 : 2"},
    {"softmax", "def f(X: f32(M, N)) -> (Y: f32(M, N)) {\n"
                "  t(m) max=! X(m, n)\n  e(m, n) = exp(X(m, n) - t(m))\n"
                "  s(m) +=! e(m, n)\n  Y(m, n) = e(m, n) / s(m)\n}"},
};

class SpecialValues : public testing::TestWithParam<SpecialProgram> {};

/// One, two or every second element of each input is special; the places fall
/// on tiles' edges as well, where padding must neither hide nor spread them.
TEST_P(SpecialValues, Propagate) {
  for (unsigned optLevel : {3u, 0u}) {
    BuildOptions options;
    options.optLevel = optLevel;
    Compiled compiled(GetParam().text, options);
    ASSERT_TRUE(compiled.isOk());
    const double values[] = {kNaN,
                             kInfinity,
                             -kInfinity,
                             -0.0,
                             std::numeric_limits<float>::max(),
                             std::numeric_limits<float>::denorm_min()};
    for (int64_t size : {1, 3, 17, 35})
      for (double value : values)
        for (unsigned pattern = 0; pattern < 3; ++pattern) {
          Sizes sizes;
          for (const std::string &symbol : compiled.getSymbols())
            sizes.push_back({symbol, size});
          CallOptions call;
          call.seed = getSeed();
          call.edit = [&](const std::string &name, runtime::Array &array) {
            int64_t count = array.getNumElements();
            if (count == 0 || (pattern == 0 && name != "A" && name != "X"))
              return;
            set(array, count - 1, value);
            if (pattern == 1)
              set(array, count / 2, -value);
            for (int64_t i = 0; pattern == 2 && i < count; i += 2)
              set(array, i, value);
          };
          EXPECT_TRUE(compiled.check(sizes, call))
              << "with element " << value << ", pattern " << pattern
              << ", size " << size;
        }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, SpecialValues, testing::ValuesIn(specialPrograms),
    [](const testing::TestParamInfo<SpecialProgram> &info) {
      return std::string(info.param.name);
    });

//===----------------------------------------------------------------------===//
// Exact results
//===----------------------------------------------------------------------===//

/// Small integers have exact sums, so each term must come exactly once.
TEST(Exact, AccumulatesOnce) {
  for (const char *text :
       {"def f(A: f32(M, K), B: f32(K, N)) -> (inout C: f32(M, N)) "
        "{ C(m, n) += A(m, k) * B(k, n) }",
        "def f(A: f32(K, M), B: f32(N, K)) -> (inout C: f32(M, N)) "
        "{ C(m, n) += A(k, m) * B(n, k) }"}) {
    Compiled compiled(text);
    ASSERT_TRUE(compiled.isOk());
    CallableEntry entry = compiled.getEntry();
    for (int64_t k : {0, 1, 5, 600, 1200}) {
      int64_t m = 15, n = 33;
      std::vector<float> a(m * k + 1, 1), b(k * n + 1, 2), c(m * n, 10);
      void *pointers[] = {a.data(), b.data(), c.data()};
      std::vector<int64_t> sizes;
      for (const std::string &symbol : entry.signature.symbols)
        sizes.push_back(symbol == "M" ? m : symbol == "N" ? n : k);
      ASSERT_EQ(entry.function(pointers, sizes.data()), 0);
      for (float element : c)
        ASSERT_EQ(element, 10 + 2 * k);
      // And once more on top of it.
      ASSERT_EQ(entry.function(pointers, sizes.data()), 0);
      for (float element : c)
        ASSERT_EQ(element, 10 + 4 * k);
    }
  }
}

/// The identity of a reduction without elements.
TEST(Exact, EmptyReductions) {
  struct {
    const char *text;
    float expected;
  } const cases[] = {
      {"C(m) +=! A(m, k)", 0},           {"C(m) *=! A(m, k)", 1},
      {"C(m) max=! A(m, k)", -INFINITY}, {"C(m) min=! A(m, k)", INFINITY},
      {"C(m) +=! A(m, k) * B(k, m)", 0}, {"C(m) = A(m, k)", 0}};
  for (const auto &test : cases)
    for (bool isStatic : {false, true}) {
      BuildOptions options;
      if (isStatic)
        options.bindings = {{"K", 0}};
      Compiled compiled(test.text, options);
      ASSERT_TRUE(compiled.isOk());
      CallableEntry entry = compiled.getEntry();
      std::vector<int64_t> sizes;
      for (const std::string &symbol : entry.signature.symbols)
        sizes.push_back(symbol == "M" ? 5 : 0);
      float input = 0, output[5] = {7, 7, 7, 7, 7};
      std::vector<void *> pointers(entry.signature.arguments.size(), &input);
      pointers.back() = output;
      ASSERT_EQ(entry.function(pointers.data(), sizes.data()), 0) << test.text;
      for (float element : output)
        EXPECT_EQ(element, test.expected) << test.text;
    }
}

TEST(Exact, SameCallSameBits) {
  Compiled compiled("mk,kl,ln->mn");
  ASSERT_TRUE(compiled.isOk());
  CallableEntry entry = compiled.getEntry();
  std::vector<int64_t> sizes(entry.signature.symbols.size(), 45);
  runtime::Array arrays[4];
  for (size_t i = 0; i < 4; ++i) {
    ASSERT_TRUE(arrays[i].allocate(runtime::DType::F32, {45, 45}));
    runtime::fillRandom(arrays[i], getSeed(), i);
  }
  runtime::Array again;
  ASSERT_TRUE(again.copyFrom(arrays[3]));
  void *pointers[] = {arrays[0].data(), arrays[1].data(), arrays[2].data(),
                      arrays[3].data()};
  ASSERT_EQ(entry.function(pointers, sizes.data()), 0);
  pointers[3] = again.data();
  ASSERT_EQ(entry.function(pointers, sizes.data()), 0);
  EXPECT_EQ(std::memcmp(arrays[3].data(), again.data(), again.getNumBytes()),
            0);
}

//===----------------------------------------------------------------------===//
// Inputs that are one array
//===----------------------------------------------------------------------===//

TEST(Aliasing, InputsMayBeTheSameArray) {
  for (const char *text :
       {"mk,kn->mn", "mk,nk->mn", "km,kn->mn", "mn,mn->mn", "mn,nm->mn",
        "mk,kl,ln->mn", "mn,mn->", "C(m, n) = A(m, n) / (2 + B(n, m))",
        "def f(A: f32(M, M), B: f32(M, M)) -> (inout C: f32(M, M)) {\n"
        "  C(i, j) += A(i, k) * B(k, j)\n  C(i, j) += A(j, i)\n}"})
    for (unsigned optLevel : {3u, 0u}) {
      BuildOptions options;
      options.optLevel = optLevel;
      Compiled compiled(text, options);
      ASSERT_TRUE(compiled.isOk());
      for (int64_t size : {1, 16, 33, 70}) {
        Sizes sizes;
        for (const std::string &symbol : compiled.getSymbols())
          sizes.push_back({symbol, size});
        CallOptions call;
        call.same = {{"B", "A"}};
        EXPECT_TRUE(compiled.check(sizes, call)) << "with B = A";
      }
    }
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

size_t getBytesInUse() {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

/// Programs that allocate: panels, temporaries of all shapes, padded tiles, and
/// copies where a statement reads what it writes.
TEST(Memory, NothingLeaks) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer's own allocator has no mallinfo2";
#endif
  for (const char *text :
       {"mk,kn->mn", "mk,kn->nm", "mk,kl,ln->mn", "bmk,bkn->bmn", "mk,k->m",
        "def f(X: f32(M, N)) -> (Y: f32(M, N)) {\n"
        "  t(m) max=! X(m, n)\n  e(m, n) = exp(X(m, n) - t(m))\n"
        "  s(m) +=! e(m, n)\n  Y(m, n) = e(m, n) / s(m)\n}",
        "def f(A: f32(N, N)) -> (C: f32(N, N), D: f32(N, N)) {\n"
        "  C(i, j) = A(i, j)\n  C(i, j) += C(i, k) * C(k, j)\n"
        "  T(i, j) = C(j, i)\n  C(i, j) = T(i, j) + C(j, i)\n"
        "  D(i, j) = C(i, j)\n}",
        "def f(A: f32(N)) -> (inout C: f32(N)) {\n"
        "  T(i) = C(N - 1 - i)\n  T(i) = T(i) + A(i)\n  C(i) = T(i)\n}"})
    for (bool isStatic : {false, true})
      for (unsigned optLevel : {3u, 0u}) {
        BuildOptions options;
        options.optLevel = optLevel;
        if (isStatic) {
          for (const std::string &symbol : getSymbols(text))
            options.bindings.push_back({symbol, 9});
        }
        Compiled compiled(text, options);
        ASSERT_TRUE(compiled.isOk());
        CallableEntry entry = compiled.getEntry();
        std::vector<int64_t> sizes(entry.signature.symbols.size(), 9);
        runtime::Invocation invocation(entry.signature);
        Sizes bindings;
        for (const std::string &symbol : entry.signature.symbols)
          bindings.push_back({symbol, 9});
        std::string error;
        ASSERT_TRUE(invocation.bind(bindings, error) &&
                    invocation.fillMissing(1, error))
            << error;
        std::vector<runtime::Array> outputs(entry.signature.arguments.size());
        std::vector<void *> pointers;
        for (size_t i = 0; i < outputs.size(); ++i) {
          runtime::Shape shape;
          ASSERT_TRUE(runtime::evaluateShape(entry.signature,
                                             entry.signature.arguments[i],
                                             sizes, shape, error));
          ASSERT_TRUE(outputs[i].allocate(runtime::DType::F32, shape));
          runtime::fillRandom(outputs[i], 1, i);
          pointers.push_back(outputs[i].data());
        }
        ASSERT_EQ(entry.function(pointers.data(), sizes.data()), 0);
        size_t before = getBytesInUse();
        for (int i = 0; i < 1000; ++i)
          if (entry.function(pointers.data(), sizes.data()) != 0)
            FAIL() << text;
        EXPECT_EQ(getBytesInUse(), before)
            << "1000 calls at -O" << optLevel << " of " << text;
      }
}

/// A size for which a temporary can not be had. What the code returns is
/// documented; that it returns at all is the point.
TEST(Memory, NegativeAndContradictingSizes) {
  struct {
    const char *text;
    std::vector<int64_t> sizes;
    int32_t code;
  } const cases[] = {
      {"mk,kn->mn", {-1, 2, 3}, 1},
      {"mk,kn->mn", {2, -2, 3}, 1},
      {"mk,kn->mn", {2, 2, INT64_MIN}, 1},
      {"def f(A: f32(M, K), B: f32(L, N)) -> (C: f32(M, N)) "
       "{ C(m, n) +=! A(m, k) * B(k, n) }",
       {2, 3, 4, 5},
       1},
      {"def f(A: f32(N), W: f32(K)) -> (C: f32(N - K + 1)) "
       "{ C(i) +=! A(i + k) * W(k) }",
       {3, 8},
       1},
      {"def f(A: f32(N)) -> (C: f32(M)) { C(i) = A(i + 2) }", {4, 3}, 2},
      {"def f(A: f32(N)) -> (C: f32(M)) { C(i) = A(2*i) }", {4, 3}, 2},
      {"def f(A: f32(N)) -> (C: f32(M)) { C(i) = A(5 - i) }", {6, 7}, 2},
  };
  for (const auto &test : cases)
    for (unsigned optLevel : {3u, 0u}) {
      BuildOptions options;
      options.optLevel = optLevel;
      Compiled compiled(test.text, options);
      ASSERT_TRUE(compiled.isOk());
      CallableEntry entry = compiled.getEntry();
      ASSERT_EQ(entry.signature.symbols.size(), test.sizes.size());
      // Null: a call that is refused touches nothing.
      std::vector<void *> pointers(entry.signature.arguments.size(), nullptr);
      EXPECT_EQ(entry.function(pointers.data(), test.sizes.data()), test.code)
          << test.text;
    }
}

} // namespace
} // namespace ein::test
