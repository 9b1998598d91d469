//===- Costs.h - What a grid costs ------------------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What Plan.cpp and GridSearch.cpp have in common: the cost of a grid without
// the plan, as the search looks at many.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DISTRIBUTE_COSTS_H
#define EIN_DISTRIBUTE_COSTS_H

#include "distribute/Plan.h"

namespace ein::distribute {

struct GridCost {
  Steps steps;
  double home = 0, memory = 0, moved = 0; // bytes
  double computeSeconds = 0, moveSeconds = 0, seconds = 0;

  /// What the search makes least. Steps are for memory: what they hide is no
  /// reason to prefer a grid that needs them.
  double getSum() const { return computeSeconds + moveSeconds; }
};

/// In as few steps as fit; none if none do.
std::optional<GridCost> costGrid(const Contraction &contraction,
                                 const Grid &grid, double maxMemory,
                                 const Network &network);
/// What the grid needs at least, in as many steps as it takes.
double getLeastMemory(const Contraction &contraction, const Grid &grid);
Plan makePlan(const Contraction &contraction, const Grid &grid,
              const GridCost &cost);

/// Operations of the busiest rank.
double getLargestWork(const Contraction &contraction, const Grid &grid);
/// How much of a part of a sum others have of what one rank keeps, where all
/// who add to it keep as much.
int64_t countOthers(int64_t elements, int64_t sharers);
/// One after the other, in a collective of so many.
double getMessages(int64_t sharers);
/// 0 is any amount.
double getMemoryLimit(int64_t maxMemoryBytes);

} // namespace ein::distribute

#endif // EIN_DISTRIBUTE_COSTS_H
