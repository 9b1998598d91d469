//===- SignatureTest.cpp - Signatures as text -----------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "abi/Signature.h"
#include <gtest/gtest.h>
#include <random>

using namespace ein::runtime;

namespace {

const char *const roundTrips[] = {
    "f<M, N>(A: f32(M)) -> (B: f32(N)) where N == (3)*(M + 1)",
    "f<H, W, N, K>(A: f32(N, K), B: f32(H)) -> (C: f32(H, W)) "
    "where N == (H)*(W), 2*K + 1 == ((N / 2))",
    "mm<M, K, N>(A: f32(M, K), B: f32(K, N)) -> (C: f32(M, N))",
    "conv<OH, KH>(I: f64(2*OH + KH - 1, 3), W: f64(KH)) -> (O: f64(OH))",
    "f() -> ()",
    "axpy<N>(alpha: f32, X: f32(N)) -> (inout Y: f32(N))",
    "s<N>(x: f64) -> (y: f64, z: f32(-N + 3), w: f64(-2*N))",
    // Contextual keywords, and letters of other scripts, are names.
    "inout<sum>(inout: f32(sum)) -> (inout inout2: f32(sum), f32: f32)",
    "größe<ñ>(α: f32(ñ)) -> (β: f32(ñ))",
    "e<N>(A: f32(0, N)) -> (B: f32(9223372036854775807))",
    "e<N>(A: f32(-9223372036854775808*N - 9223372036854775808)) -> (B: f32)",
    "s<N>(x: f32(N)) -> (y: f32((N / 2)), z: f32(N - 2*(N / 2)))",
    "s<N, K>(x: f32(N, K)) -> (y: f32(((N - K) / 3) + 1), "
    "z: f32(((N + ((K + 1) / 2)) / 2)))",
    "s<N, M>(x: f32(N), y: f32(M)) -> (z: f32(min(N - 1, M - 2)), "
    "w: f32(N - 2*min(N, (M / 2), 7) + 1))",
    "s<min, M>(x: f32(min), y: f32(M)) -> "
    "(z: f32(((min(min, M) + 1) / 2) + min(M, min(min, 3))))",
};

const char *const malformed[] = {
    "",
    "mm",
    "mm()",
    "mm() -> (",
    "mm() -> () ",
    " mm() -> ()",
    "mm() ->()",
    "1m() -> ()",
    "mm<>() -> ()",
    "mm<M, M>(A: f32(M)) -> ()",
    "mm<M>(A: f32(M), A: f32(M)) -> ()",
    "mm<M>(A: f32(K)) -> ()",
    "mm<M>(A: f17(M)) -> ()",
    "mm<M>(A: f32()) -> ()",
    "mm<M>(A: f32(M,M)) -> ()",
    "mm<M>(A: f32(M + M)) -> ()",
    "mm<M>(A: f32(0*M)) -> ()",
    "mm<M>(A: f32(1*M)) -> ()",
    "mm<M>(A: f32(01*M)) -> ()",
    "mm<M>(A: f32(M + 0)) -> ()",
    "mm<M>(A: f32(3 + M)) -> ()",
    "mm<M>(A: f32(M + 1 + 1)) -> ()",
    "mm<M>(A: f32(M + -1)) -> ()",
    "mm<M>(A: f32(--M)) -> ()",
    "mm<M>(A: f32(9223372036854775808)) -> ()",
    "mm<M>(A: f32(99999999999999999999*M)) -> ()",
    "mm<M>(inout A: f32(M)) -> ()",
    "mm<M>(A: f32(M)) -> (B: f32(M)",
    "mm<M>(A: f32(M)) -> (B f32(M))",
    "mm<M>(A: f32(M)) -> (B: f32(M)))",
    "mm<M>(A:f32(M)) -> (B: f32(M))",
    "f<M, N>(A: f32(M)) -> (B: f32(N)) where N == M",
    "f<M, N>(A: f32(M)) -> (B: f32(N)) where N == (M)(M)",
    "f<M, N>(A: f32(M)) -> (B: f32(N)) where N == (K)",
    "f<M, N>(A: f32(M)) -> (B: f32(N)) where ",
    "mm<M>(A: f32(M / 2)) -> ()",
    "mm<M>(A: f32((M / 0))) -> ()",
    "mm<M>(A: f32((M / -2))) -> ()",
    "mm<M>(A: f32((M / 2)) -> ()",
    "mm<M>(A: f32(((M) / 2))) -> ()",
    "mm<M>(A: f32((2*M / 2))) -> ()",
    "mm<M>(A: f32((M / 9223372036854775808))) -> ()",
    "mm<M>(A: f32(min(M))) -> ()",
    "mm<M>(A: f32(min(M, 2)) -> ()",
    "mm<M>(A: f32(min(M,2))) -> ()",
    "mm<M>(A: f32(min(M, K))) -> ()",
    "mm<M>(A: f32(min(, M))) -> ()",
    "mm<M>(A: f32(0*min(M, 2))) -> ()",
    "mm<M>(A: f32(max(M, 2))) -> ()",
    "mm<M\n>(A: f32(M)) -> (B: f32(M))",
};

TEST(Signature, RoundTrips) {
  for (const char *text : roundTrips) {
    Signature signature;
    EXPECT_TRUE(parse(text, signature)) << text;
    EXPECT_EQ(print(signature), text);
  }
}

TEST(Signature, RefusesWhatPrintCannotHaveWritten) {
  for (const char *text : malformed) {
    Signature signature;
    EXPECT_FALSE(parse(text, signature)) << text;
  }
}

TEST(Signature, SurvivesMutations) {
  std::mt19937 random(1);
  const std::string alphabet = "<>(),:*/+- MKfA0123inout\n\xff";
  for (const char *original : roundTrips)
    for (int round = 0; round < 2000; ++round) {
      std::string text = original;
      for (unsigned i = 0, n = 1 + random() % 3; i < n && !text.empty(); ++i) {
        size_t at = random() % text.size();
        switch (random() % 3) {
        case 0:
          text[at] = alphabet[random() % alphabet.size()];
          break;
        case 1:
          text.erase(at, 1 + random() % 4);
          break;
        case 2:
          text.insert(at, 1, alphabet[random() % alphabet.size()]);
          break;
        }
      }
      Signature signature;
      if (parse(text, signature)) {
        EXPECT_EQ(print(signature), text);
      }
    }
}

TEST(Signature, ReadsRolesTypesAndDims) {
  Signature signature;
  ASSERT_TRUE(parse("f<N, K>(a: f64, X: f32(2*N - K + 7)) -> (inout Y: f64(K))",
                    signature));
  EXPECT_EQ(signature.name, "f");
  EXPECT_EQ(signature.symbols, (std::vector<std::string>{"N", "K"}));
  ASSERT_EQ(signature.arguments.size(), 3u);
  EXPECT_TRUE(signature.arguments[0].isScalarInput());
  EXPECT_EQ(signature.arguments[0].type, DType::F64);
  EXPECT_EQ(signature.arguments[1].dims[0].evaluate({10, 3}), 24);
  EXPECT_EQ(signature.arguments[2].role, Role::InOut);
  EXPECT_TRUE(signature.arguments[2].isRead());
  EXPECT_TRUE(signature.arguments[2].isResult());
}

TEST(Signature, TakesTheLeast) {
  Signature signature;
  ASSERT_TRUE(parse("f<N, M>(A: f32(N), B: f32(M)) -> "
                    "(C: f32(2*min(N - 1, (M / 2)) + 1))",
                    signature));
  const Dim &dim = signature.arguments[2].dims[0];
  EXPECT_FALSE(dim.isLone());
  EXPECT_FALSE(dim.isConstant());
  EXPECT_EQ(dim.evaluate({5, 30}), 9);
  EXPECT_EQ(dim.evaluate({50, 7}), 7);
  EXPECT_EQ(dim.evaluate({0, 7}), -1);
  int64_t value;
  EXPECT_FALSE(dim.evaluate({INT64_MIN, 7}, value));
  EXPECT_EQ(dim.evaluate({INT64_MIN, 7}), INT64_MIN);
}

// Each level calls the next: a long text must not use up the stack.
TEST(Signature, RefusesDeepMinima) {
  std::string text = "f<N>(A: f32(";
  for (int i = 0; i < 100000; ++i)
    text += "min(";
  Signature signature;
  EXPECT_FALSE(parse(text + "N", signature));
}

TEST(Signature, DimsThatOverflowSaturate) {
  Dim dim{1, {{0, INT64_MAX}, {1, 1}}, {}, {}};
  int64_t value;
  EXPECT_TRUE(dim.evaluate({0, 5}, value));
  EXPECT_EQ(value, 6);
  EXPECT_FALSE(dim.evaluate({1, 5}, value));
  EXPECT_EQ(dim.evaluate({2, 0}), INT64_MAX);
  EXPECT_EQ(dim.evaluate({-2, 0}), INT64_MIN);
}

} // namespace
