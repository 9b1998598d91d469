//===- SharingTest.cpp - Sums that are computed once, or by half ----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Statements that need the same sum, which is then overwritten, updated, read
// in another order or read by what follows; and products of a tensor with
// itself, of which the half above the diagonal is copied, over sizes round
// those of its squares and of the register tile.
//
//===----------------------------------------------------------------------===//

#include "tests/e2e/Harness.h"

namespace ein::test {
namespace {

class Shared : public testing::TestWithParam<const char *> {};

TEST_P(Shared, Sweep) {
  for (bool views : {false, true}) {
    BuildOptions options;
    options.views = views;
    Sweep sweep;
    sweep.choices = {0, 1, 7, 16, 33};
    sweep.numRandom = 10;
    sweep.views = views;
    runSweep(GetParam(), options, sweep);
  }
}

TEST_P(Shared, WithoutOptimisation) {
  BuildOptions options;
  options.optLevel = 0;
  Sweep sweep;
  sweep.choices = {0, 1, 7};
  sweep.numRandom = 3;
  runSweep(GetParam(), options, sweep);
}

INSTANTIATE_TEST_SUITE_P(
    Programs, Shared,
    testing::Values(
        // Two outputs, one sum; in another order; of other names.
        "def f(A: f32(m, k), B: f32(k, n)) -> (C: f32(m, n), D: f32(m, n)) {\n"
        "  C(i, j) +=! A(i, l) * B(l, j)\n  D(a, b) +=! B(c, b) * A(a, c)\n}",
        "def f(A: f32(m, k), B: f32(k, n)) -> (C: f32(m, n), D: f32(n, m)) {\n"
        "  C(i, j) +=! A(i, l) * B(l, j)\n  D(j, i) +=! A(i, l) * B(l, j)\n}",
        // The first one changes before the second one is needed.
        "def f(A: f32(m, k), B: f32(k, n)) -> (C: f32(m, n), D: f32(m, n)) {\n"
        "  C(i, j) +=! A(i, l) * B(l, j)\n  C(i, j) *= 2\n"
        "  D(i, j) +=! A(i, l) * B(l, j)\n}",
        "def f(A: f32(m, k), B: f32(k, n)) -> (C: f32(m, n), D: f32(n, m)) {\n"
        "  C(i, j) +=! A(i, l) * B(l, j)\n  C(i, j) += A(i, l) * B(l, j)\n"
        "  D(j, i) +=! A(i, l) * B(l, j)\n  D(j, i) += C(i, j)\n}",
        // An operand changes in between: not the same sum.
        "def f(B: f32(k, n)) -> (inout A: f32(m, k), C: f32(m, n), D: f32(m, "
        "n))"
        " {\n  C(i, j) +=! A(i, l) * B(l, j)\n  A(i, l) += 1\n"
        "  D(i, j) +=! A(i, l) * B(l, j)\n}",
        // Added to something else, in place.
        "def f(A: f32(m, k), B: f32(k, n)) -> (C: f32(m, n), inout D: f32(n, "
        "m))"
        " {\n  C(i, j) +=! A(i, l) * B(l, j)\n"
        "  D(j, i) += A(i, l) * B(l, j)\n}",
        "def f(A: i32(m, k), B: i32(k, n)) -> (C: i32(m, n), inout D: i32(m, "
        "n))"
        " {\n  C(i, j) +=! A(i, l) * B(l, j)\n"
        "  D(i, j) += A(i, l) * B(l, j)\n}",
        // Not added to, but compared with.
        "def f(A: f32(m, k), B: f32(k, n)) -> (C: f32(m, n), inout D: f32(m, "
        "n))"
        " {\n  C(i, j) max=! A(i, l) * B(l, j)\n"
        "  D(i, j) max= A(i, l) * B(l, j)\n}",
        // Temporaries, through transpositions, and steps of what comes next.
        "def f(A: f32(m, k), B: f32(k, n), X: f32(n, p))\n"
        "    -> (C: f32(m, p), D: f32(p, m)) {\n"
        "  let T(i, j) +=! A(i, l) * B(l, j)\n  C(i, q) +=! T(i, j) * X(j, q)\n"
        "  let At(l, i) = A(i, l)\n  let S(j, i) +=! At(l, i) * B(l, j)\n"
        "  D(q, i) +=! S(j, i) * X(j, q)\n}",
        "def f(A: f32(m, k), B: f32(k, n), X: f32(n, p), Y: f32(n, m))\n"
        "    -> (C: f32(m, p), D: f32(m, m)) {\n"
        "  C = einsum(\"mk,kn,np->mp\", A, B, X)\n"
        "  D = einsum(\"mk,kn,nq->mq\", A, B, Y)\n}",
        // What others need as well: all of one, part of several, twice in one;
        // added to something else; changed in between.
        "def f(A: f32(m, k), B: f32(k, n), C: f32(n, p))\n"
        "    -> (X: f32(m, p), Y: f32(m, n)) {\n"
        "  X(i, l) +=! A(i, j) * B(j, q) * C(q, l)\n"
        "  Y(i, q) +=! A(i, j) * B(j, q)\n}",
        "def f(A: f64(m, k), B: f64(k, n), C: f64(n, p))\n"
        "    -> (Y: f64(n, m), inout X: f64(p, m)) {\n"
        "  Y(a, b) +=! B(c, a) * A(b, c)\n"
        "  X(l, i) += C(q, l) * A(i, j) * B(j, q)\n}",
        "def f(A: f32(9, 7), B: f32(7, 20), C: f32(20, n), D: f32(20, 31))\n"
        "    -> (X: f32(9, n), Z: f32(31, 9)) {\n"
        "  X(i, l) +=! A(i, j) * B(j, q) * C(q, l)\n"
        "  Z(r, i) +=! D(q, r) * A(i, j) * B(j, q)\n}",
        "def f(A: c64(9, 17), B: c64(17, 9), v: c64(9))\n"
        "    -> (X: c64(9, 9), y: c64(9)) {\n"
        "  X(i, o) +=! A(i, j) * B(j, q) * A(q, l) * B(l, o)\n"
        "  y(i) +=! A(i, j) * B(j, q) * A(q, l) * B(l, o) * v(o)\n}",
        "def f(A: f32(m, k), B: f32(k, n), C: f32(n, p))\n"
        "    -> (X: f32(m, p), inout Y: f32(m, n), W: f32(m, n)) {\n"
        "  X(i, l) +=! A(i, j) * B(j, q) * C(q, l)\n"
        "  Y(i, q) += A(i, j) * B(j, q)\n  Y(i, q) *= 2\n"
        "  W(i, q) +=! A(i, j) * B(j, q)\n  W(i, q) += Y(i, q)\n}",
        "def f(B: f32(k, n), C: f32(n, p))\n"
        "    -> (inout A: f32(m, k), X: f32(m, p), Y: f32(m, n)) {\n"
        "  X(i, l) +=! A(i, j) * B(j, q) * C(q, l)\n  A(i, j) += 1\n"
        "  Y(i, q) +=! A(i, j) * B(j, q)\n}",
        // Sums of one tensor, of other kinds, and of numbers.
        "def f(A: f32(m, k)) -> (C: f32(m), D: f32(m), e: f32, g: f32) {\n"
        "  C(i) +=! A(i, l)\n  D(j) +=! A(j, p)\n  e max=! A(i, j)\n"
        "  g max=! A(j, i)\n}",
        "def f(A: u8(m, k), B: i8(k, n)) -> (C: i32(m, n), D: i32(n, m)) {\n"
        "  C(i, j) +=! A(i, l) * B(l, j)\n  D(j, i) +=! B(l, j) * A(i, l)\n}",
        "def f(A: c64(m, k), B: c64(k, n)) -> (C: c64(m, n), inout D: c64(m, "
        "n))"
        " {\n  C(i, j) +=! A(i, l) * B(l, j)\n"
        "  D(i, j) += A(i, l) * B(l, j)\n}",
        // Part of a result.
        "def f(A: f32(m, k), B: f32(k, n)) -> (C: f32(2 * m, n)) {\n"
        "  C(i, j) = 0\n"
        "  C(i, j) +=! A(i, l) * B(l, j) where i in 0:m, j in 0:n, l in 0:k\n"
        "  C(i + m, j) +=! A(i, l) * B(l, j) where i in 0:m, j in 0:n, l in "
        "0:k\n"
        "}"));

// What is reduced by something else than a sum, pair by pair; or not, where
// that would be something else. Numbers that are tensors, and sums of products
// that are two statements.
INSTANTIATE_TEST_SUITE_P(
    Semirings, Shared,
    testing::Values(
        "def f(A: f32(i, j), B: f32(j, k), C: f32(k, l)) -> (D: f32(i, l)) "
        "{ D(a, d) min=! A(a, b) + B(b, c) + C(c, d) }",
        "def f(A: f64(i, j), B: f64(j, k), C: f64(k, l), E: f64(l)) "
        "-> (inout D: f64(i)) { D(a) max= A(a, b) + B(b, c) + C(c, d) + E(d) }",
        "def f(A: bool(i, j), B: bool(j, k), C: bool(k, l, 3)) "
        "-> (D: bool(i, l)) { D(a, d) |=! A(a, b) & B(b, c) & C(c, d, e) }",
        "def f(A: i8(i, j), B: i8(j, k), C: i8(k, l)) -> (D: i8(i, l)) "
        "{ D(a, d) max=! A(a, b) + B(b, c) + C(c, d) }",
        "def f(A: u8(i, j), B: u8(j, k), C: u8(k, l)) -> (D: u8(i, l)) "
        "{ D(a, d) ^=! A(a, b) & B(b, c) & C(c, d) }",
        "def f(A: i8(i, j), B: i8(j, k), C: i8(k, l)) -> (D: i8(i, l)) "
        "{ D(a, d) max=! min(min(A(a, b), B(b, c)), C(c, d)) }",
        "def f(A: f32(i, j), B: f32(j, k), C: f32(k, l)) -> (D: f32(i, l)) "
        "{ D(a, d) max=! A(a, b) * B(b, c) * C(c, d) }",
        "def f(A: f16(i, j), B: f16(j, k), C: f16(k, l)) -> (D: f16(i, l)) "
        "{ D(a, d) max=! A(a, b) + B(b, c) + C(c, d) }"));

INSTANTIATE_TEST_SUITE_P(
    Folded, Shared,
    testing::Values(
        "def f(A: f32(m, k)) -> (C: f32(m, n)) {\n"
        "  let ones(l, j) = 1.5 where l in 0:k, j in 0:n\n"
        "  C(i, j) +=! A(i, l) * ones(l, j)\n}",
        "def f(A: i32(m, k)) -> (inout C: i32(m, n)) {\n"
        "  let threes(l, j) = i32(3) where l in 0:k, j in 0:n\n"
        "  C(i, j) += A(i, l) * threes(l, j)\n}",
        "def f(A: f32(m, n)) -> (C: f32(m, n), D: f32(n, m), e: f32) {\n"
        "  let two = 2 * 3 + 1.0\n"
        "  let T(i, j) = two where i in 0:m, j in 0:n\n  D(j, i) = T(i, j)\n"
        "  C(i, j) = 1 * A(i, j) * two\n  e = two * 2\n}",
        "def f(A: f32(m, k), B: f32(k, n)) -> (C: f32(m, n)) {\n"
        "  let T(i, j, l) = A(i, l) * B(l, j)\n  C(i, j) +=! T(i, j, l)\n}",
        "def f(A: f32(m, k), B: f32(k, n)) -> (inout C: f32(n, m)) {\n"
        "  let T(l, i, j) = B(l, j) * A(i, l)\n  C(j, i) += T(l, i, j)\n}"));

//===----------------------------------------------------------------------===//
// Products of a tensor with itself
//===----------------------------------------------------------------------===//

using Symmetry = std::tuple<const char *, const char *>;
class Symmetric : public testing::TestWithParam<Symmetry> {};

TEST_P(Symmetric, Open) {
  auto [text, packing] = GetParam();
  for (bool views : {false, true}) {
    BuildOptions options;
    options.packing = packing;
    options.views = views;
    Compiled compiled(text, options);
    ASSERT_TRUE(compiled.isOk());
    CallOptions call;
    call.seed = getSeed();
    call.views = views;
    for (int64_t n : {0, 1, 63, 64, 191, 192, 200, 331})
      for (int64_t k : {0, 1, 63, 65})
        EXPECT_TRUE(compiled.check({{"n", n}, {"k", k}, {"b", 2}}, call))
            << "n = " << n << ", k = " << k;
  }
}

TEST_P(Symmetric, Static) {
  auto [text, packing] = GetParam();
  for (int64_t n : {192, 257}) {
    BuildOptions options;
    options.packing = packing;
    options.bindings = {{"n", n}, {"k", 67}};
    if (std::string_view(text).find("f32(b,") != std::string_view::npos)
      options.bindings.emplace_back("b", 2);
    Compiled compiled(text, options);
    ASSERT_TRUE(compiled.isOk());
    CallOptions call;
    call.seed = getSeed();
    EXPECT_TRUE(compiled.check({{"n", n}, {"k", 67}, {"b", 2}}, call))
        << "n = " << n;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Programs, Symmetric,
    testing::Combine(
        testing::Values(
            "def f(A: f32(n, k)) -> (C: f32(n, n)) "
            "{ C(i, j) +=! A(i, l) * A(j, l) }",
            "def f(A: f32(k, n)) -> (C: f32(n, n)) "
            "{ C(i, j) +=! A(l, i) * A(l, j) }",
            "def f(A: f64(k, n)) -> (C: f64(n, n)) "
            "{ C(j, i) +=! A(l, i) * A(l, j)  C(i, j) *= 0.5 }",
            "def f(A: f32(b, n, k)) -> (C: f32(n, b, n)) "
            "{ C(i, c, j) +=! A(c, i, l) * A(c, j, l) }",
            "def f(A: f32(n, k)) -> (inout C: f32(n, n)) "
            "{ C(i, j) += A(i, l) * A(j, l) }",
            "def f(A: i8(n, k)) -> (C: i32(n, n)) "
            "{ C(i, j) +=! A(i, l) * A(j, l) }",
            "def f(A: c64(n, k)) -> (C: c64(n, n), D: c64(n, n)) "
            "{ C(i, j) +=! A(i, l) * A(j, l)  "
            "D(i, j) +=! A(i, l) * conj(A(j, l)) }",
            "def f(A: f32(n, k)) -> (C: f32(n, n)) "
            "{ C(i, j) max=! A(i, l) * A(j, l) }",
            // A part of a result that begins somewhere.
            "def f(A: f32(n, k)) -> (C: f32(2 * n, n + 3)) { C(i, j) = 0  "
            "C(i + n, j + 3) +=! A(i, l) * A(j, l) "
            "where i in 0:n, j in 0:n, l in 0:k }"),
        testing::Values("auto", "always", "never", "rows")));

} // namespace
} // namespace ein::test
