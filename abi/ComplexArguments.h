//===- ComplexArguments.h - Complex numbers as C passes them ----*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Real numbers are passed by value as LLVM passes values of their type; a
// complex one is two values to LLVM and one to C, and each machine's calling
// convention has its own way to put that into registers:
//
//  * System V, x86-64 (psABI 3.2.3): the parts of a `float _Complex` share one
//    vector register, those of a `double _Complex` have one each; where too few
//    are free, all of it is in memory, and later arguments may have registers
//    again;
//  * AArch64 (AAPCS64, 6.8): a homogeneous aggregate of two, in consecutive
//    registers or in memory, which is LLVM's rule for arrays;
//  * RISC-V with registers for doubles (psABI, lp64d): two floating-point
//    registers if there are two, else the bits, as integers.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_ABI_COMPLEXARGUMENTS_H
#define EIN_ABI_COMPLEXARGUMENTS_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace ein {

/// How C passes complex numbers by value.
enum class ComplexConvention : uint8_t {
  Unknown,
  SysVX86_64,
  AAPCS64,
  RISCV64D
};

/// What stands for a complex argument in an LLVM function.
enum class ComplexPassing : uint8_t {
  Vector,   // one of two parts
  Scalars,  // the parts
  Array,    // of the parts
  Integers, // the bits: one or two i64
  Memory,   // a `byval` pointer
};

/// `sysv-x86-64`; empty for Unknown.
std::string_view getName(ComplexConvention convention);
std::optional<ComplexConvention> parseComplexConvention(std::string_view name);

/// The registers of one call, as its arguments take them from left to right.
class ComplexArguments {
public:
  /// `convention` is known.
  explicit ComplexArguments(ComplexConvention convention)
      : convention(convention) {}

  /// An f32 or f64. What is in other registers does not matter.
  void passReal();
  ComplexPassing passComplex(unsigned partBits);

private:
  ComplexConvention convention;
  unsigned freeRegisters = 8; // floating-point ones, in all conventions
};

} // namespace ein

#endif // EIN_ABI_COMPLEXARGUMENTS_H
