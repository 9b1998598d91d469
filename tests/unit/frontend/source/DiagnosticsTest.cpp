//===- DiagnosticsTest.cpp - How diagnostics look -------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../TestSupport.h"
#include "llvm/Support/JSON.h"

using namespace ein;
using namespace ein::test;

namespace {

/// `value` alone on line 2.
std::string inDef(const std::string &value) {
  return "def f() -> (x: f32) { x =\n" + value + "\n}";
}

std::string render(const std::string &text) {
  return "\n" + Checked(text).diagnostics();
}

TEST(Diagnostics, PointAtTheNarrowestPlace) {
  EXPECT_EQ(render("def f(A: f32(16, 64), B: f32(32, 8)) -> (C: f32(16, 8)) {\n"
                   "  C(m, n) +=! A(m, k) * B(k, n)\n"
                   "}\n"),
            R"(
test.ein:2:27: error: index `k` has extent 64 in `A` and 32 in `B`
  C(m, n) +=! A(m, k) * B(k, n)
                          ^
test.ein:1:7: note: `A` declared here
def f(A: f32(16, 64), B: f32(32, 8)) -> (C: f32(16, 8)) {
      ^
test.ein:1:23: note: `B` declared here
def f(A: f32(16, 64), B: f32(32, 8)) -> (C: f32(16, 8)) {
                      ^
)");
}

TEST(Diagnostics, PointIntoEinsumStrings) {
  EXPECT_EQ(render("def f(A: f32(16, 64), B: f32(32, 8)) -> (C) {\n"
                   "  C = einsum(\"m k, k n -> m n\", A, B)\n"
                   "}\n"),
            R"(
test.ein:2:20: error: index `k` has extent 64 in `A` and 32 in `B`
  C = einsum("m k, k n -> m n", A, B)
                   ^
test.ein:1:7: note: `A` declared here
def f(A: f32(16, 64), B: f32(32, 8)) -> (C) {
      ^
test.ein:1:23: note: `B` declared here
def f(A: f32(16, 64), B: f32(32, 8)) -> (C) {
                      ^
)");
}

TEST(Diagnostics, ShowFixIts) {
  EXPECT_EQ(render("def f(A: f32(M, K)) -> (C: f32(M)) {\n"
                   "  C(m) = exp(A(m, k))\n"
                   "}\n"),
            R"(
test.ein:2:19: error: index `k` is only on the right, and `=` sums nothing but products
  C(m) = exp(A(m, k))
                  ^
       +=!
test.ein:2:3: note: or keep `k`, as in `C(m, k)`
  C(m) = exp(A(m, k))
  ^
     , k
)");
  EXPECT_EQ(render("def f(A: f32(M)) -> (C: f32(M)) {\n"
                   "  C(m) += A(m)\n"
                   "}\n"),
            R"(
test.ein:2:8: warning: `+=` continues from what the caller puts into `C`, )"
            R"(which becomes `inout` [-Woutput-continued]
  C(m) += A(m)
       ^~
         !
)");
}

TEST(Diagnostics, AlignUnderTabsAndWideCharacters) {
  EXPECT_EQ(render(inDef("\t1 + 2 /*\t界é*/ + yy")),
            "\ntest.ein:2:21: error: unknown name `yy`\n"
            "        1 + 2 /*        界é*/ + yy\n"
            "                                ^~\n");
}

TEST(Diagnostics, ShowWhatCannotBeShown) {
  EXPECT_EQ(render(std::string("x = 1 + \0\x80 + y\x1B", 15)),
            "\ntest.ein:1:9: error: unexpected character U+0000\n"
            "x = 1 + <U+0000><0x80> + y<U+001B>\n"
            "        ^~~~~~~~\n"
            "test.ein:1:10: error: unexpected character 0x80\n"
            "x = 1 + <U+0000><0x80> + y<U+001B>\n"
            "                ^~~~~~\n"
            "test.ein:1:15: error: unexpected character U+001B\n"
            "x = 1 + <U+0000><0x80> + y<U+001B>\n"
            "                          ^~~~~~~~\n");
}

TEST(Diagnostics, StopAtTheEndOfTheLine) {
  EXPECT_EQ(render("def f(A: f32(N)) -> (B: f32(N)) {\r\n  B(i) = A(i\r\n"),
            R"(
test.ein:2:13: error: expected `)`, found end of file
  B(i) = A(i
            ^
            )
test.ein:2:11: note: to match this `(`
  B(i) = A(i
          ^
)");
  EXPECT_EQ(render("x = (1 +\n  y +\n z)(w"),
            R"(
test.ein:3:4: error: expected a def or a statement, found `(`
 z)(w
   ^
)");
}

/// Of what is long a message has the ends, and whole characters.
TEST(Diagnostics, ShortenWhatIsLong) {
  std::string digits(1000000, '9');
  Checked number("def f(A: f32(N)) -> (B: f32(N)) { B(i) = A(" + digits +
                 ") }");
  EXPECT_LT(getOnlyMessage(number).size(), 300u);
  std::string name;
  for (int i = 0; i != 10000; ++i)
    name += "\u00e9";
  Checked missing("import \"" + name +
                  "\"\n"
                  "def f(A: f32(N)) -> (B: f32(N)) { B(i) = A(i) }");
  ASSERT_TRUE(llvm::failed(missing.program));
  EXPECT_TRUE(llvm::json::isUTF8(getOnlyMessage(missing)));
  EXPECT_LT(getOnlyMessage(missing).size(), 300u);
}

TEST(Diagnostics, CutLongLines) {
  std::string text = Checked(inDef(std::string(1000, ' ') + "y" +
                                   std::string(1000, ' ') + "+ 1"))
                         .diagnostics();
  EXPECT_EQ(text, "test.ein:2:1001: error: unknown name `y`\n..." +
                      std::string(80, ' ') + "y" + std::string(79, ' ') +
                      "...\n   " + std::string(80, ' ') + "^\n");
}

TEST(Diagnostics, HaveNoPlaceForTheCommandLine) {
  CheckOptions options;
  options.bindings["Q"] = 1;
  EXPECT_EQ(Checked("x = 1", options).diagnostics(),
            "test.ein: error: no size is called `Q`\n");
}

TEST(Diagnostics, ColorOnlyTheMarks) {
  Checked checked(inDef("y"));
  std::string text;
  llvm::raw_string_ostream os(text);
  printDiagnostics(os, checked.file, checked.diags.getDiagnostics(),
                   /*useColor=*/true);
  EXPECT_EQ(text, "\033[1mtest.ein:2:1:\033[0m \033[1;31merror:\033[0m "
                  "\033[1munknown name `y`\033[0m\ny\n\033[1;32m^\033[0m\n");
}

TEST(Diagnostics, EndWhenThereAreTooMany) {
  std::string text = "def f(A: f32(N)) -> (B: f32(N)) {\n";
  for (int i = 0; i != 60; ++i)
    text += "  B(i) = x\n";
  Checked checked(text + "}\n");
  llvm::ArrayRef<Diagnostic> diagnostics = checked.diags.getDiagnostics();
  EXPECT_EQ(diagnostics.size(), 51u);
  EXPECT_EQ(diagnostics.back().message,
            "too many errors, the rest is left out");
  EXPECT_EQ(diagnostics.back().id, DiagId::TooManyErrors);
}

TEST(Diagnostics, PrintInTheOrderOfTheFile) {
  // The lexer runs first, but its errors are not shown first.
  EXPECT_EQ(render("def f() -> (a: f32) { a = x }\n"
                   "def g() -> (a: f32) { a = $ }\n"),
            R"(
test.ein:1:27: error: unknown name `x`
def f() -> (a: f32) { a = x }
                          ^
test.ein:2:27: error: unexpected character `$`
def g() -> (a: f32) { a = $ }
                          ^
)");
}

TEST(Diagnostics, FindSimilarNames) {
  EXPECT_EQ(findSimilarName("Imput", {"Output", "Input"}), "Input");
  EXPECT_EQ(findSimilarName("weigth", {"height", "weight"}), "weight");
  EXPECT_EQ(findSimilarName("a", {"A", "b"}), "A");
  EXPECT_EQ(findSimilarName("a", {"b"}), std::nullopt);
  EXPECT_EQ(findSimilarName("tanh", {}), std::nullopt);
}

TEST(Diagnostics, AreWrittenAlike) {
  static constexpr llvm::StringLiteral texts[] = {
#define EIN_DIAG(ID, SEVERITY, TEXT) TEXT,
#include "frontend/source/Diagnostics.def"
  };
  for (llvm::StringRef text : texts) {
    EXPECT_FALSE(std::isupper(text[0])) << text.str();
    EXPECT_FALSE(text.ends_with(".")) << text.str();
    EXPECT_EQ(text.count('`') % 2, 0u) << text.str();
  }
}

} // namespace
