//===- Contraction.h - What is distributed ----------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A statement as the planner sees it: the extents of its index space, which of
// its dims each array has, and how many operations a point takes. Matrix
// products, chains, MTTKRP, elementwise statements and reductions are all such:
//
//  * a dim that all arrays have is a batch dim: cutting it moves nothing;
//  * an input that lacks a dim is needed by all ranks along it (all-gather);
//  * an output that lacks one is a sum over the ranks along it
//  (reduce-scatter).
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DISTRIBUTE_CONTRACTION_H
#define EIN_DISTRIBUTE_CONTRACTION_H

#include <cstdint>
#include <vector>

namespace ein::distribute {

/// An array of a contraction. Its dims are dims of the index space, each at
/// most once, in the order in which they are in memory.
struct Operand {
  std::vector<unsigned> dims;
  int64_t elementBytes = 4;
};

/// So many operations at each point of a part of the index space.
struct Work {
  std::vector<unsigned> dims;
  double flops;
};

struct Contraction {
  /// Of the index space; not negative.
  std::vector<int64_t> extents;
  std::vector<Operand> inputs;
  Operand output;
  /// What is computed. If it is empty, each point of the whole index space is a
  /// multiplication of all inputs and an addition.
  std::vector<Work> work = {};

  /// The inputs, then the output.
  unsigned getNumArrays() const { return unsigned(inputs.size()) + 1; }
  const Operand &getArray(unsigned number) const {
    return number < inputs.size() ? inputs[number] : output;
  }
  bool isOutput(unsigned number) const { return number == inputs.size(); }
  /// There is nothing to compute, and so nothing to move.
  bool isEmpty() const;
  /// `work`, or what it means that there is none.
  std::vector<Work> getWork() const;
};

/// By dim of an index space, in how many parts it is cut. Rank numbers are
/// coordinates in row-major order: those of the last dim are neighbours. Ranks
/// beyond the product of the parts do nothing.
using Grid = std::vector<int64_t>;

/// How many ranks a grid has.
int64_t countRanks(const Grid &grid);

} // namespace ein::distribute

#endif // EIN_DISTRIBUTE_CONTRACTION_H
