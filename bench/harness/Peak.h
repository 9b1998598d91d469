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

/// One way to multiply and add vectors in registers.
struct PeakKernel {
  const char *name;
  /// Does `iterations` rounds of independent multiply-adds and returns
  /// something that depends on all of them.
  double (*run)(int64_t iterations);
  /// Floating-point operations of one round, a multiply-add counting as two.
  double flopsPerIteration;
};

/// What is multiplied: floats, or 8-bit integers and bf16 whose products are
/// summed in 32 bits by instructions of their own.
enum class PeakType { F32, F64, I8, BF16 };

/// Those that this machine can execute, with AVX-512 or without. The widest
/// need not be the fastest.
std::vector<PeakKernel> getPeakKernels(PeakType type, bool takesAvx512);

/// Those of instructions for I8 or BF16; none if there are none.
std::vector<PeakKernel> getNarrowPeakKernels(PeakType type, bool takesAvx512);

/// A way to move bytes between a level of the memory and registers.
struct StreamKernel {
  const char *name;
  /// Passes over `bytes` bytes, which are aligned: it reads `reads` parts of
  /// them and writes `writes`, all of one size.
  double (*run)(char *data, int64_t bytes);
  int reads, writes;
};

/// Those that this machine can execute, with AVX-512 or without.
std::vector<StreamKernel> getStreamKernels(bool takesAvx512);

} // namespace ein::bench

#endif // EIN_BENCH_PEAK_H
