//===- NamesTest.cpp - What names stand for -------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/names/Names.h"
#include "frontend/parse/Parser.h"
#include <gtest/gtest.h>

using namespace ein;

namespace {

/// Each use as `kind:place of the declaration`, in the order of the text.
std::string collect(const std::string &text) {
  static constexpr const char *kinds[] = {
      "def",   "callee",   "generic",   "attribute", "size",
      "param", "result",   "temporary", "index",     "label",
      "value", "function", "type",      "argument"};
  Sources sources("x", text);
  DiagnosticEngine diags;
  TokenBuffer tokens = lexSource(sources.getMain(), SourceForm::File, diags);
  ast::Module module = parseSource(tokens, SourceForm::File, diags);
  NameTable names = collectNames(
      module, tokens, [](llvm::StringRef name) { return name == "matmul"; });
  std::string result;
  for (const NameUse &use : names.uses) {
    const NamedEntity &entity = names.entities[use.entity];
    result += (result.empty() ? "" : " ") +
              sources.getMain().getText(use.range).str() + "=" +
              kinds[static_cast<size_t>(entity.kind)];
    if (isDeclared(entity.kind))
      result += ":" + std::to_string(entity.declaration.begin);
  }
  return result;
}

TEST(Names, OfADef) {
  EXPECT_EQ(collect("def f(A: f32(M)) -> (B) { B(i) = A(i) + M }"),
            "f=def:4 A=param:6 f32=type M=size:13 B=result:21 B=result:21 "
            "i=index:28 A=param:6 i=index:28 M=size:13");
}

TEST(Names, ReductionsHaveIndicesOfTheirOwn) {
  EXPECT_EQ(collect("def f(A: f32(M)) -> (B) { B(i) = A(i)*sum<i>(A(i)) }"),
            "f=def:4 A=param:6 f32=type M=size:13 B=result:21 B=result:21 "
            "i=index:28 A=param:6 i=index:28 sum=function i=index:42 A=param:6 "
            "i=index:42");
}

TEST(Names, ButForThoseOfAWhere) {
  EXPECT_EQ(collect("def f(A: f32(M)) -> (B) { B = sum<i>(A(i)) "
                    "where i in 1:M }"),
            "f=def:4 A=param:6 f32=type M=size:13 B=result:21 B=result:21 "
            "sum=function i=index:49 A=param:6 i=index:49 i=index:49 "
            "M=size:13");
}

TEST(Names, LabelsAreTheEinsums) {
  EXPECT_EQ(collect("D = einsum(\"ij,jk\", A, B)"),
            "D=result:0 einsum=function i=label:12 j=label:13 j=label:13 "
            "k=label:16 A=param:20 B=param:23");
}

TEST(Names, ArgumentsAreTheCallees) {
  EXPECT_EQ(collect("def f(A: f32(M)) -> (B) attr(s: f32) { B = A }\n"
                    "def g(A: f32(M)) -> (B) { B = f(A, s=2) C = "
                    "matmul(A, A, cast=x) }"),
            "f=def:4 A=param:6 f32=type M=size:13 B=result:21 s=attribute:29 "
            "f32=type B=result:21 A=param:6 g=def:51 A=param:53 f32=type "
            "M=size:60 B=result:68 B=result:68 f=def:4 A=param:53 "
            "s=attribute:29 C=temporary:87 matmul=callee A=param:53 A=param:53 "
            "cast=argument");
}

TEST(Names, OfWhatDoesNotParse) {
  EXPECT_EQ(collect("def f(A: f32(M)) -> (B) { B(i) = = A(i) + M }"),
            "f=def:4 A=param:6 f32=type M=size:13 B=result:21 B=result:21 "
            "A=param:6 M=size:13");
}

TEST(Names, WithoutASignature) {
  EXPECT_EQ(collect("C(i) = sum<j>(A(i, j)) / J; let t = C"),
            "C=result:0 i=index:2 sum=function j=index:11 A=param:14 i=index:2 "
            "j=index:11 J=size:25 t=temporary:32 C=result:0");
}

TEST(Names, FindsTheOneAtTheCursor) {
  Sources sources("x", "C = einsum(\"ab,b\", A, B)");
  DiagnosticEngine diags;
  TokenBuffer tokens = lexSource(sources.getMain(), SourceForm::File, diags);
  ast::Module module = parseSource(tokens, SourceForm::File, diags);
  NameTable names =
      collectNames(module, tokens, [](llvm::StringRef) { return false; });
  auto at = [&](uint32_t offset) {
    const NameUse *use = names.find(offset);
    return use ? sources.getMain().getText(use->range).str() : "";
  };
  EXPECT_EQ(at(0), "C");
  EXPECT_EQ(at(1), "C");
  EXPECT_EQ(at(2), "");
  EXPECT_EQ(at(12), "a");
  EXPECT_EQ(at(13), "b"); // of two that touch, the one that begins
  EXPECT_EQ(at(14), "b");
  EXPECT_EQ(at(23), "B");
  EXPECT_EQ(at(24), "");
}

} // namespace
