//===- Commands.h - What einc can be told to do -----------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DRIVER_COMMANDS_H
#define EIN_DRIVER_COMMANDS_H

#include "driver/Options.h"

namespace ein {

/// Each does what its command says, reports to standard error, and returns how
/// to exit.
ExitStatus runBuild(const Options &options);
ExitStatus runRun(const Options &options);
ExitStatus runVerify(const Options &options);
ExitStatus runBench(const Options &options);
ExitStatus runTune(const Options &options);
ExitStatus runExplain(const Options &options);
ExitStatus runOps(const Options &options);
ExitStatus runFmt(const Options &options);
ExitStatus runTargets(const Options &options);
ExitStatus runInspect(const Options &options);
ExitStatus runLsp(const Options &options);
ExitStatus runCache(const Options &options);

/// Reports what is about no place in a source; `status` is how to exit then.
ExitStatus reportError(const Options &options, DiagId id,
                       llvm::ArrayRef<std::string> args,
                       ExitStatus status = kWrongInput);
/// That no def is called `name`, and what they are called.
ExitStatus reportUnknownDef(const Options &options, llvm::StringRef name,
                            llvm::ArrayRef<llvm::StringRef> names);
/// The arguments of that message, DiagId::UnknownDef.
std::vector<std::string>
describeUnknownDef(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> names);
std::vector<llvm::StringRef> getNames(const Program &program);

/// Words after a label, in lines of 79 columns.
void printWrapped(llvm::raw_ostream &os, llvm::ArrayRef<std::string> words);

/// The source that the command line names; empty if it cannot be read, which
/// has been reported.
std::optional<Sources> readSource(const Options &options);
/// The same of a file, or of the standard input, `-`.
std::optional<Sources> readSource(const Options &options,
                                  const std::string &name);

/// Writes what becomes of a program, as the page of `einc explain` or as JSON.
/// What is wrong is in `diags`; so are the remarks that the page is made of.
ExitStatus explain(const Options &options, Sources &file, bool asJson,
                   DiagnosticEngine &diags, llvm::raw_ostream &os);

/// Prints what was found and counts a bug of ours as such.
void printAll(const Options &options, const Sources &file,
              llvm::ArrayRef<Diagnostic> diagnostics, ExitStatus status);
inline void printAll(const Options &options, const Sources &file,
                     const DiagnosticEngine &diags, ExitStatus status) {
  printAll(options, file, diags.getDiagnostics(), status);
}

/// Compiled code in this process, ready to be called.
struct CallableEntry {
  runtime::Signature signature;
  runtime::PackedFunction function = nullptr;
};

class LoadedProgram {
public:
  LoadedProgram();
  ~LoadedProgram();
  LoadedProgram(LoadedProgram &&);

  /// Compiles and loads; reports what is wrong and returns the status.
  ExitStatus load(const Options &options, Sources &file);

  /// Code from the cache has none: it is understood again then.
  const Program &getProgram() const;
  /// What CompileOptions::keptStates asked for.
  llvm::ArrayRef<ModuleState> getStates() const;
  /// What CompileOptions::reports asked for.
  llvm::ArrayRef<Finding> getFindings() const;
  /// The compiled form of a def of the program.
  std::optional<CallableEntry> lookup(const Def &def) const;
  /// The same by name, for MLIR also, which has no defs; the last if the name
  /// is empty. Reports it if there is none.
  std::optional<CallableEntry> lookup(llvm::StringRef name) const;
  /// What `verify` and `bench` take: all, unless one is named or files are
  /// given for one. Reports it if there is none of that name.
  ExitStatus selectEntries(const Options &options,
                           std::vector<CallableEntry> &entries) const;
  /// Its entry for views, if it was compiled with CompileOptions::views: every
  /// argument is a scalar or a struct {data, sizes, strides}, and `sizes` are
  /// those that no extent gives.
  runtime::PackedFunction lookupView(const Def &def) const;

private:
  struct State;
  std::unique_ptr<State> state;
};

/// What the code is linked with, beside the runtime.
std::vector<std::string> getLibraries(const Options &options);

/// What of `given` is for this one of several entries: all but the sizes that
/// only others have. Names that none has stay, to be complained about.
runtime::Bindings selectSizes(const runtime::Bindings &given,
                              const runtime::Signature &signature,
                              llvm::ArrayRef<CallableEntry> entries);

/// The width of the floating-point type that the def computes in; none if that
/// is no single one of f32 and f64.
std::optional<unsigned> getFloatBits(const Def &def);

/// Multiplications, additions and functions that a def needs at least, as the
/// order of contraction chosen for these sizes performs them.
double countFlops(const Def &def, llvm::ArrayRef<int64_t> symbolValues,
                  const ContractionOrderOptions &options);
/// Whether the reference is done with the def in about a second.
bool isQuickToEvaluate(const Def &def, llvm::ArrayRef<int64_t> symbolValues,
                       const ContractionOrderOptions &options);
/// Of one statement, as if it shared no products with others.
double countFlops(const Def &def, const Statement &statement,
                  llvm::ArrayRef<int64_t> symbolValues,
                  const ContractionOrderOptions &options);
/// Those of each statement.
std::vector<double>
countFlopsByStatement(const Def &def, llvm::ArrayRef<int64_t> symbolValues,
                      const ContractionOrderOptions &options);

} // namespace ein

#endif // EIN_DRIVER_COMMANDS_H
