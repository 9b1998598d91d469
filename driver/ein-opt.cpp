//===- ein-opt.cpp - mlir-opt with our dialect and passes ---------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/DocumentForms.h"
#include "driver/Registration.h"
#include "driver/Validator.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

/// What `mlir-opt` does with the text as einc reads it; the validator, if there
/// is one, watches.
static LogicalResult runOpt(StringRef input, StringRef output,
                            DialectRegistry &registry,
                            ein::Validator *validator) {
  std::string error;
  auto buffer = openInputFile(input, &error);
  auto file = buffer ? openOutputFile(output, &error) : nullptr;
  if (!file) {
    llvm::errs() << error << "\n";
    return failure();
  }
  if (!isBytecode(buffer->getMemBufferRef()))
    buffer = llvm::MemoryBuffer::getMemBufferCopy(
        ein::rewriteDocumentForms(buffer->getBuffer()).getText(),
        buffer->getBufferIdentifier());
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  MlirOptMainConfig watched = config;
  if (validator)
    watched.setPassPipelineSetupFn([&](PassManager &passes) {
      validator->attach(passes);
      return config.setupPassPipeline(passes);
    });
  if (failed(MlirOptMain(file->os(), std::move(buffer), registry, watched)) ||
      (validator && !validator->finish()))
    return failure();
  file->keep();
  return success();
}

int main(int argc, char **argv) {
  ein::registerPassesForOpt();
  DialectRegistry registry;
  ein::registerDialects(registry);
  llvm::cl::opt<bool> validates(
      "ein-validate",
      llvm::cl::desc("execute the module after each pass, and compare"));
  llvm::cl::list<std::string> sizes(
      "ein-validate-sizes", llvm::cl::CommaSeparated,
      llvm::cl::desc("sizes to execute with"), llvm::cl::value_desc("K=V,..."));
  llvm::cl::opt<uint64_t> seed("ein-validate-seed",
                               llvm::cl::desc("of the data to execute on"),
                               llvm::cl::init(1));
  auto [input, output] = registerAndParseCLIOptions(
      argc, argv, "einc's optimizer driver\n", registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(MlirOptMain(argc, argv, input, output, registry));
  if (!validates)
    return asMainReturnCode(runOpt(input, output, registry, nullptr));
  ein::runtime::Bindings bindings;
  for (const std::string &size : sizes) {
    auto [name, value] = llvm::StringRef(size).split('=');
    int64_t number = 0;
    if (name.empty() || value.getAsInteger(10, number)) {
      llvm::errs() << "error: `" << size << "` is not a size, as `M=64`\n";
      return 1;
    }
    bindings.push_back({name.str(), number});
  }
  llvm::InitializeAllTargets();
  ein::Validator validator(ein::getHostTarget(), bindings, seed, llvm::errs());
  return asMainReturnCode(runOpt(input, output, registry, &validator));
}
