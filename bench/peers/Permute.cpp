//===- Permute.cpp - Copies an array into another order -------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a BLAS needs before it can be used on what is no matrix. It must not be
// the reason why such a peer is slow, so it is what one would write who cares:
// dims that lie together are one; the two that matter, which have unit stride
// on either side, are walked in blocks that fit into L1 and are transposed in
// registers; the others follow the target, so that it is written in order.
//
//===----------------------------------------------------------------------===//

#include "bench/peers/Permute.h"
#include <algorithm>
#include <array>
#include <cstring>

namespace ein::bench {
namespace {

/// Rows of `side` elements; a compiler keeps them in registers.
template <typename T, int side>
void transposeTile(const T *source, int64_t sourcePitch, T *target,
                   int64_t targetPitch) {
  T tile[side][side];
#pragma GCC unroll 16
  for (int j = 0; j < side; ++j)
    std::memcpy(tile[j], source + j * sourcePitch, sizeof tile[j]);
#pragma GCC unroll 16
  for (int i = 0; i < side; ++i) {
    T row[side];
#pragma GCC unroll 16
    for (int j = 0; j < side; ++j)
      row[j] = tile[j][i];
    std::memcpy(target + i * targetPitch, row, sizeof row);
  }
}

} // namespace

Permutation::Permutation(const View &source, const View &target,
                         const Extents &extents, Element element)
    : bytes(getBytes(element)) {
  for (char label : target.labels)
    if (extents.at(label) > 1)
      loops.push_back({extents.at(label), source.getStride(label),
                       target.getStride(label)});
  // The target's order, and neighbours that lie together on both sides joined.
  std::stable_sort(
      loops.begin(), loops.end(),
      [](const Loop &a, const Loop &b) { return a.target > b.target; });
  for (size_t i = 1; i < loops.size();) {
    Loop &outer = loops[i - 1], &inner = loops[i];
    if (outer.source != inner.source * inner.extent ||
        outer.target != inner.target * inner.extent) {
      ++i;
      continue;
    }
    inner.extent *= outer.extent;
    loops.erase(loops.begin() + i - 1);
  }
  if (loops.empty())
    return;
  along = loops.back();
  loops.pop_back();
  if (along.source == 1)
    return;
  auto unit = std::min_element(
      loops.begin(), loops.end(),
      [](const Loop &a, const Loop &b) { return a.source < b.source; });
  if (unit == loops.end())
    return;
  across = *unit;
  loops.erase(unit);
}

template <typename T>
void Permutation::copyBlock(const T *source, T *target) const {
  if (along.source == 1 && along.target == 1) {
    for (int64_t j = 0; j < across.extent; ++j)
      std::memcpy(target + j * across.target, source + j * across.source,
                  along.extent * sizeof(T));
    return;
  }
  constexpr int side = 64 / sizeof(T) > 8 ? 8 : 64 / sizeof(T);
  constexpr int64_t block = 64;
  bool hasTiles = along.target == 1 && across.source == 1;
  auto copyRest = [&](int64_t i0, int64_t i1, int64_t j0, int64_t j1) {
    for (int64_t j = j0; j < j1; ++j)
      for (int64_t i = i0; i < i1; ++i)
        target[j * across.target + i * along.target] =
            source[j * across.source + i * along.source];
  };
  for (int64_t jj = 0; jj < across.extent; jj += block)
    for (int64_t ii = 0; ii < along.extent; ii += block) {
      int64_t jEnd = std::min(jj + block, across.extent);
      int64_t iEnd = std::min(ii + block, along.extent);
      int64_t jTiles = hasTiles ? jj + (jEnd - jj) / side * side : jj;
      int64_t iTiles = hasTiles ? ii + (iEnd - ii) / side * side : ii;
      for (int64_t j = jj; j < jTiles; j += side)
        for (int64_t i = ii; i < iTiles; i += side)
          transposeTile<T, side>(source + j + i * along.source, along.source,
                                 target + j * across.target + i, across.target);
      copyRest(iTiles, iEnd, jj, jTiles);
      copyRest(ii, iEnd, jTiles, jEnd);
    }
}

template <typename T>
void Permutation::visit(size_t depth, const T *source, T *target) const {
  if (depth == loops.size())
    return copyBlock(source, target);
  const Loop &loop = loops[depth];
  for (int64_t i = 0; i < loop.extent; ++i)
    visit(depth + 1, source + i * loop.source, target + i * loop.target);
}

void Permutation::run(const void *source, void *target) const {
  // Only the size of an element matters: c64 is copied as f64 is.
  using Wide = std::array<double, 2>;
  if (bytes == 4)
    visit(0, static_cast<const float *>(source), static_cast<float *>(target));
  else if (bytes == 16)
    visit(0, static_cast<const Wide *>(source), static_cast<Wide *>(target));
  else
    visit(0, static_cast<const double *>(source),
          static_cast<double *>(target));
}

} // namespace ein::bench
