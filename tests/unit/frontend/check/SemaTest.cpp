//===- SemaTest.cpp - A tree to a checked program -------------------------===//
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

TEST(Sema, ReadsBothParameterOrders) {
  EXPECT_EQ(Checked("def f(A: f32(M, K), float(K) x, double alpha, "
                    "b: float64) -> (C, inout f64(M) D) {\n"
                    "  C(m) +=! A(m, k) * x(k)\n"
                    "  D(m) *= alpha * b * C(m)\n"
                    "}")
                .print(),
            R"(def f
  size M
  size K
  input A: f32(M, K)
  input x: f32(K)
  input alpha: f64
  input b: f64
  output C: f32(M)
  inout D: f64(M)
  C(m) +=! A(m, k) * x(k)
    in f32, m < M, k < K reduced
  D(m) *= alpha * b * C(m)
    in f64, m < M
)");
}

TEST(Sema, ReadsEveryUpdate) {
  Checked checked("def f(A: f32(N)) -> (s: f32) {\n"
                  "  s = 0; s +=! A(i); s += A(i); s *=! A(i); s *= A(i)\n"
                  "  s max=! A(i); s max= A(i); s min=! A(i); s min= A(i)\n"
                  "}");
  std::vector<std::pair<UpdateKind, bool>> updates;
  for (const Statement &statement : checked.def().statements)
    updates.push_back({statement.update, statement.fromIdentity});
  EXPECT_EQ(updates, (std::vector<std::pair<UpdateKind, bool>>{
                         {UpdateKind::Assign, false},
                         {UpdateKind::Add, true},
                         {UpdateKind::Add, false},
                         {UpdateKind::Mul, true},
                         {UpdateKind::Mul, false},
                         {UpdateKind::Max, true},
                         {UpdateKind::Max, false},
                         {UpdateKind::Min, true},
                         {UpdateKind::Min, false}}));
}

TEST(Sema, SumsProductsUnderAssign) {
  EXPECT_EQ(Checked("def f(A: f32(M, K), a: f32) -> (C: f32(M)) {\n"
                    "  C(m) = 2 * (A(m, k) * a)\n"
                    "  C(m) = A(m, k)\n"
                    "}")
                .print(),
            R"(def f
  size M
  size K
  input A: f32(M, K)
  input a: f32
  output C: f32(M)
  C(m) +=! 2 * (A(m, k) * a)
    in f32, m < M, k < K reduced
  C(m) +=! A(m, k)
    in f32, m < M, k < K reduced
)");
}

TEST(Sema, OrdersIndicesByTheText) {
  // Left side first, then reductions as they come.
  EXPECT_EQ(Checked("def f(A: f32(P, Q, R), B: f32(S, R)) -> (C) {\n"
                    "  C(r, p) +=! B(s, r) * A(p, q, r)\n"
                    "}")
                .print(),
            R"(def f
  size P
  size Q
  size R
  size S
  input A: f32(P, Q, R)
  input B: f32(S, R)
  output C: f32(R, P)
  C(r, p) +=! B(s, r) * A(p, q, r)
    in f32, r < R, p < P, s < S reduced, q < Q reduced
)");
}

TEST(Sema, InfersTypesOfTemporaries) {
  Checked checked("def f(A: f32(N), B: f64(N)) -> (C: f64(N)) {\n"
                  "  a(i) = A(i) + 1\n"
                  "  b(i) = a(i) + B(i)\n"
                  "  c(i) = A(i) * 1.0f64\n"
                  "  let d: f64(N)(i) = A(i)\n"
                  "  C(i) = a(i) + b(i) + c(i) + d(i)\n"
                  "}");
  const Def &def = checked.def();
  std::string types;
  for (const Tensor &tensor : def.tensors)
    types += getSpelling(tensor.type).str() + " ";
  EXPECT_EQ(types, "f32 f64 f64 f32 f64 f64 f64 ");
  for (const Statement &statement : def.statements)
    EXPECT_EQ(statement.computeType, def[statement.target].type);
}

TEST(Sema, RoundsLiteralsOnceToTheComputeType) {
  Checked checked("def f(A: f32) -> (b: f32, c: f64, d: f64) {\n"
                  "  b = 0.1 c = 0.1 d = 0.1f32 + 16777217\n"
                  "}");
  const Def &def = checked.def();
  std::vector<double> literals;
  for (const Expr &expr : def.exprs)
    if (expr.kind == ExprKind::Literal)
      literals.push_back(expr.literal);
  EXPECT_EQ(literals, (std::vector<double>{0.1f, 0.1, 0.1f, 16777217.0}));
  // 1 + 2^-24 + 2^-60: nearest float is 1 + 2^-23, but rounding to double
  // first makes a tie that goes to 1.
  Checked twice("def f() -> (b: f32) {"
                " b = 1.000000059604644775390626 }");
  EXPECT_EQ(twice.def().exprs[0].literal, 1.00000011920928955078125);
}

TEST(Sema, LaysOutExpressionsInPostOrder) {
  Checked checked("def f(A: f32(N), s: f32) -> (C: f32(N)) {\n"
                  "  C(i) = -exp(A(i)) / max(s, 2) - A(N - 1 - i)\n"
                  "}");
  const Def &def = checked.def();
  for (size_t i = 0; i != def.exprs.size(); ++i) {
    const Expr &expr = def.exprs[i];
    // Ids that are none are -1.
    EXPECT_LT(expr.lhs.value, static_cast<int>(i));
    EXPECT_LT(expr.rhs.value, static_cast<int>(i));
  }
  EXPECT_EQ(size_t(def.statements[0].value.value), def.exprs.size() - 1);
}

TEST(Sema, FindsProductFactors) {
  Checked checked("def f(A: f32(M, K), B: f32(K, N)) -> (C, D, E, F) {\n"
                  "  C(m, n) +=! A(m, k) * B(k, n)\n"
                  "  D(m, n) = A(m, k) * B(k, n) * A(m, n)\n"
                  "  E(m) max=! A(m, k)\n"
                  "  F(m) +=! 2 * A(m, k)\n"
                  "}");
  const Def &def = checked.def();
  EXPECT_EQ(def.getProductFactors(def.statements[0])->size(), 2u);
  EXPECT_EQ(def.getProductFactors(def.statements[1])->size(), 3u);
  EXPECT_FALSE(def.getProductFactors(def.statements[2]));
  EXPECT_FALSE(def.getProductFactors(def.statements[3]));
}

TEST(Sema, ContinuesOutputsAsInOut) {
  Checked checked("def f(A: f32(M, K)) -> (C: f32(M), D) {\n"
                  "  C(m) += A(m, k)\n"
                  "  D(m) = A(m, 0)\n"
                  "  D(m) += A(m, k)\n"
                  "}");
  const Def &def = checked.def();
  EXPECT_EQ(def[def.results[0]].role, TensorRole::InOut);
  EXPECT_EQ(def[def.results[1]].role, TensorRole::Output);
  EXPECT_EQ(getOnlyMessage(checked),
            "`+=` continues from what the caller puts into `C`, which becomes "
            "`inout`");
}

TEST(Sema, LetsATargetBeReadAgain) {
  // What is read is what was there before the statement.
  Checked checked("def f(A: f32(N)) -> (B: f32(N)) {\n"
                  "  B(i) = A(i)\n"
                  "  B(i) = B(N - 1 - i) * 2\n"
                  "}");
  EXPECT_EQ(checked.def().statements.size(), 2u);
}

TEST(Sema, ExpandsEinsum) {
  const char *signature = "def f(A: f32(M, K), B: f32(K, N), s: f32, "
                          "T: f32(P, M, K)) -> (C) { C = einsum(";
  auto expand = [&](const std::string &arguments) {
    Checked checked(signature + arguments + ") }");
    std::string text;
    llvm::raw_string_ostream os(text);
    if (failed(checked.program))
      return checked.diagnostics();
    printStatement(os, checked.def(), checked.def().statements[0]);
    return text;
  };
  EXPECT_EQ(expand("\"mk,kn\", A, B"), "C(m, n) +=! A(m, k) * B(k, n)");
  EXPECT_EQ(expand("\"nk,mn->mk\", B, A"), "C(m, k) +=! B(n, k) * A(m, n)");
  EXPECT_EQ(expand("\"mk->km\", A"), "C(k, m) = A(m, k)");
  EXPECT_EQ(expand("\",mk,->m\", s, A, s"), "C(m) +=! s * A(m, k) * s");
  EXPECT_EQ(expand("\"->\", s"), "C = s");
  // Sizes called M and K do not turn labels of that name into sizes.
  EXPECT_EQ(expand("\"MK->KM\", A"), "C(K, M) = A(M, K)");
  EXPECT_EQ(expand("\"...,...\", A, T"),
            "C(e0, e1, e2) = A(e1, e2) * T(e0, e1, e2)");
  EXPECT_EQ(expand("\"...k->k...\", T"), "C(k, e0, e1) = T(e0, e1, k)");
  EXPECT_EQ(expand("\"mk...->mk\", A"), "C(m, k) = A(m, k)");
  EXPECT_EQ(expand("\"...,...mk->m...\", s, T"),
            "C(m, e0) +=! s * T(e0, m, k)");
  EXPECT_EQ(expand("A, [5, 4], B, [4, 300]"),
            "C(i5, i300) +=! A(i5, i4) * B(i4, i300)");
  EXPECT_EQ(expand("T, [..., 1], [1, ...]"), "C(i1, e0, e1) = T(e0, e1, i1)");
  EXPECT_EQ(expand("\"e0 e1, ... -> ... e0 e1\", A, T"),
            "C(e_0, e_1, e_2, e0, e1) = A(e0, e1) * T(e_0, e_1, e_2)");
}

/// Sizes have to be known where labels share a dim.
TEST(Sema, SplitsDimsByLabels) {
  auto expand = [&](const std::string &signature, const std::string &text) {
    Checked checked("def f(" + signature + ") -> (C) { C = einsum(" + text +
                    ") }");
    std::string printed;
    llvm::raw_string_ostream os(printed);
    if (failed(checked.program))
      return checked.diagnostics();
    for (const Statement &statement : checked.def().statements) {
      printStatement(os, checked.def(), statement);
      os << "\n";
    }
    return printed;
  };
  EXPECT_EQ(expand("A: f32(12, N), B: f32(3)", "\"(h w)c,h->whc\", A, B"),
            "A_split(h, w, c) = reshape(A)\n"
            "C(w, h, c) = A_split(h, w, c) * B(h)\n");
  EXPECT_EQ(expand("A: f32(12), B: f32(4, 3)", "\"(h w),wh->(w h)\", A, B"),
            "A_split(h, w) = reshape(A)\n"
            "C_parts(w, h) = A_split(h, w) * B(w, h)\n"
            "C(w_h) = reshape(C_parts)\n");
}

/// What goes with any size under numpy's rules.
TEST(Sema, StretchesDimsOfSizeOne) {
  CheckOptions options;
  options.broadcastsSizeOne = true;
  auto expand = [&](const std::string &signature, const std::string &text) {
    Checked checked("def f(" + signature + ") -> (C) { C = einsum(" + text +
                        ") }",
                    options);
    std::string printed;
    llvm::raw_string_ostream os(printed);
    if (failed(checked.program))
      return getOnlyMessage(checked);
    printStatement(os, checked.def(), checked.def().statements[0]);
    return printed;
  };
  EXPECT_EQ(expand("A: f32(4, 1), B: f32(1, 5)", "\"ij,ij->ij\", A, B"),
            "C(i, j) = A(i, 0) * B(0, j)");
  EXPECT_EQ(expand("A: f32(1, 1), B: f32(N)", "\"ii,i->i\", A, B"),
            "C(i) = A(0, 0) * B(i)");
  EXPECT_EQ(expand("A: f32(1), B: f32(1)", "\"i,i->i\", A, B"),
            "C(i) = A(i) * B(i)");
  EXPECT_EQ(expand("A: f32(4, 1), B: f32(3, 1, 5)", "\"...,...\", A, B"),
            "C(e0, e1, e2) = A(e1, 0) * B(e0, 0, e2)");
  EXPECT_EQ(expand("A: f32(1, 5)", "\"ii->i\", A"),
            "index `i` has extent 1 in `A` and 5 in `A`");
}

/// The rest is zero; what is written there is computed by itself.
TEST(Sema, WritesDiagonals) {
  EXPECT_EQ(Checked("def f(A: f32(M, K), v: f32(M)) -> (C, D: f32(N, N)) {\n"
                    "  C = einsum(\"mk->mm\", A)\n"
                    "  D(i, i) = v(i)\n"
                    "}")
                .print(),
            R"(def f
  size M
  size K
  size N
  input A: f32(M, K)
  input v: f32(M)
  output C: f32(M, M)
  output D: f32(N, N)
  temporary C_diagonal: f32(M)
  C_diagonal(m) +=! A(m, k)
    in f32, m < M, k < K reduced
  C(m, m) = C_diagonal(m)
    in f32, m < M
  D(i, i) = v(i)
    in f32, i < N
  check equal -M + N == 0  # extent of `i`: `N` of `D` and `M` of `v`
)");
  // One accumulator for both statements.
  Checked checked("def f(A: f16(M, K)) -> (C: f16(M, M)) {\n"
                  "  C(m, m) max= A(m, k) acc = f64\n"
                  "}");
  const Def &def = checked.def();
  EXPECT_EQ(def.statements[0].computeType, ElementType::F64);
  EXPECT_TRUE(def.statements[0].fromIdentity);
  EXPECT_FALSE(def.statements[1].fromIdentity);
  EXPECT_EQ(def.statements[1].computeType, ElementType::F64);
  EXPECT_EQ(def.tensors[2].type, ElementType::F64);
}

/// What parentheses say is kept beside the product.
TEST(Sema, KeepsGroupsOfFactors) {
  Checked checked("def f(A: f32(I, J), B: f32(J, K), C: f32(K, L)) -> (D) {\n"
                  "  D = einsum(\"ij,(jk,kl)->il\", A, B, C)\n"
                  "}");
  std::vector<std::vector<unsigned>> groups = {{1, 2}};
  EXPECT_EQ(checked.def().statements[0].groups, groups);
  std::string text;
  llvm::raw_string_ostream os(text);
  printSource(os, *checked.program);
  EXPECT_NE(text.find("einsum(\"ij,(jk,kl)->il\", A, B, C)"), std::string::npos)
      << text;
}

TEST(Sema, FoldsBoundSizes) {
  CheckOptions options;
  options.bindings = {{"M", 128}, {"S", 2}};
  EXPECT_EQ(Checked("def f(A: f32(M, S*N + 1)) -> (C: f32(M, N)) {\n"
                    "  C(m, n) = A(m, S*n + 1)\n"
                    "}",
                    options)
                .print(),
            R"(def f
  size M = 128
  size S = 2
  size N
  input A: f32(128, 2*N + 1)
  output C: f32(128, N)
  C(m, n) = A(m, 2*n + 1)
    in f32, m < 128, n < N
)");
}

TEST(Sema, ChecksDefsApart) {
  Checked checked("def f(A: f32(M)) -> (B: f32(M)) { B(m) = A(m) }\n"
                  "def g(A: f64(M)) -> (B: f64(M)) { B(m) = A(m) }\n");
  ASSERT_TRUE(llvm::succeeded(checked.program));
  EXPECT_EQ(checked.program->defs.size(), 2u);
  EXPECT_EQ(checked.program->find("f")->tensors[0].type, ElementType::F32);
  EXPECT_EQ(checked.program->find("")->name, "g");
}

TEST(Sema, DoesNotReportAMistakeTwice) {
  Checked checked("def f(A: f32(M)) -> (B: f32(M), C) {\n"
                  "  t(m) = A(m) * x\n"
                  "  u(m) = exp(t(m))\n"
                  "  C(m) = u(m)\n"
                  "  B(m) = C(m)\n"
                  "}");
  EXPECT_EQ(getOnlyMessage(checked), "unknown name `x`");
}

TEST(Sema, CountsDigitsBeforeItRounds) {
  EXPECT_EQ(Checked("x = 1" + std::string(100000, '0')).diags.getNumErrors(),
            1u);
  EXPECT_TRUE(
      llvm::succeeded(Checked("x = 0.1" + std::string(900, '0')).program));
}

} // namespace
