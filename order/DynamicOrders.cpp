//===- DynamicOrders.cpp - Orders for sizes that are not known ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: the order that is the cheapest for the sizes that are assumed may be
// expensive by a factor of the sizes for others.
//
// Choice: the best orders for many sizes are candidates; those that save the
// most on average over all of these sizes, beside the ones that are there
// already, are emitted, and compared when the code runs. There are no more than
// SearchKnobs::kMostOrders.
//
//===----------------------------------------------------------------------===//

#include "order/ContractionOrder.h"
#include "order/ProductSearch.h"
#include "order/SearchKnobs.h"
#include "order/Slicing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace llvm;

namespace ein {

/// Small, middling and large for each dynamic label in all combinations, or a
/// fixed choice of them where these are many.
static SmallVector<SmallVector<double>>
sampleSizes(const ContractionNetwork &network, const SmallBitVector &dynamic) {
  constexpr unsigned kMost = SearchKnobs::kMostSamples;
  constexpr unsigned kNumSizes = std::size(SearchKnobs::kSampledSizes);
  unsigned combinations = 1;
  for (unsigned i = 0, e = dynamic.count(); i != e && combinations <= kMost;
       ++i)
    combinations *= kNumSizes;
  bool isAll = combinations <= kMost;
  SmallVector<SmallVector<double>> samples;
  uint64_t random = 1;
  for (unsigned i = 0, e = isAll ? combinations : kMost; i != e; ++i) {
    SmallVector<double> sizes(network.labelSizes);
    unsigned digits = i;
    for (unsigned label : dynamic.set_bits()) {
      // Knuth's linear congruential generator, whose high bits are good.
      random = random * 6364136223846793005u + 1442695040888963407u;
      sizes[label] =
          SearchKnobs::kSampledSizes[(isAll ? digits : random >> 33) %
                                     kNumSizes];
      digits /= kNumSizes;
    }
    samples.push_back(std::move(sizes));
  }
  return samples;
}

/// What is written in the order that is found for the network's sizes; nothing
/// if one nest of loops is.
static SmallVector<ContractionPath>
findFirstOrder(const ContractionNetwork &network, const SmallBitVector &dynamic,
               const ContractionOrderOptions &options) {
  double limit = options.maxTempBytes != 0
                     ? static_cast<double>(options.maxTempBytes)
                     : std::numeric_limits<double>::infinity();
  if (!network.hasArithmetic) {
    SmallVector<ContractionPath> orders = {
        findContractionOrder(network, options)};
    (void)slicePath(network, dynamic, limit, orders[0]);
    return orders;
  }
  ContractionPath path = findProductOrder(network, options);
  bool isWorthIt = path.quality == PathQuality::Given ||
                   path.flops < countNestFlops(network);
  if (path.temporaryBytes > limit || !isWorthIt)
    return {};
  return {std::move(path)};
}

SmallVector<ContractionPath>
findContractionOrders(const ContractionNetwork &network,
                      const SmallBitVector &dynamic,
                      const ContractionOrderOptions &options) {
  using Pairs = SmallVector<std::pair<unsigned, unsigned>>;
  SmallVector<ContractionPath> orders =
      findFirstOrder(network, dynamic, options);
  if (orders.empty() || !options.wantsCheapest() || options.wantsOne ||
      options.maxTempBytes != 0 || dynamic.none() ||
      network.operands.size() < 3 ||
      network.operands.size() > SearchKnobs::kMostOperandsOfOrders ||
      !network.groups.empty())
    return orders;

  auto getPairs = [](const ContractionPath &path) {
    Pairs pairs;
    for (const ContractionStep &step : path.steps)
      pairs.push_back({step.lhs, step.rhs});
    return pairs;
  };
  SmallVector<SmallVector<double>> samples = sampleSizes(network, dynamic);
  ContractionNetwork sample = network;
  auto setSizes = [&](ArrayRef<double> sizes) {
    sample.labelSizes.assign(sizes.begin(), sizes.end());
    sample.updateSums();
  };
  SmallVector<Pairs> candidates = {getPairs(orders[0])};
  for (ArrayRef<double> sizes : samples) {
    setSizes(sizes);
    Pairs pairs =
        getPairs(sample.hasArithmetic ? findProductOrder(sample, options)
                                      : findContractionOrder(sample, options));
    if (!is_contained(candidates, pairs))
      candidates.push_back(std::move(pairs));
  }
  // By candidate and sample, the logarithm of what it costs.
  std::vector<std::vector<double>> costs(candidates.size());
  for (ArrayRef<double> sizes : samples) {
    setSizes(sizes);
    for (auto [pairs, cost] : zip_equal(candidates, costs))
      cost.push_back(std::log(applyContractionOrder(sample, pairs).flops));
  }
  std::vector<double> least = costs[0];
  while (orders.size() < SearchKnobs::kMostOrders) {
    auto getGain = [&](ArrayRef<double> cost) {
      double gain = 0;
      for (auto [before, after] : zip_equal(least, cost))
        gain += std::max(before - after, 0.0);
      return gain / samples.size();
    };
    auto best = llvm::max_element(costs, [&](const auto &a, const auto &b) {
      return getGain(a) < getGain(b);
    });
    if (getGain(*best) < SearchKnobs::kLeastGain)
      break;
    orders.push_back(
        applyContractionOrder(network, candidates[best - costs.begin()]));
    orders.back().quality = PathQuality::Optimal;
    if (!network.hasArithmetic)
      countSlicedFlops(network, orders.back());
    for (auto [before, after] : zip_equal(least, *best))
      before = std::min(before, after);
  }
  return orders;
}

} // namespace ein
