//===- Path.h - In which order to contract several arrays -------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_BENCH_PATH_H
#define EIN_BENCH_PATH_H

#include "bench/cases/Problem.h"

namespace ein::bench {

/// The arrays at `lhs` < `rhs` are taken out of the list and `result` is put
/// at its end, as numpy has it.
struct PathStep {
  size_t lhs, rhs;
  std::string result; // its indices; the output's after the last step
};

struct Path {
  std::vector<PathStep> steps;
  double flops = 0;
};

/// All orders of contraction, the one of fewest operations first, no two with
/// the same intermediates; of more than five arrays, only the first. A complex
/// multiply-add is eight operations.
std::vector<Path> getPaths(const Problem &problem);
/// The one of fewest operations, by dynamic programming over subsets.
Path getBestPath(const Problem &problem);

/// The operations of the best order: what every contestant is credited with.
double getFlops(const Problem &problem);

} // namespace ein::bench

#endif // EIN_BENCH_PATH_H
