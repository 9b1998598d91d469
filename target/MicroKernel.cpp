//===- MicroKernel.cpp - The register tile of a matrix product ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: one step of k on a tile of MR rows of V vectors takes MR * V
// multiply-adds and MR + V loads. A tile that does not fit C is computed whole
// at the edge, and kept in part.
//
// Choice: of all tiles that the registers hold, the one with the least
//
//   number of tiles * (max(MR * V, kChains) + kLoad * (MR + V) + kLoop)
//
// where kChains is the latency of a multiply-add times the number of pipes, so
// that a tile of few vectors takes as long as it waits; and kLoad and kLoop are
// what loads and the loop cost beside multiply-adds. In theory loads are free:
// there are two ports for them. Measured on a core that another guest used
// as well (Emerald Rapids, f32, 1008^3, packed, medians of 41 runs, % of a loop
// of multiply-adds alone, interleaved): 14 x 2 vectors 67, 9 x 3 71, 8 x 3 71,
// 6 x 4 75; in quiet runs of a block in cache 84, 90, 94 and 95.
//
// Rows are of 1, 2, 4 or 8 vectors: LLVM 22 takes vectors of another number of
// elements apart, element by element.
//
// A complex number has two accumulators, one for each part of A's element, and
// MR * V is twice as much then.
//
// Consequence: C of 64 x 64 floats gets 6 x 64 on AVX-512, C of 24 x 24 one
// tile column of 32, C of 4 rows wider ones.
//
//===----------------------------------------------------------------------===//

#include "target/Family.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cassert>
#include <limits>
#include <vector>

using namespace llvm;

namespace ein {

namespace {

/// A tile, and what it costs for all rows, per row of tiles.
struct Candidate {
  MicroKernel kernel;
  double cost;
};

} // namespace

/// What a step of k on a tile takes.
static double getStepCost(double rows, unsigned vectors, unsigned sums) {
  constexpr double kChains = 8, kLoad = 0.5, kLoop = 1;
  return std::max<double>(sums * rows * vectors, kChains) +
         kLoad * (sums * rows + vectors) + kLoop;
}

/// The tile, for all rows.
static Candidate getCandidate(const RegisterLimits &limits, MicroKernel kernel,
                              std::optional<int64_t> rows, unsigned sums) {
  unsigned mr = kernel.mr;
  double step = getStepCost(mr, kernel.nrVectors, sums);
  double tiles = rows ? double(divideCeil(*rows, mr)) : 1.0 / mr;
  return {kernel, tiles * step};
}

/// Whether the registers hold the tile, the row of B and an element of A.
static bool isPossible(const RegisterLimits &limits, unsigned mr,
                       unsigned vectors, unsigned sums) {
  return (sums * mr + 1) * vectors <= limits.registers;
}

/// The best number of rows for tiles of so many vectors.
static Candidate selectRows(const RegisterLimits &limits, unsigned vectors,
                            unsigned lanes, std::optional<int64_t> rows,
                            unsigned sums) {
  Candidate best = {{1, vectors, lanes},
                    std::numeric_limits<double>::infinity()};
  for (unsigned mr = 1; isPossible(limits, mr, vectors, sums); ++mr) {
    Candidate candidate =
        getCandidate(limits, {mr, vectors, lanes}, rows, sums);
    // Of equals, the smaller tile, which comes first.
    if (candidate.cost < best.cost * (1 - 1e-9))
      best = candidate;
  }
  return best;
}

/// Few columns get a vector that they fill, or nearly.
static Candidate selectNarrow(const RegisterLimits &limits, int64_t columns,
                              unsigned lanes, std::optional<int64_t> rows,
                              unsigned sums) {
  unsigned narrow = std::min<uint64_t>(PowerOf2Ceil(columns), lanes);
  return selectRows(limits, /*vectors=*/1, narrow, rows, sums);
}

/// Wider rows are for C that has few.
static SmallVector<unsigned> getWidths(const RegisterLimits &limits,
                                       std::optional<int64_t> rows,
                                       unsigned sums) {
  constexpr int64_t kFewRows = 4;
  constexpr unsigned kWidest = 8;
  SmallVector<unsigned> widths;
  for (unsigned vectors = 1; vectors <= kWidest; vectors *= 2)
    if ((vectors <= limits.maxVectors || (rows && *rows <= kFewRows)) &&
        isPossible(limits, 1, vectors, sums))
      widths.push_back(vectors);
  return widths;
}

/// The tiles, if `main` is for all but the last columns, at their least cost.
static std::pair<double, MicroKernels>
addEdge(const RegisterLimits &limits, const Candidate &main,
        std::optional<int64_t> rows, std::optional<int64_t> columns,
        ArrayRef<Candidate> edges, unsigned sums) {
  unsigned lanes = main.kernel.lanes;
  int64_t width = main.kernel.getNr();
  if (!columns)
    return {main.cost / width, {main.kernel, std::nullopt}};
  std::pair<double, MicroKernels> best = {
      main.cost * divideCeil(*columns, width), {main.kernel, std::nullopt}};
  int64_t rest = *columns % width;
  if (rest == *columns || rest == 0)
    return best;
  auto consider = [&](const Candidate &edge) {
    double cost = main.cost * (*columns / width) + edge.cost;
    if (cost < best.first * (1 - 1e-9))
      best = {cost, {main.kernel, edge.kernel}};
  };
  if (rest <= lanes / 2) {
    consider(selectNarrow(limits, rest, lanes, rows, sums));
    return best;
  }
  for (const Candidate &edge : edges)
    if (edge.kernel.nrVectors < main.kernel.nrVectors &&
        rest <= edge.kernel.getNr())
      consider(edge);
  return best;
}

MicroKernels selectMicroKernels(const RegisterLimits &limits, unsigned lanes,
                                std::optional<int64_t> rows,
                                std::optional<int64_t> columns, unsigned sums) {
  assert(lanes >= 1 && limits.registers >= 2);
  if (columns && *columns > 0 && *columns <= lanes / 2)
    return {selectNarrow(limits, *columns, lanes, rows, sums).kernel,
            std::nullopt};
  SmallVector<Candidate> candidates;
  for (unsigned vectors : getWidths(limits, rows, sums))
    candidates.push_back(selectRows(limits, vectors, lanes, rows, sums));

  MicroKernels best = {candidates.front().kernel, std::nullopt};
  double least = std::numeric_limits<double>::infinity();
  for (const Candidate &main : candidates) {
    auto [cost, kernels] =
        addEdge(limits, main, rows, columns, candidates, sums);
    if (cost >= least * (1 - 1e-9))
      continue;
    least = cost;
    best = kernels;
  }
  return best;
}

std::vector<MicroKernels> listMicroKernels(const RegisterLimits &limits,
                                           unsigned lanes,
                                           std::optional<int64_t> rows,
                                           std::optional<int64_t> columns,
                                           unsigned sums) {
  if (columns && *columns > 0 && *columns <= lanes / 2)
    return {};
  SmallVector<Candidate> edges;
  std::vector<std::pair<double, MicroKernels>> list;
  for (unsigned vectors : getWidths(limits, rows, sums)) {
    for (unsigned mr = 1; isPossible(limits, mr, vectors, sums); ++mr) {
      if (rows && mr > 1 && mr > *rows)
        break;
      Candidate main = getCandidate(limits, {mr, vectors, lanes}, rows, sums);
      list.push_back(addEdge(limits, main, rows, columns, edges, sums));
    }
    edges.push_back(selectRows(limits, vectors, lanes, rows, sums));
  }
  stable_sort(list,
              [](const auto &a, const auto &b) { return a.first < b.first; });
  std::vector<MicroKernels> kernels;
  for (const auto &[cost, tile] : list)
    kernels.push_back(tile);
  return kernels;
}

} // namespace ein
