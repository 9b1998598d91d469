//===- WideParts.h - What formulas are made of ------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A formula that errs by a unit in the last place at most carries its first
// steps in more digits than f64 has. A FormulaPair is a sum of two numbers that
// do not overlap (Dekker, "A Floating-Point Technique for Extending the
// Available Precision", Numerische Mathematik 18, 1971). Its sums and products
// are exact because no step of them is contracted to FMA. The rest is what f32
// and f64 have in common.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_LLVM_MATH_WIDEPARTS_H
#define EIN_PASSES_LLVM_MATH_WIDEPARTS_H

#include "abi/VectorInstructions.h"
#include "passes/llvm/math/FormulaValue.h"
#include <limits>

namespace ein {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// hi + lo, where hi is next to the sum.
struct FormulaPair {
  FormulaValue hi, lo;
};

/// What one formula computes together.
using FormulaValues = llvm::SmallVector<FormulaValue, 2>;

inline llvm::SmallVector<mlir::Value> getValues(const FormulaValues &all) {
  return llvm::map_to_vector(
      all, [](FormulaValue value) { return value.getValue(); });
}

/// x + y with its error, in any order (Knuth).
FormulaPair addExactly(FormulaValue x, FormulaValue y);
/// The same for |x| >= |y| (Dekker).
FormulaPair addSmaller(FormulaValue x, FormulaValue y);
/// x * y with its error; without FMA, by halves, of f64 of 26 and 27 bits.
FormulaPair multiplyExactly(const VectorInstructions &instructions,
                            FormulaValue x, FormulaValue y);
/// Of an error of 2^-102, relatively.
FormulaPair multiply(const VectorInstructions &instructions, FormulaPair x,
                     FormulaPair y);
/// x / y for y of middle magnitude.
FormulaPair divide(const VectorInstructions &instructions, FormulaPair x,
                   FormulaPair y);
/// The same with 1 / y, to some units in the last place.
FormulaPair divide(const VectorInstructions &instructions, FormulaPair x,
                   FormulaPair y, FormulaValue inverse);

/// An integer as a float and as such.
struct Whole {
  FormulaValue number, integer;
};
/// The integer next to x, of less than 2^22 (of f64 2^51) in magnitude.
Whole roundToWhole(FormulaValue x);

/// Bits of which only those of the mask count.
struct MaskedBits {
  FormulaValue bits;
  int64_t mask = -1;
};

/// The integer n next to x as a float; bits whose last ones are those of n; and
/// bits that are all 0 if -2^size <= n < 2^size, and else, as of NaN, are not.
struct LimitedWhole {
  FormulaValue number, last;
  MaskedBits beyond;
};
/// `size` is less than 22, of f64 than 51.
LimitedWhole roundToLimitedWhole(FormulaValue x, int size);

/// Whether any is set of these bits, one or an integer for each number.
mlir::Value isAnySet(const VectorInstructions &instructions, MaskedBits bits);
/// `then` where any is set of a number's bits.
FormulaValue selectWhereSet(MaskedBits bits, FormulaValue then,
                            FormulaValue otherwise);

/// What the one has where this bit is set for all numbers of a vector, and else
/// what the other one has, in a branch.
FormulaValue chooseByAll(
    FormulaValue bit,
    llvm::function_ref<FormulaValue(mlir::ImplicitLocOpBuilder &)> ofAll,
    llvm::function_ref<FormulaValue(mlir::ImplicitLocOpBuilder &)> otherwise);

/// Numbers whose cube roots are scaled: those below, by which factor they are
/// multiplied first, and their roots afterwards.
struct SmallRoots {
  double limit, scale, rootScale;
};
/// The cube root, by the one of a positive number that is neither small nor
/// infinite. The others are in a branch.
FormulaValue
getCubeRoot(const VectorInstructions &instructions, FormulaValue x,
            SmallRoots small,
            llvm::function_ref<FormulaValue(FormulaValue)> getUsualRoot);

/// x - n (p0 + p1 + p2), by FMA, with an error of half a unit of it in the last
/// place. x - n p0 and n p1 have to be numbers. The low part need not be small
/// beside a high one that is.
FormulaPair subtractMultiple(FormulaValue x, FormulaValue n,
                             llvm::ArrayRef<double> parts);

/// 2^n as f64, if that is a normal number.
FormulaValue getPower64(FormulaValue n);
/// y * 2^n, rounded once, for y of middle magnitude and |n| < 2048.
FormulaValue scaleWide(const VectorInstructions &instructions, FormulaValue y,
                       Whole n);

/// A power as y * 2^n, y of middle magnitude.
struct ScaledPower {
  FormulaValue y;
  Whole n;
};
/// Powers of up to `normal` in magnitude are normal numbers, of less than
/// `least` nothing, and of more than `most` infinite.
struct PowerLimits {
  double normal, least, most;
};

/// The power that `getScaled` has for x. Where all numbers of a vector are
/// normal ones, which nearly all are, n is added to the exponents; else, in a
/// branch, they are scaled in two steps. With AVX-512 that is an instruction.
///
/// What is too small for a float would take a processor hundreds of cycles, and
/// the weights of columns that are masked are all like that: it is left out.
FormulaValue getPower(const VectorInstructions &instructions, FormulaValue x,
                      PowerLimits limits,
                      llvm::function_ref<ScaledPower(FormulaValue)> getScaled);

/// The same of what has been computed, scaled in two steps.
FormulaValue scaleAnyPower(const VectorInstructions &instructions,
                           FormulaValue x, PowerLimits limits,
                           ScaledPower scaled);

/// 1 / ln(base) and ln(2) / ln(base), each in two parts, the first of which has
/// few bits where products with it have to be exact.
struct LogBase {
  enum Number { E, Two, Ten } number;
  double inverseHigh, inverseLow, twoHigh, twoLow;
};

/// A logarithm where there is one; else infinity, NaN, minus infinity.
FormulaValue finishLog(FormulaValue x, FormulaValue log);

/// What `getLog` has for x. It is told where all numbers of a vector are from
/// `least` on and below `most`, where nothing is denormal, infinite or without
/// a logarithm; a branch asks for that. With AVX-512 there is nothing to ask.
FormulaValue
getLogInBranches(const VectorInstructions &instructions, FormulaValue x,
                 double least, double most,
                 llvm::function_ref<FormulaValue(FormulaValue, bool)> getLog);

/// `log`, which is a logarithm of what is usual (see getLogInBranches); what
/// the instructions have said already is not asked again.
FormulaValue finishSplitLog(const VectorInstructions &instructions,
                            FormulaValue x, FormulaValue log, bool areUsual);

/// log(1 + x): x if that is less than `least` in magnitude, else what `getLog`
/// makes of the sum u of 1 and x, of c / u, and of whether all are usual. c is
/// the sum's error, and nothing from `most` on.
FormulaValue getLog1pBy(
    const VectorInstructions &instructions, FormulaValue x, double least,
    double most,
    llvm::function_ref<FormulaValue(FormulaValue, FormulaValue, bool)> getLog);

/// n ln(2) + high + low.
struct LnReduced {
  FormulaValue high, low;
  Whole n;
};
/// x - n ln(2); `high` and `low` are ln(2), and products with the first exact.
LnReduced reduceByLn2(FormulaValue x, double high, double low);

} // namespace ein

#endif // EIN_PASSES_LLVM_MATH_WIDEPARTS_H
