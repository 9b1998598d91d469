//===- NarrowTest.cpp - Matrix products of narrow integers ----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bytes and words that are summed in 32 bits, and halves, are packed by groups
// of k where the machine has instructions for that. Results of integers are
// exact, so every element has to be the reference's.
//
//===----------------------------------------------------------------------===//

#include "target/DotProducts.h"
#include "tests/e2e/Harness.h"

namespace ein::test {
namespace {

struct Types {
  const char *name;
  const char *lhs, *rhs, *sum;
};

const Types types[] = {
    {"i8_i8", "i8", "i8", "i32"},
    {"u8_u8", "u8", "u8", "u32"},
    {"u8_i8", "u8", "i8", "i32"},
    {"i8_u8", "i8", "u8", "i32"},
    {"bf16_bf16", "bf16", "bf16", "f32"},
    {"i8_i16", "i8", "i16", "i32"},
    {"i16_i16", "i16", "i16", "i32"},
    {"u16_u16", "u16", "u16", "u32"},
    {"u16_i8", "u16", "i8", "i32"},
    {"i16_i32", "i16", "i32", "i32"},
    {"i16_i16_in_i64", "i16", "i16", "i64"},
};

std::string getProgram(const Types &types, const char *a, const char *b,
                       const char *statement) {
  return std::string("def f(A: ") + types.lhs + "(" + a + "), B: " + types.rhs +
         "(" + b + ")) -> (C: " + types.sum + "(M, N)) { C(m, n) +=! " +
         statement + " acc = " + types.sum + " }";
}

std::string getProduct(const Types &types) {
  return getProgram(types, "M, K", "K, N", "A(m, k) * B(k, n)");
}

class Narrow : public testing::TestWithParam<Types> {};

TEST_P(Narrow, RegisterTiles) {
  for (bool isTransposed : {false, true})
    for (unsigned optLevel : {3u, 0u}) {
      BuildOptions options;
      options.optLevel = optLevel;
      Sweep sweep;
      sweep.choices = getTileSizes(ElementType::I32);
      sweep.numRandom = optLevel == 3 ? 60 : 5;
      runSweep(isTransposed
                   ? getProgram(GetParam(), "K, M", "N, K", "A(k, m) * B(n, k)")
                   : getProduct(GetParam()),
               options, sweep);
    }
}

/// Blocks are those of pairs that are as wide as an element.
TEST_P(Narrow, Blocks) {
  TargetInfo host = getHostTarget();
  MicroKernel kernel = getMicroKernel(host, 32);
  int64_t mr = kernel.mr, nr = kernel.getNr();
  Blocking blocking = getBlocking(host, 16, kernel);
  Compiled compiled(getProduct(GetParam()));
  ASSERT_TRUE(compiled.isOk());
  // Those of a group are as wide as what they are added up in.
  for (unsigned number : host.dotProducts) {
    const DotProduct &product = getDotProduct(number);
    if (product.group < 4)
      continue;
    int64_t kc = getBlocking(host, product, kernel).kc;
    for (int64_t d : {-1, 0, 1})
      EXPECT_TRUE(compiled.check({{"M", 3}, {"N", nr + 1}, {"K", kc + d}}));
    break;
  }
  for (int64_t d : {-1, 0, 1}) {
    EXPECT_TRUE(
        compiled.check({{"M", mr + 1}, {"N", nr + 1}, {"K", blocking.kc + d}}));
    EXPECT_TRUE(compiled.check({{"M", blocking.mc + d}, {"N", 3}, {"K", 7}}));
    EXPECT_TRUE(compiled.check({{"M", 2}, {"N", blocking.nc + d}, {"K", 3}}));
  }
  EXPECT_TRUE(compiled.check({{"M", blocking.mc + mr + 1},
                              {"N", 2 * nr + 3},
                              {"K", blocking.kc + 9}}));
}

TEST_P(Narrow, StaticSizes) {
  TargetInfo host = getHostTarget();
  MicroKernel kernel = getMicroKernel(host, 32);
  int64_t mr = kernel.mr, nr = kernel.getNr();
  const Sizes choices[] = {
      {{"M", 0}, {"N", 3}, {"K", 4}},
      {{"M", 3}, {"N", 4}, {"K", 0}},
      {{"M", 1}, {"N", 1}, {"K", 1}},
      {{"M", 2}, {"N", 2}, {"K", 2}},
      {{"M", mr}, {"N", nr}, {"K", 32}},
      {{"M", mr + 1}, {"N", nr + 1}, {"K", 33}},
      {{"M", 2 * mr}, {"N", 2 * nr}, {"K", 31}},
      {{"K", 3}},
      {{"N", nr}},
  };
  for (const Sizes &bindings : choices) {
    BuildOptions options;
    options.bindings = bindings;
    Compiled compiled(getProduct(GetParam()), options);
    ASSERT_TRUE(compiled.isOk());
    EXPECT_TRUE(compiled.check({{"M", 9}, {"N", 37}, {"K", 19}}));
  }
}

/// A depth of whole groups, for which rows need not be packed.
TEST_P(Narrow, WholeGroups) {
  TargetInfo host = getHostTarget();
  MicroKernel kernel = getMicroKernel(host, 32);
  int64_t mr = kernel.mr, nr = kernel.getNr();
  int64_t blocked = 4 * getBlocking(host, 32, kernel).kc + 4;
  for (int64_t depth : {int64_t(4), int64_t(20), int64_t(64), blocked})
    for (bool areRowsKnown : {false, true}) {
      BuildOptions options;
      options.views = !areRowsKnown;
      options.bindings = {{"K", depth}};
      if (areRowsKnown)
        options.bindings = {{"K", depth}, {"M", 2 * mr + 1}};
      Compiled compiled(getProduct(GetParam()), options);
      ASSERT_TRUE(compiled.isOk());
      for (int64_t columns : {int64_t(1), int64_t(8), nr + 3})
        for (int64_t rows : {int64_t(0), int64_t(1), mr - 1, mr, 2 * mr + 1})
          if (!areRowsKnown || rows == 2 * mr + 1)
            EXPECT_TRUE(compiled.check({{"M", rows}, {"N", columns}}));
    }
}

TEST_P(Narrow, Views) {
  BuildOptions options;
  options.views = true;
  Sweep sweep;
  sweep.choices = getTileSizes(ElementType::I32);
  sweep.numRandom = 20;
  runSweep(getProduct(GetParam()), options, sweep);
}

/// Compiles each program, and compares what it makes of some sizes.
static void sweepAll(llvm::ArrayRef<std::string> programs,
                     std::vector<int64_t> choices) {
  for (const std::string &program : programs) {
    Compiled compiled(program);
    ASSERT_TRUE(compiled.isOk());
    Sweep sweep;
    sweep.choices = choices;
    sweep.numRandom = 15;
    runSweep(compiled, sweep);
  }
}

/// Batches, two reduced dims, a sum that goes on, and three factors.
TEST_P(Narrow, OtherDims) {
  const Types &types = GetParam();
  auto declare = [&](const char *a, const char *b, const char *c) {
    return std::string("def f(A: ") + types.lhs + "(" + a +
           "), B: " + types.rhs + "(" + b + ")) -> (C: " + types.sum + "(" + c +
           ")) { C";
  };
  const std::string programs[] = {
      declare("H, M, K", "H, K, N", "H, M, N") +
          "(h, m, n) +=! A(h, m, k) * B(h, k, n) acc = " + types.sum + " }",
      declare("M, H, K", "K, H, N", "M, N") +
          "(m, n) +=! A(m, h, k) * B(k, h, n) acc = " + types.sum + " }",
      declare("M, K", "K, N", "N, M") + "(n, m) +=! A(m, k) * B(k, n) acc = " +
          types.sum + " C(n, m) += A(m, k) * B(k, n) acc = " + types.sum + " }",
      declare("M, K", "K, N", "M, M") +
          "(m, l) +=! A(m, k) * B(k, n) * A(l, n) acc = " + types.sum + " }",
  };
  sweepAll(programs, {0, 1, 2, 5, 17, 33});
}

TEST(NarrowValues, SumsWrap) {
  // Two products of the least words make 2^31.
  Compiled compiled(getProduct({"", "i16", "i16", "i32"}));
  ASSERT_TRUE(compiled.isOk());
  CallOptions call;
  call.edit = [](const std::string &, runtime::Array &array) {
    std::fill_n(array.as<int16_t>(), array.getNumElements(), INT16_MIN);
  };
  for (int64_t k : {1, 2, 3, 4, 7})
    EXPECT_TRUE(compiled.check({{"M", 15}, {"N", 33}, {"K", k}}, call));
}

/// Four products of the extremes, of all signs.
TEST(NarrowValues, ExtremesOfBytes) {
  for (const char *lhs : {"i8", "u8"})
    for (const char *rhs : {"i8", "u8"}) {
      Compiled compiled(getProduct({"", lhs, rhs, "i32"}));
      ASSERT_TRUE(compiled.isOk());
      for (int first : {0x80, 0xff, 0x7f, 0})
        for (int second : {0x80, 0xff, 0x7f}) {
          CallOptions call;
          call.edit = [&](const std::string &name, runtime::Array &array) {
            std::fill_n(array.as<uint8_t>(), array.getNumElements(),
                        uint8_t(name == "A" ? first : second));
          };
          for (int64_t k : {1, 3, 4, 5, 67})
            EXPECT_TRUE(compiled.check({{"M", 9}, {"N", 33}, {"K", k}}, call));
        }
    }
}

/// The same where groups of A are known to be whole, and are read in place.
TEST(NarrowValues, ExtremesInPlace) {
  for (const char *lhs : {"i8", "u8"})
    for (const char *rhs : {"i8", "u8"}) {
      Compiled compiled(std::string("def f(A: ") + lhs + "(M, 68), B: " + rhs +
                        "(68, N)) -> (C: i32(M, N)) "
                        "{ C(m, n) +=! A(m, k) * B(k, n) }");
      ASSERT_TRUE(compiled.isOk());
      for (int first : {0x80, 0xff, 0x7f, 0})
        for (int second : {0x80, 0xff, 0x7f}) {
          CallOptions call;
          call.edit = [&](const std::string &name, runtime::Array &array) {
            std::fill_n(array.as<uint8_t>(), array.getNumElements(),
                        uint8_t(name == "A" ? first : second));
          };
          for (int64_t m : {1, 6, 9, 20})
            EXPECT_TRUE(compiled.check({{"M", m}, {"N", 33}}, call));
        }
      EXPECT_TRUE(compiled.check({{"M", 31}, {"N", 130}}));
    }
}

/// Instructions take subnormal numbers for zero, and infinities for what they
/// are.
TEST(NarrowValues, SpecialHalves) {
  Compiled compiled(getProduct({"", "bf16", "bf16", "f32"}));
  ASSERT_TRUE(compiled.isOk());
  const uint16_t subnormal = 0x0041, large = 0x7f00, one = 0x3f80,
                 infinity = 0x7f80, nan = 0x7fc1;
  for (uint16_t first : {subnormal, infinity, nan, large})
    for (uint16_t second : {large, one, subnormal}) {
      CallOptions call;
      call.edit = [&](const std::string &name, runtime::Array &array) {
        uint16_t *elements = array.as<uint16_t>();
        std::fill_n(elements, array.getNumElements(), one);
        for (int64_t i = 0; i < array.getNumElements(); i += 3)
          elements[i] = name == "A" ? first : second;
      };
      for (int64_t k : {1, 2, 3, 8, 33})
        EXPECT_TRUE(compiled.check({{"M", 9}, {"N", 33}, {"K", k}}, call));
    }
}

/// What is subtracted before, for all, for each row, and for each column.
TEST(NarrowValues, ZeroPoints) {
  const std::string programs[] = {
      "def f(A: u8(M, K), B: i8(K, N), y: i32, z: i32) -> (C: i32(M, N)) "
      "{ C(m, n) +=! (A(m, k) - y) * (B(k, n) - z) }",
      "def f(A: u8(M, K), B: u8(N, K)) -> (C: i32(M, N)) "
      "{ C(m, n) +=! (i32(A(m, k)) - 131) * (120 + i32(B(n, k))) }",
      "def f(A: i8(H, K, M), B: u8(H, K, N), y: i8(H, M), z: u8(N)) -> "
      "(C: i32(H, M, N)) { C(h, m, n) +=! (i32(A(h, k, m)) - y(h, m)) * "
      "(i32(B(h, k, n)) - z(n)) }",
      "def f(A: u8(M, K, L), B: i8(L, K, N), y: i32) -> (C: i32(N, M)) "
      "{ C(n, m) += (A(m, k, l) - y) * B(l, k, n) }",
      "def f(A: i8(M, K), B: i8(K, N), y: i32, z: i32) -> (C: i32(M, N)) "
      "{ C = quantized_matmul(A, B, y, z) }",
      "def f(A: i8(3, M, K), B: i8(3, K, N), y: i32, z: i32) -> "
      "(C: i32(3, M, N)) { C = quantized_batch_matmul(A, B, y, z) }",
      // Not the same for all terms.
      "def f(A: u8(M, K), B: i8(K, N), y: i32(K)) -> (C: i32(M, N)) "
      "{ C(m, n) +=! (A(m, k) - y(k)) * (B(k, n) - 3) }",
  };
  sweepAll(programs, {0, 1, 2, 4, 5, 17, 33});
}

/// Factors that are rounded in the product, or just before it.
TEST(NarrowValues, CastsInTheBody) {
  const std::string programs[] = {
      "def f(A: f32(M, K), s: f32(K), B: i8(K, N)) -> (C: i32(M, N)) "
      "{ C(m, n) +=! u8(rint(A(m, k) * 99) + s(k)) * B(k, n) }",
      "def f(A: f32(M, K), B: i8(N, K)) -> (C: i32(M, N)) "
      "{ let a(m, k) = i8(rint(A(m, k) * 99)) C(m, n) +=! a(m, k) * B(n, k) }",
      "def f(A: f32(M, K), B: bf16(K, N)) -> (C: f32(M, N)) "
      "{ C(m, n) +=! bf16(A(m, k)) * B(k, n) }",
      "def f(A: f32(M, K), B: f32(K, N)) -> (C: f32(M, N)) "
      "{ let a(m, k) = bf16(A(m, k)) let b(k, n) = bf16(B(k, n) + 1) "
      "C(m, n) +=! a(m, k) * b(k, n) }",
      "def f(A: f32(M, K), B: f16(K, N)) -> (C: f32(M, N)) "
      "{ C(m, n) +=! f16(A(m, k)) * B(k, n) }",
  };
  sweepAll(programs, {0, 1, 2, 5, 17, 33});
}

TEST(NarrowValues, Epilogue) {
  Compiled compiled("def f(A: i8(M, K), B: i8(K, N), b: i32(N)) -> "
                    "(D: i32(M, N)) { let C(m, n) +=! A(m, k) * B(k, n) "
                    "D(m, n) = max(C(m, n) + b(n), 0) }");
  ASSERT_TRUE(compiled.isOk());
  for (int64_t k : {0, 1, 33, 517})
    EXPECT_TRUE(compiled.check({{"M", 15}, {"N", 33}, {"K", k}}));
}

TEST(NarrowValues, Threads) {
  BuildOptions options;
  options.parallel = true;
  Compiled compiled(getProduct({"", "u8", "i8", "i32"}), options);
  ASSERT_TRUE(compiled.isOk());
  EXPECT_TRUE(compiled.check({{"M", 131}, {"N", 127}, {"K", 129}}));
}

INSTANTIATE_TEST_SUITE_P(Types, Narrow, testing::ValuesIn(types),
                         [](const testing::TestParamInfo<Types> &info) {
                           return std::string(info.param.name);
                         });

} // namespace
} // namespace ein::test
