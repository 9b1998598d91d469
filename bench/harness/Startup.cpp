//===- Startup.cpp - What it takes to start a compiler --------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/harness/Startup.h"
#include "bench/harness/Clock.h"
#include "bench/harness/Compile.h"
#include <cstdio>

namespace ein::bench {

void printStartup(const std::string &einc, const std::string &mlirOpt,
                  const std::string &directory) {
  constexpr int rounds = 11;
  constexpr double bar = 1.5;
  std::string log = directory + "/version.log";
  std::vector<double> ours, theirs;
  for (int round = 0; round <= rounds; ++round) {
    double first = runCommand({einc, "--version"}, log);
    double second = runCommand({mlirOpt, "--version"}, log);
    if (first < 0 || second < 0) {
      std::printf("startup: `%s --version` does not run\n",
                  first < 0 ? einc.c_str() : mlirOpt.c_str());
      return;
    }
    // The first of all reads files that later ones find in memory.
    if (round == 0)
      continue;
    ours.push_back(first);
    theirs.push_back(second);
  }
  std::printf("startup, einc --version / mlir-opt --version: %.2f (%.1f ms / "
              "%.1f ms), bar %.2f\n",
              getMedian(ours) / getMedian(theirs), getMedian(ours) * 1e3,
              getMedian(theirs) * 1e3, bar);
}

} // namespace ein::bench
