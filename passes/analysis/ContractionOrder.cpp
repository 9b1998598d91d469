//===- ContractionOrder.cpp - In which order to contract ------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: N operands can be contracted in (2N - 3)!! orders, and finding the
// cheapest is NP-hard.
//
// Choice: dynamic programming over subsets of operands while 3^N is small, as
// what a subset contracts to does not depend on how. Splits whose halves alone
// cost as much as the best one found are dropped before their own cost is
// computed, in the spirit of R. N. C. Pfeifer, J. Haegeman and F. Verstraete,
// "Faster identification of optimal contraction sequences for tensor networks"
// (netcon), Phys. Rev. E 90, 033315 (2014). Outer products are searched too:
// without them the result need not be optimal. Beyond that, the greedy search
// of D. G. A. Smith and J. Gray, "opt_einsum - A Python package for optimizing
// contraction order for einsum-like expressions", JOSS 3(26), 753 (2018): of
// all pairs that share a label, contract the one that shrinks the memory in
// use most; then multiply what shares nothing, smallest first.
//
// Consequence: 12 operands take milliseconds; n operands beyond that take
// O(p log p) for p pairs of tensors with a label in common, and p < n^2.
// Nothing is random, and ties go to the order in which operands are written.
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/ContractionOrder.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <queue>
#include <tuple>
#include <vector>

using namespace llvm;

namespace ein {
namespace {

/// Products are kept below this, so that their sums and differences stay
/// finite.
constexpr double sizeLimit = 1e300;

/// The exact search keeps 2^N subsets; this many take about a megabyte.
constexpr unsigned hardExactLimit = 16;

double multiplySizes(ArrayRef<double> sizes, const SmallBitVector &labels) {
  double product = 1;
  for (unsigned label : labels.set_bits()) {
    // Returned at once: a product that has overflowed times zero is no number.
    if (sizes[label] == 0)
      return 0;
    product = std::min(product * sizes[label], sizeLimit);
  }
  return product;
}

//===----------------------------------------------------------------------===//
// The state between two steps
//===----------------------------------------------------------------------===//

/// The tensors there are while a path is made, and the path so far.
class PathBuilder {
public:
  explicit PathBuilder(const ContractionNetwork &network)
      : sizes(network.labelSizes), uses(network.labelSizes.size(), 0) {
    for (const SmallBitVector &operand : network.operands)
      count(operand, 1);
    // The output is one more user, which is never contracted away.
    count(network.output, 1);
    for (const SmallBitVector &operand : network.operands) {
      assert(operand.size() == sizes.size() && "one bit per label");
      SmallBitVector kept = operand;
      for (unsigned label : operand.set_bits())
        if (uses[label] == 1)
          kept.reset(label);
      count(operand, -1);
      count(kept, 1);
      tensors.push_back(std::move(kept));
    }
    stepsLeft = tensors.size() - 1;
  }

  /// The labels of tensor `id`, in the numbering of ContractionStep.
  const SmallBitVector &getLabels(unsigned id) const { return tensors[id]; }
  double getSize(unsigned id) const {
    return multiplySizes(sizes, tensors[id]);
  }

  /// The size of what contracting the two would leave.
  double getResultSize(unsigned lhs, unsigned rhs) const {
    return multiplySizes(sizes, getResult(lhs, rhs));
  }

  /// Contracts the two and returns the result's number.
  unsigned contract(unsigned lhs, unsigned rhs) {
    if (lhs > rhs)
      std::swap(lhs, rhs);
    SmallBitVector result = getResult(lhs, rhs);
    path.flops += multiplySizes(sizes, tensors[lhs] | tensors[rhs]);
    if (--stepsLeft > 0)
      path.largestIntermediate =
          std::max(path.largestIntermediate, multiplySizes(sizes, result));
    count(tensors[lhs], -1);
    count(tensors[rhs], -1);
    count(result, 1);
    path.steps.push_back({lhs, rhs, result});
    tensors.push_back(std::move(result));
    return tensors.size() - 1;
  }

  ContractionPath takePath() { return std::move(path); }

private:
  SmallBitVector getResult(unsigned lhs, unsigned rhs) const {
    SmallBitVector either = tensors[lhs] | tensors[rhs];
    SmallBitVector result = either;
    for (unsigned label : either.set_bits()) {
      unsigned here = tensors[lhs].test(label) + tensors[rhs].test(label);
      if (uses[label] == here)
        result.reset(label);
    }
    return result;
  }

  void count(const SmallBitVector &labels, int change) {
    for (unsigned label : labels.set_bits())
      uses[label] += change;
  }

  ArrayRef<double> sizes;
  /// By label: how many tensors not contracted yet have it, plus the output.
  SmallVector<unsigned> uses;
  SmallVector<SmallBitVector> tensors;
  size_t stepsLeft;
  ContractionPath path;
};

//===----------------------------------------------------------------------===//
// Exact
//===----------------------------------------------------------------------===//

/// Dynamic programming over the subsets of some tensors of a builder.
class ExactSearch {
public:
  ExactSearch(const ContractionNetwork &network, PathBuilder &builder,
              ArrayRef<unsigned> members)
      : builder(builder), members(members), best(size_t(1) << members.size()) {
    assert(!members.empty() && members.size() <= hardExactLimit);
    for (unsigned label = 0, e = network.labelSizes.size(); label != e;
         ++label) {
      Label entry{0, network.output.test(label), network.labelSizes[label]};
      for (unsigned i = 0, n = members.size(); i != n; ++i)
        if (builder.getLabels(members[i]).test(label))
          entry.holders |= getBit(i);
      if (entry.holders != 0)
        labels.push_back(entry);
    }
  }

  /// Contracts all members and returns the result's number.
  unsigned run() {
    Subset all = best.size() - 1;
    for (Subset set = 1; set <= all; ++set)
      // Every proper subset of `set` is a smaller number and so done.
      if ((set & (set - 1)) != 0)
        solve(set, /*isLast=*/set == all);
    return emit(all);
  }

private:
  using Subset = uint32_t;

  struct Label {
    Subset holders;
    bool inOutput;
    double size;
  };

  struct Solution {
    double flops = 0;
    double largest = 0;
    Subset lhs = 0; // 0 until a split is found; the rest is the other half
  };

  /// The first operand has the highest bit, so that counting down from a set
  /// visits first the split that leaves only its last operand aside.
  Subset getBit(unsigned member) const {
    return Subset(1) << (members.size() - 1 - member);
  }

  /// A label inside one half has been summed out of it, unless the output wants
  /// it; it costs nothing in this step and is not in its result.
  static bool isGone(const Label &label, Subset half) {
    return !label.inOutput && (label.holders & ~half) == 0;
  }

  double getStepCost(Subset lhs, Subset rhs) const {
    double product = 1;
    for (const Label &label : labels) {
      if ((label.holders & (lhs | rhs)) == 0 || isGone(label, lhs) ||
          isGone(label, rhs))
        continue;
      if (label.size == 0)
        return 0;
      product = std::min(product * label.size, sizeLimit);
    }
    return product;
  }

  void solve(Subset set, bool isLast) {
    // As a step's cost, with nothing gone but what `set` as a whole has summed.
    double size = isLast ? 0 : getStepCost(set, set);
    Solution &solution = best[set];
    Subset highest = set;
    while ((highest & (highest - 1)) != 0)
      highest &= highest - 1;
    for (Subset lhs = (set - 1) & set; lhs != 0; lhs = (lhs - 1) & set) {
      // The other splits are these with their halves swapped.
      if ((lhs & highest) == 0)
        break;
      Subset rhs = set & ~lhs;
      double flops = best[lhs].flops + best[rhs].flops;
      if (solution.lhs != 0 && flops > solution.flops)
        continue;
      flops += getStepCost(lhs, rhs);
      double largest = std::max({size, best[lhs].largest, best[rhs].largest});
      if (solution.lhs == 0 ||
          std::tie(flops, largest) < std::tie(solution.flops, solution.largest))
        solution = {flops, largest, lhs};
    }
  }

  unsigned emit(Subset set) {
    if (best[set].lhs == 0) {
      for (unsigned i = 0, e = members.size(); i != e; ++i)
        if (set == getBit(i))
          return members[i];
    }
    unsigned lhs = emit(best[set].lhs);
    unsigned rhs = emit(set & ~best[set].lhs);
    return builder.contract(lhs, rhs);
  }

  PathBuilder &builder;
  ArrayRef<unsigned> members;
  SmallVector<Label> labels;
  std::vector<Solution> best;
};

//===----------------------------------------------------------------------===//
// Greedy
//===----------------------------------------------------------------------===//

/// Contracts, of the pairs of tensors that share a label, always the one whose
/// result is smallest compared with what it replaces.
class GreedySearch {
public:
  GreedySearch(PathBuilder &builder, unsigned numLabels,
               ArrayRef<unsigned> members)
      : builder(builder), holders(numLabels) {
    for (unsigned id : members)
      add(id);
  }

  /// Contracts all members, which labels connect, and returns the result.
  unsigned run() {
    unsigned last = newest;
    while (!candidates.empty()) {
      auto [cost, lhs, rhs] = candidates.top();
      candidates.pop();
      if (!alive.test(lhs) || !alive.test(rhs))
        continue;
      alive.reset(lhs);
      alive.reset(rhs);
      last = builder.contract(lhs, rhs);
      add(last);
    }
    return last;
  }

private:
  /// Cost, then the numbers: equal costs go to the tensors made first.
  using Candidate = std::tuple<double, unsigned, unsigned>;

  /// Makes `id` a partner of every tensor that shares a label with it.
  void add(unsigned id) {
    SmallVector<unsigned> partners;
    for (unsigned label : builder.getLabels(id).set_bits()) {
      SmallVectorImpl<unsigned> &list = holders[label];
      erase_if(list, [&](unsigned other) { return !alive.test(other); });
      partners.append(list.begin(), list.end());
      list.push_back(id);
    }
    llvm::sort(partners);
    partners.erase(llvm::unique(partners), partners.end());

    double size = builder.getSize(id);
    if (memory.size() <= id)
      memory.resize(id + 1, 0);
    memory[id] = size;
    if (alive.size() <= id)
      alive.resize(id + 1);
    alive.set(id);
    newest = id;
    for (unsigned other : partners)
      candidates.push(
          {builder.getResultSize(other, id) - memory[other] - size, other, id});
  }

  PathBuilder &builder;
  /// By label: the tensors that have it, some of them contracted since.
  std::vector<SmallVector<unsigned>> holders;
  SmallBitVector alive;
  std::vector<double> memory; // by tensor
  unsigned newest = 0;
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>>
      candidates;
};

//===----------------------------------------------------------------------===//
// Parts that share no label
//===----------------------------------------------------------------------===//

/// The operands, grouped by being connected through labels; groups and members
/// in the order in which they are written.
SmallVector<SmallVector<unsigned>> getComponents(const PathBuilder &builder,
                                                 unsigned numOperands,
                                                 unsigned numLabels) {
  IntEqClasses classes(numOperands);
  SmallVector<int> firstHolder(numLabels, -1);
  for (unsigned id = 0; id != numOperands; ++id)
    for (unsigned label : builder.getLabels(id).set_bits()) {
      if (firstHolder[label] < 0)
        firstHolder[label] = id;
      classes.join(firstHolder[label], id);
    }
  classes.compress();
  SmallVector<SmallVector<unsigned>> components(classes.getNumClasses());
  for (unsigned id = 0; id != numOperands; ++id)
    components[classes[id]].push_back(id);
  return components;
}

/// Multiplies tensors that share nothing, the two smallest first (Huffman).
void multiplyParts(PathBuilder &builder, ArrayRef<unsigned> parts) {
  using Part = std::pair<double, unsigned>;
  std::priority_queue<Part, std::vector<Part>, std::greater<>> queue;
  for (unsigned id : parts)
    queue.push({builder.getSize(id), id});
  while (queue.size() > 1) {
    unsigned lhs = queue.top().second;
    queue.pop();
    unsigned rhs = queue.top().second;
    queue.pop();
    unsigned product = builder.contract(lhs, rhs);
    queue.push({builder.getSize(product), product});
  }
}

unsigned getExactLimit(const ContractionOrderOptions &options) {
  switch (options.strategy) {
  case PathStrategy::Auto:
    return std::min(options.exactLimit, hardExactLimit);
  case PathStrategy::Optimal:
    return hardExactLimit;
  case PathStrategy::Greedy:
  case PathStrategy::Left:
    return 0;
  }
  llvm_unreachable("every strategy is above");
}

} // namespace

/// Contracts the groups one after the other, each as a network whose output has
/// what any tensor outside of it needs, and then what is left.
static ContractionPath contractGroups(const ContractionNetwork &network,
                                      const ContractionOrderOptions &options) {
  PathBuilder builder(network);
  // The tensor's number in the path by its number in the groups.
  auto tensors = to_vector(seq<unsigned>(0, network.operands.size()));
  SmallVector<unsigned> left = tensors;
  auto contract = [&](ArrayRef<unsigned> members) {
    ContractionNetwork part;
    part.labelSizes = network.labelSizes;
    part.output = network.output;
    erase_if(left, [&](unsigned id) { return is_contained(members, id); });
    for (unsigned id : left)
      part.output |= builder.getLabels(id);
    for (unsigned id : members)
      part.operands.push_back(builder.getLabels(id));
    // The part's numbers to the builder's.
    SmallVector<unsigned> ids = to_vector(members);
    for (const ContractionStep &step :
         findContractionOrder(part, options).steps)
      ids.push_back(builder.contract(ids[step.lhs], ids[step.rhs]));
    left.push_back(ids.back());
    return ids.back();
  };
  for (ArrayRef<unsigned> group : network.groups) {
    auto members = map_to_vector(group, [&](unsigned i) { return tensors[i]; });
    assert(members.size() > 1 && "a group contracts something");
    tensors.push_back(contract(members));
  }
  if (left.size() > 1)
    contract(SmallVector<unsigned>(left));
  return builder.takePath();
}

ContractionPath findContractionOrder(const ContractionNetwork &network,
                                     const ContractionOrderOptions &options) {
  unsigned numOperands = network.operands.size();
  unsigned numLabels = network.labelSizes.size();
  if (numOperands < 2)
    return {};
  if (!network.groups.empty())
    return contractGroups(network, options);

  PathBuilder builder(network);
  auto all = to_vector(seq(0u, numOperands));
  if (options.strategy == PathStrategy::Left) {
    unsigned result = 0;
    for (unsigned id : ArrayRef(all).drop_front())
      result = builder.contract(result, id);
    return builder.takePath();
  }

  unsigned exactLimit = getExactLimit(options);
  if (numOperands <= exactLimit) {
    ExactSearch(network, builder, all).run();
    return builder.takePath();
  }
  SmallVector<unsigned> parts;
  for (ArrayRef<unsigned> members :
       getComponents(builder, numOperands, numLabels))
    parts.push_back(members.size() <= exactLimit
                        ? ExactSearch(network, builder, members).run()
                        : GreedySearch(builder, numLabels, members).run());
  multiplyParts(builder, parts);
  return builder.takePath();
}

/// Small, middling and large for each open label in all combinations, or a
/// fixed choice of them where these are many.
static SmallVector<SmallVector<double>>
sampleSizes(const ContractionNetwork &network, const SmallBitVector &open) {
  constexpr double kSizes[] = {4, 64, 1024};
  constexpr unsigned kMost = 243;
  unsigned combinations = 1;
  for (unsigned i = 0, e = open.count(); i != e && combinations <= kMost; ++i)
    combinations *= 3;
  bool isAll = combinations <= kMost;
  SmallVector<SmallVector<double>> samples;
  uint64_t random = 1;
  for (unsigned i = 0, e = isAll ? combinations : kMost; i != e; ++i) {
    SmallVector<double> sizes(network.labelSizes);
    unsigned digits = i;
    for (unsigned label : open.set_bits()) {
      // Knuth's linear congruential generator, whose high bits are good.
      random = random * 6364136223846793005u + 1442695040888963407u;
      sizes[label] = kSizes[isAll ? digits % 3 : (random >> 33) % 3];
      digits /= 3;
    }
    samples.push_back(std::move(sizes));
  }
  return samples;
}

SmallVector<ContractionPath>
findContractionOrders(const ContractionNetwork &network,
                      const SmallBitVector &open) {
  constexpr unsigned kMostOperands = 6, kMostOrders = 3;
  // What another order has to save on average, as a logarithm.
  constexpr double kLeastGain = 0.05;
  using Pairs = SmallVector<std::pair<unsigned, unsigned>>;
  SmallVector<ContractionPath> orders = {findContractionOrder(network)};
  if (open.none() || network.operands.size() < 3 ||
      network.operands.size() > kMostOperands || !network.groups.empty())
    return orders;

  auto getPairs = [](const ContractionPath &path) {
    Pairs pairs;
    for (const ContractionStep &step : path.steps)
      pairs.push_back({step.lhs, step.rhs});
    return pairs;
  };
  SmallVector<SmallVector<double>> samples = sampleSizes(network, open);
  ContractionNetwork sample = network;
  SmallVector<Pairs> candidates = {getPairs(orders[0])};
  for (ArrayRef<double> sizes : samples) {
    sample.labelSizes.assign(sizes.begin(), sizes.end());
    Pairs pairs = getPairs(findContractionOrder(sample));
    if (!is_contained(candidates, pairs))
      candidates.push_back(std::move(pairs));
  }
  // By candidate and sample, the logarithm of what it costs.
  std::vector<std::vector<double>> costs(candidates.size());
  for (ArrayRef<double> sizes : samples) {
    sample.labelSizes.assign(sizes.begin(), sizes.end());
    for (auto [pairs, cost] : zip_equal(candidates, costs))
      cost.push_back(std::log(applyContractionOrder(sample, pairs).flops));
  }
  std::vector<double> least = costs[0];
  while (orders.size() < kMostOrders) {
    auto getGain = [&](ArrayRef<double> cost) {
      double gain = 0;
      for (auto [before, after] : zip_equal(least, cost))
        gain += std::max(before - after, 0.0);
      return gain / samples.size();
    };
    auto best = std::max_element(
        costs.begin(), costs.end(),
        [&](const auto &a, const auto &b) { return getGain(a) < getGain(b); });
    if (getGain(*best) < kLeastGain)
      break;
    orders.push_back(
        applyContractionOrder(network, candidates[best - costs.begin()]));
    for (auto [before, after] : zip_equal(least, *best))
      before = std::min(before, after);
  }
  return orders;
}

ContractionPath
applyContractionOrder(const ContractionNetwork &network,
                      ArrayRef<std::pair<unsigned, unsigned>> pairs) {
  if (network.operands.size() < 2)
    return {};
  assert(pairs.size() + 1 == network.operands.size() && "one pair per step");
  PathBuilder builder(network);
  for (auto [lhs, rhs] : pairs)
    builder.contract(lhs, rhs);
  return builder.takePath();
}

} // namespace ein
