//===- Roofline.cpp - What bounds a kernel --------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numbers are the machine model's, and nothing is decided by them. The
// benchmark measures its own (bench/harness/Peak.cpp,
// bench/harness/Stream.cpp).
//
//===----------------------------------------------------------------------===//

#include "target/Roofline.h"
#include <algorithm>

namespace ein {

llvm::SmallVector<MemoryLevel> getMemoryLevels(const TargetInfo &target) {
  const MachineModel &machine = target.machine;
  return {{"L1", machine.l1.read, machine.l1.bytes},
          {"L2", machine.l2.read, machine.l2.bytes},
          {"L3", machine.l3.read, machine.l3.bytes},
          {"memory", machine.memory.read, 0}};
}

MemoryLevel getHoldingLevel(const TargetInfo &target, double bytes) {
  llvm::SmallVector<MemoryLevel> levels = getMemoryLevels(target);
  for (const MemoryLevel &level : llvm::ArrayRef(levels).drop_back())
    if (bytes <= double(level.capacity))
      return level;
  return levels.back();
}

double getOperationsPerCycle(const TargetInfo &target, unsigned elementBits) {
  // Wider vectors than ports take several turns.
  uint64_t bits =
      std::min<uint64_t>(target.vectorBits, target.machine.portBits);
  return 2 * target.machine.fmas *
         double(std::max<uint64_t>(bits / std::max(elementBits, 1u), 1));
}

} // namespace ein
