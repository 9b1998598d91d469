//===- AllNumbersTest.cpp - Functions of every f32 ------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The errors that docs/decisions/0013-functions.md has, over all 2^32 numbers
// and not every 4,093rd. Takes minutes for each function, most of them libm's:
// a slow test. The largest error is printed.
//
//===----------------------------------------------------------------------===//

#include "tests/e2e/FunctionErrors.h"
#include "tests/e2e/Harness.h"
#include <cstdio>

namespace ein::test {
namespace {

class AllNumbers : public testing::TestWithParam<Function> {};

TEST_P(AllNumbers, ErrByTwoUnits) {
  constexpr uint64_t kBlock = 1 << 16, kNumbers = uint64_t(1) << 32;
  constexpr double kMost = 2;
  const Function function = GetParam();
  BuildOptions options;
  options.effort = LLVMEffort::Full;
  Compiled compiled("def f(A: f32(N)) -> (B: f32(N)) { B(i) = " +
                        std::string(function.name) + "(A(i)) }",
                    options);
  ASSERT_TRUE(compiled.isOk());
  std::vector<float> in(kBlock), out(kBlock);
  auto size = static_cast<int64_t>(kBlock);
  void *arguments[] = {in.data(), out.data()};
  double worst = 0;
  float place = 0;
  for (uint64_t begin = 0; begin < kNumbers; begin += kBlock) {
    for (uint64_t i = 0; i < kBlock; ++i)
      in[i] = fromBits(static_cast<uint32_t>(begin + i));
    ASSERT_EQ(compiled.getEntry().function(arguments, &size), 0);
    for (uint64_t i = 0; i < kBlock; ++i)
      if (double error = getError(out[i], function.value(in[i]));
          error > worst) {
        worst = error;
        place = in[i];
      }
  }
  std::printf("%s: at most %.3f ulp, of %a\n", function.name, worst,
              double(place));
  EXPECT_LE(worst, kMost) << function.name << " of " << std::hexfloat << place;
}

INSTANTIATE_TEST_SUITE_P(Each, AllNumbers, testing::ValuesIn(functions),
                         [](const testing::TestParamInfo<Function> &info) {
                           return std::string(info.param.name);
                         });

} // namespace
} // namespace ein::test
