//===- Slicing.cpp - Fewer elements at a time -----------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "order/Slicing.h"
#include "abi/CacheLine.h"
#include "order/OrderProblem.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <cmath>
#include <limits>
#include <tuple>

using namespace llvm;

namespace ein {

SmallVector<unsigned> getOperandDepths(const ContractionNetwork &network,
                                       const ContractionPath &path) {
  SmallVector<unsigned> depths;
  for (const SmallBitVector &labels : network.operands) {
    depths.push_back(0);
    for (auto [i, slice] : enumerate(path.slices))
      if (labels.test(slice.label))
        depths.back() = i + 1;
  }
  return depths;
}

SmallVector<unsigned> getStepDepths(const ContractionNetwork &network,
                                    const ContractionPath &path) {
  SmallVector<unsigned> depths = getOperandDepths(network, path);
  for (const ContractionStep &step : path.steps)
    depths.push_back(std::max(depths[step.lhs], depths[step.rhs]));
  depths.erase(depths.begin(), depths.begin() + network.operands.size());
  return depths;
}

namespace {

/// What a path costs with its slices.
class Slicer {
public:
  Slicer(const ContractionNetwork &network, const ContractionPath &path);

  /// Counts again, for the path's slices.
  void count();
  double getBytes() const { return bytes; }
  double getFlops() const { return flops; }
  double getAdditions() const { return additions; }
  double getLargest() const { return largest; }
  ArrayRef<double> getStepFlops() const { return stepFlops; }
  /// The labels of the largest temporary that can still be sliced.
  SmallBitVector getWidest() const;

private:
  double multiply(const SmallBitVector &labels) const {
    double product = 1;
    for (unsigned label : labels.set_bits())
      product = multiplySizes(product, sizes[label]);
    return product;
  }

  const ContractionNetwork &network;
  const ContractionPath &path;
  std::vector<SmallBitVector> points; // by step: the labels that either has
  SmallVector<double> sizes;          // by label, in slices
  SmallBitVector isSliced;
  double bytes = 0, flops = 0, additions = 0, largest = 0;
  SmallVector<double> stepFlops;
};

} // namespace

Slicer::Slicer(const ContractionNetwork &network, const ContractionPath &path)
    : network(network), path(path) {
  // Labels that only one operand has are summed before the first step, so that
  // they are in no step.
  SmallVector<unsigned> numUses(network.labelSizes.size(), 0);
  for (const SmallBitVector &labels : network.operands)
    for (unsigned label : labels.set_bits())
      ++numUses[label];
  std::vector<SmallBitVector> tensors;
  for (SmallBitVector labels : network.operands) {
    for (unsigned label : network.operands[tensors.size()].set_bits())
      if (numUses[label] == 1 && !network.output.test(label))
        labels.reset(label);
    tensors.push_back(std::move(labels));
  }
  for (const ContractionStep &step : path.steps) {
    points.push_back(tensors[step.lhs]);
    points.back() |= tensors[step.rhs];
    tensors.push_back(step.result);
  }
  count();
}

void Slicer::count() {
  sizes.assign(network.labelSizes.begin(), network.labelSizes.end());
  isSliced.clear();
  isSliced.resize(sizes.size());
  SmallVector<double> rounds = {1}; // of the innermost of so many loops
  for (ContractionSlice slice : path.slices) {
    rounds.push_back(multiplySizes(rounds.back(),
                                   std::ceil(sizes[slice.label] / slice.size)));
    sizes[slice.label] = std::min<double>(sizes[slice.label], slice.size);
    isSliced.set(slice.label);
  }
  // A label that is summed is summed in the end, for all of its slices.
  bool accumulates = any_of(path.slices, [&](ContractionSlice slice) {
    return !network.output.test(slice.label);
  });
  bytes = flops = additions = largest = 0;
  stepFlops.clear();
  SmallVector<unsigned> depths = getStepDepths(network, path);
  for (size_t i = 0; i != path.steps.size(); ++i) {
    bool isLast = i + 1 == path.steps.size();
    const SmallBitVector &result = path.steps[i].result;
    double all = multiplySizes(multiply(points[i]), rounds[depths[i]]);
    SmallBitVector summed = points[i];
    summed.reset(result);
    for (ContractionSlice slice : path.slices)
      if (slice.size == 1)
        summed.reset(slice.label);
    flops += all;
    bool adds = summed.any() || (isLast && accumulates);
    if (adds)
      additions += all;
    stepFlops.push_back(adds ? 2 * all : all);
    if (isLast)
      break;
    double size = multiply(result);
    largest = std::max(largest, size);
    bytes += std::ceil(size * network.elementBytes / kCacheLineBytes) *
             kCacheLineBytes;
  }
  flops += additions;
}

SmallBitVector Slicer::getWidest() const {
  SmallBitVector widest(sizes.size());
  double most = 0;
  for (const ContractionStep &step : ArrayRef(path.steps).drop_back()) {
    SmallBitVector labels = step.result;
    labels.reset(isSliced);
    for (unsigned label : step.result.set_bits())
      if (network.labelSizes[label] <= 1)
        labels.reset(label);
    double size = multiply(step.result);
    if (labels.any() && size > most) {
      most = size;
      widest = labels;
    }
  }
  return widest;
}

/// By label, its place among those that are told apart by who has them: not by
/// their numbers, which are others in the driver than in a pass.
static SmallVector<unsigned> rankLabels(const ContractionNetwork &network) {
  std::vector<SmallVector<unsigned>> holders(network.labelSizes.size());
  for (auto [i, labels] : enumerate(network.operands))
    for (unsigned label : labels.set_bits())
      holders[label].push_back(i);
  SmallVector<unsigned> order = to_vector(seq<unsigned>(0, holders.size()));
  llvm::stable_sort(
      order, [&](unsigned a, unsigned b) { return holders[a] < holders[b]; });
  SmallVector<unsigned> ranks(order.size());
  for (auto [rank, label] : enumerate(order))
    ranks[label] = rank;
  return ranks;
}

/// The divisors of a size, largest first.
static SmallVector<uint64_t> getDivisors(uint64_t size) {
  SmallVector<uint64_t> divisors;
  for (uint64_t i = 1; i <= size / i; ++i)
    if (size % i == 0) {
      divisors.push_back(i);
      if (i != size / i)
        divisors.push_back(size / i);
    }
  llvm::sort(divisors, std::greater<>());
  return divisors;
}

bool slicePath(const ContractionNetwork &network, const SmallBitVector &dynamic,
               double limit, ContractionPath &path) {
  path.slices.clear();
  Slicer slicer(network, path);
  SmallVector<unsigned> ranks;
  while (slicer.getBytes() > limit) {
    if (ranks.empty())
      ranks = rankLabels(network);
    std::tuple<double, double, unsigned, unsigned> best{
        std::numeric_limits<double>::infinity(), 0, 0, 0};
    SmallBitVector widest = slicer.getWidest();
    if (widest.none())
      break;
    path.slices.push_back({0, 1});
    for (unsigned label : widest.set_bits()) {
      path.slices.back().label = label;
      slicer.count();
      best = std::min(
          best, {slicer.getFlops(), slicer.getBytes(), ranks[label], label});
    }
    path.slices.back().label = std::get<3>(best);
    slicer.count();
  }
  bool fits = slicer.getBytes() <= limit;
  // Parts are as large as they may be: what is chosen last costs the most.
  for (size_t i = path.slices.size(); fits && i-- > 0;) {
    unsigned label = path.slices[i].label;
    if (dynamic.test(label))
      continue;
    for (uint64_t size : getDivisors(network.labelSizes[label])) {
      path.slices[i].size = size;
      slicer.count();
      if (slicer.getBytes() <= limit)
        break;
    }
  }
  erase_if(path.slices, [&](ContractionSlice slice) {
    return slice.size >= network.labelSizes[slice.label];
  });
  countSlicedFlops(network, path);
  return fits;
}

SmallVector<double> countStepFlops(const ContractionNetwork &network,
                                   const ContractionPath &path) {
  SmallVector<double> flops;
  if (!network.hasArithmetic) {
    flops = llvm::to_vector(Slicer(network, path).getStepFlops());
    for (auto [step, count] : zip_equal(path.steps, flops))
      if (step.shared && path.slices.empty())
        count = 0;
    return flops;
  }
  for (const ContractionStep &step : path.steps) {
    double points = 1;
    for (unsigned label : step.loops.set_bits())
      points = multiplySizes(points, network.labelSizes[label]);
    flops.push_back(step.result == step.loops ? points : 2 * points);
  }
  return flops;
}

void countSlicedFlops(const ContractionNetwork &network,
                      ContractionPath &path) {
  Slicer slicer(network, path);
  path.temporaryBytes = slicer.getBytes();
  if (path.slices.empty())
    return;
  path.flops = slicer.getFlops();
  path.additions = slicer.getAdditions();
  path.largestIntermediate = slicer.getLargest();
}

} // namespace ein
