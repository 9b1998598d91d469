//===- ChainBoundTest.cpp - What has to move in a program -----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "distribute/ChainBound.h"
#include "bench/scaling/Cases.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace ein::distribute;
namespace bench = ein::bench;

namespace {

double sumBounds(const Program &program, int64_t ranks) {
  double bytes = 0;
  for (const ProgramStatement &statement : program.statements)
    bytes +=
        getLowerBound(makeContraction(program, statement), ranks).getBytes();
  return bytes;
}

// No box of a P-th of the tensor has fewer directions than the formula says,
// and one has about as many.
TEST(ChainBound, Boxes) {
  std::vector<int64_t> extents = {12, 8, 10}, matrixRanks = {3, 8, 2};
  for (int64_t ranks : {2, 3, 4, 8, 12, 60}) {
    double own = 12. * 8 * 10 / double(ranks), least = 1e9;
    for (int64_t a = 1; a <= 12; ++a)
      for (int64_t b = 1; b <= 8; ++b) {
        double c = own / double(a * b); // of the third dim, in fractions
        if (c >= 1 && c <= 10)
          least = std::min(
              least, double(std::min<int64_t>(a, 3) * std::min<int64_t>(b, 8)) *
                         std::min(c, 2.));
      }
    double sent = countSentElements(extents, matrixRanks, 0, ranks);
    EXPECT_LE(sent, least + 1e-9) << ranks;
    EXPECT_GE(sent, 0.6 * least) << ranks;
  }
}

// A number with many factors has more grids that cost the same than the search
// keeps: the next statement says which of them is good. 1.44 and 1.49 without.
TEST(ChainBound, ManyFactors) {
  for (unsigned count : {2u, 3u}) {
    Program program = bench::makeTtmChain(1024, 64, count);
    std::optional<ProgramPlan> plan = planProgram(program, 360, 0, Network());
    ASSERT_TRUE(plan);
    EXPECT_LE(double(plan->bytesMoved), 1.3 * getLowerBound(program, 360))
        << count;
  }
}

// With 16 ranks, a 16th of 1,024^3 changes all of the 64^3 elements of the
// result, of which a rank has a 16th; and each rank needs two of the matrices.
TEST(ChainBound, AllDims) {
  Program program = bench::makeTtmChain(1024, 64, 3);
  double result = 64. * 64 * 64 * 8 * 15 / 16,
         matrix = 1024. * 64 * 8 * 15 / 16;
  EXPECT_EQ(
      countSentElements({1024, 1024, 1024}, {64, 64, 64}, 64 * 64 * 64, 16),
      64 * 64 * 64 * 15 / 16);
  double bound = getLowerBound(program, 16);
  EXPECT_LE(bound, result + 2 * matrix);
  EXPECT_GE(bound, 0.94 * (result + 2 * matrix));
  EXPECT_GT(bound, 2 * sumBounds(program, 16));
}

// A dim that is left alone can be cut without any of that.
TEST(ChainBound, NotOfAllDims) {
  Program program = bench::makeTtmChain(1024, 64, 2);
  EXPECT_EQ(getLowerBound(program, 16), sumBounds(program, 16));
  EXPECT_EQ(getLowerBound(program, 1), 0);
  Program product = bench::makeProduct(512, 512, 512);
  EXPECT_EQ(getLowerBound(product, 8), sumBounds(product, 8));
}

// Many ranks make boxes so small that a product of the first dims moves less.
TEST(ChainBound, IsBelowWhatIsPlanned) {
  for (int64_t extent : {64, 256, 1024})
    for (int64_t ranks = 2; ranks <= 256; ranks *= 2) {
      Program program = bench::makeTtmChain(extent, 16, 3);
      std::optional<ProgramPlan> plan =
          planProgram(program, ranks, 0, Network());
      ASSERT_TRUE(plan);
      EXPECT_LE(getLowerBound(program, ranks), double(plan->bytesMoved) + 1)
          << extent << " " << ranks;
    }
}

} // namespace
