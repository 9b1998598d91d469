//===- SelectStreams.h - Results past the caches ----------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which results of elementwise ops are to be written past the caches, as
// `ein-stream-stores` does it; and which ops are to fetch their next row
// (PrefetchRows.h).
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECT_SELECTSTREAMS_H
#define EIN_PASSES_SELECT_SELECTSTREAMS_H

#include "passes/schedule/ScheduledOps.h"

namespace ein {

struct TargetInfo;

/// From how many bytes of the result of `op` on it is faster if its stores go
/// past the caches; 0 if it never is, or is known to have fewer.
int64_t findStreamBytes(mlir::linalg::LinalgOp op, const TargetInfo &target,
                        const Schedule &schedule);
/// The same of an elementwise op. What reads its own result has it in the
/// caches.
int64_t getStreamBytes(mlir::linalg::GenericOp op, const TargetInfo &target,
                       const Schedule &schedule, llvm::StringRef packing);

/// Whether `op` computes functions of a row, in a loop over rows, of an array
/// that does not fit the near caches: while it does, the next row can be read.
bool readsNextRows(mlir::linalg::LinalgOp op, const TargetInfo &target);

} // namespace ein

#endif // EIN_PASSES_SELECT_SELECTSTREAMS_H
