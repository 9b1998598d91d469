//===- StrategiesTest.cpp - Each choice, whatever would be chosen ---------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What other tests meet only at sizes that are large, or that happen to be
// chosen: one operand packed, tiles along rows, both versions of dynamic sizes,
// and threads that share what is far too little for them, along tiles and along
// a batch. docs/how-to/test.md lists which test forces which strategy.
//
//===----------------------------------------------------------------------===//

#include "tests/e2e/Harness.h"

namespace ein::test {
namespace {

std::string getName(const std::string &text) {
  std::string name;
  for (char c : text)
    name += std::isalnum(c) ? c : '_';
  return name;
}

//===----------------------------------------------------------------------===//
// One thread
//===----------------------------------------------------------------------===//

using Packing = std::tuple<const char *, const char *>;
class Packings : public testing::TestWithParam<Packing> {
protected:
  BuildOptions getOptions() {
    BuildOptions options;
    options.packing = std::get<1>(GetParam());
    return options;
  }
  std::string einsum = std::get<0>(GetParam());
};

TEST_P(Packings, Open) {
  for (bool views : {false, true}) {
    BuildOptions options = getOptions();
    options.type = views ? ElementType::F32 : ElementType::F64;
    options.views = views;
    Sweep sweep;
    sweep.choices = getTileSizes(options.type);
    sweep.numRandom = 30;
    runSweep(einsum, options, sweep);
  }
}

/// Of sizes that are known, edges get register tiles of their own.
TEST_P(Packings, Static) {
  MicroKernel kernel = getMicroKernel(getHostTarget(), 32);
  int64_t mr = kernel.mr, nr = kernel.getNr();
  const Sizes choices[] = {
      {{"m", 1}, {"n", 1}, {"k", 1}},
      {{"m", mr + 1}, {"n", nr - 1}, {"k", 7}},
      {{"m", 2 * mr - 1}, {"n", nr + 1}, {"k", 19}},
      {{"m", 31}, {"n", 2 * nr + 17}},
      {{"n", nr}},
  };
  for (const Sizes &bindings : choices) {
    BuildOptions options = getOptions();
    options.bindings = bindings;
    options.views = true;
    Compiled compiled(einsum, options);
    Sweep sweep;
    sweep.choices = {0, 1, 7, 33};
    sweep.numRandom = 3;
    sweep.views = true;
    runSweep(compiled, sweep);
    CallOptions call;
    call.seed = getSeed();
    call.unaligned = true;
    EXPECT_TRUE(
        compiled.check({{"b", 3}, {"m", 9}, {"n", 37}, {"k", 19}}, call));
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, Packings,
    testing::Combine(testing::Values("mk,kn->mn", "km,nk->mn", "mk,nk->nm",
                                     "bmk,bkn->bmn", "mbk,knb->mbn"),
                     testing::Values("first", "second", "rows", "versions")),
    [](const testing::TestParamInfo<Packing> &info) {
      return getName(std::get<0>(info.param)) + "_" + std::get<1>(info.param);
    });

/// Round the size up to which an operand is read in place, and readers that are
/// computed in the tiles of both versions.
TEST(Versions, Threshold) {
  constexpr int64_t kElements = 2048 / sizeof(float);
  const char *const programs[] = {
      "mk,kn->mn",
      "mk,nk->mn",
      "def f(A: f32(m, k), B: f32(k, n), c: f32(n)) -> (C: f32(m, n)) {"
      " let Z(i, j) +=! A(i, l) * B(l, j)\n"
      " C(i, j) = max(Z(i, j) + c(j), 0) }",
      ("def f(A: f32(m, k), B: f32(k, n)) -> (inout C: f32(m, n)) {"
       " C(i, j) += A(i, l) * B(l, j) }"),
  };
  for (const char *program : programs) {
    SCOPED_TRACE(program);
    BuildOptions options;
    options.packing = "versions";
    Compiled compiled(program, options);
    ASSERT_TRUE(compiled.isOk());
    for (int64_t d : {-1, 0, 1})
      for (const Sizes &sizes :
           {Sizes{{"m", 3}, {"n", kElements / 4 + d}, {"k", 4}},
            Sizes{{"m", kElements / 8 + d}, {"n", 3}, {"k", 8}},
            Sizes{{"m", 7}, {"n", 16}, {"k", kElements / 16 + d}},
            Sizes{{"m", 1}, {"n", 1}, {"k", kElements + d}}})
        EXPECT_TRUE(compiled.check(sizes));
  }
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

using Sharing = std::tuple<const char *, const char *>;
class Threads : public testing::TestWithParam<Sharing> {
protected:
  BuildOptions getOptions() {
    BuildOptions options;
    options.parallel = true;
    options.views = true;
    options.threads = std::get<1>(GetParam());
    return options;
  }
  std::string program = std::get<0>(GetParam());
};

TEST_P(Threads, Open) {
  for (const char *packing : {"always", "never"}) {
    BuildOptions options = getOptions();
    options.packing = packing;
    Sweep sweep;
    sweep.choices = {0, 1, 5, 15, 16, 17, 65};
    sweep.numRandom = 12;
    runSweep(program, options, sweep);
  }
}

/// Panels whose size is known may be a thread's own.
TEST_P(Threads, Static) {
  MicroKernel kernel = getMicroKernel(getHostTarget(), 32);
  int64_t mr = kernel.mr, nr = kernel.getNr();
  const Sizes choices[] = {
      {{"m", 1}, {"n", 1}, {"k", 1}},
      {{"m", mr - 1}, {"n", nr + 1}, {"k", 7}},
      {{"m", 2 * mr + 1}, {"n", 2 * nr - 1}, {"k", 31}},
  };
  for (const char *packing : {"auto", "always"})
    for (const Sizes &bindings : choices) {
      BuildOptions options = getOptions();
      options.packing = packing;
      options.bindings = getPresent(program, bindings);
      Compiled compiled(program, options);
      ASSERT_TRUE(compiled.isOk());
      for (int64_t batch : {0, 1, 2, 7, 16, 17}) {
        Sizes sizes = {{"a", 3}, {"b", batch}, {"m", 5}, {"n", 7}, {"k", 9}};
        CallOptions call;
        EXPECT_TRUE(compiled.check(sizes, call)) << batch;
        call.views = true;
        EXPECT_TRUE(compiled.check(sizes, call)) << batch;
      }
    }
}

const char *const shared[] = {
    "mk,kn->mn",
    "km,nk->nm",
    "bmk,bkn->bmn",
    "mbk,bnk->bmn",
    "bmk,kbn->mbn",
    "abmk,abkn->abmn",
    "mak,kn->amn",
    "mk,k->m",
    "mk,mk->m",
    "bmn->nbm",
    "bmn->mn",
    "def f(A: f32(b, m, k), B: f32(b, k, n), c: f32(n)) -> (C: f32(b, m, n)) {"
    " let Z(h, i, j) +=! A(h, i, l) * B(h, l, j)\n"
    " C(h, i, j) = max(Z(h, i, j) + c(j), 0) }",
    "def f(A: f32(b, m, k), B: f32(b, k, n)) -> (inout C: f32(b, m, n)) {"
    " C(h, i, j) += A(h, i, l) * B(h, l, j) }",
    "def f(A: i8(b, m, k), B: i8(b, k, n)) -> (C: i32(b, m, n)) {"
    " C(h, i, j) +=! A(h, i, l) * B(h, l, j) }",
    "def f(A: c64(b, m, k), B: c64(b, k, n)) -> (C: c64(b, m, n)) {"
    " C(h, i, j) +=! A(h, i, l) * B(h, l, j) }",
};

INSTANTIATE_TEST_SUITE_P(All, Threads,
                         testing::Combine(testing::ValuesIn(shared),
                                          testing::Values("always", "outside")),
                         [](const testing::TestParamInfo<Sharing> &info) {
                           return std::get<1>(info.param) +
                                  ("_" + std::to_string(info.index / 2));
                         });

} // namespace
} // namespace ein::test
