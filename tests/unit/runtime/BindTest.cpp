//===- BindTest.cpp - Finding the sizes -----------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Bind.h"
#include "TestSupport.h"

using namespace ein::runtime;

namespace {

/// Binds arrays of the given shapes (f32) and returns the sizes as text, or
/// the error.
struct Given {
  Shape shape;
  DType type = DType::F32;
};

std::string bind(const char *text, std::vector<std::optional<Given>> given,
                 const Bindings &bindings = {}, BindFault *fault = nullptr) {
  Signature signature;
  EXPECT_TRUE(parse(text, signature)) << text;
  std::vector<Array> arrays(signature.arguments.size());
  std::vector<const Array *> pointers(arrays.size(), nullptr);
  for (size_t i = 0; i < given.size(); ++i)
    if (given[i]) {
      arrays[i].type = given[i]->type;
      arrays[i].shape = given[i]->shape;
      pointers[i] = &arrays[i];
    }
  std::vector<int64_t> sizes;
  std::string error;
  if (!bindSizes(signature, pointers, bindings, sizes, error, fault))
    return error;
  std::string result;
  for (size_t i = 0; i < sizes.size(); ++i)
    result +=
        (i ? " " : "") + signature.symbols[i] + "=" + std::to_string(sizes[i]);
  return result;
}

const char *const mm =
    "mm<M, K, N>(A: f32(M, K), B: f32(K, N)) -> (C: f32(M, N))";
const char *const conv =
    "conv<OH, KH>(I: f32(2*OH + KH - 1), W: f32(KH)) -> (O: f32(OH))";

TEST(Bind, LoneSymbols) {
  EXPECT_EQ(bind(mm, {Given{{2, 3}}, Given{{3, 4}}}), "M=2 K=3 N=4");
  EXPECT_EQ(bind(mm, {Given{{0, 1}}, Given{{1, 0}}}), "M=0 K=1 N=0");
  EXPECT_EQ(bind(mm, {}, {{"M", 5}, {"K", 0}, {"N", 1}}), "M=5 K=0 N=1");
  EXPECT_EQ(bind("f(x: f32) -> (y: f32)", {Given{{}}}), "");
}

TEST(Bind, ProductsGiveWhatIsLeft) {
  const char *flat =
      "f<H, W, N>(A: f32(H, W)) -> (B: f32(N)) where N == (H)*(W)";
  EXPECT_EQ(bind(flat, {Given{{3, 4}}}), "H=3 W=4 N=12");
  EXPECT_EQ(bind(flat, {Given{{0, 4}}}), "H=0 W=4 N=0");
  const char *split = "f<N, H, W>(A: f32(N), B: f32(H)) -> (C: f32(H, W)) "
                      "where N == (H)*(W)";
  EXPECT_EQ(bind(split, {Given{{12}}, Given{{3}}}), "N=12 H=3 W=4");
  EXPECT_EQ(bind(split, {}, {{"H", 3}, {"W", 5}}), "N=15 H=3 W=5");
  EXPECT_EQ(bind(split, {Given{{10}}, Given{{3}}}),
            "no size `W` makes `N` equal to `(H)*(W)`, where `N` = 10 (from "
            "`A`), `H` = 3 (from `B`)");
  EXPECT_EQ(bind(split, {Given{{0}}, Given{{0}}}),
            "no argument gives the size `W`; say `--bind W=…`");
  EXPECT_EQ(bind(split, {Given{{0}}, Given{{0}}}, {{"W", 7}}), "N=0 H=0 W=7");
  EXPECT_EQ(bind("f<B, N>(A: f32(B)) -> (C: f32(2*N + 1)) "
                 "where 2*N + 1 == (3)*(B)",
                 {Given{{3}}}),
            "B=3 N=4");
}

TEST(Bind, NoSizeFollowsFromTheLeast) {
  const char *least = "f<N, M>(A: f32(N), B: f32(min(N, 2*M))) -> "
                      "(C: f32(min(N - 1, M - 2)))";
  EXPECT_EQ(bind(least, {Given{{9}}, Given{{6}}}),
            "no argument gives the size `M`; say `--bind M=…`");
  EXPECT_EQ(bind(least, {Given{{9}}, Given{{6}}}, {{"M", 3}}), "N=9 M=3");
  EXPECT_EQ(bind(least, {Given{{9}}, Given{{6}}}, {{"M", 4}}),
            "`B` has shape 6, and dimension 0 must be `min(N, 2*M)` = 8, where "
            "`N` = 9 (from `A`), `M` = 4 (from `--bind`)");
  EXPECT_EQ(bind(least, {Given{{2}}, Given{{2}}}, {{"M", 1}}),
            "dimension 0 of `C`, `min(N - 1, M - 2)`, would be negative: -1");
  EXPECT_EQ(bind("f<N, M, K>(A: f32(N), B: f32(K)) -> (C: f32(M)) "
                 "where K == (2)*(min(N, M))",
                 {Given{{9}}, Given{{6}}}),
            "no argument gives the size `M`; say `--bind M=…`");
}

TEST(Bind, DisagreementNamesBothSides) {
  EXPECT_EQ(bind(mm, {Given{{2, 3}}, Given{{4, 5}}}),
            "`B` has shape 4x5, and dimension 0 must be `K` = 3 (from `A`)");
  EXPECT_EQ(bind(mm, {Given{{2, 3}}, Given{{3, 5}}}, {{"M", 7}}),
            "`A` has shape 2x3, and dimension 0 must be `M` = 7 (from "
            "`--bind`)");
  EXPECT_EQ(bind("f<N>(A: f32(N, N)) -> (y: f32)", {Given{{4, 5}}}),
            "`A` has shape 4x5, and dimension 1 must be `N` = 4 (from `A`)");
  EXPECT_EQ(bind("f(A: f32(3)) -> (y: f32)", {Given{{4}}}),
            "`A` has shape 4, and dimension 0 must be 3");
}

TEST(Bind, TypesAndRanks) {
  EXPECT_EQ(bind(mm, {Given{{2, 3}, DType::F64}, Given{{3, 4}}}),
            "`A` is f64, and f32 is wanted; convert it "
            "(`A.astype('f4')`), or compile the program for f64");
  EXPECT_EQ(bind(mm, {Given{{2, 3, 4}}, Given{{3, 4}}}),
            "`A` has 3 dimensions (2x3x4), and 2 dimensions (f32(M, K)) are "
            "wanted");
  EXPECT_EQ(bind("f(x: f32) -> (y: f32)", {Given{{1}}}),
            "`x` has 1 dimension (1), and no dimensions are wanted");
  EXPECT_EQ(bind("f<N>(x: f32(N)) -> (y: f32)", {Given{{}}}),
            "`x` has no dimensions, and 1 dimension (f32(N)) is wanted");
}

TEST(Bind, CompoundDimsTakeTheLargestThatFits) {
  EXPECT_EQ(bind(conv, {Given{{8}}, Given{{3}}}), "OH=3 KH=3");
  // An extent of 9 also makes OH = 3, but rows of 9 are not rows of 8.
  EXPECT_EQ(bind(conv, {Given{{9}}, Given{{3}}}),
            "`I` has shape 9, and dimension 0 must be `2*OH + KH - 1` = 8, "
            "where `OH` = 3 (from `I`), `KH` = 3 (from `W`)");
  EXPECT_EQ(bind(conv, {Given{{1}}, Given{{3}}}),
            "`I` has shape 1, and dimension 0, `2*OH + KH - 1`, leaves no size "
            "for `OH` where `KH` = 3 (from `W`)");
  // It never constrains a symbol that something else gives.
  EXPECT_EQ(bind(conv, {Given{{8}}, Given{{3}}}, {{"OH", 2}}),
            "`I` has shape 8, and dimension 0 must be `2*OH + KH - 1` = 6, "
            "where `OH` = 2 (from `--bind`), `KH` = 3 (from `W`)");
}

TEST(Bind, CompoundDimsIterateToAFixpoint) {
  // C is found from the last argument, then B, then A.
  EXPECT_EQ(bind("f<A, B, C>(X: f32(A + B), Y: f32(B + C), Z: f32(3*C)) -> "
                 "(W: f32(A))",
                 {Given{{30}}, Given{{12}}, Given{{6}}}),
            "A=20 B=10 C=2");
  EXPECT_EQ(bind("f<A, B>(X: f32(A + B), Y: f32(A + B)) -> (W: f32(A))",
                 {Given{{3}}, Given{{3}}}),
            "no argument gives the sizes `A, B`; say `--bind A=…,B=…`");
  // A negative coefficient gives nothing.
  EXPECT_EQ(bind("f<A>(X: f32(-A + 9)) -> (W: f32(A))", {Given{{3}}}),
            "no argument gives the size `A`; say `--bind A=…`");
  EXPECT_EQ(
      bind("f<A>(X: f32(-A + 9)) -> (W: f32(A))", {Given{{3}}}, {{"A", 6}}),
      "A=6");
}

TEST(Bind, Bindings) {
  BindFault fault;
  EXPECT_EQ(bind(mm, {}, {{"Q", 5}}, &fault),
            "`Q` is not a size of `mm`; its sizes are `M`, `K`, `N`");
  EXPECT_EQ(fault, BindFault::Bindings);
  EXPECT_EQ(bind("f(x: f32) -> (y: f32)", {}, {{"Q", 5}}),
            "`Q` is not a size of `f`; it has none");
  EXPECT_EQ(bind(mm, {}, {{"M", -1}}), "the size `M` is negative: -1");
  EXPECT_EQ(bind(mm, {}, {{"M", 1}, {"M", 2}}),
            "the size `M` is bound to both 1 and 2");
  EXPECT_EQ(bind(mm, {}, {{"M", 1}, {"M", 1}, {"K", 1}, {"N", 1}}),
            "M=1 K=1 N=1");
  EXPECT_EQ(bind(mm, {Given{{2, 3}}}, {}, &fault),
            "no argument gives the size `N`; say `--bind N=…`");
  EXPECT_EQ(fault, BindFault::Bindings);
  bind(mm, {Given{{2, 3}}, Given{{4, 5}}}, {}, &fault);
  EXPECT_EQ(fault, BindFault::Arrays);
}

TEST(Bind, OutputsOfImpossibleSizes) {
  EXPECT_EQ(bind("f<N>(X: f32(N)) -> (Y: f32(N - 3))", {Given{{2}}}),
            "dimension 0 of `Y`, `N - 3`, would be negative: -1");
  EXPECT_EQ(bind("f<N>(X: f32(N)) -> (Y: f32(N - 3))", {Given{{3}}}), "N=3");
  BindFault fault;
  EXPECT_EQ(
      bind(mm, {}, {{"M", int64_t(1) << 40}, {"K", 1 << 30}, {"N", 1}}, &fault),
      "the size of `A`, 1099511627776x1073741824, overflows");
  EXPECT_EQ(fault, BindFault::Bindings);
  // Also where another extent is zero: strides are products of a part.
  EXPECT_EQ(
      bind("f<N>(X: f32(N, N, 0)) -> (Y: f32)", {}, {{"N", int64_t(1) << 40}}),
      "the size of `X`, 1099511627776x1099511627776x0, overflows");
  EXPECT_EQ(bind("f<N>(X: f32(N)) -> (Y: f32(9223372036854775807*N))", {},
                 {{"N", 2}}),
            "dimension 0 of `Y`, `9223372036854775807*N`, overflows");
}

TEST(Bind, ParsesBindings) {
  Bindings bindings;
  std::string error;
  EXPECT_TRUE(parseBindings("M=64,K=-3", bindings, error));
  EXPECT_TRUE(parseBindings("N=0", bindings, error));
  EXPECT_EQ(bindings, (Bindings{{"M", 64}, {"K", -3}, {"N", 0}}));
  for (const char *text : {"", "M", "M=", "=3", "M=3,", ",M=3", "M=3x", "M= 3",
                           "M=99999999999999999999", "M=3,,K=2"}) {
    EXPECT_FALSE(parseBindings(text, bindings, error)) << text;
    EXPECT_NE(error.find("expected NAME=INTEGER"), std::string::npos);
  }
}

} // namespace
