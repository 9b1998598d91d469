//===- main.cpp - einc --------------------------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Commands.h"
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

int main(int argc, char **argv) {
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    std::signal(signal, reportCrash);
  ein::ExitStatus status = ein::kDone;
  std::optional<ein::Options> options = ein::parseOptions(argc, argv, status);
  if (!options)
    return status;
  switch (options->command) {
  case ein::Command::Build:
    status = ein::runBuild(*options);
    break;
  case ein::Command::Run:
    status = ein::runRun(*options);
    break;
  case ein::Command::Verify:
    status = ein::runVerify(*options);
    break;
  case ein::Command::Bench:
    status = ein::runBench(*options);
    break;
  case ein::Command::Explain:
    status = ein::runExplain(*options);
    break;
  case ein::Command::Ops:
    status = ein::runOps(*options);
    break;
  case ein::Command::Fmt:
    status = ein::runFmt(*options);
    break;
  case ein::Command::Targets:
    status = ein::runTargets(*options);
    break;
  }
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
