//===- Pipelines.cpp - The levels as pipelines --------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only file in which passes meet. Each function leads from one level to the
// next and ends with the check of what that level promises.
//
//===----------------------------------------------------------------------===//

#include "passes/Pipelines.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Affine/Transforms/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "passes/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace mlir;

namespace ein {

StringRef getName(Level level) {
  switch (level) {
#define EIN_LEVEL(ENUM, NAME, PIPELINE, TEXT)                                  \
  case Level::ENUM:                                                            \
    return NAME;
#include "passes/Levels.def"
  }
  llvm_unreachable("a level that is not in Levels.def");
}

std::optional<Level> parseLevel(StringRef name) {
  return llvm::StringSwitch<std::optional<Level>>(name)
#define EIN_LEVEL(ENUM, NAME, PIPELINE, TEXT) .Case(NAME, Level::ENUM)
#include "passes/Levels.def"
      .Default(std::nullopt);
}

Level getNext(Level level, Level form) {
  switch (level) {
  case Level::Mlir:
    return Level::Linalg;
  case Level::Linalg:
    return Level::Contract;
  case Level::Contract:
    return form;
  case Level::Tiled:
    return Level::Vector;
  case Level::Vector:
    return Level::Memref;
  case Level::Memref:
  case Level::Loops:
  case Level::Affine:
  case Level::Parallel:
    return Level::LLVMDialect;
  case Level::LLVMDialect:
    break;
  }
  llvm_unreachable("nothing follows the llvm dialect");
}

Level getLevel(ModuleOp module) {
  auto name = module->getAttrOfType<StringAttr>(kLevelAttr);
  return name ? parseLevel(name).value_or(Level::Mlir) : Level::Mlir;
}

static void addCleanup(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass());
  // Canonicalisation makes new loops, which have no numbers.
  pm.addNestedPass<func::FuncOp>(createNumberNests());
  pm.addPass(createCSEPass());
}

static void addCheck(OpPassManager &pm, Level level) {
  CheckLevelOptions options;
  options.level = getName(level).str();
  pm.addPass(createCheckLevel(options));
}

void buildFromSource(OpPassManager &pm) {
  pm.addPass(createCheckSource());
  // The clean-up that the inliner does by default would change the entries.
  pm.addPass(createInlinerPass({}, [](OpPassManager &) {}));
  pm.addPass(createSymbolDCEPass());
  // From here on every function with a body is an entry and calls none.
  pm.addPass(createLowerAffinePass());
  OpPassManager &functions = pm.nest<func::FuncOp>();
  functions.addPass(createPrepareSource());
  // Buffers that each round of a loop would have anew leave it.
  functions.addPass(createLoopInvariantCodeMotionPass());
  pm.addPass(createInferSignatures());
  addCleanup(pm);
  addCheck(pm, Level::Mlir);
}

void buildToLinalg(OpPassManager &pm, const LinalgOptions &options) {
  OpPassManager &functions = pm.nest<func::FuncOp>();
  functions.addPass(createDecomposeAggregates());
  if (options.strictFP)
    functions.addPass(createKeepOrder());
  // From here on what is linalg is a structured op.
  functions.addPass(createSimplifyEinsum());
  // From here on two inputs at least share each dim that is summed.
  OrderContractionsOptions order;
  order.unknownSize = options.unknownSize;
  order.strategy = options.strategy;
  order.effort = options.effort;
  order.seed = options.seed;
  order.maxTemp = options.maxTemp;
  functions.addPass(createOrderContractions(order));
  // From here on every einsum is binary or unary.
  functions.addPass(createLowerEinsum());
  // What one order leaves for a later statement takes memory in between.
  if (options.maxTemp == 0) {
    functions.addPass(createCSEPass());
    functions.addPass(createShareContractions());
  }
  addCleanup(pm);
  addCheck(pm, Level::Linalg);
}

void buildToContract(OpPassManager &pm) {
  OpPassManager &functions = pm.nest<func::FuncOp>();
  functions.addPass(createDropUnitWindows());
  // From here on what is read at one place is no window.
  functions.addPass(createRaiseToContract());
  functions.addPass(createFoldViews());
  functions.addPass(createFoldExtensions());
  addCleanup(pm);
  addCheck(pm, Level::Contract);
}

void buildToTiled(OpPassManager &pm, const TiledOptions &options) {
  SelectStrategyOptions strategy;
  strategy.triple = options.triple;
  strategy.cpu = options.cpu;
  strategy.features = options.features;
  strategy.library = options.library;
  strategy.packing = options.packing;
  strategy.parallel = options.parallel;
  if (!options.schedule.empty()) {
    ApplyScheduleOptions schedule;
    schedule.file = options.schedule;
    pm.addPass(createApplySchedule(schedule));
  }
  // From here on what a schedule has touched has a strategy.
  OpPassManager &functions = pm.nest<func::FuncOp>();
  functions.addPass(createSeparateStarts());
  functions.addPass(createGeneralizeContract());
  // From here on all structured ops are upstream's.
  SplitComplexOptions complex;
  complex.planes = options.library == "blas";
  functions.addPass(createSplitComplex(complex));
  // From here on what is complex and to be vectors is a product of matrices.
  functions.addPass(createFuseElementwise());
  functions.addPass(createDivideSums());
  functions.addPass(createSplitBorders());
  functions.addPass(createUpdateInPlace());
  functions.addPass(createAddUnitRows());
  if (options.parallel) {
    SelectStrategyOptions first = strategy;
    first.splits = true;
    functions.addPass(createSelectStrategy(first));
    functions.addPass(createSplitSums());
  }
  functions.addPass(createSelectStrategy(strategy));
  functions.addPass(createFuseRows());
  // For what is in a block of rows, which may be rows again.
  functions.addPass(createSelectStrategy(strategy));
  functions.addPass(createFuseRows());
  functions.addPass(createSelectStrategy(strategy));
  // From here on what works on the same rows is one loop.
  functions.addPass(createGatherOperands());
  // For the contractions of fewer dims that this has made.
  functions.addPass(createSelectStrategy(strategy));
  functions.addPass(createMirrorProducts());
  // For the transpositions that this has made.
  functions.addPass(createSelectStrategy(strategy));
  // From here on nobody looks at the machine.
  functions.addPass(createVersionContractions());
  functions.addPass(createTileContractions());
  functions.addPass(createPackOperands());
  functions.addPass(createTileElementwise());
  functions.addPass(createRelaxSums());
  // From here on sizes are those of arguments, as far as they can be.
  functions.addPass(createFoldBranchSizes());
  addCleanup(pm);
  // For what canonicalisation has made new: fills.
  pm.addNestedPass<func::FuncOp>(createSelectStrategy(strategy));
  addCheck(pm, Level::Tiled);
}

void buildToVector(OpPassManager &pm) {
  OpPassManager &functions = pm.nest<func::FuncOp>();
  functions.addPass(createVectorizeTransposes());
  functions.addPass(createVectorizePacks());
  functions.addPass(createVectorize());
  // Slices of slices hide from subset hoisting which part of C a step touches.
  addCleanup(pm);
  pm.addNestedPass<func::FuncOp>(createHoistAccumulators());
  // Its tiles are values already: upstream would compare all that they read
  // with all that they write for each loop.
  pm.addNestedPass<func::FuncOp>(createVectorizeWindows());
  pm.addNestedPass<func::FuncOp>(createVectorizeReductions());
  addCleanup(pm);
  addCheck(pm, Level::Vector);
}

static void addBufferize(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(createReturnToDestination());
  pm.addPass(createBufferize());
  // From here on memory has places; the old ones are given back. Sizes of what
  // is in a loop are found outside of it first.
  addCleanup(pm);
  pm.addNestedPass<func::FuncOp>(bufferization::createBufferLoopHoistingPass());
  bufferization::buildBufferDeallocationPipeline(pm);
  addCleanup(pm);
  // Before the plan: what each thread has for itself is not part of it.
  pm.addNestedPass<func::FuncOp>(createParallelize());
  addCleanup(pm);
  // From here on a function allocates once.
  pm.addNestedPass<func::FuncOp>(createPlanMemory());
  pm.addNestedPass<func::FuncOp>(createStreamStores());
  pm.addPass(createMapToLibrary());
  addCleanup(pm);
}

void buildToMemref(OpPassManager &pm) {
  addBufferize(pm);
  pm.addPass(createOutlineKernels());
  addCheck(pm, Level::Memref);
}

void buildToLoops(OpPassManager &pm, Level form) {
  pm.addNestedPass<func::FuncOp>(createGeneralizeContract());
  addBufferize(pm);
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

void buildToLLVM(OpPassManager &pm, const LLVMOptions &options) {
  pm.addPass(createNameKernels());
  // From here on a name of the C library means that function.
  if (options.views)
    pm.addPass(createAddViewHelpers());
  pm.addPass(createCallSpecial());
  OpPassManager &functions = pm.nest<func::FuncOp>();
  // What is still linalg has the strategy to be loops.
  functions.addPass(createConvertLinalgToLoopsPass());
  functions.addPass(createPromoteAccumulators());
  functions.addPass(createLowerContractions());
  functions.addPass(createLowerExpandShape());
  functions.addPass(createLowerReinterpret());
  functions.addPass(createCanonicalizerPass());
  functions.addPass(createCSEPass());
  functions.addPass(createLoopInvariantCodeMotionPass());
  arith::ArithEmulateUnsupportedFloatsOptions floats;
  floats.sourceTypeStrs = {"f16", "bf16"};
  functions.addPass(arith::createArithEmulateUnsupportedFloats(floats));
  functions.addPass(math::createMathExtendToSupportedTypes());
  functions.addPass(createExpandMath());
  // From here on functions of f32 are arithmetic.
  // From here on half-precision numbers are loaded, stored and converted.
  ExpandHalfFloatsOptions halves;
  halves.onlyBFloat16 = options.halfConversions;
  functions.addPass(createExpandHalfFloats(halves));
  // From here on subviews are arithmetic on strides, and affine ops likewise.
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  addCleanup(pm);
  // After the last clean-up: an allocation on the stack stays between the ops
  // that save and restore the stack's pointer.
  LowerParallelOptions parallel;
  parallel.threads = options.parallel;
  pm.addNestedPass<func::FuncOp>(createLowerParallel(parallel));
  pm.addPass(createSCFToControlFlowPass());

  ConvertVectorToLLVMPassOptions vectorOptions;
  // Positions may exceed 32 bits; a mask that wraps would write outside.
  vectorOptions.force32BitVectorIndices = false;
  pm.addPass(createConvertVectorToLLVMPass(vectorOptions));
  // What complex functions become are real ones.
  pm.addPass(createConvertComplexToStandardPass());
  pm.addPass(createConvertComplexToLLVMPass());
  pm.addPass(createCallLibm());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  if (options.parallel)
    pm.addPass(createConvertOpenMPToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  addCleanup(pm);

  pm.addNestedPass<LLVM::LLVMFuncOp>(createDropUnsignedWrap());
  // From here on strides may be negative.
  EmitEntryPointsOptions entryOptions;
  entryOptions.views = options.views;
  entryOptions.checks = options.checks;
  entryOptions.packed = options.packed;
  entryOptions.executable = options.executable;
  pm.addPass(createEmitEntryPoints(entryOptions));
  MoveHalfFloatsOptions moves;
  moves.onlyBFloat16 = options.halfConversions;
  pm.addPass(createMoveHalfFloats(moves));
  if (options.debug) {
    LLVM::DIScopeForLLVMFuncOpPassOptions scopes;
    scopes.emissionKind = LLVM::DIEmissionKind::LineTablesOnly;
    pm.addPass(LLVM::createDIScopeForLLVMFuncOpPass(scopes));
  }
  addCheck(pm, Level::LLVMDialect);
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
  buildToContract(pm);
  TiledOptions tiled;
  tiled.schedule = "any";
  tiled.parallel = true;
  buildToTiled(pm, tiled);
  buildToVector(pm);
  buildToMemref(pm);
  for (Level form : {Level::Loops, Level::Affine, Level::Parallel})
    buildToLoops(pm, form);
  LLVMOptions options;
  options.debug = true;
  options.parallel = true;
  buildToLLVM(pm, options);
  std::string text;
  llvm::raw_string_ostream stream(text);
  pm.printAsTextualPipeline(stream, /*pretty=*/false);
  std::set<std::string> names;
  collectPassNames(text, names);
  return {names.begin(), names.end()};
}

void registerPassesAndPipelines() {
  registerEinPasses();
  PassPipelineRegistration<>("ein-from-source", "a user's module -> mlir",
                             buildFromSource);
  PassPipelineRegistration<LinalgOptions>("ein-to-linalg", "mlir -> linalg",
                                          buildToLinalg);
  PassPipelineRegistration<>("ein-to-contract", "linalg -> contract",
                             buildToContract);
  PassPipelineRegistration<TiledOptions>("ein-to-tiled", "contract -> tiled",
                                         buildToTiled);
  PassPipelineRegistration<>("ein-to-vector", "tiled -> vector", buildToVector);
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
  PassPipelineRegistration<LLVMOptions>(
      "ein-to-llvm", "memref or loops -> llvm-dialect", buildToLLVM);
}

} // namespace ein
