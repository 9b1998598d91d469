//===- SpecialTest.cpp - Special functions against known values -----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The values were computed with 50 digits (Python's mpmath), and are correct to
// all that are there.
//
//===----------------------------------------------------------------------===//

#include "reference/Special.h"
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace ein;
using namespace ein::reference;

namespace {

TEST(Special, KnownValues) {
  struct Known {
    UnaryFn fn;
    double operand, value;
  };
  static constexpr Known values[] = {
      {UnaryFn::ErfInv, 0.001, 8.8622715746655212e-4},
      {UnaryFn::ErfInv, 0.3, 2.7246271472675435e-1},
      {UnaryFn::ErfInv, -0.7, -7.3286907795921678e-1},
      {UnaryFn::ErfInv, 0.9375, 1.3171503349861307},
      {UnaryFn::ErfInv, -0.999999, -3.4589107372754988},
      {UnaryFn::ErfcInv, 1e-300, 2.6209469960516124e+1},
      {UnaryFn::ErfcInv, 1e-10, 4.5728249673894853},
      {UnaryFn::ErfcInv, 0.125, 1.0847870400692831},
      {UnaryFn::ErfcInv, 0.75, 2.253120550121781e-1},
      {UnaryFn::ErfcInv, 1.25, -2.253120550121781e-1},
      {UnaryFn::NormCdfInv, 1e-200, -3.0205594179579643e+1},
      {UnaryFn::NormCdfInv, 0.01, -2.3263478740408411},
      {UnaryFn::NormCdfInv, 0.3, -5.2440051270804082e-1},
      {UnaryFn::NormCdfInv, 0.625, 3.1863936396437516e-1},
      {UnaryFn::Erfcx, -26, 7.6577249314905684e+293},
      {UnaryFn::Erfcx, -3.5, 4.1796242244577031e+5},
      {UnaryFn::Erfcx, 0.25, 7.7034654773099674e-1},
      {UnaryFn::Erfcx, 4, 1.3699945762506139e-1},
      {UnaryFn::Erfcx, 7.5, 7.4573693062876683e-2},
      {UnaryFn::Erfcx, 19.75, 2.8530083185253877e-2},
      {UnaryFn::Erfcx, 20.5, 2.7488815151934872e-2},
      {UnaryFn::Erfcx, 10000.0, 5.6418958072680841e-5},
      {UnaryFn::Lgamma, -2.5, -5.6243716497674051e-2},
      {UnaryFn::Lgamma, 0.125, 2.0194183575537963},
      {UnaryFn::Lgamma, 1.5, -1.2078223763524522e-1},
      {UnaryFn::Lgamma, 3.5, 1.2009736023470742},
      {UnaryFn::Lgamma, 100000.0, 1.0512877089736569e+6},
      {UnaryFn::Tgamma, -1.5, 2.3632718012073547},
      {UnaryFn::Tgamma, 0.125, 7.5339415987976119},
      {UnaryFn::Tgamma, 5, 2.4e+1},
      {UnaryFn::Tgamma, 20.5, 5.406242982335075e+17},
      {UnaryFn::Tgamma, 170.5, 5.5620924145599996e+305},
      {UnaryFn::BesselI0, 0.5, 1.0634833707413235},
      {UnaryFn::BesselI0, -3, 4.8807925858650241},
      {UnaryFn::BesselI0, 12, 1.8948925349296309e+4},
      {UnaryFn::BesselI0, 19.75, 3.4140102060101444e+7},
      {UnaryFn::BesselI0, 20.5, 7.0922869834317007e+7},
      {UnaryFn::BesselI0, 700, 1.5295933476718737e+302},
      {UnaryFn::BesselI1, 0.5, 2.5789430539089632e-1},
      {UnaryFn::BesselI1, -3, -3.9533702174026094},
      {UnaryFn::BesselI1, 12, 1.8141348781638832e+4},
      {UnaryFn::BesselI1, 19.75, 3.3264251978947733e+7},
      {UnaryFn::BesselI1, 20.5, 6.9170831679184373e+7},
      {UnaryFn::BesselI1, 700, 1.5285003902339007e+302},
      {UnaryFn::BesselJ0, 0.5, 9.384698072408129e-1},
      {UnaryFn::BesselJ0, 2.5, -4.8383776468197996e-2},
      {UnaryFn::BesselJ0, -30, -8.6367983581040211e-2},
      {UnaryFn::BesselJ0, 1000, 2.4786686152420175e-2},
      {UnaryFn::BesselJ1, 0.5, 2.4226845767487389e-1},
      {UnaryFn::BesselJ1, 2.5, 4.9709410246427404e-1},
      {UnaryFn::BesselJ1, -30, 1.1875106261662294e-1},
      {UnaryFn::BesselJ1, 1000, 4.7283119070895239e-3},
      {UnaryFn::BesselY0, 1e-05, -7.4031602837019701},
      {UnaryFn::BesselY0, 0.5, -4.4451873350670656e-1},
      {UnaryFn::BesselY0, 2.5, 4.9807035961523189e-1},
      {UnaryFn::BesselY0, 30, -1.1729573168666403e-1},
      {UnaryFn::BesselY1, 1e-05, -6.366197727536548e+4},
      {UnaryFn::BesselY1, 0.5, -1.4714723926702431},
      {UnaryFn::BesselY1, 2.5, 1.459181379667858e-1},
      {UnaryFn::BesselY1, 30, 8.4425570661747235e-2},
  };
  for (const Known &known : values) {
    auto value = static_cast<double>(evaluateSpecial(known.fn, known.operand));
    EXPECT_LE(std::abs(value - known.value), std::abs(known.value) * 0x1p-52)
        << getSpelling(known.fn).str() << "(" << known.operand << ") is "
        << value;
  }
}

TEST(Special, Ends) {
  constexpr long double infinity = std::numeric_limits<long double>::infinity();
  EXPECT_EQ(evaluateSpecial(UnaryFn::ErfInv, 1), infinity);
  EXPECT_EQ(evaluateSpecial(UnaryFn::ErfInv, -1), -infinity);
  EXPECT_EQ(evaluateSpecial(UnaryFn::ErfInv, 0), 0);
  EXPECT_TRUE(std::isnan(evaluateSpecial(UnaryFn::ErfInv, 1.5)));
  EXPECT_EQ(evaluateSpecial(UnaryFn::ErfcInv, 0), infinity);
  EXPECT_EQ(evaluateSpecial(UnaryFn::ErfcInv, 2), -infinity);
  EXPECT_EQ(evaluateSpecial(UnaryFn::NormCdfInv, 0), -infinity);
  EXPECT_EQ(evaluateSpecial(UnaryFn::NormCdfInv, 1), infinity);
  EXPECT_EQ(evaluateSpecial(UnaryFn::Erfcx, infinity), 0);
  EXPECT_EQ(evaluateSpecial(UnaryFn::BesselI1, -infinity), -infinity);
  EXPECT_EQ(evaluateSpecial(UnaryFn::BesselI0, -infinity), infinity);
  EXPECT_EQ(evaluateSpecial(UnaryFn::Tgamma, 1), 1);
}

} // namespace
