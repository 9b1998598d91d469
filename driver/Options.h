//===- Options.h - What the command line asks for -----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DRIVER_OPTIONS_H
#define EIN_DRIVER_OPTIONS_H

#include "backend/DiskCache.h"
#include "driver/Compiler.h"
#include "runtime/CommandLine.h"
#include <optional>
#include <string>
#include <vector>

namespace ein {

enum class Command {
  Build,
  Run,
  Verify,
  Bench,
  Tune,
  Explain,
  Fmt,
  Ops,
  Targets,
  Inspect,
  Lsp,
  Cache
};

struct Options {
  Command command = Command::Build;

  /// The source: a file's name, or the text of `-e`.
  std::string file;
  std::optional<std::string> text;
  /// `[NAME=]FILE` or `[NAME=]VALUE` (run).
  std::vector<std::string> operands;

  CompileOptions compile;
  bool hasDataType = false; // --dtype was given
  std::string entry;        // empty: the last def
  /// Object files and libraries that define what the code calls.
  std::vector<std::string> linkFiles;
  bool useColor = false;
  bool jsonDiagnostics = false;

  // build
  EmissionKind kind = EmissionKind::Exe;
  std::string output;
  std::string depfile; // empty: none
  bool verifyDiagnostics = false;

  // run
  std::vector<std::string> outputs;

  // verify, bench
  uint64_t seed = 1;
  runtime::Bindings sizes;
  std::vector<std::string> inputFiles;
  std::vector<std::string> outputFiles;

  // bench, tune, explain, inspect, cache
  bool json = false;

  // bench, explain
  std::string html; // where the page is written; empty: nowhere
  bool measures = false;

  // run, verify, cache
  /// Where compiled code is kept; none if it is not.
  std::optional<DiskCache> cache;
  bool clearsCache = false;

  // tune
  unsigned tuningSeconds = 60;
  unsigned mostWays = 16; // of an op that are measured
  bool listsWays = false; // and measures none

  // ops
  std::string op; // empty: all

  // fmt, inspect
  std::vector<std::string> files;
  bool onlyChecks = false;

  // lsp
  bool isLspTest = false; // messages as tests write them

  // targets
  bool listsAllTargets = true; // no machine is named
  bool printsModel = false;
  std::string calibration; // the file to write; empty: none
  unsigned calibrationSeconds = 30;
};

/// Reads the command line. Without a value, `status` is how to exit: done after
/// `--help` or `--version`, else a wrong command line, which has been reported.
std::optional<Options> parseOptions(int argc, char **argv, ExitStatus &status);
/// The same without printing: what is wrong is in `diags`, what `--help` and
/// its like say in `text`.
std::optional<Options> parseOptions(int argc, const char *const *argv,
                                    ExitStatus &status, DiagnosticEngine &diags,
                                    std::string &text);

} // namespace ein

#endif // EIN_DRIVER_OPTIONS_H
