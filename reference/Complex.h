//===- Complex.h - Complex arithmetic with error bounds ---------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Higham (see Rounding.h), Lemma 3.5: with the usual formulas a sum of complex
// numbers has a relative error of u, a product sqrt(2) gamma_2, a quotient
// sqrt(2) gamma_4, all relative to the magnitude of the result. Each part is
// bounded by itself here, which says more where parts differ in size:
//
//  * sums and products are real sums and products of the parts, so that their
//    bounds are Rounding's, and by Cauchy and Schwarz no part of a product errs
//    by more than gamma_2 |x| |y|. A product of n factors has 2^(n-1) terms in
//    each part, whose magnitudes add up to no more than sqrt(2)^(n-2) times the
//    product of the factors' magnitudes (getExpansion);
//  * quotients are Smith's ("Algorithm 116: Complex division", CACM 5, 1962):
//    with |c| >= |d| and r = d / c,
//
//      (a + bi) / (c + di) = ((a + br) + (b - ar) i) / (c + dr).
//
//    Both terms of c + dr have one sign, so that three roundings on the way of
//    any term, here and in the numerator, and the one of the division make
//    gamma_7 (|a| + |b r|) / |c + dr| <= gamma_7 |x| / |y|, by Cauchy and
//    Schwarz again. What overflows or underflows on the way, and divisors that
//    may be zero, are left open;
//  * magnitudes are m sqrt(1 + (l / m)^2) for the larger and the lesser part,
//    whose error is within four units in the last place.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_REFERENCE_COMPLEX_H
#define EIN_REFERENCE_COMPLEX_H

#include "reference/Rounding.h"
#include <complex>

namespace ein::reference {

/// By how much the terms of a part of a product of complex numbers exceed the
/// product of their magnitudes.
inline double getExpansion(size_t numFactors) {
  return numFactors > 2 ? std::pow(2.0, (numFactors - 2) / 2.0) : 1;
}

inline double getModulus(double real, double imaginary) {
  return std::hypot(real, imaginary);
}

/// |re + im i|.
inline Pair getMagnitude(const Rounding &rounding, Pair re, Pair im) {
  double value = getModulus(re.value, im.value);
  double propagated = getModulus(re.bound, im.bound);
  if (!(propagated < infinity))
    return {value, infinity};
  bool hasNaN = std::isnan(re.value) || std::isnan(im.value);
  // C has the magnitude of inf + nan i be inf, and upstream NaN.
  if (hasNaN)
    return {value, std::isnan(value) ? 0 : infinity};
  if (std::isinf(re.value) || std::isinf(im.value))
    return {value, 0};
  return rounding.round(value, propagated, /*ulps=*/4, /*exactZero=*/true);
}

/// A part of (a + bi) / (c + di).
inline Pair divide(const Rounding &rounding, Pair a, Pair b, Pair c, Pair d,
                   Part part) {
  std::complex<double> quotient = std::complex<double>(a.value, b.value) /
                                  std::complex<double>(c.value, d.value);
  double value = part == Part::Real ? quotient.real() : quotient.imag();
  double x = getModulus(a.value, b.value), y = getModulus(c.value, d.value);
  double boundX = getModulus(a.bound, b.bound);
  double boundY = getModulus(c.bound, d.bound);
  double least = y - boundY, most = (x + boundX) / least;
  bool isSafe =
      least > 4 * rounding.smallest && 2 * (x + boundX) <= rounding.largest &&
      2 * (y + boundY) <= rounding.largest && 2 * most <= rounding.largest;
  if (!isSafe)
    return {value, infinity};
  double underflow = rounding.smallest / least;
  double relative = gamma(7, rounding.unitRoundoff) + gamma(8, ownRoundoff) +
                    2 * (underflow + rounding.smallest);
  double bound = (boundX + most * boundY) / least + relative * most +
                 2 * underflow + rounding.smallest;
  return rounding.settle({value, Rounding::inflate(bound)});
}

} // namespace ein::reference

#endif // EIN_REFERENCE_COMPLEX_H
