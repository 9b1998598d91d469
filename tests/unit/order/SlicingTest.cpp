//===- SlicingTest.cpp - Loops that keep temporaries small ----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Costs are written out by hand, or compared between slices that have to agree.
//
//===----------------------------------------------------------------------===//

#include "order/Slicing.h"
#include "Networks.h"
#include "gtest/gtest.h"
#include <random>

using namespace ein;

namespace {

ContractionNetwork makeNetwork(std::vector<double> sizes,
                               std::vector<std::vector<unsigned>> operands,
                               std::vector<unsigned> output) {
  return test::Network{std::move(operands), std::move(sizes), std::move(output)}
      .get();
}

// (8x16)(16x32)(32x4): between the steps are 8x32 floats.
ContractionNetwork makeChain() {
  return makeNetwork({8, 16, 32, 4}, {{0, 1}, {1, 2}, {2, 3}}, {0, 3});
}
constexpr double kChainFlops = 2 * (8 * 16 * 32 + 8 * 32 * 4);

TEST(Slicing, NothingToDo) {
  ContractionNetwork network = makeChain();
  ContractionPath path = applyContractionOrder(network, {{0, 1}, {2, 3}});
  EXPECT_TRUE(slicePath(network, llvm::SmallBitVector(4), 1024, path));
  EXPECT_TRUE(path.slices.empty());
  EXPECT_EQ(path.temporaryBytes, 1024);
  EXPECT_EQ(path.flops, kChainFlops);
}

TEST(Slicing, TheLargestPartsThatFit) {
  ContractionNetwork network = makeChain();
  ContractionPath path = applyContractionOrder(network, {{0, 1}, {2, 3}});
  EXPECT_TRUE(slicePath(network, llvm::SmallBitVector(4), 300, path));
  // Neither dim costs anything; of 32, less has to be left at a time.
  ASSERT_EQ(path.slices.size(), 1u);
  EXPECT_EQ(path.slices[0].label, 2u);
  EXPECT_EQ(path.slices[0].size, 8u);
  EXPECT_EQ(path.temporaryBytes, 8 * 8 * 4);
  EXPECT_EQ(path.largestIntermediate, 8 * 8);
  EXPECT_EQ(path.flops, kChainFlops);
  EXPECT_EQ(path.additions, kChainFlops / 2);
  // Parts of an extent that is not known are of one.
  llvm::SmallBitVector open(4);
  open.set(2);
  EXPECT_TRUE(slicePath(network, open, 300, path));
  ASSERT_EQ(path.slices.size(), 1u);
  EXPECT_EQ(path.slices[0].size, 1u);
  EXPECT_EQ(path.temporaryBytes, 64); // 8 floats, up to a cache line
}

TEST(Slicing, WhatDoesNotFit) {
  ContractionNetwork network = makeChain();
  ContractionPath path = applyContractionOrder(network, {{0, 1}, {2, 3}});
  EXPECT_FALSE(slicePath(network, llvm::SmallBitVector(4), 63, path));
  EXPECT_EQ(path.temporaryBytes, 64);
}

TEST(Slicing, StepsWithoutTheLabelAreOutside) {
  // (ab)(bc) and (cd)(de), whose product is over c. Slices of `a` are small
  // enough: then c, d and e have nothing to do with it.
  ContractionNetwork network =
      makeNetwork({64, 4, 4, 4, 4}, {{0, 1}, {1, 2}, {2, 3}, {3, 4}}, {0, 4});
  ContractionPath path =
      applyContractionOrder(network, {{0, 1}, {2, 3}, {4, 5}});
  double flops = path.flops;
  EXPECT_TRUE(slicePath(network, llvm::SmallBitVector(5), 128, path));
  ASSERT_EQ(path.slices.size(), 1u);
  EXPECT_EQ(path.slices[0].label, 0u);
  EXPECT_EQ(path.slices[0].size, 4u);
  EXPECT_EQ(path.flops, flops);
  EXPECT_EQ(getStepDepths(network, path),
            (llvm::SmallVector<unsigned>{1, 0, 1}));
  EXPECT_EQ(getOperandDepths(network, path),
            (llvm::SmallVector<unsigned>{1, 0, 0, 0}));
}

TEST(Slicing, RoundsThatRepeatStepsCost) {
  // The same, where only c is left to slice: it is in all of the steps' results
  // but one, whose parts are computed anew.
  ContractionNetwork network =
      makeNetwork({4, 6, 8}, {{0, 1}, {1, 2}, {0, 2}, {2}}, {0});
  ContractionPath path =
      applyContractionOrder(network, {{0, 1}, {2, 4}, {3, 5}});
  double flops = path.flops;
  ASSERT_TRUE(slicePath(network, llvm::SmallBitVector(3), 64 + 64, path));
  EXPECT_FALSE(path.slices.empty());
  EXPECT_GE(path.flops, flops);
  EXPECT_LE(path.temporaryBytes, 128);
}

TEST(Slicing, OrdersWithinALimit) {
  std::mt19937 random(1);
  for (unsigned round = 0; round < 50; ++round) {
    unsigned numLabels = 8;
    std::vector<double> sizes;
    for (unsigned i = 0; i < numLabels; ++i)
      sizes.push_back(1 + random() % 12);
    std::vector<std::vector<unsigned>> operands(5);
    for (unsigned i = 0; i < numLabels; ++i)
      for (unsigned j = 0; j < 2; ++j) {
        auto &labels = operands[random() % 5];
        if (labels.empty() || labels.back() != i)
          labels.push_back(i);
      }
    ContractionNetwork network = makeNetwork(sizes, operands, {0, 1});
    for (auto &operand : network.operands)
      operand.resize(numLabels);
    network.output.reset();
    for (unsigned label : {0u, 1u})
      for (const auto &operand : network.operands)
        if (operand.test(label))
          network.output.set(label);
    ContractionOrderOptions options;
    ContractionPath free = findContractionOrders(
        network, llvm::SmallBitVector(numLabels), options)[0];
    EXPECT_TRUE(free.slices.empty());
    for (uint64_t limit : {3 * 64, 5 * 64, 1000, 100000}) {
      options.maxTempBytes = limit;
      ContractionPath path = findContractionOrders(
          network, llvm::SmallBitVector(numLabels), options)[0];
      // Three temporaries take a cache line each at least.
      EXPECT_LE(path.temporaryBytes, limit);
      EXPECT_GE(path.flops, free.flops - 1e-9);
      if (free.temporaryBytes <= limit) {
        EXPECT_EQ(path.flops, free.flops);
      }
      for (ContractionSlice slice : path.slices)
        EXPECT_EQ(uint64_t(network.labelSizes[slice.label]) % slice.size, 0u);
    }
  }
}

} // namespace
