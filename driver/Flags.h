//===- Flags.h - What the command line says, unchecked ----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: the command line as it is typed, by CLI11 (Options.cpp). Comes out:
// what einc is to do, or what is wrong (CheckOptions.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DRIVER_FLAGS_H
#define EIN_DRIVER_FLAGS_H

#include "driver/Options.h"
#include "llvm/ADT/Twine.h"

namespace ein {

/// The flags as they are typed, before they are checked together.
struct Flags {
  std::vector<std::string> positionals;
  std::optional<std::string> text;
  std::string bind, dtype, target, cpu, features, machine, tuned, emit,
      color = "auto";
  unsigned sveBits = 0;
  std::string diagnostics = "text";
  std::vector<std::string> warnings;
  std::vector<std::string> reports;
  std::string optLevel = "3", llvmOptLevel, library = "none",
              broadcast = "none", precision = "f32";
  std::string path = "auto", maxTemp;
  bool hasNoChecks = false;
  /// `--distribute` without and with a value; `--max-memory`.
  std::optional<std::string> distribute;
  std::string mpi, maxMemory, network;
  bool hasNoCache = false, showsCache = false;
};

/// How einc ends if the command line does not say what to do.
struct Outcome {
  ExitStatus &status;
  DiagnosticEngine &diags;
};

/// Reports a wrong command line.
std::nullopt_t reject(Outcome &outcome, const llvm::Twine &message);

/// "; did you mean `build`?", or nothing.
std::string suggest(llvm::StringRef name,
                    llvm::ArrayRef<llvm::StringRef> candidates);

/// Whether an option has one of the values that it takes.
bool checkChoice(llvm::StringRef flag, llvm::StringRef value,
                 llvm::ArrayRef<llvm::StringRef> choices, Outcome &outcome);

/// The text of a file that an option names; none, and a report, if it cannot be
/// read.
std::optional<std::string> readOptionFile(const std::string &name,
                                          Outcome &outcome);
/// Reports what is wrong with a file of a machine or a network, a MachineError.
void rejectModel(const std::string &name, llvm::Error error, Outcome &outcome);

/// A number of bytes, with a unit of 1024 or 1000 or none; not 0.
std::optional<uint64_t> parseBytes(llvm::StringRef text);

/// Puts what the flags say of many ranks into the options, or reports it.
bool setDistribution(Flags &flags, DistributionOptions &distribution,
                     Outcome &outcome);
/// Whether what is asked for goes together.
bool checkDistribution(const Options &options, Outcome &outcome);

/// The names of `--report`.
llvm::SmallVector<llvm::StringRef> getReports();

/// Everything that CLI11 does not check.
std::optional<Options> finish(Flags &flags, Options options, Outcome &outcome);

} // namespace ein

#endif // EIN_DRIVER_FLAGS_H
