//===- Layout.h - Which rank has which block --------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a grid over the index space of a contraction says which part of each
// array a rank needs. Ranks along an axis that an array has no dim for need the
// same part, and if all had it, the array would be stored several times.
//
// Choice: the home layout. At home, such ranks share their part: one dim of it
// is cut once more, in as many pieces as there are ranks. An input's pieces are
// all-gathered before computing, an output's partial sums are reduce-scattered
// to pieces afterwards: the 2.5D and 3D algorithms (Solomonik and Demmel 2011,
// Kwasniewski et al. 2019) without a copy that stays.
//
// Consequence: each element has one home, whatever the grid is, so that memory
// at home is the size of the array by the number of ranks.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DISTRIBUTE_LAYOUT_H
#define EIN_DISTRIBUTE_LAYOUT_H

#include "distribute/Contraction.h"
#include <memory>
#include <optional>

namespace ein::distribute {

/// The elements from `begin` on, and before `end`.
struct Range {
  int64_t begin = 0, end = 0;
  int64_t size() const { return end - begin; }
  bool operator==(const Range &other) const {
    return begin == other.begin && end == other.end;
  }
};

/// Part `number` of `parts` of `size` elements: the first `size % parts` have
/// one element more than the others. Parts are empty where there are too few.
Range cutRange(int64_t size, int64_t parts, int64_t number);
/// The same of a range.
Range cutRange(Range range, int64_t parts, int64_t number);
/// The largest part, which is the first.
int64_t getLargestPart(int64_t size, int64_t parts);

/// A part of an array: a range for each of its dims.
struct Block {
  std::vector<Range> ranges;
  int64_t countElements() const;
  bool operator==(const Block &other) const { return ranges == other.ranges; }
};
/// What both have.
Block intersect(const Block &a, const Block &b);
/// Behind how many elements those of `box` begin, if they follow each other in
/// the memory of `whole`, which has them; none if others lie between them.
std::optional<int64_t> findAdjacent(const Block &box, const Block &whole);

/// A block for each rank, where they lie in no grid (Uneven.h).
struct Tiles {
  /// An empty one has an empty range.
  std::vector<Block> blocks;
  /// By dim, the range of the largest block, and in how many parts of that
  /// length it is cut: two or more if any block has not all of it.
  std::vector<int64_t> largest, parts;
};

/// How an array is cut over a grid.
struct BlockLayout {
  /// Of the array's dims.
  std::vector<int64_t> extents;
  Grid grid;
  /// By dim of the array, the axis of the grid that cuts it.
  std::vector<unsigned> axes;
  /// The axes that no dim of the array has and that have several parts. Ranks
  /// along these need the same block, and share it at home.
  std::vector<unsigned> sharingAxes;
  /// The array's dim that is cut once more for that. Without one, as the array
  /// has no dims, the first of the sharing ranks has the only element.
  std::optional<unsigned> sharedDim;
  /// If it is there, it says who has what. The grid then is a row of all ranks,
  /// whose axis is of no dim, and nobody shares a block.
  std::shared_ptr<const Tiles> tiles = nullptr;

  /// How many ranks share a block.
  int64_t countSharers() const;
  /// In how many parts a dim is cut at home; of tiles, about.
  int64_t countParts(unsigned dim) const;
  /// The elements of a dim that the largest block at home has.
  int64_t getLargest(unsigned dim) const;
  bool operator==(const BlockLayout &other) const;
};

/// The layout of given blocks, one for each rank, of an array of `extents`.
BlockLayout makeTiles(std::vector<int64_t> extents, std::vector<Block> blocks);

/// The layout that a grid makes of an array. `avoided` is a dim of the index
/// space that is cut once more only if the array has no other: one that the
/// code steps along.
BlockLayout makeLayout(const Contraction &contraction, const Grid &grid,
                       unsigned array,
                       std::optional<unsigned> avoided = std::nullopt);

/// A rank's place along each axis; none if the rank does nothing.
std::optional<std::vector<int64_t>> getCoordinates(const Grid &grid,
                                                   int64_t rank);
int64_t getRank(const Grid &grid, const std::vector<int64_t> &coordinates);
/// The rank's number among those that share its block, in row-major order of
/// the sharing axes.
int64_t getSharer(const BlockLayout &layout,
                  const std::vector<int64_t> &coordinates);

/// What a rank computes with, or computes a partial sum of. Empty for one that
/// does nothing.
Block getNeededBlock(const BlockLayout &layout, int64_t rank);
/// What a rank has at home.
Block getHomeBlock(const BlockLayout &layout, int64_t rank);
/// The same into `block`, for whoever asks for many.
void getHomeBlock(const BlockLayout &layout, int64_t rank, Block &block);
/// The ranks that share the rank's block, by their number among them.
std::vector<int64_t> getSharers(const BlockLayout &layout, int64_t rank);

} // namespace ein::distribute

#endif // EIN_DISTRIBUTE_LAYOUT_H
