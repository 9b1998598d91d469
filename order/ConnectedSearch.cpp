//===- ConnectedSearch.cpp - The best order of some twenty tensors --------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: of twenty tensors there are two billion splits of subsets, most of
// them senseless: of tensors that share nothing.
//
// Choice: first only pairs of connected subsets that share a label, enumerated
// without waste as G. Moerkotte and T. Neumann do it for the joins of a
// database, "Analysis of Two Existing and One New Dynamic Programming Algorithm
// for the Generation of Optimal Bushy Join Trees without Cross Products" (VLDB
// 2006). An order that is known beforehand bounds what any part may cost, as in
// opt_einsum's dynamic programming. What this finds is a bound that is hardly
// ever too high, and under it all subsets are built by size once more, outer
// products included: few stay below it.
//
// Consequence: a network of twenty tensors with three or four neighbours each
// takes well under a second. Where everything is connected with everything the
// search gives up, after a number of steps, so that the result does not depend
// on the machine.
//
//===----------------------------------------------------------------------===//

#include "order/OrderProblem.h"
#include "order/SearchKnobs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <cassert>
#include <functional>

using namespace llvm;

namespace ein {
namespace {

using Subset = uint32_t;

class ConnectedSearch {
public:
  ConnectedSearch(const OrderProblem &problem, OrderCost bound,
                  uint64_t workLimit);

  ConnectedResult run(OrderPairs &pairs);

private:
  static Subset getBit(unsigned leaf) { return Subset(1) << leaf; }
  static Subset getUpTo(unsigned leaf) { return (Subset(2) << leaf) - 1; }
  Subset getNeighbors(Subset set) const {
    Subset all = 0;
    for (Subset rest = set; rest != 0; rest &= rest - 1)
      all |= neighbors[countr_zero(rest)];
    return all & ~set;
  }
  bool isSolved(Subset set) const {
    return (set & (set - 1)) == 0 || halves[set] != 0;
  }
  /// Whether nothing that contracts `set` can be as cheap as what is known:
  /// the step that follows reads it.
  bool isTooExpensive(Subset set) const {
    return !isSolved(set) || costs[set].flops + openSizes[set] > bound.flops;
  }

  void relax(Subset lhs, Subset rhs);
  template <typename Visit>
  bool visitSupersets(Subset set, Subset excluded, Visit visit);
  bool visitComplements(Subset set);
  bool searchConnectedPairs();
  bool searchAllPairs();
  void multiplyParts(ArrayRef<Subset> parts);
  OrderPairs getPairs() const;

  struct Label {
    Subset holders;
    bool kept;
    double size;
  };

  unsigned numLeaves;
  unsigned numWords;
  uint64_t workLeft;
  std::vector<Label> labels;
  SmallVector<Subset, SearchKnobs::kMostConnected> neighbors;
  /// Of the best order that is known.
  OrderCost bound;
  // By subset; a half of nothing is a subset that is not solved.
  std::vector<uint64_t> open;
  std::vector<double> openSizes;
  std::vector<OrderCost> costs;
  std::vector<Subset> halves;
};

} // namespace

ConnectedSearch::ConnectedSearch(const OrderProblem &problem, OrderCost bound,
                                 uint64_t workLimit)
    : numLeaves(problem.leaves.size()),
      numWords((problem.sizes.size() + 63) / 64), workLeft(workLimit),
      bound(bound) {
  assert(numLeaves <= SearchKnobs::kMostConnected);
  for (auto [size, total] : zip_equal(problem.sizes, problem.totals))
    labels.push_back({0, true, size});
  size_t numSubsets = size_t(1) << numLeaves;
  open.resize(numSubsets * numWords);
  openSizes.resize(numSubsets);
  costs.resize(numSubsets);
  halves.assign(numSubsets, 0);
  for (unsigned i = 0; i != numLeaves; ++i) {
    for (Leg leg : problem.leaves[i]) {
      labels[leg.label].holders |= getBit(i);
      open[getBit(i) * numWords + leg.label / 64] |= uint64_t(1)
                                                     << (leg.label % 64);
    }
    openSizes[getBit(i)] = problem.getSize(problem.leaves[i]);
  }
  neighbors.assign(numLeaves, 0);
  Subset all = getUpTo(numLeaves - 1);
  for (size_t i = 0; i != labels.size(); ++i) {
    unsigned numHolders = popcount(labels[i].holders);
    labels[i].kept = problem.totals[i] != numHolders;
    // What everything has makes no difference between pairs.
    if (labels[i].holders == all && numLeaves > 2)
      continue;
    for (Subset rest = labels[i].holders; rest != 0; rest &= rest - 1)
      neighbors[countr_zero(rest)] |= labels[i].holders;
  }
}

/// Contracts two subsets that are solved, if that is the best for both.
void ConnectedSearch::relax(Subset lhs, Subset rhs) {
  OrderCost cost = costs[lhs] + costs[rhs];
  Subset set = lhs | rhs;
  bool isFirst = halves[set] == 0;
  if (cost.flops + std::max(openSizes[lhs], openSizes[rhs]) > bound.flops ||
      (!isFirst && cost.flops > costs[set].flops))
    return;
  double product = 1, size = 1;
  bool sums = false;
  for (unsigned word = 0; word != numWords; ++word) {
    uint64_t either = open[lhs * numWords + word] | open[rhs * numWords + word];
    uint64_t left = either;
    for (uint64_t rest = either; rest != 0; rest &= rest - 1) {
      const Label &label = labels[word * 64 + countr_zero(rest)];
      product = multiplySizes(product, label.size);
      if (!label.kept && (label.holders & ~set) == 0)
        left &= ~(rest & -rest);
      else if (isFirst)
        size = multiplySizes(size, label.size);
    }
    sums |= left != either;
    if (isFirst)
      open[set * numWords + word] = left;
  }
  if (isFirst)
    openSizes[set] = size;
  cost.flops += sums ? 2 * product : product;
  cost.elements += openSizes[lhs] + openSizes[rhs] + openSizes[set];
  if (cost.flops <= bound.flops && (isFirst || cost < costs[set])) {
    costs[set] = cost;
    halves[set] = lhs;
  }
}

//===----------------------------------------------------------------------===//
// Connected subsets
//===----------------------------------------------------------------------===//

/// Visits every connected set that is `set` and neighbours outside of
/// `excluded`, subsets before supersets. False if there is too much to do.
template <typename Visit>
bool ConnectedSearch::visitSupersets(Subset set, Subset excluded, Visit visit) {
  Subset around = getNeighbors(set) & ~excluded;
  if (around == 0)
    return true;
  for (Subset added = -around & around;; added = (added - around) & around) {
    if (workLeft-- == 0) {
      workLeft = 0;
      return false;
    }
    if (!visit(set | added))
      return false;
    if (added == around)
      break;
  }
  for (Subset added = -around & around;; added = (added - around) & around) {
    if (!visitSupersets(set | added, excluded | around, visit))
      return false;
    if (added == around)
      break;
  }
  return true;
}

/// Contracts `set` with every connected set next to it whose leaves all come
/// after its first.
bool ConnectedSearch::visitComplements(Subset set) {
  if (isTooExpensive(set))
    return true;
  Subset excluded = getUpTo(countr_zero(set)) | set;
  Subset around = getNeighbors(set) & ~excluded;
  auto visit = [&](Subset other) {
    if (!isTooExpensive(other))
      relax(set, other);
    return true;
  };
  for (Subset rest = around; rest != 0;) {
    unsigned leaf = 31 - countl_zero(rest);
    rest &= ~getBit(leaf);
    visit(getBit(leaf));
    if (!visitSupersets(getBit(leaf), excluded | (getUpTo(leaf) & around),
                        visit))
      return false;
  }
  return true;
}

bool ConnectedSearch::searchConnectedPairs() {
  for (unsigned leaf = numLeaves; leaf-- > 0;) {
    auto visit = [&](Subset set) { return visitComplements(set); };
    if (!visit(getBit(leaf)) ||
        !visitSupersets(getBit(leaf), getUpTo(leaf), visit))
      return false;
  }
  return true;
}

/// Multiplies subsets that share nothing, the two smallest first.
void ConnectedSearch::multiplyParts(ArrayRef<Subset> parts) {
  SmallVector<Subset> rest(parts);
  while (rest.size() > 1) {
    llvm::stable_sort(
        rest, [&](Subset a, Subset b) { return openSizes[a] > openSizes[b]; });
    Subset lhs = rest.pop_back_val();
    Subset rhs = rest.pop_back_val();
    if (!isSolved(lhs) || !isSolved(rhs))
      return;
    relax(lhs, rhs);
    rest.push_back(lhs | rhs);
  }
}

//===----------------------------------------------------------------------===//
// All subsets
//===----------------------------------------------------------------------===//

/// All pairs that stay within the bound, by the sizes of what they make.
bool ConnectedSearch::searchAllPairs() {
  llvm::fill(halves, 0);
  std::vector<std::vector<Subset>> bySize(numLeaves + 1);
  for (unsigned leaf = 0; leaf != numLeaves; ++leaf)
    bySize[1].push_back(getBit(leaf));
  auto isCheaper = [&](Subset a, Subset b) {
    return std::tie(costs[a].flops, a) < std::tie(costs[b].flops, b);
  };
  for (unsigned size = 2; size <= numLeaves; ++size) {
    std::vector<Subset> made;
    for (unsigned less = 1; 2 * less <= size; ++less)
      for (Subset lhs : bySize[less])
        for (Subset rhs : bySize[size - less]) {
          // The rest is more expensive still.
          if (costs[lhs].flops + costs[rhs].flops > bound.flops)
            break;
          if (workLeft-- == 0) {
            workLeft = 0;
            return false;
          }
          if ((lhs & rhs) != 0)
            continue;
          bool isFirst = halves[lhs | rhs] == 0;
          relax(lhs, rhs);
          if (isFirst && halves[lhs | rhs] != 0)
            made.push_back(lhs | rhs);
        }
    if (size != numLeaves)
      llvm::erase_if(made, [&](Subset set) { return isTooExpensive(set); });
    llvm::sort(made, isCheaper);
    bySize[size] = std::move(made);
  }
  return true;
}

OrderPairs ConnectedSearch::getPairs() const {
  OrderPairs pairs;
  std::function<unsigned(Subset)> visit = [&](Subset set) -> unsigned {
    if ((set & (set - 1)) == 0)
      return countr_zero(set);
    unsigned lhs = visit(halves[set]);
    unsigned rhs = visit(set & ~halves[set]);
    pairs.push_back(std::minmax(lhs, rhs));
    return numLeaves + pairs.size() - 1;
  };
  visit(getUpTo(numLeaves - 1));
  return pairs;
}

ConnectedResult ConnectedSearch::run(OrderPairs &pairs) {
  Subset all = getUpTo(numLeaves - 1);
  if (!searchConnectedPairs())
    return ConnectedResult::GaveUp;
  SmallVector<Subset> parts;
  for (Subset rest = all; rest != 0;) {
    Subset part = rest & -rest;
    while (Subset around = getNeighbors(part))
      part |= around;
    parts.push_back(part);
    rest &= ~part;
  }
  multiplyParts(parts);
  // The order that was known may be better: it may have outer products.
  auto take = [&] {
    if (halves[all] == 0 || !(costs[all] < bound))
      return;
    bound = costs[all];
    pairs = getPairs();
  };
  take();
  if (!searchAllPairs())
    return ConnectedResult::BestWithoutOuter;
  take();
  return ConnectedResult::Best;
}

ConnectedResult searchConnected(const OrderProblem &problem, uint64_t workLimit,
                                OrderPairs &pairs) {
  return ConnectedSearch(problem, problem.getCost(pairs), workLimit).run(pairs);
}

} // namespace ein
