//===- ComplexTest.cpp - Complex numbers outside of contractions ----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elementwise ops and reductions of c64 and c128, in vectors of parts that lie
// as in memory and taken apart: sizes round those at which a vector ends, open
// and known ones, through views, in threads, for other processors.
//
//===----------------------------------------------------------------------===//

#include "target/Target.h"
#include "tests/e2e/Harness.h"

namespace ein::test {
namespace {

struct Form {
  const char *name;
  const char *program;
};

/// `T` is a complex type, `R` that of its parts.
const Form elementwise[] = {
    {"chain", "def f(A: T(N), B: T(N), s: T) -> (C: T(N), D: T(N)) {\n"
              "  C(i) = A(i) * B(i) + s\n"
              "  D(i) = conj(A(i)) * s - B(i) * conj(C(i)) }"},
    {"scaled", "def f(A: T(N), F: R(N), x: R) -> (C: T(N), D: T(N)) {\n"
               "  C(i) = x * A(i) + 3\n"
               "  D(i) = F(i) * -A(i) + complex(0, 2) }"},
    {"parts", "def f(A: T(N), F: R(N)) -> (p: R(N), q: T(N), r: R(N)) {\n"
              "  p(i) = re(A(i) * conj(A(i))) + F(i)\n"
              "  q(i) = complex(F(i), re(A(i))) * A(i)\n"
              "  r(i) = im(A(i) * (A(i) - 1)) }"},
    {"choices", "def f(A: T(N), F: R(N)) -> (B: T(N), C: T(N)) {\n"
                "  B(i) = F(i) > 0 ? A(i) : conj(A(i))\n"
                "  C(i) = re(A(i)) < im(A(i)) ? A(i) * A(i) : 1 }"},
    {"update", "def f(A: T(N), s: T) -> (inout C: T(N)) {\n"
               "  C(i) += s * A(i)\n"
               "  C(i) = C(i) * C(i) }"},
    {"rows", "def f(A: T(M, N), b: T(N), c: T(M)) -> (C: T(M, N)) {\n"
             "  C(m, n) = A(m, n) * b(n) - conj(c(m)) }"},
    {"blocks", "def f(A: T(K, M, N)) -> (C: T(M, K, N)) {\n"
               "  C(m, k, n) = A(k, m, n) * complex(1, -1) }"},
};

const Form reductions[] = {
    {"row_sum", "def f(A: T(M, N)) -> (s: T(M)) { s(m) +=! A(m, n) }"},
    {"row_update", "def f(A: T(M, N), F: R(M, N)) -> (inout s: T(M)) {\n"
                   "  s(m) += A(m, n) * F(m, n) * conj(A(m, n)) }"},
    {"column_sum", "def f(A: T(N, M)) -> (s: T(M)) { s(m) +=! A(n, m) }"},
    {"column_product", "def f(A: T(N, M)) -> (s: T(M)) { s(m) *=! A(n, m) }"},
    {"row_product", "def f(A: T(M, N)) -> (s: T(M)) { s(m) *=! A(m, n) }"},
    {"all", "def f(A: T(M, N)) -> (s: T) { s +=! A(m, n) }"},
    {"middle", "def f(A: T(K, N, M)) -> (inout s: T(K, M)) {\n"
               "  s(k, m) += A(k, n, m) }"},
    {"norms", "def f(A: T(M, N), w: T(N)) -> (s: R(M), t: R, u: R(N)) {\n"
              "  s(m) +=! re(A(m, n) * conj(A(m, n)))\n"
              "  t +=! im(A(m, n)) * re(w(n))\n"
              "  u(n) max=! re(A(m, n)) }"},
    {"part_products",
     "def f(A: T(M, N), w: T(N), b: T(M)) -> (s: R(M), inout t: R(M),\n"
     "                                        u: R(M), v: R) {\n"
     "  s(m) +=! re(conj(A(m, n)) * w(n))\n"
     "  t(m) += im(w(n)) * im(A(m, n)) + re(A(m, n)) * re(w(n))\n"
     "  u(m) +=! re((A(m, n) - b(m)) * conj(A(m, n) - b(m)))\n"
     "  v +=! square(re(A(m, n))) + square(im(A(m, n))) }"},
    {"dot", "def f(A: T(N), B: T(N)) -> (s: T, t: T, u: T, v: T) {\n"
            "  s +=! A(n) * B(n)\n"
            "  t +=! conj(A(n)) * B(n)\n"
            "  u +=! A(n) * conj(B(n))\n"
            "  v +=! conj(A(n)) * conj(B(n)) }"},
    {"matrix_vector", "def f(A: T(M, N), x: T(N), b: T(N, M))\n"
                      "    -> (y: T(M), inout z: T(M), w: T(M)) {\n"
                      "  y(m) +=! A(m, n) * x(n)\n"
                      "  z(m) += conj(A(m, n)) * x(n)\n"
                      "  w(m) +=! A(m, n) * b(n, m) }"},
    {"weighted", "def f(A: T(M, N), w: T(N), b: T(M)) -> (s: T(M)) {\n"
                 "  s(m) +=! (A(m, n) + b(m)) * conj(w(n)) }"},
};

std::string getProgram(const Form &form, ElementType type) {
  std::string text = form.program;
  auto replace = [&](char letter, ElementType by) {
    std::string name = getSpelling(by).str();
    for (size_t at = 0; (at = text.find(letter, at)) != std::string::npos; ++at)
      if (!isalnum(text[at - 1]) && !isalnum(text[at + 1]))
        text.replace(at, 1, name);
  };
  replace('T', type);
  replace('R', getPartType(type));
  return text;
}

/// Extents round those at which a vector of parts, and several, end.
std::vector<int64_t> getEdges(ElementType type) {
  int64_t lanes = getHostTarget().getLanes(getBitWidth(getPartType(type)));
  std::vector<int64_t> edges = {0, 1, 2, 3, 13};
  for (int64_t size : {lanes, 2 * lanes, 8 * lanes})
    for (int64_t d : {-1, 0, 1})
      edges.push_back(size + d);
  return edges;
}

class Complex : public testing::TestWithParam<std::tuple<Form, ElementType>> {};

/// All sizes open, through views as well.
TEST_P(Complex, Open) {
  auto [form, type] = GetParam();
  BuildOptions options;
  options.views = true;
  Compiled compiled(getProgram(form, type), options);
  ASSERT_TRUE(compiled.isOk());
  Sweep sweep;
  sweep.choices = getEdges(type);
  sweep.maxPoints = 100e3;
  runSweep(compiled, sweep);
  sweep.views = true;
  sweep.numRandom = 10;
  runSweep(compiled, sweep);
}

/// Sizes compiled in, for processors with shorter vectors and without masks,
/// and in threads.
TEST_P(Complex, Static) {
  auto [form, type] = GetParam();
  for (int64_t size : getEdges(type)) {
    BuildOptions options;
    options.bindings =
        getPresent(form.program, {{"M", size / 3 + 1}, {"N", size}, {"K", 2}});
    options.drawsCpu = size % 2 == 0;
    options.parallel = size % 3 == 0;
    options.threads = options.parallel ? "always" : "auto";
    Compiled compiled(getProgram(form, type), options);
    ASSERT_TRUE(compiled.isOk());
    CallOptions call;
    call.unaligned = size % 5 == 0;
    EXPECT_TRUE(compiled.check({}, call));
  }
}

/// Results that are written past the caches.
TEST_P(Complex, Streamed) {
  auto [form, type] = GetParam();
  BuildOptions options;
  options.packing = "always";
  Compiled compiled(getProgram(form, type), options);
  ASSERT_TRUE(compiled.isOk());
  for (int64_t size : {5, 64, 1000})
    EXPECT_TRUE(compiled.check(
        getPresent(form.program, {{"M", 7}, {"N", size}, {"K", 3}})));
}

std::string
getName(const testing::TestParamInfo<std::tuple<Form, ElementType>> &info) {
  return std::string(std::get<0>(info.param).name) + "_" +
         getSpelling(std::get<1>(info.param)).str();
}

INSTANTIATE_TEST_SUITE_P(Reductions, Complex,
                         testing::Combine(testing::ValuesIn(reductions),
                                          testing::Values(ElementType::C64,
                                                          ElementType::C128)),
                         getName);
INSTANTIATE_TEST_SUITE_P(Elementwise, Complex,
                         testing::Combine(testing::ValuesIn(elementwise),
                                          testing::Values(ElementType::C64,
                                                          ElementType::C128)),
                         getName);

} // namespace
} // namespace ein::test
