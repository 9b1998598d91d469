//===- Compile.h - Compilers, called while the benchmark runs ---*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_BENCH_COMPILE_H
#define EIN_BENCH_COMPILE_H

#include <string>
#include <vector>

namespace ein::bench {

/// Runs a program with its output in `log`. Returns the seconds it took, or a
/// negative number if it did not end with status 0.
double runCommand(const std::vector<std::string> &arguments,
                  const std::string &log);

/// The first line of what `program --version` prints; `log` is overwritten.
std::string getVersion(const std::string &program, const std::string &log);

bool writeFile(const std::string &path, const std::string &text);

/// A function of a shared object that stays loaded; null if it is not there.
void *loadFunction(const std::string &library, const char *name);

} // namespace ein::bench

#endif // EIN_BENCH_COMPILE_H
