//===- CalibrationKernels.h - Loops that take one thing's time --*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_BACKEND_CALIBRATIONKERNELS_H
#define EIN_BACKEND_CALIBRATIONKERNELS_H

#include "backend/Backend.h"

namespace ein {

/// Loops for one machine, loaded into this process. Each is a function of
/// memory and of a count.
class CalibrationKernels {
public:
  using Function = int64_t (*)(void *data, int64_t count);

  /// Compiles them for `target`, which is the host.
  static llvm::Expected<CalibrationKernels> create(const TargetInfo &target);

  /// How many operations, or bytes, one of the count is.
  static constexpr int64_t kSteps = 128; // of `clock`
  static constexpr int64_t kLoads = 16;  // of `chase`
  static constexpr int64_t kCalls = 16;  // of `call`
  unsigned numChains;                    // of the others that compute
  int64_t vectorBytes;

  /// Dependent operations of one cycle each.
  Function clock;
  /// Loads of the address that the one before has loaded.
  Function chase;
  /// One pass over `count` blocks of eight vectors; of a copy from the second
  /// half of 2 * count blocks, and half a page on, to the first.
  Function read, write, copy;
  /// A vector store but for its last lane, eight times; null if the machine
  /// has no such instruction.
  Function maskedStore = nullptr;
  /// Operations on vectors in `numChains` chains, or in one.
  Function fma, add, logic, shuffle, fmaChain, addChain;
  /// Calls of a function by its address, `data`; `empty` is one.
  Function call, empty;
  /// Starts and ends threads `count` times.
  Function threads;

  static constexpr int64_t kBlockVectors = 8;
  static constexpr int64_t kCopyShift = 2048;

private:
  CalibrationKernels(LoadedCode code) : code(std::move(code)) {}
  LoadedCode code;
};

} // namespace ein

#endif // EIN_BACKEND_CALIBRATIONKERNELS_H
