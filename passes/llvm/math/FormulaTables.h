//===- FormulaTables.h - Numbers that formulas look up ----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function that is known at many places needs a short polynomial between two
// of them. A table has two numbers for each place, which one load reads: lanes
// are loaded one by one, and their pairs taken apart in registers, which takes
// half the time of two gathering instructions (docs/decisions/0013).
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_LLVM_MATH_FORMULATABLES_H
#define EIN_PASSES_LLVM_MATH_FORMULATABLES_H

#include "abi/VectorInstructions.h"
#include "passes/llvm/math/WideParts.h"

namespace ein {

/// Pairs of numbers by row, of f64.
enum class FormulaTable { ErrorFunction, ArcTangent, Complement };

/// The pairs in these rows, integers of 64 bits that are rows of the table.
FormulaPair lookUp(const VectorInstructions &instructions, FormulaTable table,
                   FormulaValue row);

/// erfc there as value (1 + rest), and -erfc', as ComplementTable has them.
struct ComplementRow {
  FormulaValue value, rest, slope;
};
ComplementRow lookUpComplement(const VectorInstructions &instructions,
                               FormulaValue row);

/// Gives a module those tables that its functions look up.
void addFormulaTables(mlir::ModuleOp module);

} // namespace ein

#endif // EIN_PASSES_LLVM_MATH_FORMULATABLES_H
