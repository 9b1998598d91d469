//===- InvertDivisors.h - Divisions become products -------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_LLVM_MATH_INVERTDIVISORS_H
#define EIN_PASSES_LLVM_MATH_INVERTDIVISORS_H

#include "abi/VectorInstructions.h"
#include "mlir/IR/Operation.h"

namespace ein {

/// Makes products of the divisions of vectors in `root` by a number that a loop
/// does not change. They have to say that they may be that (`arcp`), and none
/// says so afterwards.
void invertDivisors(mlir::Operation *root,
                    const VectorInstructions &instructions);

} // namespace ein

#endif // EIN_PASSES_LLVM_MATH_INVERTDIVISORS_H
