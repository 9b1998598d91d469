//===- Roofline.cpp - What bounds a kernel --------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numbers are those of today's large cores, and say which of two bounds is
// nearer, which is seldom a close call; nothing is decided by them. The
// benchmark measures its own (bench/harness/Peak.cpp,
// bench/harness/Stream.cpp).
//
//===----------------------------------------------------------------------===//

#include "target/Roofline.h"
#include <algorithm>

namespace ein {

llvm::SmallVector<MemoryLevel> getMemoryLevels(const TargetInfo &target) {
  // Two loads of a vector (Intel's and AMD's optimisation manuals).
  double vectorBytes = std::max(target.vectorBits, 64u) / 8;
  return {{"L1", 2 * vectorBytes, target.l1Bytes},
          // Half of the line a cycle that the manuals promise, which is what
          // streams are seen to get.
          {"L2", std::min(32.0, 2 * vectorBytes), target.l2Bytes},
          {"L3", 10, target.l3Bytes},
          // 15 GB/s at 3 GHz.
          {"memory", 5, 0}};
}

MemoryLevel getHoldingLevel(const TargetInfo &target, double bytes) {
  llvm::SmallVector<MemoryLevel> levels = getMemoryLevels(target);
  for (const MemoryLevel &level : llvm::ArrayRef(levels).drop_back())
    if (bytes <= double(level.capacity))
      return level;
  return levels.back();
}

double getOperationsPerCycle(const TargetInfo &target, unsigned elementBits) {
  constexpr unsigned kUnits = 2;
  return double(kUnits) * target.getLanes(elementBits) * (target.fma ? 2 : 1);
}

} // namespace ein
