//===- SumRegisters.h - Sums that registers hold ----------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_TARGET_SUMREGISTERS_H
#define EIN_TARGET_SUMREGISTERS_H

#include "target/Target.h"

namespace ein {

/// What is in registers while something is summed up.
struct SumRegisters {
  int64_t sums = 1;
  /// Of each sum.
  int64_t vectors = 1;
  /// Of a sum of maxima as IEEE 754 has them: which signs there are and which
  /// are numbers (passes/analysis/IeeeMinMax.h); or where something was found.
  bool isTracked = false;
  /// Vectors that are read once and used by several sums.
  int64_t held = 0;
};

/// Whether the machine has registers for all of it, beside what an instruction
/// needs. A single sum always has some.
bool fitsRegisters(const TargetInfo &target, const SumRegisters &registers);

/// From how many sums on none waits: as many products as begin while one is
/// added. Additions take no longer.
double getSumsUnderWay(const MachineModel &machine);

} // namespace ein

#endif // EIN_TARGET_SUMREGISTERS_H
