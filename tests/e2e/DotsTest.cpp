//===- DotsTest.cpp - Sums along vectors round every edge -----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Contractions whose operands are contiguous along k, as tiles of vectors of
// partial sums wherever that is possible: rows and columns round the tile's, k
// round a vector's and a step's.
//
//===----------------------------------------------------------------------===//

#include "target/DotKernel.h"
#include "tests/e2e/Harness.h"

namespace ein::test {
namespace {

struct Form {
  const char *name;
  const char *einsum;
};

const Form forms[] = {
    {"nt", "mk,nk->mn"},
    {"nt_transposed", "mk,nk->nm"},
    {"matvec", "mk,k->m"},
    {"vector_first", "k,nk->n"},
    {"dot", "k,k->"},
    {"dots", "mk,mk->m"},
    {"batched", "bmk,bnk->bmn"},
    {"interleaved", "mbk,nbk->bmn"},
    {"rows_of_two", "bmk,nk->bmn"},
    {"columns_of_two", "mk,bnk->mbn"},
    {"depths_of_two", "mbk,nbk->mn"},
};

class Dots : public testing::TestWithParam<std::tuple<Form, ElementType>> {};

BuildOptions getOptions(ElementType type) {
  BuildOptions options;
  options.type = type;
  options.packing = "dots";
  return options;
}

/// Extents round those at which a tile, a vector or a step ends.
std::vector<int64_t> getEdges(ElementType type) {
  TargetInfo host = getHostTarget();
  int64_t lanes = host.getLanes(getBitWidth(type));
  DotKernel kernel = getDotKernel(host, std::nullopt, std::nullopt);
  std::vector<int64_t> edges = {0, 1, 2, 3};
  for (int64_t size : {int64_t(kernel.rows), int64_t(kernel.columns), lanes,
                       2 * lanes, 8 * lanes})
    for (int64_t d : {-1, 0, 1})
      edges.push_back(size + d);
  return edges;
}

TEST_P(Dots, Open) {
  auto [form, type] = GetParam();
  for (bool parallel : {false, true}) {
    BuildOptions options = getOptions(type);
    options.parallel = parallel;
    options.views = true;
    Compiled compiled(form.einsum, options);
    Sweep sweep;
    sweep.choices = getEdges(type);
    sweep.numRandom = 60;
    runSweep(compiled, sweep);
    sweep.views = true;
    sweep.numRandom = 20;
    runSweep(compiled, sweep);
  }
}

TEST_P(Dots, Static) {
  auto [form, type] = GetParam();
  const Sizes choices[] = {
      {{"m", 1}, {"n", 1}, {"k", 1}, {"b", 1}},
      {{"m", 3}, {"n", 50}, {"k", 161}, {"b", 2}},
      {{"m", 50}, {"n", 3}, {"k", 128}, {"b", 3}},
      {{"m", 16}, {"n", 61}, {"k", 35}, {"b", 1}},
      {{"m", 0}, {"n", 3}, {"k", 0}, {"b", 2}},
      {{"m", 5}},
      {{"n", 7}},
      {{"k", 48}},
      {{"m", 8}, {"k", 7}},
  };
  for (const Sizes &bindings : choices) {
    BuildOptions options = getOptions(type);
    options.bindings = getPresent(form.einsum, bindings);
    Compiled compiled(form.einsum, options);
    EXPECT_TRUE(compiled.check({{"m", 9}, {"n", 37}, {"k", 83}, {"b", 2}}));
    if (compiled.getSymbols().empty())
      continue;
    EXPECT_TRUE(compiled.check({{"m", 0}, {"n", 0}, {"k", 0}, {"b", 0}}));
    EXPECT_TRUE(compiled.check({{"m", 1}, {"n", 31}, {"k", 1}, {"b", 1}}));
  }
}

/// Several blocks of k, and what pays without being asked for.
TEST_P(Dots, Chosen) {
  auto [form, type] = GetParam();
  for (const Sizes &bindings :
       {Sizes{{"m", 4}}, Sizes{{"n", 6}}, Sizes{{"m", 7}, {"n", 200}},
        Sizes{{"m", 8}, {"n", 9}, {"k", 40000}, {"b", 1}},
        Sizes{{"m", 61}, {"n", 130}, {"k", 3001}, {"b", 1}}}) {
    BuildOptions options;
    options.type = type;
    options.bindings = getPresent(form.einsum, bindings);
    Compiled compiled(form.einsum, options);
    EXPECT_TRUE(compiled.check({{"m", 11}, {"n", 13}, {"k", 50001}, {"b", 1}}));
    EXPECT_TRUE(compiled.check({{"m", 11}, {"n", 13}, {"k", 130}, {"b", 3}}));
  }
}

/// A sum that goes on from what is there, in blocks of k as well.
TEST(DotsUpdate, Continues) {
  BuildOptions options;
  options.packing = "dots";
  Compiled compiled("def f(A: f32(m, k), B: f32(n, k)) -> (inout C: f32(m, n))"
                    " { C(i, j) += A(i, l) * B(j, l) }",
                    options);
  EXPECT_TRUE(compiled.check({{"m", 3}, {"n", 4}, {"k", 90000}}));
  EXPECT_TRUE(compiled.check({{"m", 13}, {"n", 19}, {"k", 37}}));
  EXPECT_TRUE(compiled.check({{"m", 13}, {"n", 19}, {"k", 0}}));
}

INSTANTIATE_TEST_SUITE_P(
    Forms, Dots,
    testing::Combine(testing::ValuesIn(forms),
                     testing::Values(ElementType::F32, ElementType::F64)),
    [](const testing::TestParamInfo<Dots::ParamType> &info) {
      return std::string(std::get<0>(info.param).name) + "_" +
             getSpelling(std::get<1>(info.param)).str();
    });

} // namespace
} // namespace ein::test
