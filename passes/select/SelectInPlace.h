//===- SelectInPlace.h - Operands that are read where they are --*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `ein-select-schedule` asks of a matrix product whose operands, or one of
// them, are not packed although they are larger than a near cache.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECT_SELECTINPLACE_H
#define EIN_PASSES_SELECT_SELECTINPLACE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "passes/schedule/ScheduledOps.h"
#include "target/Target.h"

namespace ein {

/// How many accumulators an element of C has: of complex numbers one for each
/// part of A's element (see Vectorize.cpp).
unsigned getNumSums(mlir::linalg::LinalgOp op);

/// What a matrix of the accumulator's type takes; infinite if that is dynamic.
double getMatrixBytes(mlir::linalg::LinalgOp op,
                      llvm::ArrayRef<int64_t> extents);

/// How many cache lines of B's next panel a step of k prefetches. A panel of a
/// B in place is pieces of many rows, which the hardware does not see coming;
/// the first tile of rows would wait for all of it, and a few more tiles cannot
/// make up for that.
int64_t getPrefetchDistance(mlir::linalg::LinalgOp op, const TargetInfo &target,
                            const Schedule &schedule);

} // namespace ein

#endif // EIN_PASSES_SELECT_SELECTINPLACE_H
