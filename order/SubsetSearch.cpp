//===- SubsetSearch.cpp - The best of all orders of a few tensors ---------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: N tensors can be contracted in (2N - 3)!! orders.
//
// Choice: dynamic programming over subsets, as what a subset contracts to does
// not depend on how: 3^N / 2 splits. Those whose halves alone cost as much as
// the best one found are dropped before their own cost is computed, in the
// spirit of R. N. C. Pfeifer, J. Haegeman and F. Verstraete, "Faster
// identification of optimal contraction sequences for tensor networks"
// (netcon), Phys. Rev. E 90, 033315 (2014). Outer products are among the
// splits: without them the result need not be optimal.
//
// Consequence: 8 tensors take some 50 us, 14 some 50 ms. Small ones come by the
// million, from the improvement of large trees, so memory is kept.
//
//===----------------------------------------------------------------------===//

#include "order/OrderProblem.h"
#include "llvm/ADT/bit.h"
#include <cassert>
#include <functional>

using namespace llvm;

namespace ein {

unsigned SubsetSearch::getLeaf(uint32_t bit) const {
  return numLeaves - 1 - countr_zero(bit);
}

/// What the search needs of the labels, those with the same holders in one.
void SubsetSearch::collectLabels(const OrderProblem &problem,
                                 ArrayRef<const Legs *> leaves) {
  labels.clear();
  places.resize(problem.sizes.size(), -1);
  // While labels are collected, `size` counts the leaves that have them.
  SmallVector<unsigned, 64> names;
  for (unsigned i = 0; i != numLeaves; ++i)
    for (Leg leg : *leaves[i]) {
      int &place = places[leg.label];
      if (place < 0) {
        place = labels.size();
        labels.push_back({0, true, 0});
        names.push_back(leg.label);
      }
      labels[place].holders |= getBit(i);
      labels[place].size += leg.count;
    }
  for (size_t i = 0; i != names.size(); ++i) {
    places[names[i]] = -1;
    labels[i].kept = labels[i].size != problem.totals[names[i]];
    labels[i].size = problem.sizes[names[i]];
  }
  std::sort(labels.begin(), labels.end(), [](const Label &a, const Label &b) {
    return std::tie(a.holders, a.kept, a.size) <
           std::tie(b.holders, b.kept, b.size);
  });
  size_t numDistinct = 0;
  for (const Label &label : labels) {
    if (numDistinct != 0 && labels[numDistinct - 1].holders == label.holders &&
        labels[numDistinct - 1].kept == label.kept)
      labels[numDistinct - 1].size =
          multiplySizes(labels[numDistinct - 1].size, label.size);
    else
      labels[numDistinct++] = label;
  }
  labels.resize(numDistinct);
}

/// The labels that each subset's result has, and its size.
void SubsetSearch::prepareSubsets() {
  numWords = (labels.size() + 63) / 64;
  leafLabels.assign(size_t(numLeaves) * numWords, 0);
  for (size_t i = 0; i != labels.size(); ++i)
    for (uint32_t rest = labels[i].holders; rest != 0; rest &= rest - 1)
      leafLabels[countr_zero(rest) * numWords + i / 64] |= uint64_t(1)
                                                           << (i % 64);
  size_t numSubsets = size_t(1) << numLeaves;
  open.resize(numSubsets * numWords);
  std::fill_n(open.begin(), numWords, 0);
  openSizes.resize(numSubsets);
  for (uint32_t set = 1; set != numSubsets; ++set) {
    uint32_t rest = set & (set - 1);
    const uint64_t *added = &leafLabels[countr_zero(set) * numWords];
    double size = 1;
    for (unsigned word = 0; word != numWords; ++word) {
      uint64_t bits = open[rest * numWords + word] | added[word];
      // Only what the leaf has that is added can be summed now.
      for (uint64_t left = added[word]; left != 0; left &= left - 1) {
        const Label &label = labels[word * 64 + countr_zero(left)];
        if (!label.kept && (label.holders & ~set) == 0)
          bits &= ~(left & -left);
      }
      open[set * numWords + word] = bits;
      for (uint64_t left = bits; left != 0; left &= left - 1)
        size = multiplySizes(size, labels[word * 64 + countr_zero(left)].size);
    }
    openSizes[set] = size;
  }
}

double SubsetSearch::multiplyUnion(uint32_t lhs, uint32_t rhs) const {
  double product = 1;
  for (unsigned word = 0; word != numWords; ++word)
    for (uint64_t bits =
             open[lhs * numWords + word] | open[rhs * numWords + word];
         bits != 0; bits &= bits - 1)
      product =
          multiplySizes(product, labels[word * 64 + countr_zero(bits)].size);
  return product;
}

OrderCost SubsetSearch::solve(const OrderProblem &problem,
                              ArrayRef<const Legs *> leaves,
                              ArrayRef<std::pair<uint32_t, uint32_t>> done) {
  assert(!leaves.empty() && leaves.size() <= kMostLeaves);
  numLeaves = leaves.size();
  collectLabels(problem, leaves);
  prepareSubsets();
  uint32_t all = getAll();
  costs.assign(all + 1, {});
  halves.assign(all + 1, 0);
  auto sums = [&](uint32_t lhs, uint32_t rhs) {
    for (unsigned word = 0; word != numWords; ++word)
      if ((open[lhs * numWords + word] | open[rhs * numWords + word]) !=
          open[(lhs | rhs) * numWords + word])
        return true;
    return false;
  };
  // Every proper subset of a set is a smaller number and so done.
  for (uint32_t set = 1; set <= all; ++set) {
    if ((set & (set - 1)) == 0)
      continue;
    const auto *known = llvm::find_if(
        done, [&](const auto &entry) { return entry.first == set; });
    if (known != done.end()) {
      halves[set] = known->second;
      continue;
    }
    uint32_t highest = bit_floor(set);
    OrderCost best;
    uint32_t half = 0; // until a split is found
    // The other splits are these with their halves swapped.
    for (uint32_t lhs = (set - 1) & set; (lhs & highest) != 0;
         lhs = (lhs - 1) & set) {
      uint32_t rhs = set & ~lhs;
      OrderCost cost = costs[lhs] + costs[rhs];
      if (half != 0 && cost.flops > best.flops)
        continue;
      double flops = multiplyUnion(lhs, rhs);
      cost.flops += sums(lhs, rhs) ? 2 * flops : flops;
      cost.elements += openSizes[lhs] + openSizes[rhs] + openSizes[set];
      if (half == 0 || cost < best) {
        best = cost;
        half = lhs;
      }
    }
    costs[set] = best;
    halves[set] = half;
  }
  return costs[all];
}

OrderPairs SubsetSearch::getPairs() const {
  OrderPairs pairs;
  std::function<unsigned(uint32_t)> visit = [&](uint32_t set) -> unsigned {
    if ((set & (set - 1)) == 0)
      return getLeaf(set);
    unsigned lhs = visit(halves[set]);
    unsigned rhs = visit(set & ~halves[set]);
    pairs.push_back({lhs, rhs});
    return numLeaves + pairs.size() - 1;
  };
  visit(getAll());
  return pairs;
}

} // namespace ein
