//===- Cost.h - What an op will take ----------------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECT_COST_H
#define EIN_PASSES_SELECT_COST_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "passes/schedule/Strategy.h"
#include "target/Roofline.h"

namespace ein {

/// What a dynamic size counts as: what the order of contraction takes it for
/// (`ein-order-contractions`).
inline constexpr int64_t kDynamicExtent = 256;

/// Prints `2.1e+09`, and small numbers in full.
void printCount(llvm::raw_ostream &os, double count);

struct OpCost {
  std::string opClass;
  double operations = 0;
  /// What it moves, what of that are panels, and its operands once each.
  double movedBytes = 0, panelBytes = 0, arrayBytes = 0;
  /// Of an element of its result.
  unsigned elementBits = 0;
  /// The nearest that holds its operands.
  MemoryLevel level;
  double computingCycles = 0, movingCycles = 0;
  /// Those count as `dynamicExtent`.
  bool hasDynamicSizes = false;
  int64_t dynamicExtent = 0;

  bool isBoundByComputing() const { return computingCycles >= movingCycles; }
  /// For people: the class of the op, its operations, the bytes that it moves,
  /// and which of both takes longer.
  std::string describe() const;
};

/// What the op takes if it runs by `strategy`.
OpCost computeCost(mlir::linalg::LinalgOp op, const Strategy &strategy,
                   const TargetInfo &target);

} // namespace ein

#endif // EIN_PASSES_SELECT_COST_H
