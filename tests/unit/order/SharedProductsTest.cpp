//===- SharedProductsTest.cpp - Orders of several einsums -----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The oracle tries all orders of all einsums together and counts each sum of
// the same tensors with the same indices left once. It names sums by text, and
// shares no code with what it judges.
//
//===----------------------------------------------------------------------===//

#include "order/SharedProducts.h"
#include "order/OrderProblem.h"
#include "gtest/gtest.h"
#include <functional>
#include <map>
#include <set>
#include <string>

using namespace ein;

namespace {

/// Tensors by letter: their indices, which are theirs in any einsum.
using Tensors = std::map<char, std::string>;
using Sizes = std::map<char, double>;

struct Einsum {
  std::string tensors; // `ABC`
  std::string output;  // indices
};

EinsumOfSeveral makeOne(const Einsum &einsum, const Tensors &tensors,
                        const Sizes &sizes) {
  EinsumOfSeveral made;
  // Labels by letter, but from another one in each einsum.
  std::map<char, unsigned> numbers;
  unsigned turn = einsum.tensors.size();
  for (unsigned i = 0; i != sizes.size(); ++i)
    numbers[std::next(sizes.begin(), (i + turn) % sizes.size())->first] = i;
  made.network.labelSizes.resize(sizes.size());
  for (auto [label, number] : numbers)
    made.network.labelSizes[number] = sizes.at(label);
  auto makeBits = [&](const std::string &labels) {
    llvm::SmallBitVector bits(sizes.size());
    for (char label : labels)
      bits.set(numbers.at(label));
    return bits;
  };
  for (char tensor : einsum.tensors) {
    made.network.operands.push_back(makeBits(tensors.at(tensor)));
    EinsumOfSeveral::Operand operand;
    operand.tensor = tensor - 'A';
    for (char label : tensors.at(tensor))
      operand.labels.push_back(numbers.at(label));
    made.operands.push_back(operand);
  }
  made.network.output = makeBits(einsum.output);
  return made;
}

std::vector<EinsumOfSeveral> makeAll(const std::vector<Einsum> &einsums,
                                     const Tensors &tensors,
                                     const Sizes &sizes) {
  std::vector<EinsumOfSeveral> made;
  for (const Einsum &einsum : einsums)
    made.push_back(makeOne(einsum, tensors, sizes));
  return made;
}

/// What all take in the orders that are found for each.
double count(llvm::ArrayRef<EinsumOfSeveral> einsums) {
  std::vector<ContractionPath> paths;
  for (const EinsumOfSeveral &einsum : einsums)
    paths.push_back(findContractionOrder(einsum.network));
  countSharedFlops(einsums, paths);
  double total = 0;
  for (const ContractionPath &path : paths)
    total += path.flops;
  return total;
}

double solve(std::vector<EinsumOfSeveral> einsums) {
  findSharedProducts(einsums);
  return count(einsums);
}

/// All orders of all einsums.
class Oracle {
public:
  Oracle(const std::vector<Einsum> &einsums, const Tensors &tensors,
         const Sizes &sizes)
      : einsums(einsums), tensors(tensors), sizes(sizes) {}

  double solve() {
    begin(0);
    return best;
  }

private:
  void begin(size_t number) {
    if (number == einsums.size()) {
      best = std::min(best, total);
      return;
    }
    std::vector<std::string> left;
    for (char tensor : einsums[number].tensors)
      left.push_back(std::string(1, tensor));
    proceed(number, left);
  }

  /// The indices of a product that something else has.
  std::string getIndices(size_t number, const std::string &product) {
    std::set<char> own,
        others(einsums[number].output.begin(), einsums[number].output.end());
    std::string rest = einsums[number].tensors;
    for (char tensor : product) {
      own.insert(tensors.at(tensor).begin(), tensors.at(tensor).end());
      rest.erase(rest.find(tensor), 1);
    }
    for (char tensor : rest)
      others.insert(tensors.at(tensor).begin(), tensors.at(tensor).end());
    std::string text;
    for (char label : own)
      if (others.count(label))
        text += label;
    return text;
  }

  void proceed(size_t number, const std::vector<std::string> &left) {
    if (left.size() == 1) {
      begin(number + 1);
      return;
    }
    for (size_t i = 0; i != left.size(); ++i)
      for (size_t j = i + 1; j != left.size(); ++j) {
        std::vector<std::string> next;
        for (size_t k = 0; k != left.size(); ++k)
          if (k != i && k != j)
            next.push_back(left[k]);
        std::string product = left[i] + left[j];
        std::sort(product.begin(), product.end());
        next.push_back(product);
        std::string indices = getIndices(number, product);
        std::string lhs = getIndices(number, left[i]),
                    rhs = getIndices(number, left[j]);
        std::set<char> all(lhs.begin(), lhs.end());
        all.insert(rhs.begin(), rhs.end());
        double points = 1;
        for (char label : all)
          points *= sizes.at(label);
        bool sums = all.size() != indices.size();
        // How a product was made does not matter: it is there.
        std::string name = product + ":" + indices;
        bool isThere = sums && made.count(name) != 0;
        double flops = isThere ? 0 : (sums ? 2 : 1) * points;
        total += flops;
        ++made[name];
        proceed(number, next);
        if (--made[name] == 0)
          made.erase(name);
        total -= flops;
      }
  }

  const std::vector<Einsum> &einsums;
  const Tensors &tensors;
  const Sizes &sizes;
  std::map<std::string, unsigned> made;
  double total = 0, best = 1e300;
};

TEST(SharedProducts, OneIsPartOfAnother) {
  Tensors tensors = {{'A', "ij"}, {'B', "jk"}, {'C', "kl"}};
  Sizes sizes = {{'i', 37}, {'j', 29}, {'k', 41}, {'l', 23}};
  for (const std::vector<Einsum> &einsums :
       {std::vector<Einsum>{{"ABC", "il"}, {"AB", "ik"}},
        std::vector<Einsum>{{"BA", "ik"}, {"CBA", "il"}}}) {
    std::vector<EinsumOfSeveral> made = makeAll(einsums, tensors, sizes);
    EXPECT_EQ(count(made), 192038);
    EXPECT_EQ(solve(made), 157768);
    // Nobody can choose an order.
    for (EinsumOfSeveral &einsum : made)
      einsum.isFree = false;
    EXPECT_EQ(solve(made), 192038);
  }
}

TEST(SharedProducts, SizesAreNotKnown) {
  Tensors tensors = {{'A', "ij"}, {'B', "jk"}, {'C', "kl"}, {'D', "km"}};
  Sizes sizes = {{'i', 37}, {'j', 29}, {'k', 41}, {'l', 23}, {'m', 23}};
  std::vector<EinsumOfSeveral> made =
      makeAll({{"ABC", "il"}, {"AB", "ik"}}, tensors, sizes);
  made[0].isDynamic = made[1].isDynamic = true;
  EXPECT_EQ(solve(made), 157768);
  // What is continued can be added to, and not read.
  made[1].isReadable = false;
  EXPECT_EQ(solve(made), 157768);
  std::swap(made[0], made[1]);
  EXPECT_EQ(solve(made), 192038);
  // No product is there for all sizes.
  sizes['l'] = sizes['m'] = 41;
  made = makeAll({{"ABC", "il"}, {"ABD", "im"}}, tensors, sizes);
  double apart = count(made);
  EXPECT_LT(solve(made), apart);
  made[0].isDynamic = true;
  EXPECT_EQ(solve(made), apart);
}

TEST(SharedProducts, WhatDiffersIsNotShared) {
  Tensors tensors = {{'A', "ij"}, {'B', "jk"}, {'C', "kl"}};
  Sizes sizes = {{'i', 37}, {'j', 29}, {'k', 41}, {'l', 23}};
  // In another type.
  std::vector<EinsumOfSeveral> made =
      makeAll({{"ABC", "il"}, {"AB", "ik"}}, tensors, sizes);
  made[1].type = 1;
  EXPECT_EQ(solve(made), 192038);
  // Of another tensor.
  made = makeAll({{"ABC", "il"}, {"AB", "ik"}}, tensors, sizes);
  made[1].operands[0].tensor = 9;
  EXPECT_EQ(solve(made), 192038);
  // With another index left.
  made = makeAll({{"ABC", "il"}, {"AB", "ijk"}}, tensors, sizes);
  EXPECT_EQ(solve(made), count(made));
  // Of the same tensors, but another index is summed.
  made = makeAll({{"ABC", "il"}, {"AB", "ik"}}, tensors, sizes);
  std::swap(made[1].operands[0].labels[0], made[1].operands[0].labels[1]);
  EXPECT_EQ(solve(made), 192038);
}

TEST(SharedProducts, OneHasAProductTwice) {
  // (A B)(A B): i and j have the same size, so that the tensors are the same.
  EinsumOfSeveral einsum;
  einsum.network.labelSizes = {10, 50, 10, 50, 10};
  for (unsigned i = 0; i != 4; ++i) {
    llvm::SmallBitVector labels(5);
    labels.set(i).set(i + 1);
    einsum.network.operands.push_back(labels);
    einsum.operands.push_back({i % 2, {i, i + 1}});
  }
  einsum.network.output.resize(5);
  einsum.network.output.set(0).set(4);
  std::vector<EinsumOfSeveral> made = {einsum};
  EXPECT_EQ(solve(made), 2 * 10 * 50 * 10 + 2 * 10 * 10 * 10);
}

/// Few of both chains and nets; whatever is found lies between the oracle's and
/// that of each alone.
TEST(SharedProducts, RandomOnesAgainstAllOrders) {
  OrderRandom random(7);
  unsigned numBest = 0, numShared = 0;
  constexpr unsigned kCount = 300;
  for (unsigned round = 0; round != kCount; ++round) {
    Sizes sizes;
    for (char label = 'a'; label != 'h'; ++label)
      sizes[label] = 2 + random.below(40);
    Tensors tensors;
    for (char tensor = 'A'; tensor != 'F'; ++tensor) {
      std::set<char> labels;
      unsigned rank = 1 + random.below(3);
      while (labels.size() != rank)
        labels.insert('a' + random.below(7));
      tensors[tensor] = std::string(labels.begin(), labels.end());
    }
    std::vector<Einsum> einsums;
    unsigned numEinsums = 2 + random.below(2);
    for (unsigned i = 0; i != numEinsums; ++i) {
      std::string names = "ABCDE";
      while (names.size() > 4 - (random.below(3)))
        names.erase(random.below(names.size()), 1);
      if (names.size() < 2)
        names = "AB";
      // An index is kept by chance, and summed only if two have it.
      std::map<char, unsigned> uses;
      for (char tensor : names)
        for (char label : tensors[tensor])
          ++uses[label];
      std::string output;
      for (auto [label, number] : uses)
        if (number < 2 || random.below(3) == 0)
          output += label;
      einsums.push_back({names, output});
    }
    std::vector<EinsumOfSeveral> made = makeAll(einsums, tensors, sizes);
    double apart = 0;
    for (const EinsumOfSeveral &einsum : made)
      apart += findContractionOrder(einsum.network).flops;
    double found = solve(made), best = Oracle(einsums, tensors, sizes).solve();
    EXPECT_LE(found, apart * (1 + 1e-9));
    EXPECT_GE(found, best * (1 - 1e-9));
    numBest += found <= best * (1 + 1e-9);
    numShared += found < apart * (1 - 1e-9);
  }
  RecordProperty("best", numBest);
  RecordProperty("shared", numShared);
  EXPECT_GE(numBest, kCount * 95 / 100);
  EXPECT_GE(numShared, kCount / 10);
}

TEST(SharedProducts, ManyTakeLittle) {
  // A chain and all of its gradients, which have nearly everything in common.
  Tensors tensors;
  Sizes sizes;
  std::string all;
  for (unsigned i = 0; i != 10; ++i) {
    sizes['a' + i] = 20 + 7 * i % 5;
    all += 'A' + i;
  }
  for (unsigned i = 0; i != 9; ++i)
    tensors['A' + i] = {char('a' + i), char('b' + i)};
  tensors['J'] = "aj";
  std::vector<Einsum> einsums = {{all.substr(0, 9), "aj"}};
  for (unsigned i = 0; i != 9; ++i) {
    std::string others = all;
    others.erase(i, 1);
    einsums.push_back({others, tensors['A' + i]});
  }
  std::vector<EinsumOfSeveral> made = makeAll(einsums, tensors, sizes);
  double alone = 0;
  for (const EinsumOfSeveral &einsum : made)
    alone += findContractionOrder(einsum.network).flops;
  EXPECT_LT(solve(made), 0.35 * alone);
}

} // namespace
