//===- Plan.h - How a contraction is distributed ----------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: the same product moves between nothing and all of its operands,
// depending on which dims are cut, and in how many parts.
//
// Choice: of all grids of at most as many parts as there are ranks, those are
// looked at that fit the memory and whose busiest rank computes at most
// `Network::slack` longer than it has to. The time of a grid is that of the
// busiest rank: its operations, the bytes that it receives of inputs and sends
// of partial sums, and the latency of messages. Of the grids that take at most
// `slack` longer than the fastest, the one is taken with the least product of
// bytes and time: it is not for a percent of the time that twice as many bytes
// move. For each grid the code may go along one dim in steps, and gather panels
// instead of blocks.
//
// Consequence: 1D, 2D, 2.5D and 3D algorithms are found where they are best,
// and a number of ranks without factors leaves a few without work.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DISTRIBUTE_PLAN_H
#define EIN_DISTRIBUTE_PLAN_H

#include "distribute/Contraction.h"
#include "distribute/Layout.h"
#include "distribute/Network.h"
#include <optional>

namespace ein::distribute {

/// A dim of the index space in `count` steps: a rank's part of it is cut as
/// cutRange says. Inputs that have the dim are gathered a panel at a time,
/// while the panel before is computed with; an output that has it is scattered
/// so.
struct Steps {
  unsigned dim = 0;
  int64_t count = 1;
};

enum class CollectiveKind { AllGather, ReduceScatter };

/// What an array's blocks take part in, unless nobody shares them.
struct Collective {
  CollectiveKind kind;
  unsigned array;
  /// How many ranks share a block.
  int64_t sharers = 1;
  /// How often: 1, or the number of steps.
  int64_t times = 1;
  /// In all times, the most that a rank receives (all-gather) or sends
  /// (reduce-scatter): its block without what it has at home.
  int64_t bytesPerRank = 0;
  /// The same of all ranks together.
  double totalBytes = 0;
};

struct Plan {
  Grid grid;
  Steps steps;
  /// The inputs', then the output's.
  std::vector<BlockLayout> layouts;
  std::vector<Collective> collectives;

  /// Of the rank of which each is most.
  double flops = 0;
  int64_t bytesMoved = 0;
  /// What a rank has at home, and what it has while it computes, that included.
  int64_t homeBytes = 0, memoryBytes = 0;
  /// By the network: both, and together. In steps, one hides the other.
  double computeSeconds = 0, moveSeconds = 0, seconds = 0;
  /// Of all ranks.
  double totalBytes = 0;
};

/// The plan of a given grid. In the fewest steps that fit `maxMemoryBytes`;
/// none if nothing does. 0 stands for any amount.
std::optional<Plan> planGrid(const Contraction &contraction, const Grid &grid,
                             int64_t maxMemoryBytes, const Network &network);

/// The best plan for at most `ranks` ranks, by an exact search: no grid is left
/// out but those that have more parts than another and no smaller block.
/// The same arguments give the same plan. None if memory is too short for each.
std::optional<Plan> planContraction(const Contraction &contraction,
                                    int64_t ranks, int64_t maxMemoryBytes,
                                    const Network &network);

/// The best `count` of them, each followed by those that cut other dims with
/// the same role; fewer if there are no more. For whoever has reasons of their
/// own to prefer one.
std::vector<Plan> planContractions(const Contraction &contraction,
                                   int64_t ranks, int64_t maxMemoryBytes,
                                   const Network &network, unsigned count);

/// The least memory that any grid needs, in as many steps as it takes; for
/// whoever was given less.
int64_t findLeastMemory(const Contraction &contraction, int64_t ranks,
                        const Network &network);

/// What a rank moves for one array of a plan: receives of an input, sends of
/// the output. In elements.
int64_t countMovedElements(const BlockLayout &layout, int64_t rank);

} // namespace ein::distribute

#endif // EIN_DISTRIBUTE_PLAN_H
