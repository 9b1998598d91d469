//===- ComplexArguments.cpp - Complex numbers as C passes them ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "abi/ComplexArguments.h"
#include <cstdlib>

namespace ein {

std::string_view getName(ComplexConvention convention) {
  switch (convention) {
  case ComplexConvention::Unknown:
    return "";
  case ComplexConvention::SysVX86_64:
    return "sysv-x86-64";
  case ComplexConvention::AAPCS64:
    return "aapcs64";
  case ComplexConvention::RISCV64D:
    return "riscv-lp64d";
  }
  std::abort(); // a convention without a name
}

std::optional<ComplexConvention> parseComplexConvention(std::string_view name) {
  for (ComplexConvention convention :
       {ComplexConvention::Unknown, ComplexConvention::SysVX86_64,
        ComplexConvention::AAPCS64, ComplexConvention::RISCV64D})
    if (getName(convention) == name)
      return convention;
  return std::nullopt;
}

void ComplexArguments::passReal() { freeRegisters -= freeRegisters > 0; }

ComplexPassing ComplexArguments::passComplex(unsigned partBits) {
  bool sharesRegister =
      convention == ComplexConvention::SysVX86_64 && partBits == 32;
  unsigned needed = sharesRegister ? 1 : 2;
  bool fits = freeRegisters >= needed;
  if (fits)
    freeRegisters -= needed;
  switch (convention) {
  case ComplexConvention::SysVX86_64:
    if (!fits)
      return ComplexPassing::Memory;
    return sharesRegister ? ComplexPassing::Vector : ComplexPassing::Scalars;
  case ComplexConvention::AAPCS64:
    return ComplexPassing::Array;
  case ComplexConvention::RISCV64D:
    return fits ? ComplexPassing::Scalars : ComplexPassing::Integers;
  case ComplexConvention::Unknown:
    break;
  }
  std::abort(); // nobody knows how
}

} // namespace ein
