//===- Peak.h - How fast this core can multiply and add ---------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_BENCH_PEAK_H
#define EIN_BENCH_PEAK_H

#include <cstdint>
#include <vector>

namespace ein::bench {

/// One way to multiply and add f32 vectors in registers.
struct PeakKernel {
  const char *name;
  /// Does `iterations` rounds of independent multiply-adds and returns
  /// something that depends on all of them.
  float (*run)(int64_t iterations);
  /// Floating-point operations of one round, a multiply-add counting as two.
  double flopsPerIteration;
};

/// Those that this machine can execute. The widest need not be the fastest.
std::vector<PeakKernel> getPeakKernels();

} // namespace ein::bench

#endif // EIN_BENCH_PEAK_H
