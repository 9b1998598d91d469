//===- Threads.h - When threads pay -----------------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many threads there will be is not known when code is compiled, and the
// result's bits are not to depend on it.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_TARGET_THREADS_H
#define EIN_TARGET_THREADS_H

#include "target/MachineModel.h"
#include <cstdint>

namespace ein {

/// As many threads as a usual machine has. Of so few iterations, several do not
/// get about as many each.
inline constexpr int64_t kUsualThreads = 16;

/// From how many cycles on an op is shared: a second thread saves half of them,
/// which is to be twice what it takes to start threads.
inline double getCyclesForThreads(const MachineModel &machine) {
  return 4 * machine.threadStart;
}

} // namespace ein

#endif // EIN_TARGET_THREADS_H
