//===- Slices.h - Slices over ranks -----------------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a network whose intermediates are too large is contracted slice by
// slice (order/Slicing.h), and a grid over each slice moves what one over the
// network would, as often as there are slices.
//
// Choice: slices over ranks first. Groups of ranks have slices of their own,
// and only in a group is a slice cut by grids; what groups have in common are
// inputs, which come from wherever they are, and the sum at the end. Groups are
// as small as memory allows, unless there are more ranks than slices, or
// prediction says that larger ones are faster.
//
// Consequence: up to as many ranks as slices, nothing moves between the first
// step and the last sum.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DISTRIBUTE_SLICES_H
#define EIN_DISTRIBUTE_SLICES_H

#include "distribute/Program.h"

namespace ein::distribute {

struct SlicedProgram {
  /// The steps of one slice, on parts of the arrays. What its last statement
  /// writes is the result.
  Program slice;
  int64_t numSlices = 1;
  /// By array of the slice, how many parts the array has: 1 if each slice needs
  /// all of it.
  std::vector<int64_t> parts;
};

struct SlicedPlan {
  int64_t groups = 1, ranksPerGroup = 1;
  /// How many slices the busiest group has, one after the other.
  int64_t rounds = 1;
  /// Of one slice in a group.
  ProgramPlan slice;

  /// Of the busiest rank: what it receives of inputs at most, as if it had
  /// nothing of them; what it moves in all its slices; what it sends of the
  /// sum.
  int64_t inputBytes = 0, stepBytes = 0, sumBytes = 0;
  int64_t memoryBytes = 0;
  double computeSeconds = 0, moveSeconds = 0, seconds = 0;

  int64_t getBytesMoved() const { return inputBytes + stepBytes + sumBytes; }
};

/// None if no group of ranks has enough memory for a slice. 0 bytes are any
/// amount. Steps that several slices have in common count in each.
std::optional<SlicedPlan> planSlices(const SlicedProgram &program,
                                     int64_t ranks, int64_t maxMemoryBytes,
                                     const Network &network);

} // namespace ein::distribute

#endif // EIN_DISTRIBUTE_SLICES_H
