//===- WindowKernel.cpp - Register tiles of any nest of sums --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a convolution has more dims than a matrix product, and which of them
// are rows differs: images of NHWC are read element by element beside vectors
// of filters, those of NCHW the other way round; without channels that are
// summed, every vector of the image is used once.
//
// Choice: one rule for all of them. Of all tiles that block at most two dims of
// rows, and that the registers hold, the one with the least sum over all tiles
// (those at the edges are as small as what is there) of
//
//   max(R * V, kChains) + kLoad * loads + kLoop
//
// as for the other register tiles (MicroKernel.cpp), with the same numbers. An
// input is loaded once for each combination of the rows that it depends on. The
// one with the most loads goes from memory into the multiply-add; the others
// are held in registers. Vectors of every second element take two loads and a
// shuffle. What is read as vectors has no more rows than a set of L1 has ways:
// pixels of 512 channels are 2 KiB apart.
//
// Consequence: on AVX-512 NHWC with 56 x 56 x 64 gets 14 pixels of a row by two
// vectors of channels, NCHW with rows of 14 pixels 14 filters by two rows.
//
//===----------------------------------------------------------------------===//

#include "target/WindowKernel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <limits>

namespace ein {

int64_t WindowKernel::getNumSums() const {
  int64_t sums = vectors;
  for (int64_t count : rows)
    sums *= count;
  return sums;
}

namespace {

/// So many tiles of one size along a dim.
struct Run {
  double count;
  int64_t size;
};

class Search {
public:
  Search(const TargetInfo &target, unsigned elementBits, const WindowNest &nest)
      : target(target), nest(nest) {
    best.rows.assign(nest.rows.size(), 1);
    int64_t lanes = target.getLanes(elementBits);
    // Few columns get a vector that they fill, or nearly.
    if (nest.columns && *nest.columns <= lanes / 2)
      lanes = llvm::PowerOf2Ceil(std::max<int64_t>(*nest.columns, 1));
    best.lanes = lanes;
  }

  WindowKernel run();

private:
  static std::vector<Run> getRuns(std::optional<int64_t> extent, int64_t tile);
  /// Whether some input is read as more vectors side by side than a near cache
  /// takes, far apart as they may be.
  bool hasTooManyStreams(const WindowKernel &kernel) const;
  /// Loads of all inputs, and of the one that has the most.
  std::pair<int64_t, int64_t> countLoads(const WindowKernel &kernel) const;
  double getStepCost(const WindowKernel &kernel) const;
  double getCost(const WindowKernel &kernel) const;
  void consider(const WindowKernel &kernel);

  const TargetInfo &target;
  const WindowNest &nest;
  WindowKernel best;
  double least = std::numeric_limits<double>::infinity();
};

} // namespace

std::vector<Run> Search::getRuns(std::optional<int64_t> extent, int64_t tile) {
  if (!extent)
    return {{1.0 / double(tile), tile}};
  std::vector<Run> runs;
  if (*extent >= tile)
    runs.push_back({double(*extent / tile), tile});
  if (*extent % tile != 0)
    runs.push_back({1, *extent % tile});
  return runs;
}

std::pair<int64_t, int64_t>
Search::countLoads(const WindowKernel &kernel) const {
  int64_t all = 0, most = 0;
  for (const WindowNest::Input &input : nest.inputs) {
    int64_t loads = input.step == 0 ? 1 : kernel.vectors;
    // As many loads as steps, and shuffles between them.
    if (input.step > 1)
      loads *= 2 * int64_t(input.step) - 1;
    for (size_t dim = 0; dim < kernel.rows.size(); ++dim)
      if (input.rows[dim])
        loads *= kernel.rows[dim];
    all += loads;
    most = std::max(most, loads);
  }
  return {all, most};
}

bool Search::hasTooManyStreams(const WindowKernel &kernel) const {
  return llvm::any_of(nest.inputs, [&](const WindowNest::Input &input) {
    int64_t streams = 1;
    for (size_t dim = 0; dim < kernel.rows.size(); ++dim)
      if (input.rows[dim])
        streams *= kernel.rows[dim];
    return input.step > 0 && streams > int64_t(target.rowStreams);
  });
}

double Search::getStepCost(const WindowKernel &kernel) const {
  constexpr double kChains = 8, kLoad = 0.5, kLoop = 1;
  return std::max(double(kernel.getNumSums()), kChains) +
         kLoad * double(countLoads(kernel).first) + kLoop;
}

double Search::getCost(const WindowKernel &kernel) const {
  // Tiles at edges are like these in all dims but those whose edge it is.
  struct Partial {
    WindowKernel kernel;
    double count;
  };
  std::vector<Partial> partials = {{kernel, 1}};
  auto extend = [&](const std::vector<Run> &runs, auto set) {
    std::vector<Partial> next;
    for (const Partial &partial : partials)
      for (const Run &run : runs) {
        next.push_back({partial.kernel, partial.count * run.count});
        set(next.back().kernel, run.size);
      }
    partials = std::move(next);
  };
  for (size_t dim = 0; dim < nest.rows.size(); ++dim)
    if (kernel.rows[dim] > 1)
      extend(getRuns(nest.rows[dim], kernel.rows[dim]),
             [&](WindowKernel &tile, int64_t size) { tile.rows[dim] = size; });
    else if (nest.rows[dim])
      for (Partial &partial : partials)
        partial.count *= double(*nest.rows[dim]);
  std::optional<int64_t> vectors;
  if (nest.columns)
    vectors = llvm::divideCeil(*nest.columns, kernel.lanes);
  extend(getRuns(vectors, kernel.vectors),
         [](WindowKernel &tile, int64_t size) { tile.vectors = size; });
  double cost = 0;
  for (const Partial &partial : partials)
    cost += partial.count * getStepCost(partial.kernel);
  return cost;
}

void Search::consider(const WindowKernel &kernel) {
  // For what an instruction needs beside sums and what is held.
  constexpr int64_t kSpare = 2;
  auto [loads, most] = countLoads(kernel);
  int64_t held = loads - most;
  // Of mask registers one is taken.
  constexpr int64_t kMasks = 7;
  int64_t sums = kernel.getNumSums();
  int64_t registers = sums;
  if (nest.isTracked)
    registers *= target.maskedOps ? 2 : 3;
  if (sums > 1 && registers + held + kSpare > int64_t(target.vectorRegisters))
    return;
  if (nest.isTracked && target.maskedOps && sums > kMasks)
    return;
  if (hasTooManyStreams(kernel))
    return;
  // Of equals, the one that came first.
  double cost = getCost(kernel);
  if (cost >= least * (1 - 1e-9))
    return;
  least = cost;
  best = kernel;
}

WindowKernel Search::run() {
  constexpr int64_t kMostVectors = 8, kMostRows = 16;
  int64_t numDims = nest.rows.size();
  WindowKernel kernel = best;
  auto isTooMany = [&]() {
    return kernel.getNumSums() > int64_t(target.vectorRegisters);
  };
  auto getMost = [&](int64_t dim) {
    return std::min(nest.rows[dim].value_or(kMostRows), kMostRows);
  };
  for (kernel.vectors = 1; kernel.vectors <= kMostVectors;
       kernel.vectors *= 2) {
    if (nest.columns && kernel.vectors > 1 &&
        (kernel.vectors - 1) * kernel.lanes >= *nest.columns)
      break;
    consider(kernel);
    // The innermost dim first, alone and then with another one.
    for (int64_t inner = numDims - 1; inner >= 0; --inner) {
      for (int64_t i = 2; i <= getMost(inner); ++i) {
        kernel.rows[inner] = i;
        if (isTooMany())
          break;
        consider(kernel);
        for (int64_t outer = inner - 1; outer >= 0; --outer) {
          for (int64_t o = 2; o <= getMost(outer); ++o) {
            kernel.rows[outer] = o;
            if (isTooMany())
              break;
            consider(kernel);
          }
          kernel.rows[outer] = 1;
        }
      }
      kernel.rows[inner] = 1;
    }
  }
  return best;
}

WindowKernel getWindowKernel(const TargetInfo &target, unsigned elementBits,
                             const WindowNest &nest) {
  return Search(target, elementBits, nest).run();
}

} // namespace ein
