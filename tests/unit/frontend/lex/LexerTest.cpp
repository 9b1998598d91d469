//===- LexerTest.cpp - Text to tokens -------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../TestSupport.h"

using namespace ein;
using namespace ein::test;

namespace {

/// Kinds and texts, without the end of the file.
std::string lexAll(std::string text, unsigned numErrors = 0) {
  SourceFile file("test.ein", std::move(text));
  DiagnosticEngine diags;
  TokenBuffer buffer = lex(file, diags);
  EXPECT_EQ(diags.getNumErrors(), numErrors);
  EXPECT_EQ(buffer.tokens.back().kind, TokenKind::EndOfFile);
  std::string result;
  for (const Token &token : llvm::ArrayRef(buffer.tokens).drop_back()) {
    result += result.empty() ? "" : " ";
    result += getName(token.kind).str() + ":" + buffer.getText(token).str();
  }
  return result;
}

TEST(Lexer, TakesTheLongestOperator) {
  EXPECT_EQ(lexAll("a +=! b"), "Identifier:a AddInit:+=! Identifier:b");
  EXPECT_EQ(lexAll("a +=b"), "Identifier:a AddAssign:+= Identifier:b");
  EXPECT_EQ(lexAll("->->"), "Arrow:-> Arrow:->");
  EXPECT_EQ(lexAll("- >"), "Minus:- Greater:>");
  EXPECT_EQ(lexAll("<=> <= <<"), "TcEquation:<=> LessEqual:<= ShiftLeft:<<");
}

TEST(Lexer, GluesMaxToItsEqualSign) {
  EXPECT_EQ(lexAll("max=! max= max"),
            "MaxInit:max=! MaxAssign:max= Identifier:max");
  EXPECT_EQ(lexAll("min =!"), "Identifier:min Assign:= Not:!");
  EXPECT_EQ(lexAll("max==x"), "Identifier:max EqualEqual:== Identifier:x");
  EXPECT_EQ(lexAll("amax=x"), "Identifier:amax Assign:= Identifier:x");
}

TEST(Lexer, ReadsNumbers) {
  EXPECT_EQ(lexAll("1 2.5 1. .5 1e-3 1.0f32 2f64"),
            "Integer:1 Float:2.5 Float:1. Float:.5 Float:1e-3 Float:1.0f32 "
            "Float:2f64");
  EXPECT_EQ(lexAll("p.0"), "Identifier:p Dot:. Integer:0");
  EXPECT_EQ(lexAll("1e", 1), "Error:1e");
  EXPECT_EQ(lexAll("0x10", 1), "Error:0x10");
}

TEST(Lexer, SkipsComments) {
  EXPECT_EQ(lexAll("a // b\n# c\nd /* e\n f */ g /**/ h #"),
            "Identifier:a Identifier:d Identifier:g Identifier:h");
  EXPECT_EQ(lexAll("a /* b", 1), "Identifier:a Error:/*");
  EXPECT_EQ(lexAll("a / b"), "Identifier:a Slash:/ Identifier:b");
}

TEST(Lexer, ReadsStrings) {
  EXPECT_EQ(lexAll("\"a#b\" \"\""), "String:\"a#b\" String:\"\"");
  EXPECT_EQ(lexAll("\"\"\"a\n\"b\"\"\" c"),
            "String:\"\"\"a\n\"b\"\"\" Identifier:c");
  EXPECT_EQ(lexAll("\"a\nb", 1), "Error:\"a Identifier:b");
  EXPECT_EQ(lexAll("\"", 1), "Error:\"");
}

TEST(Lexer, TakesAnyBytes) {
  EXPECT_EQ(lexAll("\xEF\xBB\xBF"
                   "a\r\nb"),
            "Identifier:a Identifier:b");
  EXPECT_EQ(lexAll("a\xFF\xFE\x80 b", 1),
            "Identifier:a Error:\xFF\xFE\x80 Identifier:b");
  EXPECT_EQ(lexAll(std::string("a\0b", 3), 1),
            std::string("Identifier:a Error:\0 Identifier:b", 33));
  EXPECT_EQ(lexAll("\xC3", 1), "Error:\xC3");
  EXPECT_EQ(lexAll(""), "");
}

TEST(Lexer, RefusesWhatIsTooLarge) {
  EXPECT_EQ(lexAll(std::string((4 << 20) + 1, ' '), 1), "");
  EXPECT_EQ(lexAll(std::string(4 << 20, ' ')), "");
}

TEST(Lexer, KnowsWhatStartsALine) {
  SourceFile file("test.ein", "a b\nc /*\n*/ d");
  DiagnosticEngine diags;
  std::string starts;
  for (const Token &token : lex(file, diags).tokens)
    starts += token.startsLine ? '1' : '0';
  EXPECT_EQ(starts, "10111");
}

} // namespace
