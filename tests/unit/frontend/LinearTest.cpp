//===- LinearTest.cpp - Time grows as programs do -------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs may be made by programs. Twice as much of one takes the front end
// twice the time, where something quadratic would take four times as much. The
// processor's time counts, and of several runs the fastest one. A machine that
// is busy disturbs even that, so the times are a benchmark (`ctest -L bench`);
// the tests only show that programs of this size are accepted.
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"
#include "frontend/lex/Lexer.h"
#include "frontend/parse/Parser.h"
#include <algorithm>
#include <ctime>

using namespace ein;
using namespace ein::test;

namespace {

/// `n` pieces, with separators between them. Every `#` is the piece's number.
std::string repeat(size_t n, llvm::StringRef piece, llvm::StringRef separator) {
  std::string text;
  for (size_t i = 0; i != n; ++i) {
    if (i != 0)
      text += separator;
    for (char c : piece)
      text += c == '#' ? std::to_string(i) : std::string(1, c);
  }
  return text;
}

struct Family {
  const char *name;
  std::string (*make)(size_t n);
  size_t largest;
};

std::string makeEinsum(size_t n, llvm::StringRef term) {
  return "C = einsum(\"" + repeat(n, term, ",") + "->\", " +
         repeat(n, "A#", ", ") + ")\n";
}

const Family families[] = {
    {"operands", [](size_t n) { return makeEinsum(n, "ij"); }, 5000},
    {"words", [](size_t n) { return makeEinsum(n, "row column"); }, 5000},
    {"labels", [](size_t n) { return makeEinsum(n, "row# column#"); }, 5000},
    {"groups",
     [](size_t n) {
       return "C = einsum(\"" + repeat(n / 2, "(i,i)", ",") + "->\", " +
              repeat(n / 2 * 2, "A#", ", ") + ")\n";
     },
     5000},
    {"operands_of_sizes",
     [](size_t n) {
       return "def f(" + repeat(n, "A#: f32(M#)", ", ") + ") -> (C: f32) {\n" +
              makeEinsum(n, "i") + "}\n";
     },
     5000},
    {"ellipses",
     [](size_t n) {
       return "def f(" + repeat(n, "A#: f32(M, N)", ", ") +
              ") -> (C: f32(M, N)) {\n  C = einsum(\"" + repeat(n, "...", ",") +
              "->...\", " + repeat(n, "A#", ", ") + ")\n}\n";
     },
     5000},
    {"lists",
     [](size_t n) {
       return "C = einsum(" + repeat(n, "A#, [0, 1]", ", ") + ", [])\n";
     },
     5000},
    {"statements",
     [](size_t n) { return repeat(n, "C#(i, j) = A#(i, k) * B#(k, j)\n", ""); },
     10000},
    // Sizes that are called as indices are.
    {"capitals",
     [](size_t n) { return repeat(n, "C#(I, J) = A#(I, K) * B(K + J)\n", ""); },
     10000},
    {"checks",
     [](size_t n) {
       return "def f(" + repeat(n, "A#: f32(M#)", ", ") + ") -> (" +
              repeat(n, "C#: f32(N#)", ", ") + ") {\n" +
              repeat(n, "  C#(i) = A#(i)\n", "") + "}\n";
     },
     10000},
    {"bounds",
     [](size_t n) {
       return "def f(A: f32(M), B: f32(K)) -> (C: f32(N)) {\n" +
              repeat(n, "  C(i) +=! A(i + k + #) * B(k)\n", "") + "}\n";
     },
     10000},
    {"diagonals",
     [](size_t n) {
       return "def f(A: f32(M)) -> (C: f32(M, M)) {\n" +
              repeat(n, "  C(i, i) = A(i) * A(i)\n", "") + "}\n";
     },
     10000},
    {"pads",
     [](size_t n) {
       return "def f(A: f32(M), B: f32(3)) -> (C: f32(M)) {\n" +
              repeat(n, "  C(i) +=! pad(A(i + k - 1), 0) * B(k)\n", "") + "}\n";
     },
     10000},
    {"reductions",
     [](size_t n) {
       return "def f(A: f32(M, N)) -> (C: f32(M)) {\n" +
              repeat(n, "  C(i) = sum<k>(A(i, k)) / max<k>(A(i, k))\n", "") +
              "}\n";
     },
     10000},
    {"gathers",
     [](size_t n) {
       return "def f(A: f32(M), I: i32(N)) -> (C: f32(N)) {\n" +
              repeat(n, "  C(i) = A(I(i)) where i < #\n", "") + "}\n";
     },
     10000},
    {"calls",
     [](size_t n) {
       return "def g(A: f32(M)) -> (B: f32(M)) { B(i) = A(i) + 1 }\n"
              "def f(A: f32(M)) -> (C: f32(M)) {\n" +
              repeat(n, "  C = g(A)\n", "") + "}\n";
     },
     10000},
    {"einsums",
     [](size_t n) {
       return "def f(A: f32(M, K), B: f32(K, N)) -> (C: f32(M, N)) {\n" +
              repeat(n, "  C = einsum(\"mk,kn->mn\", A, B)\n", "") + "}\n";
     },
     10000},
    {"reshapes",
     [](size_t n) {
       return "def f(A: f32(M, N), B: f32(M, N)) -> (C) {\n" +
              repeat(n, "  C = einsum(\"h w, h w -> (h w)\", A, B)\n", "") +
              "}\n";
     },
     10000},
    {"named",
     [](size_t n) {
       return "def f(A: f32(M, M)) -> (C: f32(M, M)) {\n" +
              repeat(n, "  C = matmul(A, A)\n", "") + "}\n";
     },
     10000},
    {"temporaries",
     [](size_t n) {
       return "def f(A: f32(M)) -> (C: f32(M)) {\n  let t0(i) = A(i)\n" +
              repeat(n, "  let u#(i) = A(i) where i in 1:M step 2\n", "") +
              "  C(i) = A(i)\n}\n";
     },
     10000},
    {"conditions",
     [](size_t n) {
       return "def f(A: f32(M, M)) -> (C: f32(M)) {\n" +
              repeat(n,
                     "  C(i) = A(i, i) > # ? max<k>(A(i, k)) : A(i, 0) "
                     "where i in 0:M, exists A(i, i)\n",
                     "") +
              "}\n";
     },
     10000},
    {"starts",
     [](size_t n) {
       return "def f(A: f32(M)) -> (C) {\n" +
              repeat(n, "  let u#(i) = A(i - 2) + A(i - 1)\n", "") +
              "  C(i) = A(i)\n}\n";
     },
     10000},
    {"defs",
     [](size_t n) {
       return repeat(n, "def f#(A: f32(M)) -> (s: f32) { s +=! A(i) }\n", "");
     },
     10000},
};

class Linear : public testing::TestWithParam<Family> {};

double now() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

/// All that `--emit` of the front end's kinds does.
double time(const std::string &text) {
  double begin = now();
  Checked checked(text);
  std::string out;
  llvm::raw_string_ostream os(out);
  TokenBuffer tokens = lex(checked.file.getMain(), checked.diags);
  printTokens(os, tokens);
  printAST(os, parse(tokens, checked.diags));
  EXPECT_TRUE(llvm::succeeded(checked.program)) << checked.diagnostics();
  if (llvm::succeeded(checked.program)) {
    printProgram(os, *checked.program);
    printRanges(os, *checked.program);
    printSource(os, *checked.program);
  }
  return now() - begin;
}

TEST_P(Linear, IsAccepted) { time(GetParam().make(GetParam().largest)); }

TEST_P(Linear, DISABLED_TwiceAsMuchTakesTwiceTheTime) {
  const Family &family = GetParam();
  std::string one = family.make(family.largest / 2);
  std::string two = family.make(family.largest);
  double timeOfOne = time(one), timeOfTwo = time(two);
  for (int run = 0; run != 2; ++run) {
    timeOfOne = std::min(timeOfOne, time(one));
    timeOfTwo = std::min(timeOfTwo, time(two));
  }
  double ratio = timeOfTwo / timeOfOne;
  RecordProperty("ratio", std::to_string(ratio));
  EXPECT_LT(ratio, 3) << timeOfOne << " s and " << timeOfTwo << " s";
}

INSTANTIATE_TEST_SUITE_P(FrontEnd, Linear, testing::ValuesIn(families),
                         [](const testing::TestParamInfo<Family> &info) {
                           return info.param.name;
                         });

} // namespace
