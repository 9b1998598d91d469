//===- EinsumStringTest.cpp - The strings of einsum -----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/EinsumString.h"
#include "TestSupport.h"

using namespace ein;

namespace {

/// The terms, one space between, then `->` and the output.
std::string parse(llvm::StringRef text) {
  DiagnosticEngine diags;
  llvm::FailureOr<EinsumString> einsum = parseEinsumString(text, 0, diags);
  if (llvm::failed(einsum))
    return diags.getDiagnostics()[0].message;
  std::string result;
  auto append = [&](const EinsumTerm &term) {
    for (const EinsumLabel &label : term.labels)
      result += label.name;
    result += ' ';
  };
  for (const EinsumTerm &term : einsum->operands)
    append(term);
  result += "-> ";
  append(einsum->output);
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
  EXPECT_EQ(parse("a\tb"), "unexpected U+0009 in an einsum string");
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

TEST(EinsumString, BoundsTheNumberOfTerms) {
  EXPECT_EQ(parse(std::string(2000, ',')),
            "expression has more than 1024 operands in a row");
}

} // namespace
