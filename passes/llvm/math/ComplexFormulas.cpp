//===- ComplexFormulas.cpp - Functions of complex numbers -----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each is arithmetic and functions of the parts, without a branch, as C99's
// annex G has it for infinities, NaN and signed zeros; `pow` as far as it is
// exp(w log z).
//
//  * Of numbers of middle magnitude, magnitudes, roots, quotients, powers and
//    logarithms need nothing else than their formulas. A quotient is a product
//    with the inverse, which is a product with the inverse of a sum of squares.
//    Others are rare, which is what `hasRare` says of them.
//  * Of any magnitude, magnitudes, roots, and logarithms scale both parts by a
//    power of two, which is exact, so that no square overflows or vanishes.
//  * A logarithm's real part is that of x^2 + y^2, half of it. Next to the unit
//    circle x^2 + y^2 - 1 is computed with its rounding errors: the logarithm
//    has no digits otherwise. Of usual numbers it is an op, as its formula is
//    another one on machines that look up logarithms in registers.
//  * An exponential that overflows before it is multiplied by a small sine or
//    cosine is computed smaller.
//  * Quotients are Smith's ("Algorithm 116: Complex division", CACM 5, 1962).
//
//===----------------------------------------------------------------------===//

#include "passes/llvm/math/ComplexFormulas.h"
#include "ir/EinDialect.h"
#include "passes/llvm/math/WideFormulas.h"
#include "passes/llvm/math/WideParts.h"
#include "llvm/ADT/bit.h"

using namespace mlir;

namespace ein {
namespace {

constexpr double kLn2 = 0x1.62e42fefa39efp-1;

/// What is known of a floating-point type.
struct Format {
  int64_t bits; // of the significand that are stored
  int64_t bias;
  int64_t exponentMask;
  double leastNormal;
};

Format getFormat(FormulaValue x) {
  if (getElementTypeOrSelf(x.getType()).isF32())
    return {23, 127, 0x7f800000, 0x1p-126};
  return {52, 1023, 0x7ff0000000000000, 0x1p-1022};
}

FormulaValue getLarger(FormulaValue x, FormulaValue y) {
  return (x > y).select(x, y);
}
FormulaValue getLesser(FormulaValue x, FormulaValue y) {
  return (x > y).select(y, x);
}
FormulaValue isNaN(FormulaValue x) {
  return {x.getBuilder(),
          arith::CmpFOp::create(x.getBuilder(), arith::CmpFPredicate::UNO,
                                x.getValue(), x.getValue())};
}
FormulaValue isInfinite(FormulaValue x) {
  return x.getMagnitude() == kInfinity;
}

/// A power of two, and its inverse.
struct Scale {
  FormulaValue power, inverse;
  /// The exponent, biased, in its place.
  FormulaValue bits;
};

/// Whether both parts are zero, of either sign.
FormulaValue isZero(FormulaComplex z) {
  return ((z.re.getBits() | z.im.getBits()) << 1) == int64_t(0);
}

/// The power of two that is next below `x`, but a normal number whose inverse
/// is one. With `isEven` its exponent is even: the biased one is odd.
Scale getScale(FormulaValue x, bool isEven = false) {
  Format format = getFormat(x);
  int64_t one = int64_t(1) << format.bits;
  int64_t mask = format.exponentMask, most = 2 * format.bias - 1;
  FormulaValue least = x.literal(format.leastNormal);
  FormulaValue clamped = (x > least).select(x, least);
  FormulaValue bits = clamped.getBits();
  bits = isEven ? ((bits - one) & (mask & ~one)) + one : bits & mask;
  // Infinity has the exponent after the last.
  FormulaValue largest = bits.literal(most * one);
  FormulaValue isMore = {
      bits.getBuilder(),
      arith::CmpIOp::create(bits.getBuilder(), arith::CmpIPredicate::sgt,
                            bits.getValue(), largest.getValue())};
  bits = isMore.select(largest, bits);
  return {bits.asFloat(),
          (bits.literal(2 * format.bias * one) - bits).asFloat(), bits};
}

FormulaComplex scale(FormulaComplex z, FormulaValue by) {
  return {z.re * by, z.im * by};
}

/// The bits of a number as an integer.
int64_t getBitsOf(Format format, double number) {
  return format.bits == 23
             ? int64_t(llvm::bit_cast<uint32_t>(static_cast<float>(number)))
             : llvm::bit_cast<int64_t>(number);
}

/// Whether `x`, which has no sign, is less than `least`, more than `most`, or
/// NaN. Of signed integers a comparison is one instruction.
FormulaValue isBeyond(FormulaValue x, double least, double most) {
  Format format = getFormat(x);
  uint64_t first = getBitsOf(format, least), last = getBitsOf(format, most);
  ImplicitLocOpBuilder &b = x.getBuilder();
  FormulaValue bits = x.getBits();
  auto wrap = [&](uint64_t number) {
    return format.bits == 23 ? int64_t(static_cast<int32_t>(number))
                             : static_cast<int64_t>(number);
  };
  auto isMore = [&](FormulaValue number, uint64_t bound) -> FormulaValue {
    return {b, arith::CmpIOp::create(b, arith::CmpIPredicate::sgt,
                                     number.getValue(),
                                     bits.literal(wrap(bound)).getValue())};
  };
  if (first == 0)
    return isMore(bits, last);
  // What is less, and what has a sign, is more then.
  uint64_t lowest = uint64_t(1) << (format.bits == 23 ? 31 : 63);
  return isMore(bits + bits.literal(wrap(lowest - first)),
                lowest + (last - first));
}

/// Whether a sum of two squares may have no digits, or is not finite: what
/// vanishes beside it does not count.
FormulaValue isRareSum(FormulaValue sum) {
  bool isSingle = getFormat(sum).bits == 23;
  return isBeyond(sum, isSingle ? 0x1p-90 : 0x1p-900,
                  isSingle ? 0x1.fffffep127 : 0x1.fffffffffffffp1023);
}

struct Squares {
  FormulaValue sum, isRare;
};

Squares getSquares(FormulaComplex z) {
  FormulaValue sum = z.re * z.re + z.im * z.im;
  return {sum, isRareSum(sum)};
}

/// Few numbers are `rare`.
FormulaValue selectRare(FormulaValue isRare, FormulaValue rare,
                        FormulaValue usual) {
  FormulaValue result = isRare.select(rare, usual);
  result.getValue().getDefiningOp()->setAttr(EinDialect::kSeldomAttr,
                                             isRare.getBuilder().getUnitAttr());
  return result;
}

} // namespace

FormulaValue getArgument(FormulaComplex z) {
  ImplicitLocOpBuilder &b = z.re.getBuilder();
  return {b, math::Atan2Op::create(b, z.im.getValue(), z.re.getValue())};
}

static FormulaValue getAnyMagnitude(FormulaComplex z) {
  FormulaValue x = z.re.getMagnitude(), y = z.im.getMagnitude();
  Scale scaling = getScale(getLarger(x, y));
  FormulaComplex small = scale({x, y}, scaling.inverse);
  FormulaValue root = (small.re * small.re + small.im * small.im).getRoot();
  FormulaValue isEndless = (x == kInfinity) | (y == kInfinity);
  return isEndless.select(x.literal(kInfinity), root * scaling.power);
}

FormulaValue getMagnitude(FormulaComplex z, bool hasRare) {
  if (!hasRare)
    return getAnyMagnitude(z);
  Squares squares = getSquares(z);
  return selectRare(squares.isRare, getAnyMagnitude(z), squares.sum.getRoot());
}

static FormulaComplex getAnyQuotient(FormulaComplex x, FormulaComplex y) {
  FormulaValue isSteep = y.im.getMagnitude() > y.re.getMagnitude();
  FormulaValue large = isSteep.select(y.im, y.re);
  FormulaValue small = isSteep.select(y.re, y.im);
  FormulaValue along = isSteep.select(x.im, x.re);
  FormulaValue across = isSteep.select(x.re, x.im);
  FormulaValue ratio = small / large;
  FormulaValue inverse = ratio.literal(1) / (large + small * ratio);
  FormulaValue re = (along + across * ratio) * inverse;
  FormulaValue im = (across - along * ratio) * inverse;
  return {re, isSteep.select(-im, im)};
}

FormulaComplex getQuotient(FormulaComplex x, FormulaComplex y, bool hasRare) {
  if (!hasRare)
    return getAnyQuotient(x, y);
  bool isSingle = getFormat(y.re).bits == 23;
  FormulaValue sum = y.re * y.re + y.im * y.im;
  // Neither the sum nor its inverse has lost digits. What the quotient's parts
  // overflow or vanish by, they do with any formula.
  FormulaValue isRare =
      isBeyond(sum, isSingle ? 0x1p-90 : 0x1p-900, isSingle ? 0x1p90 : 0x1p900);
  FormulaValue inverse = sum.literal(1) / sum;
  FormulaComplex factor = scale(y, inverse);
  FormulaValue re = x.re * factor.re + x.im * factor.im;
  FormulaValue im = x.im * factor.re - x.re * factor.im;
  FormulaComplex any = getAnyQuotient(x, y);
  return {selectRare(isRare, any.re, re), selectRare(isRare, any.im, im)};
}

/// Of any exponent, with the angle's cosine and sine.
static FormulaComplex getAnyExp(FormulaComplex z, FormulaValue cos,
                                FormulaValue sin) {
  ImplicitLocOpBuilder &b = z.re.getBuilder();
  // Above `most` the exponential is computed e^shift smaller; factor^2 is that
  // to 16 bits more than the type has, and what is left of the number is exact.
  bool isNarrow = getElementTypeOrSelf(z.re.getType()).isF32();
  double most = isNarrow ? 88 : 709;
  double shift = isNarrow ? 104.741455078125 : 0x1.748000000f97p+9;
  double factorOfShift = isNarrow ? 0x1.781ab2p+75 : 0x1.52b5847b44312p+537;
  FormulaValue isLarge = z.re > most;
  FormulaValue reduced =
      z.re - isLarge.select(z.re.literal(shift), z.re.literal(0));
  FormulaValue factor =
      isLarge.select(z.re.literal(factorOfShift), z.re.literal(1));
  FormulaValue power = {b, math::ExpOp::create(b, reduced.getValue())};
  // An endless real part has the last say, where the angle is none.
  FormulaValue hasNoAngle = isNaN(cos);
  FormulaValue one = z.re.literal(1);
  cos = (hasNoAngle & isInfinite(z.re)).select(one, cos);
  sin = (hasNoAngle & (z.re == -kInfinity)).select(one, sin);
  FormulaValue re = cos * factor * power * factor;
  FormulaValue im = sin * factor * power * factor;
  return {re, (z.im == 0.0).select(z.im, im)};
}

FormulaComplex getExp(FormulaComplex z, bool hasRare) {
  ImplicitLocOpBuilder &b = z.re.getBuilder();
  FormulaValue cos = {b, math::CosOp::create(b, z.im.getValue())};
  FormulaValue sin = {b, math::SinOp::create(b, z.im.getValue())};
  FormulaComplex any = getAnyExp(z, cos, sin);
  if (!hasRare)
    return any;
  // Powers that are normal numbers, however small a sine is.
  bool isSingle = getFormat(z.re).bits == 23;
  FormulaValue isRare = isBeyond(z.re.getMagnitude(), 0, isSingle ? 87 : 708);
  FormulaValue power = {b, math::ExpOp::create(b, z.re.getValue())};
  return {selectRare(isRare, any.re, cos * power),
          selectRare(isRare, any.im, sin * power)};
}

/// x^2 + y^2, for |x| >= |y|, as a sum and its rounding error.
static FormulaPair getSumOfSquares(const VectorInstructions &instructions,
                                   FormulaValue x, FormulaValue y) {
  if (instructions.fma) {
    // As the first square is the larger one, the sum's difference with it is
    // exact.
    FormulaValue square = x.times(x), sum = y.fuse(y, square);
    FormulaValue low = y.fuse(y, square.minus(sum));
    return {sum, low.plus(x.fuse(x, -square))};
  }
  FormulaPair squareX = multiplyExactly(instructions, x, x);
  FormulaPair squareY = multiplyExactly(instructions, y, y);
  FormulaPair sum = addSmaller(squareX.hi, squareY.hi);
  return {sum.hi, squareX.lo.plus(squareY.lo).plus(sum.lo)};
}

/// The logarithm of the magnitude, whatever that is.
static FormulaValue getAnyLog(const VectorInstructions &instructions,
                              FormulaComplex z) {
  ImplicitLocOpBuilder &b = z.re.getBuilder();
  Format format = getFormat(z.re);
  FormulaValue x = z.re.getMagnitude(), y = z.im.getMagnitude();
  FormulaValue large = getLarger(x, y), less = getLesser(x, y);
  // What is not normal has bits in front of its first one.
  double lift = format.bits == 23 ? 0x1p32 : 0x1p64;
  FormulaValue isTiny = large < format.leastNormal * lift;
  FormulaValue up = isTiny.select(large.literal(lift), large.literal(1));
  Scale scaling = getScale(large * up);
  FormulaComplex small = scale({large * up, less * up}, scaling.inverse);
  FormulaValue sum = small.re * small.re + small.im * small.im;
  FormulaValue exponent =
      scaling.bits.shiftRight(format.bits) -
      isTiny.select(scaling.bits.literal(format.bias +
                                         int64_t(format.bits == 23 ? 32 : 64)),
                    scaling.bits.literal(format.bias));
  FormulaValue number = {
      b, arith::SIToFPOp::create(b, large.getType(), exponent.getValue())};
  // Next to the unit circle.
  FormulaValue square = large * large + less * less;
  FormulaValue isNear = (square > 0.5) & (square < 2.0);
  FormulaPair squares = getSumOfSquares(instructions, large, less);
  // The sum's difference with one is exact, as a square's need not be.
  FormulaValue lessOne = squares.hi.minus(large.literal(1)).plus(squares.lo);
  FormulaValue rest = isNear.select(lessOne, sum - large.literal(1));
  number = isNear.select(number.literal(0), number);
  FormulaValue log = {b, math::Log1pOp::create(b, rest.getValue())};
  FormulaValue re = log * 0.5 + number * kLn2;
  FormulaValue isEndless = (x == kInfinity) | (y == kInfinity);
  return isEndless.select(re.literal(kInfinity), re);
}

FormulaComplex getLog(const VectorInstructions &instructions, FormulaComplex z,
                      bool hasRare) {
  if (!hasRare)
    return {getAnyLog(instructions, z), getArgument(z)};
  // Compared as the angle compares them.
  FormulaValue x = z.re.getMagnitude(), y = z.im.getMagnitude();
  FormulaPair squares =
      getSumOfSquares(instructions, getLarger(y, x), getLesser(y, x));
  FormulaValue log = {z.re.getBuilder(),
                      LogSumOp::create(z.re.getBuilder(), squares.hi.getValue(),
                                       squares.lo.getValue())};
  FormulaValue re = log * 0.5;
  return {selectRare(isRareSum(squares.hi), getAnyLog(instructions, z), re),
          getArgument(z)};
}

static FormulaComplex getAnySqrt(FormulaComplex z) {
  Format format = getFormat(z.re);
  int64_t one = int64_t(1) << format.bits;
  FormulaValue x = z.re.getMagnitude(), y = z.im.getMagnitude();
  Scale scaling = getScale(getLarger(x, y), /*isEven=*/true);
  FormulaComplex small = scale({x, y}, scaling.inverse);
  FormulaValue isEndless = (x == kInfinity) | (y == kInfinity);
  FormulaValue magnitude =
      isEndless.select(x.literal(kInfinity),
                       (small.re * small.re + small.im * small.im).getRoot());
  FormulaValue larger = ((small.re + magnitude) * 0.5).getRoot();
  FormulaValue lesser = small.im / (larger + larger);
  FormulaValue isZero = (x == 0.0) & (y == 0.0);
  lesser = isZero.select(larger, lesser);
  // The root of an even power of two.
  FormulaValue power =
      (((scaling.bits - format.bias * one) >> 1) + format.bias * one).asFloat();
  larger = larger * power;
  lesser = lesser * power;
  FormulaValue isLeft = z.re < 0.0;
  FormulaValue re = isLeft.select(lesser, larger);
  FormulaValue im = isLeft.select(larger, lesser).copySign(z.im);
  FormulaValue isSteep = y == kInfinity;
  return {isSteep.select(y, re), isSteep.select(z.im, im)};
}

/// Both parts without a sign, the larger one first. Where the inverse of a root
/// is estimated, they are products with that in place of a root and a division.
static std::pair<FormulaValue, FormulaValue>
getUsualRoots(const VectorInstructions &instructions, FormulaComplex z,
              FormulaValue magnitude) {
  ImplicitLocOpBuilder &b = z.re.getBuilder();
  FormulaValue square = (z.re.getMagnitude() + magnitude) * 0.5;
  FormulaValue across = z.im.getMagnitude();
  if (!instructions.avx512) {
    FormulaValue larger = square.getRoot();
    return {larger, across / (larger + larger)};
  }
  FormulaValue inverse = {b, math::RsqrtOp::create(b, square.getValue())};
  // Half of the smallest numbers is zero, or not exact.
  return {square * inverse, across * (inverse * 0.5)};
}

FormulaComplex getSqrt(const VectorInstructions &instructions, FormulaComplex z,
                       bool hasRare) {
  if (!hasRare)
    return getAnySqrt(z);
  Squares squares = getSquares(z);
  FormulaComplex any = getAnySqrt(z);
  auto [larger, lesser] = getUsualRoots(instructions, z, squares.sum.getRoot());
  FormulaValue isLeft = z.re < 0.0;
  FormulaValue re = isLeft.select(lesser, larger);
  FormulaValue im = isLeft.select(larger, lesser).withSign(z.im);
  return {selectRare(squares.isRare, any.re, re),
          selectRare(squares.isRare, any.im, im)};
}

static FormulaComplex multiply(FormulaComplex x, FormulaComplex y) {
  return {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}

FormulaComplex getPower(const VectorInstructions &instructions,
                        FormulaComplex z, FormulaComplex w, bool hasRare) {
  FormulaComplex power =
      getExp(multiply(w, getLog(instructions, z, hasRare)), hasRare);
  FormulaValue zero = z.re.literal(0), one = z.re.literal(1);
  // A power of zero is zero if it is a root of it, and one if it has no factor.
  FormulaValue isOfZero = isZero(z), isNone = isZero(w);
  FormulaValue isRoot = isOfZero & (w.re > 0.0);
  FormulaValue re = isNone.select(one, isRoot.select(zero, power.re));
  FormulaValue im = isNone.select(zero, isRoot.select(zero, power.im));
  if (!hasRare)
    return {re, im};
  FormulaValue isRare = isOfZero | isNone;
  return {selectRare(isRare, re, power.re), selectRare(isRare, im, power.im)};
}

} // namespace ein
