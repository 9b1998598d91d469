//===- main.cpp - einc --------------------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Commands.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <csignal>
#include <cstring>
#include <unistd.h>

/// A crash is a bug of ours, and says so; outputs appear under their names only
/// when they are complete, so none is left half-written.
static void reportCrash(int) {
  static const char message[] =
      "einc: internal error: crashed; this is a bug of einc, not of your "
      "program; please report it with the program\n";
  (void)!write(STDERR_FILENO, message, std::strlen(message));
  _exit(ein::kInternalError);
}

static ein::ExitStatus runCommand(int argc, char **argv) {
  ein::ExitStatus status = ein::kDone;
  std::optional<ein::Options> options = ein::parseOptions(argc, argv, status);
  if (!options)
    return status;
  switch (options->command) {
  case ein::Command::Build:
    return ein::runBuild(*options);
  case ein::Command::Run:
    return ein::runRun(*options);
  case ein::Command::Verify:
    return ein::runVerify(*options);
  case ein::Command::Bench:
    return ein::runBench(*options);
  case ein::Command::Explain:
    return ein::runExplain(*options);
  case ein::Command::Ops:
    return ein::runOps(*options);
  case ein::Command::Fmt:
    return ein::runFmt(*options);
  case ein::Command::Targets:
    return ein::runTargets(*options);
  }
  llvm_unreachable("a command that is not run");
}

int main(int argc, char **argv) {
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    std::signal(signal, reportCrash);
  ein::ExitStatus status = runCommand(argc, argv);
  // What the user asked to see and did not is an error; left to itself, the
  // stream would end the process in its own words.
  llvm::outs().flush();
  if (std::error_code error = llvm::outs().error()) {
    llvm::outs().clear_error();
    llvm::errs() << "einc: error: cannot write the standard output: "
                 << error.message() << "\n";
    status = std::max(status, ein::kWrongInput);
  }
  return status;
}
