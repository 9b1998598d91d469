//===- PriceStrategy.h - Cycles of an op that runs by a strategy *- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECT_PRICESTRATEGY_H
#define EIN_PASSES_SELECT_PRICESTRATEGY_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "passes/schedule/Strategy.h"
#include "target/NestCost.h"
#include "target/Target.h"
#include <memory>
#include <optional>

namespace ein {

class StrategyPricer;

/// An op of which several strategies are to be priced.
class OpPricer {
public:
  OpPricer(mlir::linalg::LinalgOp op, const TargetInfo &target);
  ~OpPricer();

  /// What the op takes on one thread of `target.machine`, in cycles: the nests
  /// that the strategy makes of it, copies included, each by `priceNest`. A
  /// dynamic size counts as 1000. None of what is computed in the loops of
  /// another op (`epilogue`, `rows`), by threads (`split_sum`) or by a library.
  std::optional<NestCost> price(const Strategy &strategy);

private:
  std::unique_ptr<StrategyPricer> pricer;
};

} // namespace ein

#endif // EIN_PASSES_SELECT_PRICESTRATEGY_H
