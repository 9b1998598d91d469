//===- MachineMath.h - What only some machines have -------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instructions that formulas are shorter with, called as LLVM's intrinsics, and
// the operations that they are for. All of them take numbers and vectors of any
// length; a number goes through a vector's register.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_LLVM_MATH_MACHINEMATH_H
#define EIN_PASSES_LLVM_MATH_MACHINEMATH_H

#include "abi/VectorInstructions.h"
#include "passes/llvm/math/FormulaValue.h"

namespace ein {

/// Whether AVX-512's instructions are there for x, which is a vector.
bool hasAVX512(const VectorInstructions &instructions, FormulaValue x);

/// x * 2^n, rounded once, n a float that is whole; by the instruction.
FormulaValue scaleByPower(const VectorInstructions &instructions,
                          FormulaValue x, FormulaValue n);

/// Whether there are instructions that say how they round.
bool roundsAsSaid(const VectorInstructions &instructions);
/// x y + z, of f64, rounded down.
FormulaValue fuseDown(const VectorInstructions &instructions, FormulaValue x,
                      FormulaValue y, FormulaValue z);

/// 1 / x to 14 bits; by the instruction.
FormulaValue estimateReciprocal(const VectorInstructions &instructions,
                                FormulaValue x);

/// 1 / sqrt(x) to 14 bits; by the instruction.
FormulaValue estimateInverseRoot(const VectorInstructions &instructions,
                                 FormulaValue x);

/// Whether vectors like x have instructions that round them to bf16.
bool hasHalfRounding(const VectorInstructions &instructions, FormulaValue x);
/// Whether a number of x, of f32, is subnormal; and x as bf16, with zeros for
/// those that are. Only for vectors that have instructions for it.
mlir::Value isAnySubnormal(const VectorInstructions &instructions,
                           FormulaValue x);
mlir::Value roundToBF16(const VectorInstructions &instructions, FormulaValue x);

/// For each integer, by its last three bits, one of eight numbers of f32. With
/// AVX2's look-ups.
FormulaValue lookUpOfEight(const VectorInstructions &instructions,
                           llvm::ArrayRef<double> numbers, FormulaValue index);

/// The same by the last four bits, of sixteen, with AVX-512's registers of 512
/// bits.
FormulaValue lookUpOfSixteen(const VectorInstructions &instructions,
                             llvm::ArrayRef<double> numbers,
                             FormulaValue index);

/// The same of f64: one of eight numbers, with AVX-512's registers of 512 bits,
/// or, by the last bit, one of two.
FormulaValue lookUpInRegister(const VectorInstructions &instructions,
                              llvm::ArrayRef<double> numbers,
                              FormulaValue index);

/// The exponent of a number: floor(log2 |x|), of 0 and infinity -infinity and
/// infinity; and what there is beside a power of two, from 3/4 on and below
/// 3/2, or NaN of a negative number. With AVX-512.
FormulaValue getExponent(const VectorInstructions &instructions,
                         FormulaValue x);
FormulaValue getSignificand(const VectorInstructions &instructions,
                            FormulaValue x);

/// `then` where the integers `bits` are negative.
FormulaValue selectBySign(const VectorInstructions &instructions,
                          FormulaValue bits, FormulaValue then,
                          FormulaValue otherwise);

/// x = 2^e (1 + f).
struct LogParts {
  FormulaValue e, f;
};
/// Those with 3/4 <= 1 + f < 3/2, by the two of them. Of 0 and infinity e is
/// infinite, and of a negative number f is NaN.
LogParts splitByInstructions(const VectorInstructions &instructions,
                             FormulaValue x);

/// IEEE 754's maximum, or minimum, by comparing both ways round.
FormulaValue getMaximum(FormulaValue x, FormulaValue y);
FormulaValue getMinimum(FormulaValue x, FormulaValue y);

} // namespace ein

#endif // EIN_PASSES_LLVM_MATH_MACHINEMATH_H
