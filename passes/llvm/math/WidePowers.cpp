//===- WidePowers.cpp - Exponentials and logarithms of f64 ----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The formulas of f64 of exponentials, logarithms, powers, roots and error
// functions, as MathFormulas.cpp has those of f32: what is rare is in branches,
// and there are no tables but those of error functions and, where registers are
// looked up, of powers (LookedUpPowers.cpp). What is left out of a rounded
// first step is added to the last one, so that the result errs by little more
// than that step's rounding. All polynomials are fitted by least squares in 500
// bits, the leading coefficients rounded first.
//
// Sources: Muller, "Elementary Functions", 3rd ed., chapters 11 and 12; for the
// error function Shepherd and Laframboise, "Chebyshev Approximation of (1 + 2x)
// exp(x^2) erfc(x)", Mathematics of Computation 36 (1981).
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/llvm/math/ComplementTable.h"
#include "passes/llvm/math/FormulaTables.h"
#include "passes/llvm/math/MachineMath.h"
#include "passes/llvm/math/WideFormulas.h"
#include "passes/llvm/math/WideParts.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>
#include <limits>

using namespace mlir;

namespace ein {

static constexpr int64_t kBits = 52;
/// ln(2).
static constexpr double kLn2 = 0.6931471805599453;

//===----------------------------------------------------------------------===//
// Exponentials
//===----------------------------------------------------------------------===//

namespace {
/// e^x = 2^n (1 + high + low), |high| <= ln(2) / 2.
struct Scaled {
  FormulaValue high, low;
  Whole n;
};
} // namespace

/// x - n ln(2) loses nothing but what ln(2) has beyond its first 32 bits.
static LnReduced reduceByLn2(FormulaValue x) {
  constexpr double kHigh = 0x1.62e42feep-1, kLow = 0x1.a39ef35793c76p-33;
  return reduceByLn2(x, kHigh, kLow);
}

/// With r = high + low: r + r^2 P(r).
static Scaled getScaledExp(FormulaValue x) {
  LnReduced reduced = reduceByLn2(x);
  FormulaValue r = reduced.high + reduced.low;
  FormulaValue p = r.polynomial(
      {0.5000000000000001, 0.1666666666666667, 0.041666666666623164,
       0.008333333333325872, 0.0013888888917498177, 0.00019841269875530668,
       2.480152098499764e-05, 2.75572546473768e-06, 2.7620201709073757e-07,
       2.5105491123297133e-08});
  return {reduced.high, r * r * p + reduced.low, reduced.n};
}

/// 2^(x + low), the low part small.
static Scaled getScaledExp2(FormulaValue x, FormulaValue low) {
  constexpr double kLn2Low = 0x1.abc9e3b39803fp-56;
  Whole n = roundToWhole(x);
  FormulaValue high = x - n.number, r = high + low;
  FormulaValue p = r.polynomial({0.24022650695910075, 0.0555041086648216,
                                 0.009618129107619283, 0.0013333558146415882,
                                 0.00015403530423904873, 1.5252733831140028e-05,
                                 1.321545208910905e-06, 1.0178061808912054e-07,
                                 7.070898400541592e-09, 4.455067896814834e-10});
  return {high * kLn2, high * kLn2Low + (r * r * p + low * kLn2), n};
}

/// 1 + high + low, rounded.
static FormulaValue getMantissa(Scaled exp) { return exp.high + exp.low + 1; }

static FormulaValue getExp(const VectorInstructions &instructions,
                           FormulaValue x) {
  return getPower(instructions, x, {708, -745.2, 710}, [&](FormulaValue some) {
    Scaled exp = getScaledExp(some);
    return ScaledPower{getMantissa(exp), exp.n};
  });
}

static FormulaValue getExp2(const VectorInstructions &instructions,
                            FormulaValue x) {
  return getPower(instructions, x, {1021, -1075.1, 1025},
                  [&](FormulaValue some) {
                    Scaled exp = getScaledExp2(some, some.literal(0));
                    return ScaledPower{getMantissa(exp), exp.n};
                  });
}

/// (2^n e^r - 1) u, u a power of two: with s = 2^n u, s r + (s - u) and the
/// rest, so that no digits are lost near zero. The difference is 0 or the
/// larger one of the two.
static FormulaPair getExpm1Times(Scaled exp, FormulaValue s, double u) {
  FormulaPair sum = addSmaller(s - u, exp.high.times(s));
  return {sum.hi, sum.lo + s * exp.low};
}

/// (e^x - 1) / 2 for |x| < 711.
static FormulaPair getHalfExpm1(FormulaValue x) {
  Scaled exp = getScaledExp(x);
  return getExpm1Times(exp, getPower64(exp.n.integer - 1), 0.5);
}

/// By halves where it may be too large; numbers that are small stay as they
/// are.
static FormulaValue getAnyExpm1(FormulaValue x) {
  FormulaPair half = getHalfExpm1(x.atMost(709.79).atLeast(-40));
  FormulaValue result = (half.hi + half.lo) * 2;
  return (x.getMagnitude() < 0x1p-54).select(x, result);
}

static FormulaValue getExpm1(FormulaValue x) {
  constexpr double kMost = 700;
  if (!isa<VectorType>(x.getType()))
    return getAnyExpm1(x);
  return chooseByAll(
      x.getMagnitude() < kMost,
      [&](ImplicitLocOpBuilder &b) {
        FormulaValue some(b, x.getValue());
        Scaled exp = getScaledExp(some);
        FormulaPair sum = getExpm1Times(exp, getPower64(exp.n.integer), 1);
        return (sum.hi + sum.lo).withSign(some);
      },
      [&](ImplicitLocOpBuilder &b) { return getAnyExpm1({b, x.getValue()}); });
}

/// h / (h + 1) with h = (e^2|x| - 1) / 2; 1 from 19.1 on.
static FormulaValue getTanh(const VectorInstructions &instructions,
                            FormulaValue x) {
  FormulaValue a = x.getMagnitude().atMost(22);
  FormulaPair h = getHalfExpm1(a * 2);
  h = addSmaller(h.hi, h.lo);
  FormulaPair below = addExactly(h.hi, h.hi.literal(1));
  FormulaPair result = divide(instructions, h, {below.hi, below.lo + h.lo});
  result.hi = result.hi + result.lo;
  return (a < 0x1p-28).select(x, result.hi.withSign(x));
}

namespace {
/// What |x| = n ln(2) + high + low leaves; 2^n / 4 and 2^-n / 4; and sinh(r) -
/// r and cosh(r) - 1 of what is left.
struct HyperbolicParts {
  FormulaValue high, low, power, inverse, sineRest, cosineRest;
};
} // namespace

/// From 710.5 on, both functions are infinite.
static HyperbolicParts getHyperbolicParts(FormulaValue a) {
  LnReduced reduced = reduceByLn2(a.atMost(710.6));
  FormulaValue n = reduced.n.number;
  // Beside a large one, nothing is left of the inverse.
  constexpr double kShift = 0x1.8p52 + 1023 - 2;
  auto getPower = [](FormulaValue sum) {
    return (sum.getBits() << kBits).asFloat();
  };
  FormulaValue power = getPower(n + kShift);
  FormulaValue inverse = getPower(-n.atMost(1000) + kShift);
  FormulaValue r = reduced.high + reduced.low, z = r * r;
  FormulaValue p = z.polynomial({0.16666666666666677, 0.008333333333321452,
                                 0.00019841269886523188, 2.755724385001198e-06,
                                 2.5109151336062306e-08});
  FormulaValue q = z.polynomial({0.5, 0.041666666666666685,
                                 0.0013888888888873318, 2.480158734906903e-05,
                                 2.75572519819011e-07, 2.0921706476634758e-09});
  return {reduced.high, reduced.low, power, inverse, z * r * p, z * q};
}

/// sinh(n ln(2)) cosh(r) + cosh(n ln(2)) sinh(r). The first of four terms, or
/// two, is exact; near zero it is 0.
static FormulaValue getSinh(FormulaValue x) {
  FormulaValue a = x.getMagnitude();
  HyperbolicParts of = getHyperbolicParts(a);
  FormulaValue sine = of.power - of.inverse, cosine = of.power + of.inverse;
  FormulaValue rest = sine * of.cosineRest + cosine * (of.low + of.sineRest);
  FormulaValue result = (sine + (cosine * of.high + rest)) * 2;
  return (a < 0x1p-27).select(a, result).withSign(x);
}

static FormulaValue getCosh(FormulaValue x) {
  HyperbolicParts of = getHyperbolicParts(x.getMagnitude());
  FormulaValue sine = of.power - of.inverse, cosine = of.power + of.inverse;
  FormulaValue rest = sine * (of.low + of.sineRest) + of.inverse;
  rest = cosine * of.cosineRest + rest;
  return (of.power + (sine * of.high + rest)) * 2;
}

//===----------------------------------------------------------------------===//
// Logarithms
//===----------------------------------------------------------------------===//

/// With sqrt(1/2) <= 1 + f < sqrt(2).
static LogParts split(FormulaValue x, bool areUsual = false) {
  constexpr int64_t kRootBits = 0x3fe6a09e667f3bcd, kExponent = 0xfffll << 52,
                    kOffset = int64_t(1) << 62;
  FormulaValue isDenormal = x < 0x1p-1022, scaled = x;
  // The exponent, 1024 too large, as the last bits of 2^52.
  FormulaValue offset = x.literal(0x1p52 + 1024);
  if (!areUsual) {
    scaled = isDenormal.select(x * 0x1p54, x);
    offset = isDenormal.select(x.literal(0x1p52 + 1024 + 54), offset);
  }
  FormulaValue bits = scaled.getBits(), above = bits - kRootBits + kOffset;
  FormulaValue m = (bits - ((above & kExponent) - kOffset)).asFloat();
  FormulaValue e =
      (above.shiftRight(kBits) | 0x4330000000000000).asFloat() - offset;
  return {e, m - 1};
}

/// The same with 3/4 <= 1 + f < 3/2 where there are instructions for it.
static LogParts splitForLog(const VectorInstructions &instructions,
                            FormulaValue x, bool areUsual) {
  return instructions.avx512 ? splitByInstructions(instructions, x)
                             : split(x, areUsual);
}

/// log(1 + f) = f - f^2 / 2 + s (f^2 / 2 + z P(z)), s = f / (2 + f), z = s^2:
/// the last term.
static FormulaValue getLogRest(FormulaValue f, FormulaValue halfSquare) {
  FormulaValue s = f / (f + 2), z = s * s;
  FormulaValue p =
      z.polynomial({0.6666666666667269, 0.3999999999617054, 0.28571429393920156,
                    0.22222138598334604, 0.1818635264271106,
                    0.15250247712940604, 0.1536779586547672});
  return s * (z * p + halfSquare);
}

static constexpr LogBase kNatural{LogBase::E, 1, 0, 0x1.62e42feep-1,
                                  0x1.a39ef35793c76p-33};

/// e ln(2) + log(1 + f) + low.
static FormulaValue addLogs(LogParts parts, FormulaValue low) {
  FormulaValue halfSquare = parts.f * parts.f * 0.5;
  FormulaValue rest = getLogRest(parts.f, halfSquare);
  low = parts.e * kNatural.twoLow + low + rest;
  return parts.e * kNatural.twoHigh - ((halfSquare - low) - parts.f);
}

static FormulaValue getLog(const VectorInstructions &instructions,
                           FormulaValue x) {
  return getLogInBranches(
      instructions, x, 0x1p-1022, kInfinity,
      [&](FormulaValue some, bool areUsual) {
        if (auto log = emitLookedUpLog(instructions, some, kNatural))
          return *log;
        LogParts parts = splitForLog(instructions, some, areUsual);
        return finishSplitLog(instructions, some,
                              addLogs(parts, some.literal(0)), areUsual);
      });
}

FormulaValue emitWideLog(const VectorInstructions &instructions,
                         FormulaPair x) {
  if (auto log = emitLookedUpLog(instructions, x.hi, kNatural, {}, x.lo))
    return *log;
  LogParts parts = split(x.hi, /*areUsual=*/true);
  FormulaValue low = (parts.e == 0.0).select(x.lo, x.lo.literal(0));
  return addLogs({parts.e, parts.f + low}, x.hi.literal(0));
}

/// e times the first part of ln(2) / ln(base) is exact, and f times 1 /
/// ln(base) rounded once, with what is added to it.
static FormulaValue getSomeLogOf(const VectorInstructions &instructions,
                                 FormulaValue x, LogBase base, bool areUsual) {
  if (auto log = emitLookedUpLog(instructions, x, base))
    return *log;
  LogParts parts = splitForLog(instructions, x, areUsual);
  FormulaValue f = parts.f, halfSquare = f * f * 0.5;
  FormulaValue rest = getLogRest(f, halfSquare) - halfSquare;
  FormulaValue low = rest * base.inverseHigh + f * base.inverseLow;
  FormulaValue e = parts.e;
  if (base.twoLow != 0) {
    low = low + e * base.twoLow;
    e = e * base.twoHigh;
  }
  FormulaValue inverse = x.literal(base.inverseHigh);
  if (!instructions.fma) {
    FormulaPair product = multiplyExactly(instructions, f, inverse);
    return finishSplitLog(instructions, x, product.hi + (product.lo + low) + e,
                          areUsual);
  }
  FormulaValue sum = f.fuse(inverse, low);
  if (!instructions.avx512)
    return finishSplitLog(instructions, x, sum + e, areUsual);
  // f is up to 1/2, and e may take half of that sum away.
  FormulaValue lost = f.fuse(inverse, -sum) + low, result = sum.plus(e);
  return (e.getMagnitude() < kInfinity).select(result + lost, result);
}

static FormulaValue getLogOf(const VectorInstructions &instructions,
                             FormulaValue x, LogBase base) {
  return getLogInBranches(instructions, x, 0x1p-1022, kInfinity,
                          [&](FormulaValue some, bool areUsual) {
                            return getSomeLogOf(instructions, some, base,
                                                areUsual);
                          });
}

static FormulaValue getLog2(const VectorInstructions &instructions,
                            FormulaValue x) {
  return getLogOf(
      instructions, x,
      {LogBase::Two, 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56, 1, 0});
}
static FormulaValue getLog10(const VectorInstructions &instructions,
                             FormulaValue x) {
  return getLogOf(instructions, x,
                  {LogBase::Ten, 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57,
                   0x1.34413509f6p-2, 0x1.9fef311f12b36p-42});
}

/// log(u) + c / u.
static FormulaValue getLog1p(const VectorInstructions &instructions,
                             FormulaValue x) {
  return getLog1pBy(instructions, x, 0x1p-54, 0x1p60,
                    [&](FormulaValue u, FormulaValue c, bool areUsual) {
                      if (auto log =
                              emitLookedUpLog(instructions, u, kNatural, c))
                        return *log;
                      return addLogs(splitForLog(instructions, u, areUsual), c);
                    });
}

//===----------------------------------------------------------------------===//
// Powers and roots
//===----------------------------------------------------------------------===//

/// log2(x) of a positive number with a relative error of 2^-68: 2 s + s (2/3 z
/// + z^2 P(z)), all but z^2 P(z) in pairs.
static FormulaPair getLog2Pair(const VectorInstructions &instructions,
                               FormulaValue x, bool areUsual) {
  LogParts parts = split(x, areUsual);
  FormulaValue f = parts.f, zero = x.literal(0);
  FormulaPair s = divide(instructions, {f, zero}, addSmaller(x.literal(2), f));
  s = addSmaller(s.hi, s.lo);
  FormulaPair z = multiply(instructions, s, s);
  FormulaValue p = z.hi.polynomial({0.4, 0.2857142857142632,
                                    0.22222222222771978, 0.1818181815496706,
                                    0.15384609936727633, 0.13334139093477096,
                                    0.11721304085761033, 0.11586731824203637});
  FormulaPair thirds = {x.literal(0x1.5555555555555p-1),
                        x.literal(0x1.5555555555555p-55)};
  FormulaPair q = multiply(instructions, z, thirds);
  q = addSmaller(q.hi, q.lo + z.hi * z.hi * p);
  FormulaPair rest = multiply(instructions, s, q);
  FormulaPair log = addSmaller(s.hi * 2, rest.hi);
  log = addSmaller(log.hi, log.lo + (s.lo * 2 + rest.lo));
  FormulaPair inverse = {x.literal(0x1.71547652b82fep+0),
                         x.literal(0x1.777d0ffda0d24p-56)};
  log = multiply(instructions, log, inverse);
  // The whole number is 0, or the larger one.
  FormulaPair sum = addSmaller(parts.e, log.hi);
  return addSmaller(sum.hi, sum.lo + log.lo);
}

/// Whether `y` is an odd integer, and any integer.
static std::pair<FormulaValue, FormulaValue> getParity(FormulaValue y) {
  FormulaValue a = y.getMagnitude();
  FormulaValue isEven = a > 0x1.fffffffffffffp52,
               isLarge = a > 0x1.fffffffffffffp51;
  // Without 2^52 and 2^51, which are even, it is less than 2^51.
  a = isLarge.select(a - 0x1p52, a);
  a = (a < 0x1p51).select(a, a - 0x1p51);
  Whole whole = roundToWhole(a);
  FormulaValue isWhole = isEven | (whole.number == a);
  FormulaValue isOdd =
      isEven.select(isEven.literal(0), isWhole & ((whole.integer & 1) == 1));
  return {isOdd, isWhole};
}

/// x^y = 2^(y log2 |x|), with the sign of x if y is odd.
static FormulaValue getAnyPow(const VectorInstructions &instructions,
                              FormulaValue x, FormulaValue y) {
  constexpr int64_t kSign = std::numeric_limits<int64_t>::min();
  constexpr double kMost = 1100;
  FormulaValue a = x.getMagnitude(), zero = x.literal(0);
  FormulaPair log = getLog2Pair(instructions, a, /*areUsual=*/false);
  FormulaValue isNumber = (a < kInfinity) & (a > 0.0);
  FormulaValue limit = (a == 0.0).select(a.literal(-kInfinity), a);
  log.hi = isNumber.select(log.hi, limit);
  log.lo = isNumber.select(log.lo, zero);
  FormulaPair t = multiply(instructions, log, {y, zero});
  FormulaValue isSmall = t.hi.getMagnitude() < kMost;
  t.lo = isSmall.select(t.lo, zero);
  t.hi = t.hi.atMost(kMost).atLeast(-kMost);
  // x^0 and 1^y are 1, whatever the other one.
  FormulaValue isOne = (y == 0.0) | (log.hi == 0.0);
  t = {isOne.select(zero, t.hi), isOne.select(zero, t.lo)};
  FormulaValue result = getPower(
      instructions, t.hi, {1021, -1075.1, kMost}, [&](FormulaValue some) {
        if (auto scaled = emitScaledPower({some, t.lo}, instructions))
          return *scaled;
        Scaled exp = getScaledExp2(some, t.lo);
        return ScaledPower{getMantissa(exp), exp.n};
      });

  auto [isOdd, isWhole] = getParity(y);
  FormulaValue sign = (x.getBits() & kSign);
  sign = isOdd.select(sign, sign.literal(0));
  result = (result.getBits() ^ sign).asFloat();
  FormulaValue isNegative = (x < 0.0) & (x > -kInfinity);
  return isNegative.select(isWhole.select(result, result.literal(kNaN)),
                           result);
}

/// The same. Where the bases of a vector are positive and neither denormal nor
/// infinite, and the powers are normal, which nearly all are, no sign, zero or
/// infinity is looked for.
static FormulaValue getPow(const VectorInstructions &instructions,
                           FormulaValue x, FormulaValue y) {
  constexpr double kNormal = 1021;
  if (!isa<VectorType>(x.getType()))
    return getAnyPow(instructions, x, y);
  FormulaPair log = getLog2Pair(instructions, x, /*areUsual=*/true);
  FormulaPair t = multiply(instructions, log, {y, x.literal(0)});
  FormulaValue isUsual =
      (x > 0x1p-1022) & (x < kInfinity) & (t.hi.getMagnitude() < kNormal);
  return chooseByAll(
      isUsual,
      [&](ImplicitLocOpBuilder &b) {
        FormulaPair some = {{b, t.hi.getValue()}, {b, t.lo.getValue()}};
        if (auto power = emitLookedUpPower(some, instructions))
          return *power;
        Scaled exp = getScaledExp2(some.hi, some.lo);
        FormulaValue power = getMantissa(exp).getBits();
        return (power + (exp.n.integer << kBits)).asFloat();
      },
      [&](ImplicitLocOpBuilder &b) {
        return getAnyPow(instructions, {b, x.getValue()}, {b, y.getValue()});
      });
}

/// a^(-1/3) by the bits, which are next to a logarithm: (4 - x) / 3 of it. That
/// leaves a tenth of a y^3, of which y becomes so many bits better as are left
/// of (1 - e)^(-1/3). The root is a y^2, less what its cube is more than a. Of
/// normal numbers, 0 and NaN.
static FormulaValue getUsualRoot(FormulaValue a) {
  constexpr int64_t kHalf = 32, kWhole = 0x4330000000000000;
  constexpr double kThird = 1.0 / 3, kStart = 1430186360;
  // The upper half of the bits, behind 2^52.
  FormulaValue upper = (a.getBits().shiftRight(kHalf) | kWhole).asFloat();
  FormulaValue start = upper * -kThird + (kStart + 0x1p52 * (1 + kThird));
  FormulaValue y = (start.getBits() << kHalf).asFloat();
  FormulaValue e = -(a * y * y * y) + 1;
  y = y * e.polynomial({1.0000000075168411, 0.33332897248050786,
                        0.22221411920970707, 0.17449420507878977,
                        0.14587043119678292});
  FormulaValue square = y * y, root = a * square;
  FormulaValue step = (root.times(root) * root - a) * square;
  return root + step * (step * y * (2.0 / 9) - kThird);
}

//===----------------------------------------------------------------------===//
// The error function
//===----------------------------------------------------------------------===//

/// From the next row c of the table on: erf(c), and its slope times d P(d),
/// whose coefficients are polynomials of c (Hermite's). 1 from 5.93 on.
static FormulaValue getErf(const VectorInstructions &instructions,
                           FormulaValue x) {
  constexpr double kStep = 8177.0 / (1 << 20), kLast = 6;
  FormulaValue a = x.getMagnitude();
  // The row of NaN is the last one; the distance is NaN.
  Whole row =
      roundToWhole((a < kLast).select(a, a.literal(kLast)) * (1 / kStep));
  FormulaPair place =
      lookUp(instructions, FormulaTable::ErrorFunction, row.integer);
  FormulaValue c = row.number * kStep, d = a.atMost(kLast) - c;
  FormulaValue z = c * c;
  FormulaValue third = z * (2.0 / 3) - 0.3333333333326396;
  FormulaValue fourth = c * (z * (-1.0 / 3) + 0.5);
  FormulaValue fifth = z * (z * (2.0 / 15) - 0.4) + 0.09999963669;
  FormulaValue sixth = c * (z * (z * (-2.0 / 45) + 2.0 / 9) - 1.0 / 6);
  FormulaValue p = d * (d * (d * (d * sixth + fifth) + fourth) + third) - c;
  return (place.lo * (d * (d * p) + d) + place.hi).withSign(x);
}

namespace {
/// What erfc(r + d) is made of, r = n / 128 next to a number: erfc(r) = value
/// (1 + rest), times a power of two from 20 on; d times the slope there; n d,
/// and d^2.
struct ComplementPlace {
  FormulaValue value, rest, fall, turn, square;
};
} // namespace

/// value - fall I, I the mean of e^(-2 r t - t^2) from 0 to d. That is a sum of
/// polynomials of r d times powers of d^2; of d^2, the third power is told by
/// the first two. The first one starts with 1.
static FormulaValue sumComplement(const ComplementPlace &at,
                                  ArrayRef<double> first,
                                  ArrayRef<double> second,
                                  ArrayRef<double> third) {
  FormulaValue more = at.turn.polynomialInChains(second) +
                      at.square * at.turn.polynomial(third);
  more = at.turn * at.turn.polynomialInChains(first) + at.square * more;
  return at.value - (at.fall + (at.fall * more - at.value * at.rest));
}

/// From the next row of the table on, up to 10 by short polynomials; beyond, in
/// a branch, by longer ones, and scaled. Of a negative number it is 2 less that
/// of its magnitude; of 27.3 and more, 0.
static FormulaValue getErfc(const VectorInstructions &instructions,
                            FormulaValue x) {
  constexpr double kRows = ComplementTable::kRowsOfOne, kNear = 10,
                   kLast = 27.3;
  FormulaValue a = x.getMagnitude();
  // NaN is as the largest ones, but at the end.
  FormulaValue some = (a < kLast).select(a, a.literal(kLast));
  Whole row = roundToWhole(some * kRows);
  ComplementRow found = lookUpComplement(instructions, row.integer);
  FormulaValue d = some - row.number * (1 / kRows);
  ComplementPlace at = {found.value, found.rest, found.slope * d,
                        row.number * d, d * d};
  FormulaValue near = sumComplement(
      at,
      {-0.0078125, 4.06901041666834e-05, -1.589457194010678e-07,
       4.967053677736876e-10, -1.293503567488445e-12, 2.8877131240265216e-15,
       -5.639897360872044e-18},
      {-0.3333333333313117, 0.0039062499999595705, -2.4414061710110312e-05,
       1.0596381134644526e-07, -3.548737731507473e-10, 9.7029687216447e-13},
      {0.09999945504324777, -0.0013028210727006847, 8.721843609568488e-06});
  ImplicitLocOpBuilder &b = x.getBuilder();
  FormulaValue isFar = some > kNear;
  auto branch = scf::IfOp::create(
      b, isAnySet(instructions, {isFar}),
      [&](OpBuilder &inner, Location loc) {
        ImplicitLocOpBuilder then(loc, inner);
        auto in = [&](FormulaValue value) {
          return FormulaValue(then, value.getValue());
        };
        ComplementPlace here = {in(at.value), in(at.rest), in(at.fall),
                                in(at.turn), in(at.square)};
        FormulaValue far = sumComplement(
            here,
            {-0.0078125, 4.0690104166666664e-05, -1.5894571940103832e-07,
             4.967053731282512e-10, -1.2935035759978942e-12,
             2.8872847677050425e-15, -5.639225911805246e-18,
             9.790323912123561e-21, -1.531056969121371e-23,
             2.1745086215968934e-26},
            {-0.3333333333301396, 0.0039062499999572473,
             -2.4414062512668226e-05, 1.0596381295326884e-07,
             -3.5478920435556044e-10, 9.701271283310672e-13,
             -2.2486526722085465e-15, 4.516135176899607e-18},
            {0.09999945504324777, -0.0013020716681493396, 8.719246320501616e-06,
             -3.9826646663735517e-08, 1.3818696303246327e-10});
        const double scale = std::ldexp(1, -ComplementTable::kScale);
        FormulaValue isScaled =
            in(row.number) > ComplementTable::kFirstScaled - 0.5;
        far = far * isScaled.select(far.literal(scale), far.literal(1));
        far = (in(a) == in(a)).select(far, in(a));
        FormulaValue all = in(isFar).select(far, in(near));
        scf::YieldOp::create(then, all.getValue());
      },
      [&](OpBuilder &inner, Location loc) {
        scf::YieldOp::create(inner, loc, near.getValue());
      });
  FormulaValue result(b, branch.getResult(0));
  return x.getBits().isNegative().select(-result + 2, result);
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

std::optional<FormulaValue>
emitWidePower(Operation *op, FormulaValue x, std::optional<FormulaValue> y,
              const VectorInstructions &instructions) {
  using Result = std::optional<FormulaValue>;
  if (Result power = emitLookedUpPower(op, x, instructions))
    return power;
  return TypeSwitch<Operation *, Result>(op)
      .Case([&](math::ExpOp) { return getExp(instructions, x); })
      .Case([&](math::Exp2Op) { return getExp2(instructions, x); })
      .Case([&](math::ExpM1Op) { return getExpm1(x); })
      .Case([&](math::LogOp) { return getLog(instructions, x); })
      .Case([&](math::Log2Op) { return getLog2(instructions, x); })
      .Case([&](math::Log10Op) { return getLog10(instructions, x); })
      .Case([&](math::Log1pOp) { return getLog1p(instructions, x); })
      .Case([&](math::TanhOp) { return getTanh(instructions, x); })
      .Case([&](math::SinhOp) { return getSinh(x); })
      .Case([&](math::CoshOp) { return getCosh(x); })
      .Case([&](math::CbrtOp) {
        return getCubeRoot(instructions, x, {0x1p-1000, 0x1p108, 0x1p-36},
                           getUsualRoot);
      })
      .Case([&](math::ErfOp) { return getErf(instructions, x); })
      .Case([&](math::ErfcOp) { return getErfc(instructions, x); })
      .Case([&](math::PowFOp) { return getPow(instructions, x, *y); })
      .Default(Result());
}

} // namespace ein
