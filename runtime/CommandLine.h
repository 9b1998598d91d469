//===- CommandLine.h - What an executable is asked to do --------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The command line of every executable that einc makes, in parts, because
// `einc run` shares everything below the options:
//
//   parseCommandLine   text -> CommandLine
//   runEntry           load, bind, call, write
//   runCommandLine     all of it; what Main.cpp calls
//
// All results are computed before the first is written, and all are written
// before the first appears under its name.
//
// Nothing here prints or exits: text for the two streams is appended to
// strings, and the exit status returned.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_RUNTIME_COMMANDLINE_H
#define EIN_RUNTIME_COMMANDLINE_H

#include "runtime/Call.h"
#include <functional>

namespace ein::runtime {

enum ExitStatus : int {
  ExitDone = 0,
  ExitWrongInput = 1,
  ExitWrongCommandLine = 2,
  ExitInternalError = 70,
};

struct CommandLine {
  /// `[NAME=]FILE` or, for a scalar, `[NAME=]VALUE`, as written.
  std::vector<std::string> operands;
  /// `-o`'s `[NAME=]FILE`, as written.
  std::vector<std::string> outputs;
  std::string entry; // empty: the last
  std::optional<uint64_t> seed;
  Bindings bindings;
  /// Of programs for many ranks: where sums of slices are saved, and after how
  /// many seconds.
  std::optional<std::string> checkpoint;
  std::optional<double> checkpointInterval;
  bool bench = false;
  bool time = false;
  bool describe = false;
  bool version = false;
  bool help = false;
  /// What of the sizes made the call fail, if the caller knows: text, or none.
  std::function<std::string(const std::vector<int64_t> &)> explainSizes;
};

/// `arguments` without the program's name. Options may stand anywhere before
/// `--`; `--name VALUE` and `--name=VALUE` are the same.
bool parseCommandLine(const std::vector<std::string> &arguments,
                      CommandLine &commandLine, std::string &error);

/// That no operand and no result has the suffix of another kind of file, as
/// `A.csv`.
bool checkSuffixes(const CommandLine &commandLine, std::string &error);

/// Says which of `[NAME=]TEXT` belongs to which argument. `NAME=` counts where
/// NAME is one of the arguments in question (those that are read, or those
/// that are results); otherwise the `=` is part of TEXT, and the item goes to
/// the first argument that no other item names or has taken. `assigned` has
/// one entry per Signature::arguments, empty for none.
bool assignItems(const Signature &signature, bool results,
                 const std::vector<std::string> &items,
                 std::vector<std::optional<std::string>> &assigned,
                 std::string &error);

/// Reads the files and scalars that `operands` name into `invocation`. False
/// with the exit status to use.
bool loadOperands(const std::vector<std::string> &operands,
                  Invocation &invocation, std::string &error, int &status);

/// Everything that follows once an entry has been chosen. `out` gets what the
/// user asked to see: times, or the results themselves when neither `-o` nor a
/// time is asked for.
int runEntry(const Signature &signature, PackedFunction function,
             const CommandLine &commandLine, std::string &out,
             std::string &error);

/// The whole program. `entries` ends with a null signature, `cpus` is what
/// their code chooses from, and `version` says what made them. Errors are
/// written as `mm: error: …`.
int runCommandLine(int argc, const char *const *argv,
                   const EntryRecord *entries, const CpuTable &cpus,
                   const char *version, std::string &out, std::string &err);

} // namespace ein::runtime

#endif // EIN_RUNTIME_COMMANDLINE_H
