//===- EinsumStringTest.cpp - The strings of einsum -----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/parse/EinsumString.h"
#include "../TestSupport.h"

using namespace ein;

namespace {

/// The terms, one space between, then `->` and the output.
std::string parse(llvm::StringRef text,
                  EinsumNotation notation = EinsumNotation::Letters) {
  DiagnosticEngine diags;
  llvm::FailureOr<EinsumString> einsum =
      parseEinsumString(text, 0, diags, notation);
  if (llvm::failed(einsum))
    return diags.getDiagnostics()[0].message;
  std::string result;
  auto append = [&](const EinsumTerm &term) {
    for (const EinsumLabel &label : term.labels) {
      bool isWord = notation == EinsumNotation::Words;
      result += label.name + (isWord && !label.isGroup() ? "." : "");
      for (const EinsumLabel &member : label.members)
        result += (&member == label.members.data() ? "<" : "*") + member.name;
      result += label.isGroup() ? ">" : "";
    }
    result += ' ';
  };
  for (const EinsumTerm &term : einsum->operands)
    append(term);
  result += "-> ";
  append(einsum->output);
  for (const std::vector<unsigned> &group : einsum->groups) {
    result += '|';
    for (unsigned member : group)
      result += std::to_string(member) + ' ';
  }
  return llvm::StringRef(result).rtrim().str();
}

TEST(EinsumString, ReadsTerms) {
  EXPECT_EQ(parse("mk,kn->mn"), "mk kn -> mn");
  EXPECT_EQ(parse("  m k ,k n  -> m n "), "mk kn -> mn");
  EXPECT_EQ(parse("ii->"), "ii ->");
  EXPECT_EQ(parse(""), " ->");
  EXPECT_EQ(parse(",->"), "  ->");
  EXPECT_EQ(parse("->"), " ->");
  EXPECT_EQ(parse("αβ,βγ->αγ"), "αβ βγ -> αγ");
}

TEST(EinsumString, InfersTheOutputAsNumpyDoes) {
  EXPECT_EQ(parse("ba"), "ba -> ab");
  EXPECT_EQ(parse("mk,kn"), "mk kn -> mn");
  EXPECT_EQ(parse("ii"), "ii ->");
  // Upper case comes first, é after all of ASCII, Greek after é.
  EXPECT_EQ(parse("αébA"), "αébA -> Abéα");
  EXPECT_EQ(parse("b...a,...c"), "b...a ...c -> ...abc");
}

TEST(EinsumString, RefusesWhatNumpyDoes) {
  EXPECT_EQ(parse("a- >a"), "unexpected `-` in an einsum string");
  EXPECT_EQ(parse("a. ..->a"), "unexpected `.` in an einsum string");
  EXPECT_EQ(parse("a\tb"), "a tab is no blank in an einsum string");
  EXPECT_EQ(parse("a->a->a"), "second `->` in an einsum string");
  EXPECT_EQ(parse("a1->a"), "unexpected `1` in an einsum string");
  EXPECT_EQ(parse("a\xFF"), "unexpected 0xFF in an einsum string");
  EXPECT_EQ(parse("a->b"), "output label `b` is in no operand");
  EXPECT_EQ(parse("a->a,"), "unexpected `,` in an einsum string");
  EXPECT_EQ(parse("......"), "second ellipsis in one term");
  // A combining accent is no letter.
  EXPECT_EQ(parse("e\xCC\x81").substr(0, 10), "unexpected");
}

TEST(EinsumString, KeepsPlaces) {
  DiagnosticEngine diags;
  llvm::FailureOr<EinsumString> einsum =
      parseEinsumString(" é k, kn -> n", 100, diags);
  ASSERT_TRUE(llvm::succeeded(einsum));
  const EinsumTerm &first = einsum->operands[0];
  EXPECT_EQ(first.range.begin, 101u);
  EXPECT_EQ(first.range.end, 105u); // é has two bytes
  EXPECT_EQ(first.labels[1].range.begin, 104u);
  EXPECT_EQ(einsum->output.range.begin, 113u);
}

TEST(EinsumString, ReadsWords) {
  auto words = [](llvm::StringRef text) {
    return parse(text, EinsumNotation::Words);
  };
  EXPECT_EQ(words("batch h w, h w out -> batch out"),
            "batch.h.w. h.w.out. -> batch.out.");
  EXPECT_EQ(words("x_1 ... é2,_y->"), "x_1.....é2. _y. ->");
  // By code point, like letters.
  EXPECT_EQ(words("b2 b10 B"), "b2.b10.B. -> B.b10.b2.");
  EXPECT_EQ(words("(row col) c -> row col c"), "<row*col>c. -> row.col.c.");
  EXPECT_EQ(words("2x->"), "unexpected `2` in an einsum string");
  EXPECT_EQ(words("ab cd -> abcd"), "output label `abcd` is in no operand");
}

TEST(EinsumString, TakesALabelTwiceInTheOutput) {
  EXPECT_EQ(parse("i->ii"), "i -> ii");
  EXPECT_EQ(parse("ij,j->iji"), "ij j -> iji");
}

TEST(EinsumString, ReadsGroupsOfTerms) {
  EXPECT_EQ(parse("(ab,bc),cd->ad"), "ab bc cd -> ad |0 1");
  EXPECT_EQ(parse("ab , ( bc , cd ) -> ad"), "ab bc cd -> ad |1 2");
  EXPECT_EQ(parse("(a,(b,c)),(d,e,f),g->"),
            "a b c d e f g ->  |1 2 |0 7 |3 4 5");
  EXPECT_EQ(parse("(,),->"), "   ->  |0 1");
  // Nothing is said by parentheses round everything, or round one group.
  EXPECT_EQ(parse("(ab,bc)->ac"), "ab bc -> ac");
  EXPECT_EQ(parse("((a,b)),c->"), "a b c ->  |0 1");
  EXPECT_EQ(parse("((a,b),c)"), "a b c -> abc |0 1");
}

TEST(EinsumString, RefusesWrongNesting) {
  const char *beside =
      "parentheses with a comma hold whole terms, and stand between commas";
  EXPECT_EQ(parse("(ab,bc->ac"), "`(` has no partner in the einsum string");
  EXPECT_EQ(parse("ab,bc)->ac"), "`)` has no partner in the einsum string");
  EXPECT_EQ(parse("(ab,bc->ac)"), "`->` inside parentheses");
  EXPECT_EQ(parse("x(a,b)->"), beside);
  EXPECT_EQ(parse("(a,b)x->"), beside);
  EXPECT_EQ(parse("(a,b)(c,d)->"), beside);
  EXPECT_EQ(parse("a,b->(a,b)"), "unexpected `(` in an einsum string");
  EXPECT_EQ(parse(std::string(300, '(') + "a,b" + std::string(300, ')')),
            "nesting is deeper than 256 levels");
}

TEST(EinsumString, ReadsGroupsOfLabels) {
  const char *wrong = "parentheses without a comma hold labels, at least one";
  EXPECT_EQ(parse("(hw)c->hwc"), "<h*w>c -> hwc");
  EXPECT_EQ(parse("((hw)c,cd)->"), "<h*w>c cd ->");
  EXPECT_EQ(parse("(h)c->h"), "hc -> h");
  EXPECT_EQ(parse("()a"), wrong);
  EXPECT_EQ(parse("((ab)c)"), wrong);
  EXPECT_EQ(parse("(...a)"), wrong);
  EXPECT_EQ(parse("(a->a)"), wrong);
}

TEST(EinsumString, TakesThousandsOfTerms) {
  std::string text = "ab";
  for (int i = 0; i != 4999; ++i)
    text += ",ab";
  DiagnosticEngine diags;
  llvm::FailureOr<EinsumString> einsum = parseEinsumString(text, 0, diags);
  ASSERT_TRUE(llvm::succeeded(einsum));
  EXPECT_EQ(einsum->operands.size(), 5000u);
}

} // namespace
