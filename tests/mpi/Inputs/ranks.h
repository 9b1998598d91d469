//===- ranks.h - Blocks of many ranks beside whole arrays -------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the program that ranks.py writes is made of. Numbers are small integers,
// so that sums in any order are equal to the bit.
//
//===----------------------------------------------------------------------===//

#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mpi.h>
#include <vector>

inline int failures = 0;

inline void fail(const char *def, int ranks, const std::vector<int64_t> &sizes,
                 const char *what) {
  std::printf("%s on %d ranks at", def, ranks);
  for (int64_t size : sizes)
    std::printf(" %lld", static_cast<long long>(size));
  std::printf(": %s\n", what);
  ++failures;
}

inline bool isNear(double a, double b) {
  return a == b || std::abs(a - b) <= 1e-5 * (1 + std::abs(b));
}
template <typename T>
bool isNear(const std::complex<T> &a, const std::complex<T> &b) {
  return isNear(a.real(), b.real()) && isNear(a.imag(), b.imag());
}

/// A whole array, which each rank has for the comparison, and the rank's block.
template <typename T> struct Array {
  std::vector<int64_t> shape, starts, extents;
  std::vector<T> whole, block;

  Array(std::vector<int64_t> newShape, unsigned seed) : shape(newShape) {
    int64_t count = 1;
    for (int64_t extent : shape)
      count *= extent;
    for (int64_t i = 0; i != count; ++i)
      whole.push_back(T(int((i * 7 + i / 5 * 3 + seed * 11) % 7) - 3));
  }

  /// The elements of the block, in its order, of those of the whole.
  template <typename Visit> void visit(Visit visit) {
    int64_t count = 1;
    for (int64_t extent : extents)
      count *= extent;
    for (int64_t i = 0; i != count; ++i) {
      int64_t rest = i, at = 0, stride = 1;
      for (size_t dim = shape.size(); dim-- != 0;) {
        at += (starts[dim] + rest % extents[dim]) * stride;
        rest /= extents[dim];
        stride *= shape[dim];
      }
      visit(i, at);
    }
  }

  /// Asks for the block, and takes it.
  template <typename Ask> int cut(MPI_Comm comm, Ask ask) {
    starts.assign(shape.size() + 1, 0);
    extents.assign(shape.size() + 1, 0);
    int code = ask(starts.data(), extents.data());
    starts.resize(shape.size());
    extents.resize(shape.size());
    int rank;
    MPI_Comm_rank(comm, &rank);
    if (shape.empty()) // the first rank has it
      extents.assign(rank == 0 ? 0 : 1, 0);
    block.clear();
    visit([&](int64_t, int64_t at) { block.push_back(whole[at]); });
    return code;
  }

  /// Whether the block is what is there in the whole.
  bool isRight() {
    bool isGood = true;
    visit(
        [&](int64_t i, int64_t at) { isGood &= isNear(block[i], whole[at]); });
    return isGood;
  }

  /// Whether each element is in one block.
  bool isCovered(MPI_Comm comm) {
    std::vector<int> mine(whole.size() + 1), all(whole.size() + 1);
    visit([&](int64_t, int64_t at) { ++mine[at]; });
    MPI_Allreduce(mine.data(), all.data(), int(mine.size()), MPI_INT, MPI_SUM,
                  comm);
    for (size_t i = 0; i != whole.size(); ++i)
      if (all[i] != 1)
        return false;
    return true;
  }
};
