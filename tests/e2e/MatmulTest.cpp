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
    MicroKernel kernel = getTile(host, type);
    mr = kernel.mr;
    nr = kernel.getNr();
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
    Sweep sweep;
    sweep.choices = getTileSizes(type);
    sweep.numRandom = optLevel == 3 ? 100 : 15;
    runSweep(layout.einsum, options, sweep);
  }
}

TEST_P(Matmul, EitherPacking) {
  auto [layout, type] = GetParam();
  for (const char *packing : {"always", "never"}) {
    BuildOptions options;
    options.type = type;
    options.packing = packing;
    Sweep sweep;
    sweep.choices = getTileSizes(type);
    sweep.numRandom = 40;
    runSweep(layout.einsum, options, sweep);
  }
}

/// Packed, and as the code decides by the sizes: some of these are small.
TEST_P(Matmul, DynamicBlocks) {
  auto [layout, type] = GetParam();
  for (const char *packing : {"auto", "always"}) {
    BuildOptions options;
    options.type = type;
    options.packing = packing;
    Compiled compiled(layout.einsum, options);
    CallOptions call;
    call.seed = getSeed();
    for (const Sizes &sizes : getBlockEdges(type)) {
      EXPECT_TRUE(compiled.check(sizes, call));
      call.unaligned = !call.unaligned;
    }
  }
}

/// One operand is as large as what is read in place, or a little less or more.
TEST_P(Matmul, DynamicThreshold) {
  auto [layout, type] = GetParam();
  BuildOptions options;
  options.type = type;
  Compiled compiled(layout.einsum, options);
  CallOptions call;
  call.seed = getSeed();
  int64_t half = getHostTarget().l2Bytes / 2 / (getBitWidth(type) / 8) / 2;
  for (int64_t d : {-1, 0, 1})
    for (const Sizes &sizes : {Sizes{{"m", 3}, {"n", half + d}, {"k", 2}},
                               Sizes{{"m", half + d}, {"n", 3}, {"k", 2}}}) {
      EXPECT_TRUE(compiled.check(sizes, call));
      call.unaligned = !call.unaligned;
    }
}

/// Every layout and type with every choice of sizes, and with every packing;
/// every choice with every packing, but not for each layout.
TEST_P(Matmul, StaticRegisterTiles) {
  auto [layout, type] = GetParam();
  llvm::StringRef name = layout.name;
  size_t number =
      llvm::find_if(layouts,
                    [&](const Layout &each) { return name == each.name; }) -
      std::begin(layouts);
  if (type == ElementType::F64 || type == ElementType::C128)
    ++number;
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
  const char *packings[] = {"auto", "always", "never", "rows"};
  for (const Sizes &bindings : choices) {
    BuildOptions options;
    options.type = type;
    options.bindings = bindings;
    options.packing = packings[number++ % std::size(packings)];
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

/// Elementwise readers that are computed in the product's tiles: a sum is whole
/// in the last block of k only, and a sum of nothing has a reader, too.
const Layout epilogues[] = {
    {"bias", "def f(A: f32(m, k), B: f32(k, n), b: f32(n)) -> (C: f32(m, n)) {"
             " let Z(i, j) +=! A(i, l) * B(l, j)\n"
             " C(i, j) = max(Z(i, j) + b(j), 0) }"},
    {"residual", "def f(A: f32(m, k), B: f32(n, k), R: f32(m, n), r: f32(m),"
                 " s: f32) -> (C: f32(m, n)) {"
                 " let Z(i, j) +=! A(i, l) * B(j, l)\n"
                 " C(i, j) = Z(i, j) * Z(i, j) * r(i) + R(i, j) - s }"},
    {"transposed", "def f(A: f32(k, m), B: f32(k, n), c: f32(m), R: f32(n, m))"
                   " -> (C: f32(n, m)) {"
                   " let Z(j, i) +=! A(l, i) * B(l, j)\n"
                   " C(j, i) = c(i) * Z(j, i) - R(j, i) }"},
    {"batched", "def f(A: f32(3, m, k), B: f32(k, 3, n), c: f32(3), r: f32(m))"
                " -> (C: f32(m, 3, n)) {"
                " let Z(i, b, j) +=! A(b, i, l) * B(l, b, j)\n"
                " C(i, b, j) = c(b) * Z(i, b, j) + r(i) }"},
    {"two_depths", "def f(A: f32(m, k, 3), B: f32(3, k, n), b: f32(n)) ->"
                   " (C: f32(m, n)) {"
                   " let Z(i, j) +=! A(i, l, p) * B(p, l, j)\n"
                   " C(i, j) = max(Z(i, j), b(j)) }"},
    {"function", "def f(A: f32(m, k), B: f32(k, n), b: f32(n), r: f32(m),"
                 " R: f32(m, n), s: f32) -> (C: f32(m, n)) {"
                 " let Z(i, j) +=! A(i, l) * B(l, j)\n"
                 " C(i, j) = tanh(Z(i, j) + b(j)) * r(i) + R(i, j) - s }"},
    {"function_of_some", "def f(A: f32(k, m), B: f32(n, k)) -> (C: f32(m, n)) {"
                         " let Z(i, j) +=! A(l, i) * B(j, l)\n"
                         " C(i, j) = Z(i, j) > 0 ? Z(i, j)"
                         " : expm1(Z(i, j)) }"},
    {"two_sums", "def f(A: f32(m, k), B: f32(k, n), D: f32(m, 5), E: f32(5, n))"
                 " -> (C: f32(m, n)) {"
                 " let Z(i, j) +=! A(i, l) * B(l, j)\n"
                 " Z(i, j) += D(i, l) * E(l, j)\n"
                 " C(i, j) = abs(Z(i, j)) }"},
    {"two_layers", "def f(A: f32(m, k), B: f32(k, n), b: f32(n), V: f32(n, m),"
                   " c: f32(m)) -> (C: f32(m, m)) {"
                   " let Z(i, j) +=! A(i, l) * B(l, j)\n"
                   " let H(i, j) = max(Z(i, j) + b(j), 0)\n"
                   " let O(i, p) +=! H(i, j) * V(j, p)\n"
                   " C(i, p) = O(i, p) + c(p) }"},
    {"read_before", "def f(A: f32(m, k), B: f32(k, n)) -> (C: f32(m, n), "
                    "D: f32(m, n)) {"
                    " C(i, j) = B(0, j)\n"
                    " let Z(i, j) +=! A(i, l) * B(l, j)\n"
                    " D(i, j) = C(i, j)\n"
                    " C(i, j) = Z(i, j) - 1 }"},
};

class Epilogues : public testing::TestWithParam<Layout> {};

TEST_P(Epilogues, RegisterTiles) {
  for (unsigned optLevel : {3u, 0u}) {
    BuildOptions options;
    options.optLevel = optLevel;
    Compiled compiled(GetParam().einsum, options);
    Sweep sweep;
    sweep.choices = getTileSizes(ElementType::F32);
    sweep.numRandom = 15;
    runSweep(compiled, sweep);
  }
}

TEST_P(Epilogues, Blocks) {
  Compiled compiled(GetParam().einsum);
  BuildOptions parallel;
  parallel.parallel = true;
  Compiled shared(GetParam().einsum, parallel);
  for (const Sizes &sizes : getBlockEdges(ElementType::F32)) {
    EXPECT_TRUE(compiled.check(sizes));
    EXPECT_TRUE(shared.check(sizes));
  }
}

TEST_P(Epilogues, Static) {
  std::vector<Sizes> edges = getBlockEdges(ElementType::F32);
  edges.push_back({{"m", 5}, {"n", 40}, {"k", 0}});
  edges.push_back({{"m", 5}, {"n", 40}});
  for (size_t i = 0; i < edges.size(); i += 5) {
    BuildOptions options;
    options.bindings = edges[edges.size() - 1 - i];
    Compiled compiled(GetParam().einsum, options);
    EXPECT_TRUE(compiled.check({{"k", 0}}));
    if (compiled.getSymbols().empty())
      continue;
    EXPECT_TRUE(compiled.check({{"k", 9}}));
  }
}

INSTANTIATE_TEST_SUITE_P(All, Epilogues, testing::ValuesIn(epilogues),
                         [](const testing::TestParamInfo<Layout> &info) {
                           return std::string(info.param.name);
                         });

/// What a sum of complex numbers starts from, what is done with it, and what
/// its operands are: conjugates, slices with steps, of two widths, other
/// products.
const Layout complexPrograms[] = {
    {"updated", "def f(A: c64(m, k), B: c64(k, n)) -> (inout C: c64(m, n)) {"
                " C(i, j) += A(i, l) * B(l, j) }"},
    {"from_scalar", "def f(A: c128(m, k), B: c128(n, k), s: c128)"
                    " -> (C: c128(m, n)) {"
                    " C(i, j) = s\n C(i, j) += A(i, l) * B(j, l) }"},
    {"from_constant", "def f(A: c64(k, m), B: c64(k, n)) -> (C: c64(m, n)) {"
                      " C(i, j) = complex(1, -2)\n"
                      " C(i, j) += A(l, i) * B(l, j) }"},
    {"conjugates", "def f(A: c64(k, m), B: c64(n, k)) -> (C: c64(m, n)) {"
                   " C(i, j) +=! conj(A(l, i)) * conj(B(j, l)) }"},
    {"read", "def f(A: c64(m, k), B: c64(k, n), R: c64(m, n), s: c64)"
             " -> (C: c64(m, n), D: f32(m, n)) {"
             " let Z(i, j) +=! A(i, l) * B(l, j)\n"
             " C(i, j) = s * Z(i, j) + R(i, j)\n D(i, j) = abs(Z(i, j)) }"},
    {"steps", "def f(A: c64(m, 2 * k), B: c64(k, 2 * n)) -> (C: c64(m, n)) {"
              " C(i, j) +=! A(i, 2 * l) * B(l, 2 * j + 1) }"},
    {"widened", "def f(A: c64(m, k), B: c64(k, n)) -> (C: c128(m, n)) {"
                " C(i, j) +=! A(i, l) * B(l, j) }"},
    {"mixed", "def f(A: f32(m, k), B: c64(k, n)) -> (C: c64(m, n)) {"
              " C(i, j) +=! A(i, l) * B(l, j) }"},
    {"chain", "def f(A: c64(m, k), B: c64(k, n), D: c64(n, m))"
              " -> (C: c64(m, m)) {"
              " C(i, p) +=! A(i, l) * B(l, j) * D(j, p) }"},
    {"batched", "def f(A: c64(m, n, k), B: c64(m, k, n)) -> (C: c64(m, n, n)) {"
                " C(h, i, j) +=! A(h, i, l) * B(h, l, j) }"},
    {"batch_last", "def f(A: c64(m, k, n), B: c64(k, m, n))"
                   " -> (C: c64(m, m, n)) {"
                   " C(i, j, h) +=! A(i, l, h) * B(l, j, h) }"},
    {"batch_inside", "def f(A: c128(m, k, n), B: c128(k, m, n))"
                     " -> (C: c128(n, m, m)) {"
                     " C(h, i, j) +=! A(i, l, h) * B(l, j, h) }"},
};

class ComplexPrograms : public testing::TestWithParam<Layout> {};

TEST_P(ComplexPrograms, EitherPacking) {
  for (const char *packing : {"always", "never"})
    for (bool views : {false, true}) {
      BuildOptions options;
      options.packing = packing;
      options.views = views;
      options.parallel = views;
      Sweep sweep;
      sweep.choices = getTileSizes(ElementType::C64);
      sweep.numRandom = 12;
      sweep.seed = getSeed();
      sweep.views = views;
      runSweep(Compiled(GetParam().einsum, options), sweep);
    }
}

TEST_P(ComplexPrograms, KnownSizes) {
  const Sizes choices[] = {{{"m", 1}, {"n", 1}, {"k", 1}},
                           {{"m", 7}, {"n", 13}, {"k", 5}},
                           {{"m", 16}, {"n", 33}, {"k", 0}},
                           {{"m", 16}, {"n", 24}, {"k", 40}}};
  for (const Sizes &bindings : choices) {
    BuildOptions options;
    options.bindings = bindings;
    CallOptions call;
    call.unaligned = true;
    EXPECT_TRUE(Compiled(GetParam().einsum, options).check({}, call));
  }
}

INSTANTIATE_TEST_SUITE_P(All, ComplexPrograms,
                         testing::ValuesIn(complexPrograms),
                         [](const testing::TestParamInfo<Layout> &info) {
                           return std::string(info.param.name);
                         });

INSTANTIATE_TEST_SUITE_P(Layouts, Matmul,
                         testing::Combine(testing::ValuesIn(layouts),
                                          testing::Values(ElementType::F32,
                                                          ElementType::F64)),
                         getTestName);

/// A tile of these is another one; layouts are the same to it, but for how an
/// operand is packed.
INSTANTIATE_TEST_SUITE_P(
    Complex, Matmul,
    testing::Combine(testing::Values(layouts[0], layouts[1], layouts[6]),
                     testing::Values(ElementType::C64, ElementType::C128)),
    getTestName);

} // namespace
} // namespace ein::test
