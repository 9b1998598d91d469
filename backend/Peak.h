//===- Peak.h - How fast this machine multiplies and adds -------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_BACKEND_PEAK_H
#define EIN_BACKEND_PEAK_H

#include "backend/Backend.h"

namespace ein {

/// Independent multiply-adds of vectors in registers: what "peak" means when
/// times are compared with it.
class PeakKernel {
public:
  /// Compiles it for `target`, which is the host. `elementBits` is 32 or 64.
  static llvm::Expected<PeakKernel> create(const TargetInfo &target,
                                           unsigned elementBits);

  /// Floating-point operations a second, a multiply-add counting as two, over
  /// at least `seconds`: the best of several readings, as nothing but a
  /// disturbance makes one worse.
  double measure(double seconds) const;

private:
  using Function = double (*)(int64_t rounds, double factor, double summand);
  PeakKernel(LoadedCode code, Function function, double flopsPerRound)
      : code(std::move(code)), function(function),
        flopsPerRound(flopsPerRound) {}

  LoadedCode code;
  Function function;
  double flopsPerRound;
};

} // namespace ein

#endif // EIN_BACKEND_PEAK_H
