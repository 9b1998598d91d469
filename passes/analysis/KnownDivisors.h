//===- KnownDivisors.h - What sizes are multiples of ------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: blocks of 176 of 1,024 columns have 176 columns or what is left,
// which is not a number; yet it is always a multiple of 16, so that no tile of
// 16 columns is at an edge.
//
// Choice: the greatest common divisor is carried from the loops' steps through
// what the size is computed from. Upstream's affine expressions know divisors
// of products with numbers, and not those of what a loop counts.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_ANALYSIS_KNOWNDIVISORS_H
#define EIN_PASSES_ANALYSIS_KNOWNDIVISORS_H

#include "mlir/IR/OpDefinition.h"

namespace ein {

/// Whether `size`, an index, is known to be a multiple of `factor`.
bool isKnownMultiple(mlir::OpFoldResult size, int64_t factor);

} // namespace ein

#endif // EIN_PASSES_ANALYSIS_KNOWNDIVISORS_H
