//===- LinearSearch.h - Orders that sweep over a network --------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The best order of a lattice sweeps over it: one large tensor takes in one
// small one after the other, and never has more labels than a front across the
// lattice. Neither pairs nor halves lead there.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_ORDER_LINEARSEARCH_H
#define EIN_ORDER_LINEARSEARCH_H

#include "order/OrderProblem.h"

namespace ein {

class LinearSearch {
public:
  explicit LinearSearch(const OrderProblem &problem);

  /// Puts the leaves in a line, such that the labels that cross any place of it
  /// take little. The front goes from one side of a split of the leaves to the
  /// other; `straight` says how much it keeps to that direction, beside its
  /// size. Returns the legs that it has looked at.
  uint64_t arrange(llvm::ArrayRef<unsigned char> sides, double straight,
                   OrderRandom &random, std::vector<unsigned> &line);
  /// The flops, about, of contracting them one after the other.
  double getSweepCost(llvm::ArrayRef<unsigned> line);
  /// The cheapest order, about, among those all of whose results are stretches
  /// of the line.
  void bracket(llvm::ArrayRef<unsigned> line, OrderPairs &pairs);

private:
  /// How far each leaf is behind what the split cuts, or before it.
  void measure(llvm::ArrayRef<unsigned char> sides);
  void makePairs(OrderPairs &pairs) const;

  const OrderProblem &problem;
  std::vector<double> weights; // log2 of the labels' sizes
  std::vector<llvm::SmallVector<unsigned, 4>> holders;
  uint64_t work = 0;
  // Scratch.
  std::vector<int> distances;
  std::vector<unsigned> counts, visits, front;
  std::vector<char> isTaken;
  // Of `bracket`: the blocks of leaves that it does not split, and tables by
  // the first and the last of a stretch of blocks.
  std::vector<std::pair<unsigned, unsigned>> blocks;
  llvm::ArrayRef<unsigned> line;
  size_t stride = 0;
  std::vector<double> costs, roots, costsByEnd, rootsByEnd;
  std::vector<unsigned short> splits;
};

} // namespace ein

#endif // EIN_ORDER_LINEARSEARCH_H
