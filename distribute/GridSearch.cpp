//===- GridSearch.cpp - The best grid -------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: 65,536 ranks are cut into the parts of three dims in 5 million ways,
// of six in ten billion.
//
// Choice: dims that the same arrays and the same work have are one class, as
// what a grid costs depends on the product of their parts only. Of a class only
// those cuts are looked at that make its largest block smaller than all cuts
// into fewer parts: about twice the root of the extent. Classes are cut one
// after the other, and left as soon as what is cut so far cannot become faster
// than the best grid, however well the ranks that are left are used.
//
// Consequence: the search takes milliseconds, and is exact but for one thing:
// of dims of a class, those with the smallest block are cut, though the pieces
// that sharers have at home may be a little more even for others.
//
//===----------------------------------------------------------------------===//

#include "distribute/BestFew.h"
#include "distribute/Costs.h"
#include <algorithm>
#include <limits>
#include <map>

namespace ein::distribute {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The dims of a class in so many parts, and the largest block that it leaves.
struct Cut {
  int64_t parts = 1;
  double block = 1;
  std::vector<int64_t> dimParts;
};

struct DimClass {
  std::vector<unsigned> dims;
  /// By array, and by work, whether it has the dims.
  std::vector<bool> arrays, works;
  double extent = 1;
  /// By parts, ascending; blocks become smaller.
  std::vector<Cut> cuts;
};

class GridSearch {
public:
  GridSearch(const Contraction &contraction, int64_t ranks, double maxMemory,
             const Network &network)
      : contraction(contraction), ranks(std::max<int64_t>(ranks, 1)),
        maxMemory(maxMemory), network(network), work(contraction.getWork()) {
    makeClasses();
    homeBound = getHomeBound();
  }

  std::vector<Grid> findBest(unsigned count);
  double findLeastMemory();
  /// The grid, and those that cost about as much: the parts of a class lie on
  /// one of its dims or, with `inPairs`, on two. They differ in what lies
  /// where.
  std::vector<Grid> getTurned(const Grid &grid, bool inPairs) const;

private:
  void makeClasses();
  std::vector<Cut> makeCuts(const std::vector<unsigned> &dims);

  /// Goes on with class `number`, when `left` times as many parts may be made.
  void search(size_t number, int64_t left);
  /// What no grid is below that goes on from the cuts so far.
  struct MoveBound {
    double bytes = 0, seconds = 0;
  };
  double getWorkBound(size_t number, int64_t left) const;
  MoveBound getMoveBound(size_t number, int64_t left) const;
  /// What is at home of a rank of the most even grid.
  double getHomeBound() const;
  bool isHopeless(size_t number, int64_t left) const;
  void look();

  const Contraction &contraction;
  int64_t ranks;
  double maxMemory;
  const Network &network;
  std::vector<Work> work;
  std::vector<DimClass> classes;
  std::vector<const Cut *> current;
  Grid grid;
  double homeBound = 0;

  /// First the least work is found, then the fastest grid with little more,
  /// then the one with the fewest bytes of those that are little slower.
  enum class Aim { Memory, Work, Time, Bytes } aim = Aim::Work;
  double leastMemory = kInfinity;
  double mostWork = kInfinity;
  double leastWork = kInfinity;
  double leastSum = kInfinity, mostSum = kInfinity;
  /// The best so far, and what one has to be below to be among them.
  struct Found {
    double score;
    Grid grid;
  };
  unsigned count = 1;
  std::vector<Found> best;
  double worstScore = kInfinity;
};

} // namespace

/// What is least for the best grid. A factor of bytes is worth the same factor
/// of time; grids that move nothing are compared by their time.
static double getScore(double bytes, double seconds) {
  return (bytes + 1) * seconds;
}

/// The numbers of parts that leave a smaller block than fewer parts do.
static std::vector<int64_t> getUsefulParts(int64_t extent, int64_t most) {
  std::vector<int64_t> list = {1};
  int64_t block = extent;
  while (block > 1) {
    // The least number with a smaller block.
    int64_t parts = getLargestPart(extent, block - 1);
    if (parts > most)
      break;
    list.push_back(parts);
    block = getLargestPart(extent, parts);
  }
  return list;
}

std::vector<Cut> GridSearch::makeCuts(const std::vector<unsigned> &dims) {
  std::vector<Cut> cuts = {Cut()};
  for (unsigned dim : dims) {
    int64_t extent = contraction.extents[dim];
    std::vector<Cut> next;
    for (const Cut &cut : cuts)
      for (int64_t parts : getUsefulParts(extent, ranks / cut.parts)) {
        Cut longer = cut;
        longer.parts *= parts;
        longer.block *= double(getLargestPart(extent, parts));
        longer.dimParts.push_back(parts);
        next.push_back(std::move(longer));
      }
    // Of equal ones the first, which cuts the later dims.
    std::stable_sort(next.begin(), next.end(), [](const Cut &a, const Cut &b) {
      return a.parts != b.parts ? a.parts < b.parts : a.block < b.block;
    });
    cuts.clear();
    for (Cut &cut : next)
      if (cuts.empty() || cut.block < cuts.back().block)
        cuts.push_back(std::move(cut));
  }
  return cuts;
}

void GridSearch::makeClasses() {
  auto has = [](const std::vector<unsigned> &dims, unsigned dim) {
    return std::find(dims.begin(), dims.end(), dim) != dims.end();
  };
  std::map<std::pair<std::vector<bool>, std::vector<bool>>, size_t> known;
  for (unsigned dim = 0; dim != contraction.extents.size(); ++dim) {
    DimClass own;
    for (unsigned array = 0; array != contraction.getNumArrays(); ++array)
      own.arrays.push_back(has(contraction.getArray(array).dims, dim));
    for (const Work &part : work)
      own.works.push_back(has(part.dims, dim));
    auto [entry, isNew] =
        known.try_emplace({own.arrays, own.works}, classes.size());
    if (isNew)
      classes.push_back(std::move(own));
    DimClass &members = classes[entry->second];
    members.dims.push_back(dim);
    members.extent *= double(contraction.extents[dim]);
  }
  for (DimClass &members : classes)
    members.cuts = makeCuts(members.dims);
  // Those with the fewest ways first: what comes last is bounded best.
  std::stable_sort(classes.begin(), classes.end(),
                   [](const DimClass &a, const DimClass &b) {
                     return a.cuts.size() < b.cuts.size();
                   });
  current.assign(classes.size(), nullptr);
  grid.assign(contraction.extents.size(), 1);
}

double GridSearch::getWorkBound(size_t number, int64_t left) const {
  double flops = 0;
  for (size_t i = 0; i != work.size(); ++i) {
    double points = work[i].flops, open = 1;
    for (size_t c = 0; c != classes.size(); ++c)
      if (classes[c].works[i])
        (c < number ? points : open) *=
            c < number ? current[c]->block : classes[c].extent;
    flops += points *
             (open > double(left) ? open / double(left) : std::min(open, 1.0));
  }
  return flops / network.flops;
}

GridSearch::MoveBound GridSearch::getMoveBound(size_t number,
                                               int64_t left) const {
  MoveBound bound;
  for (unsigned array = 0; array != contraction.getNumArrays(); ++array) {
    double block = contraction.getArray(array).elementBytes, open = 1;
    int64_t sharers = 1;
    for (size_t c = 0; c != classes.size(); ++c) {
      bool isCut = c < number;
      if (classes[c].arrays[array])
        (isCut ? block : open) *= isCut ? current[c]->block : classes[c].extent;
      else if (isCut)
        sharers *= current[c]->parts;
    }
    if (sharers == 1 || contraction.isEmpty())
      continue;
    block *= open > double(left) ? open / double(left) : std::min(open, 1.0);
    double bytes = block * (1 - 1 / double(sharers));
    bound.bytes += bytes;
    bound.seconds +=
        bytes / network.bytes + network.latency * getMessages(sharers);
  }
  return bound;
}

void GridSearch::look() {
  for (size_t c = 0; c != classes.size(); ++c)
    for (size_t i = 0; i != classes[c].dims.size(); ++i)
      grid[classes[c].dims[i]] = current[c]->dimParts[i];
  if (aim == Aim::Memory) {
    leastMemory = std::min(leastMemory, getLeastMemory(contraction, grid));
    return;
  }
  std::optional<GridCost> cost =
      costGrid(contraction, grid, maxMemory, network);
  if (!cost)
    return;
  if (aim == Aim::Work) {
    leastWork = std::min(leastWork, cost->computeSeconds);
    return;
  }
  if (aim == Aim::Time) {
    leastSum = std::min(leastSum, cost->getSum());
    return;
  }
  Found found = {getScore(cost->moved, cost->getSum()), grid};
  if (cost->getSum() > mostSum || found.score >= worstScore)
    return;
  addToBest(best, found, count, worstScore);
}

double GridSearch::getHomeBound() const {
  double bytes = 0;
  for (unsigned array = 0; array != contraction.getNumArrays(); ++array) {
    double own = contraction.getArray(array).elementBytes;
    for (const DimClass &members : classes)
      if (members.arrays[array])
        own *= members.extent;
    bytes += own / double(ranks);
  }
  return bytes;
}

bool GridSearch::isHopeless(size_t number, int64_t left) const {
  // Rounding makes equal ones differ.
  constexpr double kBelow = 1 - 1e-12;
  if (aim == Aim::Memory)
    return homeBound * kBelow >= leastMemory;
  double workBound = getWorkBound(number, left) * kBelow;
  if (aim == Aim::Work)
    return workBound >= leastWork;
  if (workBound > mostWork)
    return true;
  MoveBound moves = getMoveBound(number, left);
  double sum = workBound + moves.seconds * kBelow;
  if (aim == Aim::Time)
    return sum >= leastSum;
  return sum > mostSum || getScore(moves.bytes * kBelow, sum) >= worstScore;
}

void GridSearch::search(size_t number, int64_t left) {
  if (isHopeless(number, left))
    return;
  if (number == classes.size()) {
    look();
    return;
  }
  // Many parts first: the best grids are among those that use most ranks.
  const std::vector<Cut> &cuts = classes[number].cuts;
  for (size_t i = cuts.size(); i-- != 0;)
    if (cuts[i].parts <= left) {
      current[number] = &cuts[i];
      search(number + 1, left / cuts[i].parts);
    }
}

std::vector<Grid> GridSearch::findBest(unsigned most) {
  if (homeBound > maxMemory)
    return {};
  aim = Aim::Work;
  search(0, ranks);
  if (leastWork == kInfinity)
    return {};
  aim = Aim::Time;
  mostWork = leastWork * (1 + network.slack);
  search(0, ranks);
  aim = Aim::Bytes;
  count = most;
  mostSum = leastSum * (1 + network.slack);
  search(0, ranks);
  std::vector<Grid> grids;
  for (Found &found : best)
    grids.push_back(std::move(found.grid));
  return grids;
}

std::vector<Grid> GridSearch::getTurned(const Grid &grid, bool inPairs) const {
  std::vector<Grid> turned = {grid};
  auto add = [&](const DimClass &members, size_t from, unsigned a,
                 int64_t partsOfA, unsigned b, int64_t partsOfB) {
    Grid own = turned[from];
    for (unsigned dim : members.dims)
      own[dim] = 1;
    own[a] = partsOfA;
    own[b] *= partsOfB;
    if (own[a] <= contraction.extents[a] && own[b] <= contraction.extents[b] &&
        std::find(turned.begin(), turned.end(), own) == turned.end())
      turned.push_back(std::move(own));
  };
  for (const DimClass &members : classes) {
    int64_t parts = 1;
    for (unsigned dim : members.dims)
      parts *= grid[dim];
    if (members.dims.size() == 1 || parts == 1)
      continue;
    for (size_t i = 0, count = turned.size(); i != count; ++i) {
      for (unsigned a : members.dims)
        add(members, i, a, parts, a, 1);
      // Pairs of one class only: all of several would be too many.
      for (unsigned a : members.dims)
        for (unsigned b : members.dims)
          for (int64_t part = 2; inPairs && i == 0 && a != b && part < parts;
               ++part)
            if (parts % part == 0)
              add(members, i, a, part, b, parts / part);
    }
  }
  return turned;
}

double GridSearch::findLeastMemory() {
  aim = Aim::Memory;
  search(0, ranks);
  return leastMemory;
}

int64_t findLeastMemory(const Contraction &contraction, int64_t ranks,
                        const Network &network) {
  return int64_t(
      GridSearch(contraction, ranks, kInfinity, network).findLeastMemory());
}

std::vector<Plan> planContractions(const Contraction &contraction,
                                   int64_t ranks, int64_t maxMemoryBytes,
                                   const Network &network, unsigned count) {
  std::vector<Plan> plans;
  GridSearch search(contraction, ranks, getMemoryLimit(maxMemoryBytes),
                    network);
  std::vector<Grid> grids;
  for (const Grid &grid : search.findBest(count))
    for (const Grid &turned :
         count == 1 ? std::vector<Grid>{grid}
                    : search.getTurned(grid, /*inPairs=*/grids.empty()))
      if (std::find(grids.begin(), grids.end(), turned) == grids.end())
        grids.push_back(turned);
  for (const Grid &grid : grids)
    if (std::optional<Plan> plan =
            planGrid(contraction, grid, maxMemoryBytes, network))
      plans.push_back(std::move(*plan));
  return plans;
}

std::optional<Plan> planContraction(const Contraction &contraction,
                                    int64_t ranks, int64_t maxMemoryBytes,
                                    const Network &network) {
  std::vector<Plan> plans =
      planContractions(contraction, ranks, maxMemoryBytes, network, 1);
  if (plans.empty())
    return std::nullopt;
  return std::move(plans.front());
}

} // namespace ein::distribute
