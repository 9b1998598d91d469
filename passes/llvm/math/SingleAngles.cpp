//===- SingleAngles.cpp - Functions of angles of f32 ----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sines and cosines are one odd polynomial of what is left of x by multiples of
// pi, a cosine's half a one more; a tangent, and both of one angle, go by those
// of pi / 2. Up to 2^12 or 2^13 of them, 12,867 in magnitude, the first part of
// such a multiple is subtracted exactly by FMA, and the rest leaves its
// rounding error (Cody and Waite); without FMA it is done in f64, up to 2^17.
// Beyond, where a vector hardly ever comes, a branch multiplies by as many bits
// of 2 / pi as there are numbers to multiply (Payne and Hanek, "Radian
// Reduction for Trigonometric Functions", SIGNUM Newsletter 18, 1983).
//
// Arcs are odd polynomials of what is at most 1, or 1/2, in magnitude, and are
// sums with pi / 2 in two parts.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/llvm/math/MachineMath.h"
#include "passes/llvm/math/WideFormulas.h"
#include "passes/llvm/math/WideParts.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace ein {

//===----------------------------------------------------------------------===//
// Sine, cosine and tangent
//===----------------------------------------------------------------------===//

namespace {
/// A multiple of pi / 2 that angles are reduced by: its inverse; it in parts of
/// f32, and in two of f64, of which the first has 34 bits; what it is to pi /
/// 2, inversely; and the size of the multiples of it that FMA subtracts.
struct Period {
  double inverse, parts[3], high, low, unit;
  int size;
};

/// x = (n - shift) periods + r; of n the last bits count. Where any is set of
/// the bits `beyond`, x is too large for that.
struct Reduced {
  FormulaPair r;
  FormulaValue n;
  MaskedBits beyond;
};
/// The same of any x.
struct LargeReduced {
  FormulaPair r;
  FormulaValue n;
};
} // namespace

static constexpr Period kPi = {0x1.45f306dc9c883p-2,
                               {0x1.921fb4p+1, 0x1.444p-23, 0x1.68c234p-38},
                               0x1.921fb544p+1,
                               0x1.0b4611a626331p-33,
                               0.5,
                               12};
static constexpr Period kQuarter = {
    0x1.45f306dc9c883p-1,
    {0x1.921fb4p+0, 0x1.444p-24, 0x1.68c234p-39},
    0x1.921fb544p+0,
    0x1.0b4611a626331p-34,
    1,
    13};

static FormulaValue addShift(FormulaValue x, double shift) {
  return shift == 0 ? x : x + shift;
}

/// An f64 in parts of f32.
static FormulaPair splitInTwo(FormulaValue x) {
  FormulaValue high = x.toF32();
  return {high, (x - high.toF64()).toF32()};
}

/// Of magnitudes that are not large. The second part of a period has eleven
/// bits, so that its multiples are exact.
static Reduced reduceSmall(const VectorInstructions &instructions,
                           FormulaValue x, const Period &period, double shift) {
  if (instructions.fma) {
    LimitedWhole n =
        roundToLimitedWhole(addShift(x * period.inverse, shift), period.size);
    FormulaPair r =
        subtractMultiple(x, addShift(n.number, -shift), period.parts);
    return {r, n.last, n.beyond};
  }
  constexpr double kSmall = 0x1p17;
  FormulaValue wide = x.toF64();
  Whole n = roundToWhole(addShift(wide * period.inverse, shift));
  FormulaValue number = addShift(n.number, -shift);
  FormulaValue r = wide - number * period.high - number * period.low;
  return {splitInTwo(r), n.integer.toI32(), {x.getMagnitude() > kSmall}};
}

/// Of any magnitude, in f64. Each part of 2 / pi has 28 bits, so its product
/// with x is exact, and what of it is a multiple of 4 does not count. The parts
/// that are left are added from the largest on, with their rounding errors.
static LargeReduced reduceLarge(FormulaValue x, const Period &period,
                                double shift) {
  constexpr double kParts[] = {
      0x1.45f306cp-1,   0x1.c9c882ap-29, 0x1.4fe13a8p-59, 0x1.f47d4dp-86,
      0x1.bb81b6cp-113, 0x1.4acc9ep-143, 0x1.0e4107cp-170};
  constexpr double kFourths = 0x1.8p54, kWhole = 0x1p54,
                   kHalfPi = 0x1.921fb54442d18p+0;
  FormulaValue sum = x.literal(0), error = x.literal(0);
  for (double part : kParts) {
    FormulaValue product = x * part;
    FormulaValue rest = product - ((product + kFourths) - kFourths);
    rest = (product.getMagnitude() < kWhole).select(rest, x.literal(0));
    // Knuth's sum of two numbers in any order.
    FormulaValue total = sum + rest;
    FormulaValue added = total - sum;
    error = error + ((sum - (total - added)) + (rest - added));
    sum = total;
  }
  Whole n = roundToWhole(addShift(sum * period.unit, shift));
  FormulaValue number = addShift(n.number, -shift);
  FormulaValue r = ((sum * period.unit - number) + error * period.unit) *
                   (kHalfPi / period.unit);
  // Of an infinity there is no angle.
  r = (x.getMagnitude() < kInfinity).select(r, x.literal(kNaN));
  return {splitInTwo(r), n.integer.toI32()};
}

/// Functions of what is left of an angle.
using OfReduced = llvm::function_ref<FormulaValues(FormulaPair, FormulaValue)>;

/// The functions of what is left of x. All of it is inside the branch: a branch
/// for the reduction alone would have three vectors at its end for each one of
/// x, more than there are registers.
static FormulaValues getOfReduced(const VectorInstructions &instructions,
                                  FormulaValue x, const Period &period,
                                  double shift, OfReduced function) {
  ImplicitLocOpBuilder &b = x.getBuilder();
  auto branch = scf::IfOp::create(
      b,
      isAnySet(instructions,
               reduceSmall(instructions, x, period, shift).beyond),
      [&](OpBuilder &inner, Location loc) {
        ImplicitLocOpBuilder then(loc, inner);
        FormulaValue angle(then, x.getValue());
        // What both branches start with LLVM takes out of them.
        LargeReduced large = reduceLarge(angle.toF64(), period, shift);
        Reduced small = reduceSmall(instructions, angle, period, shift);
        auto choose = [&](FormulaValue ofLarge, FormulaValue ofSmall) {
          return selectWhereSet(small.beyond, ofLarge, ofSmall);
        };
        FormulaValues all = function(
            {choose(large.r.hi, small.r.hi), choose(large.r.lo, small.r.lo)},
            choose(large.n, small.n));
        scf::YieldOp::create(then, getValues(all));
      },
      [&](OpBuilder &inner, Location loc) {
        ImplicitLocOpBuilder otherwise(loc, inner);
        FormulaValue angle(otherwise, x.getValue());
        Reduced small = reduceSmall(instructions, angle, period, shift);
        scf::YieldOp::create(otherwise, getValues(function(small.r, small.n)));
      });
  return llvm::map_to_vector<2>(branch.getResults(), [&](Value result) {
    return FormulaValue(b, result);
  });
}

/// r + r^3 P(r^2) of |r| <= pi / 2, in f64.
static FormulaValue getWideSineOf(FormulaPair angle) {
  FormulaValue r = angle.hi.toF64() + angle.lo.toF64(), z = r * r;
  FormulaValue p =
      z.polynomial({-0.16666659712791443, 0.008333069272339344,
                    -0.00019809773948509246, 2.606081807243754e-06});
  return (r + z * r * p).toF32();
}

/// r P(r^2), by FMA, as WideAngles.cpp has it of f64.
static FormulaValue getSineOf(FormulaPair r) {
  constexpr double kMiddle = 1.236328125, kMost = 0.75, kSlope = -0.4375;
  FormulaValue y = r.hi.fuse(r.hi, r.hi.literal(-kMiddle));
  FormulaValue p = y.polynomial(
      {0.8063142895698547 - kMost, -0.14695046842098236, 0.007622238248586655,
       -0.0001852041605161503, 2.599542085590656e-06});
  FormulaValue low = r.lo * (y * kSlope + (1 + kSlope * kMiddle));
  return r.hi.fuse(r.hi.literal(kMost), r.hi.fuse(p, low));
}

static FormulaValue getSine(const VectorInstructions &instructions,
                            FormulaValue x, bool isCosine) {
  auto getOf = [&](FormulaPair r, FormulaValue n) -> FormulaValues {
    FormulaValue sine = instructions.fma ? getSineOf(r) : getWideSineOf(r);
    return {(sine.getBits() ^ (n << 31)).asFloat()};
  };
  FormulaValue result =
      getOfReduced(instructions, x, kPi, isCosine ? 0.5 : 0, getOf).front();
  // Without FMA the sum has lost the sign of zero.
  return isCosine || instructions.fma ? result : (x == 0.0).select(x, result);
}

/// r / D of an even n, of an odd one -D / r; D is r cot(r), a polynomial of r^2
/// less a number next to the middle of its range, where D is nearly one of f32.
/// What the low part of r makes of the quotient is taken from D before that is
/// rounded: it is next to r.lo / r of it, less than a unit in the last place,
/// so that an inverse by the bits, right to a tenth, is enough.
static FormulaValue getTanOfRest(const VectorInstructions &instructions,
                                 FormulaPair r, FormulaValue n) {
  constexpr double kMiddle = 0.3134765625, kStart = 0.8932567834854126;
  constexpr int64_t kInverse = 0x7efeb852;
  // Next to a multiple of the period the low part is not small.
  FormulaPair s = addSmaller(r.hi, r.lo);
  FormulaValue y = s.hi;
  if (instructions.fma) {
    y = y.fuse(y, y.literal(-kMiddle));
  } else {
    FormulaPair square = multiplyExactly(instructions, y, y);
    y = (square.hi - kMiddle) + square.lo;
  }
  FormulaValue bits = s.hi.getBits();
  FormulaValue inverse = (bits.literal(kInverse) - bits).asFloat();
  FormulaValue slope =
      y.polynomial({-0.3479166328907013, -0.024344230070710182,
                    -0.002407168271020055, -0.00024886071332730353});
  FormulaValue divisor = (y * slope - s.lo * inverse) + kStart;
  FormulaValue oddSign = n << 31;
  FormulaValue tan = selectBySign(instructions, oddSign, divisor, s.hi) /
                     selectBySign(instructions, oddSign, s.hi, divisor);
  return (tan.getBits() ^ oddSign).asFloat();
}

static FormulaValue getTan(const VectorInstructions &instructions,
                           FormulaValue x) {
  auto getOf = [&](FormulaPair r, FormulaValue n) -> FormulaValues {
    return {getTanOfRest(instructions, r, n)};
  };
  FormulaValue tan = getOfReduced(instructions, x, kQuarter, 0, getOf).front();
  // Without FMA the sum has lost the sign of zero.
  return instructions.fma ? tan : (x == 0.0).select(x, tan);
}

//===----------------------------------------------------------------------===//
// Arcs
//===----------------------------------------------------------------------===//

static constexpr double kHalfPi = 0x1.921fb6p+0, kHalfPiLow = -0x1.777a5cp-25;

/// atan(t) - t, |t| <= 1.
static FormulaValue getAtanRest(FormulaValue t) {
  FormulaValue z = t * t;
  return t * z *
         z.polynomial({-0.33333152532577515, 0.19993768632411957,
                       -0.14211022853851318, 0.10665880143642426,
                       -0.07551952451467514, 0.04320879280567169,
                       -0.016366049647331238, 0.0029202240984886885});
}

static constexpr int64_t kSign = std::numeric_limits<int32_t>::min();

/// From 1 on, pi / 2 less that of 1 / x.
static FormulaValue getAtan(FormulaValue x) {
  FormulaValue a = x.getMagnitude(), one = a.literal(1);
  FormulaValue isAbove = a > 1.0;
  FormulaValue t = isAbove.select(one, a) / isAbove.select(a, one);
  // Masks and bits take a third of a select's instructions before AVX-512.
  FormulaValue bits = t.getBits();
  bits = bits ^ isAbove.select(bits.literal(kSign), bits.literal(0));
  t = bits.asFloat();
  auto getStart = [&](double start) {
    return isAbove.select(x.literal(start), x.literal(0));
  };
  FormulaValue rest = getAtanRest(t) + getStart(kHalfPiLow);
  return ((getStart(kHalfPi) + t) + rest).withSign(x);
}

/// The angle of the smaller to the larger one, from 0, pi / 2 or pi on.
static FormulaValue getAtan2(FormulaValue y, FormulaValue x) {
  constexpr double kLeast = 0x1p-149;
  FormulaValue a = y.getMagnitude(), b = x.getMagnitude();
  FormulaValue isSteep = a > b;
  FormulaValue over = isSteep.select(b, a), under = isSteep.select(a, b);
  // Of two zeros it is 0, of two infinities 1.
  under = under.atLeast(kLeast);
  FormulaValue t = (over == under).select(x.literal(1), over / under);
  FormulaValue bits = x.getBits(), isBehind = bits.isNegative();
  FormulaValue start =
      isSteep.select(x.literal(kHalfPi),
                     isBehind.select(x.literal(2 * kHalfPi), x.literal(0)));
  // Back from where it starts, if one of the two, and not both.
  FormulaValue turn = isSteep.select(bits.literal(kSign), bits.literal(0));
  t = (t.getBits() ^ ((bits ^ turn) & kSign)).asFloat();
  FormulaValue rest = getAtanRest(t) + start * (kHalfPiLow / kHalfPi);
  return ((start + t) + rest).withSign(y);
}

namespace {
/// asin(s) = s + rest, s = |x| up to 1/2, and then the square root of (1 - |x|)
/// / 2.
struct Arc {
  FormulaValue isLarge, s, rest;
};
} // namespace

static Arc getArc(FormulaValue a) {
  FormulaValue isLarge = a > 0.5;
  FormulaValue z = isLarge.select((-a + 1) * 0.5, a * a);
  FormulaValue s = isLarge.select(z.getRoot(), a);
  FormulaValue p =
      z.polynomial({0.16666752099990845, 0.0749531015753746, 0.045469019562006,
                    0.024185502901673317, 0.04215697301295925});
  return {isLarge, s, s * z * p};
}

static FormulaValue getAsin(FormulaValue x) {
  Arc arc = getArc(x.getMagnitude());
  FormulaPair sum = addSmaller(x.literal(kHalfPi), arc.s * -2);
  FormulaValue large = sum.hi + (sum.lo + (arc.rest * -2 + kHalfPiLow));
  return arc.isLarge.select(large, arc.s + arc.rest).withSign(x);
}

/// pi - 2 asin(s), 2 asin(s), or pi / 2 - asin(x).
static FormulaValue getAcos(FormulaValue x) {
  Arc arc = getArc(x.getMagnitude());
  FormulaValue isNegative = x < 0.0;
  FormulaValue small = (-x + kHalfPi) - (arc.rest.copySign(x) - kHalfPiLow);
  FormulaValue behind =
      (arc.s * -2 + 2 * kHalfPi) + (arc.rest * -2 + 2 * kHalfPiLow);
  FormulaValue large = isNegative.select(behind, (arc.s + arc.rest) * 2);
  return arc.isLarge.select(large, small);
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

FormulaValues emitSineAndCosine(FormulaValue x,
                                const VectorInstructions &instructions) {
  if (getElementTypeOrSelf(x.getType()).isF64())
    return emitWideSineAndCosine(x, instructions);
  return getOfReduced(
      instructions, x, kQuarter, 0, [&](FormulaPair r, FormulaValue n) {
        return getSineAndCosineOf(instructions, r, n,
                                  {-0.16666655242443085, 0.008332189172506332,
                                   -0.00019518278713803738},
                                  {0.04166664555668831, -0.0013887309469282627,
                                   2.4432327336398885e-05});
      });
}

std::optional<FormulaValue>
emitSingleAngle(Operation *op, FormulaValue x, std::optional<FormulaValue> y,
                const VectorInstructions &instructions) {
  using Result = std::optional<FormulaValue>;
  return TypeSwitch<Operation *, Result>(op)
      .Case([&](math::SinOp) { return getSine(instructions, x, false); })
      .Case([&](math::CosOp) { return getSine(instructions, x, true); })
      .Case([&](math::TanOp) { return getTan(instructions, x); })
      .Case([&](math::AtanOp) { return getAtan(x); })
      .Case([&](math::Atan2Op) { return getAtan2(x, *y); })
      .Case([&](math::AsinOp) { return getAsin(x); })
      .Case([&](math::AcosOp) { return getAcos(x); })
      .Default(Result());
}

} // namespace ein
