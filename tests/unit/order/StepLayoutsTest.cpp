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
// these are few. What a step takes is a few lines here, for a machine that
// counts vectors and elements that are copied.
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

/// Vectors along the last label of the result, and a quarter for each element
/// of an operand that does not end with it or with a sum.
double getStepCycles(llvm::ArrayRef<double> sizes, llvm::ArrayRef<unsigned> lhs,
                     llvm::ArrayRef<unsigned> rhs,
                     llvm::ArrayRef<unsigned> result) {
  constexpr double kLanes = 16;
  auto getProduct = [&](llvm::ArrayRef<unsigned> labels) {
    double product = 1;
    for (unsigned label : labels)
      product *= sizes[label];
    return product;
  };
  double cycles = getProduct(result);
  for (unsigned label : lhs)
    if (!llvm::is_contained(result, label))
      cycles *= sizes[label];
  if (!result.empty())
    cycles *= std::ceil(sizes[result.back()] / kLanes) / sizes[result.back()];
  for (llvm::ArrayRef<unsigned> operand : {lhs, rhs}) {
    if (operand.empty() || result.empty())
      continue;
    bool isColumns = llvm::is_contained(operand, result.back());
    bool isReadable = isColumns ? operand.back() == result.back()
                                : !llvm::is_contained(result, operand.back());
    cycles += isReadable ? 0 : getProduct(operand) / 4;
  }
  return cycles;
}

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
    for (const Layout &layout :
         findStepLayouts(network, applyContractionOrder(network, pairs),
                         layouts, getStepCycles))
      texts.push_back(toString(layout));
    return texts;
  }

  std::string letters;
  ContractionNetwork network;
  llvm::SmallVector<Layout> layouts;
};

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
      findStepLayouts(einsum.network, path, einsum.layouts, getStepCycles);
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
      return getStepCycles(einsum.network.labelSizes, einsum.layouts[0],
                           einsum.layouts[1], made) +
             getStepCycles(einsum.network.labelSizes, einsum.layouts[2], made,
                           einsum.layouts[3]);
    };
    llvm::SmallVector<Layout> found =
        findStepLayouts(einsum.network, path, einsum.layouts, getStepCycles);
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
  llvm::SmallVector<Layout> layouts = findStepLayouts(
      network, applyContractionOrder(network, pairs), operands, getStepCycles);
  ASSERT_EQ(layouts.size(), kOperands - 1);
  EXPECT_EQ(layouts.back(), operands.back());
  for (auto [step, layout] : llvm::enumerate(llvm::drop_end(layouts)))
    EXPECT_TRUE(llvm::is_contained(layout, 0u) &&
                llvm::is_contained(layout, step + 2))
        << step;
}

} // namespace
