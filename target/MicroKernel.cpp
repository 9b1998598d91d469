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
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cassert>
#include <limits>
#include <vector>

namespace ein {

namespace {

/// A tile, and what it costs for all rows, per row of tiles.
struct Candidate {
  MicroKernel kernel;
  double cost;
};

} // namespace

/// The best number of rows for tiles of so many vectors.
static Candidate selectRows(const RegisterLimits &limits, unsigned vectors,
                            unsigned lanes, std::optional<int64_t> rows,
                            unsigned sums) {
  constexpr double kChains = 8, kLoad = 0.5, kLoop = 1;
  Candidate best = {{1, vectors, lanes},
                    std::numeric_limits<double>::infinity()};
  for (unsigned mr = 1;
       mr <= limits.maxRows && (sums * mr + 1) * vectors <= limits.registers;
       ++mr) {
    auto getStep = [&](double tileRows) {
      return std::max<double>(sums * tileRows * vectors, kChains) +
             kLoad * (sums * tileRows + vectors) + kLoop;
    };
    double tiles = rows ? double(llvm::divideCeil(*rows, mr)) : 1.0 / mr;
    double cost = tiles * getStep(mr);
    if (rows && limits.hasLastRows && *rows % mr != 0)
      cost = double(*rows / mr) * getStep(mr) + getStep(double(*rows % mr));
    // Of equals, the smaller tile, which comes first.
    if (cost < best.cost * (1 - 1e-9))
      best = {{mr, vectors, lanes}, cost};
  }
  return best;
}

MicroKernels selectMicroKernels(const RegisterLimits &limits, unsigned lanes,
                                std::optional<int64_t> rows,
                                std::optional<int64_t> columns, unsigned sums) {
  assert(lanes >= 1 && limits.registers >= 2);
  // Wider rows are for C that has few.
  constexpr int64_t kFewRows = 4;
  constexpr unsigned kWidest = 8;
  std::vector<Candidate> candidates;
  // Few columns get a vector that they fill, or nearly.
  auto getNarrow = [&](int64_t count) {
    unsigned narrow = std::min<uint64_t>(llvm::PowerOf2Ceil(count), lanes);
    return selectRows(limits, /*vectors=*/1, narrow, rows, sums);
  };
  if (columns && *columns > 0 && *columns <= lanes / 2)
    return {getNarrow(*columns).kernel, std::nullopt};
  for (unsigned vectors = 1; vectors <= kWidest; vectors *= 2)
    if ((vectors <= limits.maxVectors || (rows && *rows <= kFewRows)) &&
        (sums + 1) * vectors <= limits.registers)
      candidates.push_back(selectRows(limits, vectors, lanes, rows, sums));

  MicroKernels best = {candidates.front().kernel, std::nullopt};
  double least = std::numeric_limits<double>::infinity();
  auto consider = [&](double cost, MicroKernels kernels) {
    if (cost >= least * (1 - 1e-9))
      return;
    least = cost;
    best = kernels;
  };
  for (const Candidate &main : candidates) {
    int64_t width = main.kernel.getNr();
    if (!columns) {
      consider(main.cost / width, {main.kernel, std::nullopt});
      continue;
    }
    consider(main.cost * llvm::divideCeil(*columns, width),
             {main.kernel, std::nullopt});
    int64_t rest = *columns % width;
    if (rest == *columns || rest == 0)
      continue;
    if (rest <= lanes / 2) {
      Candidate edge = getNarrow(rest);
      consider(main.cost * (*columns / width) + edge.cost,
               {main.kernel, edge.kernel});
      continue;
    }
    for (const Candidate &edge : candidates)
      if (edge.kernel.nrVectors < main.kernel.nrVectors &&
          rest <= edge.kernel.getNr())
        consider(main.cost * (*columns / width) + edge.cost,
                 {main.kernel, edge.kernel});
  }
  return best;
}

} // namespace ein
