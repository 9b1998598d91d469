//===- Uneven.h - Parts that do not lie in a grid ---------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: 19 ranks make no grid but a row, in which each needs all of an
// operand, and 18 of them compute for longer by a twentieth.
//
// Choice: dims are cut one after the other, and each part has as many ranks as
// the others, or one more: 19 are two of 10 and 9, these are 4, 3, 3 and 3, 3,
// 3, and the last dim is cut in as many parts as there are ranks. A part is as
// long as it has ranks, so that all compute as much. Borders of neighbours do
// not meet, as the columns of a newspaper: Beaumont et al. 2001 cut matrices
// so.
//
// Consequence: any number of ranks moves little more than one with factors. The
// blocks that ranks need of an array overlap instead of being the same, and
// what is at home is a piece of each.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DISTRIBUTE_UNEVEN_H
#define EIN_DISTRIBUTE_UNEVEN_H

#include "distribute/Layout.h"
#include "distribute/Network.h"

namespace ein::distribute {

/// How the dims of an index space are cut, one inside the other.
struct NestedCut {
  struct Level {
    unsigned dim = 0;
    int64_t parts = 1;
  };
  /// The last one has no number of parts: as many as there are ranks left.
  std::vector<Level> levels;
};

/// The parts of an index space, by rank.
class UnevenParts {
public:
  UnevenParts(const std::vector<int64_t> &extents, const NestedCut &cut,
              int64_t ranks);

  const std::vector<Block> &getParts() const { return parts; }
  /// What is at home of an array whose dims are dims of the index space, each
  /// at most once: each element once, about as much with each rank, and of what
  /// that rank needs wherever possible.
  std::vector<Block> makeHomes(const std::vector<unsigned> &dims) const;

private:
  void cutParts(size_t level, int64_t first, int64_t count, const Block &part);
  struct Region;
  void place(const Region &region, std::vector<Block> &homes) const;

  const std::vector<int64_t> &extents;
  const NestedCut &cut;
  std::vector<Block> parts;
  /// By rank, its place at each level.
  std::vector<std::vector<int64_t>> places;
};

/// The best cuts with all of `ranks`, by an estimate of bytes and time; those
/// that are grids are not among them, nor are those that are not better than
/// `bytes` and `seconds`.
std::vector<NestedCut> findNestedCuts(const Contraction &contraction,
                                      int64_t ranks, const Network &network,
                                      double bytes, double seconds,
                                      unsigned count);

} // namespace ein::distribute

#endif // EIN_DISTRIBUTE_UNEVEN_H
