//===- LookedUpPowers.cpp - Exponentials of f64 by registers --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 2^(n / k + r) is 2^floor(n / k) times one of k numbers, which an instruction
// looks up in a register, times 2^r, whose polynomial is the shorter the larger
// k is (Tang, "Table-Driven Implementation of the Exponential Function in IEEE
// Floating-Point Arithmetic", ACM Transactions on Mathematical Software 15,
// 1989). AVX-512 has eight numbers, which is 5 coefficients of 11 less; AVX2
// has two, which is 2 less. The result errs by the rounding of the number that
// was looked up and by its own, and by little more, as r is small.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Math/IR/Math.h"
#include "passes/llvm/math/MachineMath.h"
#include "passes/llvm/math/WideFormulas.h"
#include "passes/llvm/math/WideParts.h"

using namespace mlir;

namespace ein {

static constexpr int64_t kBits = 52;

namespace {
/// The powers of 2 by multiples of 1 / k, k the number of them, a power of two
/// itself; and the polynomials P of e^r = 1 + r + r^2 P(r) and 2^r = 1 + r
/// P(r), fitted to half of a multiple.
struct PowerTable {
  ArrayRef<double> powers, exp, exp2;
  int logOfSize;
};

/// 2^(n / k) (1 + rest): n / k; n as the last bits; and what is looked up.
struct LookedUp {
  FormulaValue rest, number, bits, power;
};
} // namespace

static constexpr double kOfTwo[] = {1, 0x1.6a09e667f3bcdp+0};
static constexpr double kExpOfTwo[] = {
    0.4999999999999844,     0.16666666666666347,   0.041666666671721565,
    0.008333333334096953,   0.0013888883801348576, 0.00019841263645413603,
    2.4821758590920472e-05, 2.7578187831515784e-06};
static constexpr double kExp2OfTwo[] = {
    0.6931471805599453,     0.2402265069590933,     0.05550410866482359,
    0.009618129108787897,   0.0013333558146300108,  0.0001540352476913913,
    1.5252731453182566e-05, 1.3226221176404413e-06, 1.0184280888934977e-07};

static constexpr double kOfEight[] = {1,
                                      0x1.172b83c7d517bp+0,
                                      0x1.306fe0a31b715p+0,
                                      0x1.4bfdad5362a27p+0,
                                      0x1.6a09e667f3bcdp+0,
                                      0x1.8ace5422aa0dbp+0,
                                      0x1.ae89f995ad3adp+0,
                                      0x1.d5818dcfba487p+0};
static constexpr double kExpOfEight[] = {
    0.5000000000000301,  0.1666666666666727,   0.041666666569375156,
    0.00833333331841575, 0.001388978312006699, 0.00019842408662248948};
static constexpr double kExp2OfEight[] = {
    0.6931471805599453,    0.24022650695911488,   0.055504108664854224,
    0.009618129085377507,  0.0013333557999872822, 0.00015404518662316078,
    1.5255144735589315e-05};

/// None where nothing is looked up.
static std::optional<PowerTable>
getTable(const VectorInstructions &instructions) {
  if (!instructions.fma || !instructions.lookUps)
    return std::nullopt;
  if (instructions.avx512 && instructions.vectorBits == 512)
    return PowerTable{kOfEight, kExpOfEight, kExp2OfEight, 3};
  return PowerTable{kOfTwo, kExpOfTwo, kExp2OfTwo, 1};
}

static LookedUp lookUp(const VectorInstructions &instructions,
                       const PowerTable &table, ArrayRef<double> powers,
                       FormulaValue x, bool isBaseE,
                       std::optional<FormulaValue> low = {}) {
  constexpr double kLog2E = 1.4426950408889634, kHigh = 0x1.62e42feep-1,
                   kLow = 0x1.a39ef35793c76p-33;
  // Behind it, units are 1 / k.
  const double large = 0x1.8p52 / static_cast<double>(table.powers.size());
  FormulaValue sum = (isBaseE ? x * kLog2E : x) + large, number = sum - large;
  FormulaValue r = isBaseE ? x - number * kHigh - number * kLow : x - number;
  if (low)
    r = r + *low;
  FormulaValue rest = isBaseE ? r * r * r.polynomial(table.exp) + r
                              : r * r.polynomial(table.exp2);
  FormulaValue bits = sum.getBits();
  return {rest, number, bits, lookUpInRegister(instructions, powers, bits)};
}

/// With n in the exponents of what is looked up; normal powers only.
static FormulaValue getNormalPower(const VectorInstructions &instructions,
                                   const PowerTable &table, FormulaValue x,
                                   bool isBaseE,
                                   std::optional<FormulaValue> low = {}) {
  int64_t shift = kBits - table.logOfSize;
  // Of n / k, what is not whole would count as significand's bits.
  SmallVector<double> less;
  for (auto [place, power] : llvm::enumerate(table.powers))
    less.push_back(llvm::bit_cast<double>(llvm::bit_cast<int64_t>(power) -
                                          (int64_t(place) << shift)));
  LookedUp of = lookUp(instructions, table, less, x, isBaseE, low);
  FormulaValue power = (of.power.getBits() + (of.bits << shift)).asFloat();
  return power * of.rest + power;
}

static ScaledPower getScaled(const VectorInstructions &instructions,
                             const PowerTable &table, FormulaValue x,
                             bool isBaseE,
                             std::optional<FormulaValue> low = {}) {
  constexpr int64_t kOffset = 4096;
  LookedUp of = lookUp(instructions, table, table.powers, x, isBaseE, low);
  const double large = 0x1.8p52 / static_cast<double>(table.powers.size());
  // There is no signed shift of 64 bits before AVX-512.
  FormulaValue n = of.bits - x.literal(large).getBits();
  n = (n + (kOffset << table.logOfSize)).shiftRight(table.logOfSize) - kOffset;
  return {of.power * of.rest + of.power, {of.number, n}};
}

std::optional<FormulaValue>
emitLookedUpPower(FormulaPair exponent,
                  const VectorInstructions &instructions) {
  std::optional<PowerTable> table = getTable(instructions);
  if (!table)
    return std::nullopt;
  return getNormalPower(instructions, *table, exponent.hi, /*isBaseE=*/false,
                        exponent.lo);
}

std::optional<ScaledPower>
emitScaledPower(FormulaPair exponent, const VectorInstructions &instructions) {
  std::optional<PowerTable> table = getTable(instructions);
  if (!table)
    return std::nullopt;
  return getScaled(instructions, *table, exponent.hi, /*isBaseE=*/false,
                   exponent.lo);
}

std::optional<FormulaValue>
emitLookedUpPower(Operation *op, FormulaValue x,
                  const VectorInstructions &instructions) {
  std::optional<PowerTable> table = getTable(instructions);
  if (!table || !isa<math::ExpOp, math::Exp2Op>(op))
    return std::nullopt;
  bool isBaseE = isa<math::ExpOp>(op);
  PowerLimits limits = isBaseE ? PowerLimits{708, -745.2, 710}
                               : PowerLimits{1021, -1075.1, 1025};
  if (!isa<VectorType>(x.getType()) || hasAVX512(instructions, x))
    return getPower(instructions, x, limits, [&](FormulaValue some) {
      return getScaled(instructions, *table, some, isBaseE);
    });
  return chooseByAll(
      x.getMagnitude() < limits.normal,
      [&](ImplicitLocOpBuilder &b) {
        return getNormalPower(instructions, *table, {b, x.getValue()}, isBaseE);
      },
      [&](ImplicitLocOpBuilder &b) {
        FormulaValue any(b, x.getValue());
        return scaleAnyPower(instructions, any, limits,
                             getScaled(instructions, *table, any, isBaseE));
      });
}

} // namespace ein
