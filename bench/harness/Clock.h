//===- Clock.h - Seconds, medians, arrays -----------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_BENCH_CLOCK_H
#define EIN_BENCH_CLOCK_H

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <sys/mman.h>
#include <vector>

namespace ein::bench {

inline double getSeconds() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

inline double getMedian(std::vector<double> values) {
  if (values.empty())
    return 0;
  size_t middle = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + middle, values.end());
  return values[middle];
}

inline double getGeometricMean(const std::vector<double> &values) {
  double sum = 0;
  for (double value : values)
    sum += std::log(value);
  return values.empty() ? 0 : std::exp(sum / values.size());
}

struct FreeBuffer {
  void operator()(void *pointer) const { std::free(pointer); }
};
using Buffer = std::unique_ptr<void, FreeBuffer>;

/// Aligned to a cache line; large ones to, and in, huge pages where the system
/// has them for who asks. Null if there is no memory.
inline Buffer allocate(size_t bytes) {
  constexpr size_t hugePage = 2 << 20;
  size_t alignment = bytes < hugePage ? 64 : hugePage;
  size_t rounded = (bytes + alignment) / alignment * alignment;
  void *pointer = std::aligned_alloc(alignment, rounded);
  if (pointer && alignment == hugePage)
    madvise(pointer, rounded, MADV_HUGEPAGE);
  return Buffer(pointer);
}

} // namespace ein::bench

#endif // EIN_BENCH_CLOCK_H
