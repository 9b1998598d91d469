//===- StepLayoutsTest.cpp - In which order the results of steps lie ------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Einsums are written as strings, with one letter a label, and layouts compared
// as such. What is found is held against all orders of all temporaries where
// these are few.
//
//===----------------------------------------------------------------------===//

#include "order/StepLayouts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>

using namespace ein;

namespace {

constexpr unsigned kLanes = 16;

struct Einsum {
  Einsum(llvm::StringRef text, const std::map<char, double> &sizes) {
    auto [inputs, output] = text.split("->");
    llvm::SmallVector<llvm::StringRef> operands;
    inputs.split(operands, ',');
    operands.push_back(output);
    for (auto [letter, size] : sizes) {
      letters += letter;
      network.labelSizes.push_back(size);
    }
    for (llvm::StringRef operand : operands) {
      layouts.push_back(toLayout(operand));
      llvm::SmallBitVector labels(sizes.size());
      for (unsigned label : layouts.back())
        labels.set(label);
      network.operands.push_back(labels);
    }
    network.output = network.operands.pop_back_val();
  }

  Layout toLayout(llvm::StringRef text) const {
    Layout layout;
    for (char letter : text)
      layout.push_back(letters.find(letter));
    return layout;
  }
  std::string toString(llvm::ArrayRef<unsigned> layout) const {
    std::string text;
    for (unsigned label : layout)
      text += letters[label];
    return text;
  }

  std::vector<std::string>
  find(llvm::ArrayRef<std::pair<unsigned, unsigned>> pairs) const {
    std::vector<std::string> texts;
    for (const Layout &layout : findStepLayouts(
             network, applyContractionOrder(network, pairs), layouts))
      texts.push_back(toString(layout));
    return texts;
  }

  double getCycles(llvm::StringRef lhs, llvm::StringRef rhs,
                   llvm::StringRef result) const {
    return getStepCycles(network.labelSizes, kLanes, toLayout(lhs),
                         toLayout(rhs), toLayout(result));
  }

  std::string letters;
  ContractionNetwork network;
  llvm::SmallVector<Layout> layouts;
};

TEST(StepLayouts, CyclesOfAProduct) {
  Einsum einsum("mk,kn->mn", {{'k', 100}, {'m', 64}, {'n', 64}});
  double full = einsum.getCycles("mk", "kn", "mn");
  // Two vectors a cycle, and something for what is written.
  double least = 64. * 64 * 100 / kLanes / 2;
  EXPECT_GT(full, least);
  EXPECT_LT(full, 1.2 * least);
  // Which operand is the first makes no difference.
  EXPECT_EQ(full, einsum.getCycles("kn", "mk", "mn"));
  EXPECT_EQ(full, einsum.getCycles("kn", "km", "mn"));
  // Panels of B are transposed if its columns are not its rows.
  EXPECT_LT(full, einsum.getCycles("mk", "nk", "mn"));
}

TEST(StepLayouts, FewColumnsAreSlow) {
  Einsum einsum("mk,kn->mn", {{'k', 100}, {'m', 64}, {'n', 4}});
  EXPECT_GT(einsum.getCycles("mk", "kn", "mn"),
            2 * einsum.getCycles("km", "kn", "nm"));
}

TEST(StepLayouts, DimsThatLieTogetherAreOne) {
  Einsum einsum("amk,kn->amn", {{'a', 8}, {'k', 16}, {'m', 8}, {'n', 16}});
  // Columns a and m: of 64. The other way round m is a loop, or A is copied.
  EXPECT_LT(einsum.getCycles("kam", "kn", "nam"),
            einsum.getCycles("kam", "kn", "nma"));
  EXPECT_LT(einsum.getCycles("kam", "kn", "nam"),
            einsum.getCycles("kma", "kn", "nam"));
}

TEST(StepLayouts, BatchesInnermostAreSlow) {
  Einsum einsum("bmk,bkn->bmn", {{'b', 16}, {'k', 16}, {'m', 16}, {'n', 16}});
  EXPECT_GT(einsum.getCycles("bmk", "bkn", "mnb"),
            einsum.getCycles("bmk", "bkn", "bmn"));
}

TEST(StepLayouts, Dots) {
  Einsum einsum("ij,ij->", {{'i', 30}, {'j', 40}});
  EXPECT_LT(einsum.getCycles("ij", "ij", ""), einsum.getCycles("ij", "ji", ""));
}

TEST(StepLayouts, RowsOfAChain) {
  Einsum einsum("ab,bc,cd->ad",
                {{'a', 200}, {'b', 300}, {'c', 64}, {'d', 100}});
  EXPECT_EQ(einsum.find({{0, 1}, {2, 3}}),
            (std::vector<std::string>{"ac", "ad"}));
  EXPECT_EQ(einsum.find({{1, 2}, {0, 3}}),
            (std::vector<std::string>{"bd", "ad"}));
}

// A temporary of 4 by 48 has its 4 columns outside.
TEST(StepLayouts, LongDimsInside) {
  Einsum einsum("awb,bx,ac->cwx",
                {{'a', 48}, {'b', 48}, {'c', 48}, {'w', 4}, {'x', 4}});
  std::vector<std::string> layouts = einsum.find({{0, 1}, {2, 3}});
  EXPECT_EQ(layouts[0].back(), 'a') << layouts[0];
  EXPECT_EQ(layouts[1], "cwx");
}

TEST(StepLayouts, OneElementMakesNoDifference) {
  std::map<char, double> sizes = {{'a', 24}, {'b', 24}, {'c', 24},
                                  {'r', 6},  {'s', 6},  {'t', 6}};
  Einsum without("ars,brt,cst->abc", sizes);
  sizes['z'] = 1;
  Einsum with("zars,brzt,csztz->zabc", sizes);
  with.layouts[2] = with.toLayout("cszt");
  std::vector<std::string> layouts = with.find({{0, 1}, {2, 3}});
  for (std::string &layout : layouts)
    layout.erase(std::remove(layout.begin(), layout.end(), 'z'), layout.end());
  EXPECT_EQ(layouts, without.find({{0, 1}, {2, 3}}));
}

TEST(StepLayouts, SlicesCountAsTheyAre) {
  // Of slices of one element of the 64 columns there is only the other dim.
  Einsum einsum("ab,bc,cd->ad", {{'a', 48}, {'b', 48}, {'c', 64}, {'d', 48}});
  ContractionPath path =
      applyContractionOrder(einsum.network, {{0, 1}, {2, 3}});
  path.slices.push_back({unsigned(einsum.letters.find('c')), 1});
  llvm::SmallVector<Layout> layouts =
      findStepLayouts(einsum.network, path, einsum.layouts);
  ASSERT_EQ(layouts.size(), 2u);
  EXPECT_EQ(layouts[0].size(), 2u);
}

/// Three tensors of random labels, each in two of them and the output.
Einsum makeRandom(std::mt19937 &generator) {
  constexpr double kSizes[] = {2, 4, 6, 10, 16, 24, 48};
  std::map<char, double> sizes;
  std::string operands[4];
  size_t count = 4 + generator() % 4;
  for (size_t i = 0; i < count; ++i) {
    char letter = 'a' + i;
    sizes[letter] = kSizes[generator() % std::size(kSizes)];
    size_t first = generator() % 3, second = generator() % 4;
    operands[first] += letter;
    if (second != first)
      operands[second] += letter;
    else
      operands[3] += letter;
  }
  for (std::string &operand : operands)
    std::shuffle(operand.begin(), operand.end(), generator);
  return Einsum(operands[0] + "," + operands[1] + "," + operands[2] + "->" +
                    operands[3],
                sizes);
}

// Groups of labels in all orders are as good as nearly all orders of labels.
TEST(StepLayouts, BesideAllOrders) {
  std::mt19937 generator(7);
  double product = 1;
  int count = 0;
  for (int i = 0; i < 200; ++i) {
    Einsum einsum = makeRandom(generator);
    ContractionPath path =
        applyContractionOrder(einsum.network, {{0, 1}, {2, 3}});
    auto getAll = [&](llvm::ArrayRef<unsigned> made) {
      return getStepCycles(einsum.network.labelSizes, kLanes, einsum.layouts[0],
                           einsum.layouts[1], made) +
             getStepCycles(einsum.network.labelSizes, kLanes, einsum.layouts[2],
                           made, einsum.layouts[3]);
    };
    llvm::SmallVector<Layout> found =
        findStepLayouts(einsum.network, path, einsum.layouts);
    ASSERT_EQ(found[1], einsum.layouts[3]);
    Layout all;
    for (unsigned label : path.steps[0].result.set_bits())
      all.push_back(label);
    Layout sorted = found[0];
    llvm::sort(sorted);
    ASSERT_EQ(sorted, all);
    if (all.size() > 6)
      continue;
    double best = getAll(all);
    while (std::next_permutation(all.begin(), all.end()))
      best = std::min(best, getAll(all));
    double ratio = getAll(found[0]) / best;
    EXPECT_LT(ratio, 3) << einsum.toString(einsum.layouts[0]) << ","
                        << einsum.toString(einsum.layouts[1]) << " "
                        << einsum.toString(found[0]) << ","
                        << einsum.toString(einsum.layouts[2]) << " "
                        << einsum.toString(found[1]);
    product *= ratio;
    ++count;
  }
  EXPECT_GT(count, 100);
  EXPECT_LT(std::pow(product, 1. / count), 1.05);
}

TEST(StepLayouts, ThousandsOfSteps) {
  constexpr unsigned kOperands = 3000;
  ContractionNetwork network;
  llvm::SmallVector<Layout> operands;
  llvm::SmallVector<std::pair<unsigned, unsigned>> pairs;
  for (unsigned i = 0; i < kOperands; ++i) {
    llvm::SmallBitVector labels(kOperands + 1);
    labels.set(i).set(i + 1);
    network.operands.push_back(labels);
    network.labelSizes.push_back(2);
    operands.push_back({i, i + 1});
    if (i > 0)
      pairs.push_back({std::min(i, i == 1 ? 0 : kOperands + i - 2),
                       std::max(i, i == 1 ? 0 : kOperands + i - 2)});
  }
  network.labelSizes.push_back(2);
  network.output.resize(kOperands + 1);
  network.output.set(0).set(kOperands);
  operands.push_back({kOperands, 0});
  llvm::SmallVector<Layout> layouts =
      findStepLayouts(network, applyContractionOrder(network, pairs), operands);
  ASSERT_EQ(layouts.size(), kOperands - 1);
  EXPECT_EQ(layouts.back(), operands.back());
  for (auto [step, layout] : llvm::enumerate(llvm::drop_end(layouts)))
    EXPECT_TRUE(llvm::is_contained(layout, 0u) &&
                llvm::is_contained(layout, step + 2))
        << step;
}

} // namespace
