//===- Stream.cpp - How fast bytes come and go ----------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Several ways for each, as none is best at all levels: the C library switches
// to stores past the caches where the array is large, loops are better where it
// is small. Built with -O3 -march=native.
//
//===----------------------------------------------------------------------===//

#include "bench/harness/Peak.h"
#include <cstring>

namespace ein::bench {
namespace {

typedef float Line __attribute__((vector_size(64), aligned(64), may_alias));

/// Nothing that was written before may be left out.
void keep(void *data) { asm volatile("" : : "r"(data) : "memory"); }

double read(char *data, int64_t bytes) {
  const Line *lines = reinterpret_cast<const Line *>(data);
  Line a{}, b{}, c{}, d{}, e{}, f{}, g{}, h{};
  for (int64_t i = 0, end = bytes / 64; i + 8 <= end; i += 8) {
    a += lines[i], b += lines[i + 1], c += lines[i + 2], d += lines[i + 3];
    e += lines[i + 4], f += lines[i + 5], g += lines[i + 6], h += lines[i + 7];
  }
  a += b + c + d + e + f + g + h;
  return a[0];
}

double writeLines(char *data, int64_t bytes) {
  Line *lines = reinterpret_cast<Line *>(data);
  Line value{};
  asm volatile("" : "+m"(value));
  for (int64_t i = 0, end = bytes / 64; i < end; ++i)
    lines[i] = value;
  keep(data);
  return 0;
}

double writeAll(char *data, int64_t bytes) {
  std::memset(data, 0, bytes);
  keep(data);
  return 0;
}

double copyLines(char *data, int64_t bytes) {
  Line *lines = reinterpret_cast<Line *>(data);
  int64_t half = bytes / 128;
#pragma GCC unroll 4
  for (int64_t i = 0; i < half; ++i) {
    Line line = lines[half + i];
    asm volatile("" : : : "memory"); // or it becomes a call of memcpy
    lines[i] = line;
  }
  keep(data);
  return 0;
}

double copyAll(char *data, int64_t bytes) {
  std::memcpy(data, data + bytes / 128 * 64, bytes / 128 * 64);
  keep(data);
  return 0;
}

} // namespace

std::vector<StreamKernel> getStreamKernels() {
  return {{"read", read, StreamKernel::Read},
          {"write", writeLines, StreamKernel::Write},
          {"memset", writeAll, StreamKernel::Write},
          {"copy", copyLines, StreamKernel::Copy},
          {"memcpy", copyAll, StreamKernel::Copy}};
}

} // namespace ein::bench
