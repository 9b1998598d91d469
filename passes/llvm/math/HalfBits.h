//===- HalfBits.h - Half-precision numbers that are only chosen -*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_LLVM_MATH_HALFBITS_H
#define EIN_PASSES_LLVM_MATH_HALFBITS_H

#include "abi/VectorInstructions.h"
#include "mlir/IR/PatternMatch.h"

namespace ein {

/// Vectors of f32 that are rounded to the half-precision numbers that they are
/// chosen from, and maxima and minima of these, are computed by bits; with
/// `nativeF16`, of bf16 only. `instructions` outlive the patterns.
void populateHalfBitsPatterns(mlir::RewritePatternSet &patterns,
                              const VectorInstructions &instructions,
                              bool nativeF16);

} // namespace ein

#endif // EIN_PASSES_LLVM_MATH_HALFBITS_H
