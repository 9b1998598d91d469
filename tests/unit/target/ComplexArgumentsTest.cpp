//===- ComplexArgumentsTest.cpp - Complex numbers as C passes them --------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "target/ComplexArguments.h"
#include <gtest/gtest.h>

namespace ein {
namespace {

ComplexConvention getConvention(llvm::StringRef triple,
                                llvm::StringRef features = "") {
  return llvm::cantFail(getTarget(triple, "", features)).complexConvention;
}

TEST(ComplexArguments, EveryTargetHasOneOrNone) {
  EXPECT_EQ(getConvention("x86_64-linux-gnu"), ComplexConvention::SysVX86_64);
  EXPECT_EQ(getConvention("x86_64-pc-windows-msvc"),
            ComplexConvention::Unknown);
  EXPECT_EQ(getConvention("i386-linux-gnu"), ComplexConvention::Unknown);
  EXPECT_EQ(getConvention("aarch64-linux-gnu"), ComplexConvention::AAPCS64);
  EXPECT_EQ(getConvention("riscv64-linux-gnu", "+d"),
            ComplexConvention::RISCV64D);
  EXPECT_EQ(getConvention("riscv64-linux-gnu", "-d"),
            ComplexConvention::Unknown);
  EXPECT_EQ(getConvention("powerpc64le-linux-gnu"), ComplexConvention::Unknown);
  for (llvm::StringRef name : {"", "sysv-x86-64", "aapcs64", "riscv-lp64d"})
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
