//===- Compiler.h - From source text to an artefact ---------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DRIVER_COMPILER_H
#define EIN_DRIVER_COMPILER_H

#include "abi/Signature.h"
#include "distribute/Network.h"
#include "driver/EmissionKind.h"
#include "driver/TunedFile.h"
#include "frontend/check/Sema.h"
#include "frontend/parse/Parser.h"
#include "frontend/source/Diagnostics.h"
#include "order/ContractionOrder.h"
#include "target/MachineFeatures.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <functional>
#include <optional>
#include <string>

namespace ein {

/// Exit statuses, as in the specification.
enum ExitStatus : int {
  kDone = 0,
  kWrongInput = 1,
  kWrongCommandLine = 2,
  kVerificationFailed = 3,
  kInternalError = 70,
};

/// Of which modules on the way there is to be code of their own, to validate
/// what compilation does: of each level, or of what each pass leaves.
enum class KeptStates : uint8_t { None, Levels, Passes };

/// A module as a pass, or the whole pipeline to a level, has left it.
struct ModuleState {
  /// The level that it is at, or on the way to.
  std::string level;
  /// The pass's flag; empty for the pipeline.
  std::string pass;
  /// Made by the pipeline `ein-plain`, with the uniform entries.
  llvm::SmallVector<char, 0> object;
  std::string error; // why there is no object

  /// "level `tiled`", or "pass `ein-fuse-rows`, on the way to level `tiled`".
  std::string describe() const;
};

/// What a pass said of itself: a sentence, which is a remark as well unless it
/// is empty, and the same as facts for who draws it.
struct Finding {
  std::string category, name;
  SourceRange range;
  /// `range`, and those of the other statements that it is about.
  llvm::SmallVector<SourceRange, 1> ranges;
  std::string text;
  std::vector<std::pair<std::string, std::string>> facts;
};

class StageObserver;

/// For how many ranks, by whose MPI, and what the ranks have.
struct DistributionOptions {
  bool isWanted = false;
  /// Code is to be for them, and not only what is said of it.
  bool makesFunctions = false;
  /// `4`, `2x2x1`, or empty for any number.
  std::string ranks;
  std::string mpi = "openmpi";
  /// What a rank may take; 0 for any amount.
  uint64_t maxMemoryBytes = 0;
  /// What predictions are for, and grids are chosen for when functions run.
  distribute::Network network;
  /// The file that `network` is from; empty: einc's own numbers.
  std::string networkFile;
};

struct CompileOptions {
  SourceForm form = SourceForm::File;
  CheckOptions check;
  unsigned optLevel = 3;
  /// How much LLVM optimises, and how much its code generator does; as
  /// `optLevel` if they are not set.
  std::optional<unsigned> llvmOptLevel, codegenLevel;
  TargetInfo target;
  /// The file that `target.machine` is from; empty: einc's own table.
  std::string machineFile;
  /// What was measured to be the fastest, and the file that says so; nothing
  /// and empty if there is none.
  std::vector<TunedEntry> tuned;
  std::string tunedFile;
  /// The CPUs that code chooses from when it runs, `target` first; empty for
  /// code for `target` alone.
  std::vector<TestedCpu> cpus;
  /// Put before the name of every C function, and of the def it is made from.
  std::string prefix;
  /// `a::b`, where the C++ header has its functions; empty for no namespace.
  std::string nameSpace;
  /// Make the uniform entries of abi/Signature.h instead of C functions.
  bool packed = false;
  /// Defs that are not public are compiled as well, for who is here.
  bool keepsPrivate = false;
  /// Run what is worth it in OpenMP's threads.
  bool parallel = false;
  /// What is said of many ranks, and functions for them.
  DistributionOptions distribution;
  /// Beside the uniform entries, make those that take strides; C functions
  /// always have them.
  bool views = false;
  /// Have entries check sizes and overlap.
  bool checks = true;
  /// Have floating-point sums keep their order, and each operation round.
  bool strictFP = false;
  /// Have matrices of f32 multiplied as sums of halves.
  bool splitsProducts = false;
  KeptStates keptStates = KeptStates::None;
  /// Print MLIR with its locations, and keep them as line tables in LLVM IR.
  bool debug = false;
  /// Print how long each pass and stage took to standard error.
  bool timePasses = false;
  /// A pass after which the IR is printed to standard error; empty for none.
  std::string printAfter;
  /// How products of three factors or more are put in order.
  ContractionOrderOptions order;
  /// A file with their orders; empty for none.
  std::string pathFile;
  /// What contractions are mapped to: nothing, or BLAS.
  bool useBlas = false;
  /// What contractions pack, what threads share, and how many columns of
  /// attention are done at a time: as it pays; or, for tests, what `packing=`,
  /// `threads=` and `column-block=` of ein-select-schedule take.
  std::string packing = "auto";
  std::string sharing = "auto";
  int64_t columnBlock = 0;
  /// A transform script that comes before our passes; empty for
  /// none.
  std::string transformFile;
  /// What to report, by the names of Reports.def.
  std::vector<std::string> reports;
  /// Told what is being done, before it is done: a level's name, `optimising`.
  std::function<void(llvm::StringRef)> onStage;
  /// Where every stage is written, numbered; empty for nowhere.
  std::string dumpDir;
  /// Sees every stage (Stages.h); null: nobody does.
  StageObserver *observer = nullptr;
};

/// A function of the program, as callers see it.
struct CompiledEntry {
  runtime::Signature signature;
  /// What it checks of the sizes, in words.
  std::vector<std::string> checks;
  /// It is no helper of the program's.
  bool isPublic = true;
};

/// What compilation leaves: the bytes of the kind asked for (for libraries
/// and executables, those of the object that they are made of), and the program
/// it understood (empty for MLIR, and for what comes from the cache).
struct Compilation {
  ExitStatus status = kDone;
  Program program;
  std::vector<CompiledEntry> entries; // as defined
  llvm::SmallVector<char, 0> output;
  /// The object needs OpenMP's runtime.
  bool usesThreads = false;
  /// What CompileOptions::keptStates asks for, in order.
  std::vector<ModuleState> states;
  /// Of the categories CompileOptions::reports that passes report, in order.
  std::vector<Finding> findings;
  /// Of what comes from the cache: what was said when it was compiled.
  std::vector<Diagnostic> said;

  /// The entry named `name`, or the last one when `name` is empty; null if
  /// none.
  const CompiledEntry *find(llvm::StringRef name) const;
};

/// Compiles `file` as far as `kind`. Whatever fails is reported to `diags`, and
/// `status` says whose fault it is.
Compilation compile(Sources &file, EmissionKind kind,
                    const CompileOptions &options, DiagnosticEngine &diags);

/// A C header for the program's functions; `source` is named in its comment,
/// and so are the CPUs that the code chooses from.
std::string emitHeader(const Program &program, llvm::StringRef source,
                       llvm::ArrayRef<TestedCpu> cpus,
                       const DistributionOptions &distribution = {});
/// The same for functions that are known by their signatures only.
std::string emitHeader(llvm::ArrayRef<CompiledEntry> entries,
                       llvm::StringRef source, llvm::ArrayRef<TestedCpu> cpus);
/// A C++ header, which has the declarations of the C header as well.
/// Its functions are in `nameSpace`, unless that is empty.
std::string emitCppHeader(const Program &program, llvm::StringRef source,
                          llvm::StringRef nameSpace,
                          llvm::ArrayRef<TestedCpu> cpus);

/// Reports a name that means something in C already, to the compiler or to the
/// linker; if the function is not visible to either, only our own names are
/// refused. The name is the full one, with its prefix.
llvm::LogicalResult checkName(llvm::StringRef name, SourceRange range,
                              bool isVisible, DiagnosticEngine &diags);

/// Reports functions with the same name among all that defs of these (full)
/// names are made into.
llvm::LogicalResult
checkEntryNames(llvm::ArrayRef<std::pair<llvm::StringRef, SourceRange>> names,
                DiagnosticEngine &diags);

} // namespace ein

#endif // EIN_DRIVER_COMPILER_H
