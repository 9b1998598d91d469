//===- PriceSchedule.h - Cycles of an op that runs by a schedule *- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECT_PRICESCHEDULE_H
#define EIN_PASSES_SELECT_PRICESCHEDULE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "passes/schedule/ScheduledOps.h"
#include "passes/select/PricedOp.h"
#include "target/NestCost.h"
#include "target/Target.h"
#include <memory>
#include <optional>
#include <vector>

namespace ein {

class SchedulePricer;

/// Extents of an op's loops, of which those of dynamic loops count: one or
/// several that are equally likely, of which the first is reported.
using AssumedExtents = std::vector<llvm::SmallVector<int64_t>>;

/// What an op takes, and what parts of it take. Nests that are not one of these
/// are the main one.
struct SchedulePrice {
  NestCost total;
  /// To copy operands to panels or in another order; and what register tiles
  /// at the ends of rows and columns take that are smaller than the others.
  NestCost copies, edges;
  /// How many bytes of panels and other copies are written.
  double copiedBytes = 0;
};

/// An op of which several schedules are to be priced.
class OpPricer {
public:
  /// With `surroundings`, as often as the loops round it come to it, and with
  /// operands where these have them. With `assumed`, dynamic loops count as
  /// what is there for each. `isQuick`: so is what is selected of pieces.
  OpPricer(mlir::linalg::LinalgOp op, const TargetInfo &target,
           const Surroundings &surroundings = {},
           const AssumedExtents &assumed = {}, bool isQuick = false);
  ~OpPricer();

  /// What the op takes on one thread of `target.machine`, in cycles: the nests
  /// that the schedule makes of it, copies included, each by `priceNest`. A
  /// dynamic size counts as kAssumedSize. An `epilogue` takes what it adds to
  /// the op that it is part of. None of what becomes other ops before it runs
  /// (`rows`, `split_sum`), and of what a library computes.
  std::optional<NestCost> price(const Schedule &schedule);
  /// The same by parts.
  std::optional<SchedulePrice> priceParts(const Schedule &schedule);
  /// How many points of loops that is.
  double getNumPoints() const;

private:
  std::vector<std::unique_ptr<SchedulePricer>> pricers;
};

} // namespace ein

#endif // EIN_PASSES_SELECT_PRICESCHEDULE_H
