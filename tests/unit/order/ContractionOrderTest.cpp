//===- ContractionOrderTest.cpp - Orders against brute force --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The oracle counts with sets of characters and tries every sequence of pairs;
// it shares no code with what it judges.
//
//===----------------------------------------------------------------------===//

#include "order/ContractionOrder.h"
#include "order/OrderProblem.h"
#include "gtest/gtest.h"
#include <limits>
#include <map>
#include <random>
#include <set>
#include <string>

using namespace ein;

namespace {

using Labels = std::set<char>;

struct Einsum {
  std::vector<std::string> operands;
  std::string output;
  std::map<char, double> sizes;
};

ContractionNetwork makeNetwork(const Einsum &einsum) {
  ContractionNetwork network;
  std::map<char, unsigned> numbers;
  for (auto [label, size] : einsum.sizes) {
    numbers[label] = network.labelSizes.size();
    network.labelSizes.push_back(size);
  }
  auto makeBits = [&](const std::string &text) {
    llvm::SmallBitVector bits(numbers.size());
    for (char label : text)
      bits.set(numbers.at(label));
    return bits;
  };
  for (const std::string &operand : einsum.operands)
    network.operands.push_back(makeBits(operand));
  network.output = makeBits(einsum.output);
  return network;
}

/// The state of an evaluation: what is there, and what it has cost.
struct Oracle {
  explicit Oracle(const Einsum &einsum)
      : einsum(einsum), output(einsum.output.begin(), einsum.output.end()) {
    for (const std::string &operand : einsum.operands)
      start.emplace_back(operand.begin(), operand.end());
    std::vector<Labels> full = start;
    for (size_t i = 0; i < full.size(); ++i)
      for (char label : full[i])
        if (!isNeeded(label, full, i, i))
          start[i].erase(label);
  }

  bool isNeeded(char label, const std::vector<Labels> &tensors, size_t except,
                size_t alsoExcept) const {
    if (output.count(label))
      return true;
    for (size_t i = 0; i < tensors.size(); ++i)
      if (i != except && i != alsoExcept && tensors[i].count(label))
        return true;
    return false;
  }

  double getSize(const Labels &labels) const {
    double size = 1;
    for (char label : labels)
      size *= einsum.sizes.at(label);
    return size;
  }

  /// Contracts i < j; the result goes to the end. Returns the cost: a
  /// multiplication for each point, and an addition if anything is summed.
  double contract(std::vector<Labels> &tensors, size_t i, size_t j) const {
    Labels both = tensors[i];
    both.insert(tensors[j].begin(), tensors[j].end());
    Labels result;
    for (char label : both)
      if (isNeeded(label, tensors, i, j))
        result.insert(label);
    tensors.erase(tensors.begin() + j);
    tensors.erase(tensors.begin() + i);
    tensors.push_back(result);
    return result == both ? getSize(both) : 2 * getSize(both);
  }

  /// The cheapest of all orders: flops, then the elements that are read and
  /// written.
  std::pair<double, double> findBest(const std::vector<Labels> &tensors) const {
    if (tensors.size() < 2)
      return {0, 0};
    std::pair<double, double> best{std::numeric_limits<double>::infinity(), 0};
    for (size_t j = 1; j < tensors.size(); ++j)
      for (size_t i = 0; i < j; ++i) {
        std::vector<Labels> next = tensors;
        double cost = contract(next, i, j);
        auto rest = findBest(next);
        rest.first += cost;
        rest.second +=
            getSize(tensors[i]) + getSize(tensors[j]) + getSize(next.back());
        best = std::min(best, rest);
      }
    return best;
  }

  const Einsum &einsum;
  Labels output;
  std::vector<Labels> start;
};

/// Replays a path with the oracle's rules: each tensor is used once, and flops
/// and the largest intermediate are what the path says.
void checkPath(const Einsum &einsum, const ContractionPath &path) {
  Oracle oracle(einsum);
  std::vector<Labels> tensors = oracle.start;
  std::vector<unsigned> ids;
  for (unsigned id = 0; id < tensors.size(); ++id)
    ids.push_back(id);
  ASSERT_EQ(path.steps.size() + 1, std::max<size_t>(tensors.size(), 1));

  double flops = 0, elements = 0, largest = 0;
  unsigned next = tensors.size();
  for (const ContractionStep &step : path.steps) {
    ASSERT_LT(step.lhs, step.rhs);
    auto lhs = std::find(ids.begin(), ids.end(), step.lhs);
    auto rhs = std::find(ids.begin(), ids.end(), step.rhs);
    ASSERT_NE(lhs, ids.end());
    ASSERT_NE(rhs, ids.end());
    size_t i = lhs - ids.begin(), j = rhs - ids.begin();
    ASSERT_LT(i, j);
    elements += oracle.getSize(tensors[i]) + oracle.getSize(tensors[j]);
    flops += oracle.contract(tensors, i, j);
    elements += oracle.getSize(tensors.back());
    ids.erase(ids.begin() + j);
    ids.erase(ids.begin() + i);
    ids.push_back(next++);
    if (ids.size() > 1)
      largest = std::max(largest, oracle.getSize(tensors.back()));
    Labels result;
    unsigned number = 0;
    for (auto [label, size] : einsum.sizes)
      if (step.result.test(number++))
        result.insert(label);
    EXPECT_EQ(result, tensors.back());
  }
  EXPECT_DOUBLE_EQ(path.flops, flops);
  EXPECT_DOUBLE_EQ(path.elements, elements);
  EXPECT_EQ(path.largestIntermediate, largest);
}

/// The pairs of a path, as opt_einsum would print its SSA form.
std::string print(const ContractionPath &path) {
  std::string text;
  for (const ContractionStep &step : path.steps)
    text += (text.empty() ? "(" : " (") + std::to_string(step.lhs) + "," +
            std::to_string(step.rhs) + ")";
  return text;
}

ContractionPath find(const Einsum &einsum,
                     PathStrategy strategy = PathStrategy::Auto) {
  ContractionOrderOptions options;
  options.strategy = strategy;
  ContractionPath path = findContractionOrder(makeNetwork(einsum), options);
  checkPath(einsum, path);
  return path;
}

TEST(ContractionOrder, MatrixChain) {
  Einsum chain{
      {"ab", "bc", "cd"}, "ad", {{'a', 10}, {'b', 100}, {'c', 5}, {'d', 50}}};
  ContractionPath path = find(chain);
  EXPECT_EQ(print(path), "(0,1) (2,3)");
  EXPECT_EQ(path.flops, 2 * (10 * 100 * 5 + 10 * 5 * 50));
  EXPECT_EQ(path.additions, path.flops / 2);
  EXPECT_EQ(path.elements, 1000 + 500 + 50 + 250 + 50 + 500);
  EXPECT_EQ(path.quality, PathQuality::Optimal);
  EXPECT_EQ(path.largestIntermediate, 10 * 5);

  chain.sizes = {{'a', 50}, {'b', 5}, {'c', 100}, {'d', 10}};
  path = find(chain);
  EXPECT_EQ(print(path), "(1,2) (0,3)");
  EXPECT_EQ(path.flops, 2 * (5 * 100 * 10 + 50 * 5 * 10));
}

TEST(ContractionOrder, TiesGoToTheWrittenOrder) {
  Einsum chain{{"i", "i", "i", "i"}, "i", {{'i', 7}}};
  EXPECT_EQ(print(find(chain)), "(0,1) (2,4) (3,5)");
  EXPECT_EQ(print(find(chain, PathStrategy::Greedy)), "(0,1) (2,3) (4,5)");
}

TEST(ContractionOrder, FewOperands) {
  Einsum none{{}, "", {}};
  EXPECT_TRUE(find(none).steps.empty());
  Einsum one{{"ij"}, "i", {{'i', 3}, {'j', 4}}};
  EXPECT_TRUE(find(one).steps.empty());
  EXPECT_EQ(find(one).flops, 0);
  Einsum two{{"ik", "kj"}, "ij", {{'i', 3}, {'j', 4}, {'k', 5}}};
  EXPECT_EQ(print(find(two)), "(0,1)");
  EXPECT_EQ(find(two).flops, 2 * 60);
  EXPECT_EQ(find(two).largestIntermediate, 0);
}

TEST(ContractionOrder, NoLabelsAtAll) {
  Einsum scalars{{"", "", ""}, "", {}};
  EXPECT_EQ(find(scalars).flops, 2);
  EXPECT_EQ(find(scalars, PathStrategy::Greedy).flops, 2);
}

TEST(ContractionOrder, SizesZeroAndOne) {
  Einsum einsum{
      {"ab", "bc", "cd", "da"}, "", {{'a', 0}, {'b', 4}, {'c', 1}, {'d', 9}}};
  for (auto strategy :
       {PathStrategy::Auto, PathStrategy::Greedy, PathStrategy::Left})
    find(einsum, strategy);
  EXPECT_EQ(find(einsum).flops,
            Oracle(einsum).findBest(Oracle(einsum).start).first);
}

TEST(ContractionOrder, SizesBeyondDoublesRange) {
  Einsum einsum{{"ab", "bc", "cd", "de"}, "ae", {}};
  for (char label : {'a', 'b', 'c', 'd', 'e'})
    einsum.sizes[label] = 1e150;
  ContractionNetwork network = makeNetwork(einsum);
  for (auto strategy : {PathStrategy::Auto, PathStrategy::Greedy}) {
    ContractionPath path = findContractionOrder(network, {strategy});
    EXPECT_EQ(path.steps.size(), 3u);
    EXPECT_TRUE(std::isfinite(path.flops));
  }
}

TEST(ContractionOrder, LonelyLabelsAreSummedFirst) {
  Einsum einsum{
      {"ix", "ij", "jy"}, "", {{'i', 10}, {'j', 20}, {'x', 1000}, {'y', 1000}}};
  EXPECT_EQ(find(einsum).flops, 2 * (10 * 20 + 10));
}

TEST(ContractionOrder, HyperedgeAndBatch) {
  // MTTKRP with a batch label; `r` is in three operands and in the output.
  Einsum einsum{{"bijk", "bjr", "bkr"},
                "bir",
                {{'b', 2}, {'i', 30}, {'j', 40}, {'k', 50}, {'r', 8}}};
  ContractionPath path = find(einsum);
  // The Khatri-Rao product sums nothing, and is smaller than what the others
  // begin with.
  EXPECT_EQ(path.flops, 2 * 40 * 50 * 8 + 2 * (2 * 30 * 40 * 50 * 8));
  EXPECT_EQ(print(path), "(1,2) (0,3)");
}

TEST(ContractionOrder, OuterProductWhenItIsCheaper) {
  // Two vectors first, then one pass over the large matrix.
  Einsum einsum{{"a", "b", "abc"}, "c", {{'a', 2}, {'b', 2}, {'c', 1000}}};
  EXPECT_EQ(print(find(einsum)), "(0,1) (2,3)");
  EXPECT_EQ(find(einsum).flops, 4 + 2 * 4000);
}

TEST(ContractionOrder, PartsThatShareNothing) {
  Einsum einsum{{"ab", "cd", "ab", "cd", "e"},
                "e",
                {{'a', 5}, {'b', 6}, {'c', 7}, {'d', 8}, {'e', 9}}};
  // What is left of the first two pairs are numbers.
  EXPECT_EQ(find(einsum).flops, 2 * 30 + 2 * 56 + 1 + 9);
  EXPECT_EQ(find(einsum, PathStrategy::Greedy).flops, 2 * 30 + 2 * 56 + 1 + 9);
}

TEST(ContractionOrder, AsWritten) {
  Einsum chain{{"ab", "bc", "cd", "de"},
               "ae",
               {{'a', 9}, {'b', 2}, {'c', 3}, {'d', 4}, {'e', 5}}};
  EXPECT_EQ(print(find(chain, PathStrategy::Left)), "(0,1) (2,4) (3,5)");
}

TEST(ContractionOrder, AGivenOrder) {
  Einsum chain{
      {"ab", "bc", "cd"}, "ad", {{'a', 2}, {'b', 3}, {'c', 4}, {'d', 5}}};
  ContractionPath path =
      applyContractionOrder(makeNetwork(chain), {{2, 1}, {0, 3}});
  checkPath(chain, path);
  EXPECT_EQ(path.flops, 2 * (3 * 4 * 5 + 2 * 3 * 5));
}

/// A seeded network with every kind of label: kept, summed, shared by many,
/// lonely; sizes 0 and 1 among them.
Einsum makeRandom(std::mt19937 &random, unsigned numOperands,
                  unsigned numLabels) {
  auto below = [&](unsigned limit) { return random() % limit; };
  static const double sizes[] = {0, 1, 2, 3, 5, 8, 13, 21};
  Einsum einsum;
  for (unsigned i = 0; i < numLabels; ++i) {
    bool mayBeZero = below(20) == 0;
    einsum.sizes['a' + i] = sizes[mayBeZero ? 0 : 1 + below(7)];
  }
  for (unsigned i = 0; i < numOperands; ++i) {
    std::string operand;
    unsigned density = 2 + below(3);
    for (auto [label, size] : einsum.sizes)
      if (below(density) == 0)
        operand += label;
    // Now and then the operand before it once more.
    einsum.operands.push_back(i > 0 && below(8) == 0 ? einsum.operands.back()
                                                     : operand);
  }
  for (auto [label, size] : einsum.sizes)
    if (below(4) == 0)
      einsum.output += label;
  return einsum;
}

class RandomNetwork : public testing::TestWithParam<unsigned> {};

TEST_P(RandomNetwork, ExactIsBestAndGreedyIsValid) {
  std::mt19937 random(GetParam());
  unsigned numOperands = 2 + GetParam() % 6; // up to 7
  Einsum einsum = makeRandom(random, numOperands, 3 + random() % 7);
  SCOPED_TRACE(testing::PrintToString(einsum.operands) + " -> " +
               einsum.output);

  Oracle oracle(einsum);
  auto [flops, elements] = oracle.findBest(oracle.start);
  ContractionPath exact = find(einsum);
  EXPECT_EQ(exact.flops, flops);
  EXPECT_EQ(exact.elements, elements);
  EXPECT_EQ(exact.quality, PathQuality::Optimal);

  EXPECT_GE(find(einsum, PathStrategy::Greedy).flops, flops);
  EXPECT_GE(find(einsum, PathStrategy::Left).flops, flops);
}

INSTANTIATE_TEST_SUITE_P(ContractionOrder, RandomNetwork,
                         testing::Range(0u, 200u));

//===----------------------------------------------------------------------===//
// The searches for larger networks, against the one that brute force checks
//===----------------------------------------------------------------------===//

/// An einsum of which every label is in two operands at least, or kept.
OrderProblem makeProblem(const Einsum &einsum) {
  Oracle oracle(einsum);
  OrderProblem problem;
  std::map<char, unsigned> numbers;
  for (auto [label, size] : einsum.sizes) {
    numbers[label] = problem.sizes.size();
    problem.sizes.push_back(size);
    problem.totals.push_back(oracle.output.count(label));
  }
  for (const Labels &labels : oracle.start) {
    Legs &leaf = problem.leaves.emplace_back();
    for (char label : labels) {
      leaf.push_back({numbers[label], 1});
      ++problem.totals[numbers[label]];
    }
  }
  return problem;
}

/// A ring with chords, one of which ends at three tensors, and an output.
Einsum makeRing(std::mt19937 &random, unsigned count) {
  Einsum einsum;
  einsum.operands.resize(count);
  char name = 'A';
  auto add = [&](std::initializer_list<unsigned> holders) {
    einsum.sizes[name] = 2 + random() % 5;
    for (unsigned holder : holders)
      if (einsum.operands[holder].find(name) == std::string::npos)
        einsum.operands[holder] += name;
    ++name;
  };
  for (unsigned i = 0; i < count; ++i)
    add({i, (i + 1) % count});
  for (unsigned i = 0; i < count / 2; ++i)
    add({unsigned(random() % count), unsigned(random() % count)});
  add({0, 2, count - 1});
  einsum.output += 'A' + random() % count;
  add({1});
  einsum.output += name - 1;
  return einsum;
}

OrderCost searchSubsets(const OrderProblem &problem, OrderPairs &pairs) {
  SubsetSearch search;
  std::vector<const Legs *> leaves;
  for (const Legs &leaf : problem.leaves)
    leaves.push_back(&leaf);
  OrderCost cost = search.solve(problem, leaves);
  pairs = search.getPairs();
  return cost;
}

class LargerNetwork : public testing::TestWithParam<unsigned> {};

TEST_P(LargerNetwork, ConnectedSubsetsAreEnough) {
  std::mt19937 random(GetParam());
  unsigned count = 8 + GetParam() % 4;
  Einsum einsum = GetParam() % 3 == 0 ? makeRandom(random, count, 9)
                                      : makeRing(random, count);
  OrderProblem problem = makeProblem(einsum);
  OrderPairs best, pairs;
  OrderCost cost = searchSubsets(problem, best);
  EXPECT_DOUBLE_EQ(problem.getCost(best).flops, cost.flops);
  EXPECT_DOUBLE_EQ(problem.getCost(best).elements, cost.elements);

  OrderRandom chance(1);
  double flops = GreedySearch(problem).run({}, chance, pairs);
  EXPECT_DOUBLE_EQ(problem.getCost(pairs).flops, flops);
  EXPECT_EQ(searchConnected(problem, 1 << 26, pairs), ConnectedResult::Best);
  EXPECT_DOUBLE_EQ(problem.getCost(pairs).flops, cost.flops);
  EXPECT_DOUBLE_EQ(problem.getCost(pairs).elements, cost.elements);

  // One that cannot look at everything leaves what it was given.
  OrderPairs given = searchTrees(problem, 1, 1);
  double before = problem.getCost(given).flops;
  EXPECT_LE(before, flops);
  EXPECT_EQ(searchConnected(problem, 3, given), ConnectedResult::GaveUp);
  EXPECT_EQ(problem.getCost(given).flops, before);
  // Networks of this size are no challenge to annealing.
  OrderPairs annealed = searchTrees(problem, 2000, 1);
  EXPECT_DOUBLE_EQ(problem.getCost(annealed).flops, cost.flops);

  // Another sequence of the same steps, which needs no more memory.
  OrderPairs scheduled = annealed;
  scheduleSteps(problem, scheduled);
  EXPECT_DOUBLE_EQ(problem.getCost(scheduled).flops, cost.flops);
  EXPECT_EQ(scheduled.size(), annealed.size());
}

INSTANTIATE_TEST_SUITE_P(ContractionOrder, LargerNetwork,
                         testing::Range(0u, 24u));

TEST(ContractionOrder, MoreEffortIsNeverWorse) {
  std::mt19937 random(5);
  Einsum einsum = makeRing(random, 22);
  OrderProblem problem = makeProblem(einsum);
  double last = std::numeric_limits<double>::infinity();
  for (uint64_t effort : {1, 100, 3000}) {
    OrderPairs pairs = searchTrees(problem, effort, 1);
    EXPECT_EQ(pairs, searchTrees(problem, effort, 1));
    double flops = problem.getCost(pairs).flops;
    EXPECT_LE(flops, last);
    last = flops;
  }
  // One tree is numpy's.
  OrderPairs greedy;
  OrderRandom chance(1);
  EXPECT_EQ(problem.getCost(searchTrees(problem, 1, 1)).flops,
            GreedySearch(problem).run({}, chance, greedy));
  ContractionPath path = find(einsum);
  EXPECT_EQ(path.quality, PathQuality::Searched);
  EXPECT_LE(path.flops, last);
}

TEST(ContractionOrder, WhatLabelsAreCalledDoesNotMatter) {
  std::mt19937 random(9);
  Einsum einsum = makeRing(random, 24), renamed;
  auto rename = [](char label) { return char('A' + 'z' - label); };
  for (auto [label, size] : einsum.sizes)
    renamed.sizes[rename(label)] = size;
  for (const std::string &operand : einsum.operands) {
    renamed.operands.emplace_back();
    for (char label : operand)
      renamed.operands.back() += rename(label);
  }
  for (char label : einsum.output)
    renamed.output += rename(label);
  ContractionOrderOptions options;
  options.effort = 20;
  EXPECT_EQ(print(findContractionOrder(makeNetwork(einsum), options)),
            print(findContractionOrder(makeNetwork(renamed), options)));
}

TEST(ContractionOrder, MemoryDecidesWhichSubtreeIsFirst) {
  // (a b) leaves much, (c d) needs much for a while: (c d) comes first.
  Einsum einsum{{"ax", "ay", "cp", "pqrc", "qrs"},
                "xys",
                {{'a', 2},
                 {'x', 2},
                 {'y', 2},
                 {'c', 8},
                 {'p', 8},
                 {'q', 8},
                 {'r', 8},
                 {'s', 1}}};
  OrderProblem problem = makeProblem(einsum);
  OrderPairs pairs = {{0, 1}, {2, 3}, {4, 6}, {5, 7}};
  scheduleSteps(problem, pairs);
  EXPECT_EQ(pairs, (OrderPairs{{2, 3}, {4, 5}, {0, 1}, {6, 7}}));
}

TEST(ContractionOrder, TheSameNetworkGivesTheSamePath) {
  std::mt19937 random(1);
  for (unsigned numOperands : {8u, 12u, 20u}) {
    Einsum einsum = makeRandom(random, numOperands, 14);
    EXPECT_EQ(print(find(einsum)), print(find(einsum)));
  }
}

TEST(ContractionOrder, LargePartsAreExactWhenTheNetworkIsNot) {
  // Two chains of eleven: the network is past the limit, its parts are not.
  Einsum einsum{{}, "alAL", {}};
  Einsum left{{}, "al", {}}, right{{}, "AL", {}};
  std::mt19937 random(3);
  for (char label = 'a'; label <= 'l'; ++label)
    left.sizes[label] = 2 + random() % 30;
  for (char label = 'A'; label <= 'L'; ++label)
    right.sizes[label] = 2 + random() % 30;
  for (char label = 'a'; label < 'l'; ++label)
    left.operands.push_back({label, char(label + 1)});
  for (char label = 'A'; label < 'L'; ++label)
    right.operands.push_back({label, char(label + 1)});
  einsum.sizes = left.sizes;
  einsum.sizes.insert(right.sizes.begin(), right.sizes.end());
  einsum.operands = left.operands;
  einsum.operands.insert(einsum.operands.end(), right.operands.begin(),
                         right.operands.end());
  double product = einsum.sizes['a'] * einsum.sizes['l'] * einsum.sizes['A'] *
                   einsum.sizes['L'];
  ContractionPath path = find(einsum);
  EXPECT_EQ(path.flops, find(left).flops + find(right).flops + product);
  EXPECT_EQ(path.quality, PathQuality::OptimalWithoutOuter);
}

TEST(ContractionOrder, ObeysGroups) {
  Einsum einsum{{"ij", "jk", "kl", "lm"}, "im", {}};
  einsum.sizes = {{'i', 2}, {'j', 100}, {'k', 100}, {'l', 100}, {'m', 3}};
  ContractionNetwork network = makeNetwork(einsum);
  auto getPairs = [&] {
    std::vector<std::pair<unsigned, unsigned>> pairs;
    for (const ContractionStep &step : findContractionOrder(network).steps)
      pairs.push_back({step.lhs, step.rhs});
    return pairs;
  };
  using Pairs = std::vector<std::pair<unsigned, unsigned>>;
  EXPECT_EQ(getPairs(), (Pairs{{0, 1}, {2, 4}, {3, 5}}));
  network.groups = {{1, 2}};
  EXPECT_EQ(getPairs().front(), std::make_pair(1u, 2u));
  network.groups = {{1, 2}, {4, 3}, {0, 5}};
  EXPECT_EQ(getPairs(), (Pairs{{1, 2}, {3, 4}, {0, 5}}));
  // Both are as good as an order of pairs that is given.
  ContractionPath grouped = findContractionOrder(network);
  ContractionPath given =
      applyContractionOrder(network, {{1, 2}, {3, 4}, {0, 5}});
  EXPECT_EQ(grouped.flops, given.flops);
  EXPECT_EQ(grouped.largestIntermediate, given.largestIntermediate);
  // Inside a group of three, and round it, the order is free.
  network.groups = {{1, 2, 3}};
  EXPECT_EQ(getPairs(), (Pairs{{2, 3}, {1, 4}, {0, 5}}));
  // What only another group needs is kept.
  Einsum outer{{"a", "b", "ab"}, "", {{'a', 5}, {'b', 7}}};
  network = makeNetwork(outer);
  network.groups = {{0, 1}};
  ContractionPath path = findContractionOrder(network);
  EXPECT_EQ(path.largestIntermediate, 35);
  EXPECT_EQ(path.flops, 35 + 2 * 35);
  EXPECT_EQ(path.quality, PathQuality::Given);
}

TEST(ContractionOrder, OrdersForOpenSizes) {
  Einsum einsum{{"ij", "jk", "kl"}, "il", {}};
  einsum.sizes = {{'i', 9}, {'j', 9}, {'k', 9}, {'l', 9}};
  ContractionNetwork network = makeNetwork(einsum);
  llvm::SmallBitVector open(4, true);
  llvm::SmallVector<ContractionPath> orders =
      findContractionOrders(network, open);
  // From the left and from the right; the outer product never pays.
  ASSERT_EQ(orders.size(), 2u);
  auto getFirst = [](const ContractionPath &path) {
    return std::pair(path.steps[0].lhs, path.steps[0].rhs);
  };
  EXPECT_EQ(getFirst(orders[0]), std::pair(0u, 1u));
  EXPECT_EQ(getFirst(orders[1]), std::pair(1u, 2u));
  // Their costs are for the network's sizes.
  EXPECT_EQ(orders[0].flops, 2 * 2 * 9 * 9 * 9);
  EXPECT_EQ(orders[1].flops, orders[0].flops);
  // For sizes of which all but one are known, one order may be the best
  // whatever it is: here a vector comes first.
  einsum.sizes = {{'i', 1}, {'j', 100}, {'k', 100}, {'l', 100}};
  network = makeNetwork(einsum);
  open.reset();
  open.set(3);
  EXPECT_EQ(findContractionOrders(network, open).size(), 1u);
  // With all known there is one, and with groups too.
  EXPECT_EQ(findContractionOrders(network, llvm::SmallBitVector(4)).size(), 1u);
  open.set();
  network.groups = {{0, 1}};
  EXPECT_EQ(findContractionOrders(network, open).size(), 1u);
  // No more than five, of however many dims, and always the same ones.
  Einsum longer{{"ab", "bc", "cd", "de", "ef", "fg"}, "ag", {}};
  for (char label : {'a', 'b', 'c', 'd', 'e', 'f', 'g'})
    longer.sizes[label] = 256;
  network = makeNetwork(longer);
  open = llvm::SmallBitVector(7, true);
  orders = findContractionOrders(network, open);
  EXPECT_EQ(orders.size(), 5u);
  llvm::SmallVector<ContractionPath> again =
      findContractionOrders(network, open);
  for (auto [a, b] : llvm::zip_equal(orders, again))
    EXPECT_EQ(getFirst(a), getFirst(b));
}

TEST(ContractionOrder, HundredsOfOperands) {
  // A ring of matrices, and a star around one label.
  constexpr unsigned count = 400;
  ContractionNetwork ring, star;
  ring.output.resize(count);
  star.output.resize(1);
  star.labelSizes = {4};
  for (unsigned i = 0; i < count; ++i) {
    ring.labelSizes.push_back(2 + i % 3);
    llvm::SmallBitVector labels(count);
    labels.set(i);
    labels.set((i + 1) % count);
    ring.operands.push_back(labels);
    star.operands.push_back(llvm::SmallBitVector(1, true));
  }
  ContractionPath path = findContractionOrder(ring);
  EXPECT_EQ(path.steps.size(), count - 1);
  // No intermediate of a ring needs more than two labels.
  EXPECT_LE(path.largestIntermediate, 16);
  // The last step sums.
  EXPECT_EQ(findContractionOrder(star).flops, 4.0 * count);
}

} // namespace
