//===- TransposeTest.cpp - Permutations of dims --------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Strategy `transpose` on statements of the language: sizes round those of
// squares and blocks, open and known, on views, of all widths of elements, with
// what a statement may do to the elements on the way.
//
//===----------------------------------------------------------------------===//

#include "tests/e2e/Harness.h"

namespace ein::test {
namespace {

struct Program {
  const char *name;
  const char *text;
};

const Program permutations[] = {
    {"matrix", "mn->nm"},         {"rotated", "abc->cab"},
    {"reversed", "abc->cba"},     {"rows_kept", "abc->bac"},
    {"first_kept", "abc->acb"},   {"of_four", "abcd->dbca"},
    {"pairs_kept", "abcd->cdab"}, {"of_five", "abcde->ecadb"},
    {"of_six", "abcdef->fedcba"},
};

const Program statements[] = {
    {"i8", "def f(A: i8(M, N)) -> (C: i8(N, M)) { C(n, m) = A(m, n) }"},
    {"u16", "def f(A: u16(M, N)) -> (C: u16(N, M)) { C(n, m) = A(m, n) }"},
    {"f16", "def f(A: f16(M, N)) -> (C: f16(N, M)) { C(n, m) = A(m, n) }"},
    {"bf16_negated", "def f(A: bf16(M, N)) -> (C: bf16(N, M)) {\n"
                     "  C(n, m) = -A(m, n)\n}"},
    {"f16_scaled", "def f(A: f16(M, N)) -> (C: f16(N, M)) {\n"
                   "  C(n, m) = 0.5 * A(m, n)\n}"},
    {"bool", "def f(A: bool(M, N)) -> (C: bool(N, M)) { C(n, m) = A(m, n) }"},
    {"c64", "def f(A: c64(M, N)) -> (C: c64(N, M)) { C(n, m) = A(m, n) }"},
    {"c128", "def f(A: c128(M, N)) -> (C: c128(N, M)) { C(n, m) = A(m, n) }"},
    {"scaled", "def f(A: f32(M, N), s: f32) -> (C: f32(N, M)) {\n"
               "  C(n, m) = s * A(m, n)\n}"},
    {"widened", "def f(A: f32(M, N)) -> (C: f64(N, M)) { C(n, m) = A(m, n) }"},
    {"narrowed", "def f(A: f64(M, N)) -> (C: f32(N, M)) {\n"
                 "  C(n, m) = f32(A(m, n))\n}"},
    {"bytes_to_floats", "def f(A: i8(M, N)) -> (C: f32(N, M)) {\n"
                        "  C(n, m) = A(m, n)\n}"},
    {"symmetric", "def f(A: f32(N, N)) -> (C: f32(N, N)) {\n"
                  "  C(i, j) = A(i, j) + A(j, i)\n}"},
    {"two_sources", "def f(A: f32(M, N), B: f32(M, N)) -> (C: f32(N, M)) {\n"
                    "  C(n, m) = A(m, n) * B(m, n)\n}"},
    {"two_orders", "def f(A: f32(L, M, N), B: f32(M, N)) -> (C: f32(N, L, M)) "
                   "{\n  C(n, l, m) = A(l, m, n) - B(m, n)\n}"},
    {"bias_of_rows", "def f(A: f32(M, N), b: f32(N)) -> (C: f32(N, M)) {\n"
                     "  C(n, m) = A(m, n) + b(n)\n}"},
    {"bias_of_columns", "def f(A: f32(M, N), b: f32(M)) -> (C: f32(N, M)) {\n"
                        "  C(n, m) = A(m, n) + b(m)\n}"},
    {"updated", "def f(A: f32(M, N)) -> (inout C: f32(N, M)) {\n"
                "  C(n, m) += A(m, n)\n}"},
    {"function", "def f(A: f32(M, N)) -> (C: f32(N, M)) {\n"
                 "  C(n, m) = exp(A(m, n))\n}"},
    {"integers", "def f(A: i32(M, N), B: i32(N, M)) -> (C: i32(N, M)) {\n"
                 "  C(n, m) = A(m, n) / B(n, m)\n}"},
    {"other_dims", "def f(A: f32(M, N), B: f32(N, L)) -> (C: f32(M, N, L)) {\n"
                   "  C(m, n, l) = A(m, n) * B(n, l)\n}"},
};

std::vector<Program> getAll() {
  std::vector<Program> all(std::begin(permutations), std::end(permutations));
  all.insert(all.end(), std::begin(statements), std::end(statements));
  return all;
}

class Transposes : public testing::TestWithParam<Program> {};

/// Squares have up to 16 rows, blocks 32 to 128.
const std::vector<int64_t> kSizes = {0, 1, 2, 7, 9, 15, 16, 17, 33, 65, 129};

TEST_P(Transposes, Open) {
  BuildOptions options;
  options.views = true;
  Compiled compiled(GetParam().text, options);
  ASSERT_TRUE(compiled.isOk());
  Sweep sweep;
  sweep.choices = kSizes;
  sweep.numRandom = 8;
  for (bool views : {false, true}) {
    sweep.views = views;
    runSweep(compiled, sweep);
  }
}

/// However little there is to share. What threads share is a dim of the blocks,
/// or of squares.
TEST(Threads, ShareBlocks) {
  for (const char *text : {"mn->nm", "abc->bac", "abcd->dbca"}) {
    BuildOptions options;
    options.parallel = true;
    options.threads = "always";
    Compiled compiled(text, options);
    ASSERT_TRUE(compiled.isOk());
    Sweep sweep;
    sweep.choices = kSizes;
    sweep.base = 17;
    sweep.numRandom = 3;
    runSweep(compiled, sweep);
  }
}

/// All sizes but the first two are small, whatever they are called.
TEST_P(Transposes, Static) {
  const int64_t choices[][3] = {{1, 1, 1}, {3, 5, 2}, {17, 15, 3}, {65, 80, 2}};
  std::vector<std::string> symbols = getSymbols(GetParam().text);
  for (const int64_t (&sizes)[3] : choices) {
    BuildOptions options;
    for (size_t i = 0; i < symbols.size(); ++i)
      options.bindings.push_back({symbols[i], sizes[std::min<size_t>(i, 2)]});
    Compiled compiled(GetParam().text, options);
    ASSERT_TRUE(compiled.isOk());
    CallOptions call;
    call.seed = getSeed();
    call.unaligned = true;
    EXPECT_TRUE(compiled.check({}, call));
  }
}

/// Past the caches, however small: rows that begin where lines do, and others,
/// of several blocks and of less than one.
TEST_P(Transposes, Streamed) {
  const int64_t choices[][3] = {
      {272, 144, 16}, {300, 37, 3}, {37, 300, 2}, {512, 16, 1}, {33, 32, 32}};
  std::vector<std::string> symbols = getSymbols(GetParam().text);
  if (symbols.size() > 3)
    return;
  for (bool isStatic : {false, true})
    for (const int64_t (&sizes)[3] : choices) {
      BuildOptions options;
      options.packing = "always";
      Sizes open;
      for (size_t i = 0; i < symbols.size(); ++i) {
        if (isStatic)
          options.bindings.push_back({symbols[i], sizes[i]});
        else
          open.push_back({symbols[i], sizes[i]});
      }
      Compiled compiled(GetParam().text, options);
      ASSERT_TRUE(compiled.isOk());
      for (bool unaligned : {false, true}) {
        CallOptions call;
        call.seed = getSeed();
        call.unaligned = unaligned;
        EXPECT_TRUE(compiled.check(open, call));
      }
    }
}

/// Threads have a buffer each.
TEST(Threads, StreamBlocks) {
  for (const char *text : {"mn->nm", "abc->cab"}) {
    BuildOptions options;
    options.packing = "always";
    options.parallel = true;
    options.threads = "always";
    Compiled compiled(text, options);
    ASSERT_TRUE(compiled.isOk());
    Sweep sweep;
    sweep.choices = {1, 17, 144, 300};
    sweep.base = 144;
    sweep.numRandom = 3;
    runSweep(compiled, sweep);
  }
}

INSTANTIATE_TEST_SUITE_P(Each, Transposes, testing::ValuesIn(getAll()),
                         [](const testing::TestParamInfo<Program> &info) {
                           return std::string(info.param.name);
                         });

} // namespace
} // namespace ein::test
