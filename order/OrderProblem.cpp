//===- OrderProblem.cpp - An order to be found, as a search sees it -------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "order/OrderProblem.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace ein {

OrderProblem makeProblem(ArrayRef<SmallVector<unsigned>> leaves,
                         ArrayRef<double> sizes,
                         function_ref<bool(unsigned, unsigned)> isKept) {
  struct Label {
    SmallVector<unsigned, 4> holders;
    bool kept;
    double size;
  };
  std::vector<Label> labels;
  DenseMap<unsigned, unsigned> places;
  std::vector<unsigned> names;
  for (auto [i, leaf] : enumerate(leaves))
    for (unsigned name : leaf) {
      auto [place, isNew] = places.try_emplace(name, labels.size());
      if (isNew) {
        labels.push_back({{}, false, sizes[name]});
        names.push_back(name);
      }
      labels[place->second].holders.push_back(i);
    }
  for (auto [label, name] : zip_equal(labels, names))
    label.kept = isKept(name, label.holders.size());
  llvm::stable_sort(labels, [](const Label &a, const Label &b) {
    return std::tie(a.holders, a.kept, a.size) <
           std::tie(b.holders, b.kept, b.size);
  });
  OrderProblem problem;
  problem.leaves.resize(leaves.size());
  const Label *last = nullptr;
  for (const Label &label : labels) {
    if (last && last->holders == label.holders && last->kept == label.kept) {
      problem.sizes.back() = multiplySizes(problem.sizes.back(), label.size);
      continue;
    }
    last = &label;
    unsigned number = problem.sizes.size();
    problem.sizes.push_back(label.size);
    problem.totals.push_back(label.holders.size() + label.kept);
    for (unsigned holder : label.holders)
      problem.leaves[holder].push_back({number, 1});
  }
  return problem;
}

namespace {
/// The tensors of an order that is followed step by step, and their sizes.
struct Replay {
  Replay(const OrderProblem &problem, const OrderPairs &pairs)
      : problem(problem), results(pairs.size()) {
    for (const Legs &leaf : problem.leaves)
      sizes.push_back(problem.getSize(leaf));
    for (auto [lhs, rhs] : pairs) {
      OrderProblem::Step step =
          problem.contract(getLegs(lhs), getLegs(rhs),
                           results[sizes.size() - problem.leaves.size()]);
      cost = cost + OrderCost{step.flops, sizes[lhs] + sizes[rhs] + step.size};
      sizes.push_back(step.size);
    }
  }
  const Legs &getLegs(unsigned id) const {
    return id < problem.leaves.size() ? problem.leaves[id]
                                      : results[id - problem.leaves.size()];
  }

  const OrderProblem &problem;
  std::vector<Legs> results;
  std::vector<double> sizes;
  OrderCost cost;
};
} // namespace

OrderCost OrderProblem::getCost(const OrderPairs &pairs) const {
  return Replay(*this, pairs).cost;
}

void scheduleSteps(const OrderProblem &problem, OrderPairs &pairs) {
  size_t numLeaves = problem.leaves.size();
  Replay replay(problem, pairs);
  // By tensor, the most that is there at once while it is made, leaves left out
  // as they are there all the time.
  std::vector<double> peaks(numLeaves + pairs.size(), 0);
  std::vector<double> kept(numLeaves + pairs.size(), 0);
  std::vector<char> isRightFirst(pairs.size(), false);
  for (size_t i = 0; i != pairs.size(); ++i) {
    auto [lhs, rhs] = pairs[i];
    size_t id = numLeaves + i;
    kept[id] = replay.sizes[id];
    double last = kept[lhs] + kept[rhs] + kept[id];
    double leftFirst = std::max({peaks[lhs], kept[lhs] + peaks[rhs], last});
    double rightFirst = std::max({peaks[rhs], kept[rhs] + peaks[lhs], last});
    isRightFirst[i] = rightFirst < leftFirst;
    peaks[id] = std::min(leftFirst, rightFirst);
  }
  // Depth first, without a stack that is as deep as a chain is long.
  OrderPairs sorted;
  std::vector<unsigned> numbers(numLeaves + pairs.size());
  for (unsigned id = 0; id != numLeaves; ++id)
    numbers[id] = id;
  std::vector<std::pair<unsigned, bool>> work;
  if (!pairs.empty())
    work.push_back({static_cast<unsigned>(numbers.size() - 1), false});
  while (!work.empty()) {
    auto [id, isReady] = work.back();
    work.pop_back();
    if (id < numLeaves)
      continue;
    auto [lhs, rhs] = pairs[id - numLeaves];
    if (isReady) {
      numbers[id] = numLeaves + sorted.size();
      sorted.push_back(std::minmax(numbers[lhs], numbers[rhs]));
      continue;
    }
    work.push_back({id, true});
    bool isLeftFirst = !isRightFirst[id - numLeaves];
    work.push_back({isLeftFirst ? rhs : lhs, false});
    work.push_back({isLeftFirst ? lhs : rhs, false});
  }
  pairs = std::move(sorted);
}

} // namespace ein
