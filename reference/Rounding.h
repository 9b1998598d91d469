//===- Rounding.h - Arithmetic on values with error bounds ------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The model is Higham's, Accuracy and Stability of Numerical Algorithms, 2nd
// ed., §2.2 and §3.1: every operation of the compute type returns
// (x op y)(1 + d) + t with |d| <= u, the unit roundoff, and |t| no more than
// the smallest normal number, which also allows for results that are flushed
// to zero. A product of n such factors differs from one by at most
//
//   gamma_n = n u / (1 - n u).
//
// A Pair is a value computed in f64 and a bound on the difference between it
// and what compiled code may hold in its place. Functions on pairs propagate
// the operands' bounds through the function itself (not through a derivative
// at the point, so they hold for large bounds as well) and add the rounding of
// the compiled operation and of our own.
//
// Sums and products of known integers that the type holds are exact, however
// they are put together, and so a bound of zero stays one: what is rounded to
// an integer on purpose and shifted by another (quantisation) is known.
//
// Three kinds of pairs are special; see Value. In particular a bound of
// infinity means that nothing is known, and every operation hands it on.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_REFERENCE_ROUNDING_H
#define EIN_REFERENCE_ROUNDING_H

#include "reference/Value.h"
#include "llvm/Support/ErrorHandling.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace ein::reference {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// The unit roundoff of f64, in which the reference computes.
constexpr double ownRoundoff = 0x1p-53;

/// gamma_n for unit roundoff u. From n u = 1/2 on it goes over, continuously,
/// into 2 n u, which bounds sums and inner products of any length (Jeannerod
/// and Rump, "Improved error bounds for inner products in floating-point
/// arithmetic", SIAM J. Matrix Anal. Appl. 34, 2013: n u, without a
/// restriction on n).
inline double gamma(double n, double u) {
  return n * u < 0.5 ? n * u / (1 - n * u) : 2 * n * u;
}

/// A value that is known and has no fraction.
inline bool isKnownInteger(Pair x) {
  return x.bound == 0 && std::trunc(x.value) == x.value;
}

/// The floating-point arithmetic of a compute type.
struct Rounding {
  double unitRoundoff;
  double smallest; // positive normal
  double largest;  // finite

  /// Of a floating-point type, or the parts of a complex one; of another one,
  /// that of f64.
  static const Rounding &get(ElementType type) {
    static constexpr Rounding f16 = {0x1p-11, 0x1p-14, 65504};
    static constexpr Rounding bf16 = {0x1p-8, 0x1p-126, 0x1.fep127};
    static constexpr Rounding f32 = {0x1p-24, 0x1p-126, 0x1.fffffep127};
    static constexpr Rounding f64 = {0x1p-53, 0x1p-1022,
                                     std::numeric_limits<double>::max()};
    switch (getPartType(type)) {
    case ElementType::F32:
      return f32;
    case ElementType::F16:
      return f16;
    case ElementType::BF16:
      return bf16;
    default:
      return f64;
    }
  }

  /// All integers up to this magnitude are numbers of the type.
  bool holdsIntegers(double magnitude) const {
    return magnitude * unitRoundoff <= 1;
  }

  /// Room for the roundings in the computation of a bound.
  static double inflate(double bound) { return bound * (1 + 64 * ownRoundoff); }

  /// Compiled code may hold an infinity where we hold a finite value.
  bool mayOverflow(Pair x) const {
    return x.bound > 0 && std::abs(x.value) + x.bound > largest;
  }

  /// What an operand contributes when it is read again.
  Pair read(Pair x) const {
    return mayOverflow(x) ? Pair{x.value, infinity} : x;
  }

  /// A value that is certain to overflow is an infinity.
  Pair settle(Pair x) const {
    if (std::isnan(x.bound))
      x.bound = infinity;
    if (std::isfinite(x.value) && std::abs(x.value) - x.bound > largest)
      return {std::copysign(infinity, x.value), 0};
    return x;
  }

  /// Adds `ulps` units in the last place for the compiled operation, and as
  /// much as libm may err (two roundings) for our own. `exactZero`: a zero
  /// result is known to be one.
  Pair round(double value, double propagated, double ulps,
             bool exactZero) const {
    if (exactZero && value == 0 && propagated == 0)
      return {value, 0};
    // Overflow of f64 itself, which exact operands share with compiled code.
    if (!std::isfinite(value))
      return {value, propagated == 0 ? 0 : infinity};
    double relative = 2 * ulps * unitRoundoff + 4 * ownRoundoff;
    double magnitude = std::abs(value) + propagated;
    return settle(
        {value, inflate(propagated + relative * magnitude + smallest)});
  }

  /// A literal, rounded once to the compute type.
  Pair literal(double value, ElementType type) const {
    // The checker has rounded it already, unless nobody has checked.
    bool exact = getPartType(type) != ElementType::F32 ||
                 static_cast<double>(static_cast<float>(value)) == value ||
                 std::isnan(value);
    return settle(
        {value,
         exact ? 0 : std::abs(value) * unitRoundoff + smallest * unitRoundoff});
  }

  Pair apply(UnaryFn fn, Pair x) const;
  /// Add and Sub are sums of two; see Sum. `signedZero`: where `y` is a zero,
  /// its sign is that of compiled code as well, which decides between the
  /// infinities that dividing by it gives. A computed zero's is not: it depends
  /// on what a sum starts from, or which of two zeros is the larger.
  Pair apply(BinaryFn fn, Pair x, Pair y, bool signedZero = false) const;

private:
  // Functions.cpp: those of libm. Operands have been read.
  Pair applyFunction(UnaryFn fn, Pair x) const;
  Pair applyFunction(BinaryFn fn, Pair x, Pair y, bool signedZero) const;
};

/// A sum whose terms may be added in any order: nested additions and
/// reductions alike.
struct Sum {
  double value = 0;
  double propagated = 0;  // sum of the terms' bounds
  double mass = 0;        // sum of |term| + bound over the finite terms
  bool isIntegral = true; // all terms are integers, and known

  void add(Pair term) {
    value += term.value;
    propagated += term.bound;
    mass += std::isfinite(term.value) ? std::abs(term.value) + term.bound : 0;
    isIntegral &= isKnownInteger(term);
  }
  void add(const Sum &other) {
    value += other.value;
    propagated += other.propagated;
    mass += other.mass;
    isIntegral &= other.isIntegral;
  }

  /// The pair it makes when `roundings` is at least the number of roundings on
  /// the way of any term into the result; `underflow` bounds what is lost for
  /// being too small.
  Pair finish(const Rounding &rounding, double roundings,
              double underflow) const {
    if (!(propagated < infinity))
      return {value, infinity};
    // Whatever the order, all partial sums are numbers of the type.
    if (isIntegral && std::isfinite(value) && rounding.holdsIntegers(mass))
      return {value, 0};
    double relative = gamma(roundings, rounding.unitRoundoff);
    double largestMass = mass * (1 + relative);
    // Infinite terms decide, unless the finite ones can become infinite too.
    if (!std::isfinite(value))
      return {value, largestMass > rounding.largest ? infinity : 0};
    // Ours: the value's own rounding and that of `mass`; `propagated` is a
    // difference of two such masses where there is one.
    double own = gamma(roundings, ownRoundoff);
    relative += (propagated > 0 ? 4 : 1) * own;
    double bound = propagated + relative * (1 + 2 * own) * mass +
                   (mass > 0 ? underflow : 0);
    Pair result = {value, Rounding::inflate(bound)};
    // Some order of the terms may overflow on the way. That is harmless only
    // if the result overflows anyway, and the terms of the other sign cannot.
    double reach = std::abs(value) + result.bound;
    double minority = (mass - std::abs(value)) / 2 * (1 + relative);
    if (largestMass > rounding.largest &&
        (minority > rounding.largest || reach <= rounding.largest))
      result.bound = infinity;
    return rounding.settle(result);
  }
};

inline double getUlps(UnaryFn fn) {
  switch (fn) {
#define EIN_UNARY(ENUM, SPELLING, ULPS)                                        \
  case UnaryFn::ENUM:                                                          \
    return ULPS;
#include "frontend/program/Functions.def"
  }
  llvm_unreachable("a function that is not in Functions.def");
}

inline double getUlps(BinaryFn fn) {
  switch (fn) {
#define EIN_BINARY(ENUM, SPELLING, ULPS)                                       \
  case BinaryFn::ENUM:                                                         \
    return ULPS;
#include "frontend/program/Functions.def"
  }
  llvm_unreachable("a function that is not in Functions.def");
}

inline Pair Rounding::apply(UnaryFn fn, Pair x) const {
  x = read(x);
  double v = x.value, e = x.bound, ulps = getUlps(fn);
  auto unknown = [](double value) { return Pair{value, infinity}; };
  auto finish = [&](double value, double propagated, bool exactZero) {
    if (e == infinity)
      return unknown(value);
    // No operand with a finite bound becomes a NaN or an infinity unless it is
    // certain to.
    if (!std::isfinite(value))
      return Pair{value, 0};
    return round(value, std::isnan(propagated) ? infinity : propagated, ulps,
                 exactZero);
  };
  switch (fn) {
  case UnaryFn::Neg:
    return {-v, e};
  case UnaryFn::Rounded:
    return {v, e};
  case UnaryFn::Abs:
    return {std::abs(v), e};
  case UnaryFn::Exp: {
    double value = std::exp(v);
    if (std::isinf(value) && std::isfinite(std::exp(v - e)))
      return unknown(value);
    // e^(v + e) - e^v, without cancellation unless it is all underflow.
    double propagated = e == 0           ? 0
                        : value < 1e-290 ? std::exp(v + e)
                                         : value * std::expm1(e);
    return finish(value, propagated, /*exactZero=*/std::isinf(v));
  }
  case UnaryFn::Log:
    if (e > 0 && v - e <= 0 && !(v + e < 0))
      return unknown(std::log(v));
    return finish(std::log(v), e == 0 ? 0 : -std::log1p(-e / v), false);
  case UnaryFn::Sqrt:
    if (e > 0 && v - e < 0 && !(v + e < 0))
      return unknown(std::sqrt(v));
    return finish(std::sqrt(v),
                  e == 0 ? 0 : e / (std::sqrt(v) + std::sqrt(v - e)), true);
  case UnaryFn::Tanh: {
    // The mean value theorem, where the derivative is largest.
    double slope = 1 / std::cosh(std::max(0.0, std::abs(v) - e));
    return finish(std::tanh(v), e == 0 ? 0 : e * slope * slope, false);
  }
  case UnaryFn::Reciprocal:
    return apply(BinaryFn::Div, {1, 0}, x, /*signedZero=*/true);
  default:
    return applyFunction(fn, x);
  }
}

inline Pair Rounding::apply(BinaryFn fn, Pair x, Pair y,
                            bool signedZero) const {
  x = read(x);
  y = read(y);
  double a = x.value, b = y.value, ea = x.bound, eb = y.bound;
  // A bound that is not zero and reaches zero: the sign is not known.
  auto straddles = [](double v, double e) { return e > 0 && std::abs(v) <= e; };
  switch (fn) {
  case BinaryFn::Max:
  case BinaryFn::Min: {
    double value = std::isnan(a) || std::isnan(b)
                       ? std::numeric_limits<double>::quiet_NaN()
                   : fn == BinaryFn::Max ? std::max(a, b)
                                         : std::min(a, b);
    double bound = std::max(ea, eb);
    if (!std::isfinite(value) && bound < infinity)
      bound = 0;
    return {value, bound};
  }
  case BinaryFn::Mul: {
    double value = a * b;
    if (ea == infinity || eb == infinity)
      return {value, infinity};
    if (!std::isfinite(a) || !std::isfinite(b))
      return {value, straddles(a, ea) || straddles(b, eb) ? infinity : 0};
    // Products of integers are exact in any order as long as all of it is.
    if (isKnownInteger(x) && isKnownInteger(y) &&
        holdsIntegers(std::abs(value)))
      return {value, 0};
    return round(value, std::abs(a) * eb + std::abs(b) * ea + ea * eb,
                 getUlps(fn), true);
  }
  case BinaryFn::Div: {
    double value = a / b;
    if (ea == infinity || eb == infinity || straddles(b, eb))
      return {value, infinity};
    if (!std::isfinite(b))
      return {value, 0};
    if (!std::isfinite(a))
      return {value, b == 0 && std::isinf(a) && !signedZero ? infinity : 0};
    if (b == 0) {
      bool certain =
          std::isnan(value) ? ea == 0 : signedZero && !straddles(a, ea);
      return {value, certain ? 0 : infinity};
    }
    // |ca / cb - a / b| = |ca b - a cb| / |cb b| for |ca - a| <= ea, ...
    double magnitude = std::abs(b);
    double propagated = eb == 0
                            ? ea / magnitude
                            : (ea + std::abs(value) * eb) / (magnitude - eb);
    return round(value, propagated, getUlps(fn), true);
  }
  default:
    return applyFunction(fn, x, y, signedZero);
  case BinaryFn::Add:
  case BinaryFn::Sub: {
    Sum sum;
    sum.add(x);
    sum.add(fn == BinaryFn::Add ? y : Pair{-b, eb});
    return sum.finish(*this, 2 * getUlps(fn), smallest);
  }
  }
}

} // namespace ein::reference

#endif // EIN_REFERENCE_ROUNDING_H
