//===- ContractionOrder.cpp - In which order to contract ------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: finding the cheapest order is NP-hard, and networks come with three
// tensors and with five thousand.
//
// Choice: a search per size. Every subset up to 14 (SubsetSearch); connected
// subsets, and others within what these cost, up to 20 (ConnectedSearch); many
// trees of three kinds that are improved beyond (TreeSearch). Parts that share
// no label are searched each on its own where the whole is too large.
//
// Consequence: the time is bounded, by counting what is evaluated and not by a
// clock. Ties of few tensors go to the order in which operands are written.
//
//===----------------------------------------------------------------------===//

#include "order/ContractionOrder.h"
#include "order/OrderProblem.h"
#include "order/ProductSearch.h"
#include "order/SearchKnobs.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <cassert>
#include <cmath>
#include <functional>
#include <queue>

using namespace llvm;

namespace ein {

StringRef getName(PathQuality quality) {
  switch (quality) {
  case PathQuality::Optimal:
    return "optimal";
  case PathQuality::OptimalWithoutOuter:
    return "optimal without outer products";
  case PathQuality::Searched:
    return "searched";
  case PathQuality::Given:
    return "given";
  }
  llvm_unreachable("every quality is above");
}

ArrayRef<StringRef> getPathStrategies() {
  static constexpr StringRef names[] = {"auto", "optimal", "greedy", "left"};
  return names;
}

std::optional<PathStrategy> parsePathStrategy(StringRef name) {
  ArrayRef<StringRef> names = getPathStrategies();
  const StringRef *found = llvm::find(names, name);
  if (found == names.end())
    return std::nullopt;
  return static_cast<PathStrategy>(found - names.begin());
}

namespace {

double countElements(ArrayRef<double> sizes, const SmallBitVector &labels) {
  double product = 1;
  for (unsigned label : labels.set_bits())
    product = multiplySizes(product, sizes[label]);
  return product;
}

//===----------------------------------------------------------------------===//
// The state between two steps
//===----------------------------------------------------------------------===//

/// The tensors there are while a path is made, and the path so far.
class PathBuilder {
public:
  explicit PathBuilder(const ContractionNetwork &network)
      : network(network), sizes(network.labelSizes),
        uses(network.labelSizes.size(), 0) {
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
    for (unsigned i = 0, e = tensors.size(); i != e; ++i)
      numbers.push_back(i);
    stepsLeft = tensors.size() - 1;
  }

  ArrayRef<double> getSizes() const { return sizes; }
  /// The labels of tensor `id`, in the numbering of ContractionStep.
  const SmallBitVector &getLabels(unsigned id) const { return tensors[id]; }
  /// How many tensors not contracted yet have the label, plus the output.
  unsigned getNumUses(unsigned label) const { return uses[label]; }

  /// Contracts the two and returns the result's number.
  unsigned contract(unsigned lhs, unsigned rhs) {
    if (lhs > rhs)
      std::swap(lhs, rhs);
    SmallBitVector either = tensors[lhs];
    either |= tensors[rhs];
    SmallBitVector result = either;
    for (unsigned label : either.set_bits()) {
      unsigned here = tensors[lhs].test(label) + tensors[rhs].test(label);
      if (uses[label] == here)
        result.reset(label);
    }
    double points = countElements(sizes, either);
    double size = countElements(sizes, result);
    double additions = result == either ? 0 : points;
    std::optional<unsigned> shared = findShared(lhs, rhs);
    if (!shared) {
      path.flops += points + additions;
      path.additions += additions;
      path.elements += countElements(sizes, tensors[lhs]) +
                       countElements(sizes, tensors[rhs]) + size;
    }
    if (--stepsLeft > 0)
      path.largestIntermediate = std::max(path.largestIntermediate, size);
    count(tensors[lhs], -1);
    count(tensors[rhs], -1);
    count(result, 1);
    path.steps.push_back({lhs, rhs, result, {}, {}, shared});
    numbers.push_back(shared ? network.operands.size() + *shared : kNone);
    tensors.push_back(std::move(result));
    return tensors.size() - 1;
  }

  ContractionPath takePath() { return std::move(path); }

private:
  static constexpr unsigned kNone = ~0u;

  std::optional<unsigned> findShared(unsigned lhs, unsigned rhs) const {
    auto pair = std::minmax(numbers[lhs], numbers[rhs]);
    for (auto [i, product] : enumerate(network.shared))
      if (std::minmax(product.first, product.second) == pair)
        return i;
    return std::nullopt;
  }
  void count(const SmallBitVector &labels, int change) {
    for (unsigned label : labels.set_bits())
      uses[label] += change;
  }

  const ContractionNetwork &network;
  ArrayRef<double> sizes;
  /// By tensor, what it is to the network's shared products.
  SmallVector<unsigned> numbers;
  /// By label: how many tensors not contracted yet have it, plus the output.
  SmallVector<unsigned> uses;
  SmallVector<SmallBitVector> tensors;
  size_t stepsLeft;
  ContractionPath path;
};

//===----------------------------------------------------------------------===//
// Problems of networks, and of their parts
//===----------------------------------------------------------------------===//

OrderProblem makeProblemOf(const PathBuilder &builder,
                           ArrayRef<unsigned> members) {
  auto leaves = map_to_vector(members, [&](unsigned id) {
    return SmallVector<unsigned>(builder.getLabels(id).set_bits());
  });
  return makeProblem(leaves, builder.getSizes(),
                     [&](unsigned label, unsigned numHolders) {
                       return builder.getNumUses(label) != numHolders;
                     });
}

/// The leaves, grouped by being connected through labels; groups and members in
/// the order in which they are written.
SmallVector<SmallVector<unsigned>> getComponents(const OrderProblem &problem) {
  IntEqClasses classes(problem.leaves.size());
  std::vector<int> firstHolder(problem.sizes.size(), -1);
  for (auto [id, leaf] : enumerate(problem.leaves))
    for (Leg leg : leaf) {
      if (firstHolder[leg.label] < 0)
        firstHolder[leg.label] = id;
      classes.join(firstHolder[leg.label], id);
    }
  classes.compress();
  SmallVector<SmallVector<unsigned>> components(classes.getNumClasses());
  for (unsigned id = 0, e = problem.leaves.size(); id != e; ++id)
    components[classes[id]].push_back(id);
  return components;
}

//===----------------------------------------------------------------------===//
// A search for each
//===----------------------------------------------------------------------===//

struct FoundOrder {
  OrderPairs pairs;
  PathQuality quality;
};

/// Finds orders of problems that are parts of a network.
class OrderFinder {
public:
  OrderFinder(const ContractionOrderOptions &options, size_t numOperands)
      : options(options), numOperands(numOperands) {}

  FoundOrder find(const OrderProblem &problem) const;

private:
  FoundOrder findBest(const OrderProblem &problem) const;
  FoundOrder findByComponents(const OrderProblem &problem,
                              ArrayRef<SmallVector<unsigned>> components) const;
  /// A part's share of what may be spent on all.
  uint64_t getShare(uint64_t all, size_t numLeaves, uint64_t least) const {
    return std::max<uint64_t>(double(all) * numLeaves / numOperands, least);
  }

  const ContractionOrderOptions &options;
  size_t numOperands;
};

} // namespace

FoundOrder OrderFinder::find(const OrderProblem &problem) const {
  size_t numLeaves = problem.leaves.size();
  OrderPairs pairs;
  switch (options.strategy) {
  case PathStrategy::Left:
    for (unsigned i = 1, last = 0; i < numLeaves; ++i) {
      pairs.push_back(std::minmax(last, i));
      last = numLeaves + i - 1;
    }
    return {pairs, PathQuality::Given};
  case PathStrategy::Greedy: {
    OrderRandom random(options.seed);
    GreedySearch(problem).run({}, random, pairs);
    return {pairs, PathQuality::Given};
  }
  case PathStrategy::Auto:
  case PathStrategy::Optimal:
    break;
  }
  FoundOrder found = findBest(problem);
  scheduleSteps(problem, found.pairs);
  return found;
}

FoundOrder OrderFinder::findBest(const OrderProblem &problem) const {
  size_t numLeaves = problem.leaves.size();
  if (numLeaves < 3)
    return {OrderPairs(numLeaves == 2, {0, 1}), PathQuality::Optimal};

  uint64_t work = options.strategy == PathStrategy::Optimal
                      ? SearchKnobs::kOptimalWork
                      : SearchKnobs::kWork;
  work = getShare(work, numLeaves, SearchKnobs::kLeastWork);
  if (numLeaves <= SearchKnobs::kMostForSubsets &&
      std::pow(3.0, numLeaves) / 2 <= work) {
    SubsetSearch search;
    search.solve(problem, map_to_vector(problem.leaves, [](const Legs &leaf) {
                   return &leaf;
                 }));
    return {search.getPairs(), PathQuality::Optimal};
  }
  uint64_t effort = options.effort != 0
                        ? getShare(options.effort, numLeaves, 1)
                        : getShare(getDefaultEffort(problem), numLeaves,
                                   SearchKnobs::kLeastTrees);
  if (numLeaves <= SearchKnobs::kMostConnected) {
    OrderPairs pairs = searchTrees(
        problem, std::min(effort, SearchKnobs::kTreesBeforeConnected),
        options.seed, options.numThreads);
    switch (searchConnected(problem, work, pairs)) {
    case ConnectedResult::Best:
      return {pairs, PathQuality::Optimal};
    case ConnectedResult::BestWithoutOuter:
      return {pairs, PathQuality::OptimalWithoutOuter};
    case ConnectedResult::GaveUp:
      break;
    }
  } else {
    SmallVector<SmallVector<unsigned>> components = getComponents(problem);
    if (components.size() > 1)
      return findByComponents(problem, components);
  }
  return {searchTrees(problem, effort, options.seed, options.numThreads),
          PathQuality::Searched};
}

FoundOrder OrderFinder::findByComponents(
    const OrderProblem &problem,
    ArrayRef<SmallVector<unsigned>> components) const {
  FoundOrder all{{}, PathQuality::OptimalWithoutOuter};
  // Multiplied in the end, the two smallest first (Huffman).
  using Part = std::pair<double, unsigned>;
  std::priority_queue<Part, std::vector<Part>, std::greater<>> parts;
  unsigned next = problem.leaves.size();
  // By label, whether it is in a part's result and not counted yet.
  std::vector<unsigned> numHolders(problem.sizes.size(), 0);
  for (const Legs &leaf : problem.leaves)
    for (Leg leg : leaf)
      ++numHolders[leg.label];
  std::vector<char> keptOnce(problem.sizes.size());
  for (size_t i = 0; i != numHolders.size(); ++i)
    keptOnce[i] = numHolders[i] != problem.totals[i];
  for (ArrayRef<unsigned> members : components) {
    auto leaves = map_to_vector(members, [&](unsigned id) {
      return map_to_vector(problem.leaves[id],
                           [](Leg leg) { return leg.label; });
    });
    auto isKept = [&](unsigned label, unsigned numHolders) {
      return problem.totals[label] != numHolders;
    };
    double size = 1;
    for (unsigned id : members)
      for (Leg leg : problem.leaves[id])
        if (std::exchange(keptOnce[leg.label], false))
          size = multiplySizes(size, problem.sizes[leg.label]);
    FoundOrder found = findBest(makeProblem(leaves, problem.sizes, isKept));
    if (found.quality == PathQuality::Searched)
      all.quality = PathQuality::Searched;
    SmallVector<unsigned> ids(members);
    for (auto [lhs, rhs] : found.pairs) {
      all.pairs.push_back({ids[lhs], ids[rhs]});
      ids.push_back(next++);
    }
    parts.push({size, ids.back()});
  }
  while (parts.size() > 1) {
    auto [lhsSize, lhs] = parts.top();
    parts.pop();
    auto [rhsSize, rhs] = parts.top();
    parts.pop();
    all.pairs.push_back(std::minmax(lhs, rhs));
    parts.push({multiplySizes(lhsSize, rhsSize), next++});
  }
  return all;
}

/// Contracts `members` in the order that is found, and returns the result.
static unsigned contractAll(PathBuilder &builder, const OrderFinder &finder,
                            ArrayRef<unsigned> members, PathQuality &quality) {
  if (members.size() == 2)
    return builder.contract(members[0], members[1]);
  FoundOrder found = finder.find(makeProblemOf(builder, members));
  quality = std::max(quality, found.quality);
  SmallVector<unsigned> ids(members);
  for (auto [lhs, rhs] : found.pairs)
    ids.push_back(builder.contract(ids[lhs], ids[rhs]));
  return ids.back();
}

/// The best of all orders, as shared products cost nothing.
static void contractShared(PathBuilder &builder,
                           const ContractionNetwork &network) {
  auto members = to_vector(seq<unsigned>(0, network.operands.size()));
  OrderProblem problem = makeProblemOf(builder, members);
  SubsetSearch search;
  SmallVector<uint32_t> sets;
  for (unsigned i : members)
    sets.push_back(uint32_t(1) << (members.size() - 1 - i));
  SmallVector<std::pair<uint32_t, uint32_t>> done;
  for (auto [lhs, rhs] : network.shared) {
    sets.push_back(sets[lhs] | sets[rhs]);
    done.push_back({sets.back(), sets[lhs]});
  }
  search.solve(
      problem,
      map_to_vector(problem.leaves, [](const Legs &leaf) { return &leaf; }),
      done);
  OrderPairs pairs = search.getPairs();
  scheduleSteps(problem, pairs);
  for (auto [lhs, rhs] : pairs)
    members.push_back(builder.contract(members[lhs], members[rhs]));
}

ContractionPath findContractionOrder(const ContractionNetwork &network,
                                     const ContractionOrderOptions &options) {
  unsigned numOperands = network.operands.size();
  if (numOperands < 2)
    return {};
  PathBuilder builder(network);
  if (!network.shared.empty() && network.groups.empty() &&
      options.wantsCheapest() && numOperands <= SearchKnobs::kMostForSubsets) {
    contractShared(builder, network);
    ContractionPath path = builder.takePath();
    path.quality = PathQuality::Optimal;
    return path;
  }
  OrderFinder finder(options, numOperands);
  PathQuality quality =
      network.groups.empty() ? PathQuality::Optimal : PathQuality::Given;
  // The tensor's number in the path by its number in the groups.
  auto tensors = to_vector(seq(0u, numOperands));
  std::vector<char> isGrouped(numOperands + network.groups.size(), false);
  for (ArrayRef<unsigned> group : network.groups) {
    assert(group.size() > 1 && "a group contracts something");
    for (unsigned member : group)
      isGrouped[member] = true;
    tensors.push_back(contractAll(
        builder, finder,
        map_to_vector(group, [&](unsigned i) { return tensors[i]; }), quality));
  }
  SmallVector<unsigned> left;
  for (auto [i, tensor] : enumerate(tensors))
    if (!isGrouped[i])
      left.push_back(tensor);
  if (left.size() > 1)
    contractAll(builder, finder, left, quality);
  ContractionPath path = builder.takePath();
  path.quality = quality;
  return path;
}

ContractionPath
applyContractionOrder(const ContractionNetwork &network,
                      ArrayRef<std::pair<unsigned, unsigned>> pairs) {
  if (network.operands.size() < 2)
    return {};
  assert(pairs.size() + 1 == network.operands.size() && "one pair per step");
  if (network.hasArithmetic)
    return applyProductOrder(network, pairs);
  PathBuilder builder(network);
  for (auto [lhs, rhs] : pairs)
    builder.contract(lhs, rhs);
  return builder.takePath();
}

} // namespace ein
