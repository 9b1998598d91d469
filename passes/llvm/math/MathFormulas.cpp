//===- MathFormulas.cpp - Functions as arithmetic -------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a call of libm takes one number, and a vector of them takes as many
// calls. Upstream's approximations are arithmetic, but err by more than 2 units
// in the last place (ulp), flush what is denormal, or need FMA, without which
// they call a function for each multiplication.
//
// Choice: formulas of our own, without tables and nearly without branches, so
// that a vector takes the same instructions as a number. They are those of
// every libm: an argument is reduced, a polynomial is taken, and the result is
// put together (Muller, "Elementary Functions", 3rd ed., chapters 3, 11 and 12;
// Cody and Waite, "Software Manual for the Elementary Functions", 1980). The
// polynomials are minimax ones, by Remez' algorithm for the relative error of
// the result, the leading coefficients rounded first and the others fitted to
// what that leaves.
//
//  * exp, exp2, logarithms, tanh, erf, sinh, cosh, cbrt of f32 are computed in
//    f32, and those of angles in SingleAngles.cpp; with AVX2 the
//    error functions are in SingleErrors.cpp. What is subtracted in the
//    reductions here has as few bits as make its product exact, so they do not
//    need FMA, and are no worse with it.
//  * The others of f32 are computed in f64, of which half as many fit a
//    register, and rounded once.
//
// Consequence: the errors, measured over all f32, are in
// docs/decisions/0013-functions.md; none is above 2 ulp. NaN, infinities, zeros
// of both signs and denormal numbers are what IEEE 754 and C (Annex F) want of
// them.
//
//===----------------------------------------------------------------------===//

#include "passes/llvm/math/MathFormulas.h"
#include "ir/EinDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/llvm/math/FormulaValue.h"
#include "passes/llvm/math/MachineMath.h"
#include "passes/llvm/math/WideFormulas.h"
#include "passes/llvm/math/WideParts.h"
#include "llvm/ADT/TypeSwitch.h"
#include <limits>

using namespace mlir;

namespace ein {

/// The significand's bits, and the exponent of 1.
static constexpr int64_t kBits32 = 23, kBias32 = 127;
static constexpr int64_t kBits64 = 52;
/// Multiplies by log2(e), and ln(2).
static constexpr double kLog2E = 1.4426950408889634;
static constexpr double kLn2 = 0.6931471805599453;

/// 2^n as f32.
static FormulaValue getPower32(FormulaValue n) {
  return ((n + kBias32) << kBits32).asFloat();
}

//===----------------------------------------------------------------------===//
// In f32
//===----------------------------------------------------------------------===//

/// x - n ln(2), which is exact but for what ln(2) has beyond ten bits.
static LnReduced reduceByLn2(FormulaValue x) {
  constexpr double kHigh = 0.693359375, kLow = -2.12194440e-4;
  return reduceByLn2(x, kHigh, kLow);
}

/// |r| <= ln(2) / 2; e^r = 1 + r + r^2 P(r), between 0.7 and 1.5.
static ScaledPower getScaledExp(FormulaValue x) {
  LnReduced reduced = reduceByLn2(x);
  FormulaValue r = reduced.high + reduced.low;
  FormulaValue y = r.polynomial({1, 1, 0.49999991059303284, 0.1666652113199234,
                                 0.04166889935731888, 0.00836868491023779,
                                 0.0013788692886009812});
  return {y, reduced.n};
}

/// The same of what is known not to underflow or overflow.
static FormulaValue getNormalExp(FormulaValue x) {
  ScaledPower exp = getScaledExp(x);
  return exp.y * getPower32(exp.n.integer);
}

/// Of less than -103.98, the result is zero; of more than 88.73, infinite.
static FormulaValue getExp(const VectorInstructions &instructions,
                           FormulaValue x) {
  return getPower(instructions, x, {87, -104, 89}, getScaledExp);
}

static FormulaValue getExp2(const VectorInstructions &instructions,
                            FormulaValue x) {
  return getPower(instructions, x, {125, -151, 129}, [](FormulaValue some) {
    Whole n = roundToWhole(some);
    FormulaValue r = some - n.number;
    FormulaValue y = r.polynomial(
        {1, 0.6931471824645996, 0.24022646248340607, 0.05550359562039375,
         0.009618652984499931, 0.0013390996027737856, 0.00015291698218788952});
    return ScaledPower{y, n};
  });
}

/// (e^x - 1) / 2, with s = 2^(n - 1): (s - 1/2) + s high, and the rest.
static FormulaValue getExpm1(FormulaValue x) {
  LnReduced reduced = reduceByLn2(x.atMost(89).atLeast(-18));
  FormulaValue s = getPower32(reduced.n.integer - 1);
  FormulaValue r = reduced.high + reduced.low;
  FormulaValue p = r.polynomial({0.5, 0.16666540503501892, 0.04166647791862488,
                                 0.008366821333765984, 0.0013933692825958133});
  FormulaValue rest = r * r * p + reduced.low;
  FormulaValue half = s * rest + (s * reduced.high + (s - 0.5));
  return (x.getMagnitude() < 0x1p-26).select(x, half * 2);
}

/// With 3/4 <= 1 + f < 3/2. Of what is no positive number as well, if there are
/// instructions for it.
static LogParts split(const VectorInstructions &instructions, FormulaValue x,
                      bool areUsual) {
  if (instructions.avx512)
    return splitByInstructions(instructions, x);
  constexpr int32_t kLeastBits = 0x3f400000, kExponent = 0xff800000;
  FormulaValue isDenormal = x < 0x1p-126, scaled = x;
  if (!areUsual)
    scaled = isDenormal.select(x * 0x1p23, x);
  FormulaValue bits = scaled.getBits(), above = bits - kLeastBits;
  FormulaValue e = (above >> kBits32).toNumber();
  if (!areUsual)
    e = e - isDenormal.select(x.literal(23), x.literal(0));
  return {e, (bits - (above & kExponent)).asFloat() - 1};
}

/// log(1 + f) = f - f^2 / 2 + f^3 P(f): all but f.
static FormulaValue getLogRest(FormulaValue f) {
  FormulaValue p = f.polynomial({0.3333345055580139, -0.2500010132789612,
                                 0.19990813732147217, -0.16647113859653473,
                                 0.14478668570518494, -0.131630077958107,
                                 0.10464800894260406, -0.04507432132959366});
  FormulaValue z = f * f;
  return z * f * p - z * 0.5;
}

/// ln(2) in eleven bits, and what is left.
static constexpr LogBase kNatural{LogBase::E, 1, 0, 0x1.62cp-1, 0x1.217f7ep-12};

/// e ln(2) + log(1 + f) + low. Both parts of ln(2) are positive, so that an
/// infinite e has one sum.
static FormulaValue addLogs(LogParts parts,
                            std::optional<FormulaValue> low = {}) {
  FormulaValue rest = getLogRest(parts.f) + parts.e * kNatural.twoLow;
  if (low)
    rest = rest + *low;
  return rest + parts.f + parts.e * kNatural.twoHigh;
}

static FormulaValue getLog(const VectorInstructions &instructions,
                           FormulaValue x) {
  return getLogInBranches(
      instructions, x, 0x1p-126, kInfinity,
      [&](FormulaValue some, bool areUsual) {
        if (auto log = emitLookedUpLog(instructions, some, kNatural))
          return *log;
        FormulaValue log = addLogs(split(instructions, some, areUsual));
        return finishSplitLog(instructions, some, log, areUsual);
      });
}

FormulaValue emitUsualLog(const VectorInstructions &instructions,
                          FormulaPair x) {
  if (getElementTypeOrSelf(x.hi.getType()).isF64())
    return emitWideLog(instructions, x);
  if (auto log = emitLookedUpLog(instructions, x.hi, kNatural, {}, x.lo))
    return *log;
  LogParts parts = split(/*instructions=*/{}, x.hi, /*areUsual=*/true);
  // What the sum has lost counts where nothing else is left of it.
  FormulaValue low = (parts.e == 0.0).select(x.lo, x.lo.literal(0));
  return addLogs({parts.e, parts.f + low});
}

/// Products with ln(2) / ln(base)'s first part are exact.
static FormulaValue getSomeLogOf(const VectorInstructions &instructions,
                                 FormulaValue x, LogBase base, bool areUsual) {
  if (auto log = emitLookedUpLog(instructions, x, base))
    return *log;
  LogParts parts = split(instructions, x, areUsual);
  FormulaValue low =
      getLogRest(parts.f) * base.inverseHigh + parts.f * base.inverseLow;
  FormulaValue e = parts.e;
  if (base.twoLow != 0) {
    low = low + e * base.twoLow;
    e = e * base.twoHigh;
  }
  FormulaValue inverse = x.literal(base.inverseHigh);
  if (instructions.fma)
    return finishSplitLog(instructions, x, parts.f.fuse(inverse, low) + e,
                          areUsual);
  FormulaPair product = multiplyExactly(instructions, parts.f, inverse);
  FormulaValue log = product.hi + e + (product.lo + low);
  return finishSplitLog(instructions, x, log, areUsual);
}

static FormulaValue getLogOf(const VectorInstructions &instructions,
                             FormulaValue x, LogBase base) {
  return getLogInBranches(instructions, x, 0x1p-126, kInfinity,
                          [&](FormulaValue some, bool areUsual) {
                            return getSomeLogOf(instructions, some, base,
                                                areUsual);
                          });
}

static FormulaValue getLog2(const VectorInstructions &instructions,
                            FormulaValue x) {
  return getLogOf(instructions, x,
                  {LogBase::Two, 0x1.715476p+0, 0x1.4ae0cp-26, 1, 0});
}
static FormulaValue getLog10(const VectorInstructions &instructions,
                             FormulaValue x) {
  return getLogOf(instructions, x,
                  {LogBase::Ten, 0x1.bcb7b2p-2, -0x1.5b235ep-27, 0x1.344p-2,
                   0x1.3509f8p-18});
}

/// log(u) + c / u.
static FormulaValue getLog1p(const VectorInstructions &instructions,
                             FormulaValue x) {
  return getLog1pBy(instructions, x, 0x1p-26, 0x1p30,
                    [&](FormulaValue u, FormulaValue c, bool areUsual) {
                      if (auto log =
                              emitLookedUpLog(instructions, u, kNatural, c))
                        return *log;
                      return addLogs(split(instructions, u, areUsual), c);
                    });
}

/// With h = (e^2|x| - 1) / 2, which loses no digits near zero: h / (h + 1),
/// which is 1 from 9.02 on. 2|x| = n ln(2) + 2r, (e^2r - 1) / 2 = r + r^2 P(r).
/// Of a small h the divisor loses bits; what the quotient leaves of h says what
/// they were worth.
static FormulaValue getTanh(const VectorInstructions &instructions,
                            FormulaValue x) {
  constexpr double kOne = 9.02, kShift = 0x1.8p23 + kBias32;
  FormulaValue a = x.getMagnitude().atMost(kOne);
  // n in the last bits, as the exponent wants it.
  FormulaValue sum = a * (2 * kLog2E) + kShift;
  FormulaValue power = (sum.getBits() << kBits32).asFloat();
  FormulaValue r = a - (sum - kShift) * (kLn2 / 2);
  FormulaValue p =
      r.polynomial({0.9999999403953552, 0.6666618585586548, 0.33333948254585266,
                    0.13386018574237823, 0.04438610374927521});
  p = r * r * p + r;
  FormulaValue h = power * p + (power * 0.5 - 0.5), divisor = h + 1;
  if (instructions.avx512) {
    FormulaValue inverse = estimateReciprocal(instructions, divisor);
    FormulaValue q = h * inverse, rest = (-q).fuse(h, h - q);
    return (rest * inverse + q).withSign(x);
  }
  // 1 / (h + 1) = 1 - h / (h + 1).
  FormulaValue q = h / divisor, rest = (h - q) - q * h;
  rest = (h < 1.0).select(rest, rest.literal(0));
  return (rest * (-q + 1) + q).withSign(x);
}

/// x + x P(x^2) up to 0.92, then 1 - e^(-x - x P(x)), which is 1 from 3.93 on.
static FormulaValue getErf(FormulaValue x) {
  constexpr double kMiddle = 0.92, kOne = 4;
  FormulaValue a = x.getMagnitude(), z = x * x;
  FormulaValue p = z.polynomial({0.12837916612625122, -0.3761262893676758,
                                 0.11283625662326813, -0.02685573138296604,
                                 0.005192405078560114, -0.0008049769676290452,
                                 7.99664921942167e-05});
  FormulaValue small = a * p + a;
  FormulaValue t = a.atMost(kOne);
  FormulaValue q = t.polynomial({0.12864848971366882, 0.6351513266563416,
                                 0.10623684525489807, -0.023762019351124763,
                                 0.0036424295976758003, -0.0003227940178476274,
                                 1.1230012205487583e-05});
  FormulaValue large = -getNormalExp(-(t * q + t)) + 1;
  return (a < kMiddle).select(small, large).withSign(x);
}

//===----------------------------------------------------------------------===//
// In f64
//===----------------------------------------------------------------------===//

/// The binary logarithm of a normal positive number: x = 2^e m as above,
/// s = (m - 1) / (m + 1); log2(m) = s P(s^2), with a relative error of 2^-45.
static FormulaValue getWideLog2(FormulaValue x) {
  constexpr int64_t kRootBits = 0x3fe6a09e667f3bcd, kExponent = 0xfffll << 52,
                    kOffset = int64_t(1) << 62;
  FormulaValue bits = x.getBits();
  FormulaValue above = bits - kRootBits + kOffset;
  FormulaValue m = (bits - ((above & kExponent) - kOffset)).asFloat();
  // The exponent, 1024 too large, as the last bits of 2^52.
  FormulaValue e = (above.shiftRight(kBits64) | 0x4330000000000000).asFloat() -
                   (0x1p52 + 1024);
  FormulaValue s = (m - 1) / (m + 1);
  FormulaValue p = (s * s).polynomial(
      {2.885390081777849, 0.9617966941151967, 0.5770779417648786,
       0.4122093190596404, 0.31990274360733156, 0.2829450788808854});
  return s * p + e;
}

namespace {
/// 2^x as (1 + y) * 2^n.
struct Power {
  FormulaValue y, n;
};
} // namespace

/// 2^x, |x| < 1000, with a relative error of 2^-34; exact of integers.
static Power getWidePower(FormulaValue x) {
  Whole n = roundToWhole(x);
  FormulaValue r = x - n.number;
  FormulaValue p = r.polynomial({0.6931471807047198, 0.24022651067023607,
                                 0.055504103654808554, 0.00961803805736491,
                                 0.0013333935297580022, 0.0001546678211505086,
                                 1.5196146217690257e-05});
  return {r * p, getPower64(n.integer)};
}

/// e^(-x^2) P((x - 3) / (x + 3)) of positive numbers, which is zero from 10.06
/// on, and 2 less that of negative ones. The square is exact.
static FormulaValue getErfc(FormulaValue x) {
  FormulaValue a = x.getMagnitude().atMost(10.1).toF64();
  Power power = getWidePower(a * a * -kLog2E);
  FormulaValue u = (a - 3) / (a + 3);
  FormulaValue p = u.polynomial(
      {0.17900115126023672, -0.32623356382654045, 0.24560379806321594,
       -0.15011578165329673, 0.0716658558482439, -0.02439423841814547,
       0.0042689192702941225, 0.0007157873687048737, -0.0005946260752393373,
       2.875671426396865e-05, 5.586319639872179e-05});
  FormulaValue result = p * ((power.y + 1) * power.n);
  return (x < 0.0).select(-result + 2, result).toF32();
}

/// x^y = 2^(y log2 |x|), with the sign of x if y is odd.
static FormulaValue getPow(FormulaValue x, FormulaValue y) {
  constexpr int64_t kSign = std::numeric_limits<int32_t>::min();
  FormulaValue a = x.getMagnitude().toF64(), exponent = y.toF64();
  FormulaValue log = (a < kInfinity).select(getWideLog2(a), a);
  log = (a == 0.0).select(a.literal(-kInfinity), log);
  // x^0 and 1^y are 1, whatever the other one.
  FormulaValue t = log * exponent;
  t = (exponent == 0.0).select(t.literal(0), t);
  t = (log == 0.0).select(t.literal(0), t);
  Power power = getWidePower(t.atMost(200).atLeast(-200));
  FormulaValue result = ((power.y + 1) * power.n).toF32();

  // From 2^24 on all numbers are even.
  FormulaValue isLarge = y.getMagnitude() > 0x1.fffffep23;
  Whole whole = roundToWhole(exponent);
  FormulaValue isWhole = isLarge | (whole.number == exponent);
  FormulaValue isOdd =
      isLarge.select(isLarge.literal(0), isWhole & ((whole.integer & 1) == 1));
  FormulaValue sign = (x.getBits() & kSign);
  sign = isOdd.select(sign, sign.literal(0));
  result = (result.getBits() ^ sign).asFloat();
  FormulaValue isNegative = (x < 0.0) & (x > -kInfinity);
  return isNegative.select(isWhole.select(result, result.literal(kNaN)),
                           result);
}

//===----------------------------------------------------------------------===//
// Hyperbolic functions, and roots
//===----------------------------------------------------------------------===//

/// e^x / 2 of a positive x.
static FormulaValue getHalfExp(const VectorInstructions &instructions,
                               FormulaValue x) {
  ScaledPower exp = getScaledExp(x.atMost(90));
  if (hasAVX512(instructions, x))
    return scaleByPower(instructions, exp.y, exp.n.number - 1);
  // 2^n may be too large for a number, but a fourth of it is one.
  return exp.y * getPower32(exp.n.integer - 2) * 2;
}

namespace {
/// What is left of |x| = n ln(2) + r: r to some bits, sinh(r) less that, and
/// cosh(r) - 1; and n.
struct HyperbolicParts {
  FormulaValue high, sineRest, cosineRest, n;
};
} // namespace

/// sinh(n ln(2)) cosh(r) + cosh(n ln(2)) sinh(r): without a division. Near zero
/// it is sinh(r). Where 2^(-n - 1) may be denormal, in a branch, it is half of
/// e^x in two steps.
static FormulaValue getSinh(const VectorInstructions &instructions,
                            FormulaValue x) {
  constexpr double kLarge = 86, kMost = 89.5;
  ImplicitLocOpBuilder &b = x.getBuilder();
  FormulaValue a = x.getMagnitude();
  auto get = [](FormulaValue of) {
    LnReduced reduced = reduceByLn2(of);
    FormulaValue r = reduced.high + reduced.low, z = r * r;
    FormulaValue p = z.polynomial({0.16666540503501892, 0.008366838097572327});
    FormulaValue q =
        z.polynomial({0.5, 0.04166645556688309, 0.0013935775496065617});
    return HyperbolicParts{reduced.high, z * p * r + reduced.low, z * q,
                           reduced.n.integer};
  };
  HyperbolicParts parts = get(a);
  FormulaValue shifted = parts.n << kBits32;
  FormulaValue half = shifted.literal((kBias32 - 1) << kBits32);
  FormulaValue power = (half + shifted).asFloat(),
               inverse = (half - shifted).asFloat();
  FormulaValue sine = power - inverse, cosine = power + inverse;
  FormulaValue rest = cosine * parts.sineRest + sine * parts.cosineRest;
  FormulaValue result = sine + (cosine * parts.high + rest);
  FormulaValue isLarge = a > kLarge;
  auto branch = scf::IfOp::create(
      b, isAnySet(instructions, {isLarge}),
      [&](OpBuilder &inner, Location loc) {
        ImplicitLocOpBuilder then(loc, inner);
        HyperbolicParts of =
            get(FormulaValue(then, a.getValue()).atMost(kMost));
        FormulaValue part = getPower32(of.n - 2);
        FormulaValue less = of.high + (of.sineRest + of.cosineRest);
        FormulaValue large = (part * less + part) * 2;
        FormulaValue all = FormulaValue(then, isLarge.getValue())
                               .select(large, {then, result.getValue()});
        scf::YieldOp::create(then, all.getValue());
      },
      [&](OpBuilder &inner, Location loc) {
        scf::YieldOp::create(inner, loc, result.getValue());
      });
  return FormulaValue(b, branch.getResult(0)).withSign(x);
}

static FormulaValue getCosh(const VectorInstructions &instructions,
                            FormulaValue x) {
  FormulaValue h = getHalfExp(instructions, x.getMagnitude());
  return h + h.literal(0.25) / h;
}

/// a^(-1/3) by the bits, as of f64; then the root, less what its cube is more
/// than a. Of normal numbers, 0 and NaN.
static FormulaValue getUsualRoot(FormulaValue a) {
  constexpr int64_t kLower = 8, kWhole = 0x4b000000;
  constexpr double kThird = 1.0 / 3, kStart = 1419900529.0 / 256;
  // The upper bits, behind 2^23.
  FormulaValue upper = (a.getBits().shiftRight(kLower) | kWhole).asFloat();
  FormulaValue start = upper * -kThird + (kStart + 0x1p23 * (1 + kThird));
  FormulaValue y = (start.getBits() << kLower).asFloat();
  FormulaValue e = -(a * y * y * y) + 1;
  y = y * e.polynomial(
              {0.9999962449073792, 0.3347044885158539, 0.22394907474517822});
  FormulaValue square = y * y, root = a * square;
  return root - (root.times(root) * root - a) * (square * kThird);
}

/// The estimate's inverse square is x (1 - e), so that the inverse root is the
/// estimate times 1 + e / 2 + 3/8 e^2 + ...: to 27 bits of f32, and all of f64.
/// Of zeros, infinity, and what has no root, the estimate is right and e is
/// NaN.
static FormulaValue getInverseRoot(const VectorInstructions &instructions,
                                   FormulaValue x) {
  FormulaValue y = estimateInverseRoot(instructions, x), root = x * y;
  FormulaValue e = (-root).fuse(y, y.literal(1));
  FormulaValue part = getElementTypeOrSelf(x.getType()).isF32()
                          ? e.literal(0.5)
                          : e.polynomial({0.5, 0.375, 0.3125});
  return (e < kInfinity).select((y * e).fuse(part, y), y);
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

/// By way of f64, if there is none of f32.
static FormulaValue emitByWide(Operation *op, FormulaValue x,
                               std::optional<FormulaValue> y,
                               const VectorInstructions &instructions) {
  bool isSingle = getElementTypeOrSelf(x.getType()).isF32();
  if (isSingle) {
    x = x.toF64();
    if (y)
      y = y->toF64();
  }
  std::optional<FormulaValue> result = emitWidePower(op, x, y, instructions);
  if (!result)
    result = emitWideAngle(op, x, y, instructions);
  assert(result && "a function without a formula");
  return isSingle ? result->toF32() : *result;
}

Value emitFormula(ImplicitLocOpBuilder &b, Operation *op, ValueRange operands,
                  const VectorInstructions &instructions) {
  FormulaValue x(b, operands[0]);
  std::optional<FormulaValue> y;
  if (operands.size() > 1)
    y.emplace(b, operands[1]);
  if (isa<math::RsqrtOp>(op))
    return getInverseRoot(instructions, x).getValue();
  if (isa<LogSumOp>(op))
    return emitUsualLog(instructions, {x, *y}).getValue();
  if (!getElementTypeOrSelf(x.getType()).isF32())
    return emitByWide(op, x, y, instructions).getValue();
  if (std::optional<FormulaValue> error = emitSingleError(op, x, instructions))
    return error->getValue();
  FormulaValue result =
      TypeSwitch<Operation *, FormulaValue>(op)
          .Case([&](math::ExpOp) { return getExp(instructions, x); })
          .Case([&](math::Exp2Op) { return getExp2(instructions, x); })
          .Case([&](math::ExpM1Op) { return getExpm1(x); })
          .Case([&](math::LogOp) { return getLog(instructions, x); })
          .Case([&](math::Log2Op) { return getLog2(instructions, x); })
          .Case([&](math::Log10Op) { return getLog10(instructions, x); })
          .Case([&](math::Log1pOp) { return getLog1p(instructions, x); })
          .Case([&](math::TanhOp) { return getTanh(instructions, x); })
          .Case([&](math::ErfOp) { return getErf(x); })
          .Case([&](math::ErfcOp) { return getErfc(x); })
          .Case([&](math::SinhOp) { return getSinh(instructions, x); })
          .Case([&](math::CoshOp) { return getCosh(instructions, x); })
          .Case([&](math::CbrtOp) {
            return getCubeRoot(instructions, x, {0x1p-120, 0x1p48, 0x1p-16},
                               getUsualRoot);
          })
          .Case([&](math::PowFOp) { return getPow(x, *y); })
          .Default([&](Operation *) {
            std::optional<FormulaValue> angle =
                emitSingleAngle(op, x, y, instructions);
            return angle ? *angle : emitByWide(op, x, y, instructions);
          });
  return result.getValue();
}

} // namespace ein
