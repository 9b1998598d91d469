//===- ComplexArgumentsTest.cpp - Complex numbers as C passes them --------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "abi/ComplexArguments.h"
#include <gtest/gtest.h>

namespace ein {
namespace {

TEST(ComplexArguments, ConventionsHaveNames) {
  for (std::string_view name : {"", "sysv-x86-64", "aapcs64", "riscv-lp64d"})
    EXPECT_EQ(getName(*parseComplexConvention(name)), name);
  EXPECT_FALSE(parseComplexConvention("stdcall"));
}

/// What does not fit takes no register, and leaves those there are to others.
TEST(ComplexArguments, RegistersRunOutOnX86) {
  ComplexArguments arguments(ComplexConvention::SysVX86_64);
  EXPECT_EQ(arguments.passComplex(32), ComplexPassing::Vector);
  EXPECT_EQ(arguments.passComplex(64), ComplexPassing::Scalars);
  EXPECT_EQ(arguments.passComplex(64), ComplexPassing::Scalars);
  arguments.passReal();
  arguments.passReal(); // seven of eight
  EXPECT_EQ(arguments.passComplex(64), ComplexPassing::Memory);
  EXPECT_EQ(arguments.passComplex(32), ComplexPassing::Vector);
  arguments.passReal();
  EXPECT_EQ(arguments.passComplex(32), ComplexPassing::Memory);
}

TEST(ComplexArguments, RegistersRunOutOnRISCV) {
  ComplexArguments arguments(ComplexConvention::RISCV64D);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(arguments.passComplex(32), ComplexPassing::Scalars);
  arguments.passReal();
  EXPECT_EQ(arguments.passComplex(64), ComplexPassing::Integers);
  arguments.passReal();
  EXPECT_EQ(arguments.passComplex(32), ComplexPassing::Integers);
}

TEST(ComplexArguments, LLVMCountsOnAArch64) {
  ComplexArguments arguments(ComplexConvention::AAPCS64);
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(arguments.passComplex(64), ComplexPassing::Array);
}

} // namespace
} // namespace ein
