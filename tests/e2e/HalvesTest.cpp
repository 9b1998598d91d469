//===- HalvesTest.cpp - Reductions of half-precision numbers by bits ------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of half-precision numbers with zeros of both signs, infinities, what is
// denormal and NaN of both signs; rows without a number above zero, or below,
// and rows in which one comes late. Their maxima, the places of these, and
// comparisons with numbers, beside a loop.
//
//===----------------------------------------------------------------------===//

#include "tests/e2e/Harness.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <random>

namespace ein::test {
namespace {

struct HalfType {
  const char *name;
  uint16_t infinity, one;
};
const HalfType types[] = {{"f16", 0x7c00, 0x3c00}, {"bf16", 0x7f80, 0x3f80}};

struct Comparison {
  const char *text;
  bool (*holds)(float x, float y);
};
const Comparison comparisons[] = {
    {"==", [](float x, float y) { return x == y; }},
    {"!=", [](float x, float y) { return x != y; }},
    {"<", [](float x, float y) { return x < y; }},
    {"<=", [](float x, float y) { return x <= y; }},
    {">", [](float x, float y) { return x > y; }},
    {">=", [](float x, float y) { return x >= y; }},
};
const int numbers[] = {0, 1, -1};

class Halves : public testing::TestWithParam<std::tuple<HalfType, bool>> {
protected:
  HalfType type = std::get<0>(GetParam());
  bool isStatic = std::get<1>(GetParam());
  std::mt19937 engine{static_cast<unsigned>(getSeed())};

  float getNumber(uint16_t bits) {
    const llvm::fltSemantics &semantics = type.infinity == 0x7c00
                                              ? llvm::APFloat::IEEEhalf()
                                              : llvm::APFloat::BFloat();
    return llvm::APFloat(semantics, llvm::APInt(16, bits)).convertToFloat();
  }
  /// For these sizes, or once for all.
  Compiled &compile(const std::string &text, int64_t m, int64_t n) {
    BuildOptions options;
    if (isStatic)
      options.bindings = {{"M", m}, {"N", n}};
    if (isStatic || !compiled)
      compiled = std::make_unique<Compiled>(text, options);
    return *compiled;
  }
  std::vector<uint16_t> draw(int64_t rows, int64_t columns);
  void checkExtremes(int64_t m, int64_t n);
  void checkComparisons(int64_t m, int64_t n);

  std::unique_ptr<Compiled> compiled;
};

/// Each row draws from other numbers than the one before.
std::vector<uint16_t> Halves::draw(int64_t rows, int64_t columns) {
  const uint16_t kSign = 0x8000;
  auto one = type.one, infinity = type.infinity;
  const std::vector<std::vector<uint16_t>> choices = {
      {kSign, 0, 1, uint16_t(kSign + 1), one, uint16_t(kSign + one)},
      // None above zero, and none below.
      {uint16_t(kSign + one), uint16_t(kSign + infinity), uint16_t(kSign + 3)},
      {uint16_t(one + 1), infinity, 3},
      // Zeros, and what is on one side of them.
      {kSign, 0},
      {kSign},
      {kSign, 0, uint16_t(kSign + one), uint16_t(kSign + 1)},
      {kSign, 0, one, 1},
      {uint16_t(kSign + infinity)},
  };
  const uint16_t nans[] = {uint16_t(infinity + 1), 0x7fff,
                           uint16_t(kSign + infinity + 1), 0xffff};
  std::vector<uint16_t> result;
  for (int64_t row = 0; row < rows; ++row) {
    const auto &choice = choices[row % choices.size()];
    size_t begin = result.size();
    for (int64_t i = 0; i < columns; ++i)
      result.push_back(choice[engine() % choice.size()]);
    // Something else somewhere, which is in one of three rows NaN.
    if (row / choices.size() % 2 == 1) {
      uint16_t other =
          engine() % 3 == 0 ? nans[engine() % 4] : uint16_t(engine() % 0x10000);
      result[begin + engine() % columns] = other;
    }
  }
  return result;
}

void Halves::checkExtremes(int64_t m, int64_t n) {
  std::string text =
      llvm::formatv("def f(A: {0}(M, N)) -> (most: {0}(M), least: {0}(M), "
                    "first: index(M), last: index(M)) {{\n"
                    "  most(i) max=! A(i, j)\n"
                    "  least(i) min=! A(i, j)\n"
                    "  first(i) = argmax<j>(A(i, j))\n"
                    "  last(i) = argmin<j>(A(i, j)) }",
                    type.name);
  Compiled &program = compile(text, m, n);
  ASSERT_TRUE(program.isOk()) << text;
  std::vector<uint16_t> a = draw(m, n), extremes[2];
  std::vector<int64_t> places[2];
  for (int k : {0, 1}) {
    extremes[k].resize(m);
    places[k].resize(m);
  }
  void *arguments[] = {a.data(), extremes[0].data(), extremes[1].data(),
                       places[0].data(), places[1].data()};
  int64_t sizes[] = {m, n};
  ASSERT_EQ(program.getEntry().function(arguments, sizes), 0);
  for (int64_t i = 0; i < m; ++i)
    for (int k : {0, 1}) {
      float wanted = k ? HUGE_VALF : -HUGE_VALF;
      for (int64_t j = 0; j < n; ++j) {
        float x = getNumber(a[i * n + j]);
        bool isBeyond = k ? x < wanted : x > wanted;
        bool isZero = x == 0 && wanted == 0 && std::signbit(x) == bool(k);
        if (std::isnan(x) || (!std::isnan(wanted) && (isBeyond || isZero)))
          wanted = x;
      }
      int64_t place = 0;
      for (float x = getNumber(a[i * n]); !(x == wanted || std::isnan(x));
           x = getNumber(a[i * n + place]))
        ++place;
      float got = getNumber(extremes[k][i]);
      if (std::isnan(wanted))
        EXPECT_TRUE(std::isnan(got)) << "row " << i << " of " << n;
      else
        EXPECT_TRUE(got == wanted && std::signbit(got) == std::signbit(wanted))
            << got << " is not " << wanted << ", row " << i << " of " << n;
      EXPECT_EQ(places[k][i], place) << "row " << i << " of " << n;
    }
}

void Halves::checkComparisons(int64_t m, int64_t n) {
  std::string results, statements;
  int count = 0;
  for (const Comparison &comparison : comparisons)
    for (int number : numbers) {
      std::string names =
          llvm::formatv("s{0}: bool(M), e{0}: bool(M), ", count);
      results += names;
      statements += llvm::formatv("  s{0}(i) = any<j>(A(i, j) {1} {2})\n"
                                  "  e{0}(i) = all<j>(A(i, j) {1} {2})\n",
                                  count++, comparison.text, number);
    }
  std::string text =
      llvm::formatv("def f(A: {0}(M, N)) -> ({1}none: bool(M)) {{\n"
                    "{2}  none(i) = any<j>(A(i, j) != A(i, j)) }",
                    type.name, results, statements);
  Compiled &program = compile(text, m, n);
  ASSERT_TRUE(program.isOk()) << text;
  std::vector<uint16_t> a = draw(m, n);
  std::vector<std::vector<uint8_t>> got(2 * count + 1, std::vector<uint8_t>(m));
  std::vector<void *> arguments = {a.data()};
  for (std::vector<uint8_t> &each : got)
    arguments.push_back(each.data());
  int64_t sizes[] = {m, n};
  ASSERT_EQ(program.getEntry().function(arguments.data(), sizes), 0);
  for (int64_t i = 0; i < m; ++i) {
    int at = 0;
    bool hasNone = false;
    for (const Comparison &comparison : comparisons)
      for (int number : numbers) {
        bool some = false, every = true;
        for (int64_t j = 0; j < n; ++j) {
          float x = getNumber(a[i * n + j]);
          bool holds = comparison.holds(x, number);
          some |= holds;
          every &= holds;
          hasNone |= std::isnan(x);
        }
        std::string what = llvm::formatv("x {0} {1}, row {2} of {3}",
                                         comparison.text, number, i, n);
        EXPECT_EQ(bool(got[at++][i]), some) << "any " << what;
        EXPECT_EQ(bool(got[at++][i]), every) << "all " << what;
      }
    EXPECT_EQ(bool(got[at][i]), hasNone) << "row " << i << " of " << n;
  }
}

// Rows end at, before and behind a vector, several, and the step after which a
// maximum's sign may be known.
TEST_P(Halves, Extremes) {
  for (int64_t n : {1, 7, 16, 17, 31, 64, 127, 128, 129, 255, 256, 257, 1021})
    checkExtremes(48, n);
}

TEST_P(Halves, Comparisons) {
  for (int64_t n : {1, 15, 33, 600})
    checkComparisons(48, n);
}

struct Statement {
  const char *text;
  float (*value)(float a, float b);
};
float getLarger(float x, float y) {
  if (std::isnan(x) || std::isnan(y))
    return NAN;
  if (x == y)
    return std::signbit(x) ? y : x;
  return x > y ? x : y;
}
float getLesser(float x, float y) { return -getLarger(-x, -y); }

// What only chooses, in chains as well, and what rounds. Numbers of sums and
// products have NaN of all kinds.
const Statement statements[] = {
    {"max(A(i), B(i))", getLarger},
    {"min(A(i), B(i))", getLesser},
    {"max(A(i), 0)", [](float a, float) { return getLarger(a, 0); }},
    {"min(A(i), 6)", [](float a, float) { return getLesser(a, 6); }},
    {"max(A(i), -1)", [](float a, float) { return getLarger(a, -1); }},
    {"min(A(i), -2)", [](float a, float) { return getLesser(a, -2); }},
    {"min(max(A(i), B(i)), B(N - 1))",
     [](float a, float b) { return getLesser(getLarger(a, b), 3); }},
    {"abs(A(i))", [](float a, float) { return std::fabs(a); }},
    {"-A(i)", [](float a, float) { return -a; }},
    {"abs(max(-A(i), B(i)))",
     [](float a, float b) { return std::fabs(getLarger(-a, b)); }},
    {"A(i) > 0 ? A(i) : B(i)", [](float a, float b) { return a > 0 ? a : b; }},
    {"A(i) + B(i)", [](float a, float b) { return a + b; }},
    {"A(i) * B(i)", [](float a, float b) { return a * b; }},
    {"max(A(i), B(i)) - 1",
     [](float a, float b) { return getLarger(a, b) - 1; }},
    {"0.5 * max(A(i), 0) + B(i)",
     [](float a, float b) { return 0.5f * getLarger(a, 0) + b; }},
};

/// All numbers, each with several others, and rows that end within a vector.
TEST_P(Halves, Statements) {
  const llvm::fltSemantics &semantics = type.infinity == 0x7c00
                                            ? llvm::APFloat::IEEEhalf()
                                            : llvm::APFloat::BFloat();
  auto round = [&](float x) {
    llvm::APFloat number(x);
    bool isChanged = false;
    number.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &isChanged);
    return uint16_t(number.bitcastToAPInt().getZExtValue());
  };
  for (const Statement &statement : statements) {
    bool readsB = llvm::StringRef(statement.text).contains('B');
    std::string text = llvm::formatv(
        "def f(A: {0}(N){1}) -> (C: {0}(N)) {{ C(i) = {2} }", type.name,
        readsB ? llvm::formatv(", B: {0}(N)", type.name).str() : std::string(),
        statement.text);
    for (int64_t n : {int64_t(65536 + 21), int64_t(77)}) {
      BuildOptions options;
      options.effort = LLVMEffort::Full;
      if (isStatic)
        options.bindings = {{"N", n}};
      Compiled program(text, options);
      ASSERT_TRUE(program.isOk()) << text;
      for (uint32_t shift : {0u, 0x8000u, 0x1234u, 0xff81u}) {
        std::vector<uint16_t> a(n), b(n), c(n);
        for (int64_t i = 0; i < n; ++i) {
          a[i] = uint16_t(n < 100 ? i * 851 : i);
          b[i] = uint16_t((a[i] ^ (engine() % 4 ? 0 : engine())) + shift);
        }
        b[n - 1] = round(3);
        std::vector<void *> arguments = {a.data(), b.data(), c.data()};
        if (!readsB)
          arguments.erase(arguments.begin() + 1);
        ASSERT_EQ(program.getEntry().function(arguments.data(), &n), 0);
        for (int64_t i = 0; i < n; ++i) {
          uint16_t wanted =
              round(statement.value(getNumber(a[i]), getNumber(b[i])));
          if (std::isnan(getNumber(wanted)))
            ASSERT_TRUE(std::isnan(getNumber(c[i])))
                << text << " of " << a[i] << ", " << b[i] << " is " << c[i];
          else
            ASSERT_EQ(c[i], wanted) << text << " of " << a[i] << ", " << b[i];
        }
      }
    }
  }
}

/// Ties and their neighbours of both signs, with and without subnormal numbers
/// beside them, infinities and NaN.
TEST(HalvesRounding, SubnormalNumbers) {
  Compiled compiled("def f(A: f32(N)) -> (B: bf16(N)) { B(i) = bf16(A(i)) }");
  ASSERT_TRUE(compiled.isOk());
  const uint32_t rests[] = {0, 1, 0x7fff, 0x8000, 0x8001, 0xffff};
  for (uint32_t least : {0x0000u, 0x0080u, 0x3f80u})
    for (int64_t size : {1, 8, 31, 64, 101, 4096}) {
      CallOptions call;
      call.edit = [&](const std::string &, runtime::Array &array) {
        for (int64_t i = 0; i < array.getNumElements(); ++i) {
          uint32_t high = least + uint32_t(i) * 37 % (0x7fc0 - least);
          uint32_t bits = (i % 2 << 31) | (high << 16) | rests[i % 6];
          array.as<uint32_t>()[i] = bits;
        }
      };
      EXPECT_TRUE(compiled.check({{"N", size}}, call));
    }
}

INSTANTIATE_TEST_SUITE_P(Of, Halves,
                         testing::Combine(testing::ValuesIn(types),
                                          testing::Bool()),
                         [](const auto &info) {
                           return std::string(std::get<0>(info.param).name) +
                                  (std::get<1>(info.param) ? "Static" : "Open");
                         });

} // namespace
} // namespace ein::test
