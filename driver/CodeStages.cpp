//===- CodeStages.cpp - From the llvm dialect to an object file ----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "backend/Backend.h"
#include "backend/CpuDispatch.h"
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

/// How much LLVM optimises.
static unsigned getLLVMLevel(const CompileOptions &options) {
  return options.llvmOptLevel.value_or(options.optLevel);
}

/// The machine that code is made for.
static FailureOr<std::unique_ptr<llvm::TargetMachine>>
createMachine(CompileState &state, const TargetInfo &target) {
  const CompileOptions &options = state.options;
  auto machine = createTargetMachine(
      target, options.codegenLevel.value_or(getLLVMLevel(options)));
  if (!machine)
    return fail(state, machine.takeError());
  return std::move(*machine);
}

/// What the artefact says of itself, and what the main of an executable reads.
static void addDescriptions(CompileState &state, llvm::Module &code) {
  const CompileOptions &options = state.options;
  // Code that is called in this process is described by the signatures.
  bool isExecutable = state.wanted == EmissionKind::Exe;
  if (options.packed && !isExecutable)
    return;
  std::vector<FunctionMetadata> functions =
      describeFunctions(state.result.entries, state.file, options);
  addMetadata(code, functions);
  if (!isExecutable)
    return;
  addVersion(code, describeVersion(functions.front()));
  if (!state.isForSeveral())
    addCpuTable(code, {}, nullptr);
}

LogicalResult stages::translateModule(CompileState &state, TimingScope &) {
  const CompileOptions &options = state.options;
  if (!isTested(options.target))
    state.diags.report(DiagId::UntestedTarget, {}, {options.target.triple});
  auto machine = createMachine(state, options.target);
  if (failed(machine))
    return failure();
  state.machine = std::move(*machine);
  reportBackendErrors(state);
  state.code = translate(*state.module, state.llvmContext, *state.machine,
                         options.target);
  if (!state.code)
    return failure();
  addDescriptions(state, *state.code);
  state.announce("optimising");
  optimize(*state.code, *state.machine, getLLVMLevel(options));
  return success();
}

LogicalResult stages::translateVariant(CompileState &state, TimingScope &) {
  const CompileOptions &options = state.options;
  const TargetInfo &target = state.getTarget();
  bool isOldest = state.variants.empty();
  auto machine = createMachine(state, target);
  if (failed(machine))
    return failure();
  reportBackendErrors(state);
  std::unique_ptr<llvm::Module> code =
      translate(*state.module, state.llvmContext, **machine, target);
  if (!code)
    return failure();
  nameVariant(*code, target.cpu, isOldest);
  if (isOldest) {
    if (!isTested(target))
      state.diags.report(DiagId::UntestedTarget, {}, {target.triple});
    state.dispatcher =
        createDispatcher(*code, options.cpus, getSourceName(state.file),
                         state.wanted == EmissionKind::Exe, **machine);
    addDescriptions(state, *state.dispatcher);
    optimize(*state.dispatcher, **machine, getLLVMLevel(options));
    state.machine = std::move(*machine);
  }
  state.announce("optimising");
  optimize(*code, isOldest ? *state.machine : **machine, getLLVMLevel(options));
  state.variants.push_back(std::move(code));
  return success();
}

LogicalResult stages::joinVariants(CompileState &state) {
  for (auto [variant, cpu] :
       llvm::zip_equal(state.variants, state.options.cpus))
    if (llvm::Error error =
            addVariant(*state.dispatcher, std::move(variant), cpu.target.cpu))
      return fail(state, std::move(error));
  state.variants.clear();
  state.code = std::move(state.dispatcher);
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
