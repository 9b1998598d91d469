//===- OrdersTest.cpp - Orders of contraction that sizes decide -----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product of several factors of dynamic sizes has more than one order, and
// sizes choose when it runs. Every dim is small or large in every combination,
// so that each order is taken.
//
//===----------------------------------------------------------------------===//

#include "tests/e2e/Harness.h"

namespace ein::test {
namespace {

struct Case {
  const char *program;
  bool parallel = false;
};

const Case cases[] = {
    {"ab,bc,cd->ad"},
    {"ab,bc,cd->ad", /*parallel=*/true},
    {"ab,bc,cd,de->ae"},
    {"ijk,jr,kr->ir"},
    {"abc,ia,jb->ijc"},
    {"ab,bc,cd->"},
    {"ab,bc,c->a"},
    // The result has a value before, and something is done to it after.
    {"def f(A: f32(a, b), B: f32(b, c), C: f32(c, d)) -> (inout D: f32(a, d))"
     " { D(i, l) += A(i, j) * B(j, k) * C(k, l) }"},
    {"def f(A: f32(a, b), B: f32(b, c), C: f32(c, d), e: f32(d))"
     " -> (D: f32(a, d)) { let X(i, l) +=! A(i, j) * B(j, k) * C(k, l)"
     "  D(i, l) = max(X(i, l) + e(l), 0) }"},
    // One after the other, so that a branch's result is read by the next.
    {"def f(A: f32(a, b), B: f32(b, c), C: f32(c, d)) -> (D: f32(a, d))"
     " { let X(i, l) +=! A(i, j) * B(j, k) * C(k, l)"
     "  D(i, l) +=! X(i, j) * C(k, j) * C(k, l) }"},
    {"def f(A: c64(a, b), B: c64(b, c), C: c64(c, d)) -> (D: c64(a, d))"
     " { D(i, l) +=! A(i, j) * B(j, k) * C(k, l) }"},
    {"def f(A: f64(a, b), B: f64(b, c), C: f64(c, 7)) -> (D: f64(a, 7))"
     " { D(i, l) +=! A(i, j) * B(j, k) * C(k, l) }"},
    // With index arithmetic and conditions.
    {"def f(A: f32(a + b, c), B: f32(c, d), C: f32(b, d)) -> (D: f32(a, d))"
     " { D(i, l) +=! A(i + k, j) * B(j, l) * C(k, l)"
     "  where i in 0:a, k in 0:b }"},
    {"def f(A: f32(2*a + 3*b), B: f32(b, c), C: f32(c, d)) -> (D: f32(d, a))"
     " { D(l, i) +=! A(2*i + 3*k) * B(k, j) * C(j, l) where i in 0:a }"},
    {"def f(A: f32(a, b), B: f32(b, c), C: f32(c, d)) -> (inout D: f32(a, d))"
     " { D(i, l) += A(i, j) * B(j, k) * C(k, l) where j <= i, k != l }"},
};

class Orders : public testing::TestWithParam<Case> {};

TEST_P(Orders, EachIsTaken) {
  BuildOptions options;
  options.parallel = GetParam().parallel;
  options.views = true;
  Compiled compiled(GetParam().program, options);
  ASSERT_TRUE(compiled.isOk());
  std::vector<std::string> symbols = compiled.getSymbols();
  CallOptions call;
  call.seed = getSeed();
  constexpr int64_t kLarge = 23;
  for (int64_t small : {0, 1, 6})
    for (unsigned set = 0; set < 1u << symbols.size(); ++set) {
      Sizes sizes;
      for (auto [i, symbol] : llvm::enumerate(symbols))
        sizes.push_back({symbol, set >> i & 1 ? kLarge : small});
      EXPECT_TRUE(compiled.check(sizes, call));
      call.views = !call.views;
    }
}

INSTANTIATE_TEST_SUITE_P(Open, Orders, testing::ValuesIn(cases));

} // namespace
} // namespace ein::test
