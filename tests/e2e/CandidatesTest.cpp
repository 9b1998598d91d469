//===- CandidatesTest.cpp - Whatever a tuner may choose is right ----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `einc tune` measures the candidates that the model puts first, and checks
// those. Here some are drawn from all of each op's.
//
//===----------------------------------------------------------------------===//

#include "tests/e2e/Harness.h"
#include "llvm/ADT/StringExtras.h"
#include <random>

namespace ein::test {
namespace {

struct Case {
  const char *name, *text;
  ElementType type;
  Sizes bindings, sizes;
};

/// The ops and their candidates, as a tuner hears of them.
std::vector<TunedEntry> collect(const Case &program) {
  BuildOptions options;
  options.type = program.type;
  options.bindings = program.bindings;
  options.reports = {"tuning"};
  Compiled compiled(program.text, options);
  EXPECT_TRUE(compiled.isOk());
  std::vector<TunedEntry> entries;
  for (const Finding &finding : compiled.getFindings()) {
    std::string key;
    for (const auto &[name, value] : finding.facts) {
      if (name == "key")
        key = value;
      else if (name == "schedule")
        entries.push_back({key, getHostTarget().cpu, value});
    }
  }
  return entries;
}

class Candidates : public testing::TestWithParam<Case> {};

TEST_P(Candidates, AreRight) {
  const Case &program = GetParam();
  std::vector<TunedEntry> entries = collect(program);
  // Some numbers at least are not the selector's.
  ASSERT_GT(entries.size(), 1u);
  std::mt19937_64 random(getSeed());
  std::shuffle(entries.begin(), entries.end(), random);
  constexpr size_t kDrawn = 12;
  entries.resize(std::min(entries.size(), kDrawn));
  for (const TunedEntry &entry : entries) {
    SCOPED_TRACE(entry.op + " by " + entry.schedule);
    BuildOptions options;
    options.type = program.type;
    options.bindings = program.bindings;
    options.tuned = {entry};
    options.reports = {"tuned"};
    Compiled compiled(program.text, options);
    ASSERT_TRUE(compiled.isOk());
    // It has taken what it was told to.
    bool isTaken = false;
    for (const Finding &finding : compiled.getFindings())
      isTaken |= llvm::is_contained(
          finding.facts, std::pair<std::string, std::string>("fits", "true"));
    EXPECT_TRUE(isTaken);
    EXPECT_TRUE(compiled.check(program.sizes));
  }
}

const Case kCases[] = {
    {"product",
     "mk,kn->mn",
     ElementType::F32,
     {{"m", 37}, {"k", 65}, {"n", 83}},
     {}},
    {"open_product",
     "mk,kn->mn",
     ElementType::F32,
     {},
     {{"m", 37}, {"k", 65}, {"n", 83}}},
    {"f64_product",
     "mk,kn->mn",
     ElementType::F64,
     {{"m", 31}, {"k", 33}, {"n", 41}},
     {}},
    {"complex_product",
     "mk,kn->mn",
     ElementType::C64,
     {},
     {{"m", 13}, {"k", 19}, {"n", 23}}},
    {"i32_product",
     "km,kn->nm",
     ElementType::I32,
     {{"m", 29}, {"k", 31}, {"n", 67}},
     {}},
    {"along_k",
     "mk,nk->mn",
     ElementType::F32,
     {{"m", 13}, {"n", 17}, {"k", 190}},
     {}},
    {"batch",
     "bmk,bkn->bmn",
     ElementType::F32,
     {},
     {{"b", 3}, {"m", 17}, {"k", 18}, {"n", 35}}},
    {"batch_last",
     "mkb,knb->mnb",
     ElementType::F32,
     {{"m", 13}, {"k", 9}, {"n", 7}, {"b", 35}},
     {}},
    {"matrix_vector", "mk,k->m", ElementType::F32, {{"m", 61}, {"k", 131}}, {}},
    {"four_dims",
     "abcd,dcef->abef",
     ElementType::F32,
     {{"a", 7}, {"b", 9}, {"c", 8}, {"d", 11}, {"e", 10}, {"f", 13}},
     {}},
    {"transpose", "ij->ji", ElementType::F32, {{"i", 67}, {"j", 75}}, {}},
    {"open_transpose",
     "ijk->kji",
     ElementType::F64,
     {},
     {{"i", 19}, {"j", 21}, {"k", 35}}},
    {"rows", "ij->i", ElementType::F32, {{"i", 11}, {"j", 301}}, {}},
    {"columns", "ij->j", ElementType::F32, {}, {{"i", 41}, {"j", 131}}},
    {"epilogue",
     "def f(A: f32(M, K), B: f32(K, N), c: f32(N)) -> (D: f32(M, N)) { "
     "let C(m, n) +=! A(m, k) * B(k, n) D(m, n) = max(C(m, n) + c(n), 0) }",
     ElementType::F32,
     {{"M", 33}, {"K", 47}, {"N", 85}},
     {}},
    {"window",
     "def f(I: f32(N, H, W), K: f32(KH, KW)) -> (O: f32(N, H - KH + 1, W - KW "
     "+ 1)) { O(n, h, w) +=! I(n, h + kh, w + kw) * K(kh, kw) }",
     ElementType::F32,
     {},
     {{"N", 3}, {"H", 19}, {"W", 45}, {"KH", 3}, {"KW", 5}}},
};

INSTANTIATE_TEST_SUITE_P(Programs, Candidates, testing::ValuesIn(kCases),
                         [](const auto &info) {
                           return std::string(info.param.name);
                         });

} // namespace
} // namespace ein::test
