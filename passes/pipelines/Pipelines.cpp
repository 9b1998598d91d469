//===- Pipelines.cpp - The levels as pipelines --------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only file in which the folders meet. Each pipeline leads from one level
// to the next and ends with the check of what that level promises; most of them
// are one folder's.
//
//===----------------------------------------------------------------------===//

#include "passes/pipelines/Pipelines.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "passes/contract/Passes.h"
#include "passes/decompose/Passes.h"
#include "passes/distribute/Passes.h"
#include "passes/einsum/Passes.h"
#include "passes/fused/Passes.h"
#include "passes/fused/Pipeline.h"
#include "passes/level/Cleanup.h"
#include "passes/level/Passes.h"
#include "passes/llvm/Passes.h"
#include "passes/llvm/entry/Passes.h"
#include "passes/llvm/math/Passes.h"
#include "passes/memref/Passes.h"
#include "passes/plain/Passes.h"
#include "passes/select/Passes.h"
#include "passes/source/Passes.h"
#include "passes/tiled/Passes.h"
#include "passes/tiled/Pipeline.h"
#include "passes/vector/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace mlir;

namespace ein {

void buildForRanks(OpPassManager &pm, const std::string &ranks,
                   int64_t maxMemory, ArrayRef<double> network) {
  DistributeOptions options;
  options.ranks = ranks;
  options.maxMemory = maxMemory;
  llvm::append_range(options.network, network);
  pm.addPass(createDistribute(options));
}

void buildToFused(OpPassManager &pm, const FusedOptions &options) {
  ExpandComplexOptions functions;
  functions.rare = true;
  functions.fma = options.fma;
  functions.rootEstimates = options.rootEstimates;
  pm.addNestedPass<func::FuncOp>(createExpandComplex(functions));
  // From here on complex numbers are added and multiplied, and taken apart.
  buildFused(pm, options);
  addCheck(pm, Level::Fused);
}

void buildToScheduled(OpPassManager &pm, const ScheduledOptions &options) {
  SelectScheduleOptions schedule;
  schedule.triple = options.triple;
  schedule.cpu = options.cpu;
  schedule.features = options.features;
  schedule.sveBits = options.sveBits;
  schedule.machine = options.machine;
  schedule.library = options.library;
  schedule.packing = options.packing;
  schedule.threads = options.threads;
  schedule.columnBlock = options.columnBlock;
  schedule.parallel = options.parallel;
  schedule.decompose = true;
  pm.addNestedPass<func::FuncOp>(createSelectSchedule(schedule));
  // From here on nobody looks at the machine.
  addCheck(pm, Level::Scheduled);
}

void buildToTiled(OpPassManager &pm) {
  buildTiles(pm.nest<func::FuncOp>());
  addCleanup(pm);
  pm.addNestedPass<func::FuncOp>(createMarkLoops());
  addCheck(pm, Level::Tiled);
}

void buildToLoops(OpPassManager &pm, Level form) {
  pm.addNestedPass<func::FuncOp>(createGeneralizeContract());
  pm.addNestedPass<func::FuncOp>(createLowerOnlineReduce());
  buildBufferize(pm);
  OpPassManager &functions = pm.nest<func::FuncOp>();
  if (form == Level::Affine)
    functions.addPass(createConvertLinalgToAffineLoopsPass());
  else if (form == Level::Parallel)
    functions.addPass(createConvertLinalgToParallelLoopsPass());
  else
    functions.addPass(createConvertLinalgToLoopsPass());
  addCleanup(pm);
  addCheck(pm, form);
}

void buildPlain(OpPassManager &pm) {
  OpPassManager &functions = pm.nest<func::FuncOp>();
  functions.addPass(createLowerOnlineReduce());
  functions.addPass(createLowerPlainly());
  // From here on what is not a loop is upstream's, and has no mark.
  functions.addPass(createReturnToDestination());
  pm.addPass(createBufferize());
  // Nothing is given back: a state between passes may not say what owns what.
  pm.addPass(bufferization::createLowerDeallocationsPass());
  LLVMOptions options;
  options.packed = true;
  options.views = false;
  options.plain = true;
  buildToLLVM(pm, options);
}

/// The names in a textual pipeline, which has options in braces and the ops
/// that passes are nested on with a dot.
static void collectPassNames(StringRef pipeline, std::set<std::string> &names) {
  unsigned depth = 0;
  std::string word;
  for (char c : pipeline) {
    depth += c == '{';
    depth -= c == '}';
    bool isPart = llvm::isAlnum(c) || c == '-' || c == '_' || c == '.';
    if (depth == 0 && isPart) {
      word += c;
      continue;
    }
    if (!word.empty() && word.find('.') == std::string::npos)
      names.insert(word);
    word.clear();
  }
}

std::vector<std::string> getPipelinePassNames() {
  OpPassManager pm(ModuleOp::getOperationName());
  buildFromSource(pm);
  LinalgOptions linalg;
  linalg.strictFP = true;
  buildToLinalg(pm, linalg);
  ContractOptions contract;
  contract.splitProducts = true;
  buildToContract(pm, contract);
  buildForRanks(pm, /*ranks=*/"", /*maxMemory=*/0, /*network=*/{});
  FusedOptions fused;
  fused.transform = "any";
  buildToFused(pm, fused);
  buildToScheduled(pm, {});
  // Those that the one of this pipeline runs.
  OpPassManager &functions = pm.nest<func::FuncOp>();
  functions.addPass(createSplitSums());
  functions.addPass(createFuseRows());
  functions.addPass(createLowerOnlineReduce());
  functions.addPass(createPackTensors());
  functions.addPass(createMirrorProducts());
  buildToTiled(pm);
  buildToVector(pm, {});
  buildToMemref(pm);
  for (Level form : {Level::Loops, Level::Affine, Level::Parallel})
    buildToLoops(pm, form);
  LLVMOptions options;
  options.debug = true;
  options.parallel = true;
  buildToLLVM(pm, options);
  options.mpi = "openmpi";
  buildToLLVM(pm, options);
  std::string text;
  llvm::raw_string_ostream stream(text);
  pm.printAsTextualPipeline(stream, /*pretty=*/false);
  std::set<std::string> names;
  collectPassNames(text, names);
  return {names.begin(), names.end()};
}

void registerPassesAndPipelines() {
  registerEinSourcePasses();
  registerEinEinsumPasses();
  registerEinContractPasses();
  registerEinDistributePasses();
  registerEinFusedPasses();
  registerEinDecomposePasses();
  registerEinSelectPasses();
  registerEinTiledPasses();
  registerEinVectorPasses();
  registerEinMemrefPasses();
  registerEinLLVMPasses();
  registerEinLLVMMathPasses();
  registerEinLLVMEntryPasses();
  registerEinPlainPasses();
  registerEinLevelPasses();
  PassPipelineRegistration<>("ein-from-source", "a user's module -> mlir",
                             buildFromSource);
  PassPipelineRegistration<LinalgOptions>("ein-to-linalg", "mlir -> linalg",
                                          buildToLinalg);
  PassPipelineRegistration<ContractOptions>(
      "ein-to-contract", "linalg -> contract", buildToContract);
  PassPipelineRegistration<FusedOptions>("ein-to-fused", "contract -> fused",
                                         buildToFused);
  PassPipelineRegistration<ScheduledOptions>(
      "ein-to-scheduled", "fused -> scheduled", buildToScheduled);
  PassPipelineRegistration<>("ein-to-tiled", "scheduled -> tiled",
                             buildToTiled);
  PassPipelineRegistration<VectorOptions>("ein-to-vector", "tiled -> vector",
                                          buildToVector);
  PassPipelineRegistration<>("ein-to-memref", "vector -> memref",
                             buildToMemref);
  PassPipelineRegistration<>(
      "ein-to-loops", "contract -> loops",
      [](OpPassManager &pm) { buildToLoops(pm, Level::Loops); });
  PassPipelineRegistration<>(
      "ein-to-affine", "contract -> affine",
      [](OpPassManager &pm) { buildToLoops(pm, Level::Affine); });
  PassPipelineRegistration<>(
      "ein-to-parallel", "contract -> parallel",
      [](OpPassManager &pm) { buildToLoops(pm, Level::Parallel); });
  PassPipelineRegistration<>("ein-plain", "any level -> llvm-dialect, in loops",
                             buildPlain);
  PassPipelineRegistration<LLVMOptions>(
      "ein-to-llvm", "memref or loops -> llvm-dialect", buildToLLVM);
}

} // namespace ein
