//===- Permute.h - Copies an array into another order -----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_BENCH_PERMUTE_H
#define EIN_BENCH_PERMUTE_H

#include "bench/cases/Problem.h"

namespace ein::bench {

/// A copy between two views of the same indices, with its loops laid out.
class Permutation {
public:
  Permutation(const View &source, const View &target, const Extents &extents,
              Element element);
  void run(const void *source, void *target) const;

private:
  struct Loop {
    int64_t extent, source, target;
  };
  template <typename T>
  void visit(size_t depth, const T *source, T *target) const;
  template <typename T> void copyBlock(const T *source, T *target) const;

  std::vector<Loop> loops; // outermost first
  Loop along{1, 1, 1};     // unit stride in the target
  Loop across{1, 1, 1};    // unit stride in the source, if not the same
  int64_t bytes;
};

} // namespace ein::bench

#endif // EIN_BENCH_PERMUTE_H
