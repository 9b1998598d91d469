//===- DotKernel.cpp - The register tile of sums along vectors ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: where both operands are contiguous along k, vectors of k need no
// packing. A tile of R by C elements is then R * C accumulators, each a whole
// vector, and one step takes R + C loads, none of them a broadcast. At the end
// each accumulator has to be summed up across.
//
// Choice: of all tiles that the registers hold, the one with the least
//
//   number of tiles * (max(R * C, kChains) + kLoad * (R + C) + kLoop)
//
// as for the other register tile (MicroKernel.cpp), with the same numbers. The
// side that is not loaded once a step, but once a product, needs no registers
// for itself; the other has one for each of its vectors. No side has more than
// eight vectors: each is a stream of its own from memory, and prefetchers
// follow so many. A tile with less than kChains accumulators takes several
// vectors of k a step.
//
// Consequence: a matrix times a vector is 1 by 8 on AVX-512, 4 rows are 4 by 6,
// a dot 1 by 1 with eight accumulators.
//
//===----------------------------------------------------------------------===//

#include "target/DotKernel.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <limits>

namespace ein {

DotKernel getDotKernel(const TargetInfo &target, std::optional<int64_t> rows,
                       std::optional<int64_t> columns) {
  constexpr unsigned kChains = 8, kWidest = 8;
  constexpr double kLoad = 0.5, kLoop = 1;
  // For what an instruction needs beside accumulators and vectors.
  constexpr unsigned kSpare = 2;
  auto getTiles = [](std::optional<int64_t> extent, unsigned width) {
    return extent ? double(llvm::divideCeil(*extent, width)) : 1.0 / width;
  };
  DotKernel best = {1, 1, 1};
  double least = std::numeric_limits<double>::infinity();
  for (unsigned r = 1; r <= kWidest; ++r)
    for (unsigned c = 1; c <= kWidest; ++c) {
      if (r * c + std::min(r, c) + 1 + kSpare > target.vectorRegisters)
        continue;
      double cost = getTiles(rows, r) * getTiles(columns, c) *
                    (std::max(r * c, kChains) + kLoad * (r + c) + kLoop);
      // Of equals, the smaller tile, which comes first.
      if (cost < least * (1 - 1e-9)) {
        least = cost;
        best = {r, c, 1};
      }
    }
  while (best.rows * best.columns * best.unroll * 2 <= kChains)
    best.unroll *= 2;
  return best;
}

} // namespace ein
