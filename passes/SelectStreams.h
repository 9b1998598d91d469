//===- SelectStreams.h - Results past the caches ----------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which results of elementwise ops are to be written past the caches, as
// `ein-stream-stores` does it.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECTSTREAMS_H
#define EIN_PASSES_SELECTSTREAMS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace ein {

struct TargetInfo;

/// From how many bytes of the result of `op` on stores go past the caches; 0 if
/// it is known to have fewer. What reads its own result has it in the caches.
int64_t getStreamBytes(mlir::linalg::GenericOp op, const TargetInfo &target,
                       llvm::StringRef packing);

} // namespace ein

#endif // EIN_PASSES_SELECTSTREAMS_H
