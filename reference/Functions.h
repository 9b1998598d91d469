//===- Functions.h - What functions are, in any precision -------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_REFERENCE_FUNCTIONS_H
#define EIN_REFERENCE_FUNCTIONS_H

#include "frontend/program/Program.h"
#include "reference/Special.h"
#include "llvm/Support/ErrorHandling.h"
#include <cmath>

namespace ein::reference {

/// The value of a function of one real number, as libm has it for `T`.
template <typename T> T evaluate(UnaryFn fn, T x) {
  switch (fn) {
  case UnaryFn::Neg:
    return -x;
  case UnaryFn::Abs:
    return std::abs(x);
  case UnaryFn::Exp:
    return std::exp(x);
  case UnaryFn::Log:
    return std::log(x);
  case UnaryFn::Sqrt:
    return std::sqrt(x);
  case UnaryFn::Tanh:
    return std::tanh(x);
  case UnaryFn::Exp2:
    return std::exp2(x);
  case UnaryFn::Expm1:
    return std::expm1(x);
  case UnaryFn::Log2:
    return std::log2(x);
  case UnaryFn::Log10:
    return std::log10(x);
  case UnaryFn::Log1p:
    return std::log1p(x);
  case UnaryFn::Reciprocal:
    return 1 / x;
  case UnaryFn::Rsqrt:
    return 1 / std::sqrt(x);
  case UnaryFn::Cbrt:
    return std::cbrt(x);
  case UnaryFn::Sin:
    return std::sin(x);
  case UnaryFn::Cos:
    return std::cos(x);
  case UnaryFn::Tan:
    return std::tan(x);
  case UnaryFn::Asin:
    return std::asin(x);
  case UnaryFn::Acos:
    return std::acos(x);
  case UnaryFn::Atan:
    return std::atan(x);
  case UnaryFn::Sinh:
    return std::sinh(x);
  case UnaryFn::Cosh:
    return std::cosh(x);
  case UnaryFn::Asinh:
    return std::asinh(x);
  case UnaryFn::Acosh:
    return std::acosh(x);
  case UnaryFn::Atanh:
    return std::atanh(x);
  case UnaryFn::Erf:
    return std::erf(x);
  case UnaryFn::Erfc:
    return std::erfc(x);
  case UnaryFn::Square:
    return x * x;
  case UnaryFn::Ceil:
    return std::ceil(x);
  case UnaryFn::Floor:
    return std::floor(x);
  case UnaryFn::Round:
    return std::round(x);
  case UnaryFn::Trunc:
    return std::trunc(x);
  case UnaryFn::RoundEven:
    return std::nearbyint(x);
  case UnaryFn::Rounded:
    return x;
  case UnaryFn::Erfcx:
  case UnaryFn::ErfInv:
  case UnaryFn::ErfcInv:
  case UnaryFn::NormCdfInv:
  case UnaryFn::Lgamma:
  case UnaryFn::Tgamma:
  case UnaryFn::BesselI0:
  case UnaryFn::BesselI1:
  case UnaryFn::BesselJ0:
  case UnaryFn::BesselJ1:
  case UnaryFn::BesselY0:
  case UnaryFn::BesselY1:
  case UnaryFn::Logb:
    return static_cast<T>(evaluateSpecial(fn, x));
  case UnaryFn::Conj:
  case UnaryFn::Re:
  case UnaryFn::Im:
  case UnaryFn::Not:
  case UnaryFn::BitNot:
    break;
  }
  llvm_unreachable("no function of a real number");
}

} // namespace ein::reference

#endif // EIN_REFERENCE_FUNCTIONS_H
