//===- PartitionSearch.cpp - An order from the last step on ---------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: the last steps of a large network cost the most, and a search that
// goes from the leaves to the root has made its choices when it gets there.
//
// Choice: recursive bisection, as in J. Gray and S. Kourtis, "Hyper-optimized
// tensor network contraction", Quantum 5, 410 (2021), section 3. Tensors are
// the vertices of a hypergraph and labels its nets. A step that contracts what
// two halves of a set leave costs the product of the labels that the set has
// open, which is the same for all splits, and of those that the split cuts: so
// the cut is what counts, with the logarithms of sizes for weights. A cut is
// found as G. Karypis, R. Aggarwal, V. Kumar and S. Shekhar do, "Multilevel
// hypergraph partitioning: applications in VLSI domain", IEEE Trans. VLSI 7(1),
// 69 (1999): vertices that share the heaviest nets are merged until few are
// left, these are split by growing one side from some vertex, and the split is
// carried back level by level. At each it is improved by moves of single
// vertices, the best of a sequence in which each vertex moves once (C. M.
// Fiduccia and R. M. Mattheyses, "A linear-time heuristic for improving network
// partitions", DAC 1982). How uneven the sides may be is the caller's, who
// tries many: the best cuts for the tree as a whole are often uneven.
//
// Consequence: one tree takes about as long as some ten greedy ones. It is good
// near the root and fair near the leaves, where sets are small enough for the
// best order; what is wrong in between is left to TreeSearch.
//
//===----------------------------------------------------------------------===//

#include "order/PartitionSearch.h"
#include "order/SearchKnobs.h"
#include "llvm/ADT/STLExtras.h"
#include <cassert>
#include <cmath>
#include <numeric>

using namespace llvm;

namespace ein {

PartitionSearch::PartitionSearch(const OrderProblem &problem)
    : problem(problem) {
  // Whole numbers, so that gains can be sorted by counting. A quarter of a bit
  // is fine enough; sizes that are powers of one another lose nothing.
  int divisor = 0;
  for (double size : problem.sizes) {
    labelWeights.push_back(
        size > 1
            ? std::max<int>(
                  std::lround(SearchKnobs::kWeightsPerBit * std::log2(size)), 1)
            : 0);
    divisor = std::gcd(divisor, labelWeights.back());
  }
  for (int &weight : labelWeights)
    weight /= std::max(divisor, 1);
}

void PartitionSearch::Graph::clear() {
  weights.clear();
  netBegins.assign(1, 0);
  pins.clear();
  netWeights.clear();
}

void PartitionSearch::Graph::index() {
  begins.assign(size() + 1, 0);
  for (unsigned pin : pins)
    ++begins[pin + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  nets.resize(pins.size());
  coarser.assign(begins.begin(), begins.end() - 1);
  for (unsigned net = 0; net != getNumNets(); ++net)
    for (unsigned pin : getPins(net))
      nets[coarser[pin]++] = net;
}

/// The hypergraph of some leaves.
void PartitionSearch::extract(unsigned begin, unsigned end, Graph &graph) {
  graph.clear();
  graph.weights.assign(end - begin, 1);
  constexpr unsigned kNone = ~0u;
  stamps.resize(problem.sizes.size(), kNone);
  // Labels in the order in which they come, then their pins.
  order.clear();
  place.clear();
  inside.clear();
  for (unsigned i = begin; i != end; ++i)
    for (Leg leg : problem.leaves[leaves[i]]) {
      if (stamps[leg.label] == kNone) {
        stamps[leg.label] = order.size();
        order.push_back(leg.label);
        place.push_back(0);
        inside.push_back(0);
      }
      place[stamps[leg.label]] += 1;
      inside[stamps[leg.label]] += leg.count;
    }
  unsigned numPins = 0;
  for (size_t i = 0; i != order.size(); ++i) {
    unsigned label = order[i], count = place[i];
    bool isOpen = inside[i] != problem.totals[label];
    int weight = labelWeights[label];
    if (isOpen)
      weight = std::lround(weight * settings.openWeight);
    stamps[label] = kNone;
    if (count < 2 || weight == 0)
      continue;
    stamps[label] = numPins;
    numPins += count;
    graph.netBegins.push_back(numPins);
    graph.netWeights.push_back(weight);
  }
  graph.pins.resize(numPins);
  for (unsigned i = begin; i != end; ++i)
    for (Leg leg : problem.leaves[leaves[i]])
      if (stamps[leg.label] != kNone)
        graph.pins[stamps[leg.label]++] = i - begin;
  for (unsigned label : order)
    stamps[label] = kNone;
  graph.index();
  work += 2 * numPins;
}

/// Puts the numbers below `count` in `order`, as chance has it.
void PartitionSearch::drawOrder(unsigned count) {
  order.resize(count);
  std::iota(order.begin(), order.end(), 0);
  for (unsigned i = count; i-- > 1;)
    std::swap(order[i], order[random->below(i + 1)]);
}

/// Merges pairs of vertices. False if that does not make the graph much
/// smaller.
bool PartitionSearch::coarsen(Graph &fine, Graph &coarse, unsigned mostWeight) {
  constexpr unsigned kNone = ~0u;
  unsigned size = fine.size();
  drawOrder(size);
  fine.coarser.assign(size, kNone);
  ratings.assign(size, 0);
  coarse.clear();
  for (unsigned vertex : order) {
    if (fine.coarser[vertex] != kNone)
      continue;
    place.clear();
    for (unsigned net : fine.getNets(vertex)) {
      ArrayRef<unsigned> pins = fine.getPins(net);
      if (pins.size() > SearchKnobs::kMostPins)
        continue;
      work += pins.size();
      double rating = double(fine.netWeights[net]) / (pins.size() - 1);
      for (unsigned pin : pins) {
        if (fine.coarser[pin] != kNone || pin == vertex)
          continue;
        if (ratings[pin] == 0)
          place.push_back(pin);
        ratings[pin] += rating;
      }
    }
    unsigned best = kNone;
    double bestRating = 0;
    for (unsigned other : place) {
      double rating = ratings[other] / fine.weights[other];
      ratings[other] = 0;
      if (rating > bestRating &&
          fine.weights[vertex] + fine.weights[other] <= mostWeight) {
        best = other;
        bestRating = rating;
      }
    }
    fine.coarser[vertex] = coarse.size();
    coarse.weights.push_back(fine.weights[vertex]);
    if (best != kNone) {
      fine.coarser[best] = fine.coarser[vertex];
      coarse.weights.back() += fine.weights[best];
    }
  }
  if (coarse.size() > size * SearchKnobs::kCoarsenedPart)
    return false;
  // Nets, those of two pins once each.
  netOf.assign(coarse.size(), kNone);
  stamps.resize(std::max<size_t>(stamps.size(), coarse.size()), kNone);
  for (unsigned net = 0; net != fine.getNumNets(); ++net) {
    size_t first = coarse.pins.size();
    for (unsigned pin : fine.getPins(net)) {
      unsigned to = fine.coarser[pin];
      if (stamps[to] == net)
        continue;
      stamps[to] = net;
      coarse.pins.push_back(to);
    }
    if (coarse.pins.size() - first < 2) {
      coarse.pins.resize(first);
      continue;
    }
    coarse.netBegins.push_back(coarse.pins.size());
    coarse.netWeights.push_back(fine.netWeights[net]);
  }
  for (unsigned to = 0; to != coarse.size(); ++to)
    stamps[to] = kNone;
  coarse.index();
  // Nets of the same two pins become one.
  bool merged = false;
  for (unsigned vertex = 0; vertex != coarse.size(); ++vertex) {
    order.clear();
    for (unsigned net : coarse.getNets(vertex)) {
      ArrayRef<unsigned> pins = coarse.getPins(net);
      if (pins.size() != 2 || coarse.netWeights[net] == 0)
        continue;
      unsigned other = pins[0] == vertex ? pins[1] : pins[0];
      if (other < vertex)
        continue;
      if (netOf[other] == kNone) {
        netOf[other] = net;
        order.push_back(other);
        continue;
      }
      coarse.netWeights[netOf[other]] += coarse.netWeights[net];
      coarse.netWeights[net] = 0;
      merged = true;
    }
    for (unsigned other : order)
      netOf[other] = kNone;
  }
  if (merged) {
    unsigned numNets = 0, numPins = 0;
    for (unsigned net = 0, e = coarse.getNumNets(); net != e; ++net) {
      unsigned begin = coarse.netBegins[net], end = coarse.netBegins[net + 1];
      if (coarse.netWeights[net] == 0)
        continue;
      coarse.netWeights[numNets++] = coarse.netWeights[net];
      for (unsigned i = begin; i != end; ++i)
        coarse.pins[numPins++] = coarse.pins[i];
      coarse.netBegins[numNets] = numPins; // behind what is read
    }
    coarse.netWeights.resize(numNets);
    coarse.netBegins.resize(numNets + 1);
    coarse.pins.resize(numPins);
    coarse.index();
  }
  work += fine.pins.size() + coarse.pins.size();
  return true;
}

/// Puts everything on side 1 but what grows from a vertex drawn by chance: the
/// vertex that is held the least by the rest comes next.
void PartitionSearch::grow(const Graph &graph, unsigned target) {
  unsigned size = graph.size();
  sides.assign(size, 1);
  counts[0].assign(graph.getNumNets(), 0);
  unsigned weight = 0;
  unsigned vertex = random->below(size);
  gains.assign(size, 0);
  for (unsigned left = size; left > 1; --left) {
    sides[vertex] = 0;
    weight += graph.weights[vertex];
    for (unsigned net : graph.getNets(vertex)) {
      unsigned count = ++counts[0][net];
      ArrayRef<unsigned> pins = graph.getPins(net);
      // Touched for the first time, the net pulls the others; the last that
      // is left of it frees it.
      if (count == 1 || count + 1 == pins.size())
        for (unsigned pin : pins)
          gains[pin] += graph.netWeights[net];
      work += 1;
    }
    if (weight >= target)
      return;
    int best = -1;
    for (unsigned other = 0; other != size; ++other)
      if (sides[other] == 1 && (best < 0 || gains[other] > gains[best]))
        best = other;
    work += size / 4;
    if (weight + graph.weights[best] > mostOnSide)
      return;
    vertex = best;
  }
}

/// Moves vertices as long as that makes the cut smaller, and returns the cut.
int PartitionSearch::refine(const Graph &graph) {
  unsigned size = graph.size();
  unsigned weights[2] = {0, 0};
  for (unsigned vertex = 0; vertex != size; ++vertex)
    weights[sides[vertex]] += graph.weights[vertex];
  int cut = 0;
  for (unsigned side : {0, 1})
    counts[side].assign(graph.getNumNets(), 0);
  for (unsigned net = 0; net != graph.getNumNets(); ++net) {
    for (unsigned pin : graph.getPins(net))
      ++counts[sides[pin]][net];
    if (counts[0][net] && counts[1][net])
      cut += graph.netWeights[net];
  }
  int most = 0;
  for (unsigned vertex = 0; vertex != size; ++vertex) {
    int sum = 0;
    for (unsigned net : graph.getNets(vertex))
      sum += graph.netWeights[net];
    most = std::max(most, sum);
  }
  work += 2 * graph.pins.size();
  // Lists of the vertices of a side by gain, as links.
  unsigned numBuckets = 2 * most + 1;
  gains.resize(size);
  next.resize(size);
  previous.resize(size);
  int tops[2];
  auto insert = [&](unsigned vertex) {
    unsigned side = sides[vertex];
    int bucket = side * numBuckets + gains[vertex] + most;
    next[vertex] = heads[bucket];
    previous[vertex] = -1 - bucket;
    if (heads[bucket] >= 0)
      previous[heads[bucket]] = vertex;
    heads[bucket] = vertex;
    tops[side] = std::max(tops[side], gains[vertex]);
  };
  auto remove = [&](unsigned vertex) {
    if (previous[vertex] < 0)
      heads[-1 - previous[vertex]] = next[vertex];
    else
      next[previous[vertex]] = next[vertex];
    if (next[vertex] >= 0)
      previous[next[vertex]] = previous[vertex];
  };
  auto change = [&](unsigned vertex, int by) {
    if (isLocked[vertex])
      return;
    remove(vertex);
    gains[vertex] += by;
    insert(vertex);
  };

  /// To the other side.
  auto flip = [&](unsigned vertex) {
    unsigned from = sides[vertex], to = !from;
    for (unsigned net : graph.getNets(vertex)) {
      --counts[from][net];
      ++counts[to][net];
    }
    sides[vertex] = to;
    weights[from] -= graph.weights[vertex];
    weights[to] += graph.weights[vertex];
  };

  for (unsigned pass = 0; pass != SearchKnobs::kMostPasses; ++pass) {
    heads.assign(2 * numBuckets, -1);
    isLocked.assign(size, false);
    tops[0] = tops[1] = -most;
    for (unsigned vertex = 0; vertex != size; ++vertex) {
      unsigned side = sides[vertex];
      int gain = 0;
      for (unsigned net : graph.getNets(vertex)) {
        if (counts[side][net] == 1)
          gain += graph.netWeights[net];
        if (counts[!side][net] == 0)
          gain -= graph.netWeights[net];
      }
      gains[vertex] = gain;
    }
    // Those that chance put last come first among equals.
    drawOrder(size);
    for (unsigned vertex : order)
      insert(vertex);
    work += graph.pins.size() + 2 * size;
    moves.clear();
    int bestCut = cut, now = cut;
    size_t numKept = 0;
    auto getExcess = [&] {
      return std::max(std::max(weights[0], weights[1]), mostOnSide) -
             mostOnSide;
    };
    unsigned bestExcess = getExcess();
    size_t patience = SearchKnobs::kPatience + size / 8;
    while (moves.size() < numKept + patience) {
      int vertex = -1;
      for (unsigned side : {0, 1}) {
        while (tops[side] > -most &&
               heads[side * numBuckets + tops[side] + most] < 0)
          --tops[side];
        int head = heads[side * numBuckets + tops[side] + most];
        if (head < 0)
          continue;
        // What fits, or makes what is too heavy lighter; never the last one.
        unsigned weight = graph.weights[head];
        if (weights[side] <= weight)
          continue;
        if (weights[!side] + weight > mostOnSide &&
            weights[!side] + weight >= weights[side])
          continue;
        if (vertex < 0 || gains[head] > gains[vertex] ||
            (gains[head] == gains[vertex] && weights[side] > weights[!side]))
          vertex = head;
      }
      if (vertex < 0)
        break;
      unsigned from = sides[vertex], to = !from;
      remove(vertex);
      isLocked[vertex] = true;
      now -= gains[vertex];
      for (unsigned net : graph.getNets(vertex)) {
        ArrayRef<unsigned> pins = graph.getPins(net);
        int weight = graph.netWeights[net];
        if (pins.size() == 2) {
          unsigned other = pins[0] == unsigned(vertex) ? pins[1] : pins[0];
          change(other, sides[other] == from ? 2 * weight : -2 * weight);
        } else {
          if (counts[to][net] == 0) {
            for (unsigned pin : pins)
              change(pin, weight);
            work += pins.size();
          } else if (counts[to][net] == 1) {
            for (unsigned pin : pins)
              if (sides[pin] == to)
                change(pin, -weight);
            work += pins.size();
          }
          if (counts[from][net] == 1) {
            for (unsigned pin : pins)
              change(pin, -weight);
            work += pins.size();
          } else if (counts[from][net] == 2) {
            for (unsigned pin : pins)
              if (sides[pin] == from && pin != unsigned(vertex))
                change(pin, weight);
            work += pins.size();
          }
        }
        work += 2;
      }
      flip(vertex);
      moves.push_back(vertex);
      unsigned excess = getExcess();
      if (std::tie(excess, now) < std::tie(bestExcess, bestCut)) {
        bestExcess = excess;
        bestCut = now;
        numKept = moves.size();
      }
    }
    // Back to the best.
    while (moves.size() > numKept) {
      flip(moves.back());
      moves.pop_back();
    }
    cut = bestCut;
    if (numKept == 0)
      break;
  }
  return cut;
}

/// Splits the graph of the first level; the sides of its vertices are found.
void PartitionSearch::split(unsigned numVertices) {
  mostOnSide = std::clamp<unsigned>(
      std::ceil(numVertices * (1 + settings.imbalance) / 2),
      (numVertices + 1) / 2, numVertices - 1);
  size_t last = 0;
  unsigned mostWeight = std::max(numVertices / 8, 2u);
  while (levels[last].size() > SearchKnobs::kCoarsest) {
    if (last + 1 == levels.size())
      levels.emplace_back();
    if (!coarsen(levels[last], levels[last + 1], mostWeight))
      break;
    ++last;
  }
  int bestCut = 0;
  bool isFirst = true;
  for (unsigned start = 0; start != SearchKnobs::kNumStarts; ++start) {
    unsigned least = numVertices - mostOnSide;
    unsigned target = least + random->below(mostOnSide - least + 1);
    grow(levels[last], std::min(target, numVertices - target));
    int cut = refine(levels[last]);
    if (isFirst || cut < bestCut) {
      bestCut = cut;
      bestSides = sides;
      isFirst = false;
    }
  }
  sides = bestSides;
  while (last-- != 0) {
    const Graph &graph = levels[last];
    bestSides.swap(sides);
    sides.resize(graph.size());
    for (unsigned vertex = 0; vertex != graph.size(); ++vertex)
      sides[vertex] = bestSides[graph.coarser[vertex]];
    refine(graph);
  }
}

unsigned PartitionSearch::solveFew(unsigned begin, unsigned end) {
  SmallVector<const Legs *, SearchKnobs::kFewLeaves> legs;
  SmallVector<unsigned, 2 * SearchKnobs::kFewLeaves> ids;
  for (unsigned i = begin; i != end; ++i) {
    ids.push_back(leaves[i]);
    legs.push_back(&problem.leaves[leaves[i]]);
  }
  subsets.solve(problem, legs);
  work += std::pow(3, end - begin) / 8;
  for (auto [lhs, rhs] : subsets.getPairs()) {
    pairs->push_back(std::minmax(ids[lhs], ids[rhs]));
    ids.push_back(problem.leaves.size() + pairs->size() - 1);
  }
  return ids.back();
}

/// Makes an order of some leaves, and returns the number of the result.
unsigned PartitionSearch::makeOrder(unsigned begin, unsigned end) {
  if (end - begin == 1)
    return leaves[begin];
  if (end - begin <= SearchKnobs::kFewLeaves)
    return solveFew(begin, end);
  extract(begin, end, levels.front());
  split(end - begin);
  // Both halves in the order in which they were.
  order.clear();
  unsigned middle = begin;
  for (unsigned i = begin; i != end; ++i)
    if (sides[i - begin])
      order.push_back(leaves[i]);
    else
      leaves[middle++] = leaves[i];
  llvm::copy(order, leaves.begin() + middle);
  assert(middle != begin && middle != end && "both sides have something");
  unsigned lhs = makeOrder(begin, middle);
  unsigned rhs = makeOrder(middle, end);
  pairs->push_back(std::minmax(lhs, rhs));
  return problem.leaves.size() + pairs->size() - 1;
}

void PartitionSearch::start(PartitionSettings settings, OrderRandom &random) {
  this->settings = settings;
  this->random = &random;
  work = 0;
  leaves.resize(problem.leaves.size());
  std::iota(leaves.begin(), leaves.end(), 0);
  if (levels.empty())
    levels.emplace_back();
}

uint64_t PartitionSearch::bisect(PartitionSettings settings,
                                 OrderRandom &random,
                                 std::vector<unsigned char> &result) {
  start(settings, random);
  extract(0, leaves.size(), levels.front());
  split(leaves.size());
  result = sides;
  return work;
}

uint64_t PartitionSearch::run(PartitionSettings settings, OrderRandom &random,
                              OrderPairs &pairs) {
  start(settings, random);
  this->pairs = &pairs;
  pairs.clear();
  makeOrder(0, leaves.size());
  return work;
}

} // namespace ein
