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
//  * exponentials, logarithms and roots have errors relative to the magnitude
//    of what they are (kExpUlps and so on), and derivatives carry their
//    operands' errors: |exp(z + d) - exp z| <= |exp z| (e^|d| - 1). A power is
//    exp(w log z), whose factor's error counts for what it is, not in relation
//    to it;
//  * magnitudes are m sqrt(1 + (l / m)^2) for the larger and the lesser part,
//    whose error is within four units in the last place.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_REFERENCE_COMPLEX_H
#define EIN_REFERENCE_COMPLEX_H

#include "reference/Rounding.h"
#include <complex>

namespace ein::reference {

/// The most by which functions of complex numbers err, in units in the last
/// place of the result's magnitude.
constexpr double kExpUlps = 5, kLogUlps = 4, kRootUlps = 4;

/// By how much the terms of a part of a product of complex numbers exceed the
/// product of their magnitudes.
inline double getExpansion(size_t numFactors) {
  return numFactors > 2 ? std::pow(2.0, (numFactors - 2) / 2.0) : 1;
}

inline double getModulus(double real, double imaginary) {
  return std::hypot(real, imaginary);
}

inline double take(std::complex<double> number, Part part) {
  return part == Part::Real ? number.real() : number.imag();
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
  double value = take(quotient, part);
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

/// The part of `value` that is asked for, within `propagated`, an error of the
/// operands, and `ulps` units in the last place of the whole number. What
/// overflows is left open.
inline Pair finish(const Rounding &rounding, std::complex<double> value,
                   double propagated, double ulps, Part part) {
  double result = take(value, part);
  double magnitude = getModulus(value.real(), value.imag()) + propagated;
  if (!(magnitude <= rounding.largest / 2))
    return {result, infinity};
  double relative = 2 * ulps * rounding.unitRoundoff + 2 * ulps * ownRoundoff;
  return {result, Rounding::inflate(propagated + relative * magnitude +
                                    rounding.smallest)};
}

/// A number, and how far off it may be.
struct Disk {
  std::complex<double> value;
  double radius;

  Disk(Pair re, Pair im)
      : value(re.value, im.value), radius(getModulus(re.bound, im.bound)) {}
  bool isKnown() const {
    return std::isfinite(value.real()) && std::isfinite(value.imag()) &&
           std::isfinite(radius);
  }
  double getLeast() const { return std::abs(value) - radius; }
};

/// Whether a number may be on either side of the negative real numbers, where
/// logarithms and roots are cut.
inline bool isOnCut(Pair re, Pair im, bool hasSign) {
  if (re.value - re.bound > 0 || std::abs(im.value) > im.bound)
    return false;
  return im.bound != 0 || im.value != 0 || !hasSign;
}

inline Pair getExp(const Rounding &rounding, Pair re, Pair im, Part part) {
  Disk z(re, im);
  std::complex<double> value = std::exp(z.value);
  if (!z.isKnown())
    return {take(value, part), infinity};
  return finish(rounding, value, std::abs(value) * std::expm1(z.radius),
                kExpUlps, part);
}

inline Pair getLog(const Rounding &rounding, Pair re, Pair im, Part part,
                   bool hasSign) {
  Disk z(re, im);
  std::complex<double> value = std::log(z.value);
  double result = take(value, part);
  bool isOpen = part == Part::Imaginary && isOnCut(re, im, hasSign);
  if (!z.isKnown() || z.getLeast() <= 0 || isOpen)
    return {result, infinity};
  return finish(rounding, value, z.radius / z.getLeast(), kLogUlps, part);
}

inline Pair getSquareRoot(const Rounding &rounding, Pair re, Pair im, Part part,
                          bool hasSign) {
  Disk z(re, im);
  std::complex<double> value = std::sqrt(z.value);
  double result = take(value, part);
  bool isOpen = part == Part::Imaginary && isOnCut(re, im, hasSign);
  if (!z.isKnown() || isOpen)
    return {result, infinity};
  // | sqrt(z + d) - sqrt(z) | <= |d| / sqrt(|z|), and no more than sqrt(|d|)
  // for what may be zero, on one side of the cut.
  double propagated = z.radius == 0 ? 0
                      : z.getLeast() > 0
                          ? std::min(z.radius / std::sqrt(z.getLeast()),
                                     2 * std::sqrt(z.radius))
                          : 2 * std::sqrt(z.radius + std::abs(z.value));
  return finish(rounding, value, propagated, kRootUlps, part);
}

/// z^w as exp(w log z).
inline Pair getPower(const Rounding &rounding, Pair zRe, Pair zIm, Pair wRe,
                     Pair wIm, Part part, bool hasSign) {
  Disk z(zRe, zIm), w(wRe, wIm);
  auto open = [&](std::complex<double> value) -> Pair {
    return {take(value, part), infinity};
  };
  if (!z.isKnown() || !w.isKnown())
    return open(std::pow(z.value, w.value));
  // What a zero is but its exponent decides; of no exponent it is one.
  if (w.radius == 0 && w.value == 0.0)
    return {part == Part::Real ? 1.0 : 0.0, 0};
  if (z.radius == 0 && z.value == 0.0)
    return wRe.value - wRe.bound > 0 ? Pair{0, 0} : open(0);
  if (z.getLeast() <= 0 || isOnCut(zRe, zIm, hasSign))
    return open(std::pow(z.value, w.value));
  std::complex<double> log = std::log(z.value), factor = w.value * log;
  std::complex<double> value = std::exp(factor);
  double roundings = rounding.unitRoundoff + ownRoundoff;
  double logError =
      z.radius / z.getLeast() + 2 * kLogUlps * roundings * std::abs(log);
  double error = (std::abs(w.value) + w.radius) * logError +
                 w.radius * std::abs(log) + 4 * roundings * std::abs(factor);
  return finish(rounding, value, std::abs(value) * std::expm1(error), kExpUlps,
                part);
}

} // namespace ein::reference

#endif // EIN_REFERENCE_COMPLEX_H
