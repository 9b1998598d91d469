//===- TreeSearch.cpp - A good order of many tensors ----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: the cheapest order of more than some twenty tensors cannot be
// computed, and what a greedy search finds is often tens of times as expensive.
//
// Choice: as in J. Gray and S. Kourtis, "Hyper-optimized tensor network
// contraction", Quantum 5, 410 (2021), many greedy searches with other weights
// and some chance; then the best trees are improved, in two ways. Subtrees of a
// few leaves are replaced by the best ones of these leaves. And annealing (G.
// Kalachev, P. Panteleev, M.-H. Yung, "Multi-Tensor Contraction for XEB
// Verification of Quantum Circuits", arXiv:2108.05665) rotates: ((a b) c)
// becomes ((a c) b) or ((b c) a), which changes two steps and nothing else;
// what counts is by which factor these two change.
//
// Consequence: effort is a number of trees. A greedy search is one, and what
// improves a tree counts by the steps that it evaluates, so that nothing
// depends on the machine or the clock. For thousands of tensors the default
// leaves some tens of trees, and the time grows as the network does.
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/OrderProblem.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;

namespace ein {
namespace {

/// A greedy search evaluates several pairs per step, in a heap: as long as it
/// takes for one of these, this many rotations are tried.
constexpr uint64_t kRotationsPerStep = 8;
/// And this many splits of subsets.
constexpr uint64_t kSplitsPerStep = 64;

/// What is left of the effort, in parts of a step.
class Effort {
public:
  static constexpr uint64_t kUnit = 64;
  Effort(uint64_t trees, size_t numSteps)
      : numSteps(numSteps),
        left(std::min(trees, kMost / kUnit / numSteps) * numSteps * kUnit) {}
  bool isLeft() const { return left != 0; }
  uint64_t getTrees() const { return left / (numSteps * kUnit); }
  void spend(uint64_t amount, uint64_t perStep) {
    uint64_t units = amount * kUnit / perStep;
    left -= std::min(left, units);
  }
  size_t numSteps;

private:
  static constexpr uint64_t kMost = uint64_t(1) << 62;
  uint64_t left;
};

/// An order as a tree that can be changed.
class OrderTree {
public:
  OrderTree(const OrderProblem &problem, const OrderPairs &pairs);

  OrderPairs getPairs() const;
  OrderCost getCost() const;

  /// Replaces subtrees of up to `numLeaves` leaves by the best ones, each node
  /// being the root of one once. Whether any was not the best.
  bool reconfigure(unsigned numLeaves, SubsetSearch &search,
                   OrderRandom &random, Effort &effort);
  /// Tries one rotation of each node.
  void rotate(double temperature, OrderRandom &random, Effort &effort);

private:
  struct Node {
    unsigned children[2] = {0, 0};
    Legs legs;
    double size = 0;
    double flops = 0; // of the step that makes it
  };
  bool isLeaf(unsigned id) const { return id < problem->leaves.size(); }
  void update(unsigned id);
  bool reconfigureAt(unsigned id, unsigned numLeaves, SubsetSearch &search,
                     Effort &effort);
  void rotateAt(unsigned id, double temperature, OrderRandom &random);

  const OrderProblem *problem;
  std::vector<Node> nodes;
  unsigned root;
  Legs scratch;
};

} // namespace

OrderTree::OrderTree(const OrderProblem &problem, const OrderPairs &pairs)
    : problem(&problem), nodes(problem.leaves.size() + pairs.size()),
      root(nodes.size() - 1) {
  size_t numLeaves = problem.leaves.size();
  for (size_t i = 0; i != numLeaves; ++i) {
    nodes[i].legs = problem.leaves[i];
    nodes[i].size = problem.getSize(nodes[i].legs);
  }
  for (size_t i = 0; i != pairs.size(); ++i) {
    nodes[numLeaves + i].children[0] = pairs[i].first;
    nodes[numLeaves + i].children[1] = pairs[i].second;
    update(numLeaves + i);
  }
}

/// From its children.
void OrderTree::update(unsigned id) {
  Node &node = nodes[id];
  OrderProblem::Step step = problem->contract(
      nodes[node.children[0]].legs, nodes[node.children[1]].legs, node.legs);
  node.flops = step.flops;
  node.size = step.size;
}

OrderCost OrderTree::getCost() const {
  OrderCost cost;
  for (const Node &node : ArrayRef(nodes).drop_front(problem->leaves.size()))
    cost = cost +
           OrderCost{node.flops, nodes[node.children[0]].size +
                                     nodes[node.children[1]].size + node.size};
  return cost;
}

OrderPairs OrderTree::getPairs() const {
  // Children come after their parents here, and so before them when reversed.
  std::vector<unsigned> order = {root};
  for (size_t i = 0; i != order.size(); ++i)
    for (unsigned child : nodes[order[i]].children)
      if (!isLeaf(child))
        order.push_back(child);
  std::vector<unsigned> numbers(nodes.size());
  for (unsigned id = 0; id != problem->leaves.size(); ++id)
    numbers[id] = id;
  OrderPairs pairs;
  for (unsigned id : llvm::reverse(order)) {
    numbers[id] = problem->leaves.size() + pairs.size();
    pairs.push_back(std::minmax(numbers[nodes[id].children[0]],
                                numbers[nodes[id].children[1]]));
  }
  return pairs;
}

//===----------------------------------------------------------------------===//
// Subtrees
//===----------------------------------------------------------------------===//

bool OrderTree::reconfigureAt(unsigned id, unsigned numLeaves,
                              SubsetSearch &search, Effort &effort) {
  // The leaves of the subtree: whatever was the most expensive to make is taken
  // apart first. Nodes inside can be used anew, and `id` keeps its place.
  SmallVector<unsigned, 16> leaves(std::begin(nodes[id].children),
                                   std::end(nodes[id].children));
  SmallVector<unsigned, 16> inside;
  OrderCost before;
  auto count = [&](const Node &node) {
    before = before + OrderCost{node.flops, nodes[node.children[0]].size +
                                                nodes[node.children[1]].size +
                                                node.size};
  };
  count(nodes[id]);
  while (leaves.size() < numLeaves) {
    unsigned *widest = nullptr;
    for (unsigned &leaf : leaves)
      if (!isLeaf(leaf) &&
          (!widest || nodes[leaf].flops > nodes[*widest].flops))
        widest = &leaf;
    if (!widest)
      break;
    unsigned taken = *widest;
    inside.push_back(taken);
    count(nodes[taken]);
    *widest = nodes[taken].children[0];
    leaves.push_back(nodes[taken].children[1]);
  }
  if (leaves.size() < 3)
    return false;
  llvm::sort(leaves);
  SmallVector<const Legs *, 16> legs;
  for (unsigned leaf : leaves)
    legs.push_back(&nodes[leaf].legs);
  uint64_t numSplits = 1;
  for (size_t i = 0; i != leaves.size(); ++i)
    numSplits *= 3;
  effort.spend(numSplits / 2, kSplitsPerStep);
  OrderCost after = search.solve(*problem, legs);
  // Sums of other orders may differ by their rounding.
  constexpr double kLess = 1 - 1e-12;
  if (after.flops > before.flops * kLess &&
      (after.flops > before.flops || after.elements >= before.elements * kLess))
    return false;
  OrderPairs pairs = search.getPairs();
  SmallVector<unsigned, 32> made(leaves.begin(), leaves.end());
  for (auto [lhs, rhs] : pairs) {
    unsigned node = inside.empty() ? id : inside.pop_back_val();
    nodes[node].children[0] = made[lhs];
    nodes[node].children[1] = made[rhs];
    update(node);
    made.push_back(node);
  }
  return true;
}

bool OrderTree::reconfigure(unsigned numLeaves, SubsetSearch &search,
                            OrderRandom &random, Effort &effort) {
  unsigned first = problem->leaves.size(), count = nodes.size() - first;
  std::vector<unsigned> order(count);
  for (unsigned i = 0; i != count; ++i) {
    unsigned j = random.below(i + 1);
    order[i] = order[j];
    order[j] = first + i;
  }
  bool changed = false;
  for (unsigned id : order) {
    if (!effort.isLeft())
      break;
    changed |= reconfigureAt(id, numLeaves, search, effort);
  }
  return changed;
}

//===----------------------------------------------------------------------===//
// Annealing
//===----------------------------------------------------------------------===//

void OrderTree::rotateAt(unsigned id, double temperature, OrderRandom &random) {
  Node &node = nodes[id];
  uint64_t bits = random.next();
  unsigned side = bits & 1;
  if (isLeaf(node.children[side]))
    side = !side;
  if (isLeaf(node.children[side]))
    return;
  Node &inner = nodes[node.children[side]];
  unsigned outside = node.children[!side];
  bool staysFirst = bits & 2;
  unsigned stays = inner.children[!staysFirst];
  unsigned leaves = inner.children[staysFirst];

  OrderProblem::Step below =
      problem->contract(nodes[stays].legs, nodes[outside].legs, scratch);
  double before = node.flops + inner.flops;
  if (temperature <= 0 && below.flops > before)
    return;
  OrderProblem::Step above = problem->contract(scratch, nodes[leaves].legs);
  double after = below.flops + above.flops;
  if (after > before) {
    if (temperature <= 0 ||
        random.uniform() >= std::pow(before / after, 1 / temperature))
      return;
  } else if (after == before && below.size > inner.size && temperature <= 0) {
    return;
  }
  inner.children[0] = stays;
  inner.children[1] = outside;
  inner.legs.assign(scratch.begin(), scratch.end());
  inner.size = below.size;
  inner.flops = below.flops;
  node.children[!side] = leaves;
  node.flops = above.flops;
}

void OrderTree::rotate(double temperature, OrderRandom &random,
                       Effort &effort) {
  for (unsigned id = problem->leaves.size(); id != nodes.size(); ++id)
    rotateAt(id, temperature, random);
  effort.spend(effort.numSteps, kRotationsPerStep);
}

//===----------------------------------------------------------------------===//
// All together
//===----------------------------------------------------------------------===//

namespace {
struct Candidate {
  double flops;
  OrderPairs pairs;
};

/// The best of what a search has seen.
struct BestOrder {
  OrderCost cost;
  OrderPairs pairs;

  void offer(const OrderTree &tree) {
    OrderCost other = tree.getCost();
    if (other < cost) {
      cost = other;
      pairs = tree.getPairs();
    }
  }
};
} // namespace

/// The best few of `numTrees` greedy searches, cheapest first; the first one is
/// numpy's.
static std::vector<Candidate> searchGreedily(const OrderProblem &problem,
                                             uint64_t numTrees,
                                             OrderRandom &random,
                                             Effort &effort) {
  constexpr size_t kMostKept = 6;
  GreedySearch search(problem);
  std::vector<Candidate> kept;
  GreedySettings best, settings;
  OrderPairs pairs;
  for (uint64_t i = 0; i != numTrees && (i == 0 || effort.isLeft()); ++i) {
    // Half of them near the best ones so far, the others anywhere.
    settings = {1, 0};
    if (i % 2 == 1) {
      settings.alpha = 2 * random.uniform();
      settings.temperature = std::exp(-7 * random.uniform());
    } else if (i != 0) {
      settings.alpha = best.alpha + 0.3 * (random.uniform() - 0.5);
      settings.temperature = std::max(best.temperature, 1e-3) *
                             std::exp(2 * (random.uniform() - 0.5));
    }
    double flops = search.run(settings, random, pairs);
    effort.spend(effort.numSteps, 1);
    if (kept.empty() || flops < kept.front().flops)
      best = settings;
    bool isKnown = llvm::any_of(
        kept, [&](const Candidate &other) { return other.flops == flops; });
    if (isKnown || (kept.size() == kMostKept && flops >= kept.back().flops))
      continue;
    auto place = llvm::upper_bound(kept, flops,
                                   [](double flops, const Candidate &other) {
                                     return flops < other.flops;
                                   });
    kept.insert(place, {flops, pairs});
    if (kept.size() > kMostKept)
      kept.pop_back();
  }
  return kept;
}

uint64_t getDefaultEffort(size_t numLeaves) {
  return std::clamp<uint64_t>(400'000 / std::max<size_t>(numLeaves, 1), 32,
                              4096);
}

OrderPairs searchTrees(const OrderProblem &problem, uint64_t effortInTrees,
                       uint64_t seed) {
  size_t numSteps = problem.leaves.size() - 1;
  if (numSteps < 2)
    return OrderPairs(numSteps, {0, 1});
  Effort effort(std::max<uint64_t>(effortInTrees, 1), numSteps);
  OrderRandom random(seed);
  std::vector<Candidate> candidates = searchGreedily(
      problem, std::max<uint64_t>(effortInTrees / 4, 1), random, effort);
  BestOrder best{problem.getCost(candidates[0].pairs), candidates[0].pairs};

  // How large the subtrees may be so that all can be looked at some times.
  SubsetSearch search;
  auto fits = [&](unsigned numLeaves, uint64_t passes) {
    return std::pow(3.0, numLeaves) / 2 / kSplitsPerStep * passes <=
           effort.getTrees();
  };
  auto improve = [&](OrderTree &tree, unsigned numLeaves) {
    while (numLeaves > 3 && !fits(numLeaves, 1))
      --numLeaves;
    while (effort.isLeft() &&
           tree.reconfigure(numLeaves, search, random, effort))
      ;
    best.offer(tree);
  };
  // A first improvement of each, then annealing from the best of them.
  for (Candidate &candidate : candidates) {
    if (!effort.isLeft())
      break;
    OrderTree tree(problem, candidate.pairs);
    improve(tree, 5);
    candidate = {tree.getCost().flops, tree.getPairs()};
  }
  llvm::stable_sort(candidates, [](const Candidate &a, const Candidate &b) {
    return a.flops < b.flops;
  });

  constexpr uint64_t kMostRounds = 4;
  for (uint64_t round = 0; round != kMostRounds; ++round) {
    uint64_t numSweeps =
        effort.getTrees() / (kMostRounds - round) * kRotationsPerStep * 3 / 4;
    if (numSweeps < 100)
      break;
    OrderTree tree(problem, round == 0 || round % 2 == 1
                                ? best.pairs
                                : candidates[round % candidates.size()].pairs);
    constexpr double kFirst = 1.0, kLast = 0.02;
    for (uint64_t sweep = 0; sweep != numSweeps; ++sweep) {
      double progress = double(sweep) / numSweeps;
      tree.rotate(kFirst * std::pow(kLast / kFirst, progress), random, effort);
      if (progress > 0.5 && sweep % 8 == 0)
        best.offer(tree);
    }
    improve(tree, 8);
  }
  OrderTree tree(problem, best.pairs);
  improve(tree, 8);
  return best.pairs;
}

} // namespace ein
