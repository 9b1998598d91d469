//===- CodeStages.cpp - From the llvm dialect to an object file ----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "backend/Backend.h"
#include "driver/Metadata.h"
#include "driver/Stages.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace mlir;

namespace ein {

static LogicalResult fail(CompileState &state, llvm::Error error) {
  return state.diags.report(DiagId::CodeGenerationFailed, {},
                            {llvm::toString(std::move(error))});
}

/// What LLVM finds wrong while it makes code, such as a function that the
/// target cannot have, is an error of ours.
static void reportBackendErrors(CompileState &state) {
  state.llvmContext.setDiagnosticHandlerCallBack(
      [](const llvm::DiagnosticInfo *info, void *diags) {
        if (info->getSeverity() != llvm::DS_Error)
          return;
        std::string text;
        llvm::raw_string_ostream stream(text);
        llvm::DiagnosticPrinterRawOStream printer(stream);
        info->print(printer);
        static_cast<DiagnosticEngine *>(diags)->report(
            DiagId::CodeGenerationFailed, {}, {text});
      },
      &state.diags);
}

LogicalResult stages::translateModule(CompileState &state, TimingScope &) {
  const CompileOptions &options = state.options;
  if (!isTested(options.target))
    state.diags.report(DiagId::UntestedTarget, {}, {options.target.triple});
  unsigned level = options.llvmOptLevel.value_or(options.optLevel);
  auto machine =
      createTargetMachine(options.target, options.codegenLevel.value_or(level));
  if (!machine)
    return fail(state, machine.takeError());
  state.machine = std::move(*machine);
  reportBackendErrors(state);
  state.code = translate(*state.module, state.llvmContext, *state.machine,
                         options.target);
  if (!state.code)
    return failure();
  // Code that is called in this process is described by the signatures.
  bool isExecutable = state.wanted == EmissionKind::Exe;
  if (!options.packed || isExecutable) {
    std::vector<FunctionMetadata> functions =
        describeFunctions(state.result.entries, state.file, options);
    addMetadata(*state.code, functions);
    if (isExecutable)
      addVersion(*state.code, describeVersion(functions.front()));
  }
  state.announce("optimising");
  optimize(*state.code, *state.machine, level);
  return success();
}

void stages::printCode(CompileState &state, raw_ostream &os) {
  state.code->print(os, nullptr);
}

void stages::printBitcode(CompileState &state, raw_ostream &os) {
  llvm::WriteBitcodeToFile(*state.code, os);
}

/// Code generation changes the module, of which an object may still be made.
LogicalResult stages::generateAssembly(CompileState &state, TimingScope &) {
  state.announce("generating code");
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(*state.code);
  auto text = emitAssembly(*copy, *state.machine);
  if (!text)
    return fail(state, text.takeError());
  state.assembly = std::move(*text);
  return failure(state.diags.hasErrors());
}

void stages::printAssembly(CompileState &state, raw_ostream &os) {
  os.write(state.assembly.data(), state.assembly.size());
}

LogicalResult stages::generateObject(CompileState &state, TimingScope &) {
  state.announce("generating code");
  state.result.usesThreads = usesThreads(*state.code);
  auto object = emitObject(*state.code, *state.machine);
  if (!object)
    return fail(state, object.takeError());
  state.result.output = std::move(*object);
  return failure(state.diags.hasErrors());
}

} // namespace ein
