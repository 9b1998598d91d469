//===- Startup.h - What it takes to start a compiler ------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_BENCH_STARTUP_H
#define EIN_BENCH_STARTUP_H

#include <string>

namespace ein::bench {

/// Prints how long `einc --version` takes beside `mlir-opt --version`, which
/// loads the same libraries: what every command pays before it does anything.
/// Logs go to `directory`.
void printStartup(const std::string &einc, const std::string &mlirOpt,
                  const std::string &directory);

} // namespace ein::bench

#endif // EIN_BENCH_STARTUP_H
