//===- Programs.h - Distributed programs with kernels in C++ ----*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What einc makes of a def, written by hand, so that tests can choose sizes,
// memory and steps, and know when a kernel is called.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_TESTS_MPI_PROGRAMS_H
#define EIN_TESTS_MPI_PROGRAMS_H

#include "runtime/mpi/Execute.h"
#include <cmath>

namespace ein::runtime::test {

/// What is read and written: two arrays of f64 of two dims, and their product.
struct HandMade {
  const char *text;
  PackedFunction kernel;
};

/// The part is m x n x k.
inline int32_t multiply(void **arrays, const int64_t *symbols) {
  int64_t m = symbols[0], n = symbols[1], k = symbols[2];
  auto *a = static_cast<double *>(arrays[0]);
  auto *b = static_cast<double *>(arrays[1]);
  auto *c = static_cast<double *>(arrays[2]);
  for (int64_t i = 0; i != m; ++i)
    for (int64_t j = 0; j != n; ++j)
      for (int64_t l = 0; l != k; ++l)
        c[i * n + j] += a[i * k + l] * b[l * n + j];
  return 0;
}

/// A part of m x n x k in slices of three values of k; the sum of each is added
/// to what there is. What has m are rows of the result, or columns of it.
inline int32_t addSlices(void **arrays, int64_t m, int64_t n, int64_t k,
                         bool isTransposed) {
  auto *a = static_cast<double *>(arrays[0]);
  auto *b = static_cast<double *>(arrays[1]);
  auto *c = static_cast<double *>(arrays[2]);
  for (int64_t first = 0; first != k; first += 3)
    for (int64_t i = 0; i != m; ++i)
      for (int64_t j = 0; j != n; ++j) {
        double sum = 0;
        for (int64_t l = first; l != first + 3; ++l)
          sum += a[i * k + l] * b[l * n + j];
        c[isTransposed ? j * m + i : i * n + j] += sum;
      }
  return 0;
}
/// Slices of k alone; with those of m, of two values, rows or columns.
inline int32_t addAll(void **arrays, const int64_t *symbols) {
  return addSlices(arrays, symbols[2], symbols[4], 3 * symbols[0], false);
}
inline int32_t addRows(void **arrays, const int64_t *symbols) {
  return addSlices(arrays, 2 * symbols[1], symbols[6], 3 * symbols[0], false);
}
inline int32_t addColumns(void **arrays, const int64_t *symbols) {
  return addSlices(arrays, 2 * symbols[1], symbols[6], 3 * symbols[0], true);
}

constexpr HandMade kProduct = {
    "mm<M, K, N>(A: f64(M, K), B: f64(K, N)) -> (C: f64(M, N))\n"
    "temporaries<M, K, N>(t0: f64(M, N)) -> ()\nranks 0 memory 0 grid\n"
    "statement 0 .ppr add\nloops<M, K, N>(loops: f32(M, N, K)) -> ()\n"
    "read 0 1*0+0 1*2+0\nread 1 1*2+0 1*1+0\nwrite 3 1*0+0 1*1+0\n"
    "start bits 0000000000000000\nresult 2 3\n",
    multiply};

constexpr HandMade kSliced[] = {
    {"f<M, K, N>(A: f64(M, 3*K), B: f64(3*K, N)) -> (C: f64(M, N))\n"
     "temporaries<M, K, N>(t0: f64(M, N)) -> ()\nranks 0 memory 0 grid\n"
     "statement 0 .r add sliced\nloops<M, K, N>(loops: f32(K)) -> ()\n"
     "read 0 * 3*0+0~2\nread 1 3*0+0~2 *\nwrite 3 * *\n"
     "start bits 0000000000000000\nresult 2 3\n",
     addAll},
    {"g<M, K, N>(A: f64(2*M, 3*K), B: f64(3*K, N)) -> (C: f64(2*M, N))\n"
     "temporaries<M, K, N>(t0: f64(2*M, N)) -> ()\nranks 0 memory 0 grid\n"
     "statement 0 .rp add sliced\nloops<M, K, N>(loops: f32(K, M)) -> ()\n"
     "read 0 2*1+0~1 3*0+0~2\nread 1 3*0+0~2 *\nwrite 3 2*1+0~1 *\n"
     "start bits 0000000000000000\nresult 2 3\n",
     addRows},
    {"h<M, K, N>(A: f64(2*M, 3*K), B: f64(3*K, N)) -> (C: f64(N, 2*M))\n"
     "temporaries<M, K, N>(t0: f64(N, 2*M)) -> ()\nranks 0 memory 0 grid\n"
     "statement 0 .rp add sliced\nloops<M, K, N>(loops: f32(K, M)) -> ()\n"
     "read 0 2*1+0~1 3*0+0~2\nread 1 3*0+0~2 *\nwrite 3 * 2*1+0~1\n"
     "start bits 0000000000000000\nresult 2 3\n",
     addColumns}};

/// A rank's blocks of A, B and C; the last has something in it before.
struct Blocks {
  Blocks(const Ranks &ranks, const Schedule &schedule) : data(3) {
    for (unsigned array = 0; array != 3; ++array) {
      const distribute::Block &box = schedule.homes[array][ranks.rank];
      if (!isEmpty(box))
        for (int64_t i = box.ranges[0].begin; i != box.ranges[0].end; ++i)
          for (int64_t j = box.ranges[1].begin; j != box.ranges[1].end; ++j)
            data[array].push_back(array == 2 ? 7 : getInput(array, i, j));
      pointers.push_back(data[array].data());
    }
  }
  static double getInput(unsigned array, int64_t i, int64_t j) {
    return std::sin(1 + 1.37 * double(i) + 0.71 * double(j) + array);
  }

  std::vector<std::vector<double>> data;
  std::vector<void *> pointers;
};

} // namespace ein::runtime::test

#endif // EIN_TESTS_MPI_PROGRAMS_H
