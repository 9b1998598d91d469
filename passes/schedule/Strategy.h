//===- Strategy.h - Ops by how they run -------------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SCHEDULE_STRATEGY_H
#define EIN_PASSES_SCHEDULE_STRATEGY_H

#include "ir/Schedule.h"
#include "mlir/IR/Operation.h"

namespace ein {

using Strategy = Schedule;

/// Whether `op` has a schedule of this kind.
bool hasStrategy(mlir::Operation *op, Strategy::Kind kind);

/// The ops of one type below `root` that have a strategy of this kind, in
/// order; a list, so that each can be replaced.
template <typename OpT>
llvm::SmallVector<OpT> collectWithStrategy(mlir::Operation *root,
                                           Strategy::Kind kind) {
  llvm::SmallVector<OpT> ops;
  root->walk([&](OpT op) {
    if (hasStrategy(op, kind))
      ops.push_back(op);
  });
  return ops;
}

} // namespace ein

#endif // EIN_PASSES_SCHEDULE_STRATEGY_H
