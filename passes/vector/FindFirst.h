//===- FindFirst.h - Where a condition holds first -------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row is left at the first few vectors in which a condition holds somewhere;
// these are looked at one by one. Of what `argmax` looks for, there is one, and
// half of a row is read on average.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_VECTOR_FINDFIRST_H
#define EIN_PASSES_VECTOR_FINDFIRST_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace ein {

/// Whether a condition holds, for so many elements from an index on; those that
/// a mask leaves out do not count, and need not be there.
using ConditionFn = llvm::function_ref<mlir::Value(
    mlir::Value at, int64_t lanes, mlir::Value mask)>;

/// The first index from `begin` to before `end` at which `condition` holds;
/// `end` if there is none. `vectors` of `lanes` elements are taken at once. The
/// last one is masked, or else its elements are taken one by one.
mlir::Value createFindFirst(mlir::ImplicitLocOpBuilder &b, mlir::Value begin,
                            mlir::Value end, int64_t lanes, int64_t vectors,
                            bool isMasked, ConditionFn condition);

} // namespace ein

#endif // EIN_PASSES_VECTOR_FINDFIRST_H
