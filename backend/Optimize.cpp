//===- Optimize.cpp - LLVM's optimiser and code generator ---------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "backend/Backend.h"
#include "backend/ScalableForms.h"
#include "backend/StreamPointers.h"
#include "target/DotProducts.h"
#include "target/Target.h"
#include "llvm/ADT/Any.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/StandardInstrumentations.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace ein {

void initializeTargets() {
  static const bool once = [] {
    InitializeAllTargetInfos();
    InitializeAllTargets();
    InitializeAllTargetMCs();
    InitializeAllAsmPrinters();
    // For what CpuDispatch.cpp and users' MLIR say in assembly.
    InitializeAllAsmParsers();
    return true;
  }();
  (void)once;
}

Expected<std::unique_ptr<TargetMachine>>
createTargetMachine(const TargetInfo &info, unsigned optLevel) {
  initializeTargets();
  std::string message;
  Triple triple(info.triple);
  const Target *target = TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return createStringError(message);

  TargetOptions options;
  // a * b + c is one rounding where both ops have the flag that allows it.
  options.AllowFPOpFusion = FPOpFusion::Standard;
  // Without any, AArch64's selection never ends on masked vectors of 3 or 5
  // elements, and a spilled vector far away is found by an addition for each 31
  // on the way: functions have millions of lines (0041-sve.md).
  // X86's does not find the shapes of tiles that a loop carries.
  std::string features = info.features;
  bool hasTiles = any_of(info.dotProducts, [](unsigned number) {
    return getDotProduct(number).hasTiles();
  });
  if (info.sveBits != 0 || hasTiles)
    optLevel = std::max(optLevel, 1u);
  if (info.sveBits != 0) {
    // LLVM loads a float and then repeats it, by the pipes that multiply, on
    // some CPUs of Arm's. Which of the two is better, loops of products show.
    features += features.empty() ? "" : ",";
    features += "-no-sve-fp-ld1r";
  }
  CodeGenOptLevel level = static_cast<CodeGenOptLevel>(optLevel);
  std::unique_ptr<TargetMachine> machine(target->createTargetMachine(
      triple, info.cpu, features, options, Reloc::PIC_, std::nullopt, level));
  if (!machine)
    return createStringError("LLVM cannot make code for `" + info.triple + "`");
  return machine;
}

void optimize(Module &module, TargetMachine &machine, unsigned optLevel) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager sccs;
  ModuleAnalysisManager modules;
  // Without it the passes do not know of functions to be left alone
  // (`optnone`).
  PassInstrumentationCallbacks callbacks;
  OptNoneInstrumentation optNone(/*DebugLogging=*/false);
  optNone.registerCallbacks(callbacks);
  // It looks for what is called by pointers, of which there is nothing, in time
  // that is quadratic in the number of values that calls hand on.
  callbacks.registerShouldRunOptionalPassCallback(
      [](StringRef pass, Any) { return pass != "CalledValuePropagationPass"; });
  PassBuilder builder(&machine, PipelineTuningOptions(), std::nullopt,
                      &callbacks);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);

  const OptimizationLevel levels[] = {
      OptimizationLevel::O0, OptimizationLevel::O1, OptimizationLevel::O2,
      OptimizationLevel::O3};
  OptimizationLevel level = levels[std::min(optLevel, 3u)];
  ModulePassManager passes = level == OptimizationLevel::O0
                                 ? builder.buildO0DefaultPipeline(level)
                                 : builder.buildPerModuleDefaultPipeline(level);
  passes.run(module, modules);
  if (optLevel >= 2 && machine.getTargetTriple().isX86())
    createStreamPointers(module, functions);
  if (optLevel >= 2)
    createScalableForms(module);
}

static Expected<SmallVector<char, 0>>
emit(Module &module, TargetMachine &machine, CodeGenFileType kind) {
  SmallVector<char, 0> buffer;
  raw_svector_ostream stream(buffer);
  legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, kind))
    return createStringError("LLVM cannot emit this kind of file for `" +
                             machine.getTargetTriple().str() + "`");
  passes.run(module);
  return buffer;
}

Expected<SmallVector<char, 0>> emitObject(Module &module,
                                          TargetMachine &machine) {
  return emit(module, machine, CodeGenFileType::ObjectFile);
}

Expected<SmallVector<char, 0>> emitAssembly(Module &module,
                                            TargetMachine &machine) {
  return emit(module, machine, CodeGenFileType::AssemblyFile);
}

} // namespace ein
