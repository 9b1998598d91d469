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

static ein::ExitStatus runCommand(const ein::Options &options) {
  switch (options.command) {
  case ein::Command::Build:
    return ein::runBuild(options);
  case ein::Command::Run:
    return ein::runRun(options);
  case ein::Command::Verify:
    return ein::runVerify(options);
  case ein::Command::Bench:
    return ein::runBench(options);
  case ein::Command::Tune:
    return ein::runTune(options);
  case ein::Command::Explain:
    return ein::runExplain(options);
  case ein::Command::Ops:
    return ein::runOps(options);
  case ein::Command::Fmt:
    return ein::runFmt(options);
  case ein::Command::Targets:
    return ein::runTargets(options);
  case ein::Command::Inspect:
    return ein::runInspect(options);
  case ein::Command::Lsp:
    return ein::runLsp(options);
  case ein::Command::Cache:
    return ein::runCache(options);
  }
  llvm_unreachable("a command that is not run");
}

/// What the user asked to see and did not is an error; left to itself, the
/// stream would end the process in its own words.
static ein::ExitStatus flushOutput(const ein::Options &options) {
  llvm::outs().flush();
  std::error_code error = llvm::outs().error();
  if (!error)
    return ein::kDone;
  llvm::outs().clear_error();
  return ein::reportError(
      options, ein::DiagId::CannotWrite,
      {"cannot write the standard output: " + error.message()});
}

int main(int argc, char **argv) {
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    std::signal(signal, reportCrash);
  ein::ExitStatus status = ein::kDone;
  std::optional<ein::Options> options = ein::parseOptions(argc, argv, status);
  if (options)
    status = runCommand(*options);
  return std::max(status, flushOutput(options.value_or(ein::Options())));
}
