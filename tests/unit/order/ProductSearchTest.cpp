//===- ProductSearchTest.cpp - Orders with index arithmetic ---------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "order/ProductSearch.h"
#include <gtest/gtest.h>
#include <string>

namespace ein {
namespace {

/// A network of indices that are letters; a sum is a label of its own.
class Builder {
public:
  explicit Builder(std::string letters, std::initializer_list<double> sizes)
      : letters(std::move(letters)) {
    network.hasArithmetic = true;
    network.labelSizes = sizes;
  }
  /// `2*h + k` as {{'h', 2}, {'k', 1}}.
  unsigned addSum(std::initializer_list<std::pair<char, int64_t>> terms) {
    LabelSum sum;
    for (auto [letter, coefficient] : terms)
      sum.terms.push_back({find(letter), coefficient});
    return network.addSum(std::move(sum));
  }
  ContractionNetwork
  build(std::initializer_list<std::pair<std::string, std::vector<unsigned>>>
            operands,
        const std::string &output,
        std::initializer_list<std::string> conditions = {}) {
    for (const auto &[indices, sums] : operands) {
      network.operands.push_back(makeSet(indices));
      for (unsigned sum : sums)
        network.operands.back().set(sum);
    }
    for (const std::string &condition : conditions)
      network.conditions.push_back(makeSet(condition));
    network.output = makeSet(output);
    return network;
  }
  llvm::SmallBitVector makeSet(const std::string &indices) const {
    llvm::SmallBitVector set(network.labelSizes.size());
    for (char letter : indices)
      set.set(find(letter));
    return set;
  }

private:
  unsigned find(char letter) const { return letters.find(letter); }

  std::string letters;
  ContractionNetwork network;
};

TEST(ProductSearch, SumsHaveAsManyValuesAsTheyReach) {
  LabelSum sum{{{0, 2}, {1, 3}}};
  EXPECT_EQ(sum.getSize({5, 4}), 2 * 4 + 3 * 3 + 1);
  EXPECT_EQ(sum.getSize({1, 1}), 1);
  EXPECT_EQ(sum.getSize({0, 4}), 0);
}

TEST(ProductSearch, EqualSumsAreOneLabel) {
  Builder builder("hk", {4, 3});
  unsigned first = builder.addSum({{'h', 1}, {'k', 1}});
  EXPECT_EQ(builder.addSum({{'h', 1}, {'k', 1}}), first);
  EXPECT_NE(builder.addSum({{'h', 2}, {'k', 1}}), first);
}

// O(n, g, h) = I(n, c, h + k) * W(f, c, k) * V(f, g): the last two are one
// filter.
TEST(ProductSearch, FiltersAreMultipliedFirst) {
  Builder builder("nghckf", {8, 8, 100, 16, 3, 32});
  unsigned sum = builder.addSum({{'h', 1}, {'k', 1}});
  ContractionNetwork network =
      builder.build({{"nc", {sum}}, {"fck", {}}, {"fg", {}}}, "ngh");
  ContractionPath path = findProductOrder(network, {});
  ASSERT_EQ(path.steps.size(), 2u);
  EXPECT_EQ(path.steps[0].result, builder.makeSet("gck"));
  EXPECT_EQ(path.steps[1].loops, builder.makeSet("nghck"));
  EXPECT_EQ(path.flops, 2.0 * 8 * 16 * 3 * 32 + 2.0 * 8 * 8 * 100 * 16 * 3);
  EXPECT_EQ(path.quality, PathQuality::Optimal);
  EXPECT_LT(path.flops, countNestFlops(network));
}

// I(n, c, h + k) * P(c, d) * W(f, d, k): with few d the points are multiplied
// before there is a window, in loops over the sum.
TEST(ProductSearch, ASumStaysALabel) {
  Builder builder("nfhcdk", {8, 64, 100, 64, 2, 9});
  unsigned sum = builder.addSum({{'h', 1}, {'k', 1}});
  ContractionNetwork network =
      builder.build({{"nc", {sum}}, {"cd", {}}, {"fdk", {}}}, "nfh");
  ContractionPath path = findProductOrder(network, {});
  ASSERT_EQ(path.steps.size(), 2u);
  EXPECT_TRUE(path.steps[0].loops.test(sum));
  EXPECT_TRUE(path.steps[0].result.test(sum));
  EXPECT_FALSE(path.steps[1].loops.test(sum));
  EXPECT_EQ(path.flops, 2.0 * 8 * 108 * 64 * 2 + 2.0 * 8 * 64 * 100 * 2 * 9);
  EXPECT_EQ(path.largestIntermediate, 8.0 * 108 * 2);
}

// I(n, h + k) * P(n, m) * Q(m, l): only the first has k.
TEST(ProductSearch, OwnIndicesAreSummedBefore) {
  Builder builder("lhnmk", {5, 20, 6, 7, 3});
  unsigned sum = builder.addSum({{'h', 1}, {'k', 1}});
  ContractionPath path = findProductOrder(
      builder.build({{"n", {sum}}, {"nm", {}}, {"ml", {}}}, "lh"), {});
  EXPECT_EQ(path.ownSums[0].loops, builder.makeSet("nhk"));
  EXPECT_EQ(path.ownSums[0].result, builder.makeSet("nh"));
  EXPECT_TRUE(path.ownSums[1].loops.empty());
}

// A condition on i and m keeps k while it needs it, and is looked at once.
TEST(ProductSearch, ConditionsAreLookedAtOnce) {
  Builder builder("imkl", {9, 8, 7, 6});
  ContractionNetwork network = builder.build(
      {{"ik", {}}, {"kl", {}}, {"lm", {}}}, "im", {"km", "l", "i"});
  ContractionPath path = findProductOrder(network, {});
  llvm::SmallBitVector all(3);
  for (const ContractionStep &step : path.steps) {
    EXPECT_FALSE(all.anyCommon(step.conditions));
    all |= step.conditions;
    for (unsigned i : step.conditions.set_bits())
      EXPECT_FALSE(network.conditions[i].test(step.loops));
  }
  EXPECT_TRUE(all.all());
  // Where k is summed, m is there.
  for (const ContractionStep &step : path.steps)
    if (step.loops.test(2) && !step.result.test(2)) {
      EXPECT_TRUE(step.loops.test(1));
    }
}

// Every order of four factors is at least as expensive as the one found.
TEST(ProductSearch, NoOrderIsCheaper) {
  Builder builder("abcdk", {7, 5, 11, 3, 4});
  unsigned sum = builder.addSum({{'a', 2}, {'k', 1}});
  ContractionNetwork network = builder.build(
      {{"b", {sum}}, {"bc", {sum}}, {"ckd", {}}, {"da", {}}}, "ad", {"kd"});
  double best = findProductOrder(network, {}).flops;
  using Pairs = std::vector<std::pair<unsigned, unsigned>>;
  for (unsigned i = 0; i < 4; ++i)
    for (unsigned j = i + 1; j < 4; ++j) {
      std::vector<unsigned> left;
      for (unsigned other = 0; other < 5; ++other)
        if (other != i && other != j)
          left.push_back(other);
      for (unsigned alone = 0; alone < 3; ++alone) {
        unsigned a = left[(alone + 1) % 3], b = left[(alone + 2) % 3];
        Pairs pairs = {
            {i, j}, std::minmax(a, b), std::minmax<unsigned>(left[alone], 5)};
        EXPECT_GE(applyProductOrder(network, pairs).flops, best);
      }
    }
}

TEST(ProductSearch, ManyFactorsHaveAnOrder) {
  Builder builder("abcdefghijklm", {3, 4, 5, 6, 3, 4, 5, 6, 3, 4, 5, 6, 2});
  unsigned sum = builder.addSum({{'a', 1}, {'m', 1}});
  ContractionNetwork network = builder.build({{"b", {sum}},
                                              {"bc", {}},
                                              {"cd", {}},
                                              {"de", {}},
                                              {"ef", {}},
                                              {"fg", {}},
                                              {"gh", {}},
                                              {"hi", {}},
                                              {"ij", {}},
                                              {"jk", {}},
                                              {"kl", {}},
                                              {"lm", {}}},
                                             "a");
  ContractionPath path = findProductOrder(network, {});
  EXPECT_EQ(path.steps.size(), 11u);
  EXPECT_LT(path.flops, countNestFlops(network) / 1e3);
}

} // namespace
} // namespace ein
