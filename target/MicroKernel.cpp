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
// Consequence: C of 64 x 64 floats gets 6 x 64 on AVX-512, C of 24 x 24 one
// tile column of 32, C of 4 rows wider ones.
//
//===----------------------------------------------------------------------===//

#include "target/Family.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cassert>

namespace ein {

/// Tiles along an extent; per element if it is open.
static double countTiles(std::optional<int64_t> extent, int64_t size) {
  return extent ? double(llvm::divideCeil(*extent, size)) : 1.0 / size;
}

MicroKernel selectMicroKernel(const RegisterLimits &limits, unsigned lanes,
                              std::optional<int64_t> rows,
                              std::optional<int64_t> columns) {
  assert(lanes >= 1 && limits.registers >= 2);
  constexpr double kChains = 8, kLoad = 0.5, kLoop = 1;
  // Wider rows are for C that has few, or that one row of vectors covers.
  constexpr int64_t kFewRows = 4;
  constexpr unsigned kWidest = 8;
  MicroKernel best = {1, 1};
  double least = 0;
  for (unsigned vectors = 1; vectors <= kWidest; vectors *= 2) {
    int64_t width = int64_t(vectors) * lanes;
    bool isNeeded = (rows && *rows <= kFewRows) ||
                    (columns && *columns > width / 2 && *columns <= width);
    if (vectors > limits.maxVectors && !isNeeded)
      continue;
    for (unsigned mr = 1; (mr + 1) * vectors <= limits.registers; ++mr) {
      double step = std::max<double>(mr * vectors, kChains) +
                    kLoad * (mr + vectors) + kLoop;
      double cost = countTiles(rows, mr) * countTiles(columns, width) * step;
      // Of equals, the smaller tile, which comes first.
      if (least == 0 || cost < least * (1 - 1e-9)) {
        least = cost;
        best = {mr, vectors};
      }
    }
  }
  return best;
}

} // namespace ein
