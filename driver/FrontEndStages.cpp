//===- FrontEndStages.cpp - From source text to a checked program --------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "abi/ComplexArguments.h"
#include "driver/Distribution.h"
#include "driver/PathFile.h"
#include "driver/Reports.h"
#include "driver/SharedPaths.h"
#include "driver/Stages.h"
#include "frontend/opdsl/write/Write.h"
#include "frontend/parse/Parser.h"
#include "frontend/print/Printer.h"

using namespace mlir;

namespace ein {

LogicalResult stages::lexText(CompileState &state, TimingScope &) {
  const CompileOptions &options = state.options;
  if (options.form == SourceForm::OpDSL && state.wanted == EmissionKind::Tokens)
    return state.diags.report(DiagId::LevelIsPast, {}, {"tokens", "ast"});
  state.tokens = lexSource(state.file.getMain(), options.form, state.diags);
  return success();
}

void stages::printTokens(CompileState &state, raw_ostream &os) {
  ein::printTokens(os, state.tokens);
}

/// What is wrong with the tree is left out of it, and stops what follows.
LogicalResult stages::parseText(CompileState &state, TimingScope &) {
  state.tree = parseSource(state.tokens, state.options.form, state.diags);
  return success();
}

void stages::printTree(CompileState &state, raw_ostream &os) {
  printAST(os, state.tree);
}

LogicalResult stages::checkTree(CompileState &state, TimingScope &) {
  FailureOr<Program> program = check(std::move(state.tree), state.options.check,
                                     state.file, state.diags);
  if (failed(program))
    return failure();
  state.result.program = std::move(*program);
  return success();
}

void stages::printProgram(CompileState &state, raw_ostream &os) {
  ein::printProgram(os, state.result.program);
}

void stages::printRanges(CompileState &state, raw_ostream &os) {
  ein::printRanges(os, state.result.program);
}

void stages::printSource(CompileState &state, raw_ostream &os) {
  ein::printSource(os, state.result.program);
}

void stages::printOpdsl(CompileState &state, raw_ostream &os) {
  opdsl::printModule(os, state.result.program, state.diags);
}

void stages::printOds(CompileState &state, raw_ostream &os) {
  opdsl::printOds(os, state.result.program, state.diags);
}

LogicalResult stages::orderProducts(CompileState &state, TimingScope &) {
  const CompileOptions &options = state.options;
  Program &program = state.result.program;
  if (!options.pathFile.empty() &&
      failed(readPathFile(options.pathFile, program, state.file, state.diags)))
    return failure();
  state.announce("searching an order");
  shareProducts(program, options.order);
  state.qualities = fixLongPaths(program, options.order);
  return checkTemporaries(program, options.order, state.diags);
}

void stages::printPaths(CompileState &state, raw_ostream &os) {
  os << emitPath(state.result.program, state.options.order, state.qualities);
}

/// That C has a way to pass the program's scalars by value.
static void checkComplexScalars(const Program &program,
                                const TargetInfo &target,
                                DiagnosticEngine &diags) {
  if (target.complexConvention != ComplexConvention::Unknown)
    return;
  for (const Def &def : program.defs)
    for (TensorId id : def.params)
      if (def[id].isScalarInput() && isComplex(def[id].type))
        diags.report(DiagId::ComplexByValue, def[id].range, {def[id].name});
}

/// Gives defs the names that their C functions have, if any, and looks that C
/// can have such functions.
LogicalResult stages::nameFunctions(CompileState &state, TimingScope &) {
  const CompileOptions &options = state.options;
  Program &program = state.result.program;
  if (llvm::is_contained(options.reports, "path"))
    reportPaths(program, options.order, state.qualities, state.diags);
  if (llvm::is_contained(options.reports, "distribution") &&
      options.distribution.isWanted &&
      failed(reportDistribution(program, options, state.diags)))
    return failure();
  if (!options.keepsPrivate)
    llvm::erase_if(program.defs, [](const Def &def) { return !def.isPublic; });
  if (program.defs.empty())
    return state.diags.report(DiagId::NoPublicDef, {});
  bool isVisible = !options.packed;
  SmallVector<std::pair<StringRef, SourceRange>> names;
  for (Def &def : program.defs) {
    if (isVisible)
      def.name = options.prefix + def.name;
    (void)checkName(def.name, def.range, isVisible, state.diags);
    names.push_back({def.name, def.range});
  }
  if (isVisible)
    (void)checkEntryNames(names, state.diags);
  // C functions are made with the llvm dialect.
  if (isVisible && state.wanted >= EmissionKind::LLVMDialect &&
      state.wanted != EmissionKind::Exe)
    checkComplexScalars(program, options.target, state.diags);
  return failure(state.diags.hasErrors());
}

void stages::printHeader(CompileState &state, raw_ostream &os) {
  StringRef source = state.file.getName();
  ArrayRef<TestedCpu> cpus = state.options.cpus;
  os << (state.isModule() ? emitHeader(state.result.entries, source, cpus)
                          : emitHeader(state.result.program, source, cpus,
                                       state.options.distribution));
}

void stages::printCppHeader(CompileState &state, raw_ostream &os) {
  os << emitCppHeader(state.result.program, state.file.getName(),
                      state.options.nameSpace, state.options.cpus);
}

} // namespace ein
