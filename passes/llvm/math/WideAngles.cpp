//===- WideAngles.cpp - Functions of angles of f64 ------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sines, cosines and tangents are reduced by pi / 2 in four parts (Cody and
// Waite, "Software Manual for the Elementary Functions", 1980, chapter 8) up to
// 2^20 in magnitude. Beyond, where a vector hardly ever comes, a branch calls
// libm for each of its numbers. Arcs are odd polynomials, and are sums with pi
// / 2 whose first terms are exact.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/llvm/math/FormulaTables.h"
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

namespace {
/// x = n pi / 2 + r, |r| <= pi / 4.
struct Reduced {
  FormulaPair r;
  FormulaValue n;
};
} // namespace

/// Of magnitudes up to 2^20, by pi / 2 in parts of 33 bits, whose products are
/// exact: an error of 2^-100, and of the last part.
static Reduced reduce(const VectorInstructions &instructions, FormulaValue x) {
  constexpr double kFused[] = {0x1.921fb544p+0, 0x1.0b4611a626331p-34,
                               0x1.1701b839a252p-88};
  constexpr double kParts[] = {0x1.921fb544p+0, 0x1.0b4611a6p-34,
                               0x1.3198a2ep-69, 0x1.b839a252049c1p-104};
  Whole n = roundToWhole(x * 0x1.45f306dc9c883p-1);
  if (instructions.fma)
    return {subtractMultiple(x, n.number, kFused), n.integer};
  FormulaValue rest = x - n.number * kParts[0];
  FormulaPair first = addExactly(rest, n.number * -kParts[1]);
  FormulaPair second = addExactly(first.hi, n.number * -kParts[2]);
  FormulaValue low = (first.lo + second.lo) - n.number * kParts[3];
  return {addSmaller(second.hi, low), n.integer};
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

/// One polynomial of what multiples of pi leave, a cosine's half a one more: r
/// + r^3 P(r^2), |r| <= pi / 2.
static FormulaValue getSineByFMA(FormulaValue x, bool isCosine) {
  constexpr double kParts[] = {0x1.921fb544p+1, 0x1.0b4611a626331p-33,
                               0x1.1701b839a252p-87};
  FormulaValue turns = x * 0x1.45f306dc9c883p-2;
  Whole n = roundToWhole(isCosine ? turns + 0.5 : turns);
  FormulaPair r =
      subtractMultiple(x, isCosine ? n.number - 0.5 : n.number, kParts);
  FormulaValue z = r.hi * r.hi;
  FormulaValue p = z.polynomial(
      {-0.16666666666666666, 0.008333333333333207, -0.00019841269841212525,
       2.755731921158714e-06, -2.5052106906935192e-08, 1.6058941170955544e-10,
       -7.643024773922185e-13, 2.7214861545103602e-15});
  // What the square has lost counts where the result is next to 1; a seventh of
  // it is what the polynomial makes of that.
  FormulaValue lost = r.hi.fuse(r.hi, -z);
  FormulaValue low = r.lo * (z * -0.5 + 1) + r.hi * (lost * (-1.0 / 7));
  FormulaValue result = r.hi + (z * r.hi * p + low);
  result = (result.getBits() ^ (n.integer << 63)).asFloat();
  return isCosine ? result : (x == 0.0).select(x, result);
}

static FormulaValue getSmallSine(const VectorInstructions &instructions,
                                 FormulaValue x, bool isCosine) {
  if (instructions.fma)
    return getSineByFMA(x, isCosine);
  Reduced reduced = reduce(instructions, x);
  FormulaPair sine = getSinePair(reduced.r), cosine = getCosinePair(reduced.r);
  FormulaValue n = isCosine ? reduced.n + 1 : reduced.n;
  FormulaValue isOdd = (n & 1) == 1;
  FormulaValue result =
      isOdd.select(cosine.hi, sine.hi) + isOdd.select(cosine.lo, sine.lo);
  result = (result.getBits() ^ ((n & 2) << 62)).asFloat();
  return isCosine ? result : (x == 0.0).select(x, result);
}

/// With t = 2 tan(r / 2): t / (1 - t^2 / 4), or -1 of that.
static FormulaValue getSmallTan(const VectorInstructions &instructions,
                                FormulaValue x) {
  Reduced reduced = reduce(instructions, x);
  FormulaValue r = reduced.r.hi, z = r * r, one = x.literal(1);
  FormulaValue p = z.polynomial(
      {0.08333333333333333, 0.008333333333333803, 0.0008432539682396283,
       8.542768980026097e-05, 8.655501790341965e-06, 8.769925043956749e-07,
       8.883193209067197e-08, 9.052406461829662e-09, 8.532763266913482e-10,
       1.3081512877308072e-10});
  FormulaPair t = addSmaller(r, z * r * p + reduced.r.lo * (z * 0.25 + 1));
  FormulaValue quarter = t.hi * 0.25;
  FormulaPair less{one, one};
  if (instructions.fma) {
    less.hi = (-quarter).fuse(t.hi, one);
    less.lo = (-quarter).fuse(t.hi, one.minus(less.hi));
  } else {
    FormulaPair square = multiplyExactly(instructions, quarter, t.hi);
    less = addSmaller(one, -square.hi);
    less.lo = less.lo.minus(square.lo);
  }
  less.lo = less.lo - quarter * t.lo * 2;
  FormulaValue oddSign = reduced.n << 63, isOdd = oddSign.isNegative();
  FormulaPair over = {isOdd.select(less.hi, t.hi), isOdd.select(less.lo, t.lo)};
  FormulaPair under = {isOdd.select(t.hi, less.hi),
                       isOdd.select(t.lo, less.lo)};
  FormulaPair quotient = divide(instructions, over, under);
  FormulaValue result = quotient.hi + quotient.lo;
  result = (result.getBits() ^ oddSign).asFloat();
  return (x == 0.0).select(x, result);
}

/// What libm has of each number of a vector, or of one.
static Value callEach(OpBuilder &builder, Operation *op, Value x) {
  ImplicitLocOpBuilder b(op->getLoc(), builder);
  auto call = [&](ImplicitLocOpBuilder &at, Value number) {
    OperationState state(at.getLoc(), op->getName(), number, number.getType());
    return at.create(state)->getResult(0);
  };
  auto type = dyn_cast<VectorType>(x.getType());
  if (!type)
    return call(b, x);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value length = arith::ConstantIndexOp::create(b, type.getDimSize(0));
  auto loop = scf::ForOp::create(
      b, zero, length, one, x,
      [&](OpBuilder &inner, Location loc, Value lane, ValueRange carried) {
        ImplicitLocOpBuilder at(loc, inner);
        Value number =
            vector::ExtractOp::create(at, x, SmallVector<OpFoldResult>{lane});
        Value result = vector::InsertOp::create(
            at, call(at, number), carried[0], SmallVector<OpFoldResult>{lane});
        scf::YieldOp::create(at, result);
      });
  return loop.getResult(0);
}

/// `small`, the function of small angles, but libm's of those that are not.
static FormulaValue emitUnlessLarge(Operation *op, FormulaValue x,
                                    FormulaValue small) {
  constexpr double kLimit = 0x1p20;
  ImplicitLocOpBuilder &b = x.getBuilder();
  Value isLarge = (x.getMagnitude() > kLimit).getValue(), isAny = isLarge;
  if (isa<VectorType>(isLarge.getType()))
    isAny = vector::ReductionOp::create(b, vector::CombiningKind::OR, isLarge);
  auto branch = scf::IfOp::create(
      b, isAny,
      [&](OpBuilder &inner, Location loc) {
        ImplicitLocOpBuilder then(loc, inner);
        FormulaValue large(then, callEach(then, op, x.getValue()));
        FormulaValue bit(then, isLarge);
        scf::YieldOp::create(then, bit.select(large, small).getValue());
      },
      [&](OpBuilder &otherwise, Location loc) {
        scf::YieldOp::create(otherwise, loc, small.getValue());
      });
  return {b, branch.getResult(0)};
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

/// Of positive numbers; of NaN, infinity.
static ArcPlace getPlace(const VectorInstructions &instructions,
                         FormulaValue a) {
  // Before the first number, and what is infinity in the table.
  constexpr double kZero = 0x1.ep-5, kEndless = 16;
  constexpr int64_t kBits = 49, kZeroRow = 0x3fae000000000000 >> kBits;
  FormulaValue some = (a < kEndless).select(a, a.literal(kEndless));
  some = (some > kZero).select(some, a.literal(kZero));
  FormulaValue bits = (some.getBits() + (int64_t(1) << (kBits - 1)));
  bits = bits & -(int64_t(1) << kBits);
  FormulaValue number = bits.asFloat();
  FormulaPair arc = lookUp(instructions, FormulaTable::ArcTangent,
                           bits.shiftRight(kBits) - kZeroRow);
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
  ArcPlace place = getPlace(instructions, a);
  FormulaValue over = place.isLarge.select(a.literal(-1), a - place.number);
  FormulaValue under = place.isLarge.select(a, a * place.number + 1);
  FormulaValue t = over / under;
  FormulaValue rest = t + (getAtanRest(t) + place.arc.lo);
  return (place.arc.hi + rest).copySign(x);
}

/// The angle of the smaller to the larger one, from 0, pi / 2 or pi on.
static FormulaValue getAtan2(const VectorInstructions &instructions,
                             FormulaValue y, FormulaValue x) {
  constexpr int64_t kSign = std::numeric_limits<int64_t>::min();
  FormulaValue a = y.getMagnitude(), b = x.getMagnitude(), zero = x.literal(0);
  FormulaValue one = x.literal(1);
  FormulaValue isSteep = a > b;
  FormulaValue over = isSteep.select(b, a), under = isSteep.select(a, b);
  // To middle magnitudes; the quotients of two zeros, of two infinities, and of
  // a number and infinity are 0, 1, and 0.
  FormulaValue isEndless = under == kInfinity;
  FormulaValue large = isEndless.select(zero, x.literal(0x1p-200));
  FormulaValue factor =
      (under < 0x1p-900)
          .select(x.literal(0x1p200), (under > 0x1p1000).select(large, one));
  over = (over == kInfinity).select(one, over * factor);
  under = (isEndless | (under == 0.0)).select(one, under * factor);
  ArcPlace place = getPlace(instructions,
                            hasAVX512(instructions, x)
                                ? over * estimateReciprocal(instructions, under)
                                : over / under);
  FormulaValue t =
      (over - under * place.number) / (under + over * place.number);
  FormulaValue rest = t + (getAtanRest(t) + place.arc.lo);
  // Where it starts, and whether it goes back from there: from one of the
  // axes, and not both.
  FormulaValue isBehind = x.getBits().isNegative();
  FormulaValue start = isSteep.select(
      x.literal(kHalfPi), isBehind.select(x.literal(2 * kHalfPi), zero));
  FormulaValue sign = isSteep.select(-x, x).getBits() & kSign;
  auto turn = [&](FormulaValue part) {
    return (part.getBits() ^ sign).asFloat();
  };
  FormulaPair sum = addSmaller(start, turn(place.arc.hi));
  FormulaValue low = start * (kHalfPiLow / kHalfPi) + turn(rest);
  return (sum.hi + (sum.lo + low)).copySign(y);
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
  return arc.isLarge.select(large, arc.s + arc.low).copySign(x);
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
        return emitUnlessLarge(
            op, x, getSmallSine(instructions, x, /*isCosine=*/false));
      })
      .Case([&](math::CosOp) {
        return emitUnlessLarge(
            op, x, getSmallSine(instructions, x, /*isCosine=*/true));
      })
      .Case([&](math::TanOp) {
        return emitUnlessLarge(op, x, getSmallTan(instructions, x));
      })
      .Case([&](math::AtanOp) { return getAtan(instructions, x); })
      .Case([&](math::Atan2Op) { return getAtan2(instructions, x, *y); })
      .Case([&](math::AsinOp) { return getAsin(x); })
      .Case([&](math::AcosOp) { return getAcos(x); })
      .Default(Result());
}

} // namespace ein
