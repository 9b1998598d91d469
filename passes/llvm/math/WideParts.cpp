//===- WideParts.cpp - What formulas of f64 are made of -------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/llvm/math/WideParts.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/llvm/math/MachineMath.h"

using namespace mlir;

namespace ein {

/// The significand's bits, and the exponent of 1.
static constexpr int64_t kBits = 52, kBias = 1023;

FormulaPair addExactly(FormulaValue x, FormulaValue y) {
  FormulaValue sum = x.plus(y), added = sum.minus(x);
  return {sum, x.minus(sum.minus(added)).plus(y.minus(added))};
}

FormulaPair addSmaller(FormulaValue x, FormulaValue y) {
  FormulaValue sum = x.plus(y);
  return {sum, y.minus(sum.minus(x))};
}

FormulaPair multiplyExactly(const VectorInstructions &instructions,
                            FormulaValue x, FormulaValue y) {
  FormulaValue product = x.times(y);
  if (instructions.fma)
    return {product, x.fuse(y, -product)};
  auto split = [](FormulaValue number) {
    bool isF32 = getElementTypeOrSelf(number.getType()).isF32();
    FormulaValue large =
        number.times(number.literal((isF32 ? 0x1p12 : 0x1p27) + 1));
    FormulaValue high = large.minus(large.minus(number));
    return FormulaPair{high, number.minus(high)};
  };
  FormulaPair a = split(x), b = split(y);
  FormulaValue error = a.hi.times(b.hi).minus(product);
  error = error.plus(a.hi.times(b.lo)).plus(a.lo.times(b.hi));
  return {product, error.plus(a.lo.times(b.lo))};
}

FormulaPair multiply(const VectorInstructions &instructions, FormulaPair x,
                     FormulaPair y) {
  FormulaPair product = multiplyExactly(instructions, x.hi, y.hi);
  return {product.hi, product.lo + (x.hi * y.lo + x.lo * y.hi)};
}

FormulaPair divide(const VectorInstructions &instructions, FormulaPair x,
                   FormulaPair y) {
  return divide(instructions, x, y, y.hi.literal(1) / y.hi);
}

FormulaPair divide(const VectorInstructions &instructions, FormulaPair x,
                   FormulaPair y, FormulaValue inverse) {
  FormulaValue quotient = x.hi * inverse;
  FormulaValue rest = x.lo;
  if (instructions.fma) {
    rest = (-quotient).fuse(y.hi, x.hi) + x.lo;
  } else {
    FormulaPair back = multiplyExactly(instructions, quotient, y.hi);
    rest = x.hi.minus(back.hi).minus(back.lo) + x.lo;
  }
  return {quotient, (rest - quotient * y.lo) * inverse};
}

// The integer next to `x`, a product or sum of less than 2^22 (of f64 2^51)
// in magnitude: 1.5 * 2^23 more, it is in the last bits. This is defined for
// all numbers, which a conversion is not.
Whole roundToWhole(FormulaValue x) {
  double large =
      getElementTypeOrSelf(x.getType()).isF32() ? 0x1.8p23 : 0x1.8p52;
  FormulaValue sum = x + large;
  return {sum - large, sum.getBits() - x.literal(large).getBits()};
}

// With 2^size more than roundToWhole adds, the last size + 1 bits of the sum
// are n + 2^size, and those above are what they are for n = 0.
LimitedWhole roundToLimitedWhole(FormulaValue x, int size) {
  bool isF32 = getElementTypeOrSelf(x.getType()).isF32();
  double large =
      (isF32 ? 0x1.8p23 : 0x1.8p52) + static_cast<double>(int64_t(1) << size);
  FormulaValue sum = x + large, bits = sum.getBits();
  MaskedBits beyond = {bits ^ x.literal(large).getBits(),
                       -(int64_t(1) << (size + 1))};
  return {sum - large, bits, beyond};
}

/// An integer of this type.
static Value getInteger(ImplicitLocOpBuilder &b, Type type, int64_t number) {
  return arith::ConstantOp::create(b, b.getIntegerAttr(type, number));
}

// Registers are put together before the mask is, as the mask is then an operand
// of the test (x86's VPTEST), and there is one for all registers.
Value isAnySet(const VectorInstructions &instructions, MaskedBits masked) {
  FormulaValue bits = masked.bits;
  ImplicitLocOpBuilder &b = bits.getBuilder();
  bool isBit = getElementTypeOrSelf(bits.getType()).isInteger(1);
  auto getLength = [&] {
    return cast<VectorType>(bits.getType()).getDimSize(0);
  };
  bool isVector = isa<VectorType>(bits.getType());
  if (isVector && !isBit) {
    int64_t most = instructions.vectorBits /
                   getElementTypeOrSelf(bits.getType()).getIntOrFloatBitWidth();
    while (getLength() > most && getLength() % 2 == 0) {
      int64_t half = getLength() / 2;
      auto take = [&](int64_t begin) {
        Value part = vector::ExtractStridedSliceOp::create(
            b, bits.getValue(), ArrayRef<int64_t>{begin},
            ArrayRef<int64_t>{half}, ArrayRef<int64_t>{1});
        return FormulaValue(b, part);
      };
      bits = take(0) | take(half);
    }
  }
  Value all = (isBit ? bits : bits & masked.mask).getValue();
  if (isVector)
    all = vector::ReductionOp::create(b, vector::CombiningKind::OR, all);
  if (isBit)
    return all;
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, all,
                               getInteger(b, all.getType(), 0));
}

FormulaValue selectWhereSet(MaskedBits masked, FormulaValue then,
                            FormulaValue otherwise) {
  FormulaValue bits = masked.bits;
  return getElementTypeOrSelf(bits.getType()).isInteger(1)
             ? bits.select(then, otherwise)
             : ((bits & masked.mask) == 0).select(otherwise, then);
}

FormulaValue chooseByAll(
    FormulaValue bit,
    llvm::function_ref<FormulaValue(ImplicitLocOpBuilder &)> ofAll,
    llvm::function_ref<FormulaValue(ImplicitLocOpBuilder &)> otherwise) {
  ImplicitLocOpBuilder &b = bit.getBuilder();
  Value all = vector::ReductionOp::create(b, vector::CombiningKind::AND,
                                          bit.getValue());
  auto emit = [](llvm::function_ref<FormulaValue(ImplicitLocOpBuilder &)> get) {
    return [get](OpBuilder &inner, Location loc) {
      ImplicitLocOpBuilder branch(loc, inner);
      scf::YieldOp::create(branch, get(branch).getValue());
    };
  };
  auto branch = scf::IfOp::create(b, all, emit(ofAll), emit(otherwise));
  return {b, branch.getResult(0)};
}

FormulaValue
getCubeRoot(const VectorInstructions &instructions, FormulaValue x,
            SmallRoots small,
            llvm::function_ref<FormulaValue(FormulaValue)> getUsualRoot) {
  FormulaValue a = x.getMagnitude();
  // Rounded, the cube of the largest number's root may be infinite.
  auto getUsual = [&](FormulaValue some) {
    return instructions.fma ? getUsualRoot(some)
                            : getUsualRoot(some * 0.125) * 2;
  };
  auto getAny = [&](ImplicitLocOpBuilder &b) {
    FormulaValue any(b, a.getValue()), isSmall = any < small.limit;
    FormulaValue root = getUsual(isSmall.select(any * small.scale, any));
    root = isSmall.select(root * small.rootScale, root);
    return (any < kInfinity).select(root, any);
  };
  FormulaValue root = isa<VectorType>(x.getType())
                          ? chooseByAll((a > small.limit) & (a < kInfinity),
                                        [&](ImplicitLocOpBuilder &b) {
                                          return getUsual({b, a.getValue()});
                                        },
                                        getAny)
                          : getAny(x.getBuilder());
  return root.withSign(x);
}

// The difference of the first two is rounded, and what that loses is a number,
// as all of it is multiples of units that are far apart by less than 53 bits.
FormulaPair subtractMultiple(FormulaValue x, FormulaValue n,
                             llvm::ArrayRef<double> parts) {
  FormulaValue negated = -n, second = n.literal(parts[1]);
  FormulaValue rest = negated.fuse(n.literal(parts[0]), x);
  FormulaValue high = negated.fuse(second, rest);
  // This way round it has the sign of a zero x.
  FormulaValue low = negated.fuse(second, -high.minus(rest));
  return {high, negated.fuse(n.literal(parts[2]), low)};
}

FormulaValue getPower64(FormulaValue n) {
  return ((n + kBias) << kBits).asFloat();
}

/// 2^n of this type, if that is a normal number.
static FormulaValue getPowerOf(FormulaValue n) {
  return getElementTypeOrSelf(n.getType()).isInteger(32)
             ? ((n + 127) << 23).asFloat()
             : getPower64(n);
}

FormulaValue scaleWide(const VectorInstructions &instructions, FormulaValue y,
                       Whole n) {
  if (hasAVX512(instructions, y))
    return scaleByPower(instructions, y, n.number);
  // In two steps, what is between is not denormal. There is no signed shift of
  // 64 bits before AVX-512.
  FormulaValue half = (n.integer + 2048).shiftRight(1) - 1024;
  return y * getPowerOf(half) * getPowerOf(n.integer - half);
}

/// Zero and infinity beside what is scaled.
static FormulaValue finishPower(FormulaValue x, FormulaValue result,
                                PowerLimits limits) {
  result = (x > limits.most).select(x.literal(kInfinity), result);
  return (x < limits.least).select(x.literal(0), result);
}

FormulaValue scaleAnyPower(const VectorInstructions &instructions,
                           FormulaValue x, PowerLimits limits,
                           ScaledPower scaled) {
  // To scale what comes to nothing would take hundreds of cycles.
  FormulaValue y = (x < limits.least).select(x.literal(0), scaled.y);
  return finishPower(x, scaleWide(instructions, y, scaled.n), limits);
}

FormulaValue getPower(const VectorInstructions &instructions, FormulaValue x,
                      PowerLimits limits,
                      llvm::function_ref<ScaledPower(FormulaValue)> getScaled) {
  auto type = dyn_cast<VectorType>(x.getType());
  if (!type || hasAVX512(instructions, x)) {
    FormulaValue zero = x.literal(0), isNone = x < limits.least;
    FormulaValue some = x.atMost(limits.most);
    // An instruction under a mask does not compute what is masked.
    ScaledPower scaled = getScaled(type ? some : isNone.select(zero, some));
    return isNone.select(zero, scaleWide(instructions, scaled.y, scaled.n));
  }
  ScaledPower scaled = getScaled(x);
  int64_t bits = type.getElementType().isF32() ? 23 : 52;
  auto in = [](ImplicitLocOpBuilder &inner, FormulaValue value) {
    return FormulaValue(inner, value.getValue());
  };
  return chooseByAll(
      x.getMagnitude() < limits.normal,
      [&](ImplicitLocOpBuilder &b) {
        FormulaValue y = in(b, scaled.y), n = in(b, scaled.n.integer);
        return (y.getBits() + (n << bits)).asFloat();
      },
      [&](ImplicitLocOpBuilder &b) {
        Whole n = {in(b, scaled.n.number), in(b, scaled.n.integer)};
        return scaleAnyPower(instructions, in(b, x), limits,
                             {in(b, scaled.y), n});
      });
}

FormulaValue finishLog(FormulaValue x, FormulaValue log) {
  log = (x < kInfinity).select(log, x);
  log = (x < 0.0).select(log.literal(kNaN), log);
  return (x == 0.0).select(log.literal(-kInfinity), log);
}

FormulaValue
getLogInBranches(const VectorInstructions &instructions, FormulaValue x,
                 double least, double most,
                 llvm::function_ref<FormulaValue(FormulaValue, bool)> getLog) {
  if (instructions.avx512 || !isa<VectorType>(x.getType()))
    return getLog(x, /*areUsual=*/false);
  auto emit = [&](bool usual) {
    return [&, usual](ImplicitLocOpBuilder &b) {
      return getLog({b, x.getValue()}, usual);
    };
  };
  return chooseByAll((x > least) & (x < most), emit(true), emit(false));
}

FormulaValue finishSplitLog(const VectorInstructions &instructions,
                            FormulaValue x, FormulaValue log, bool areUsual) {
  return areUsual || instructions.avx512 ? log : finishLog(x, log);
}

FormulaValue getLog1pBy(
    const VectorInstructions &instructions, FormulaValue x, double least,
    double most,
    llvm::function_ref<FormulaValue(FormulaValue, FormulaValue, bool)> getLog) {
  auto get = [&](FormulaValue some, bool areUsual) {
    FormulaPair sum = addExactly(some, some.literal(1));
    FormulaValue c = sum.lo / sum.hi;
    if (!areUsual) {
      FormulaValue isMiddle = (some < most) & (some > -1.0);
      c = isMiddle.select(c, c.literal(0));
    }
    FormulaValue log = getLog(sum.hi, c, areUsual);
    log = finishSplitLog(instructions, sum.hi, log, areUsual);
    return (some.getMagnitude() < least).select(some, log);
  };
  return getLogInBranches(instructions, x, -0.99, most, get);
}

LnReduced reduceByLn2(FormulaValue x, double high, double low) {
  constexpr double kLog2E = 1.4426950408889634;
  Whole n = roundToWhole(x * kLog2E);
  return {x - n.number * high, n.number * -low, n};
}

} // namespace ein
