//===- Special.cpp - The values of special functions ----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// None of these is computed as compiled code does it. What that takes from
// libm for double, comes from libm for long double, which is other code; what
// it approximates, comes from a definition: an inverse from the function that
// it inverts, a Bessel function from its integral. Numbers in parentheses are
// formulas of Abramowitz and Stegun, "Handbook of Mathematical Functions".
//
//===----------------------------------------------------------------------===//

#include "reference/Special.h"
#include "llvm/Support/ErrorHandling.h"
#include <cmath>
#include <limits>

namespace ein::reference {

static constexpr long double kPi = 3.141592653589793238462643383279503L;
static constexpr long double kInfinity =
    std::numeric_limits<long double>::infinity();

/// y of 0 or more with erfc(y) = `tail`, for a `tail` of 1 at most.
static long double invertErfc(long double tail) {
  if (!(tail >= 0))
    return std::numeric_limits<long double>::quiet_NaN();
  if (tail == 0)
    return kInfinity;
  long double lo = 0, hi = 110;
  for (int step = 0; step < 40; ++step) {
    long double middle = (lo + hi) / 2;
    (std::erfc(middle) > tail ? lo : hi) = middle;
  }
  long double y = lo;
  for (int step = 0; step < 3; ++step)
    y += (std::erfc(y) - tail) * std::sqrt(kPi) / 2 * std::exp(y * y);
  return y;
}

/// y with erf(y) = x.
static long double invertErf(long double x) {
  long double magnitude = std::abs(x);
  long double y = invertErfc(1 - magnitude);
  // Near zero what the tail is has lost digits of `x`.
  if (magnitude < 0.5L)
    for (int step = 0; step < 3; ++step)
      y -= (std::erf(y) - magnitude) * std::sqrt(kPi) / 2 * std::exp(y * y);
  return std::copysign(y, x);
}

static long double invertErfcOnBothSides(long double y) {
  return y < 1 ? (y < 0.5L ? invertErfc(y) : invertErf(1 - y))
               : (y > 1.5L ? -invertErfc(2 - y) : -invertErf(y - 1));
}

/// exp(x^2) erfc(x), from 5 on the continued fraction (7.1.14).
static long double evaluateErfcx(long double x) {
  if (!(x > 5))
    return std::exp(x * x) * std::erfc(x);
  long double fraction = x;
  for (int k = 100; k > 0; --k)
    fraction = x + k / 2.0L / fraction;
  return 1 / (std::sqrt(kPi) * fraction);
}

/// Of order zero or one, by the integral (9.6.18),
///
///   I0(x) = 1/pi INT_0^pi exp(x cos t) dt,
///   I1(x) = x/pi INT_0^pi exp(x cos t) sin(t)^2 dt,
///
/// of functions with a period, of which the trapezoidal rule is as precise as
/// the numbers.
static long double evaluateBesselI(int order, long double x) {
  if (std::isnan(x))
    return x;
  if (std::abs(x) > 10000)
    return order == 1 ? std::copysign(kInfinity, x) : kInfinity;
  int numSteps = 40 + static_cast<int>(8 * std::sqrt(std::abs(x)));
  long double sum = 0;
  for (int i = 0; i <= numSteps; ++i) {
    long double t = kPi * i / numSteps;
    long double weight = i == 0 || i == numSteps ? 0.5L : 1;
    long double sine = std::sin(t);
    sum += weight * (order == 1 ? sine * sine : 1) *
           std::exp(std::abs(x) * std::cos(t));
  }
  return sum / numSteps * (order == 1 ? x : 1);
}

long double evaluateSpecial(UnaryFn fn, long double x) {
  switch (fn) {
  case UnaryFn::Lgamma: {
    int sign;
    return lgammal_r(x, &sign);
  }
  case UnaryFn::Tgamma:
    return std::tgamma(x);
  case UnaryFn::BesselJ0:
    return j0l(x);
  case UnaryFn::BesselJ1:
    return j1l(x);
  case UnaryFn::BesselY0:
    return y0l(x);
  case UnaryFn::BesselY1:
    return y1l(x);
  case UnaryFn::Logb:
    return std::logb(x);
  case UnaryFn::ErfInv:
    return invertErf(x);
  case UnaryFn::ErfcInv:
    return invertErfcOnBothSides(x);
  case UnaryFn::NormCdfInv:
    return -std::sqrt(2.0L) * invertErfcOnBothSides(2 * x);
  case UnaryFn::Erfcx:
    return evaluateErfcx(x);
  case UnaryFn::BesselI0:
    return evaluateBesselI(0, x);
  case UnaryFn::BesselI1:
    return evaluateBesselI(1, x);
  default:
    break;
  }
  llvm_unreachable("no special function");
}

} // namespace ein::reference
