//===- FormatTest.cpp - Programs in the house's layout --------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of every program in the source tree, the documents' examples and random
// sequences of tokens: formatting keeps tokens, comments and tree, and
// formatting twice is formatting once.
//
//===----------------------------------------------------------------------===//

#include "frontend/format/Format.h"
#include "../TestSupport.h"
#include "llvm/ADT/StringExtras.h"
#include <random>

using namespace ein;
using namespace ein::test;

namespace {

std::string format(const std::string &text) {
  Sources file("test.ein", text);
  DiagnosticEngine diags;
  llvm::FailureOr<std::string> formatted = formatSource(file.getMain(), diags);
  if (llvm::succeeded(formatted))
    return *formatted;
  std::string errors;
  llvm::raw_string_ostream os(errors);
  printDiagnostics(os, file, diags.getDiagnostics());
  return errors;
}

/// The tokens and the comments, one to a line; blanks that end a comment are
/// not part of it.
std::string listTokens(const std::string &text) {
  SourceFile file("test.ein", text);
  DiagnosticEngine diags;
  TokenBuffer buffer = lex(file, diags);
  std::string list;
  auto comment = buffer.comments.begin();
  for (const Token &token : buffer.tokens) {
    for (;
         comment != buffer.comments.end() && comment->begin < token.range.begin;
         ++comment)
      list += file.getText(*comment).rtrim().str() + "\n";
    list +=
        getName(token.kind).str() + " " + buffer.getText(token).str() + "\n";
  }
  return list;
}

/// The tree without places; of what does not parse, that it does not.
std::string printTree(const std::string &text) {
  SourceFile file("test.ein", text);
  DiagnosticEngine diags;
  ast::Module module = parseSource(file, SourceForm::File, diags);
  std::string tree = diags.hasErrors() ? "has errors\n" : "";
  llvm::raw_string_ostream os(tree);
  if (!diags.hasErrors())
    printAST(os, module);
  return tree;
}

/// False if it has mistakes that the formatter refuses.
bool checkProperties(const std::string &text) {
  SourceFile file("test.ein", text);
  DiagnosticEngine diags;
  llvm::FailureOr<std::string> formatted = formatSource(file, diags);
  if (llvm::failed(formatted)) {
    EXPECT_NE(diags.getDiagnostics().back().id, DiagId::InternalError) << text;
    return false;
  }
  EXPECT_EQ(listTokens(*formatted), listTokens(text)) << text;
  EXPECT_EQ(printTree(*formatted), printTree(text)) << text << *formatted;
  EXPECT_EQ(format(*formatted), *formatted) << text;
  return true;
}

TEST(Format, ProgramsOfTheTree) {
  unsigned count = 0;
  for (const char *directory :
       {"samples", "tests/frontend", "tests/driver", "tests/ir",
        "tests/e2e/Inputs", "tests/docs/Inputs"})
    for (const std::filesystem::path &path : findPrograms(directory))
      count += checkProperties(readFile(path));
  EXPECT_GT(count, 60u);
}

TEST(Format, ExamplesOfTheDocuments) {
  unsigned count = 0;
  for (const char *name : {"docs/reference/language.md", "README.md"}) {
    std::string text = readFile(getSourceDir() / name);
    llvm::StringRef rest = text;
    while (true) {
      rest = rest.split("```ein\n").second;
      if (rest.empty())
        break;
      EXPECT_TRUE(checkProperties(rest.split("```").first.str()));
      ++count;
    }
  }
  EXPECT_GT(count, 30u);
}

/// Samples are as the formatter has them.
TEST(Format, Samples) {
  for (const std::filesystem::path &path : findPrograms("samples"))
    EXPECT_EQ(format(readFile(path)), readFile(path)) << path;
}

/// Pieces of programs in any order: hardly ever a program, but tokens all the
/// same. Brackets are closed, as the formatter refuses what has open ones.
TEST(Format, RandomTokens) {
  const std::vector<std::string> words = {"A",
                                          "b",
                                          "max",
                                          "min",
                                          "sum",
                                          "let",
                                          "tmp",
                                          "where",
                                          "in",
                                          "step",
                                          "exists",
                                          "acc",
                                          "f32",
                                          "def",
                                          "attr",
                                          "ods_def",
                                          "inout",
                                          "import",
                                          "0",
                                          "2",
                                          ".5",
                                          "1.5e3",
                                          "3u8",
                                          "2xindex",
                                          "\"s\"",
                                          "\"\"\"d\n  d\"\"\"",
                                          ",",
                                          ":",
                                          ";",
                                          ".",
                                          "?",
                                          "->",
                                          "+",
                                          "-",
                                          "*",
                                          "/ ",
                                          "%",
                                          "<",
                                          "<=",
                                          ">",
                                          ">=",
                                          "==",
                                          "!=",
                                          "&&",
                                          "||",
                                          "!",
                                          "&",
                                          "|",
                                          "^",
                                          "~",
                                          "<<",
                                          ">>",
                                          "=",
                                          "+=",
                                          "+=!",
                                          "max=",
                                          "min=!",
                                          "|=",
                                          "-=",
                                          "<=>",
                                          "# c \n",
                                          "// d\n",
                                          "/* e */",
                                          "/* f\n g */",
                                          "sum<k>(",
                                          "A(",
                                          "(",
                                          "[",
                                          "{",
                                          "f32(",
                                          "acc = f32",
                                          "\nacc = f32\n",
                                          "where i in 0:N"};
  std::mt19937 random(1);
  auto draw = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  unsigned count = 0;
  for (unsigned i = 0; i != 4000; ++i) {
    std::string text, open;
    for (unsigned j = draw(40); j != 0; --j) {
      const std::string &word = words[draw(words.size())];
      text += word;
      if (llvm::StringRef("([{").contains(word.back()))
        open += word.back() == '(' ? ')' : word.back() == '[' ? ']' : '}';
      else if (!open.empty() && draw(3) == 0) {
        text += open.back();
        open.pop_back();
      }
      const char *blanks[] = {"", " ", " ", "\n", "\n\n\n", "\t"};
      text += blanks[draw(6)];
    }
    std::reverse(open.begin(), open.end());
    count += checkProperties(text + "\n" + open);
    if (HasFailure())
      return;
  }
  EXPECT_GT(count, 1000u);
}

TEST(Format, Blanks) {
  EXPECT_EQ(format("C ( m,n )+=!A(m,2 * k+sh*h)*B( k , n )/(x*y)\n"),
            "C(m, n) +=! A(m, 2*k + sh*h) * B(k, n) / (x * y)\n");
  EXPECT_EQ(format("y(i)=- x(i) ? !a:~ b - -3"),
            "y(i) = -x(i) ? !a : ~b - -3\n");
  EXPECT_EQ(format("O=conv(I,K , strides = [ 2,2 ],max=3,max =3)"),
            "O = conv(I, K, strides=[2, 2], max=3, max = 3)\n");
  EXPECT_EQ(format("d=A . 0+p.1*2"), "d = A.0 + p.1 * 2\n");
}

/// A reduction is what has no blank before `<`.
TEST(Format, Angles) {
  EXPECT_EQ(format("s=sum<k,l>(A(k,l)) y = sum <k&&a<b"),
            "s = sum<k, l>(A(k, l))\ny = sum < k && a < b\n");
  EXPECT_EQ(format("def f <T , U=f32> (A: T) -> (B: U){}"),
            "def f<T, U = f32>(A: T) -> (B: U) {}\n");
}

TEST(Format, Statements) {
  EXPECT_EQ(format("{ a=b(i) c =d;e: f32(N)(i) max=! x;; let f=3\n\n\n\ng=1 }"),
            "{\n  a = b(i)\n  c = d;\n  e: f32(N)(i) max=! x;;\n"
            "  let f = 3\n\n  g = 1\n}\n");
  EXPECT_EQ(format("Q,R=f(A) import \"x\" a=b"),
            "Q, R = f(A)\nimport \"x\"\na = b\n");
}

TEST(Format, Where) {
  EXPECT_EQ(format("a(i)=b(i)where i in 0:N,j in i+1:N step 2,k=3,exists A(i)"
                   ",i<j c=d"),
            "a(i) = b(i) where i in 0:N, j in i + 1 : N step 2, k = 3, "
            "exists A(i), i < j\nc = d\n");
  EXPECT_EQ(format("a=b where (i<j) in(i)=c where(i)=d"),
            "a = b where (i < j)\nin(i) = c\nwhere(i) = d\n");
}

/// `acc = T` belongs to the expression before it if it is on its line.
TEST(Format, Accumulator) {
  EXPECT_EQ(format("a = b acc=T\nacc=T\nc = d\nacc\n=f32"),
            "a = b acc = T\nacc = T\nc = d acc = f32\n");
  EXPECT_EQ(format("a = b\nacc = f32 x = y"), "a = b\nacc = f32 x = y\n");
  EXPECT_EQ(format("a = b # c\nacc = f32\nwhere i in 0:N"),
            "a = b  # c\n    acc = f32\n    where i in 0:N\n");
}

TEST(Format, Comments) {
  EXPECT_EQ(
      format("\n\n# a  \r\n\r\n\r\n/* b */ x = /* c */ y // d\ndef f() -> (x) "
             "{ # e\n"
             "\n# f\n\n}\n/* g\n   h */\n"),
      "# a\n\n/* b */ x = /* c */ y  // d\ndef f() -> (x) {  # e\n  # f\n}\n"
      "/* g\n   h */\n");
  EXPECT_EQ(format("x = f(a, # one\n  b  # two\n)\n  # three\n + c"),
            "x = f(a,  # one\n      b  # two\n)\n    # three\n    + c\n");
}

TEST(Format, LongLines) {
  std::string name(30, 'a');
  EXPECT_EQ(format("def f(x: f32(" + name + "), y: f32(" + name +
                   ")) -> (z: f32(" + name + ")) { }"),
            "def f(x: f32(" + name + "), y: f32(" + name +
                "))\n    -> (z: f32(" + name + ")) {}\n");
  EXPECT_EQ(format(name + " = " + name + " + " + name + " * " + name + " + b"),
            name + " = " + name + "\n    + " + name + " * " + name + " + b\n");
  EXPECT_EQ(format(name + " = f(" + name + ", " + name + ", b)"),
            name + " =\n    f(" + name + ", " + name + ", b)\n");
  EXPECT_EQ(
      format("x = f(" + name + ", " + name + ", " + name + ", " + name + ")"),
      "x = f(" + name + ", " + name + ",\n      " + name + ", " + name + ")\n");
}

TEST(Format, Refused) {
  EXPECT_EQ(format("a = (b"), "test.ein:1:7: error: expected `)`, found end of "
                              "file\na = (b\n      ^\ntest.ein:1:5: note: to "
                              "match this `(`\na = (b\n    ^\n");
  EXPECT_EQ(format("a = [b)"), "test.ein:1:7: error: expected `]`, found `)`\n"
                               "a = [b)\n      ^\ntest.ein:1:5: note: to "
                               "match this `[`\na = [b)\n    ^\n");
  EXPECT_EQ(format("a = b }"), "test.ein:1:7: error: expected a def or a "
                               "statement, found `}`\na = b }\n      ^\n");
  EXPECT_EQ(format("a = \"b"), "test.ein:1:5: error: string is not closed\n"
                               "a = \"b\n    ^\n");
  EXPECT_NE(format("a = " + std::string(300, '(')).find("nesting is deeper"),
            std::string::npos);
}

/// Blanks in an einsum string may separate words.
TEST(Format, EinsumString) {
  EXPECT_EQ(format("batch  h , h->batch"), "batch  h , h->batch");
}

TEST(Format, IsLinear) {
  std::string text = "x = 0";
  for (unsigned i = 0; i != 5000; ++i)
    text += " + f(a, b*c) * d";
  EXPECT_TRUE(checkProperties(text));
}

} // namespace
