//===- LinearSearch.cpp - Orders that sweep over a network ----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: halving a lattice of 10 x 10 x 10 cuts 100 labels, halving the half
// 50 more, so that this step costs 2^150. A sweep costs 2^103 per step.
//
// Choice: two parts. The tensors are put in a line as for a sparse matrix with
// a narrow profile: S. W. Sloan, "An algorithm for profile and wavefront
// reduction of sparse matrices", Int. J. Numer. Methods Eng. 23, 239 (1986).
// From one end of the network on, that neighbour of the front comes next which
// lets the front grow the least, and is far from the other end. Then dynamic
// programming finds the best brackets for the line, as for a chain of matrices:
// among these trees are the sweep, two that meet, and all halvings of the line.
// A step contracts two stretches into a longer one. A label of two tensors that
// is in the step is in two of the three, so that the step costs the root of the
// product of their sizes; where a label has more tensors that is too much, and
// the brackets are good ones and not the best.
//
// Consequence: the brackets of N leaves take N^3 / 6 steps, which is little
// for some hundreds. Of more, stretches of neighbours are swept as they are.
//
//===----------------------------------------------------------------------===//

#include "order/LinearSearch.h"
#include "order/SearchKnobs.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;

namespace ein {

LinearSearch::LinearSearch(const OrderProblem &problem)
    : problem(problem), holders(problem.sizes.size()) {
  for (double size : problem.sizes)
    weights.push_back(size > 1 ? std::log2(size) : 0);
  for (auto [id, leaf] : enumerate(problem.leaves))
    for (Leg leg : leaf)
      holders[leg.label].push_back(id);
}

void LinearSearch::measure(ArrayRef<unsigned char> sides) {
  constexpr int kNone = std::numeric_limits<int>::max();
  distances.assign(problem.leaves.size(), kNone);
  front.clear();
  isTaken.assign(problem.sizes.size(), false); // by label: it is cut, or done
  for (size_t label = 0; label != holders.size(); ++label) {
    ArrayRef<unsigned> list = holders[label];
    auto isOther = [&](unsigned id) { return sides[id] != sides[list[0]]; };
    if (list.empty() || none_of(list, isOther))
      continue;
    isTaken[label] = true;
    for (unsigned id : list)
      if (distances[id] == kNone) {
        distances[id] = sides[id] ? 0 : -1;
        front.push_back(id);
      }
  }
  int far = 0;
  for (size_t i = 0; i != front.size(); ++i) {
    unsigned id = front[i];
    far = std::max(far, std::abs(distances[id]));
    for (Leg leg : problem.leaves[id]) {
      if (std::exchange(isTaken[leg.label], true))
        continue;
      work += holders[leg.label].size();
      for (unsigned other : holders[leg.label])
        if (distances[other] == kNone) {
          distances[other] = distances[id] + (sides[id] ? 1 : -1);
          front.push_back(other);
        }
    }
  }
  for (int &distance : distances)
    if (distance == kNone)
      distance = far + 1;
}

uint64_t LinearSearch::arrange(ArrayRef<unsigned char> sides, double straight,
                               OrderRandom &random,
                               std::vector<unsigned> &line) {
  work = 0;
  unsigned numLeaves = problem.leaves.size();
  measure(sides);
  // From any of the farthest before the cut.
  int least = *llvm::min_element(distances);
  unsigned numLeast = llvm::count(distances, least);
  unsigned number = random.below(numLeast);
  unsigned start = 0;
  while (distances[start] != least || number-- != 0)
    ++start;
  line.clear();
  isTaken.assign(numLeaves, false);
  counts.assign(problem.sizes.size(), 0);
  visits.assign(problem.sizes.size(), 0);
  front.assign(1, start);
  isTaken[start] = true; // in the front, or in the line
  unsigned unseen = 0;
  while (line.size() != numLeaves) {
    if (front.empty()) {
      while (isTaken[unseen])
        ++unseen;
      front.push_back(unseen);
      isTaken[unseen] = true;
    }
    size_t best = 0;
    double bestScore = 0;
    for (size_t i = 0; i != front.size(); ++i) {
      double growth = 0;
      for (Leg leg : problem.leaves[front[i]]) {
        unsigned count = counts[leg.label];
        if (count == 0 && leg.count != problem.totals[leg.label])
          growth += weights[leg.label];
        else if (count + leg.count == problem.totals[leg.label])
          growth -= weights[leg.label];
      }
      work += problem.leaves[front[i]].size();
      double score = growth + straight * distances[front[i]];
      if (i == 0 || score < bestScore) {
        best = i;
        bestScore = score;
      }
    }
    unsigned leaf = front[best];
    // What has waited longest is first among equals.
    front.erase(front.begin() + best);
    line.push_back(leaf);
    for (Leg leg : problem.leaves[leaf]) {
      counts[leg.label] += leg.count;
      size_t from = visits[leg.label]++ * SearchKnobs::kMostHolders;
      ArrayRef<unsigned> others = holders[leg.label];
      if (from >= others.size())
        continue;
      for (unsigned other :
           others.slice(from).take_front(SearchKnobs::kMostHolders))
        if (!isTaken[other]) {
          isTaken[other] = true;
          front.push_back(other);
        }
    }
  }
  return work;
}

double LinearSearch::getSweepCost(ArrayRef<unsigned> line) {
  counts.assign(problem.sizes.size(), 0);
  double open = 0, cost = 0;
  for (unsigned leaf : line) {
    double closed = 0;
    for (Leg leg : problem.leaves[leaf]) {
      unsigned count = counts[leg.label] += leg.count;
      if (count == leg.count)
        open += weights[leg.label];
      if (count == problem.totals[leg.label])
        closed += weights[leg.label];
    }
    cost = std::min(cost + std::exp2(std::min(open, 990.0)), kSizeLimit);
    open -= closed;
  }
  return cost;
}

void LinearSearch::makePairs(OrderPairs &pairs) const {
  unsigned numLeaves = problem.leaves.size();
  auto add = [&](unsigned lhs, unsigned rhs) {
    pairs.push_back(std::minmax(lhs, rhs));
    return unsigned(numLeaves + pairs.size() - 1);
  };
  // A sweep is as deep as it is long, and is no recursion.
  auto makeBlock = [&](unsigned block) {
    auto [first, last] = blocks[block];
    unsigned result = line[first];
    for (unsigned i = first + 1; i != last; ++i)
      result = add(result, line[i]);
    return result;
  };
  struct Task {
    unsigned begin, end;
    bool isReady;
  };
  SmallVector<Task> tasks = {{0, unsigned(blocks.size() - 1), false}};
  SmallVector<unsigned> values;
  while (!tasks.empty()) {
    Task task = tasks.pop_back_val();
    if (task.isReady) {
      unsigned rhs = values.pop_back_val();
      values.back() = add(values.back(), rhs);
      continue;
    }
    if (task.begin == task.end) {
      values.push_back(makeBlock(task.begin));
      continue;
    }
    unsigned split = splits[task.begin * stride + task.end];
    tasks.push_back({task.begin, task.end, true});
    tasks.push_back({split + 1, task.end, false});
    tasks.push_back({task.begin, split, false});
  }
}

void LinearSearch::bracket(ArrayRef<unsigned> line, OrderPairs &pairs) {
  this->line = line;
  unsigned numLeaves = line.size();
  unsigned numBlocks = std::min(numLeaves, SearchKnobs::kMostBlocks);
  stride = numBlocks;
  blocks.clear();
  for (unsigned i = 0; i != numBlocks; ++i)
    blocks.push_back({uint64_t(i) * numLeaves / numBlocks,
                      uint64_t(i + 1) * numLeaves / numBlocks});
  roots.resize(stride * stride);
  rootsByEnd.resize(stride * stride);
  costs.resize(stride * stride);
  costsByEnd.resize(stride * stride);
  splits.resize(stride * stride);
  // The roots of the stretches' sizes. Products of three are below the limit.
  for (unsigned begin = 0; begin != numBlocks; ++begin) {
    counts.assign(problem.sizes.size(), 0);
    double open = 0;
    for (unsigned end = begin; end != numBlocks; ++end) {
      for (unsigned i = blocks[end].first; i != blocks[end].second; ++i)
        for (Leg leg : problem.leaves[line[i]]) {
          unsigned count = counts[leg.label] += leg.count;
          if (count == leg.count)
            open += weights[leg.label];
          if (count == problem.totals[leg.label])
            open -= weights[leg.label];
        }
      double root = std::exp2(std::min(open / 2, 330.0));
      roots[begin * stride + end] = root;
      rootsByEnd[end * stride + begin] = root;
    }
  }
  for (unsigned end = 0; end != numBlocks; ++end) {
    costs[end * stride + end] = costsByEnd[end * stride + end] = 0;
    for (unsigned begin = end; begin-- > 0;) {
      // By the last block of the left half: a row of what begins at `begin`,
      // and one of what ends at `end`, one further.
      const double *leftCosts = &costs[begin * stride];
      const double *leftRoots = &roots[begin * stride];
      const double *rightCosts = &costsByEnd[end * stride] + 1;
      const double *rightRoots = &rootsByEnd[end * stride] + 1;
      double root = roots[begin * stride + end];
      double best = leftCosts[begin] + rightCosts[begin] +
                    root * leftRoots[begin] * rightRoots[begin];
      unsigned split = begin;
      for (unsigned i = begin + 1; i != end; ++i) {
        double cost =
            leftCosts[i] + rightCosts[i] + root * leftRoots[i] * rightRoots[i];
        if (cost < best) {
          best = cost;
          split = i;
        }
      }
      costs[begin * stride + end] = costsByEnd[end * stride + begin] = best;
      splits[begin * stride + end] = split;
    }
  }
  pairs.clear();
  makePairs(pairs);
}

} // namespace ein
