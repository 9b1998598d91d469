//===- SingleErrors.cpp - Error functions of f32 by registers -------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where an instruction looks up one of eight numbers for each lane, a function
// is a polynomial in each of eight parts of its range, whose coefficients are
// eight to a register (the idea is that of gathered tables, of which eight
// numbers need no memory: Intel's VPERMPS). The polynomials are fitted by least
// squares in 200 bits, the leading coefficients rounded first. The middles of
// the parts are numbers next to which the function is nearly one of f32.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Math/IR/Math.h"
#include "passes/llvm/math/MachineMath.h"
#include "passes/llvm/math/WideFormulas.h"
#include "passes/llvm/math/WideParts.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace ein {

using Eight = double[8];

/// c[0] + c[1] d + ..., each c of the part that `row` says.
static FormulaValue sumLookedUp(const VectorInstructions &instructions,
                                ArrayRef<Eight> coefficients, FormulaValue row,
                                FormulaValue d,
                                std::optional<FormulaValue> first = {}) {
  auto lookUp = [&](size_t power) {
    return lookUpOfEight(instructions, coefficients[power], row);
  };
  size_t power = coefficients.size() - 1;
  FormulaValue sum = lookUp(power);
  while (--power > 0)
    sum = sum * d + lookUp(power);
  return sum * d + (first ? *first : lookUp(0));
}

/// erf(n w + d), w = 17/32, |d| <= w / 2; of n = 0 less d, as of numbers next
/// to 0 the first coefficient would be rounded by most of a unit.
static constexpr Eight kErf[] = {
    {0, 0x1.1855a6p-1, 0x1.bbef1p-1, 0x1.f39bc2p-1, 0x1.fea422p-1,
     0x1.ffe96ap-1, 0x1.ffff24p-1, 0x1.fffffcp-1},
    {0x1.06eba8p-3, 0x1.b3ab06p-1, 0x1.75a93ap-2, 0x1.6c7e2ap-4, 0x1.9461bp-7,
     0x1.fe453ep-11, 0x1.6e3566p-15, 0x1.2b0452p-20},
    {-0x1.9878f8p-21, -0x1.cee5b4p-2, -0x1.8d0414p-2, -0x1.227448p-3,
     -0x1.adae68p-6, -0x1.52a244p-9, -0x1.224478p-13, -0x1.d8402ap-18},
    {-0x1.811c1cp-2, -0x1.fa2456p-4, 0x1.393844p-3, 0x1.efd2f8p-4,
     0x1.0eb5e6p-5, 0x1.1690b4p-8, 0x1.25c076p-12, 0x1.48f606p-17},
    {-0x1.89eba2p-11, 0x1.77c316p-3, 0x1.8972fcp-5, -0x1.92f284p-5,
     -0x1.af5222p-6, -0x1.3cb544p-8, -0x1.b9fdd4p-12, 0x1.1159c4p-14},
    {0x1.e5d08ap-4, -0x1.060d8p-10, -0x1.093418p-4, -0x1.74910ap-8,
     0x1.91c6eap-7, 0x1.fe594ap-9, 0x1.dc9754p-12, 0x1.a00948p-16},
    {-0x1.4b618ap-6, -0x1.865ccp-5, 0x1.3a4e88p-7, 0x1.03403ep-6, -0x1.03a0fp-9,
     -0x1.c5f044p-10, -0x1.98d438p-13, -0x1.69bb12p-11}};

/// e^(a^2) erfc(a) of a = c + d, c the first row: in halves of what is between
/// two powers of two, of 1 + 3/2 a.
static constexpr Eight kErfc[] = {
    {0x1.f3cp-1, 0x1.ac6p+0, 0x1.52dp+1, 0x1.01a8p+2, 0x1.7cd8p+2, 0x1.16d4p+3,
     0x1.6ep-3, 0x1.fap-2},
    {0x1.bca182p-2, 0x1.2e707ap-2, 0x1.9a6806p-3, 0x1.16de66p-3, 0x1.7f144ap-4,
     0x1.078084p-4, 0x1.a72484p-1, 0x1.3cc722p-1},
    {-0x1.1f798ap-2, -0x1.1e95dp-3, -0x1.1480ecp-4, -0x1.0625d6p-5,
     -0x1.f564bcp-7, -0x1.ddaf3ep-8, -0x1.aa7d5cp-1, -0x1.08aa1ep-1},
    {0x1.481182p-3, 0x1.f54c28p-5, 0x1.63a934p-6, 0x1.e0cc0ap-8, 0x1.43ffccp-9,
     0x1.ae4948p-11, 0x1.5aeca4p-1, 0x1.73fe18p-2},
    {-0x1.53a49cp-4, -0x1.99ff28p-6, -0x1.b6e9b2p-8, -0x1.aecd8p-10,
     -0x1.9daa36p-12, -0x1.813984p-14, -0x1.e5fe5ep-2, -0x1.ccacf8p-3},
    {0x1.449e5p-5, 0x1.3c7cap-7, 0x1.04d9f8p-9, 0x1.79ba66p-12, 0x1.04ed02p-14,
     0x1.56cf94p-17, 0x1.2f7618p-2, 0x1.0234ep-3},
    {-0x1.21b74ap-6, -0x1.d0eddp-9, -0x1.2b3ca6p-11, -0x1.44239p-14,
     -0x1.44a182p-17, -0x1.2efe6ap-20, -0x1.5887eap-3, -0x1.0b6b14p-4},
    {0x1.e88e54p-8, 0x1.49441ap-10, 0x1.4e7582p-13, 0x1.0e8a3p-16,
     0x1.931d1ap-20, 0x1.0a4e66p-23, 0x1.74a67ep-4, 0x1.f8eb92p-6},
    {-0x1.974908p-9, -0x1.b0088cp-12, -0x1.8032e2p-15, -0x1.d6c53p-19,
     -0x1.0b3d62p-22, -0x1.ea3b22p-27, -0x1.b0bc2cp-5, -0x1.444666p-7},
    {0x1.2cdce4p-10, 0x1.7158a4p-14, 0x1.7948fcp-17, 0x1.cfc8b2p-21,
     0x1.288ac4p-25, 0x1.b37388p-30, -0x1.9341f4p-6, 0x1.23e28cp-7}};

/// 1 from 3.93 on.
static FormulaValue getErf(const VectorInstructions &instructions,
                           FormulaValue x) {
  constexpr double kStep = 17.0 / 32, kOne = 3.95;
  constexpr Eight kIsFirst = {1, 0, 0, 0, 0, 0, 0, 0};
  constexpr int kRowBits = 3;
  FormulaValue a = x.getMagnitude().atMost(kOne);
  LimitedWhole row = roundToLimitedWhole(a * (1 / kStep), kRowBits);
  FormulaValue d = a - row.number * kStep;
  FormulaValue first = lookUpOfEight(instructions, kIsFirst, row.last) * d +
                       lookUpOfEight(instructions, kErf[0], row.last);
  return sumLookedUp(instructions, kErf, row.last, d, first).withSign(x);
}

/// e^(a^2) erfc(a), a up to 10.
static FormulaValue getScaledErfc(const VectorInstructions &instructions,
                                  FormulaValue a) {
  constexpr int64_t kHalves = 22;
  FormulaValue row = (a * 1.5 + 1).getBits().shiftRight(kHalves);
  FormulaValue d = a - lookUpOfEight(instructions, kErfc[0], row);
  return sumLookedUp(instructions, ArrayRef(kErfc).drop_front(), row, d);
}

/// e^-(square) = 2^n (1 + s).
static ScaledPower getScaledPower(FormulaValue negated, FormulaValue low) {
  constexpr double kHigh = 0.693359375, kLow = -2.12194440e-4;
  LnReduced reduced = reduceByLn2(negated, kHigh, kLow);
  FormulaValue r = reduced.high + (reduced.low - low);
  FormulaValue q = r.polynomial({0.49999988079071045, 0.166665181517601,
                                 0.041669655591249466, 0.008368960581719875,
                                 0.0013744800817221403});
  return {r * r * q + r, reduced.n};
}

/// e^(-a^2) of that; zero from 10.06 on.
static FormulaValue getAnyErfc(const VectorInstructions &instructions,
                               FormulaValue magnitude) {
  // From 10 on the result has two bits.
  constexpr double kMost = 10.2, kLast = 9.9765625;
  FormulaValue a = magnitude.atMost(kMost);
  FormulaValue p = getScaledErfc(instructions, a.atMost(kLast));
  FormulaPair square = multiplyExactly(instructions, a, a);
  return getPower(instructions, -square.hi, {83, -104, 89},
                  [&](FormulaValue negated) {
                    ScaledPower power = getScaledPower(negated, square.lo);
                    return ScaledPower{p * power.y + p, power.n};
                  });
}

/// Where the result is a normal number, nothing is clamped. Of negative
/// numbers, 2 less that of the magnitude.
static FormulaValue getErfc(const VectorInstructions &instructions,
                            FormulaValue x) {
  constexpr double kNormal = 9.1;
  constexpr int64_t kBits = 23;
  FormulaValue a = x.getMagnitude(), result = a;
  auto getAny = [&](ImplicitLocOpBuilder &b) {
    return getAnyErfc(instructions, {b, a.getValue()});
  };
  auto getNormal = [&](ImplicitLocOpBuilder &b) {
    FormulaValue some(b, a.getValue());
    FormulaValue p = getScaledErfc(instructions, some);
    FormulaPair square = multiplyExactly(instructions, some, some);
    ScaledPower power = getScaledPower(-square.hi, square.lo);
    FormulaValue bits = (p * power.y + p).getBits();
    return (bits + (power.n.integer << kBits)).asFloat();
  };
  result = isa<VectorType>(x.getType())
               ? chooseByAll(a < kNormal, getNormal, getAny)
               : getAny(x.getBuilder());
  return x.getBits().isNegative().select(-result + 2, result);
}

std::optional<FormulaValue>
emitSingleError(Operation *op, FormulaValue x,
                const VectorInstructions &instructions) {
  using Result = std::optional<FormulaValue>;
  if (!instructions.lookUps)
    return std::nullopt;
  return TypeSwitch<Operation *, Result>(op)
      .Case([&](math::ErfOp) { return getErf(instructions, x); })
      .Case([&](math::ErfcOp) { return getErfc(instructions, x); })
      .Default(Result());
}

} // namespace ein
