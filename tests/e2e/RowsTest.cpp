//===- RowsTest.cpp - Reductions, and chains of ops on rows ---------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The strategies `reduce` and `rows`: sizes round those at which a vector, a
// step of several or a block ends; known and open ones, through views, in
// threads; and what softmax makes of infinities and NaN, of whole rows and by
// blocks of columns.
//
//===----------------------------------------------------------------------===//

#include "target/Target.h"
#include "tests/e2e/Harness.h"
#include <cmath>
#include <limits>

namespace ein::test {
namespace {

struct Form {
  const char *name;
  const char *program;
};

const Form reductions[] = {
    {"row_sum", "def f(A: T(M, N)) -> (s: T(M)) { s(i) +=! A(i, j) }"},
    {"row_max", "def f(A: T(M, N)) -> (s: T(M)) { s(i) max=! A(i, j) }"},
    {"row_min_update",
     "def f(A: T(M, N)) -> (inout s: T(M)) { s(i) min= A(i, j) * A(i, j) }"},
    {"row_product", "def f(A: T(M, N)) -> (s: T(M)) { s(i) *=! A(i, j) }"},
    {"column_sum", "def f(A: T(N, M)) -> (s: T(M)) { s(i) +=! A(j, i) }"},
    {"column_max_update",
     "def f(A: T(N, M)) -> (inout s: T(M)) { s(i) max= A(j, i) }"},
    {"column_product", "def f(A: T(N, M)) -> (s: T(M)) { s(i) *=! A(j, i) }"},
    {"all", "def f(A: T(M, N)) -> (s: T) { s +=! A(i, j) }"},
    {"outer_columns",
     "def f(A: T(N, K, M)) -> (s: T(K, M)) { s(k, i) +=! A(j, k, i) }"},
    {"middle",
     "def f(A: T(K, N, M)) -> (s: T(K, M)) { s(k, i) +=! A(k, j, i) }"},
    {"two_sums", "def f(A: T(K, M, N)) -> (s: T(M)) { s(i) +=! A(k, i, j) }"},
    {"squares",
     "def f(A: T(M, N)) -> (s: T(M)) { s(i) +=! A(i, j) * A(i, j) }"},
    {"matvec",
     "def f(A: T(M, N), x: T(N)) -> (y: T(M)) { y(i) +=! A(i, j) * x(j) }"},
    {"weighted", "def f(A: T(M, N), w: T(N), b: T(M)) -> (y: T(M))"
                 " { y(i) +=! max(A(i, j), b(i)) * w(j) + b(i) }"},
};

const Form chains[] = {
    {"softmax", "def f(X: T(M, N)) -> (Y: T(M, N)) {\n"
                "  let top(m) max=! X(m, n)\n"
                "  let e(m, n) = exp(X(m, n) - top(m))\n"
                "  let total(m) +=! e(m, n)\n"
                "  Y(m, n) = e(m, n) / total(m) }"},
    {"softmax_of_two", "def f(X: T(K, M, N), b: T(M, N)) -> (Y: T(K, M, N)) {\n"
                       "  let Z(k, m, n) = X(k, m, n) * 0.5 + b(m, n)\n"
                       "  let top(k, m) max=! Z(k, m, n)\n"
                       "  let e(k, m, n) = exp(Z(k, m, n) - top(k, m))\n"
                       "  let total(k, m) +=! e(k, m, n)\n"
                       "  Y(k, m, n) = e(k, m, n) / total(k, m) }"},
    {"logsumexp", "def f(X: T(M, N)) -> (s: T(M)) {\n"
                  "  let top(m) max=! X(m, n)\n"
                  "  let total(m) +=! exp(X(m, n) - top(m))\n"
                  "  s(m) = top(m) + log(total(m)) }"},
    {"layernorm", "def f(X: T(M, N), g: T(N), b: T(N)) -> (Y: T(M, N)) {\n"
                  "  let mean(m) +=! X(m, n) / N\n"
                  "  let c(m, n) = X(m, n) - mean(m)\n"
                  "  let v(m) +=! c(m, n) * c(m, n) / N\n"
                  "  Y(m, n) = c(m, n) * rsqrt(v(m) + 1e-5) * g(n) + b(n) }"},
    {"rmsnorm", "def f(X: T(M, N), g: T(N)) -> (Y: T(M, N)) {\n"
                "  let s(m) +=! X(m, n) * X(m, n)\n"
                "  Y(m, n) = X(m, n) * rsqrt(s(m) / N + 1e-5) * g(n) }"},
    // Results that leave in the middle, and what is there before.
    {"leaving",
     "def f(X: T(M, N)) -> (inout Y: T(M, N), top: T(M), e: T(M, N)) {\n"
     "  top(m) max=! X(m, n)\n"
     "  e(m, n) = exp(X(m, n) - top(m))\n"
     "  let total(m) +=! e(m, n)\n"
     "  Y(m, n) += e(m, n) / total(m) }"},
    {"in_place", "def f() -> (inout X: T(M, N)) {\n"
                 "  let top(m) max=! X(m, n)\n"
                 "  let total(m) +=! exp(X(m, n) - top(m))\n"
                 "  X(m, n) = exp(X(m, n) - top(m)) / total(m) }"},
    // Rows of one op are no rows of another: what is between stays.
    {"gram", "def f(X: T(M, N)) -> (Y: T(M, M), Z: T(M, N)) {\n"
             "  let top(m) max=! X(m, n)\n"
             "  let e(m, n) = X(m, n) - top(m)\n"
             "  Y(m, p) +=! e(m, n) * e(p, n)\n"
             "  let total(m) +=! e(m, n)\n"
             "  Z(m, n) = e(m, n) * total(m) }"},
    {"causal", "def f(X: T(M, N)) -> (Y: T(M, N)) {\n"
               "  let Z(m, n) = n <= m ? X(m, n) : -1e30\n"
               "  let top(m) max=! Z(m, n)\n"
               "  let e(m, n) = exp(Z(m, n) - top(m))\n"
               "  let total(m) +=! e(m, n)\n"
               "  Y(m, n) = e(m, n) / total(m) }"},
    // What depends on columns only is computed once.
    {"batchnorm", "def f(X: T(N, M), g: T(M), b: T(M)) -> (Y: T(N, M)) {\n"
                  "  let mean(m) +=! X(n, m) / N\n"
                  "  let c(n, m) = X(n, m) - mean(m)\n"
                  "  let v(m) +=! c(n, m) * c(n, m) / N\n"
                  "  Y(n, m) = c(n, m) * rsqrt(v(m) + 1e-5) * g(m) + b(m) }"},
    {"angles", "def f(X: T(K, M, N), w: T(N)) -> (Y: T(K, M, N)) {\n"
               "  Y(k, m, n) = X(k, m, n) * cos(k * exp(-w(n))) +\n"
               "               exp(w(n)) / (1 + w(n) * w(n)) }"},
    // Sums go on from block to block of rows.
    {"moments_of_columns",
     "def f(X: T(N, M)) -> (s: T(M), q: T(M), inout r: T(N)) {\n"
     "  s(m) +=! X(n, m)\n"
     "  q(m) +=! X(n, m) * X(n, m)\n"
     "  r(n) += X(n, m) }"},
    {"extremes_of_columns",
     "def f(X: T(N, M)) -> (inout low: T(M), high: T(M), Y: T(N, M)) {\n"
     "  Y(n, m) = X(n, m) * low(m) + n\n"
     "  low(m) min= Y(n, m)\n"
     "  high(m) max=! Y(n, m) }"},
    {"moments", "def f(X: T(M, N)) -> (s: T(M), q: T(M)) {\n"
                "  s(m) +=! X(m, n)\n"
                "  q(m) +=! X(m, n) * X(m, n) }"},
    // The sum of what the maximum was taken from; the maximum is known before.
    {"softmax_of_columns", "def f(X: T(N, M)) -> (Y: T(N, M)) {\n"
                           "  let top(m) max=! X(n, m)\n"
                           "  let e(n, m) = exp(X(n, m) - top(m))\n"
                           "  let total(m) +=! e(n, m)\n"
                           "  Y(n, m) = e(n, m) / total(m) }"},
};

const Form attentions[] = {
    {"heads_first",
     "def f(Q: T(H, M, D), K: T(H, N, D), V: T(H, N, D)) -> (O: T(H, M, D)) {\n"
     "  let s(h, m, n) +=! Q(h, m, d) * K(h, n, d)\n"
     "  let z(h, m, n) = s(h, m, n) / sqrt(T(D))\n"
     "  let top(h, m) max=! z(h, m, n)\n"
     "  let w(h, m, n) = exp(z(h, m, n) - top(h, m))\n"
     "  let total(h, m) +=! w(h, m, n)\n"
     "  let o(h, m, d) +=! w(h, m, n) * V(h, n, d)\n"
     "  O(h, m, d) = o(h, m, d) / total(h, m) }"},
    {"interleaved_causal",
     "def f(Q: T(M, H, D), K: T(N, H, D), V: T(N, H, D)) -> (O: T(M, H, D)) {\n"
     "  let s(h, m, n) +=! Q(m, h, d) * K(n, h, d)\n"
     "  let z(h, m, n) = n <= m ? s(h, m, n) * 0.25 : -1e30\n"
     "  let top(h, m) max=! z(h, m, n)\n"
     "  let w(h, m, n) = exp(z(h, m, n) - top(h, m))\n"
     "  let total(h, m) +=! w(h, m, n)\n"
     "  let p(h, m, n) = w(h, m, n) / total(h, m)\n"
     "  O(m, h, d) +=! p(h, m, n) * V(n, h, d) }"},
    {"one_head_padded",
     "def f(Q: T(M, D), K: T(N, D), V: T(N, D), b: T(M, N)) -> (O: T(M, D)) {\n"
     "  let s(m, n) +=! Q(m, d) * K(n, d)\n"
     "  let z(m, n) = s(m, n) * 0.25 + b(m, n)\n"
     "  let top(m) max=! z(m, n)\n"
     "  let w(m, n) = exp(z(m, n) - top(m))\n"
     "  let total(m) +=! w(m, n)\n"
     "  let o(m, d) +=! w(m, n) * V(n, d)\n"
     "  O(m, d) = o(m, d) / total(m) }"},
    // All that is gathered along a row leaves; and weights of two kinds.
    {"leaving", "def f(Q: T(M, D), K: T(N, D), V: T(N, D), b: T(M, N)) -> "
                "(O: T(M, D), top: T(M), total: T(M), mean: T(M)) {\n"
                "  let s(m, n) +=! Q(m, d) * K(n, d)\n"
                "  let z(m, n) = s(m, n) * 0.25 + b(m, n)\n"
                "  top(m) max=! z(m, n)\n"
                "  let w(m, n) = exp(z(m, n) - top(m))\n"
                "  total(m) +=! w(m, n)\n"
                "  mean(m) +=! w(m, n) * b(m, n)\n"
                "  O(m, d) +=! w(m, n) * V(n, d) }"},
    // Not all weights count, so those that are NaN may not show.
    {"chosen", "def f(Q: T(M, D), K: T(N, D), V: T(N, D), b: T(M, N)) -> "
               "(O: T(M, D), odd: T(M)) {\n"
               "  let s(m, n) +=! Q(m, d) * K(n, d)\n"
               "  let z(m, n) = s(m, n) * 0.25 + b(m, n)\n"
               "  let top(m) max=! z(m, n)\n"
               "  let w(m, n) = exp(z(m, n) - top(m))\n"
               "  odd(m) +=! n % 2 == 1 ? w(m, n) : 0\n"
               "  O(m, d) +=! w(m, n) * V(n, d) }"},
};

/// Masks by where an element is, `w` for what is masked; the columns behind are
/// left out where that makes no difference.
const Form masks[] = {
    {"causal", "n <= m ? s(h, m, n) * 0.25 : w(h)"},
    {"prefetch_distance", "m + 3 < n ? w(h) : s(h, m, n)"},
    {"behind", "n <= m - 20 ? s(h, m, n) : w(h)"},
    {"slope", "2 * n - m < 9 ? s(h, m, n) : w(h)"},
    {"back", "n < 60 - m ? s(h, m, n) : w(h)"},
    {"length", "n < c(h) ? s(h, m, n) : w(h)"},
    {"causal_length", "n <= m && n < c(h) ? s(h, m, n) : w(h)"},
    // The first columns, which may be whole blocks of them.
    {"window", "n <= m && n > m - 40 ? s(h, m, n) : w(h)"},
    {"late", "n >= c(h) ? s(h, m, n) : w(h)"},
};

/// How the weights become a result: beside, in, or without the division.
const Form results[] = {
    {"after", "  let top(h, m) max=! z(h, m, n)\n"
              "  let e(h, m, n) = exp(z(h, m, n) - top(h, m))\n"
              "  let total(h, m) +=! e(h, m, n)\n"
              "  let o(h, m, d) +=! e(h, m, n) * V(n, h, d)\n"
              "  O(m, h, d) = o(h, m, d) / total(h, m) }"},
    {"before", "  let top(h, m) max=! z(h, m, n)\n"
               "  let e(h, m, n) = exp(z(h, m, n) - top(h, m))\n"
               "  let total(h, m) +=! e(h, m, n)\n"
               "  let p(h, m, n) = e(h, m, n) / total(h, m)\n"
               "  O(m, h, d) +=! p(h, m, n) * V(n, h, d) }"},
    {"lowest", "  let top(h, m) min=! z(h, m, n)\n"
               "  let e(h, m, n) = exp(top(h, m) - z(h, m, n))\n"
               "  let total(h, m) +=! e(h, m, n)\n"
               "  O(m, h, d) +=! e(h, m, n) / total(h, m) * V(n, h, d) }"},
};

/// The program with `T` as the type of its elements.
std::string getProgram(const Form &form, ElementType type) {
  std::string text = form.program, name = getSpelling(type).str();
  for (size_t at = 0; (at = text.find('T', at)) != std::string::npos; ++at)
    if (!isalnum(text[at - 1]) && !isalnum(text[at + 1]))
      text.replace(at, 1, name);
  return text;
}

/// Extents round those at which a vector, several, or a block ends.
std::vector<int64_t> getEdges(ElementType type) {
  int64_t lanes = getHostTarget().getLanes(getBitWidth(type));
  std::vector<int64_t> edges = {0, 1, 2, 3, 13};
  for (int64_t size : {lanes, 2 * lanes, 8 * lanes, 16 * lanes})
    for (int64_t d : {-1, 0, 1})
      edges.push_back(size + d);
  return edges;
}

class Reductions
    : public testing::TestWithParam<std::tuple<Form, ElementType>> {};
class Chains : public testing::TestWithParam<std::tuple<Form, ElementType>> {};
class Attention : public testing::TestWithParam<std::tuple<Form, ElementType>> {
};

/// All sizes open, in one thread and in several, and through views.
void checkOpen(const Form &form, ElementType type, double maxPoints) {
  for (bool parallel : {false, true}) {
    if (parallel && type != ElementType::F32)
      continue;
    BuildOptions options;
    options.parallel = parallel;
    options.threads = parallel ? "always" : "auto";
    options.views = !parallel;
    Compiled compiled(getProgram(form, type), options);
    ASSERT_TRUE(compiled.isOk());
    Sweep sweep;
    sweep.choices = getEdges(type);
    sweep.numRandom = 30;
    sweep.maxPoints = maxPoints;
    runSweep(compiled, sweep);
    sweep.views = true;
    sweep.numRandom = 10;
    if (!parallel)
      runSweep(compiled, sweep);
  }
}

/// Sizes compiled in.
void checkStatic(const Form &form, ElementType type,
                 const std::vector<Sizes> &choices, int64_t block = 0) {
  bool parallel = false;
  for (const Sizes &bindings : choices) {
    BuildOptions options;
    options.bindings = getPresent(form.program, bindings);
    options.parallel = parallel;
    options.threads = parallel ? "always" : "auto";
    options.block = block;
    Compiled compiled(getProgram(form, type), options);
    ASSERT_TRUE(compiled.isOk());
    EXPECT_TRUE(
        compiled.check({{"M", 5}, {"N", 37}, {"K", 3}, {"H", 2}, {"D", 8}}));
    parallel = !parallel;
  }
}

std::vector<Sizes> getStaticSizes(ElementType type) {
  int64_t lanes = getHostTarget().getLanes(getBitWidth(type));
  return {{{"M", 3}, {"N", lanes}, {"K", 2}},
          {{"M", lanes}, {"N", 3}, {"K", 2}},
          {{"M", 16 * lanes + 1}, {"N", 33}, {"K", 2}},
          {{"M", 17}, {"N", 16 * lanes + 3}, {"K", 3}},
          {{"M", 5}, {"N", 0}, {"K", 2}},
          {{"N", 2 * lanes - 1}}};
}

TEST_P(Reductions, Open) {
  auto [form, type] = GetParam();
  checkOpen(form, type, 200e3);
}

TEST_P(Reductions, Static) {
  auto [form, type] = GetParam();
  checkStatic(form, type, getStaticSizes(type));
}

/// Rows that are blocked for memory.
TEST_P(Reductions, Large) {
  auto [form, type] = GetParam();
  BuildOptions options;
  options.bindings =
      getPresent(form.program, {{"M", 1500}, {"N", 701}, {"K", 1}});
  Compiled compiled(getProgram(form, type), options);
  EXPECT_TRUE(compiled.check({}));
}

TEST_P(Chains, Open) {
  auto [form, type] = GetParam();
  checkOpen(form, type, 50e3);
}

TEST_P(Chains, Static) {
  auto [form, type] = GetParam();
  checkStatic(form, type, getStaticSizes(type));
}

TEST_P(Attention, Open) {
  auto [form, type] = GetParam();
  BuildOptions options;
  options.views = true;
  Compiled compiled(getProgram(form, type), options);
  ASSERT_TRUE(compiled.isOk());
  for (int64_t rows : {0, 1, 15, 63, 64, 65, 130})
    for (int64_t columns : {1, 16, 67}) {
      CallOptions call;
      call.views = rows % 2 != 0;
      Sizes sizes = {
          {"M", rows}, {"N", columns}, {"H", 2}, {"D", columns / 2 + 3}};
      EXPECT_TRUE(compiled.check(sizes, call));
    }
}

/// Columns by blocks of 16: none, a part of one, and so many with and without
/// a rest.
TEST_P(Attention, Blocks) {
  auto [form, type] = GetParam();
  BuildOptions options;
  options.block = 16;
  for (bool parallel : {false, true}) {
    options.parallel = parallel;
    options.threads = parallel ? "always" : "auto";
    Compiled compiled(getProgram(form, type), options);
    ASSERT_TRUE(compiled.isOk());
    for (int64_t rows : {0, 1, 63, 130})
      for (int64_t columns : {0, 1, 15, 16, 17, 32, 67})
        EXPECT_TRUE(compiled.check(
            {{"M", rows}, {"N", columns}, {"H", 2}, {"D", columns / 2 + 3}}));
  }
}

TEST_P(Attention, Static) {
  auto [form, type] = GetParam();
  for (int64_t block : {0, 32})
    checkStatic(form, type,
                {{{"M", 128}, {"N", 96}, {"H", 2}, {"D", 16}},
                 {{"M", 65}, {"N", 65}, {"H", 1}, {"D", 17}},
                 {{"M", 1}, {"N", 40}, {"H", 3}, {"D", 16}},
                 {{"N", 48}, {"D", 32}}},
                block);
}

std::string
getName(const testing::TestParamInfo<std::tuple<Form, ElementType>> &info) {
  return std::string(std::get<0>(info.param).name) + "_" +
         getSpelling(std::get<1>(info.param)).str();
}

INSTANTIATE_TEST_SUITE_P(Rows, Reductions,
                         testing::Combine(testing::ValuesIn(reductions),
                                          testing::Values(ElementType::F32)),
                         getName);
INSTANTIATE_TEST_SUITE_P(
    OtherTypes, Reductions,
    testing::Combine(testing::Values(reductions[0], reductions[1],
                                     reductions[2], reductions[4],
                                     reductions[6]),
                     testing::Values(ElementType::F64, ElementType::I32)),
    getName);
INSTANTIATE_TEST_SUITE_P(Rows, Chains,
                         testing::Combine(testing::ValuesIn(chains),
                                          testing::Values(ElementType::F32)),
                         getName);
INSTANTIATE_TEST_SUITE_P(Rows, Attention,
                         testing::Combine(testing::ValuesIn(attentions),
                                          testing::Values(ElementType::F32)),
                         getName);

/// Every mask with numbers that do what a mask is for, and with others: those
/// that are a row's maximum, make it NaN, or leave no column to a row.
class Masks : public testing::TestWithParam<std::tuple<Form, Form>> {};

std::string getProgram(const Form &mask, const Form &result) {
  return "def f(Q: f32(M, H, D), K: f32(N, H, D), V: f32(N, H, D), w: f32(H), "
         "c: i32(H)) -> (O: f32(M, H, D)) {\n"
         "  let s(h, m, n) +=! Q(m, h, d) * K(n, h, d)\n"
         "  let z(h, m, n) = " +
         std::string(mask.program) + "\n" + result.program;
}

void checkMask(const Form &mask, const Form &result, int64_t block) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  for (bool isStatic : {false, true}) {
    BuildOptions options;
    options.block = block;
    if (isStatic)
      options.bindings = {{"M", 130}, {"N", 190}, {"H", 2}, {"D", 16}};
    // Each thread has memory of its own for a block.
    options.parallel = isStatic;
    options.threads = isStatic ? "always" : "auto";
    Compiled compiled(getProgram(mask, result), options);
    ASSERT_TRUE(compiled.isOk());
    for (int64_t rows : {1, 65, 130})
      for (int64_t columns : {1, 65, 190})
        for (float number : {-1e30f, -kInfinity, 0.0f, 1e30f, kNaN}) {
          if (isStatic && (rows != 130 || columns != 190))
            continue;
          SCOPED_TRACE(std::to_string(rows) + " by " + std::to_string(columns) +
                       ", " + std::to_string(number));
          CallOptions call;
          call.edit = [&](const std::string &name, runtime::Array &array) {
            if (name == "w")
              array.as<float>()[0] = array.as<float>()[1] = number;
            if (name == "c") {
              array.as<int32_t>()[0] = columns / 3;
              array.as<int32_t>()[1] = 1 << 30;
            }
          };
          EXPECT_TRUE(compiled.check(
              {{"M", rows}, {"N", columns}, {"H", 2}, {"D", 16}}, call));
        }
  }
}

TEST_P(Masks, AnyNumber) {
  checkMask(std::get<0>(GetParam()), std::get<1>(GetParam()), 0);
}

/// By blocks of columns, some of which end with a row's and some do not.
TEST_P(Masks, Blocks) {
  checkMask(std::get<0>(GetParam()), std::get<1>(GetParam()), 24);
}

std::string
getMaskName(const testing::TestParamInfo<std::tuple<Form, Form>> &info) {
  return std::string(std::get<0>(info.param).name) + "_" +
         std::get<1>(info.param).name;
}

INSTANTIATE_TEST_SUITE_P(Rows, Masks,
                         testing::Combine(testing::ValuesIn(masks),
                                          testing::Values(results[0])),
                         getMaskName);
INSTANTIATE_TEST_SUITE_P(OtherResults, Masks,
                         testing::Combine(testing::Values(masks[0]),
                                          testing::Values(results[1],
                                                          results[2])),
                         getMaskName);

/// Two layers by blocks of rows: hidden columns that take more than half of
/// L2, rows that fill their blocks and rows that do not; a function, arithmetic
/// or nothing between the layers, and the weights along either dim.
TEST(RowsOf, Layers) {
  const char *programs[] = {
      "def f(X: f32(M, K), V: f32(K, F), b: f32(F), W: f32(F, N), c: f32(N))"
      " -> (Y: f32(M, N)) {\n"
      "  let z(m, f) +=! X(m, k) * V(k, f)\n"
      "  let g(m, f) = tanh(z(m, f) + b(f))\n"
      "  let o(m, n) +=! g(m, f) * W(f, n)\n"
      "  Y(m, n) = o(m, n) + c(n) }",
      "def f(X: f32(M, K), V: f32(F, K), W: f32(N, F)) -> (inout Y: f32(M, N),"
      " s: f32(M)) {\n"
      "  let z(m, f) +=! X(m, k) * V(f, k)\n"
      "  let g(m, f) = max(z(m, f), 0)\n"
      "  Y(m, n) += g(m, f) * W(n, f)\n"
      "  s(m) +=! X(m, k) }",
  };
  constexpr int64_t kHidden = 512;
  int64_t least = getHostTarget().l2Bytes / 2 / (kHidden * 4);
  for (const char *program : programs)
    for (int64_t rows : {(least / 128 + 1) * 128, least + 67}) {
      BuildOptions options;
      options.bindings = {{"M", rows}, {"K", 9}, {"F", kHidden}, {"N", 19}};
      Compiled compiled(program, options);
      EXPECT_TRUE(compiled.check({}));
    }
}

/// What a weight of zero is multiplied by shows if it is not finite.
TEST(RowsOf, InfinityBehindMask) {
  Compiled compiled(getProgram(masks[0], results[0]));
  ASSERT_TRUE(compiled.isOk());
  for (float number : {std::numeric_limits<float>::infinity(),
                       std::numeric_limits<float>::quiet_NaN()}) {
    CallOptions call;
    call.edit = [&](const std::string &name, runtime::Array &array) {
      if (name == "w")
        array.as<float>()[0] = array.as<float>()[1] = -1e30f;
      if (name == "V")
        array.as<float>()[array.getNumElements() - 1] = number;
    };
    EXPECT_TRUE(
        compiled.check({{"M", 130}, {"N", 130}, {"H", 2}, {"D", 16}}, call));
  }
}

/// By blocks of columns: rows of minus infinities, one that begins with blocks
/// of them, infinity and NaN in the first or last block, scores whose exp
/// overflows and underflows; and a V that is not finite.
TEST(RowsOf, InfinitiesInBlocks) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  for (const Form &form : {attentions[2], attentions[3], attentions[4]}) {
    SCOPED_TRACE(form.name);
    BuildOptions options;
    options.block = 16;
    Compiled compiled(getProgram(form, ElementType::F32), options);
    ASSERT_TRUE(compiled.isOk());
    for (int64_t columns : {5, 16, 48, 70})
      for (float value : {0.0f, kInfinity, kNaN}) {
        CallOptions call;
        call.edit = [&](const std::string &name, runtime::Array &array) {
          auto *data = array.as<float>();
          if (name == "V" && value != 0)
            data[array.getNumElements() - 1] = value;
          if (name != "b")
            return;
          for (int64_t i = 0; i < columns; ++i) {
            data[i] = -kInfinity;
            if (i < columns / 2)
              data[columns + i] = -kInfinity;
            data[6 * columns + i] = float(i % 3) * 300 - 200;
            data[7 * columns + i] = float(i) * 200;
            data[8 * columns + i] = float(i) * -200;
          }
          data[2 * columns] = kInfinity;
          data[4 * columns - 1] = kInfinity;
          data[4 * columns] = kNaN;
          data[6 * columns - 1] = kNaN;
        };
        EXPECT_TRUE(compiled.check({{"M", 9}, {"N", columns}, {"D", 8}}, call));
      }
  }
}

/// What there is no number for goes through as the reference has it: a row of
/// minus infinities, one that is in it, NaN at the end of a row.
TEST(RowsOf, InfinitiesAndNaN) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  for (const Form &form :
       {chains[0], chains[2], reductions[0], reductions[1], reductions[4]}) {
    SCOPED_TRACE(form.name);
    Compiled compiled(getProgram(form, ElementType::F32));
    ASSERT_TRUE(compiled.isOk());
    for (int64_t columns : {5, 16, 37, 150}) {
      CallOptions call;
      call.edit = [&](const std::string &, runtime::Array &array) {
        if (array.getNumElements() != 6 * columns)
          return;
        auto *data = array.as<float>();
        int64_t length = columns;
        for (int64_t i = 0; i < length; ++i)
          data[i] = -kInfinity;
        data[length + length / 2] = -kInfinity;
        data[2 * length] = kInfinity;
        data[4 * length - 1] = kNaN;
        data[4 * length] = -0.0f;
      };
      EXPECT_TRUE(compiled.check({{"M", 6}, {"N", columns}}, call));
    }
  }
}

} // namespace
} // namespace ein::test
