//===- Stages.h - The stages of compilation ---------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A stage is a function from what the stages before it have made to one thing
// more. Compiler.cpp has the table of them; FrontEndStages.cpp,
// ModuleStages.cpp and CodeStages.cpp have the functions.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_DRIVER_STAGES_H
#define EIN_DRIVER_STAGES_H

#include "driver/Compiler.h"
#include "driver/DocumentForms.h"
#include "driver/Path.h"
#include "frontend/lex/Lexer.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Support/Timing.h"
#include "passes/pipelines/Pipelines.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace ein {

/// What compilation was asked for, and what its stages have made so far.
struct CompileState {
  CompileState(Sources &file, EmissionKind wanted,
               const CompileOptions &options, DiagnosticEngine &diags,
               Compilation &result)
      : file(file), wanted(wanted), options(options), diags(diags),
        result(result) {}

  Sources &file;
  const EmissionKind wanted;
  const CompileOptions &options;
  DiagnosticEngine &diags;
  Compilation &result;
  /// Of several CPUs that for which code is being made; null where it is for
  /// all of them.
  const TargetInfo *variant = nullptr;
  /// How compilation ends if a stage fails.
  ExitStatus statusOfFailure = kWrongInput;
  /// What MLIR's errors are while a pass looks whether it can do what is asked.
  std::optional<DiagId> refusal;

  // Of a program: text or YAML.
  TokenBuffer tokens = {nullptr, {}};
  ast::Module tree;
  PathQualities qualities;

  // Of a module, as it is read.
  std::optional<RewrittenText> rewritten;

  // From the level `mlir` on. The members' order is that of their dependence.
  std::unique_ptr<mlir::MLIRContext> context;
  std::unique_ptr<mlir::ScopedDiagnosticHandler> errorHandler;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  Level level = Level::Mlir;
  /// The module is as it came, so that its own level is still to be passed.
  bool isAtEntry = true;

  // From LLVM IR on.
  llvm::LLVMContext llvmContext;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::Module> code;
  llvm::SmallVector<char, 0> assembly;
  /// For several CPUs, the code for each of them that there is, and what
  /// chooses.
  std::vector<std::unique_ptr<llvm::Module>> variants;
  std::unique_ptr<llvm::Module> dispatcher;

  bool isForSeveral() const { return !options.cpus.empty(); }
  const TargetInfo &getTarget() const {
    return variant ? *variant : options.target;
  }
  bool isModule() const { return options.form == SourceForm::MLIR; }
  /// Makes a context whose errors become diagnostics `id`.
  void createContext(DiagId id);
  /// Tells who waits what is being done.
  void announce(llvm::StringRef doing) const {
    if (options.onStage)
      options.onStage(variant ? (doing + " for " + variant->cpu).str()
                              : doing.str());
  }
};

struct Stage {
  /// What can be emitted behind it; if nothing, it has no `print`.
  std::optional<EmissionKind> kind;
  /// Whether this compilation passes through it.
  bool (*applies)(const CompileState &state, EmissionKind kind);
  /// Under which name its time is counted.
  llvm::StringLiteral phase;
  /// Null if all that it needs is there. What fails has been reported.
  llvm::LogicalResult (*run)(CompileState &state, mlir::TimingScope &timing);
  void (*print)(CompileState &state, llvm::raw_ostream &os);
};

/// Told of each stage that can be emitted, when it is done.
class StageObserver {
public:
  virtual ~StageObserver() = default;
  virtual void visit(const Stage &stage, CompileState &state) = 0;
};

namespace stages {

// FrontEndStages.cpp: from text to a checked program.
llvm::LogicalResult lexText(CompileState &, mlir::TimingScope &);
llvm::LogicalResult parseText(CompileState &, mlir::TimingScope &);
llvm::LogicalResult checkTree(CompileState &, mlir::TimingScope &);
llvm::LogicalResult orderProducts(CompileState &, mlir::TimingScope &);
llvm::LogicalResult nameFunctions(CompileState &, mlir::TimingScope &);
void printTokens(CompileState &, llvm::raw_ostream &);
void printTree(CompileState &, llvm::raw_ostream &);
void printProgram(CompileState &, llvm::raw_ostream &);
void printRanges(CompileState &, llvm::raw_ostream &);
void printSource(CompileState &, llvm::raw_ostream &);
void printOpdsl(CompileState &, llvm::raw_ostream &);
void printOds(CompileState &, llvm::raw_ostream &);
void printPaths(CompileState &, llvm::raw_ostream &);
void printHeader(CompileState &, llvm::raw_ostream &);
void printCppHeader(CompileState &, llvm::raw_ostream &);

// ModuleStages.cpp: from a program, or a user's MLIR, to the llvm dialect.
llvm::LogicalResult readModule(CompileState &, mlir::TimingScope &);
llvm::LogicalResult emitModule(CompileState &, mlir::TimingScope &);
llvm::LogicalResult lowerToLevel(CompileState &, mlir::TimingScope &);
void printModule(CompileState &, llvm::raw_ostream &);
/// Whether `kind` is the level that the module comes to next.
bool isNextLevel(const CompileState &state, EmissionKind kind);

// CodeStages.cpp: from the llvm dialect to an object.
llvm::LogicalResult translateModule(CompileState &, mlir::TimingScope &);
/// The code for one of several CPUs becomes the last of `variants`.
llvm::LogicalResult translateVariant(CompileState &, mlir::TimingScope &);
/// `variants` become `code`, which chooses from them.
llvm::LogicalResult joinVariants(CompileState &);
llvm::LogicalResult generateAssembly(CompileState &, mlir::TimingScope &);
llvm::LogicalResult generateObject(CompileState &, mlir::TimingScope &);
void printCode(CompileState &, llvm::raw_ostream &);
void printBitcode(CompileState &, llvm::raw_ostream &);
void printAssembly(CompileState &, llvm::raw_ostream &);

} // namespace stages
} // namespace ein

#endif // EIN_DRIVER_STAGES_H
