//===- GatherTest.cpp - Contractions of many dims, gathered ---------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Contractions whose operands are copied to matrices, whole or by blocks, and
// whose dims become one: forced, whatever pays, round the edges of vectors and
// blocks.
//
//===----------------------------------------------------------------------===//

#include "tests/e2e/Harness.h"

namespace ein::test {
namespace {

/// Contiguous along a loop, along a sum, along a batch; several dims of each
/// role, together and apart; sums in another order in either operand.
const char *const einsums[] = {
    "efbad,cf->abcde", "dbea,ec->abcd",     "ecbfa,fd->abcde",
    "ebad,ce->abcd",   "dega,gfbc->abcdef", "dfgb,geac->abcdef",
    "dca,bd->abc",     "ea,ebcd->abcd",     "adec,ebd->abc",
    "cad,dcb->ab",     "aebf,fdec->abcd",   "aebf,dfce->abcd",
    "kmb,knb->bmn",    "bmkl,bnlk->bmn",    "mkbl,lbkn->bnm",
    "ijk,rk->ijr",     "hkqb,hbjk->bhqj",
};

class Gather : public testing::TestWithParam<const char *> {};

TEST_P(Gather, OpenSizes) {
  for (bool views : {false, true}) {
    BuildOptions options;
    options.type = views ? ElementType::F32 : ElementType::F64;
    options.packing = "always";
    options.views = views;
    Sweep sweep;
    sweep.choices = {0, 1, 2, 7, 8, 16, 17, 33};
    sweep.base = 3;
    sweep.numRandom = 25;
    runSweep(GetParam(), options, sweep);
  }
}

TEST_P(Gather, KnownSizes) {
  std::vector<std::string> symbols = getSymbols(GetParam());
  for (int64_t shift : {0, 1, 2, 3}) {
    BuildOptions options;
    options.packing = "always";
    options.parallel = shift == 3;
    const int64_t extents[] = {3, 17, 5, 16, 2, 7, 1, 33};
    for (size_t i = 0; i < symbols.size(); ++i)
      options.bindings.emplace_back(symbols[i], extents[(i + 2 * shift) % 8]);
    Compiled compiled(GetParam(), options);
    ASSERT_TRUE(compiled.isOk());
    CallOptions call;
    call.unaligned = true;
    EXPECT_TRUE(compiled.check({}, call));
  }
}

INSTANTIATE_TEST_SUITE_P(Einsums, Gather, testing::ValuesIn(einsums),
                         [](const auto &info) {
                           std::string name;
                           for (char c : std::string(info.param))
                             name += std::isalnum(c) ? c : '_';
                           return name;
                         });

/// Large enough for blocks that are less than a dim: of what is contiguous, of
/// sums, of rows and of columns.
TEST(GatherBlocks, OfDims) {
  const std::pair<const char *, Sizes> cases[] = {
      {"dca,bd->abc", {{"a", 37}, {"b", 5}, {"c", 97}, {"d", 113}}},
      {"cad,dcb->ab", {{"a", 70}, {"b", 71}, {"c", 61}, {"d", 67}}},
      {"mak,kn->amn", {{"a", 3}, {"m", 300}, {"k", 500}, {"n", 7}}},
      {"kna,mk->amn", {{"a", 19}, {"m", 5}, {"k", 90}, {"n", 331}}},
      {"kmb,knb->bmn", {{"b", 35}, {"m", 50}, {"n", 51}, {"k", 150}}},
      {"akbl,lckd->abcd",
       {{"a", 20}, {"b", 21}, {"c", 19}, {"d", 23}, {"k", 30}, {"l", 31}}},
  };
  for (const auto &[einsum, sizes] : cases)
    for (bool parallel : {false, true}) {
      BuildOptions options;
      options.bindings = sizes;
      options.parallel = parallel;
      Compiled compiled(einsum, options);
      ASSERT_TRUE(compiled.isOk());
      EXPECT_TRUE(compiled.check({}));
    }
}

/// What is added to, complex numbers, integers, and what an elementwise op
/// reads.
TEST(GatherBlocks, Programs) {
  const char *const programs[] = {
      "def f(A: f32(E, D, B), B2: f32(C, E)) -> (Z: f32(B, C, D)) {"
      " Z(b, c, d) +=! A(e, d, b) * B2(c, e) }",
      "def f(A: f32(E, D, B), B2: f32(C, E)) -> (inout Z: f32(B, C, D)) {"
      " Z(b, c, d) += A(e, d, b) * B2(c, e) }",
      "def f(A: c64(E, D, B), B2: c64(C, E)) -> (Z: c64(B, C, D)) {"
      " Z(b, c, d) +=! A(e, d, b) * B2(c, e) }",
      "def f(A: i32(E, D, B), B2: i32(C, E)) -> (Z: i32(B, C, D)) {"
      " Z(b, c, d) +=! A(e, d, b) * B2(c, e) }",
      "def f(A: f32(E, D, B), B2: f32(C, E)) -> (Z: f32(B, C, D)) {"
      " Z(b, c, d) max=! A(e, d, b) * B2(c, e) }",
      "def f(A: f32(E, D, B), B2: f32(C, E), S: f32(D)) -> (Z: f32(B, C, D)) {"
      " let Y(b, c, d) +=! A(e, d, b) * B2(c, e)\n"
      " Z(b, c, d) = max(Y(b, c, d) + S(d), 0) }",
  };
  for (const char *program : programs) {
    BuildOptions options;
    options.packing = "always";
    Sweep sweep;
    sweep.choices = {0, 1, 5, 16, 33};
    sweep.numRandom = 15;
    runSweep(program, options, sweep);
  }
}

} // namespace
} // namespace ein::test
