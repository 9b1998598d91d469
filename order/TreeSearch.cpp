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
// contraction", Quantum 5, 410 (2021), many trees of several kinds, as no kind
// is good for all networks: greedy ones with other weights and some chance,
// recursive bisections (PartitionSearch), and sweeps (LinearSearch), whose
// brackets are also put anew for the leaves of a bisection. Then the best trees
// are improved, in two ways. Subtrees of a few leaves are replaced by the best
// ones of these leaves. And annealing (G. Kalachev, P. Panteleev, M.-H. Yung,
// "Multi-Tensor Contraction for XEB Verification of Quantum Circuits",
// arXiv:2108.05665) rotates: ((a b) c) becomes ((a c) b) or ((b c) a), which
// changes two steps and nothing else; what counts is by which factor these two
// change. Steps that cost a millionth of the most expensive one or more are
// rotated many times as often as the others, which are most. In a graph, where
// no label is in three places, all that a rotation changes follows from what
// two tensors share; labels are bits there. All that is done for the tensors
// that are left when small ones have been contracted with the larger ones that
// they make no larger.
//
// Consequence: effort is a number of trees. A greedy search is one, and all
// else counts by what it evaluates, so that nothing depends on the machine or
// the clock. Trials have their shares of it, and sequences of random numbers of
// their own; so they run in threads, and the best of them is the same for any
// number of these. For thousands of tensors the default leaves some hundred
// trees, and the time grows as the network does.
//
//===----------------------------------------------------------------------===//

#include "order/LinearSearch.h"
#include "order/OrderProblem.h"
#include "order/OrderTrials.h"
#include "order/PartitionSearch.h"
#include "order/SearchKnobs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <optional>

using namespace llvm;

namespace ein {
namespace {

/// What is left of the effort, in parts of a step of a greedy search.
class Effort {
public:
  static constexpr uint64_t kUnit = 64;
  Effort(uint64_t trees, size_t numSteps)
      : numSteps(numSteps),
        left(std::min(trees, kMost / kUnit / numSteps) * numSteps * kUnit) {}
  bool isLeft() const { return left != 0; }
  uint64_t getTrees() const { return left / (numSteps * kUnit); }
  uint64_t getLeft() const { return left; }
  void spend(uint64_t amount, uint64_t perStep) {
    uint64_t units = amount * kUnit / perStep;
    left -= std::min(left, units);
  }
  /// A part of what is left, for a trial that counts on its own.
  Effort getPart(double part) const {
    Effort taken = *this;
    taken.left = std::min<uint64_t>(left * part, left);
    return taken;
  }
  /// The same for a problem of fewer steps.
  Effort withSteps(size_t steps) const {
    Effort other = *this;
    other.numSteps = steps;
    return other;
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
  /// Between these two there are rotations only.
  void beginRotations();
  void endRotations();
  /// Tries rotations of each node, of expensive ones the most.
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
  /// All steps, each after those that make what it contracts.
  std::vector<unsigned> getOrder() const;
  bool reconfigureAt(unsigned id, unsigned numLeaves, SubsetSearch &search,
                     Effort &effort);
  /// ((stays leaves) outside) may become ((stays outside) leaves).
  struct Rotation {
    unsigned node, inner;
    unsigned outsidePlace; // among the node's children
    unsigned stays, leaves, outside;
  };
  std::optional<Rotation> drawRotation(unsigned id, OrderRandom &random) const;
  void rotateAt(unsigned id, double temperature, OrderRandom &random);
  void rotateGraphAt(unsigned id, double temperature, OrderRandom &random);
  void apply(const Rotation &rotation, OrderProblem::Step below,
             double flopsAbove);

  bool isGraph() const { return numWords != 0; }
  uint64_t *getBits(unsigned id) { return &bits[id * numWords]; }

  const OrderProblem *problem;
  std::vector<Node> nodes;
  unsigned root;
  Legs scratch;
  // Of a graph that is being rotated, in place of the legs: by node its labels
  // as bits, and the size of what its children share.
  size_t numWords = 0;
  std::vector<uint64_t> bits;
  std::vector<double> sharedSizes;
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

std::vector<unsigned> OrderTree::getOrder() const {
  // Children come after their parents here, and so before them when reversed.
  std::vector<unsigned> order = {root};
  for (size_t i = 0; i != order.size(); ++i)
    for (unsigned child : nodes[order[i]].children)
      if (!isLeaf(child))
        order.push_back(child);
  std::reverse(order.begin(), order.end());
  return order;
}

OrderPairs OrderTree::getPairs() const {
  std::vector<unsigned> numbers(nodes.size());
  for (unsigned id = 0; id != problem->leaves.size(); ++id)
    numbers[id] = id;
  OrderPairs pairs;
  for (unsigned id : getOrder()) {
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
  effort.spend(numSplits / 2, SearchKnobs::kSplitsPerStep);
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

void OrderTree::beginRotations() {
  // Sizes stay so far from the limit that they can be divided again.
  constexpr double kMostSize = 1e100;
  for (auto [total, size] : zip_equal(problem->totals, problem->sizes))
    if (total > 2 || size <= 1)
      return;
  if (any_of(nodes, [](const Node &node) { return node.size > kMostSize; }))
    return;
  constexpr unsigned kBits = 64;
  numWords = divideCeil(problem->sizes.size(), kBits);
  bits.assign(nodes.size() * numWords, 0);
  sharedSizes.assign(nodes.size(), 1);
  for (unsigned id = 0; id != nodes.size(); ++id) {
    for (Leg leg : nodes[id].legs)
      getBits(id)[leg.label / kBits] |= uint64_t(1) << leg.label % kBits;
    if (isLeaf(id))
      continue;
    auto [lhs, rhs] = nodes[id].children;
    sharedSizes[id] =
        std::sqrt(nodes[lhs].size * nodes[rhs].size / nodes[id].size);
  }
}

void OrderTree::endRotations() {
  if (!isGraph())
    return;
  numWords = 0;
  for (unsigned id : getOrder())
    update(id);
}

std::optional<OrderTree::Rotation>
OrderTree::drawRotation(unsigned id, OrderRandom &random) const {
  const Node &node = nodes[id];
  uint64_t drawn = random.next();
  unsigned side = drawn & 1;
  if (isLeaf(node.children[side]))
    side = !side;
  unsigned inner = node.children[side];
  if (isLeaf(inner))
    return std::nullopt;
  bool staysFirst = drawn & 2;
  return Rotation{id,
                  inner,
                  !side,
                  nodes[inner].children[!staysFirst],
                  nodes[inner].children[staysFirst],
                  node.children[!side]};
}

/// Whether two steps may cost `after` in place of `before`.
static bool accepts(double before, double after, double temperature,
                    OrderRandom &random) {
  return after <= before ||
         (temperature > 0 &&
          random.uniform() < std::pow(before / after, 1 / temperature));
}

void OrderTree::apply(const Rotation &rotation, OrderProblem::Step below,
                      double flopsAbove) {
  Node &node = nodes[rotation.node], &inner = nodes[rotation.inner];
  inner.children[0] = rotation.stays;
  inner.children[1] = rotation.outside;
  inner.size = below.size;
  inner.flops = below.flops;
  node.children[rotation.outsidePlace] = rotation.leaves;
  node.flops = flopsAbove;
}

void OrderTree::rotateAt(unsigned id, double temperature, OrderRandom &random) {
  std::optional<Rotation> rotation = drawRotation(id, random);
  if (!rotation)
    return;
  Node &inner = nodes[rotation->inner];
  OrderProblem::Step below = problem->contract(
      nodes[rotation->stays].legs, nodes[rotation->outside].legs, scratch);
  double before = nodes[id].flops + inner.flops;
  if (temperature <= 0 && below.flops > before)
    return;
  OrderProblem::Step above =
      problem->contract(scratch, nodes[rotation->leaves].legs);
  if (!accepts(before, below.flops + above.flops, temperature, random))
    return;
  inner.legs.assign(scratch.begin(), scratch.end());
  apply(*rotation, below, above.flops);
}

void OrderTree::rotateGraphAt(unsigned id, double temperature,
                              OrderRandom &random) {
  std::optional<Rotation> rotation = drawRotation(id, random);
  if (!rotation)
    return;
  const uint64_t *stays = getBits(rotation->stays);
  const uint64_t *outside = getBits(rotation->outside);
  double shared = 1;
  for (size_t word = 0; word != numWords; ++word)
    for (uint64_t both = stays[word] & outside[word]; both != 0;
         both &= both - 1)
      shared *= problem->sizes[word * 64 + countr_zero(both)];
  // Products and quotients of sizes that are larger than 1 are 1 or larger than
  // this, whatever their rounding.
  constexpr double kSomething = 1 + 1e-6;
  auto getFlops = [](double points, double shared) {
    return shared > kSomething ? 2 * points : points;
  };
  double points =
      nodes[rotation->stays].size / shared * nodes[rotation->outside].size;
  OrderProblem::Step below{getFlops(points, shared), points / shared};
  double before = nodes[id].flops + nodes[rotation->inner].flops;
  if (temperature <= 0 && below.flops > before)
    return;
  // What is left of all that three tensors share two by two.
  double sharedAbove =
      sharedSizes[rotation->inner] * (sharedSizes[id] / shared);
  double above = getFlops(
      below.size / sharedAbove * nodes[rotation->leaves].size, sharedAbove);
  if (!accepts(before, below.flops + above, temperature, random))
    return;
  sharedSizes[rotation->inner] = shared;
  sharedSizes[id] = sharedAbove;
  uint64_t *made = getBits(rotation->inner);
  for (size_t word = 0; word != numWords; ++word)
    made[word] = stays[word] ^ outside[word];
  apply(*rotation, below, above);
}

void OrderTree::rotate(double temperature, OrderRandom &random,
                       Effort &effort) {
  unsigned first = problem->leaves.size();
  if (!isGraph()) {
    for (unsigned id = first; id != nodes.size(); ++id)
      rotateAt(id, temperature, random);
    effort.spend(effort.numSteps, SearchKnobs::kRotationsPerStep);
    return;
  }
  double most = 0;
  for (const Node &node : nodes)
    most = std::max(most, node.flops);
  uint64_t count = effort.numSteps;
  for (unsigned round = 0; round != SearchKnobs::kMoreOften; ++round)
    for (unsigned id = first; id != nodes.size(); ++id)
      if (nodes[id].flops > most * SearchKnobs::kLeastPart) {
        rotateGraphAt(id, temperature, random);
        ++count;
      }
  for (unsigned id = first; id != nodes.size(); ++id)
    rotateGraphAt(id, temperature, random);
  effort.spend(count, SearchKnobs::kGraphRotationsPerStep);
}

//===----------------------------------------------------------------------===//
// All together
//===----------------------------------------------------------------------===//

namespace {

/// The best of what a search has seen.
struct BestOrder {
  OrderCost cost;
  OrderPairs pairs;

  void offer(OrderCost other, const OrderPairs &otherPairs) {
    if (!pairs.empty() && !(other < cost))
      return;
    cost = other;
    pairs = otherPairs;
  }
  void offer(const OrderTree &tree) {
    OrderCost other = tree.getCost();
    if (pairs.empty() || other < cost)
      offer(other, tree.getPairs());
  }
};

/// A search of many trials. Each has its share of the effort and its own
/// sequence of random numbers, so that it does not matter where it runs.
class TreeSearch {
public:
  TreeSearch(const OrderProblem &problem, Effort effort, uint64_t seed,
             unsigned numThreads)
      : problem(problem), effort(effort), seed(seed), numThreads(numThreads) {}

  OrderPairs search();
  /// A short improvement of an order.
  BestOrder polish(const OrderPairs &start) const {
    return anneal(start, SearchKnobs::kLastTemperature,
                  effort.getPart(SearchKnobs::kPolishPart), 0);
  }

private:
  OrderRandom getRandom(unsigned trial) const {
    OrderRandom mixed(seed + uint64_t(trial) * 0xd1342543de82ef95u);
    return OrderRandom(mixed.next());
  }
  BestOrder searchGreedily(Effort effort, unsigned trial) const;
  BestOrder searchPartitions(Effort effort, unsigned trial) const;
  BestOrder searchLines(Effort effort, unsigned trial) const;
  BestOrder anneal(const OrderPairs &start, double first, Effort effort,
                   unsigned trial) const;
  void improve(OrderTree &tree, unsigned numLeaves, OrderRandom &random,
               Effort &effort) const;

  const OrderProblem &problem;
  Effort effort;
  uint64_t seed;
  unsigned numThreads;
};

} // namespace

/// The first tree of the first trial is numpy's.
BestOrder TreeSearch::searchGreedily(Effort effort, unsigned trial) const {
  OrderRandom random = getRandom(trial);
  GreedySearch search(problem);
  BestOrder best;
  GreedySettings bestSettings, settings;
  OrderPairs pairs;
  for (uint64_t i = trial == 0 ? 0 : 1; i == 0 || effort.isLeft(); ++i) {
    // Half of them near the best ones so far, the others anywhere.
    settings = {1, 0};
    if (i % 2 == 1) {
      settings.alpha = 2 * random.uniform();
      settings.temperature = std::exp(-7 * random.uniform());
    } else if (i != 0) {
      settings.alpha = bestSettings.alpha + 0.3 * (random.uniform() - 0.5);
      settings.temperature = std::max(bestSettings.temperature, 1e-3) *
                             std::exp(2 * (random.uniform() - 0.5));
    }
    double flops = search.run(settings, random, pairs);
    effort.spend(effort.numSteps, 1);
    if (best.pairs.empty() || flops < best.cost.flops) {
      bestSettings = settings;
      best = {{flops, 0}, pairs};
    }
  }
  if (!best.pairs.empty())
    best.cost = problem.getCost(best.pairs);
  return best;
}

/// Even splits are the best ones of a cluster, very uneven ones of a sweep.
static double drawImbalance(OrderRandom &random) {
  double uniform = random.uniform();
  return 0.01 + 0.9 * uniform * uniform;
}

/// The leaves in the order in which a tree has them.
static std::vector<unsigned> getLine(size_t numLeaves,
                                     const OrderPairs &pairs) {
  std::vector<unsigned> line;
  std::vector<unsigned> work(1, numLeaves + pairs.size() - 1);
  while (!work.empty()) {
    unsigned id = work.back();
    work.pop_back();
    if (id < numLeaves) {
      line.push_back(id);
      continue;
    }
    work.push_back(pairs[id - numLeaves].second);
    work.push_back(pairs[id - numLeaves].first);
  }
  return line;
}

/// The best tree, and what other brackets of its leaves make of it.
BestOrder TreeSearch::searchPartitions(Effort effort, unsigned trial) const {
  OrderRandom random = getRandom(trial);
  PartitionSearch search(problem);
  BestOrder best;
  OrderPairs pairs;
  while (effort.isLeft()) {
    PartitionSettings settings;
    settings.imbalance = drawImbalance(random);
    settings.openWeight = random.uniform();
    uint64_t work = search.run(settings, random, pairs);
    effort.spend(work, SearchKnobs::kPinsPerStep);
    best.offer(problem.getCost(pairs), pairs);
  }
  if (best.pairs.empty())
    return best;
  LinearSearch(problem).bracket(getLine(problem.leaves.size(), best.pairs),
                                pairs);
  best.offer(problem.getCost(pairs), pairs);
  return best;
}

/// The best of many lines, with brackets.
BestOrder TreeSearch::searchLines(Effort effort, unsigned trial) const {
  OrderRandom random = getRandom(trial);
  PartitionSearch partition(problem);
  LinearSearch search(problem);
  std::vector<unsigned> line, bestLine;
  std::vector<unsigned char> sides;
  double bestCost = 0;
  while (effort.isLeft()) {
    uint64_t work = partition.bisect({drawImbalance(random), 1}, random, sides);
    for (unsigned i = 0; i != SearchKnobs::kLinesPerSplit; ++i) {
      double uniform = random.uniform();
      work += search.arrange(sides, 8 * uniform * uniform, random, line) /
              SearchKnobs::kLinesPerSplit;
      double cost = search.getSweepCost(line);
      if (bestLine.empty() || cost < bestCost) {
        bestLine = line;
        bestCost = cost;
      }
    }
    effort.spend(work, SearchKnobs::kPinsPerStep);
  }
  BestOrder best;
  if (bestLine.empty())
    return best;
  search.bracket(bestLine, best.pairs);
  best.cost = problem.getCost(best.pairs);
  return best;
}

/// Subtrees are as large as can all be looked at some times.
void TreeSearch::improve(OrderTree &tree, unsigned numLeaves,
                         OrderRandom &random, Effort &effort) const {
  SubsetSearch subsets;
  while (numLeaves > 3 &&
         std::pow(3.0, numLeaves) / 2 / SearchKnobs::kSplitsPerStep >
             effort.getTrees())
    --numLeaves;
  while (effort.isLeft() &&
         tree.reconfigure(numLeaves, subsets, random, effort))
    ;
}

BestOrder TreeSearch::anneal(const OrderPairs &start, double first,
                             Effort effort, unsigned trial) const {
  OrderRandom random = getRandom(trial);
  OrderTree tree(problem, start);
  BestOrder best;
  best.offer(tree);
  Effort early = effort.getPart(SearchKnobs::kEarlyPart);
  improve(tree, SearchKnobs::kEarlyLeaves, random, early);
  best.offer(tree);
  Effort sweeps = effort.getPart(SearchKnobs::kSweepPart);
  tree.beginRotations();
  double all = sweeps.getLeft();
  for (uint64_t sweep = 0; sweeps.isLeft(); ++sweep) {
    double progress = 1 - sweeps.getLeft() / all;
    tree.rotate(first *
                    std::pow(SearchKnobs::kLastTemperature / first, progress),
                random, sweeps);
    if (progress > 0.5 && sweep % 8 == 0)
      best.offer(tree);
  }
  tree.endRotations();
  Effort late = effort.getPart(SearchKnobs::kLatePart);
  improve(tree, SearchKnobs::kLateLeaves, random, late);
  best.offer(tree);
  return best;
}

OrderPairs TreeSearch::search() {
  std::vector<BestOrder> found;
  unsigned numTrials = 0;
  // Runs trials, and sorts what they found to the rest, by cost, then by trial.
  auto run = [&](unsigned count, function_ref<BestOrder(unsigned)> trial) {
    size_t first = found.size();
    found.resize(first + count);
    runTrials(count, numThreads,
              [&](unsigned i) { found[first + i] = trial(numTrials + i); });
    numTrials += count;
    llvm::erase_if(found,
                   [](const BestOrder &order) { return order.pairs.empty(); });
    llvm::stable_sort(found, [](const BestOrder &a, const BestOrder &b) {
      return a.cost < b.cost;
    });
  };
  // One tree is numpy's, and of a few all are greedy ones.
  if (effort.getTrees() < 2) {
    run(1, [&](unsigned i) { return searchGreedily(effort.getPart(1), i); });
    return found.front().pairs;
  }
  if (effort.getTrees() < SearchKnobs::kFewTrees) {
    run(1, [&](unsigned i) { return searchGreedily(effort.getPart(0.5), i); });
    run(1, [&](unsigned i) {
      return anneal(found.front().pairs, SearchKnobs::kFewTreesTemperature,
                    effort.getPart(0.5), i);
    });
    return found.front().pairs;
  }
  // The first trees. Each of the latter two kinds ends with brackets, whose
  // time is bounded; they are not counted.
  constexpr unsigned kTrialsPerKind = SearchKnobs::kTrialsPerKind;
  run(3 * kTrialsPerKind, [&](unsigned i) {
    switch (i / kTrialsPerKind) {
    case 0:
      return searchGreedily(
          effort.getPart(SearchKnobs::kGreedyPart / kTrialsPerKind), i);
    case 1:
      return searchPartitions(
          effort.getPart(SearchKnobs::kPartitionPart / kTrialsPerKind), i);
    default:
      return searchLines(
          effort.getPart(SearchKnobs::kLinePart / kTrialsPerKind), i);
    }
  });
  // Annealing from several, unless they are hopeless, then from the best.
  constexpr unsigned kNumStarts = std::size(SearchKnobs::kFirstTemperatures);
  SmallVector<OrderPairs> starts;
  for (unsigned i = 0; i != kNumStarts; ++i)
    starts.push_back(
        found[i < found.size() && found[i].cost.flops < SearchKnobs::kHopeless *
                                                            found[0].cost.flops
                  ? i
                  : 0]
            .pairs);
  unsigned firstTrial = numTrials;
  run(kNumStarts, [&](unsigned i) {
    unsigned number = i - firstTrial;
    return anneal(starts[number], SearchKnobs::kFirstTemperatures[number],
                  effort.getPart(SearchKnobs::kAnnealPart / kNumStarts), i);
  });
  constexpr unsigned kNumAgain = std::size(SearchKnobs::kAgainTemperatures);
  OrderPairs best = found.front().pairs;
  firstTrial = numTrials;
  run(kNumAgain, [&](unsigned i) {
    return anneal(best, SearchKnobs::kAgainTemperatures[i - firstTrial],
                  effort.getPart(SearchKnobs::kAgainPart / kNumAgain), i);
  });
  return found.front().pairs;
}

/// What is left of a problem when each tensor that makes another one no larger
/// has been contracted with it: vectors, gates of one qubit, factors of
/// variables that a larger factor has all of.
namespace {
struct Absorption {
  explicit Absorption(const OrderProblem &problem);

  /// The order of all leaves, by one of what is left.
  OrderPairs extend(const OrderPairs &rest) const;

  OrderPairs pairs;
  OrderProblem left;
  std::vector<unsigned> ids; // of the leaves of `left`
  unsigned numLeaves;
};
} // namespace

Absorption::Absorption(const OrderProblem &problem)
    : numLeaves(problem.leaves.size()) {
  std::vector<Legs> tensors = problem.leaves;
  std::vector<double> sizes;
  std::vector<SmallVector<unsigned, 4>> holders(problem.sizes.size());
  for (unsigned id = 0; id != numLeaves; ++id) {
    sizes.push_back(problem.getSize(tensors[id]));
    for (Leg leg : tensors[id])
      holders[leg.label].push_back(id);
  }
  std::vector<char> isThere(tensors.size(), true);
  for (unsigned id = 0; id != tensors.size(); ++id) {
    if (!isThere[id])
      continue;
    double bestFlops = 0;
    unsigned best = id;
    for (Leg leg : tensors[id]) {
      llvm::erase_if(holders[leg.label],
                     [&](unsigned other) { return !isThere[other]; });
      for (unsigned other : ArrayRef(holders[leg.label])
                                .take_front(SearchKnobs::kMostAbsorbing)) {
        if (other == id)
          continue;
        OrderProblem::Step step = problem.contract(tensors[id], tensors[other]);
        if (step.size <= std::max(sizes[id], sizes[other]) &&
            (best == id || step.flops < bestFlops)) {
          best = other;
          bestFlops = step.flops;
        }
      }
    }
    if (best == id)
      continue;
    pairs.push_back(std::minmax(id, best));
    Legs result;
    sizes.push_back(problem.contract(tensors[id], tensors[best], result).size);
    isThere[id] = isThere[best] = false;
    isThere.push_back(true);
    for (Leg leg : result)
      holders[leg.label].push_back(tensors.size());
    tensors.push_back(std::move(result));
  }
  left.sizes = problem.sizes;
  left.totals = problem.totals;
  for (unsigned id = 0; id != tensors.size(); ++id)
    if (isThere[id]) {
      ids.push_back(id);
      left.leaves.push_back(tensors[id]);
    }
}

OrderPairs Absorption::extend(const OrderPairs &rest) const {
  OrderPairs all = pairs;
  std::vector<unsigned> numbers = ids;
  for (auto [lhs, rhs] : rest) {
    all.push_back(std::minmax(numbers[lhs], numbers[rhs]));
    numbers.push_back(numLeaves + all.size() - 1);
  }
  return all;
}

uint64_t getDefaultEffort(const OrderProblem &problem) {
  size_t numLeaves = problem.leaves.size();
  uint64_t trees = std::clamp(
      SearchKnobs::kTreesOfOneLeaf / std::max<uint64_t>(numLeaves, 1),
      SearchKnobs::kFewestTrees, SearchKnobs::kMostTrees);
  // Of few steps a search takes little anyway.
  if (numLeaves <= SearchKnobs::kFewSteps)
    return trees;
  OrderRandom random(0);
  OrderPairs greedy;
  GreedySearch(problem).run({}, random, greedy);
  double most = SearchKnobs::kTreesPerOperation *
                problem.getCost(greedy).flops / greedy.size();
  if (most >= trees)
    return trees;
  return std::max<uint64_t>(most, SearchKnobs::kFewestTrees);
}

OrderPairs searchTrees(const OrderProblem &problem, uint64_t trees,
                       uint64_t seed, unsigned numThreads) {
  size_t numSteps = problem.leaves.size() - 1;
  if (numSteps < 2)
    return OrderPairs(numSteps, {0, 1});
  trees = std::max<uint64_t>(trees, 1);
  // Few trees are better spent on what is there, and small problems are solved
  // as they are.
  if (trees < SearchKnobs::kFewTrees || numSteps < SearchKnobs::kFewSteps)
    return TreeSearch(problem, {trees, numSteps}, seed, numThreads).search();
  Absorption absorption(problem);
  Effort effort(trees, numSteps);
  OrderPairs rest(absorption.ids.size() - 1, {0, 1});
  if (rest.size() > 1)
    rest =
        TreeSearch(
            absorption.left,
            effort.getPart(SearchKnobs::kAbsorbedPart).withSteps(rest.size()),
            seed, numThreads)
            .search();
  // What was absorbed finds its best place. Numpy's order is among the others.
  BestOrder best = TreeSearch(problem, effort, seed, numThreads)
                       .polish(absorption.extend(rest));
  OrderRandom random(seed);
  OrderPairs greedy;
  GreedySearch(problem).run({}, random, greedy);
  best.offer(problem.getCost(greedy), greedy);
  return best.pairs;
}

} // namespace ein
