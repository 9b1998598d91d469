//===- LargeAngles.cpp - What multiples of pi leave of any f64 ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// x = m 2^e, m an integer of 53 bits. Of 2 / pi, the bits whose products with
// 2^e are multiples of 4 do not count; the next 192 make m times 2 / pi 2^e,
// less such a multiple, to 137 bits behind the point (Payne and Hanek, "Radian
// Reduction for Trigonometric Functions", SIGNUM Newsletter 18, 1983). No f64
// is nearer to a multiple of pi / 2 than by 2^-61 of it (Muller, "Elementary
// Functions", 3rd ed., section 11.3.2), so that 76 bits are left at least. libm
// errs there by 8 and 14 units in the last place.
//
//===----------------------------------------------------------------------===//

#include "passes/llvm/math/LargeAngles.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace ein {

/// 64 zeros, and the first 1,216 bits behind the point of 2 / pi.
static constexpr uint64_t kTwoByPi[] = {
    0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0,
    0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0,
    0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
    0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b,
    0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d, 0x7527bac7ebe5f17b, 0x3d0739f78a5292ea,
    0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab};

llvm::ArrayRef<int64_t> getTwoByPi() {
  return {reinterpret_cast<const int64_t *>(kTwoByPi), std::size(kTwoByPi)};
}

namespace {
/// An unsigned integer of 128 bits.
struct Double64 {
  FormulaValue high, low;
};
} // namespace

static Double64 multiplyWhole(FormulaValue x, FormulaValue y) {
  ImplicitLocOpBuilder &b = x.getBuilder();
  auto product = arith::MulUIExtendedOp::create(b, x.getValue(), y.getValue());
  return {{b, product.getHigh()}, {b, product.getLow()}};
}

/// 64 bits from `bit` on of two words, of which they are the first.
static FormulaValue takeBits(FormulaValue first, FormulaValue second,
                             FormulaValue bit) {
  ImplicitLocOpBuilder &b = first.getBuilder();
  FormulaValue back = bit.literal(63) - bit;
  FormulaValue left = {
      b, arith::ShLIOp::create(b, first.getValue(), bit.getValue())};
  FormulaValue right = {
      b, arith::ShRUIOp::create(b, second.shiftRight(1).getValue(),
                                back.getValue())};
  return left | right;
}

/// m times 2 / pi 2^e, in units of 2^-126, less a multiple of 4.
static Double64 getQuarters(FormulaValue bits) {
  constexpr int64_t kBits = 52, kBias = 1075, kExponent = 0x7ff;
  // Before the bit that makes 2 of an m of 1 are 62 + e others; a small x would
  // begin before the first one.
  constexpr int64_t kBefore = 62, kLeast = kBias - kBefore;
  ImplicitLocOpBuilder &b = bits.getBuilder();
  FormulaValue m = (bits & ((int64_t(1) << kBits) - 1)) | (int64_t(1) << kBits);
  FormulaValue exponent = bits.shiftRight(kBits) & kExponent;
  exponent = {b, arith::MaxSIOp::create(b, exponent.getValue(),
                                        exponent.literal(kLeast).getValue())};
  FormulaValue from = exponent - kLeast, bit = from & 63;
  Value first = arith::IndexCastOp::create(b, b.getIndexType(),
                                           from.shiftRight(6).getValue());
  auto count = static_cast<int64_t>(std::size(kTwoByPi));
  Value table = memref::GetGlobalOp::create(
      b, MemRefType::get({count}, b.getI64Type()), kTwoByPiName);
  SmallVector<FormulaValue> words;
  for (int64_t i = 0; i < 4; ++i) {
    Value place =
        arith::AddIOp::create(b, first, arith::ConstantIndexOp::create(b, i));
    words.emplace_back(b, memref::LoadOp::create(b, table, place));
  }
  Double64 low = multiplyWhole(m, takeBits(words[2], words[3], bit));
  Double64 middle = multiplyWhole(m, takeBits(words[1], words[2], bit));
  Double64 high = multiplyWhole(m, takeBits(words[0], words[1], bit));
  auto sum = arith::AddUIExtendedOp::create(b, middle.low.getValue(),
                                            low.high.getValue());
  FormulaValue carry = {
      b, arith::ExtUIOp::create(b, b.getI64Type(), sum.getOverflow())};
  return {high.low + middle.high + carry, {b, sum.getSum()}};
}

/// A fraction from -1/2 on, of which these are the bits, times `period`.
static FormulaPair multiplyFraction(const VectorInstructions &instructions,
                                    Double64 fraction, FormulaPair period) {
  constexpr int64_t kHalf = 32;
  ImplicitLocOpBuilder &b = fraction.high.getBuilder();
  Type type = b.getF64Type();
  auto convert = [&](FormulaValue part, double unit) {
    return FormulaValue(b, arith::SIToFPOp::create(b, type, part.getValue())) *
           unit;
  };
  int64_t mask = (int64_t(1) << kHalf) - 1;
  FormulaPair upper = addExactly(convert(fraction.high >> kHalf, 0x1p-32),
                                 convert(fraction.high & mask, 0x1p-64));
  FormulaPair lower =
      addExactly(convert(fraction.low.shiftRight(kHalf), 0x1p-96),
                 convert(fraction.low & mask, 0x1p-128));
  FormulaPair all = addExactly(upper.hi, lower.hi);
  all = addSmaller(all.hi, all.lo + (upper.lo + lower.lo));
  FormulaPair product = multiply(instructions, all, period);
  return addSmaller(product.hi, product.lo);
}

static LargeAngle reduceNumber(const VectorInstructions &instructions,
                               FormulaValue x, AnglePeriod period) {
  FormulaValue bits = x.getBits();
  Double64 all = getQuarters(bits);
  bool isQuarter = period == AnglePeriod::Quarter;
  // Bits before the point: of halves of a turn, one.
  int64_t whole = isQuarter ? 2 : 1;
  if (period == AnglePeriod::HalfFromMiddle)
    all.high = all.high + (int64_t(1) << 62);
  FormulaValue n =
      (all.high + (int64_t(1) << (63 - whole))).shiftRight(64 - whole);
  Double64 fraction = {(all.high << whole) | all.low.shiftRight(64 - whole),
                       all.low << whole};
  double times = isQuarter ? 1 : 2;
  FormulaPair unit = {x.literal(times * 0x1.921fb54442d18p+0),
                      x.literal(times * 0x1.1a62633145c07p-54)};
  FormulaPair r = multiplyFraction(instructions, fraction, unit);
  if (period != AnglePeriod::HalfFromMiddle) {
    FormulaValue isNegative = bits.isNegative();
    r = {isNegative.select(-r.hi, r.hi), isNegative.select(-r.lo, r.lo)};
    n = isNegative.select(n.literal(0) - n, n);
  }
  r.hi = (x.getMagnitude() < kInfinity).select(r.hi, x.literal(kNaN));
  return {r, n};
}

LargeAngle reduceLargeAngle(const VectorInstructions &instructions,
                            FormulaValue x, AnglePeriod period) {
  ImplicitLocOpBuilder &b = x.getBuilder();
  auto type = dyn_cast<VectorType>(x.getType());
  if (!type)
    return reduceNumber(instructions, x, period);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value length = arith::ConstantIndexOp::create(b, type.getDimSize(0));
  SmallVector<Value> start{x.getValue(), x.getValue(), x.getBits().getValue()};
  auto loop = scf::ForOp::create(
      b, zero, length, one, start,
      [&](OpBuilder &inner, Location loc, Value lane, ValueRange carried) {
        ImplicitLocOpBuilder at(loc, inner);
        SmallVector<OpFoldResult> place{lane};
        Value number = vector::ExtractOp::create(at, x.getValue(), place);
        LargeAngle angle = reduceNumber(instructions, {at, number}, period);
        FormulaValue parts[] = {angle.r.hi, angle.r.lo, angle.n};
        SmallVector<Value> results;
        for (auto [part, into] : llvm::zip_equal(parts, carried))
          results.push_back(
              vector::InsertOp::create(at, part.getValue(), into, place));
        scf::YieldOp::create(at, results);
      });
  return {{{b, loop.getResult(0)}, {b, loop.getResult(1)}},
          {b, loop.getResult(2)}};
}

} // namespace ein
