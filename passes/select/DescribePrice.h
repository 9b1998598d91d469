//===- DescribePrice.h - What an op takes, for people -----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_SELECT_DESCRIBEPRICE_H
#define EIN_PASSES_SELECT_DESCRIBEPRICE_H

#include "passes/select/PriceSchedule.h"
#include "llvm/Support/raw_ostream.h"

namespace ein {

/// Prints `2.1e+09`, and small numbers in full.
void printCount(llvm::raw_ostream &os, double count);

/// `multiply-adds`, if they bound what is issued, else `latency`, `L2`, …
llvm::StringRef getBoundName(const NestCost &cost);

/// A level of memory, by what a nest moves between it and the level before it.
struct LevelTraffic {
  llvm::StringRef name; // "L2", "L3", "memory"
  double bytes = 0, cycles = 0;
};

/// From the nearest on, those that the machine has.
llvm::SmallVector<LevelTraffic> getTraffic(const NestCost &cost,
                                           const MachineModel &machine);

/// Cycles that an op takes for one thing. They overlap, so that the largest is
/// about what it takes in all; those of copies, edges and waits come beside it.
struct PriceTerm {
  llvm::StringRef name;
  double cycles = 0;
};

/// What the main nest issues of each kind, `latency`, a level of memory each,
/// `TLB`, then `copies`, `edges` and `waits` (for ends of loops, for lines that
/// nobody fetched in time, calls and threads).
llvm::SmallVector<PriceTerm> getTerms(const SchedulePrice &price,
                                      const MachineModel &machine);

/// Of what the op would take more cycles than it does, and how many more.
PriceTerm findLoss(const SchedulePrice &own, const SchedulePrice &other,
                   const MachineModel &machine);

/// `2210 cycles, bound by multiply-adds; 14336 bytes from and to L2`.
std::string describePrice(const SchedulePrice &price,
                          const MachineModel &machine);

} // namespace ein

#endif // EIN_PASSES_SELECT_DESCRIBEPRICE_H
