//===- Uneven.cpp - Parts that do not lie in a grid -----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "distribute/Uneven.h"
#include "distribute/BestFew.h"
#include <algorithm>
#include <map>

namespace ein::distribute {

static bool contains(const std::vector<unsigned> &list, unsigned member) {
  return std::find(list.begin(), list.end(), member) != list.end();
}

/// What lies behind `weight` of `all` of the range.
static int64_t getBorder(Range range, int64_t weight, int64_t all) {
  return range.begin + range.size() / all * weight +
         range.size() % all * weight / all;
}

static Range cutByWeight(Range range, int64_t before, int64_t own,
                         int64_t all) {
  return {getBorder(range, before, all), getBorder(range, before + own, all)};
}

//===----------------------------------------------------------------------===//
// Parts of the index space
//===----------------------------------------------------------------------===//

UnevenParts::UnevenParts(const std::vector<int64_t> &extents,
                         const NestedCut &cut, int64_t ranks)
    : extents(extents), cut(cut), parts(ranks),
      places(ranks, std::vector<int64_t>(cut.levels.size())) {
  Block all;
  for (int64_t extent : extents)
    all.ranges.push_back({0, extent});
  cutParts(0, 0, ranks, all);
}

void UnevenParts::cutParts(size_t level, int64_t first, int64_t count,
                           const Block &part) {
  if (level == cut.levels.size()) {
    parts[first] = part;
    return;
  }
  bool isLast = level + 1 == cut.levels.size();
  const NestedCut::Level &own = cut.levels[level];
  int64_t number = isLast ? count : own.parts;
  for (int64_t i = 0; i != number; ++i) {
    Range members = cutRange(count, number, i);
    Block inner = part;
    inner.ranges[own.dim] =
        cutByWeight(part.ranges[own.dim], members.begin, members.size(), count);
    for (int64_t rank = members.begin; rank != members.end; ++rank)
      places[first + rank][level] = i;
    cutParts(level + 1, first + members.begin, members.size(), inner);
  }
}

//===----------------------------------------------------------------------===//
// Arrays at home
//===----------------------------------------------------------------------===//

/// A part of an array, which is for some ranks.
struct UnevenParts::Region {
  const std::vector<unsigned> &dims;
  Block block;
  std::vector<int64_t> ranks;
  size_t level = 0;
  /// The first level by which the ranks are not told apart yet.
  size_t firstOpen = 0;
};

void UnevenParts::place(const Region &region, std::vector<Block> &homes) const {
  size_t level = region.level;
  if (level == cut.levels.size() || region.ranks.size() == 1) {
    // Of an array without dims, the first rank has the only element.
    homes[region.ranks.front()] = region.block;
    return;
  }
  auto isCutLater = [&](unsigned dim) {
    return std::any_of(
        cut.levels.begin() + level + 1, cut.levels.end(),
        [&](const NestedCut::Level &later) { return later.dim == dim; });
  };
  // The array's dim that is cut: the level's, or else one that no later level
  // cuts, of which any piece is as good as another.
  size_t position =
      std::find(region.dims.begin(), region.dims.end(), cut.levels[level].dim) -
      region.dims.begin();
  bool isOwn = position != region.dims.size();
  for (size_t i = 0; i != region.dims.size() && !isOwn; ++i)
    if (!isCutLater(region.dims[i]) &&
        (position == region.dims.size() ||
         region.block.ranges[i].size() > region.block.ranges[position].size()))
      position = i;
  if (position == region.dims.size()) {
    // What cuts it comes later, and tells these ranks apart as well.
    Region later = region;
    ++later.level;
    place(later, homes);
    return;
  }
  // Ranks of one place are together, in the order in which what they need of
  // the dim comes.
  using Key = std::pair<int64_t, std::vector<int64_t>>;
  std::map<Key, std::vector<int64_t>> groups;
  for (int64_t rank : region.ranks) {
    Key key = {0, {}};
    if (isOwn) {
      Range needed = parts[rank].ranges[cut.levels[level].dim];
      key.first = needed.begin + needed.end;
    }
    for (size_t i = region.firstOpen; i <= level; ++i)
      key.second.push_back(places[rank][i]);
    groups[key].push_back(rank);
  }
  int64_t before = 0, all = region.ranks.size();
  for (auto &[key, ranks] : groups) {
    Region inner = {region.dims, region.block, std::move(ranks), level + 1,
                    level + 1};
    int64_t own = inner.ranks.size();
    inner.block.ranges[position] =
        cutByWeight(region.block.ranges[position], before, own, all);
    before += own;
    place(inner, homes);
  }
}

std::vector<Block>
UnevenParts::makeHomes(const std::vector<unsigned> &dims) const {
  Region all = {dims, {}, {}, 0, 0};
  for (unsigned dim : dims)
    all.block.ranges.push_back({0, extents[dim]});
  for (size_t rank = 0; rank != parts.size(); ++rank)
    all.ranks.push_back(rank);
  std::vector<Block> homes(
      parts.size(), {std::vector<Range>(std::max<size_t>(dims.size(), 1))});
  place(all, homes);
  return homes;
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

namespace {

class NestedSearch {
public:
  NestedSearch(const Contraction &contraction, int64_t ranks,
               const Network &network, double worstScore, unsigned count)
      : contraction(contraction), work(contraction.getWork()), ranks(ranks),
        network(network), count(count), worstScore(worstScore) {}

  std::vector<NestedCut> run();

private:
  void makeDims();
  /// Goes on with dim `number` of those before the last.
  void search(size_t number, int64_t cutRanks);
  /// Of what is cut so far, if all ranks were used well by what is left.
  double getScore(size_t number, int64_t cutRanks, bool isWhole) const;
  void look(int64_t cutRanks);

  const Contraction &contraction;
  std::vector<Work> work;
  int64_t ranks;
  const Network &network;
  unsigned count;
  double worstScore;

  /// One of each role, the longest, and by array whether it has it; the one
  /// that is cut last comes last.
  std::vector<unsigned> dims;
  std::vector<int64_t> parts;
  struct Found {
    double score;
    NestedCut cut;
  };
  std::vector<Found> best;
};

} // namespace

/// As of grids (GridSearch.cpp).
static double scoreBytes(double bytes, double seconds) {
  return (bytes + 1) * seconds;
}

void NestedSearch::makeDims() {
  std::map<std::vector<bool>, unsigned> roles;
  for (unsigned dim = 0; dim != contraction.extents.size(); ++dim) {
    std::vector<bool> role;
    for (unsigned array = 0; array != contraction.getNumArrays(); ++array)
      role.push_back(contains(contraction.getArray(array).dims, dim));
    for (const Work &part : work)
      role.push_back(contains(part.dims, dim));
    auto [entry, isNew] = roles.try_emplace(role, dim);
    if (!isNew && contraction.extents[dim] > contraction.extents[entry->second])
      entry->second = dim;
  }
  for (auto [role, dim] : roles)
    if (contraction.extents[dim] > 1)
      dims.push_back(dim);
  std::sort(dims.begin(), dims.end());
}

double NestedSearch::getScore(size_t number, int64_t cutRanks,
                              bool isWhole) const {
  double open = double(ranks) / double(cutRanks); // ranks of each part
  // The part of a dim that a rank has; of a dim that is not cut yet, all.
  auto getPart = [&](unsigned dim) {
    double extent = double(contraction.extents[dim]);
    for (size_t i = 0; i != dims.size(); ++i)
      if (dims[i] == dim)
        return i < number                        ? extent / double(parts[i])
               : isWhole && i + 1 == dims.size() ? std::max(extent / open, 1.0)
                                                 : extent;
    return extent;
  };
  auto isOpen = [&](unsigned dim) {
    return !isWhole &&
           std::find(dims.begin() + number, dims.end(), dim) != dims.end();
  };
  auto getPoints = [&](const std::vector<unsigned> &ofDims) {
    double points = 1, reducible = 1;
    for (unsigned dim : ofDims) {
      points *= getPart(dim);
      if (isOpen(dim))
        reducible *= double(contraction.extents[dim]);
    }
    return points / std::min(open, reducible);
  };
  double flops = 0, bytes = 0;
  for (const Work &own : work)
    flops += own.flops * (isWhole ? 1 : 0) * getPoints(own.dims);
  if (!isWhole) // all that there is, evenly
    for (const Work &own : work) {
      double points = own.flops;
      for (unsigned dim : own.dims)
        points *= double(contraction.extents[dim]);
      flops += points / double(ranks);
    }
  for (unsigned array = 0; array != contraction.getNumArrays(); ++array) {
    const Operand &operand = contraction.getArray(array);
    double home = 1;
    for (unsigned dim : operand.dims)
      home *= double(contraction.extents[dim]);
    bytes += operand.elementBytes *
             std::max(getPoints(operand.dims) - home / double(ranks), 0.0);
  }
  return scoreBytes(bytes, flops / network.flops + bytes / network.bytes);
}

void NestedSearch::look(int64_t cutRanks) {
  unsigned last = dims.back();
  // A grid, or more parts than there are elements.
  if (ranks % cutRanks == 0 || contraction.extents[last] < ranks / cutRanks + 1)
    return;
  double score = getScore(dims.size() - 1, cutRanks, /*isWhole=*/true);
  if (score >= worstScore)
    return;
  Found found = {score, {}};
  for (size_t i = 0; i + 1 != dims.size(); ++i)
    if (parts[i] > 1)
      found.cut.levels.push_back({dims[i], parts[i]});
  found.cut.levels.push_back({last, 1});
  addToBest(best, found, count, worstScore);
}

void NestedSearch::search(size_t number, int64_t cutRanks) {
  if (getScore(number, cutRanks, /*isWhole=*/false) >= worstScore)
    return;
  if (number + 1 == dims.size()) {
    look(cutRanks);
    return;
  }
  int64_t extent = contraction.extents[dims[number]];
  // The last dim has two parts at least.
  for (int64_t own = std::min(extent, ranks / cutRanks / 2); own >= 1; --own) {
    parts[number] = own;
    search(number + 1, cutRanks * own);
  }
}

std::vector<NestedCut> NestedSearch::run() {
  makeDims();
  if (dims.size() < 2)
    return {};
  parts.assign(dims.size() - 1, 1);
  for (size_t i = 0; i != dims.size(); ++i) {
    // Each is the last one once.
    std::rotate(dims.begin(), dims.begin() + 1, dims.end());
    search(0, 1);
  }
  std::vector<NestedCut> cuts;
  for (Found &found : best)
    cuts.push_back(std::move(found.cut));
  return cuts;
}

std::vector<NestedCut> findNestedCuts(const Contraction &contraction,
                                      int64_t ranks, const Network &network,
                                      double bytes, double seconds,
                                      unsigned count) {
  if (contraction.isEmpty())
    return {};
  return NestedSearch(contraction, ranks, network, scoreBytes(bytes, seconds),
                      count)
      .run();
}

} // namespace ein::distribute
