//===- MatmulTest.cpp - Matrix products round every edge of their blocks ===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/e2e/Harness.h"

namespace ein::test {
namespace {

struct Layout {
  const char *name;
  const char *einsum;
};

const Layout layouts[] = {
    {"nn", "mk,kn->mn"},
    {"nt", "mk,nk->mn"},
    {"tn", "km,kn->mn"},
    {"tt", "km,nk->mn"},
    {"nn_transposed", "mk,kn->nm"},
    {"nt_transposed", "mk,nk->nm"},
    {"tn_transposed", "km,kn->nm"},
    {"tt_transposed", "km,nk->nm"},
};

struct BlockSizes {
  explicit BlockSizes(ElementType type) {
    TargetInfo host = getHostTarget();
    unsigned bits = getBitWidth(type);
    MicroKernel kernel = getMicroKernel(host, bits);
    mr = kernel.mr;
    nr = kernel.getNr(host, bits);
    blocking = getBlocking(host, bits, kernel);
  }
  int64_t mr, nr;
  Blocking blocking;
};

class Matmul : public testing::TestWithParam<std::tuple<Layout, ElementType>> {
};

std::string getTestName(const testing::TestParamInfo<Matmul::ParamType> &info) {
  return std::string(std::get<0>(info.param).name) + "_" +
         getSpelling(std::get<1>(info.param)).str();
}

/// The sizes at which something changes in a blocked product: each dim round
/// the register tile's edges, and one dim at a time round a block's.
std::vector<Sizes> getBlockEdges(ElementType type) {
  BlockSizes sizes(type);
  std::vector<Sizes> list;
  auto add = [&](int64_t m, int64_t n, int64_t k) {
    list.push_back({{"m", m}, {"n", n}, {"k", k}});
  };
  for (int64_t d : {-1, 0, 1}) {
    add(sizes.mr + 1, sizes.nr + 1, sizes.blocking.kc + d);
    add(3, 5, 2 * sizes.blocking.kc + d);
    add(sizes.blocking.mc + d, sizes.nr + 1, 17);
    add(2 * sizes.blocking.mc + d, 3, 5);
    add(5, sizes.blocking.nc + d, 17);
    // A transposed result is computed with rows and columns exchanged.
    add(sizes.blocking.nc + d, 5, 3);
    add(17, sizes.blocking.mc + d, 5);
  }
  // Several blocks in every dim but n, whose block is too long for that.
  add(sizes.blocking.mc + sizes.mr + 1, 2 * sizes.nr + 3,
      sizes.blocking.kc + 9);
  return list;
}

TEST_P(Matmul, DynamicRegisterTiles) {
  auto [layout, type] = GetParam();
  for (unsigned optLevel : {3u, 1u, 0u}) {
    BuildOptions options;
    options.type = type;
    options.optLevel = optLevel;
    Compiled compiled(layout.einsum, options);
    Sweep sweep;
    sweep.choices = getTileSizes(type);
    sweep.numRandom = optLevel == 3 ? 100 : 15;
    sweep.seed = getSeed();
    runSweep(compiled, sweep);
  }
}

TEST_P(Matmul, DynamicBlocks) {
  auto [layout, type] = GetParam();
  BuildOptions options;
  options.type = type;
  Compiled compiled(layout.einsum, options);
  CallOptions call;
  call.seed = getSeed();
  for (const Sizes &sizes : getBlockEdges(type)) {
    EXPECT_TRUE(compiled.check(sizes, call));
    call.unaligned = !call.unaligned;
  }
}

TEST_P(Matmul, StaticRegisterTiles) {
  auto [layout, type] = GetParam();
  BlockSizes sizes(type);
  int64_t mr = sizes.mr, nr = sizes.nr;
  const Sizes choices[] = {
      {{"m", 0}, {"n", 3}, {"k", 4}},
      {{"m", 3}, {"n", 4}, {"k", 0}},
      {{"m", 1}, {"n", 1}, {"k", 1}},
      {{"m", 2}, {"n", 2}, {"k", 2}},
      {{"m", mr}, {"n", nr}, {"k", 7}},
      {{"m", mr - 1}, {"n", nr - 1}},
      {{"m", mr + 1}, {"n", nr + 1}, {"k", 7}},
      {{"m", 2 * mr}, {"n", 2 * nr}, {"k", 16}},
      {{"m", 1}, {"n", nr + 1}},
      {{"m", mr + 1}, {"n", 1}, {"k", 5}},
      {{"n", nr}},
      {{"k", 8}},
      {{"m", 97}, {"n", 89}, {"k", 83}},
  };
  for (const Sizes &bindings : choices) {
    BuildOptions options;
    options.type = type;
    options.bindings = bindings;
    Compiled compiled(layout.einsum, options);
    CallOptions call;
    call.unaligned = true;
    EXPECT_TRUE(compiled.check({{"m", 9}, {"n", 37}, {"k", 19}}, call));
    if (compiled.getSymbols().empty())
      continue;
    EXPECT_TRUE(compiled.check({{"m", 0}, {"n", 0}, {"k", 0}}, call));
    EXPECT_TRUE(compiled.check({{"m", mr}, {"n", nr}, {"k", 1}}, call));
  }
}

/// Only for the two layouts that packing treats differently.
TEST(MatmulBlocks, Static) {
  for (const char *einsum : {"mk,kn->mn", "km,nk->nm"})
    for (ElementType type : {ElementType::F32, ElementType::F64}) {
      std::vector<Sizes> edges = getBlockEdges(type);
      for (size_t i = 0; i < edges.size(); i += 2) {
        BuildOptions options;
        options.type = type;
        options.bindings = edges[i];
        Compiled compiled(einsum, options);
        EXPECT_TRUE(compiled.check({}));
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Layouts, Matmul,
                         testing::Combine(testing::ValuesIn(layouts),
                                          testing::Values(ElementType::F32,
                                                          ElementType::F64)),
                         getTestName);

} // namespace
} // namespace ein::test
