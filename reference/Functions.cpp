//===- Functions.cpp - Functions of libm with error bounds ----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How far a function carries its operand's bound on is seen at the ends of the
// interval that the operand lies in: most functions are monotone, even ones are
// so in the magnitude, and what is left has a slope that is known. The end of
// an interval about the value is also farthest where a function is convex, as
// those of the gamma function are between poles: the tangent bounds the rest,
// and one of the two ends is above it. An end at
// which there is no finite value leaves the result open, since compiled code
// may be on either side.
//
//===----------------------------------------------------------------------===//

#include "reference/Functions.h"
#include "reference/Rounding.h"

namespace ein::reference {

namespace {
struct Interval {
  double lo, hi;

  /// Of what is within `bound` of `value`, with room for the ends' rounding.
  static Interval around(Pair x) {
    return {std::nextafter(x.value - x.bound, -infinity),
            std::nextafter(x.value + x.bound, infinity)};
  }
  bool holdsZero() const { return lo <= 0 && hi >= 0; }
};
} // namespace

static bool isWhole(UnaryFn fn) {
  return fn == UnaryFn::Ceil || fn == UnaryFn::Floor || fn == UnaryFn::Round ||
         fn == UnaryFn::Trunc || fn == UnaryFn::RoundEven ||
         fn == UnaryFn::Logb;
}

static bool isBessel(UnaryFn fn) {
  return fn == UnaryFn::BesselJ0 || fn == UnaryFn::BesselJ1 ||
         fn == UnaryFn::BesselY0 || fn == UnaryFn::BesselY1;
}

/// Where it is monotone from one end to the other; nothing if it is not.
static std::optional<Interval> getMonotonePart(UnaryFn fn, Interval x) {
  switch (fn) {
  case UnaryFn::Square:
  case UnaryFn::Logb:
  case UnaryFn::BesselI0:
  case UnaryFn::Cosh: {
    double a = std::abs(x.lo), b = std::abs(x.hi);
    return Interval{x.holdsZero() ? 0 : std::min(a, b), std::max(a, b)};
  }
  case UnaryFn::Tan: {
    // Between two poles, surely.
    double pole = std::floor(x.lo / M_PI + 0.5 - 1e-6);
    if (std::abs(x.lo) > 1e6 || pole != std::floor(x.hi / M_PI + 0.5 + 1e-6))
      return std::nullopt;
    return x;
  }
  case UnaryFn::Rsqrt:
    if (x.holdsZero())
      return std::nullopt;
    return x;
  case UnaryFn::Lgamma:
  case UnaryFn::Tgamma:
    if (x.lo <= 0 && std::ceil(x.lo) <= x.hi)
      return std::nullopt;
    return x;
  default:
    return x;
  }
}

/// A wave within 1 / sqrt(x), all of which the last place is one of: near a
/// zero the relative error may be any. The slopes are J0' = -J1,
/// J1' = J0 - J1 / x, and likewise for Y, which falls from a pole at zero to
/// waves of less than 0.6.
static Pair applyBessel(const Rounding &rounding, UnaryFn fn, Pair x) {
  double value = evaluate(fn, x.value);
  double lowest = x.value - x.bound, slope = 0.6;
  if (fn == UnaryFn::BesselY0 || fn == UnaryFn::BesselY1) {
    if (x.bound == 0 && !std::isfinite(value))
      return {value, 0};
    if (!(lowest > 0))
      return {value, x.value + x.bound < 0 ? 0 : infinity};
    double y0 = std::max(0.6, std::abs(evaluate(UnaryFn::BesselY0, lowest)));
    double y1 = std::max(0.6, std::abs(evaluate(UnaryFn::BesselY1, lowest)));
    slope = fn == UnaryFn::BesselY0 ? y1 : y0 + y1 / lowest;
  }
  if (!std::isfinite(value) || !std::isfinite(slope))
    return {value, x.bound == 0 ? 0 : infinity};
  double propagated = x.bound == 0 ? 0 : slope * x.bound;
  if (fn == UnaryFn::BesselJ0 || fn == UnaryFn::BesselJ1)
    propagated = std::min(propagated, 2.0);
  double envelope = 1 / std::sqrt(std::max(1.0, std::abs(x.value)));
  double last = 2 * getUlps(fn) * rounding.unitRoundoff * envelope;
  return rounding.round(value, propagated + last, getUlps(fn), false);
}

Pair Rounding::applyFunction(UnaryFn fn, Pair x) const {
  if (x.bound == infinity)
    return {evaluate(fn, x.value), infinity};
  if (isBessel(fn))
    return applyBessel(*this, fn, x);
  double value = evaluate(fn, x.value);
  // Which infinity it is, the sign of the zero decides, and that is not known.
  if (fn == UnaryFn::Tgamma && x.value == 0)
    return {value, infinity};
  if (x.bound == 0) {
    if (!std::isfinite(value) || isWhole(fn))
      return {value, 0};
    return round(value, 0, getUlps(fn), x.value == 0 || std::isinf(x.value));
  }
  if (fn == UnaryFn::Sin || fn == UnaryFn::Cos)
    return round(value, std::min(x.bound, 2.0), getUlps(fn), false);

  Interval interval = Interval::around(x);
  std::optional<Interval> part = getMonotonePart(fn, interval);
  if (!part)
    return {value, infinity};
  double a = evaluate(fn, part->lo), b = evaluate(fn, part->hi);
  // Outside of the domain with both ends on one side of it.
  if (std::isnan(value) && std::isnan(a) && std::isnan(b) &&
      !interval.holdsZero())
    return {value, 0};
  if (!std::isfinite(value) || !std::isfinite(a) || !std::isfinite(b))
    return {value, infinity};
  double reach = std::max(std::abs(a - value), std::abs(b - value));
  if (isWhole(fn))
    return {value, reach};
  double own = 8 * ownRoundoff * std::max(std::abs(a), std::abs(b));
  return round(value, reach + own, getUlps(fn), false);
}

/// The sign of a zero, where only the bound tells it, is not known.
static bool hasSign(Pair x, bool signedZero) {
  return x.bound == 0 ? x.value != 0 || signedZero
                      : std::abs(x.value) > x.bound;
}

static Pair takeOther(Pair nan, Pair other) {
  return {other.value, nan.bound == 0 ? other.bound : infinity};
}

static Pair applyPow(const Rounding &rounding, Pair x, Pair y, double ulps) {
  double value = std::pow(x.value, y.value);
  auto finish = [&](double propagated, bool exactZero) {
    return rounding.round(value, propagated, ulps, exactZero);
  };
  if (x.bound == 0 && y.bound == 0) {
    // A zero whose sign is not known decides between infinities.
    if (x.value == 0 && y.value < 0 && std::isinf(value))
      return {value, std::fmod(y.value, 2) == 0 ? 0 : infinity};
    return std::isfinite(value) ? finish(0, x.value == 0) : Pair{value, 0};
  }
  Interval base = Interval::around(x);
  Interval exponent = {y.value, y.value};
  if (y.bound > 0)
    exponent = Interval::around(y);
  bool isPower = y.bound == 0 && y.value > 0 && std::floor(y.value) == y.value;
  if (base.lo <= 0 && !isPower)
    return {value, infinity};
  double reach = isPower && base.holdsZero() ? std::abs(value) : 0, most = 0;
  for (double a : {base.lo, base.hi})
    for (double b : {exponent.lo, exponent.hi}) {
      double corner = std::pow(a, b);
      if (!std::isfinite(corner) || !std::isfinite(value))
        return {value, infinity};
      reach = std::max(reach, std::abs(corner - value));
      most = std::max(most, std::abs(corner));
    }
  return finish(reach + 8 * ownRoundoff * most, false);
}

static Pair applyAtan2(const Rounding &rounding, Pair y, Pair x, double ulps) {
  double value = std::atan2(y.value, x.value);
  if (std::isnan(value))
    return {value, (std::isnan(y.value) && y.bound == 0) ||
                           (std::isnan(x.value) && x.bound == 0)
                       ? 0
                       : infinity};
  bool crosses = !hasSign(y, false) && x.value - x.bound <= 0;
  if (crosses || (y.value == 0 && x.value == 0))
    return {value, 7}; // more than a turn
  if (!std::isfinite(y.value) || !std::isfinite(x.value))
    return rounding.round(value, 0, ulps, value == 0);
  double nearest = std::hypot(std::max(0.0, std::abs(y.value) - y.bound),
                              std::max(0.0, std::abs(x.value) - x.bound));
  double propagated = y.bound + x.bound;
  if (propagated > 0)
    propagated = nearest > 0 ? std::min(propagated / nearest, 7.0) : 7;
  return rounding.round(value, propagated, ulps, y.value == 0);
}

/// `fmod` or `remainder`, linear between the quotients at which what `toWhole`
/// makes of them jumps.
template <typename ToWhole>
static Pair applyRest(const Rounding &rounding, double value, Pair x, Pair y,
                      ToWhole toWhole) {
  if (x.bound == 0 && y.bound == 0)
    return {value, 0};
  Interval dividend = Interval::around(x), divisor = Interval::around(y);
  if (!std::isfinite(value) || divisor.holdsZero() || dividend.holdsZero())
    return {value, infinity};
  double quotient = toWhole(x.value / y.value);
  for (double a : {dividend.lo, dividend.hi})
    for (double b : {divisor.lo, divisor.hi})
      for (double margin : {1 - 1e-14, 1 + 1e-14})
        if (toWhole(a / b * margin) != quotient)
          return {value, infinity};
  return rounding.round(value, x.bound + std::abs(quotient) * y.bound, 0,
                        false);
}

/// The neighbour of a number of the compute type, which f64's is not.
static double findNextAfter(const Rounding &rounding, double x, double y) {
  if (std::isnan(x) || std::isnan(y) || x == y)
    return std::isnan(x) ? x : y;
  double magnitude = std::abs(x);
  double exponent = std::logb(std::max(magnitude, rounding.smallest));
  double spacing = std::ldexp(2 * rounding.unitRoundoff, int(exponent));
  if (x == 0)
    return std::copysign(spacing, y);
  if ((x < y) == (x > 0))
    return std::copysign(
        magnitude >= rounding.largest ? infinity : magnitude + spacing, x);
  if (std::isinf(x))
    return std::copysign(rounding.largest, x);
  // Below a power of two numbers are twice as dense.
  if (magnitude > rounding.smallest &&
      magnitude == std::ldexp(1.0, int(exponent)))
    spacing /= 2;
  return std::copysign(magnitude - spacing, x);
}

static Pair applyNextAfter(const Rounding &rounding, Pair x, Pair y) {
  double value = findNextAfter(rounding, x.value, y.value);
  if (x.bound == 0 && y.bound == 0)
    return {value, 0};
  if (!std::isfinite(value))
    return {value, infinity};
  double most = std::abs(x.value) + x.bound;
  return {value, Rounding::inflate(x.bound + 4 * (most * rounding.unitRoundoff +
                                                  rounding.smallest))};
}

Pair Rounding::applyFunction(BinaryFn fn, Pair x, Pair y,
                             bool signedZero) const {
  bool isOpen = x.bound == infinity || y.bound == infinity;
  switch (fn) {
  case BinaryFn::MaxNum:
  case BinaryFn::MinNum:
    if (std::isnan(x.value))
      return takeOther(x, y);
    if (std::isnan(y.value))
      return takeOther(y, x);
    return apply(fn == BinaryFn::MaxNum ? BinaryFn::Max : BinaryFn::Min, x, y);
  case BinaryFn::CopySign: {
    double value = std::copysign(x.value, y.value);
    bool isKnown = !std::isnan(y.value) && hasSign(y, signedZero);
    return {value, isKnown        ? x.bound
                   : x.value == 0 ? x.bound
                                  : 2 * std::abs(x.value) + x.bound};
  }
  case BinaryFn::Fmod:
    if (isOpen)
      return {std::fmod(x.value, y.value), infinity};
    return applyRest(*this, std::fmod(x.value, y.value), x, y,
                     [](double q) { return std::trunc(q); });
  case BinaryFn::Remainder:
    if (isOpen)
      return {std::remainder(x.value, y.value), infinity};
    return applyRest(*this, std::remainder(x.value, y.value), x, y,
                     [](double q) { return std::rint(q); });
  case BinaryFn::NextAfter:
    if (isOpen)
      return {std::nextafter(x.value, y.value), infinity};
    return applyNextAfter(*this, x, y);
  case BinaryFn::Pow:
    if (isOpen)
      return {std::pow(x.value, y.value), infinity};
    return applyPow(*this, x, y, getUlps(fn));
  case BinaryFn::Atan2:
    if (isOpen)
      return {std::atan2(x.value, y.value), infinity};
    return applyAtan2(*this, x, y, getUlps(fn));
  default:
    break;
  }
  llvm_unreachable("a function that the reference does not know");
}

} // namespace ein::reference
