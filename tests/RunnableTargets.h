//===- RunnableTargets.h - Machines whose code runs here --------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What tests draw from. Each is a machine of its own to einc: the vectors,
// registers and caches of a family.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_TESTS_RUNNABLETARGETS_H
#define EIN_TESTS_RUNNABLETARGETS_H

#include "target/Target.h"
#include <vector>

namespace ein {

/// The host is the last.
inline const std::vector<TargetInfo> &getRunnableTargets() {
  static const std::vector<TargetInfo> targets = [] {
    std::vector<TargetInfo> all;
    for (const char *cpu : {"x86-64", "x86-64-v2", "haswell", "znver3",
                            "skylake-avx512", "sapphirerapids", "znver4"}) {
      llvm::Expected<TargetInfo> target = getTarget("", cpu, "");
      if (!target)
        llvm::consumeError(target.takeError()); // no x86
      else if (runsHere(*target))
        all.push_back(*target);
    }
    all.push_back(getHostTarget());
    return all;
  }();
  return targets;
}

} // namespace ein

#endif // EIN_TESTS_RUNNABLETARGETS_H
