//===- Peers.h - What einc's kernels are measured beside --------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_BENCH_PEERS_H
#define EIN_BENCH_PEERS_H

#include <cstdint>

namespace ein::bench {

/// C(m, n) = A(m, k) * B(k, n), row-major and contiguous, f32.
struct GemmProblem {
  int64_t m, k, n;
  double getFlops() const { return 2.0 * m * k * n; }
};

/// All pointers are aligned to 64 bytes.
void runEigenGemm(const GemmProblem &problem, const float *a, const float *b,
                  float *c);

} // namespace ein::bench

#endif // EIN_BENCH_PEERS_H
