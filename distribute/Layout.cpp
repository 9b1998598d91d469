//===- Layout.cpp - Which rank has which block ----------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "distribute/Layout.h"
#include <algorithm>

namespace ein::distribute {

bool Contraction::isEmpty() const {
  return std::find(extents.begin(), extents.end(), 0) != extents.end();
}

std::vector<Work> Contraction::getWork() const {
  if (isEmpty())
    return {};
  if (!work.empty())
    return work;
  Work all = {{}, double(inputs.size())};
  for (unsigned dim = 0; dim != extents.size(); ++dim)
    all.dims.push_back(dim);
  return {all};
}

int64_t countRanks(const Grid &grid) {
  int64_t ranks = 1;
  for (int64_t parts : grid)
    ranks *= parts;
  return ranks;
}

Range cutRange(int64_t size, int64_t parts, int64_t number) {
  int64_t least = size / parts, larger = size % parts;
  int64_t begin = number * least + std::min(number, larger);
  return {begin, begin + least + (number < larger ? 1 : 0)};
}

Range cutRange(Range range, int64_t parts, int64_t number) {
  Range part = cutRange(range.size(), parts, number);
  return {range.begin + part.begin, range.begin + part.end};
}

int64_t getLargestPart(int64_t size, int64_t parts) {
  return size / parts + (size % parts != 0 ? 1 : 0);
}

int64_t Block::countElements() const {
  int64_t count = 1;
  for (Range range : ranges)
    count *= range.size();
  return count;
}

Block intersect(const Block &a, const Block &b) {
  Block both;
  for (size_t dim = 0; dim != a.ranges.size(); ++dim) {
    Range x = a.ranges[dim], y = b.ranges[dim];
    int64_t begin = std::max(x.begin, y.begin);
    both.ranges.push_back({begin, std::max(begin, std::min(x.end, y.end))});
  }
  return both;
}

std::optional<int64_t> findAdjacent(const Block &box, const Block &whole) {
  int64_t stride = 1, offset = 0;
  bool isWhole = true; // all dims behind this one
  for (size_t dim = box.ranges.size(); dim-- != 0;) {
    const Range &taken = box.ranges[dim], &all = whole.ranges[dim];
    if (!isWhole && taken.size() != 1)
      return std::nullopt;
    isWhole = isWhole && taken == all;
    offset += (taken.begin - all.begin) * stride;
    stride *= all.size();
  }
  return offset;
}

int64_t BlockLayout::countSharers() const {
  int64_t sharers = 1;
  for (unsigned axis : sharingAxes)
    sharers *= grid[axis];
  return sharers;
}

int64_t BlockLayout::countParts(unsigned dim) const {
  if (tiles)
    return tiles->parts[dim];
  return grid[axes[dim]] * (sharedDim == dim ? countSharers() : 1);
}

int64_t BlockLayout::getLargest(unsigned dim) const {
  return tiles ? tiles->largest[dim]
               : getLargestPart(extents[dim], countParts(dim));
}

bool BlockLayout::operator==(const BlockLayout &other) const {
  if (tiles != other.tiles && tiles && other.tiles)
    return extents == other.extents && tiles->blocks == other.tiles->blocks;
  return tiles == other.tiles && extents == other.extents &&
         grid == other.grid && axes == other.axes &&
         sharingAxes == other.sharingAxes && sharedDim == other.sharedDim;
}

BlockLayout makeTiles(std::vector<int64_t> extents, std::vector<Block> blocks) {
  auto tiles = std::make_shared<Tiles>();
  tiles->largest.assign(extents.size(), 0);
  tiles->parts.assign(extents.size(), 1);
  int64_t most = 0;
  for (const Block &block : blocks) {
    int64_t elements = block.countElements();
    for (size_t dim = 0; dim != extents.size(); ++dim) {
      int64_t size = block.ranges[dim].size();
      if (elements > most)
        tiles->largest[dim] = size;
      if (size != extents[dim] && elements != 0)
        tiles->parts[dim] = 2;
    }
    most = std::max(most, elements);
  }
  for (size_t dim = 0; dim != extents.size(); ++dim)
    if (tiles->parts[dim] > 1)
      tiles->parts[dim] = std::max(
          tiles->parts[dim], getLargestPart(extents[dim], tiles->largest[dim]));
  BlockLayout layout;
  layout.grid = {int64_t(blocks.size()), 1};
  layout.axes.assign(extents.size(), 1);
  layout.extents = std::move(extents);
  tiles->blocks = std::move(blocks);
  layout.tiles = std::move(tiles);
  return layout;
}

BlockLayout makeLayout(const Contraction &contraction, const Grid &grid,
                       unsigned array, std::optional<unsigned> avoided) {
  const Operand &operand = contraction.getArray(array);
  BlockLayout layout;
  layout.grid = grid;
  layout.axes = operand.dims;
  for (unsigned dim : operand.dims)
    layout.extents.push_back(contraction.extents[dim]);
  for (unsigned axis = 0; axis != grid.size(); ++axis)
    if (grid[axis] > 1 && std::find(operand.dims.begin(), operand.dims.end(),
                                    axis) == operand.dims.end())
      layout.sharingAxes.push_back(axis);
  // The dim with the most even pieces. Of equal ones the outermost, as pieces
  // of it are contiguous in the block.
  int64_t sharers = layout.countSharers();
  double least = 0;
  bool leastIsAvoided = false;
  for (unsigned i = 0; i != operand.dims.size(); ++i) {
    unsigned dim = operand.dims[i];
    int64_t local = getLargestPart(contraction.extents[dim], grid[dim]);
    double part =
        local == 0 ? 1 : double(getLargestPart(local, sharers)) / double(local);
    bool isAvoided = dim == avoided;
    if (!layout.sharedDim || isAvoided < leastIsAvoided ||
        (isAvoided == leastIsAvoided && part < least)) {
      layout.sharedDim = i;
      least = part;
      leastIsAvoided = isAvoided;
    }
  }
  return layout;
}

std::optional<std::vector<int64_t>> getCoordinates(const Grid &grid,
                                                   int64_t rank) {
  if (rank >= countRanks(grid))
    return std::nullopt;
  std::vector<int64_t> coordinates(grid.size());
  for (size_t axis = grid.size(); axis-- != 0;) {
    coordinates[axis] = rank % grid[axis];
    rank /= grid[axis];
  }
  return coordinates;
}

int64_t getRank(const Grid &grid, const std::vector<int64_t> &coordinates) {
  int64_t rank = 0;
  for (size_t axis = 0; axis != grid.size(); ++axis)
    rank = rank * grid[axis] + coordinates[axis];
  return rank;
}

int64_t getSharer(const BlockLayout &layout,
                  const std::vector<int64_t> &coordinates) {
  int64_t number = 0;
  for (unsigned axis : layout.sharingAxes)
    number = number * layout.grid[axis] + coordinates[axis];
  return number;
}

static Block getEmptyBlock(const BlockLayout &layout) {
  // Without dims, there is no empty range; then nobody asks for one, as the
  // only element is needed by all that compute.
  return {std::vector<Range>(std::max<size_t>(layout.axes.size(), 1))};
}

Block getNeededBlock(const BlockLayout &layout, int64_t rank) {
  std::optional<std::vector<int64_t>> coordinates =
      getCoordinates(layout.grid, rank);
  if (!coordinates)
    return getEmptyBlock(layout);
  Block block;
  for (size_t dim = 0; dim != layout.axes.size(); ++dim) {
    unsigned axis = layout.axes[dim];
    block.ranges.push_back(
        cutRange(layout.extents[dim], layout.grid[axis], (*coordinates)[axis]));
  }
  return block;
}

Block getHomeBlock(const BlockLayout &layout, int64_t rank) {
  Block block;
  getHomeBlock(layout, rank, block);
  return block;
}

void getHomeBlock(const BlockLayout &layout, int64_t rank, Block &block) {
  if (rank >= countRanks(layout.grid)) {
    block = getEmptyBlock(layout);
    return;
  }
  if (layout.tiles) {
    block = layout.tiles->blocks[rank];
    return;
  }
  // As getCoordinates and getSharer, without the list of coordinates: from the
  // last axis to the first, whose strides grow.
  block.ranges.resize(layout.axes.size());
  auto getCoordinate = [&](unsigned axis) {
    int64_t stride = 1;
    for (size_t later = axis + 1; later != layout.grid.size(); ++later)
      stride *= layout.grid[later];
    return rank / stride % layout.grid[axis];
  };
  for (size_t dim = 0; dim != layout.axes.size(); ++dim) {
    unsigned axis = layout.axes[dim];
    block.ranges[dim] =
        cutRange(layout.extents[dim], layout.grid[axis],
                 layout.grid[axis] == 1 ? 0 : getCoordinate(axis));
  }
  int64_t sharer = 0;
  for (unsigned axis : layout.sharingAxes)
    sharer = sharer * layout.grid[axis] + getCoordinate(axis);
  if (layout.sharedDim) {
    Range &range = block.ranges[*layout.sharedDim];
    range = cutRange(range, layout.countSharers(), sharer);
  } else if (sharer != 0) {
    block = getEmptyBlock(layout);
  }
}

std::vector<int64_t> getSharers(const BlockLayout &layout, int64_t rank) {
  std::optional<std::vector<int64_t>> coordinates =
      getCoordinates(layout.grid, rank);
  std::vector<int64_t> ranks;
  if (!coordinates)
    return ranks;
  int64_t count = layout.countSharers();
  for (int64_t number = 0; number != count; ++number) {
    int64_t rest = number;
    for (size_t i = layout.sharingAxes.size(); i-- != 0;) {
      unsigned axis = layout.sharingAxes[i];
      (*coordinates)[axis] = rest % layout.grid[axis];
      rest /= layout.grid[axis];
    }
    ranks.push_back(getRank(layout.grid, *coordinates));
  }
  return ranks;
}

} // namespace ein::distribute
