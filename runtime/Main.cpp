//===- Main.cpp - The main of every executable that einc makes ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/CommandLine.h"
#include <cstdio>

/// What the compiler puts beside the code; ends with a null signature.
// NOLINTNEXTLINE(readability-identifier-naming): as generated code calls it.
extern "C" const ein::runtime::EntryRecord __ein_entries[];
// NOLINTNEXTLINE(readability-identifier-naming): the same.
extern "C" const ein::runtime::CpuTable __ein_cpus;
// NOLINTNEXTLINE(readability-identifier-naming): the same.
extern "C" const char __ein_version[];

int main(int argc, char **argv) {
  std::string out, err;
  int status = ein::runtime::runCommandLine(
      argc, argv, __ein_entries, __ein_cpus, __ein_version, out, err);
  std::fwrite(err.data(), 1, err.size(), stderr);
  // A full disk shows in the first for what is long, or else in the second.
  bool isWritten = std::fwrite(out.data(), 1, out.size(), stdout) == out.size();
  if ((std::fflush(stdout) != 0 || !isWritten) && status == 0) {
    std::perror("error: cannot write the standard output");
    status = ein::runtime::ExitWrongInput;
  }
  return status;
}
