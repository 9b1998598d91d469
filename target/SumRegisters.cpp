//===- SumRegisters.cpp - Sums that registers hold ------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sources: [SDM] Intel 64 and IA-32 Software Developer's Manual, vol. 1, ch.
// 15: k0 as a mask means none, which leaves seven.
//
//===----------------------------------------------------------------------===//

#include "target/SumRegisters.h"
#include <algorithm>

namespace ein {

bool fitsRegisters(const TargetInfo &target, const SumRegisters &registers) {
  // For what an instruction needs beside sums and what is held.
  constexpr int64_t kSpare = 2, kMasks = 7;
  if (registers.sums == 1)
    return true;
  int64_t vectors = registers.sums * registers.vectors;
  // Signs are a vector of each sum; what is a number is a mask, or a vector
  // where there are no mask registers.
  if (registers.isTracked) {
    if (target.maskedOps && registers.sums > kMasks)
      return false;
    vectors += registers.sums * (target.maskedOps ? 1 : 2);
  }
  return vectors + registers.held + kSpare <= int64_t(target.vectorRegisters);
}

double getSumsUnderWay(const MachineModel &machine) {
  return machine.fmaLatency * std::min(machine.fmas, machine.loads);
}

} // namespace ein
