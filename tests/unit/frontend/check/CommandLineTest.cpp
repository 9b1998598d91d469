//===- CommandLineTest.cpp - Programs typed on the command line -----------===//
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

/// The signature in one line, then the statements.
std::string summarize(const std::string &text, CheckOptions options = {}) {
  Checked checked = checkCommandLine(text, options);
  if (llvm::failed(checked.program))
    return checked.diagnostics();
  std::string result;
  llvm::raw_string_ostream os(result);
  const Def &def = checked.def();
  os << def.name;
  for (const Tensor &tensor : def.tensors) {
    os << (tensor.role == TensorRole::Input ? " " : " -> ") << tensor.name;
    for (const Affine &dim : tensor.dims)
      os << ' '
         << dim.str([](IndexId) { return "?"; },
                    [&](SymbolId id) { return llvm::StringRef(def[id].name); });
  }
  for (const Statement &statement : def.statements) {
    os << "; ";
    printStatement(os, def, statement);
  }
  return result;
}

TEST(CommandLine, TakesEinsumStrings) {
  EXPECT_EQ(summarize("mk,kn->mn"), "main_program A m k B k n -> C m n; "
                                    "C(m, n) +=! A(m, k) * B(k, n)");
  EXPECT_EQ(summarize("ab , bc , cd"),
            "main_program A a b B b c C c d -> D a d; "
            "D(a, d) +=! A(a, b) * B(b, c) * C(c, d)");
  EXPECT_EQ(summarize("ii->i\n"), "main_program A i i -> B i; B(i) = A(i, i)");
  EXPECT_EQ(summarize("->"), "main_program A -> B; B = A");
  EXPECT_EQ(summarize(",i->i"), "main_program A B i -> C i; C(i) = A * B(i)");
  EXPECT_EQ(summarize("αβ->βα"),
            "main_program A α β -> B β α; B(β, α) = A(α, β)");
  // A size cannot be called what a tensor is.
  EXPECT_EQ(summarize("AB->BA"),
            "main_program A A_size B_size -> B B_size A_size; "
            "B(B, A) = A(A, B)");
}

TEST(CommandLine, TakesAStatement) {
  EXPECT_EQ(summarize("C(m,n) +=! A(m,k)*B(k,n)"),
            "main_program A M K B K N -> C M N; "
            "C(m, n) +=! A(m, k) * B(k, n)");
  EXPECT_EQ(summarize("y(i) = alpha * exp(x(i)) + y0"),
            "main_program alpha x I y0 -> y I; y(i) = alpha * exp(x(i)) + y0");
  EXPECT_EQ(summarize("O(i) +=! A(i+k) * W(k)"),
            "main_program A A_0 W K -> O A_0 - K + 1; "
            "O(i) +=! A(i + k) * W(k)");
  // A later access names a dim that the first leaves open.
  EXPECT_EQ(summarize("O(i) = A(i + 1) + A(i, 0)").substr(0, 61),
            "<command line>:1:19: error: `A` has rank 1, but 2 subscripts\n");
  EXPECT_EQ(summarize("O(i) +=! A(0, i) * A(j, i)"),
            "main_program A J I -> O I; O(i) +=! A(0, i) * A(j, i)");
  EXPECT_EQ(summarize("C = einsum(\"mk,kn->mn\", X, Y)"),
            "main_program X m k Y k n -> C m n; "
            "C(m, n) +=! X(m, k) * Y(k, n)");
  EXPECT_EQ(summarize("C(M) = M_0(M, m)"),
            "main_program M_0 M M_size -> C M; C(M) +=! M_0(M, m)");
  EXPECT_EQ(summarize("s = 2"), "main_program -> s; s = 2");
}

TEST(CommandLine, TakesStatements) {
  EXPECT_EQ(
      summarize("let t(i) = x(i) * 2; y(i) = t(i); z +=! y(i) * t(i)"),
      "main_program x I -> y I -> z -> t I; t(i) = x(i) * 2; y(i) = t(i); "
      "z +=! y(i) * t(i)");
  EXPECT_EQ(summarize("c: f64(3)(i) = x(i)").substr(0, 30),
            "main_program x I -> c 3; c(i) ");
}

TEST(CommandLine, TakesAProgram) {
  EXPECT_EQ(summarize("def f(A: f32(N)) -> (B: f32(N)) { B(i) = A(i) }"),
            "f A N -> B N; B(i) = A(i)");
}

TEST(CommandLine, UsesTheDefaultType) {
  CheckOptions options;
  options.defaultType = ElementType::F64;
  Checked checked = checkCommandLine("mk,kn->mn", options);
  for (const Tensor &tensor : checked.def().tensors)
    EXPECT_EQ(tensor.type, ElementType::F64);
  EXPECT_EQ(checkCommandLine("s = 1", options).def().tensors[0].type,
            ElementType::F64);
}

TEST(CommandLine, BindsSizes) {
  CheckOptions options;
  options.bindings = {{"k", 64}};
  EXPECT_EQ(summarize("mk,kn->mn", options),
            "main_program A m 64 B 64 n -> C m n; "
            "C(m, n) +=! A(m, k) * B(k, n)");
}

TEST(CommandLine, PointsIntoWhatWasTyped) {
  EXPECT_EQ(summarize("mk,kn->mx"),
            R"(<command line>:1:9: error: output label `x` is in no operand
mk,kn->mx
        ^
)");
  EXPECT_EQ(summarize("m1,kn->mx"),
            R"(<command line>:1:2: error: unexpected `1` in an einsum string
m1,kn->mx
 ^
)");
  EXPECT_EQ(summarize("C(m) +=! A(m,k) * i"),
            "main_program A M K i -> C M; C(m) +=! A(m, k) * i");
  EXPECT_EQ(summarize("C(m) +=! A(m,k) % k"),
            R"(<command line>:1:10: error: `%` is not defined on f32
C(m) +=! A(m,k) % k
         ^~~~~~~~~~
)");
  EXPECT_EQ(summarize("C(m) = A(m) * B(m,m) + A(m,m)"),
            R"(<command line>:1:24: error: `A` has rank 1, but 2 subscripts
C(m) = A(m) * B(m,m) + A(m,m)
                       ^
<command line>:1:8: note: `A` declared here
C(m) = A(m) * B(m,m) + A(m,m)
       ^
)");
}

TEST(CommandLine, Refuses) {
  EXPECT_EQ(getOnlyMessage(checkCommandLine("# nothing")),
            "program has no def and no statement");
  EXPECT_EQ(getOnlyMessage(checkCommandLine("...i->...")),
            "what the ellipsis holds is not known: `A` has no declared shape, "
            "and no data is given");
  EXPECT_EQ(getOnlyMessage(checkCommandLine("C(i,j) = A(i)")),
            "no tensor of known shape gives index `j` a range");
}

/// numpy takes them: a copy of a scalar.
TEST(CommandLine, TakesTheEmptyString) {
  EXPECT_EQ(summarize(""), "main_program A -> B; B = A");
  EXPECT_EQ(summarize("  "), "main_program A -> B; B = A");
}

/// Without ranks letters win wherever numpy takes them.
TEST(CommandLine, ReadsWords) {
  EXPECT_EQ(summarize("ij, jk -> ik"), summarize("ij,jk->ik"));
  EXPECT_EQ(summarize("batch h w, h w out -> batch out"),
            "main_program A batch h w B h w out -> C batch out; "
            "C(batch, out) +=! A(batch, h, w) * B(h, w, out)");
  EXPECT_EQ(summarize("row_1 x -> x row_1"),
            "main_program A row_1 x -> B x row_1; B(x, row_1) = A(row_1, x)");
  // A diagonal, as no word is.
  EXPECT_EQ(summarize("i -> i i"), "main_program A i -> B i i; B(i, i) = A(i)");
}

/// The data's ranks say what an ellipsis holds, and which reading is meant.
TEST(CommandLine, AdoptsShapesOfTheData) {
  CheckOptions options;
  options.data = {{{2, 3, 4}}, {{4}}};
  Checked checked = checkCommandLine("...k,k->...", options);
  EXPECT_EQ(checked.def().tensors[0].dims.size(), 3u);
  EXPECT_EQ(checked.def().tensors[2].dims.size(), 2u);
  options.data = {{{2, 3}}};
  Checked words = checkCommandLine("ab cd -> cd ab", options);
  EXPECT_EQ(words.def().statements[0].indices[0].name, "cd");
  options.data = {{{2, 3, 4, 5}}};
  Checked letters = checkCommandLine("ab cd -> cd ab", options);
  EXPECT_EQ(letters.def().statements[0].indices[0].name, "c");
  options.data = {};
  options.namedData = {{"B", {{1, 4}}}, {"A", {{5, 1}}}};
  options.broadcastsSizeOne = true;
  Checked ones = checkCommandLine("...,...", options);
  std::string text;
  llvm::raw_string_ostream os(text);
  printStatement(os, ones.def(), ones.def().statements[0]);
  EXPECT_EQ(text, "C(e0, e1) = A(e0, 0) * B(0, e1)");
}

} // namespace
