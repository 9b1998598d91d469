//===- Compiler.cpp - From source text to an artefact -------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The whole story is the table of stages: a source, whatever its form, walks
// down it until it is what was asked for. `compile` is the walk.
//
//===----------------------------------------------------------------------===//

#include "driver/Compiler.h"
#include "backend/OutputFile.h"
#include "driver/Stages.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace ein {

//===----------------------------------------------------------------------===//
// The stages
//===----------------------------------------------------------------------===//

static bool isProgram(const CompileState &state, EmissionKind) {
  return !state.isModule();
}
static bool isModule(const CompileState &state, EmissionKind) {
  return state.isModule();
}
static bool isAny(const CompileState &, EmissionKind) { return true; }
/// Not every program has such a form, so it is made only if it is wanted.
static bool isWanted(const CompileState &state, EmissionKind kind) {
  return kind == state.wanted;
}
static bool isWantedOrDumped(const CompileState &state, EmissionKind kind) {
  return kind == state.wanted || !state.options.dumpDir.empty() ||
         state.options.observer;
}

using Kind = EmissionKind;
using namespace stages;

/// Each line: what can be emitted behind the stage, when compilation passes
/// through it, the name of its time, what it does, what it prints.
static constexpr Stage table[] = {
    {Kind::Tokens, isProgram, "front end", lexText, printTokens},
    {Kind::Ast, isProgram, "front end", parseText, printTree},
    {Kind::Program, isProgram, "front end", checkTree, printProgram},
    // From here on the program means something.
    {Kind::Ranges, isProgram, "front end", nullptr, printRanges},
    {Kind::Ein, isProgram, "front end", nullptr, printSource},
    {Kind::Opdsl, isWanted, "front end", nullptr, printOpdsl},
    {Kind::Ods, isWanted, "front end", nullptr, printOds},
    {Kind::Path, isProgram, "front end", orderProducts, printPaths},
    // From here on no order is left to find that takes long.
    {std::nullopt, isProgram, "front end", nameFunctions, nullptr},
    {std::nullopt, isModule, "source", readModule, nullptr},
    // From here on the names and signatures of C functions are known.
    {Kind::Header, isAny, "front end", nullptr, printHeader},
    {Kind::Hpp, isProgram, "front end", nullptr, printCppHeader},
    {std::nullopt, isProgram, "front end", emitModule, nullptr},
    // From here on it is a module, of the program or of a file.
    {Kind::Mlir, isNextLevel, "mlir", lowerToLevel, printModule},
    {Kind::Linalg, isNextLevel, "linalg", lowerToLevel, printModule},
    {Kind::Contract, isNextLevel, "contract", lowerToLevel, printModule},
    {Kind::Loops, isNextLevel, "loops", lowerToLevel, printModule},
    {Kind::Affine, isNextLevel, "affine", lowerToLevel, printModule},
    {Kind::Parallel, isNextLevel, "parallel", lowerToLevel, printModule},
    {Kind::Fused, isNextLevel, "fused", lowerToLevel, printModule},
    // From here on it is code for one CPU.
    {Kind::Scheduled, isNextLevel, "scheduled", lowerToLevel, printModule},
    {Kind::Tiled, isNextLevel, "tiled", lowerToLevel, printModule},
    {Kind::Vector, isNextLevel, "vector", lowerToLevel, printModule},
    {Kind::Memref, isNextLevel, "memref", lowerToLevel, printModule},
    {Kind::LLVMDialect, isNextLevel, "llvm-dialect", lowerToLevel, printModule},
    {Kind::LLVMIR, isAny, "LLVM optimisation", translateModule, printCode},
    // From here on code for several CPUs is one module.
    {Kind::Bitcode, isAny, "LLVM optimisation", nullptr, printBitcode},
    {Kind::Asm, isWantedOrDumped, "LLVM code generation", generateAssembly,
     printAssembly},
    // Libraries and executables are made of the object, by who writes them.
    {std::nullopt, isAny, "LLVM code generation", generateObject, nullptr},
};

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

/// Writes what `stage` prints to a file of the directory; `number` says which
/// of its files that is, for each of several CPUs.
static LogicalResult dump(const Stage &stage, unsigned number,
                          CompileState &state) {
  if (state.options.dumpDir.empty())
    return success();
  SmallString<128> path(state.options.dumpDir);
  std::string cpu = state.variant ? "." + state.variant->cpu : "";
  llvm::sys::path::append(path, llvm::formatv("{0:02}-{1}{2}.{3}", number,
                                              getName(*stage.kind), cpu,
                                              getSuffix(*stage.kind))
                                    .str());
  SmallVector<char, 0> text;
  llvm::raw_svector_ostream stream(text);
  stage.print(state, stream);
  if (llvm::Error error = writeFile(path, text)) {
    state.statusOfFailure = kWrongInput;
    return state.diags.report(DiagId::CannotWrite, {},
                              {llvm::toString(std::move(error))});
  }
  return success();
}

static LogicalResult createDumpDir(CompileState &state) {
  const std::string &path = state.options.dumpDir;
  if (path.empty())
    return success();
  if (std::error_code error = llvm::sys::fs::create_directories(path))
    return state.diags.report(
        DiagId::CannotWrite, {},
        {"cannot make the directory `" + path + "`: " + error.message()});
  return success();
}

/// The way of one of several CPUs, from the first of `rows` to LLVM IR.
/// `numDumps` is how many files there are before, and then after.
static LogicalResult walkForOneCpu(ArrayRef<Stage> rows, CompileState &state,
                                   unsigned &numDumps, TimingScope &timing) {
  for (const Stage &stage : rows) {
    if (!stage.applies(state, stage.kind.value_or(state.wanted)))
      continue;
    TimingScope scope = timing.nest(stage.phase);
    if (stage.kind == Kind::LLVMIR)
      return translateVariant(state, scope);
    if (failed(stage.run(state, scope)) ||
        failed(dump(stage, ++numDumps, state)))
      return failure();
  }
  llvm_unreachable("the table has LLVM IR");
}

/// The module becomes code for each of several CPUs.
static LogicalResult walkForEachCpu(ArrayRef<Stage> rows, CompileState &state,
                                    unsigned &numDumps, TimingScope &timing) {
  if (state.isAtEntry)
    return state.diags.report(DiagId::LevelIsForOneCpu, {},
                              {getName(state.level).str()});
  OwningOpRef<ModuleOp> module = std::move(state.module);
  Level level = state.level;
  unsigned numBefore = numDumps;
  for (const TestedCpu &cpu : state.options.cpus) {
    state.variant = &cpu.target;
    state.module = module->clone();
    state.level = level;
    numDumps = numBefore;
    if (failed(walkForOneCpu(rows, state, numDumps, timing)))
      return failure();
  }
  state.variant = nullptr;
  return joinVariants(state);
}

/// Down the table, as far as what is wanted.
static LogicalResult walk(CompileState &state, TimingScope &timing) {
  if (failed(createDumpDir(state)))
    return failure();
  unsigned numDumps = 0;
  for (const Stage *stage = std::begin(table); stage != std::end(table);
       ++stage) {
    if (!stage->applies(state, stage->kind.value_or(state.wanted)))
      continue;
    bool isSplit = state.isForSeveral() && !state.code && stage->kind &&
                   (isForOneCpu(*stage->kind) || stage->kind == Kind::LLVMIR);
    if (isSplit) {
      if (failed(walkForEachCpu({stage, std::end(table)}, state, numDumps,
                                timing)))
        return failure();
      while (stage->kind != Kind::LLVMIR)
        ++stage;
    } else {
      TimingScope scope = timing.nest(stage->phase);
      if (stage->run && failed(stage->run(state, scope)))
        return failure();
    }
    if (!stage->kind)
      continue;
    if (failed(dump(*stage, ++numDumps, state)))
      return failure();
    if (state.options.observer)
      state.options.observer->visit(*stage, state);
    if (stage->kind == state.wanted) {
      llvm::raw_svector_ostream stream(state.result.output);
      stage->print(state, stream);
      return success();
    }
  }
  return success();
}

Compilation compile(Sources &file, EmissionKind kind,
                    const CompileOptions &options, DiagnosticEngine &diags) {
  DefaultTimingManager times;
  times.setEnabled(options.timePasses);
  times.setOutput(createOutputStrategy(DefaultTimingManager::OutputFormat::Text,
                                       llvm::errs()));
  TimingScope timing = times.getRootScope();
  Compilation result;
  CompileState state(file, kind, options, diags, result);
  if (failed(walk(state, timing)))
    result.status = state.statusOfFailure;
  else if (diags.hasErrors())
    result.status = kWrongInput;
  return result;
}

const CompiledEntry *Compilation::find(StringRef name) const {
  // Without a name, the last that is no helper.
  if (name.empty()) {
    for (const CompiledEntry &entry : llvm::reverse(entries))
      if (entry.isPublic)
        return &entry;
    return entries.empty() ? nullptr : &entries.back();
  }
  auto entry = llvm::find_if(entries, [&](const CompiledEntry &candidate) {
    return candidate.signature.name == name;
  });
  return entry == entries.end() ? nullptr : &*entry;
}

} // namespace ein
