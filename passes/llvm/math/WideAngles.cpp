//===- WideAngles.cpp - Functions of angles of f64 ------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sines, cosines and tangents are reduced by multiples of pi or pi / 2 in parts
// (Cody and Waite, "Software Manual for the Elementary Functions", 1980,
// chapter 8) up to 2^19 or 2^20 of them; beyond, where a vector hardly ever
// comes, in a branch by LargeAngles.cpp. Arcs are odd polynomials,
// and are sums with pi / 2 whose first terms are exact.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/llvm/math/FormulaTables.h"
#include "passes/llvm/math/LargeAngles.h"
#include "passes/llvm/math/MachineMath.h"
#include "passes/llvm/math/WideFormulas.h"
#include "passes/llvm/math/WideParts.h"
#include "llvm/ADT/TypeSwitch.h"
#include <limits>

using namespace mlir;

namespace ein {

//===----------------------------------------------------------------------===//
// Sine, cosine and tangent
//===----------------------------------------------------------------------===//

/// Of multiples of pi, which ones: from -2^19 to 2^19, so that angles are up to
/// 2^20 and more in magnitude. The second part of pi times such a number, and a
/// half, has to be exact.
static constexpr int kTurnBits = 19;

/// Of a tangent, what is subtracted from r^2.
static constexpr double kTanMiddle = 0.308837890625;

namespace {
/// x = n pi / 2 + r, |r| <= pi / 4; of n the last bits count. Where any is set
/// of the bits `beyond`, x is too large for that.
struct Reduced {
  FormulaPair r;
  FormulaValue number, n;
  MaskedBits beyond;
};
} // namespace

/// Of magnitudes up to 2^20 or more: by FMA, with what two parts leave rounded
/// once; else by pi / 2 in parts of 33 bits, whose products are exact. An error
/// of 2^-100, and of the last part.
static Reduced reduce(const VectorInstructions &instructions, FormulaValue x) {
  constexpr double kFused[] = {0x1.921fb54442d18p+0, 0x1.1a62633p-54,
                               0x1.45c06e0e68948p-86};
  constexpr double kParts[] = {0x1.921fb544p+0, 0x1.0b4611a6p-34,
                               0x1.3198a2ep-69, 0x1.b839a252049c1p-104};
  LimitedWhole n = roundToLimitedWhole(x * 0x1.45f306dc9c883p-1, kTurnBits + 1);
  if (instructions.fma)
    return {subtractMultiple(x, n.number, kFused), n.number, n.last, n.beyond};
  FormulaValue rest = x - n.number * kParts[0];
  FormulaPair first = addExactly(rest, n.number * -kParts[1]);
  FormulaPair second = addExactly(first.hi, n.number * -kParts[2]);
  FormulaValue low = (first.lo + second.lo) - n.number * kParts[3];
  return {addSmaller(second.hi, low), n.number, n.last, n.beyond};
}

static FormulaPair getSinePair(FormulaPair r) {
  FormulaValue z = r.hi * r.hi;
  FormulaValue p = z.polynomial({-0.16666666666666666, 0.008333333333332912,
                                 -0.0001984126984072047, 2.7557318916633817e-06,
                                 -2.5052024450045538e-08, 1.604792644238448e-10,
                                 -7.057778506227139e-13});
  return {r.hi, z * r.hi * p + r.lo * (z * -0.5 + 1)};
}

static FormulaPair getCosinePair(FormulaPair r) {
  FormulaValue z = r.hi * r.hi;
  FormulaValue q =
      z.polynomial({0.041666666666666664, -0.0013888888888887061,
                    2.4801587298460276e-05, -2.7557317158288904e-07,
                    2.0876127829049367e-09, -1.1381542350818266e-11});
  FormulaValue half = z * 0.5;
  FormulaPair sum = addSmaller(z.literal(1), -half);
  return {sum.hi, sum.lo + (z * z * q - r.hi * r.lo)};
}

/// Functions of what is left of an angle.
using OfReduced = llvm::function_ref<FormulaValues(FormulaPair, FormulaValue)>;

/// How a number is reduced that is not too large.
using Reduction = llvm::function_ref<Reduced(FormulaValue)>;

/// The functions of what `reduce` leaves of x, and of what is left of those
/// that are too large for that. All of it is inside the branch, so that no
/// vectors but x are kept for the other one.
static FormulaValues getOfReduced(const VectorInstructions &instructions,
                                  FormulaValue x, Reduction reduce,
                                  AnglePeriod period, OfReduced function,
                                  OfReduced ofLarge) {
  ImplicitLocOpBuilder &b = x.getBuilder();
  auto branch = scf::IfOp::create(
      b, isAnySet(instructions, reduce(x).beyond),
      [&](OpBuilder &inner, Location loc) {
        ImplicitLocOpBuilder then(loc, inner);
        FormulaValue angle(then, x.getValue());
        // What both branches start with LLVM takes out of them.
        LargeAngle large = reduceLargeAngle(instructions, angle, period);
        Reduced small = reduce(angle);
        SmallVector<Value> all;
        for (auto [far, near] : llvm::zip_equal(ofLarge(large.r, large.n),
                                                function(small.r, small.n)))
          all.push_back(selectWhereSet(small.beyond, far, near).getValue());
        scf::YieldOp::create(then, all);
      },
      [&](OpBuilder &inner, Location loc) {
        ImplicitLocOpBuilder otherwise(loc, inner);
        Reduced small = reduce({otherwise, x.getValue()});
        scf::YieldOp::create(otherwise, getValues(function(small.r, small.n)));
      });
  return llvm::map_to_vector<2>(branch.getResults(), [&](Value result) {
    return FormulaValue(b, result);
  });
}

/// r P(r^2) of what multiples of pi leave, a cosine's half a one more: |r| <=
/// pi / 2. The polynomial is one of r^2 less the middle of its range, where a
/// square's rounding error is least; three quarters of r, which are added last,
/// leave a sum of less than a quarter to round before. Of a small r the
/// polynomial is 1, and the result has the sign of zero.
static FormulaValues getSineOfRest(FormulaPair r, FormulaValue n) {
  constexpr double kMiddle = 1.328125, kMost = 0.75, kSlope = -0.4375;
  FormulaValue y = r.hi.fuse(r.hi, r.hi.literal(-kMiddle));
  FormulaValue p = y.polynomial(
      {0.7928887833806363 - kMost, -0.1455557623691948, 0.0075713685491324316,
       -0.00018420732904955253, 2.5935571914689423e-06, -2.3800364495231674e-08,
       1.5361809624465094e-10, -7.353750754449121e-13, 2.7550318360893007e-15});
  // The cosine of r, nearly; of a small r, 1.
  FormulaValue low = r.lo * (y * kSlope + (1 + kSlope * kMiddle));
  FormulaValue result = r.hi.fuse(r.hi.literal(kMost), r.hi.fuse(p, low));
  return {(result.getBits() ^ (n << 63)).asFloat()};
}

static FormulaValue getSineByFMA(const VectorInstructions &instructions,
                                 FormulaValue x, bool isCosine) {
  constexpr double kParts[] = {0x1.921fb54442d18p+1, 0x1.1a62633p-53,
                               0x1.45c06e0e68948p-85};
  constexpr double kInverse = 0x1.45f306dc9c883p-2;
  auto reduce = [&](FormulaValue angle) -> Reduced {
    // The half above the integer below, and one more than that integer for the
    // sign: one sum less.
    if (isCosine && roundsAsSaid(instructions)) {
      constexpr double kLarge = 0x1.8p52 + (1 << kTurnBits) + 1;
      FormulaValue large = angle.literal(kLarge);
      FormulaValue sum =
          fuseDown(instructions, angle, angle.literal(kInverse), large);
      FormulaValue number = sum - large, bits = sum.getBits();
      FormulaPair r = subtractMultiple(angle, number + 0.5, kParts);
      return {r,
              number,
              bits,
              {bits ^ large.getBits(), -(int64_t(1) << (kTurnBits + 1))}};
    }
    FormulaValue turns = angle * kInverse;
    LimitedWhole n =
        roundToLimitedWhole(isCosine ? turns + 0.5 : turns, kTurnBits);
    FormulaPair r =
        subtractMultiple(angle, isCosine ? n.number - 0.5 : n.number, kParts);
    return {r, n.number, n.last, n.beyond};
  };
  return getOfReduced(instructions, x, reduce,
                      isCosine ? AnglePeriod::HalfFromMiddle
                               : AnglePeriod::Half,
                      getSineOfRest, getSineOfRest)
      .front();
}

// Three quarters of r are added last, as above.
FormulaValues getSineAndCosineOf(const VectorInstructions &instructions,
                                 FormulaPair r, FormulaValue n,
                                 ArrayRef<double> sines,
                                 ArrayRef<double> cosines) {
  constexpr double kMost = 0.75;
  FormulaValue z = r.hi * r.hi;
  FormulaValue start = z.fuse(z.literal(-0.5), z.literal(1));
  SmallVector<double> terms = {1 - kMost};
  llvm::append_range(terms, sines);
  FormulaValue p = z.polynomial(terms);
  FormulaValue sine = r.hi.fuse(p, r.lo * start);
  sine = r.hi.fuse(r.hi.literal(kMost), sine);
  FormulaValue q = z.polynomial(cosines);
  FormulaValue square = z * z;
  FormulaValue cosine = square.fuse(q, (-r.lo).fuse(r.hi, start));
  // The last bits of n: which one is which, and the sign of the sine.
  bool isWide = getElementTypeOrSelf(z.getType()).isF64();
  int64_t last = isWide ? 63 : 31;
  FormulaValue odd = n << last;
  FormulaValue sign = (n << (last - 1)) &
                      (isWide ? std::numeric_limits<int64_t>::min()
                              : int64_t(std::numeric_limits<int32_t>::min()));
  auto turn = [](FormulaValue x, FormulaValue bits) {
    return (x.getBits() ^ bits).asFloat();
  };
  return {turn(selectBySign(instructions, odd, cosine, sine), sign),
          turn(selectBySign(instructions, odd, sine, cosine), sign ^ odd)};
}

FormulaValues emitWideSineAndCosine(FormulaValue x,
                                    const VectorInstructions &instructions) {
  auto reduceIt = [&](FormulaValue angle) {
    return reduce(instructions, angle);
  };
  auto getOf = [&](FormulaPair r, FormulaValue n) {
    return getSineAndCosineOf(
        instructions, r, n,
        {-0.16666666666666632, 0.00833333333332249, -0.0001984126982985795,
         2.7557313707070068e-06, -2.5050760253406863e-08, 1.58969099521155e-10},
        {0.041666666666666664, -0.0013888888888887061, 2.4801587298460276e-05,
         -2.7557317158288904e-07, 2.0876127829049367e-09,
         -1.1381542350818266e-11});
  };
  return getOfReduced(instructions, x, reduceIt, AnglePeriod::Quarter, getOf,
                      getOf);
}

static FormulaValue getSine(const VectorInstructions &instructions,
                            FormulaValue x, bool isCosine) {
  if (instructions.fma)
    return getSineByFMA(instructions, x, isCosine);
  auto getOf = [&](FormulaPair r, FormulaValue turns) -> FormulaValues {
    FormulaPair sine = getSinePair(r), cosine = getCosinePair(r);
    FormulaValue n = isCosine ? turns + 1 : turns;
    FormulaValue isOdd = (n & 1) == 1;
    FormulaValue result =
        isOdd.select(cosine.hi, sine.hi) + isOdd.select(cosine.lo, sine.lo);
    return {(result.getBits() ^ ((n & 2) << 62)).asFloat()};
  };
  auto reduceIt = [&](FormulaValue angle) {
    return reduce(instructions, angle);
  };
  FormulaValue result = getOfReduced(instructions, x, reduceIt,
                                     AnglePeriod::Quarter, getOf, getOf)
                            .front();
  return isCosine ? result : (x == 0.0).select(x, result);
}

/// r / D of an even n, of an odd one -D / r, D = r cot(r), a polynomial of r^2
/// less the middle of its range, where a square's rounding error is least. What
/// the low part of r makes of the quotient is taken from D before that is
/// rounded: it is next to r.lo / r of it. With FMA, where it is less than a
/// unit in the last place, an inverse by the bits, right to a tenth, does for
/// that.
static FormulaValue getTanOfRest(const VectorInstructions &instructions,
                                 FormulaPair r, FormulaValue n, bool isExact) {
  constexpr int64_t kInverse = 0x7fdfd70a3d70a3d8;
  constexpr double kStart = 0.8948701314564466;
  FormulaValue bits = r.hi.getBits(), y = r.hi;
  FormulaValue inverse = (bits.literal(kInverse) - bits).asFloat();
  if (instructions.fma) {
    y = y.fuse(y, y.literal(-kTanMiddle));
  } else {
    FormulaPair square = multiplyExactly(instructions, y, y);
    y = (square.hi - kTanMiddle) + square.lo;
  }
  FormulaValue slope = y.polynomial(
      {-0.34769100207687864, -0.02431082241303219, -0.002399591136086478,
       -0.0002479892688134246, -2.5867072385284312e-05, -2.7037726032929566e-06,
       -2.827533380478006e-07, -2.9648004145979964e-08,
       -3.105145183662445e-09});
  FormulaValue rest = y * slope - r.lo * inverse;
  FormulaValue start = y.literal(kStart), divisor = start.plus(rest);
  // By comparison: of four vectors of f64 that takes a tenth less than by
  // signs.
  FormulaValue oddSign = n << 63, isOdd = oddSign.isNegative();
  FormulaValue quotient =
      isOdd.select(divisor, r.hi) / isOdd.select(r.hi, divisor);
  if (isExact) {
    // What D has lost, which is up to twice as much of a D above 1.
    FormulaValue lost = start.minus(divisor).plus(rest) * 1.13;
    lost = (lost.getBits() ^ oddSign).asFloat();
    quotient = quotient - quotient * lost;
  }
  return (quotient.getBits() ^ oddSign).asFloat();
}

/// Next to a multiple of pi / 2 the low part may be more than a unit in the
/// last place of the high one, and D above 1, but for numbers that are small
/// themselves. With FMA these are taken as what is too large is.
static FormulaValue getTan(const VectorInstructions &instructions,
                           FormulaValue x) {
  constexpr double kNear = 0x1p-26;
  auto reduceIt = [&](FormulaValue angle) {
    Reduced reduced = reduce(instructions, angle);
    if (instructions.fma) {
      FormulaValue r = reduced.r.hi, y = r.fuse(r, r.literal(-kTanMiddle));
      FormulaValue isNear = y < kNear - kTanMiddle;
      // The exponent of what is not 0 is among the bits that count.
      FormulaValue turned = reduced.number.getBits();
      reduced.beyond.bits =
          reduced.beyond.bits | isNear.select(turned, turned.literal(0));
    }
    return reduced;
  };
  auto getOf = [&](bool isExact) {
    return [&instructions, isExact](FormulaPair r,
                                    FormulaValue n) -> FormulaValues {
      return {getTanOfRest(instructions, r, n, isExact)};
    };
  };
  FormulaValue result =
      getOfReduced(instructions, x, reduceIt, AnglePeriod::Quarter,
                   getOf(/*isExact=*/!instructions.fma), getOf(true))
          .front();
  return instructions.fma ? result : (x == 0.0).select(x, result);
}

//===----------------------------------------------------------------------===//
// Arcs
//===----------------------------------------------------------------------===//

static constexpr double kHalfPi = 0x1.921fb54442d18p+0,
                        kHalfPiLow = 0x1.1a62633145c07p-54;

namespace {
/// A number of four bits next to another one, and its arc tangent; 0, of small
/// numbers, and infinity.
struct ArcPlace {
  FormulaValue isLarge, number;
  FormulaPair arc;
};
} // namespace

/// The bits behind the four first ones of a number.
static constexpr int64_t kPlaceBits = 49;

/// The number of four bits below that of `bits`. Of NaN there is one, too.
static ArcPlace getPlace(const VectorInstructions &instructions,
                         FormulaValue bits) {
  // Before the first number, and what is infinity in the table.
  constexpr double kZero = 0x1.ep-5, kEndless = 16;
  constexpr int64_t kZeroRow = 0x3fae000000000000 >> kPlaceBits;
  FormulaValue number = (bits & -(int64_t(1) << kPlaceBits)).asFloat();
  number = (number > kZero).select(number, number.literal(kZero));
  number = number.atMost(kEndless);
  FormulaPair arc = lookUp(instructions, FormulaTable::ArcTangent,
                           number.getBits().shiftRight(kPlaceBits) - kZeroRow);
  FormulaValue isNone = number < 0x1p-4;
  return {number > 15.5, isNone.select(number.literal(0), number), arc};
}

/// t^3 P(t^2) of atan(t) = t + t^3 P(t^2), |t| <= 1/15.5.
static FormulaValue getAtanRest(FormulaValue t) {
  FormulaValue z = t * t;
  return t * z *
         z.polynomial({-0.33333333333333093, 0.19999999999187065,
                       -0.14285713391190943, 0.11110680884841087,
                       -0.08996818734024259});
}

/// atan(c) + atan((a - c) / (1 + a c)), c next to a; pi / 2 - atan(1 / a).
static FormulaValue getAtan(const VectorInstructions &instructions,
                            FormulaValue x) {
  FormulaValue a = x.getMagnitude();
  constexpr int64_t kHalf = int64_t(1) << (kPlaceBits - 1);
  ArcPlace place = getPlace(instructions, a.getBits() + kHalf);
  FormulaValue over = place.isLarge.select(a.literal(-1), a - place.number);
  FormulaValue under = place.isLarge.select(a, a * place.number + 1);
  FormulaValue t = over / under;
  FormulaValue rest = t + (getAtanRest(t) + place.arc.lo);
  return (place.arc.hi + rest).withSign(x);
}

namespace {
/// A quotient's operands.
struct Operands {
  FormulaValue over, under;
};
} // namespace

/// Operands of middle magnitude with the quotient of those, `over` the smaller
/// one; the quotients of two zeros, of two infinities, and of a number and
/// infinity are 0, 1, and 0.
static Operands scaleOperands(Operands of) {
  FormulaValue zero = of.over.literal(0), one = of.over.literal(1);
  FormulaValue isEndless = of.under == kInfinity;
  FormulaValue large = isEndless.select(zero, zero.literal(0x1p-200));
  FormulaValue factor = (of.under < 0x1p-900)
                            .select(zero.literal(0x1p200),
                                    (of.under > 0x1p1000).select(large, one));
  return {(of.over == kInfinity).select(one, of.over * factor),
          (isEndless | (of.under == 0.0)).select(one, of.under * factor)};
}

/// The same. Where all are of middle magnitude, which nearly all are, a branch
/// leaves them as they are.
static Operands scaleUnlessUsual(Operands of) {
  ImplicitLocOpBuilder &b = of.over.getBuilder();
  if (!isa<VectorType>(of.over.getType()))
    return scaleOperands(of);
  FormulaValue isUsual = (of.under > 0x1p-900) & (of.under < 0x1p1000);
  Value areUsual = vector::ReductionOp::create(b, vector::CombiningKind::AND,
                                               isUsual.getValue());
  auto branch = scf::IfOp::create(
      b, areUsual,
      [&](OpBuilder &inner, Location loc) {
        scf::YieldOp::create(
            inner, loc, ValueRange{of.over.getValue(), of.under.getValue()});
      },
      [&](OpBuilder &inner, Location loc) {
        ImplicitLocOpBuilder at(loc, inner);
        Operands scaled = scaleOperands(
            {{at, of.over.getValue()}, {at, of.under.getValue()}});
        scf::YieldOp::create(
            at, ValueRange{scaled.over.getValue(), scaled.under.getValue()});
      });
  return {{b, branch.getResult(0)}, {b, branch.getResult(1)}};
}

/// The angle of the smaller to the larger one, from 0, pi / 2 or pi on.
static FormulaValue getAtan2(const VectorInstructions &instructions,
                             FormulaValue y, FormulaValue x) {
  constexpr int64_t kSign = std::numeric_limits<int64_t>::min();
  FormulaValue a = y.getMagnitude(), b = x.getMagnitude(), zero = x.literal(0);
  FormulaValue isSteep = a > b;
  auto [over, under] =
      scaleUnlessUsual({isSteep.select(b, a), isSteep.select(a, b)});
  // Bits are next to logarithms: those of the quotient, by their difference,
  // are up to a seventeenth off one more half of a place, which rounds.
  FormulaValue one = x.literal(1);
  ArcPlace place =
      getPlace(instructions, over.getBits() - under.getBits() + one.getBits());
  FormulaValue t =
      (over - under * place.number) / (under + over * place.number);
  FormulaValue rest = t + (getAtanRest(t) + place.arc.lo);
  // Where it starts, and whether it goes back from there: from one of the
  // axes, and not both.
  FormulaValue isBehind = x.getBits().isNegative();
  FormulaValue start = isSteep.select(
      x.literal(kHalfPi), isBehind.select(x.literal(2 * kHalfPi), zero));
  FormulaValue bits = x.getBits();
  FormulaValue other = isSteep.select(bits.literal(kSign), bits.literal(0));
  FormulaValue sign = (bits ^ other) & kSign;
  auto turn = [&](FormulaValue part) {
    return (part.getBits() ^ sign).asFloat();
  };
  FormulaPair sum = addSmaller(start, turn(place.arc.hi));
  FormulaValue low = start * (kHalfPiLow / kHalfPi) + turn(rest);
  return (sum.hi + (sum.lo + low)).withSign(y);
}

namespace {
/// asin(s) = s + low, s = |x| up to 1/2, and then the square root of (1 - |x|)
/// / 2.
struct Arc {
  FormulaValue isLarge, s, low;
};
} // namespace

static Arc getArc(FormulaValue a) {
  FormulaValue isLarge = a > 0.5;
  FormulaValue z = isLarge.select((-a + 1) * 0.5, a * a);
  FormulaValue p = z.polynomial(
      {0.16666666666666669, 0.07499999999998086, 0.04464285714684728,
       0.030381944107183312, 0.022372174037335067, 0.017352369430104073,
       0.013971532836223497, 0.01147625113992563, 0.010340817937471148,
       0.005383925392421987, 0.017592396510730524, -0.015139158759756624,
       0.028946838173782928});
  FormulaValue s = isLarge.select(z.getRoot(), a);
  return {isLarge, s, s * z * p};
}

static FormulaValue getAsin(FormulaValue x) {
  Arc arc = getArc(x.getMagnitude());
  FormulaPair sum = addSmaller(x.literal(kHalfPi), arc.s * -2);
  FormulaValue large = sum.hi + (sum.lo + (arc.low * -2 + kHalfPiLow));
  return arc.isLarge.select(large, arc.s + arc.low).withSign(x);
}

/// pi - 2 asin(s), 2 asin(s), or pi / 2 - asin(x).
static FormulaValue getAcos(FormulaValue x) {
  Arc arc = getArc(x.getMagnitude());
  FormulaValue isNegative = x.getBits().isNegative();
  FormulaValue small = (-x + kHalfPi) - (arc.low.copySign(x) - kHalfPiLow);
  FormulaValue behind =
      (arc.s * -2 + 2 * kHalfPi) + (arc.low * -2 + 2 * kHalfPiLow);
  FormulaValue large = isNegative.select(behind, (arc.s + arc.low) * 2);
  return arc.isLarge.select(large, small);
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

std::optional<FormulaValue>
emitWideAngle(Operation *op, FormulaValue x, std::optional<FormulaValue> y,
              const VectorInstructions &instructions) {
  using Result = std::optional<FormulaValue>;
  return TypeSwitch<Operation *, Result>(op)
      .Case([&](math::SinOp) {
        return getSine(instructions, x, /*isCosine=*/false);
      })
      .Case([&](math::CosOp) {
        return getSine(instructions, x, /*isCosine=*/true);
      })
      .Case([&](math::TanOp) { return getTan(instructions, x); })
      .Case([&](math::AtanOp) { return getAtan(instructions, x); })
      .Case([&](math::Atan2Op) { return getAtan2(instructions, x, *y); })
      .Case([&](math::AsinOp) { return getAsin(x); })
      .Case([&](math::AcosOp) { return getAcos(x); })
      .Default(Result());
}

} // namespace ein
