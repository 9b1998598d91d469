//===- Roofline.h - What bounds a kernel ------------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The roofline model (Williams, Waterman and Patterson, 2009) for one thread:
// code takes at least as long as its operations do at the rate of the vector
// units, and as long as its bytes do from the level of memory that holds them.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_TARGET_ROOFLINE_H
#define EIN_TARGET_ROOFLINE_H

#include "target/Target.h"
#include "llvm/ADT/SmallVector.h"

namespace ein {

/// A level of memory by what a thread sees of it.
struct MemoryLevel {
  llvm::StringRef name; // "L1", …, "memory"
  double bytesPerCycle = 0;
  uint64_t capacity = 0; // in bytes; 0 of memory
};

/// From the nearest on; levels that there are none of have no capacity.
llvm::SmallVector<MemoryLevel> getMemoryLevels(const TargetInfo &target);

/// The nearest level that holds this many bytes.
MemoryLevel getHoldingLevel(const TargetInfo &target, double bytes);

/// Multiplications and additions a cycle, if nothing else limits them.
double getOperationsPerCycle(const TargetInfo &target, unsigned elementBits);

} // namespace ein

#endif // EIN_TARGET_ROOFLINE_H
