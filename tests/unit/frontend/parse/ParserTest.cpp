//===- ParserTest.cpp - Tokens to a tree ----------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../TestSupport.h"
#include <random>

using namespace ein;
using namespace ein::test;

namespace {

std::string parseAll(std::string text) {
  Sources file("test.ein", std::move(text));
  DiagnosticEngine diags;
  ast::Module module = parseSource(file.getMain(), SourceForm::File, diags);
  std::string result;
  llvm::raw_string_ostream os(result);
  printAST(os, module);
  printDiagnostics(os, file, diags.getDiagnostics());
  return result;
}

TEST(Parser, FollowsPrecedence) {
  EXPECT_EQ(parseAll("x = a - b - c * -d"), R"(def main_program implicit
  statement x =
    binary -
      binary -
        name a
        name b
      binary *
        name c
        unary -
          name d
)");
}

/// A random expression, written with the parentheses that C needs and with all.
struct RandomExpr {
  std::string plain, full;
  unsigned level; // of its operator; higher binds more
};

RandomExpr makeRandomExpr(std::mt19937 &random, unsigned depth) {
  // From C's standard.
  static const std::vector<std::vector<const char *>> levels = {
      {"||"},
      {"&&"},
      {"|"},
      {"^"},
      {"&"},
      {"==", "!="},
      {"<", "<=", ">", ">="},
      {"<<", ">>"},
      {"+", "-"},
      {"*", "/", "%"}};
  constexpr unsigned lone = 100, unary = 50, conditional = 0;
  auto operand = [&](unsigned least) {
    RandomExpr expr = makeRandomExpr(random, depth - 1);
    expr.full = "(" + expr.full + ")";
    if (expr.level < least)
      expr.plain = "(" + expr.plain + ")";
    return expr;
  };
  unsigned kind = depth == 0 ? 0 : random() % 12;
  if (kind == 0) {
    std::string name(1, 'a' + random() % 4);
    return {name, name, lone};
  }
  if (kind == 1) {
    std::string op(1, "-!~"[random() % 3]);
    RandomExpr x = operand(unary);
    return {op + x.plain, op + x.full, unary};
  }
  if (kind == 2) {
    RandomExpr condition = operand(1), x = operand(0), y = operand(0);
    return {condition.plain + " ? " + x.plain + " : " + y.plain,
            condition.full + " ? " + x.full + " : " + y.full, conditional};
  }
  unsigned level = 1 + random() % levels.size();
  std::string op = levels[level - 1][random() % levels[level - 1].size()];
  RandomExpr x = operand(level), y = operand(level + 1);
  return {x.plain + " " + op + " " + y.plain, x.full + " " + op + " " + y.full,
          level};
}

TEST(Parser, BindsOperatorsAsCDoes) {
  std::mt19937 random(20);
  for (unsigned i = 0; i < 3000; ++i) {
    RandomExpr expr = makeRandomExpr(random, 1 + i % 5);
    ASSERT_EQ(parseAll("x = " + expr.plain), parseAll("x = " + expr.full))
        << expr.plain << "\n"
        << expr.full;
  }
}

TEST(Parser, ReadsWordsByTheirPlace) {
  EXPECT_EQ(parseAll("let = def\n tmp max=x\n let let = where\n max=! y"),
            R"(def main_program implicit
  statement let =
    name def
  statement max = let
    name x
  statement let = let
    name where
test.ein:4:2: error: expected a def or a statement, found `max=!`
 max=! y
 ^~~~~
)");
  EXPECT_EQ(parseAll("def def(inout: f32, float let) -> (inout, inout max) {}"),
            R"(def def with errors
  param inout
    type f32
  param let
    type float
  result inout
test.ein:1:49: error: `max` needs a type, such as `f32(M, N)`
def def(inout: f32, float let) -> (inout, inout max) {}
                                                ^~~
)");
}

TEST(Parser, BoundsNesting) {
  auto nest = [](unsigned depth) {
    return Checked("x = " + std::string(depth, '(') + "1" +
                   std::string(depth, ')'));
  };
  EXPECT_TRUE(llvm::succeeded(nest(255).program));
  EXPECT_EQ(getOnlyMessage(nest(256)), "nesting is deeper than 256 levels");
  EXPECT_EQ(getOnlyMessage(nest(100000)), "nesting is deeper than 256 levels");
  EXPECT_EQ(getOnlyMessage(Checked("x = " + std::string(100000, '-') + "1")),
            "nesting is deeper than 256 levels");
  auto select = [](unsigned depth) {
    std::string text = "def f(a: bool) -> (x: f32) { x = ";
    for (unsigned i = 0; i < depth; ++i)
      text += "a ? 1 : ";
    return Checked(text + "2 }");
  };
  EXPECT_TRUE(llvm::succeeded(select(250).program));
  EXPECT_EQ(getOnlyMessage(select(300)), "nesting is deeper than 256 levels");
  EXPECT_EQ(getOnlyMessage(select(100000)),
            "nesting is deeper than 256 levels");
}

TEST(Parser, BoundsChains) {
  auto chain = [](unsigned length) {
    std::string text = "x = 1";
    for (unsigned i = 1; i < length; ++i)
      text += " + 1";
    return Checked(text);
  };
  EXPECT_TRUE(llvm::succeeded(chain(1024).program));
  EXPECT_EQ(getOnlyMessage(chain(1025)),
            "expression has more than 1024 operands in a row");
  EXPECT_EQ(getOnlyMessage(chain(100000)),
            "expression has more than 1024 operands in a row");
}

TEST(Parser, ReportsAsManyErrorsAsThereAre) {
  Checked checked("def f(A: f32(N)) -> (B: f32(N)) {\n"
                  "  B(i) = A(i\n"
                  "  B(i) = )\n"
                  "  B(i) += $ A(i)\n"
                  "}\n"
                  "def g(A: f32(N)) -> (B: f32(N)) { B(i) = x }\n");
  EXPECT_EQ(checked.diags.getNumErrors(), 4u) << checked.diagnostics();
}

} // namespace
