//===- NarrowReductionsTest.cpp - Reductions of 8 and 16 bits -------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integers and half-precision numbers are reduced in vectors that widen on the
// way, or that do not where nothing is gained: along rows, along columns and
// over everything, of sizes round those at which a vector, several, or a word
// of a vector ends; known and open ones, and through views.
//
//===----------------------------------------------------------------------===//

#include "target/Target.h"
#include "tests/e2e/Harness.h"
#include "llvm/Support/FormatVariadic.h"

namespace ein::test {
namespace {

struct NarrowType {
  ElementType type;
  /// What it is summed in, and a wider one.
  const char *sum, *widest;
};

const NarrowType types[] = {
    {ElementType::I8, "i32", "i64"},    {ElementType::U8, "u32", "u64"},
    {ElementType::I16, "i32", "i64"},   {ElementType::U16, "u32", "u64"},
    {ElementType::F16, "f32", "f64"},   {ElementType::BF16, "f32", "f64"},
    {ElementType::Bool, "bool", "i32"},
};

/// Every reduction of `A`, whose dims are `{1}`, over `{3}`.
std::string getProgram(const NarrowType &narrow, const char *dims,
                       const char *kept, const char *at, const char *over) {
  const char *text =
      narrow.type == ElementType::Bool
          ? "def f(A: {0}({1})) -> (some, every: bool{2}, n: {6}{2}) {{\n"
            "  some{3} = any<{4}>(A(i, j))\n"
            "  every{3} = all<{4}>(A(i, j))\n"
            "  n{3} +=! A(i, j) acc = {6} }"
          : "def f(A: {0}({1})) -> (same: {0}{2}, wide: {5}{2}, widest: {6}{2},"
            " own: {0}{2}, most: {0}{2}, least: {5}{2}, inout up: {0}{2},\n"
            "    some, every: bool{2}, first, last: index{2}) {{\n"
            "  same{3} +=! A(i, j)\n"
            "  wide{3} +=! A(i, j)\n"
            "  widest{3} +=! A(i, j)\n"
            "  own{3} +=! A(i, j) acc = {0}\n"
            "  most{3} max=! A(i, j)\n"
            "  least{3} min=! A(i, j)\n"
            "  up{3} max= A(i, j)\n"
            "  some{3} = any<{4}>(A(i, j) != 0)\n"
            "  every{3} = all<{4}>(A(i, j) < 100)\n"
            "  first{3} = argmax<{4}>(A(i, j))\n"
            "  last{3} = argmin<{4}>(A(i, j)) }";
  return llvm::formatv(text, getSpelling(narrow.type), dims, kept, at, over,
                       narrow.sum, narrow.widest);
}

std::string getRows(const NarrowType &narrow) {
  return getProgram(narrow, "M, N", "(M)", "(i)", "j");
}
std::string getColumns(const NarrowType &narrow) {
  return getProgram(narrow, "M, N", "(N)", "(j)", "i");
}
std::string getAll(const NarrowType &narrow) {
  return getProgram(narrow, "M, N", "", "", "i, j");
}

/// Of as many bytes as vectors have, and of words that accumulate them.
std::vector<int64_t> getEdges(ElementType type) {
  TargetInfo host = getHostTarget();
  int64_t lanes = host.getLanes(getBitWidth(type)), words = host.getLanes(32);
  std::vector<int64_t> edges = {1, 2, 3, 13, words + 1};
  for (int64_t size : {lanes, 2 * lanes, 8 * lanes, 16 * lanes})
    for (int64_t d : {-1, 0, 1})
      edges.push_back(size + d);
  return edges;
}

class NarrowReductions : public testing::TestWithParam<NarrowType> {
protected:
  void checkOpen(const std::string &program);
};

void NarrowReductions::checkOpen(const std::string &program) {
  BuildOptions options;
  options.views = true;
  options.drawsCpu = true;
  Compiled compiled(program, options);
  ASSERT_TRUE(compiled.isOk());
  Sweep sweep;
  sweep.choices = getEdges(GetParam().type);
  sweep.numRandom = 12;
  runSweep(compiled, sweep);
  sweep.views = true;
  sweep.numRandom = 6;
  runSweep(compiled, sweep);
}

TEST_P(NarrowReductions, Rows) { checkOpen(getRows(GetParam())); }
TEST_P(NarrowReductions, Columns) { checkOpen(getColumns(GetParam())); }
TEST_P(NarrowReductions, All) { checkOpen(getAll(GetParam())); }

TEST_P(NarrowReductions, Static) {
  int64_t lanes = getHostTarget().getLanes(getBitWidth(GetParam().type));
  for (int64_t size : {int64_t(1), lanes - 1, 2 * lanes, 17 * lanes + 5}) {
    BuildOptions options;
    options.bindings = {{"N", size}};
    Compiled compiled(getRows(GetParam()), options);
    ASSERT_TRUE(compiled.isOk());
    EXPECT_TRUE(compiled.check({{"M", 7}}));
    options.bindings = {{"M", size}, {"N", lanes + 3}};
    Compiled columns(getColumns(GetParam()), options);
    ASSERT_TRUE(columns.isOk());
    EXPECT_TRUE(columns.check({}));
  }
}

/// Whether some or all compare with numbers that are among them, and with the
/// largest and the least that there are, also of rows without any.
TEST_P(NarrowReductions, Comparisons) {
  if (GetParam().type == ElementType::Bool)
    return;
  std::vector<std::string> numbers = {"0", "3"};
  unsigned bits = getBitWidth(GetParam().type);
  switch (GetParam().type) {
  case ElementType::U8:
  case ElementType::U16:
    numbers.push_back(std::to_string((1 << bits) - 1));
    break;
  case ElementType::I8:
  case ElementType::I16:
    numbers.push_back(std::to_string((1 << (bits - 1)) - 1));
    numbers.push_back(std::to_string(-(1 << (bits - 1))));
    break;
  default:
    numbers.emplace_back("-2");
  }
  for (const std::string &number : numbers) {
    std::string declared =
        llvm::formatv("def f(A: {0}(M, N)) -> (", getSpelling(GetParam().type));
    std::string body;
    int count = 0;
    for (const char *reducer : {"any", "all"})
      for (const char *predicate : {"==", "!=", "<", "<=", ">", ">="}) {
        declared += llvm::formatv("{0}r{1}: bool(M)", count ? ", " : "", count);
        body += llvm::formatv("  r{0}(i) = {1}<j>(A(i, j) {2} {3})\n", count,
                              reducer, predicate, number);
        ++count;
      }
    Compiled compiled(declared + ") {\n" + body + "}");
    ASSERT_TRUE(compiled.isOk());
    int64_t lanes = getHostTarget().getLanes(getBitWidth(GetParam().type));
    for (int64_t size : {int64_t(0), int64_t(1), lanes - 1, 9 * lanes + 5})
      EXPECT_TRUE(compiled.check({{"M", 5}, {"N", size}}));
  }
}

/// Columns of as many of the largest and the least bytes as words add up.
TEST(NarrowValues, ColumnsOfExtremes) {
  for (const char *type : {"i8", "u8"})
    for (int64_t rows : {int64_t(8), int64_t(255), int64_t(256), int64_t(257),
                         int64_t(1000)}) {
      BuildOptions options;
      options.bindings = {{"M", rows}};
      Compiled compiled(std::string("def f(A: ") + type +
                            "(M, N)) -> (S: i32(N)) "
                            "{ S(j) +=! i32(A(i, j)) }",
                        options);
      ASSERT_TRUE(compiled.isOk());
      for (int number : {0x80, 0xff, 0x7f, 0x00}) {
        CallOptions call;
        call.edit = [&](const std::string &, runtime::Array &array) {
          std::fill_n(array.as<uint8_t>(), array.getNumElements(),
                      uint8_t(number));
        };
        EXPECT_TRUE(compiled.check({{"N", 203}}, call));
      }
    }
}

/// What nothing is reduced to: a sum is zero, and the rest is where it starts.
TEST_P(NarrowReductions, Nothing) {
  if (GetParam().type == ElementType::Bool)
    return;
  for (bool isStatic : {false, true}) {
    BuildOptions options;
    if (isStatic)
      options.bindings = {{"M", 3}, {"N", 0}};
    std::string text = llvm::formatv(
        "def f(A: {0}(M, N)) -> (sum, most, least: {0}(M), inout up: {0}(M), "
        "some, every: bool(M)) {{\n"
        "  sum(i) +=! A(i, j)\n"
        "  most(i) max=! A(i, j)\n"
        "  least(i) min=! A(i, j)\n"
        "  up(i) max= A(i, j)\n"
        "  some(i) = any<j>(A(i, j) != 0)\n"
        "  every(i) = all<j>(A(i, j) != 0) }",
        getSpelling(GetParam().type));
    Compiled compiled(text, options);
    ASSERT_TRUE(compiled.isOk());
    EXPECT_TRUE(compiled.check({{"M", 3}, {"N", 0}}));
    EXPECT_TRUE(compiled.check({{"M", 0}, {"N", 0}}));
  }
}

INSTANTIATE_TEST_SUITE_P(Of, NarrowReductions, testing::ValuesIn(types),
                         [](const auto &info) {
                           return getSpelling(info.param.type).str();
                         });

} // namespace
} // namespace ein::test
