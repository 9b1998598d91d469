//===- SplitSumsTest.cpp - Reductions in parts, round every length --------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With threads, what is long is reduced in up to 32 parts of at least 256 steps
// and whole cache lines, and then the rest.
//
//===----------------------------------------------------------------------===//

#include "tests/e2e/Harness.h"

namespace ein::test {
namespace {

const int64_t lengths[] = {0,    1,    15,   16,   17,    255,   256,   257,
                           511,  512,  513,  2047, 2048,  2049,  4096,  8191,
                           8192, 8193, 8207, 8208, 16384, 16400, 20011, 33333};

const char *const programs[] = {
    "k,k->",
    "def f(A: f64(k)) -> (s: f64) { s +=! A(i) }",
    "def f(A: f32(k), B: f32(k)) -> (inout s: f32) { s += A(i) * B(i) }",
    "def f(A: f32(k), B: f32(k)) -> (s: f32) { s max=! A(i) * B(i) }",
    "def f(A: f32(k)) -> (s: f32, t: f32) { s min=! A(i)  t max=! A(i) }",
    "def f(A: i32(k)) -> (s: i32, t: i32) { s +=! A(i)  t *=! A(i) + 3 }",
    "def f(A: u8(k)) -> (s: u8, t: u8, u: u8)"
    " { s &=! A(i)  t |=! A(i)  u ^=! A(i) }",
    "def f(A: i8(k), B: i8(k)) -> (s: i32) { s +=! A(i) * B(i) }",
    "def f(A: c64(k), B: c64(k)) -> (s: c64) { s +=! A(i) * B(i) }",
    "def f(A: f16(k), B: f16(k)) -> (s: f32) { s +=! A(i) * B(i) }",
    // Few rows and columns, each order; then something in the register tiles
    // that are not there any more.
    "def f(A: f32(5, k), B: f32(k, 7)) -> (C: f32(5, 7))"
    " { C(m, n) +=! A(m, i) * B(i, n) }",
    "def f(A: f32(k, 9), B: f32(17, k)) -> (inout C: f32(17, 9))"
    " { C(n, m) += A(i, m) * B(n, i) }",
    "def f(A: f32(4, k), B: f32(4, k, 3), b: f32(3)) -> (C: f32(4, 3))"
    " { let Z(p, n) +=! A(p, i) * B(p, i, n)  C(p, n) = max(Z(p, n) + b(n), 0) "
    "}",
    "def f(A: f32(3, k), x: f32(k)) -> (y: f32(3)) { y(m) +=! A(m, i) * x(i) }",
    "def f(A: f32(k, 20), x: f32(k)) -> (y: f32(20))"
    " { y(m) +=! A(i, m) * x(i) }",
    "def f(A: f32(k, 3), B: f32(k, 3)) -> (s: f32) { s +=! A(i, j) * B(i, j) }",
    // A part of it has no k, or all of it is shifted.
    "def f(A: f32(k), b: f32(4)) -> (C: f32(4)) { C(m) +=! A(i) * b(m) }",
    "def f(A: f32(k + 2)) -> (s: f32) { s +=! A(i + 2) where i in 0:k }",
};

TEST(SplitSums, OpenLength) {
  for (const char *program : programs) {
    SCOPED_TRACE(program);
    BuildOptions options;
    options.parallel = true;
    Compiled compiled(program, options);
    ASSERT_TRUE(compiled.isOk());
    CallOptions call;
    call.seed = getSeed();
    for (int64_t length : lengths) {
      EXPECT_TRUE(compiled.check({{"k", length}}, call)) << "k = " << length;
      call.unaligned = !call.unaligned;
    }
  }
}

TEST(SplitSums, Views) {
  for (const char *program : programs) {
    SCOPED_TRACE(program);
    BuildOptions options;
    options.parallel = true;
    options.views = true;
    Compiled compiled(program, options);
    ASSERT_TRUE(compiled.isOk());
    CallOptions call;
    call.seed = getSeed();
    call.views = true;
    for (int64_t length : {0, 1, 513, 8209})
      EXPECT_TRUE(compiled.check({{"k", length}}, call)) << "k = " << length;
  }
}

/// From where on parts are made of what is known.
TEST(SplitSums, StaticLength) {
  for (const char *program : programs)
    for (const char *packing : {"auto", "always", "never"})
      for (int64_t length : {2049, 32768, 33333}) {
        bool isProduct = llvm::StringRef(program).contains("* B(");
        if (packing != llvm::StringRef("auto") &&
            (!isProduct || length == 2049))
          continue;
        SCOPED_TRACE(program);
        BuildOptions options;
        options.parallel = true;
        options.packing = packing;
        options.bindings = {{"k", length}};
        Compiled compiled(program, options);
        ASSERT_TRUE(compiled.isOk());
        EXPECT_TRUE(compiled.check({})) << "k = " << length;
      }
}

} // namespace
} // namespace ein::test
