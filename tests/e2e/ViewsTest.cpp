//===- ViewsTest.cpp - The entries that take strides ----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs through their view entries: random layouts against the reference,
// then what has to be refused and what must not be.
//
//===----------------------------------------------------------------------===//

#include "tests/e2e/Harness.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <random>
#include <set>

namespace ein::test {
namespace {

void sweepViews(const std::string &text, unsigned numRandom,
                const Sizes &bindings = {}) {
  for (unsigned optLevel : {3u, 0u}) {
    BuildOptions options;
    options.optLevel = optLevel;
    options.views = true;
    options.bindings = bindings;
    Compiled compiled(text, options);
    ASSERT_TRUE(compiled.isOk());
    Sweep sweep;
    sweep.choices = getTileSizes(ElementType::F32);
    sweep.numRandom = numRandom;
    sweep.maxPoints = 50e3;
    sweep.views = true;
    for (const Def &def : compiled.getProgram().defs)
      runSweep(compiled, sweep, def.name);
  }
}

TEST(Views, Samples) {
  std::error_code error;
  unsigned count = 0;
  for (llvm::sys::fs::directory_iterator it(EIN_SAMPLES_DIR, error), end;
       it != end && !error; it.increment(error)) {
    if (!llvm::StringRef(it->path()).ends_with(".ein"))
      continue;
    SCOPED_TRACE(it->path());
    auto buffer = llvm::MemoryBuffer::getFile(it->path());
    ASSERT_TRUE(bool(buffer));
    sweepViews((*buffer)->getBuffer().str(), 10);
    ++count;
  }
  EXPECT_GE(count, 8u);
}

TEST(Views, Programs) {
  const char *programs[] = {
      "mk,kn->mn",
      "km,nk->nm",
      "bmk,bkn->bmn",
      "ij->ji",
      "ij,ij->ij",
      "i,j->ij",
      "ij->",
      "ii->i",
      "def f(A: f64(M), s: f64) -> (C: f64(M)) { C(i) = A(i) * s }",
      "def f(A: f32(M, N)) -> (inout C: f32(M, N)) { C(i, j) += A(i, j) }",
      "def f(A: f32(M, K), B: f32(K, N)) -> (inout C: f32(M, N)) "
      "{ C(m, n) += A(m, k) * B(k, n) }",
      "def f(A: f32(N)) -> (C: f32(N)) { C(i) = A(N - 1 - i) }",
      "def f(I: f32(2*O + K - 1), W: f32(K)) -> (C: f32(O)) "
      "{ C(o) +=! I(2*o + k) * W(k) }",
      "def f(A: f32(M, N)) -> (R: f32(M), t: f32) "
      "{ R(i) +=! A(i, j)  t +=! A(i, j) }",
      "def f(A: f32(2*N)) -> (t: f32) { t +=! A(i) }",
      "def f(I: f32(N), W: f32(K)) -> (C) { C(o) +=! I(2*o + k) * W(k) }",
      "def f(A: f32(N)) -> (C: f32(N / 3 + 1)) { C(i) = A(N - N % 3 - 3*i) "
      "where i in 1:N / 3 + 1 }",
      "def f(A: f32(M + N)) -> (C: f32(M)) { C(i) = A(i) + 1.0 }",
      "def f(A: f32(M, N)) -> (C: f32(M, N), D: f32(N, M)) "
      "{ C(i, j) = exp(A(i, j))  D(j, i) = A(i, j) - 1.0 }",
  };
  for (const char *program : programs) {
    SCOPED_TRACE(program);
    sweepViews(program, 10);
  }
}

/// Operands in place, and panels of them, whatever would have been chosen.
TEST(Views, EitherPacking) {
  for (const char *program : {"mk,kn->mn", "km,kn->mn", "mk,nk->mn",
                              "km,nk->nm", "bmk,bkn->bmn", "mab,bna->mn"})
    for (const char *packing : {"always", "never"})
      for (int64_t k : {-1, 19}) {
        BuildOptions options;
        options.views = true;
        options.packing = packing;
        if (k >= 0 && !llvm::StringRef(program).contains('k'))
          continue;
        if (k >= 0)
          options.bindings = {{"k", k}, {"m", 15}, {"n", 37}};
        Sweep sweep;
        sweep.choices = getTileSizes(ElementType::F32);
        sweep.numRandom = 12;
        sweep.maxPoints = 50e3;
        runSweep(program, options, sweep);
      }
}

void checkRandomViews(const Compiled &compiled, const Sizes &sizes,
                      uint64_t count) {
  for (uint64_t seed = 1; seed <= count; ++seed) {
    CallOptions call;
    call.seed = seed;
    call.views = true;
    EXPECT_TRUE(compiled.check(sizes, call));
  }
}

/// Extents that are known leave the strides unknown.
TEST(Views, StaticSizes) {
  for (int64_t size : {0, 1, 7, 16, 33})
    for (const char *program : {"ab,bc->ac", "ab,ab->ab", "ab->ba"}) {
      SCOPED_TRACE(program);
      BuildOptions options;
      options.views = true;
      for (const std::string &symbol : getSymbols(program))
        options.bindings.push_back({symbol, size});
      Compiled compiled(program, options);
      ASSERT_TRUE(compiled.isOk());
      checkRandomViews(compiled, {}, 8);
    }
}

/// Dims that the kernel has as one: views of which they follow each other are
/// read as they are, and others are copied.
TEST(Views, JoinedDims) {
  for (const char *program : {"abk,ck->abc", "kab,kc->abc", "abck,kd->abcd",
                              "mab,bna->mn", "abmk,abkn->abmn"})
    for (bool isStatic : {true, false}) {
      SCOPED_TRACE(program);
      for (int64_t size : {1, 2, 9}) {
        BuildOptions options;
        options.views = true;
        Sizes sizes;
        for (const std::string &symbol : getSymbols(program))
          sizes.push_back({symbol, symbol == "a" || symbol == "k" ? size : 6});
        if (isStatic)
          options.bindings = sizes;
        Compiled compiled(program, options);
        ASSERT_TRUE(compiled.isOk());
        checkRandomViews(compiled, isStatic ? Sizes() : sizes, 16);
      }
    }
}

//===----------------------------------------------------------------------===//
// Overlap and shapes
//===----------------------------------------------------------------------===//

template <size_t Rank> struct View {
  float *data;
  int64_t sizes[Rank], strides[Rank];
};

class ViewCodes : public testing::Test {
protected:
  ViewCodes() : memory(4096) {}

  template <size_t Rank> runtime::Code copy(View<Rank> from, View<Rank> to) {
    static const char *const programs[] = {
        "def f(A: f32(N)) -> (C: f32(N)) { C(i) = A(i) }",
        "def f(A: f32(M, N)) -> (C: f32(M, N)) { C(i, j) = A(i, j) }",
        ("def f(A: f32(L, M, N)) -> (C: f32(L, M, N)) "
         "{ C(i, j, k) = A(i, j, k) }")};
    static const Compiled compiled = [] {
      BuildOptions options;
      options.views = true;
      return Compiled(programs[Rank - 1], options);
    }();
    if (!compiled.isOk())
      return static_cast<runtime::Code>(-1);
    void *arguments[] = {&from, &to};
    return static_cast<runtime::Code>(
        compiled.getViewEntry()(arguments, nullptr));
  }

  float *at(int64_t i) { return memory.data() + i; }
  std::vector<float> memory;
};

TEST_F(ViewCodes, DisjointPartsOfOneArray) {
  using V1 = View<1>;
  using V2 = View<2>;
  using V3 = View<3>;
  // The left and the right columns.
  EXPECT_EQ(copy<2>(V2{at(0), {5, 4}, {8, 1}}, V2{at(4), {5, 4}, {8, 1}}),
            runtime::Code::Ok);
  EXPECT_EQ(copy<2>(V2{at(4), {5, 4}, {8, 1}}, V2{at(0), {5, 4}, {8, 1}}),
            runtime::Code::Ok);
  // Even and odd columns, of rows of even and odd length.
  EXPECT_EQ(copy<2>(V2{at(0), {5, 4}, {8, 2}}, V2{at(1), {5, 4}, {8, 2}}),
            runtime::Code::Ok);
  EXPECT_EQ(copy<2>(V2{at(0), {5, 4}, {9, 2}}, V2{at(1), {5, 4}, {9, 2}}),
            runtime::Code::Ok);
  // Even and odd elements, one of them backwards.
  EXPECT_EQ(copy<1>(V1{at(0), {9}, {2}}, V1{at(17), {9}, {-2}}),
            runtime::Code::Ok);
  // Blocks of blocks.
  EXPECT_EQ(copy<3>(V3{at(0), {3, 4, 2}, {64, 8, 1}},
                    V3{at(2), {3, 4, 2}, {64, 8, 1}}),
            runtime::Code::Ok);
  // A transposed block beside another.
  EXPECT_EQ(copy<2>(V2{at(0), {4, 4}, {1, 8}}, V2{at(4), {4, 4}, {8, 1}}),
            runtime::Code::Ok);
  // The upper and the lower half, each upside down.
  EXPECT_EQ(copy<2>(V2{at(24), {4, 8}, {-8, 1}}, V2{at(56), {4, 8}, {-8, 1}}),
            runtime::Code::Ok);
  // A lattice that does not nest: 0 2 3 5 beside 1 4 ….
  EXPECT_EQ(copy<2>(V2{at(8), {2, 2}, {1, 2}}, V2{at(0), {2, 2}, {3, 2}}),
            runtime::Code::Ok);
  // Inputs repeat as they like.
  EXPECT_EQ(copy<2>(V2{at(0), {40, 50}, {0, 0}}, V2{at(1), {40, 50}, {50, 1}}),
            runtime::Code::Ok);
  // Nothing overlaps nothing.
  EXPECT_EQ(copy<2>(V2{at(0), {0, 9}, {9, 1}}, V2{at(0), {0, 9}, {0, 0}}),
            runtime::Code::Ok);
}

TEST_F(ViewCodes, Overlap) {
  using V1 = View<1>;
  using V2 = View<2>;
  EXPECT_EQ(copy<2>(V2{at(0), {5, 5}, {8, 1}}, V2{at(4), {5, 5}, {8, 1}}),
            runtime::Code::Overlap);
  // In one element only: the last of the one is the first of the other.
  EXPECT_EQ(copy<1>(V1{at(0), {9}, {2}}, V1{at(16), {9}, {3}}),
            runtime::Code::Overlap);
  EXPECT_EQ(copy<1>(V1{at(0), {9}, {2}}, V1{at(17), {9}, {3}}),
            runtime::Code::Ok);
  EXPECT_EQ(copy<1>(V1{at(100), {9}, {-2}}, V1{at(84), {9}, {-3}}),
            runtime::Code::Overlap);
  // 2i = 3j + 7 has solutions.
  EXPECT_EQ(copy<1>(V1{at(0), {20}, {2}}, V1{at(7), {20}, {3}}),
            runtime::Code::Overlap);
  // Transposed in place.
  EXPECT_EQ(copy<2>(V2{at(0), {5, 5}, {1, 5}}, V2{at(0), {5, 5}, {5, 1}}),
            runtime::Code::Overlap);
  // Half an element.
  float *half = reinterpret_cast<float *>(reinterpret_cast<char *>(at(8)) + 2);
  EXPECT_EQ(copy<1>(V1{at(0), {9}, {1}}, V1{half, {9}, {1}}),
            runtime::Code::Overlap);
}

TEST_F(ViewCodes, OutputsThatOverlapThemselves) {
  using V2 = View<2>;
  V2 input = {at(2048), {4, 5}, {5, 1}};
  auto write = [&](int64_t row, int64_t column, int64_t rows = 4) {
    input.sizes[0] = rows;
    return copy<2>(input, V2{at(1024), {rows, 5}, {row, column}});
  };
  EXPECT_EQ(write(5, 1), runtime::Code::Ok);
  EXPECT_EQ(write(1, 4), runtime::Code::Ok);
  EXPECT_EQ(write(-1, -4), runtime::Code::Ok);
  EXPECT_EQ(write(7, -1), runtime::Code::Ok);
  EXPECT_EQ(write(3, 4, 5), runtime::Code::Overlap); // 4 * 3 = 3 * 4
  EXPECT_EQ(write(3, 4, 4), runtime::Code::Ok);
  EXPECT_EQ(write(0, 1), runtime::Code::Overlap);
  EXPECT_EQ(write(5, 0), runtime::Code::Overlap);
  EXPECT_EQ(write(0, 1, 1), runtime::Code::Ok);
  EXPECT_EQ(write(4, 1), runtime::Code::Overlap);
  EXPECT_EQ(write(-4, 1), runtime::Code::Overlap);
}

/// Against counting: every pair of small layouts.
TEST_F(ViewCodes, AgreesWithCounting) {
  BuildOptions options;
  options.views = true;
  Compiled compiled(
      "def f(A: f32(M, N)) -> (C: f32(M, N)) { C(i, j) = A(i, j) }", options);
  ASSERT_TRUE(compiled.isOk());
  runtime::PackedFunction function = compiled.getViewEntry();
  std::mt19937_64 random(getSeed());
  unsigned counts[2] = {};
  for (unsigned draw = 0; draw < 20000; ++draw) {
    auto pick = [&](int64_t lowest, int64_t highest) {
      return lowest + int64_t(random() % (highest - lowest + 1));
    };
    int64_t rows = pick(1, 4), columns = pick(1, 4);
    View<2> a = {
        at(2000 + pick(0, 12)), {rows, columns}, {pick(-9, 9), pick(-9, 9)}};
    View<2> c = {at(2000), {rows, columns}, {pick(-9, 9), pick(-9, 9)}};
    std::set<float *> written, read;
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j) {
        written.insert(c.data + i * c.strides[0] + j * c.strides[1]);
        read.insert(a.data + i * a.strides[0] + j * a.strides[1]);
      }
    bool overlaps = written.size() != size_t(rows * columns);
    for (float *place : read)
      overlaps |= written.count(place) != 0;
    ++counts[overlaps];
    void *arguments[] = {&a, &c};
    ASSERT_EQ(function(arguments, nullptr),
              overlaps ? int32_t(runtime::Code::Overlap) : 0)
        << rows << "x" << columns << ", input +" << a.data - at(2000) << " by "
        << a.strides[0] << ", " << a.strides[1] << ", output by "
        << c.strides[0] << ", " << c.strides[1];
  }
  EXPECT_GT(counts[0], 2000u);
  EXPECT_GT(counts[1], 2000u);
}

TEST_F(ViewCodes, Shapes) {
  using V2 = View<2>;
  V2 good = {at(0), {4, 5}, {5, 1}};
  EXPECT_EQ(copy<2>(good, V2{at(100), {4, 6}, {6, 1}}),
            runtime::Code::ShapeMismatch);
  EXPECT_EQ(copy<2>(good, V2{at(100), {3, 5}, {6, 1}}),
            runtime::Code::ShapeMismatch);
  V2 negative = {at(0), {-4, 5}, {5, 1}};
  EXPECT_EQ(copy<2>(negative, V2{at(100), {-4, 5}, {5, 1}}),
            runtime::Code::ShapeMismatch);
}

/// A compound dim alone gives the largest integer that fits, and is checked.
TEST_F(ViewCodes, CompoundDims) {
  BuildOptions options;
  options.views = true;
  Compiled compiled("def f(A: f32(2*N + 1)) -> (t: f32) { t +=! A(i) }",
                    options);
  ASSERT_TRUE(compiled.isOk());
  float sum = 0;
  struct {
    float *data;
  } t = {&sum};
  auto call = [&](int64_t extent) {
    View<1> a = {at(0), {extent}, {1}};
    void *arguments[] = {&a, &t};
    return static_cast<runtime::Code>(
        compiled.getViewEntry()(arguments, nullptr));
  };
  EXPECT_EQ(call(9), runtime::Code::Ok);
  EXPECT_EQ(call(1), runtime::Code::Ok);
  EXPECT_EQ(call(8), runtime::Code::ShapeMismatch);
  EXPECT_EQ(call(0), runtime::Code::ShapeMismatch);
}

/// A view that no copy could hold.
TEST_F(ViewCodes, OutOfMemory) {
  BuildOptions options;
  options.views = true;
  Compiled compiled("def f(A: f32(M, N)) -> (t: f32(1)) { t(z) +=! A(i, j) }",
                    options);
  ASSERT_TRUE(compiled.isOk());
  float sum = 0;
  int64_t huge = int64_t(1) << 52;
  View<2> a = {at(0), {2, huge}, {1, 0}};
  View<1> t = {&sum, {1}, {1}};
  void *arguments[] = {&a, &t};
  EXPECT_EQ(compiled.getViewEntry()(arguments, nullptr),
            int32_t(runtime::Code::OutOfMemory));
}

} // namespace
} // namespace ein::test
