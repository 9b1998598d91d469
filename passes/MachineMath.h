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

#ifndef EIN_PASSES_MACHINEMATH_H
#define EIN_PASSES_MACHINEMATH_H

#include "passes/Number.h"
#include "target/VectorInstructions.h"

namespace ein {

/// Set before buildToLLVM's pipeline runs, and gone when it has: of a module,
/// the machine's VectorInstructions.
inline constexpr llvm::StringLiteral kInstructionsAttr = "ein.instructions";

mlir::Attribute toAttr(mlir::MLIRContext *context,
                       const VectorInstructions &instructions);
/// Those of the module round `op`; the least there can be if it has none.
VectorInstructions getInstructions(mlir::Operation *op);

/// x * 2^n of f32, rounded once, n a float that is whole; by the instruction.
Number scaleByPower(const VectorInstructions &instructions, Number x, Number n);

/// 1 / x of f32 to 14 bits; by the instruction.
Number estimateReciprocal(const VectorInstructions &instructions, Number x);

/// IEEE 754's maximum, or minimum, by comparing both ways round.
Number getMaximum(Number x, Number y);
Number getMinimum(Number x, Number y);

} // namespace ein

#endif // EIN_PASSES_MACHINEMATH_H
