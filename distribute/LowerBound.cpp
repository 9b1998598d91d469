//===- LowerBound.cpp - What has to move ----------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "distribute/LowerBound.h"
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace ein::distribute {

using Row = std::vector<double>;

/// Solves `rows`, whose last columns are the right sides; none if they are
/// dependent.
static std::optional<Row> solve(std::vector<Row> rows) {
  size_t size = rows.size();
  for (size_t column = 0; column != size; ++column) {
    size_t pivot = column;
    for (size_t i = column; i != size; ++i)
      if (std::abs(rows[i][column]) > std::abs(rows[pivot][column]))
        pivot = i;
    if (std::abs(rows[pivot][column]) < 1e-9)
      return std::nullopt;
    std::swap(rows[pivot], rows[column]);
    for (size_t i = 0; i != size; ++i) {
      double factor = rows[i][column] / rows[column][column];
      if (i != column && factor != 0)
        for (size_t j = column; j <= size; ++j)
          rows[i][j] -= factor * rows[column][j];
    }
  }
  Row result;
  for (size_t i = 0; i != size; ++i)
    result.push_back(rows[i][size] / rows[i][i]);
  return result;
}

/// By dim that has an extent beyond 1, which arrays have it; each once.
static std::vector<Row> getConstraints(const Contraction &contraction) {
  std::vector<Row> constraints;
  for (unsigned dim = 0; dim != contraction.extents.size(); ++dim) {
    if (contraction.extents[dim] <= 1)
      continue;
    Row own;
    for (unsigned array = 0; array != contraction.getNumArrays(); ++array) {
      const std::vector<unsigned> &dims = contraction.getArray(array).dims;
      own.push_back(std::find(dims.begin(), dims.end(), dim) != dims.end());
    }
    own.push_back(1);
    if (std::find(constraints.begin(), constraints.end(), own) ==
        constraints.end())
      constraints.push_back(own);
  }
  return constraints;
}

std::vector<Row> getCovers(const Contraction &contraction) {
  std::vector<Row> constraints = getConstraints(contraction);
  unsigned size = contraction.getNumArrays();
  // A vertex lies on as many planes as there are arrays.
  std::vector<Row> planes = constraints;
  for (unsigned array = 0; array != size; ++array) {
    Row own(size + 1, 0);
    own[array] = 1;
    planes.push_back(own);
  }
  auto isCover = [&](const Row &cover) {
    auto isCovered = [&](const Row &row) {
      return std::inner_product(cover.begin(), cover.end(), row.begin(), 0.0) >
             1 - 1e-9;
    };
    return std::all_of(cover.begin(), cover.end(),
                       [](double part) { return part > -1e-9; }) &&
           std::all_of(constraints.begin(), constraints.end(), isCovered);
  };
  // Products of so many factors have covers without number; one of them is the
  // same exponent for all.
  double ways = 1;
  for (unsigned i = 0; i != size; ++i)
    ways *= double(planes.size() - i) / (i + 1);
  if (constexpr double kMostWays = 2e5; ways > kMostWays) {
    double least = size;
    for (const Row &row : constraints)
      least = std::min(least, std::accumulate(row.begin(), row.end() - 1, 0.0));
    return {Row(size, 1 / least)};
  }
  std::vector<Row> covers;
  std::vector<bool> chosen(planes.size(), false);
  std::fill_n(chosen.begin(), size, true);
  do {
    std::vector<Row> system;
    for (size_t i = 0; i != planes.size(); ++i)
      if (chosen[i])
        system.push_back(planes[i]);
    if (std::optional<Row> cover = solve(std::move(system)))
      if (isCover(*cover))
        covers.push_back(std::move(*cover));
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  return covers;
}

namespace {

/// An array, by what a rank touches of it: elements.
struct Touched {
  double bytes = 0; // of an element
  double least = 0, most = 0;
};

} // namespace

/// The least bytes of elements whose powers have the product `exp(logPoints)`.
static double getLeastTouched(const std::vector<Touched> &arrays,
                              const Row &cover, double logPoints) {
  // In the optimum, elements are as the exponents by the bytes of one, but for
  // those at a limit: the common factor is searched for.
  auto getElements = [&](size_t array, double factor) {
    const Touched &own = arrays[array];
    return std::min(own.most,
                    std::max(own.least, factor * cover[array] / own.bytes));
  };
  auto isEnough = [&](double factor) {
    double sum = 0;
    for (size_t array = 0; array != arrays.size(); ++array)
      if (cover[array] > 0)
        sum += cover[array] * std::log(getElements(array, factor));
    return sum >= logPoints;
  };
  double low = 0, high = 1;
  for (int i = 0; i != 300 && !isEnough(high); ++i)
    high *= 16;
  for (int i = 0; i != 200; ++i) {
    double middle = low + (high - low) / 2;
    (isEnough(middle) ? high : low) = middle;
  }
  double bytes = 0;
  for (size_t array = 0; array != arrays.size(); ++array)
    bytes += arrays[array].bytes * getElements(array, low);
  return bytes;
}

/// What moves of `points` if `memory` bytes are there.
static double getWithMemory(const std::vector<Touched> &arrays,
                            const Row &cover, double logPoints, double memory) {
  double sum = std::accumulate(cover.begin(), cover.end(), 0.0);
  if (sum <= 1 + 1e-9)
    return 0;
  double moved = 2 * memory / (sum - 1);
  // The most points that 2 M + T bytes touch.
  double logMost = 0;
  for (size_t array = 0; array != arrays.size(); ++array)
    if (cover[array] > 0)
      logMost += cover[array] * std::log((2 * memory + moved) * cover[array] /
                                         (sum * arrays[array].bytes));
  return moved * (std::exp(logPoints - logMost) - 1);
}

static LowerBound getBound(const Contraction &contraction, int64_t ranks,
                           int64_t memoryBytes,
                           const std::vector<double> &weights) {
  LowerBound bound;
  double logPoints = -std::log(double(ranks));
  for (int64_t extent : contraction.extents) {
    if (extent == 0)
      return bound;
    logPoints += std::log(double(extent));
  }
  std::vector<Touched> arrays;
  double home = 0;
  for (unsigned array = 0; array != contraction.getNumArrays(); ++array) {
    Touched own;
    own.bytes = double(contraction.getArray(array).elementBytes) *
                (weights.empty() ? 1 : weights[array]);
    own.most = 1;
    for (unsigned dim : contraction.getArray(array).dims)
      own.most *= double(contraction.extents[dim]);
    own.least = own.most / double(ranks);
    home += own.bytes * own.least;
    arrays.push_back(own);
  }
  for (const Row &cover : getCovers(contraction)) {
    bound.anyMemory = std::max(
        bound.anyMemory, getLeastTouched(arrays, cover, logPoints) - home);
    if (memoryBytes != 0)
      bound.thisMemory =
          std::max(bound.thisMemory, getWithMemory(arrays, cover, logPoints,
                                                   double(memoryBytes)));
  }
  // What is left of rounding is nothing.
  if (bound.anyMemory < 1e-9 * home)
    bound.anyMemory = 0;
  return bound;
}

LowerBound getLowerBound(const Contraction &contraction, int64_t ranks,
                         int64_t memoryBytes) {
  return getBound(contraction, ranks, memoryBytes, {});
}

double getWeightedBound(const Contraction &contraction, int64_t ranks,
                        const std::vector<double> &weights) {
  return getBound(contraction, ranks, /*memoryBytes=*/0, weights).anyMemory;
}

} // namespace ein::distribute
