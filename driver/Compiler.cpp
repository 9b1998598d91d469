//===- Compiler.cpp - From source text to an artefact -------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The whole story is `compile`, at the end. Each stage is a function from one
// thing to the next; after each, `Stages::reach` writes it down if it is dumped
// and says whether it is what was asked for.
//
//===----------------------------------------------------------------------===//

#include "driver/Compiler.h"
#include "backend/Backend.h"
#include "driver/Registration.h"
#include "frontend/Lexer.h"
#include "frontend/Printer.h"
#include "ir/EmitMLIR.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "passes/Pipelines.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace mlir;

namespace ein {

StringRef getName(EmissionKind kind) {
  switch (kind) {
#define EIN_EMISSION(ENUM, NAME, SUFFIX, IS_TEXT, TEXT)                        \
  case EmissionKind::ENUM:                                                     \
    return NAME;
#include "driver/EmissionKinds.def"
  }
  llvm_unreachable("a kind that is not in EmissionKinds.def");
}

StringRef getSuffix(EmissionKind kind) {
  switch (kind) {
#define EIN_EMISSION(ENUM, NAME, SUFFIX, IS_TEXT, TEXT)                        \
  case EmissionKind::ENUM:                                                     \
    return SUFFIX;
#include "driver/EmissionKinds.def"
  }
  llvm_unreachable("a kind that is not in EmissionKinds.def");
}

bool isText(EmissionKind kind) {
  switch (kind) {
#define EIN_EMISSION(ENUM, NAME, SUFFIX, IS_TEXT, TEXT)                        \
  case EmissionKind::ENUM:                                                     \
    return IS_TEXT;
#include "driver/EmissionKinds.def"
  }
  llvm_unreachable("a kind that is not in EmissionKinds.def");
}

std::optional<EmissionKind> parseEmissionKind(StringRef name) {
  return llvm::StringSwitch<std::optional<EmissionKind>>(name)
#define EIN_EMISSION(ENUM, NAME, SUFFIX, IS_TEXT, TEXT)                        \
  .Case(NAME, EmissionKind::ENUM)
#include "driver/EmissionKinds.def"
      .Default(std::nullopt);
}

std::optional<EmissionKind> getKindOfSuffix(StringRef suffix) {
  // StringSwitch takes the first match. Dumps alone are `.txt`.
  if (suffix.empty() || suffix == "txt")
    return std::nullopt;
  return llvm::StringSwitch<std::optional<EmissionKind>>(suffix)
#define EIN_EMISSION(ENUM, NAME, SUFFIX, IS_TEXT, TEXT)                        \
  .Case(SUFFIX, EmissionKind::ENUM)
#include "driver/EmissionKinds.def"
      .Default(std::nullopt);
}

namespace {

/// The stages on the way to the one that is wanted.
class Stages {
public:
  Stages(EmissionKind wanted, StringRef dumpDir, Compilation &result)
      : wanted(wanted), dumpDir(dumpDir), result(result) {}

  /// Called once for each stage, in order. True if compilation ends here:
  /// because this is what was wanted, or because it could not be dumped.
  bool reach(EmissionKind kind, llvm::function_ref<void(raw_ostream &)> print) {
    if (!dumpDir.empty() && !dump(kind, print)) {
      result.status = kWrongInput;
      return true;
    }
    if (kind != wanted)
      return false;
    llvm::raw_svector_ostream stream(result.output);
    print(stream);
    return true;
  }

private:
  bool dump(EmissionKind kind, llvm::function_ref<void(raw_ostream &)> print) {
    SmallString<128> path(dumpDir);
    llvm::sys::path::append(path, llvm::formatv("{0:02}-{1}.{2}", ++number,
                                                getName(kind), getSuffix(kind))
                                      .str());
    llvm::Error error =
        llvm::writeToOutput(path, [&](raw_ostream &stream) -> llvm::Error {
          print(stream);
          return llvm::Error::success();
        });
    if (!error)
      return true;
    llvm::errs() << "einc: error: cannot write `" << path
                 << "`: " << llvm::toString(std::move(error)) << "\n";
    return false;
  }

  EmissionKind wanted;
  StringRef dumpDir;
  Compilation &result;
  unsigned number = 0;
};

/// Feeds MLIR's errors, each a bug of ours by the time they appear, into our
/// diagnostics.
class BugReporter {
public:
  BugReporter(MLIRContext *context, const SourceFile &file,
              DiagnosticEngine &diags)
      : handler(context, [&](mlir::Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
            return success();
          diags.report(DiagId::InternalError,
                       getRange(file, diagnostic.getLocation()),
                       {diagnostic.str()});
          return success();
        }) {}

private:
  static SourceRange getRange(const SourceFile &file, Location loc) {
    auto position = loc->findInstanceOf<FileLineColLoc>();
    if (!position || position.getLine() == 0 ||
        position.getLine() > file.getNumLines())
      return {};
    uint32_t begin = file.getLineStart(position.getLine()) +
                     std::max(1u, position.getColumn()) - 1;
    return {begin, begin + 1};
  }

  ScopedDiagnosticHandler handler;
};

} // namespace

/// Runs one level's pipeline; the verifier runs after each pass.
static LogicalResult run(ModuleOp module,
                         llvm::function_ref<void(OpPassManager &)> build) {
  PassManager passes(module->getName());
  build(passes);
  return passes.run(module);
}

/// What the llvm dialect cannot see any more: machine code, step by step.
static LogicalResult generateCode(ModuleOp module, EmissionKind kind,
                                  const CompileOptions &options, Stages &stages,
                                  Compilation &result) {
  auto fail = [](llvm::Error error) {
    llvm::errs() << "einc: error: " << llvm::toString(std::move(error)) << "\n";
    return failure();
  };
  auto machine = createTargetMachine(options.target, options.optLevel);
  if (!machine)
    return fail(machine.takeError());
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> code =
      translate(module, context, **machine, options.target);
  if (!code)
    return failure();
  optimize(*code, **machine, options.optLevel);
  if (stages.reach(EmissionKind::LLVMIR,
                   [&](raw_ostream &os) { code->print(os, nullptr); }))
    return success();

  // Code generation changes the module: the assembly is made of a copy where
  // it is not the end.
  if (kind == EmissionKind::Asm || !options.dumpDir.empty()) {
    auto copy = llvm::CloneModule(*code);
    auto text = emitAssembly(*copy, **machine);
    if (!text)
      return fail(text.takeError());
    if (stages.reach(EmissionKind::Asm, [&](raw_ostream &os) {
          os.write(text->data(), text->size());
        }))
      return success();
  }
  auto object = emitObject(*code, **machine);
  if (!object)
    return fail(object.takeError());
  result.output = std::move(*object);
  return success();
}

static void compileTo(const SourceFile &file, EmissionKind kind,
                      const CompileOptions &options, DiagnosticEngine &diags,
                      Compilation &result) {
  Stages stages(kind, options.dumpDir, result);
  auto fail = [&](ExitStatus status) { result.status = status; };

  // From text to a program that means something.
  // The parser lexes by itself, as a bare einsum string has no tokens; these are
  // only shown, and what is wrong with them is said once.
  DiagnosticEngine unseen;
  TokenBuffer tokens = lex(file, kind == EmissionKind::Tokens ? diags : unseen);
  if (stages.reach(EmissionKind::Tokens,
                   [&](raw_ostream &os) { printTokens(os, tokens); }))
    return;
  ast::Module tree = parseSource(file, options.form, diags);
  if (stages.reach(EmissionKind::Ast,
                   [&](raw_ostream &os) { printAST(os, tree); }))
    return;
  FailureOr<Program> program = check(std::move(tree), options.check, diags);
  if (failed(program))
    return fail(kWrongInput);
  result.program = std::move(*program);
  if (stages.reach(EmissionKind::Program,
                   [&](raw_ostream &os) { printProgram(os, result.program); }))
    return;

  // From here on defs have the names that their C functions have, if any.
  if (!options.packed)
    for (Def &def : result.program.defs)
      def.name = options.prefix + def.name;
  if (failed(checkNames(result.program, /*isVisible=*/!options.packed, diags)))
    return fail(kWrongInput);
  if (stages.reach(EmissionKind::Header, [&](raw_ostream &os) {
        os << emitHeader(result.program, file.getName());
      }))
    return;

  // From the program to MLIR, and down its levels.
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  BugReporter reporter(&context, file, diags);
  OwningOpRef<ModuleOp> module =
      emitMLIR(result.program, &context, file.getName(), [&](uint32_t offset) {
        SourceFile::LineColumn position = file.getLineColumn(offset);
        return std::pair(position.line, position.column);
      });
  OpPrintingFlags flags;
  flags.enableDebugInfo(options.debug);
  auto print = [&](raw_ostream &os) { module->print(os, flags); };
  if (stages.reach(EmissionKind::Mlir, print))
    return;
  if (failed(run(*module, [](OpPassManager &pm) { buildToLinalg(pm, {}); })))
    return fail(kInternalError);
  if (stages.reach(EmissionKind::Linalg, print))
    return;
  if (failed(run(*module, buildToContract)))
    return fail(kInternalError);
  if (stages.reach(EmissionKind::Contract, print))
    return;

  bool isTiledKind = kind == EmissionKind::Tiled ||
                     kind == EmissionKind::Vector ||
                     kind == EmissionKind::Memref;
  if (kind == EmissionKind::Loops || (options.optLevel == 0 && !isTiledKind)) {
    if (failed(run(*module, buildToLoops)))
      return fail(kInternalError);
    if (stages.reach(EmissionKind::Loops, print))
      return;
  } else {
    TiledOptions tiled;
    tiled.triple = options.target.triple;
    tiled.cpu = options.target.cpu;
    tiled.features = options.target.features;
    if (failed(
            run(*module, [&](OpPassManager &pm) { buildToTiled(pm, tiled); })))
      return fail(kInternalError);
    if (stages.reach(EmissionKind::Tiled, print))
      return;
    if (failed(run(*module, buildToVector)))
      return fail(kInternalError);
    if (stages.reach(EmissionKind::Vector, print))
      return;
    if (failed(run(*module, buildToMemref)))
      return fail(kInternalError);
    if (stages.reach(EmissionKind::Memref, print))
      return;
  }

  LLVMOptions lowering;
  lowering.packed = options.packed;
  lowering.executable = kind == EmissionKind::Exe;
  lowering.debug = options.debug;
  if (failed(
          run(*module, [&](OpPassManager &pm) { buildToLLVM(pm, lowering); })))
    return fail(kInternalError);
  if (stages.reach(EmissionKind::LLVMDialect, print))
    return;
  if (failed(generateCode(*module, kind, options, stages, result)))
    return fail(kInternalError);
}

Compilation compile(const SourceFile &file, EmissionKind kind,
                    const CompileOptions &options, DiagnosticEngine &diags) {
  Compilation result;
  if (!options.dumpDir.empty())
    if (std::error_code error =
            llvm::sys::fs::create_directories(options.dumpDir)) {
      llvm::errs() << "einc: error: cannot make the directory `"
                   << options.dumpDir << "`: " << error.message() << "\n";
      result.status = kWrongInput;
      return result;
    }
  compileTo(file, kind, options, diags, result);
  if (result.status == kDone && diags.hasErrors())
    result.status = kWrongInput;
  return result;
}

} // namespace ein
