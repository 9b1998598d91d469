//===- Pipeline.cpp - memref or loops -> llvm-dialect ---------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/llvm/Pipeline.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "passes/level/Cleanup.h"
#include "passes/llvm/Passes.h"
#include "passes/llvm/entry/Passes.h"
#include "passes/llvm/math/Passes.h"

using namespace mlir;

namespace ein {

void buildToLLVM(OpPassManager &pm, const LLVMOptions &options) {
  pm.addPass(createNameKernels());
  // From here on a name of the C library means that function.
  if (options.views && options.mpi.empty())
    pm.addPass(createAddViewHelpers({options.helpers}));
  pm.addPass(createCallSpecial());
  OpPassManager &functions = pm.nest<func::FuncOp>();
  // What is still linalg has the schedule to be loops.
  functions.addPass(createConvertLinalgToLoopsPass());
  if (!options.plain)
    functions.addPass(createPromoteAccumulators());
  ExpandComplexOptions complex;
  complex.rare = !options.plain;
  functions.addPass(createExpandComplex(complex));
  pm.addPass(createLowerTileProducts());
  OpPassManager &vectors = pm.nest<func::FuncOp>();
  vectors.addPass(createLowerDotProducts());
  // From here on what is multiplied in groups of k are vectors of one dim.
  vectors.addPass(createLowerContractions());
  vectors.addPass(createLowerExpandShape());
  vectors.addPass(createLowerReinterpret());
  vectors.addPass(createLowerWideSums());
  vectors.addPass(createCanonicalizerPass());
  vectors.addPass(createCSEPass());
  vectors.addPass(createLoopInvariantCodeMotionPass());
  // Before functions are formulas, which are the same in any order.
  vectors.addPass(createKeepPartsInLanes());
  vectors.addPass(createAddToProducts());
  WidenHalfFloatsOptions widening;
  widening.nativeF16 = options.halfArithmetic;
  vectors.addPass(createWidenHalfFloats(widening));
  vectors.addPass(createKeepHalvesApart());
  if (!options.plain)
    pm.addPass(createShareFormulas());
  if (!options.plain)
    pm.addPass(createExpandMath());
  // From here on functions are arithmetic, or calls of libm.
  // From here on half-precision numbers are loaded, stored and converted, and
  // computed with by instructions.
  ExpandHalfFloatsOptions halves;
  halves.onlyBFloat16 = options.halfConversions;
  pm.addNestedPass<func::FuncOp>(createExpandHalfFloats(halves));
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
  // Of a vector that makes the vector's elements first.
  if (options.plain)
    pm.addPass(createConvertVectorToLLVMPass(vectorOptions));
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  if (options.parallel)
    pm.addPass(createConvertOpenMPToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  addCleanup(pm, /*hasBranches=*/true);

  pm.addNestedPass<LLVM::LLVMFuncOp>(createDropUnsignedWrap());
  if (!options.plain && !options.maskRegisters)
    pm.addNestedPass<LLVM::LLVMFuncOp>(createSplitMaskedStores());
  // From here on strides may be negative.
  EmitEntryPointsOptions entryOptions;
  bool isDistributed = !options.mpi.empty();
  entryOptions.views = options.views && !isDistributed;
  entryOptions.checks = options.checks && !isDistributed;
  entryOptions.packed = options.packed || isDistributed;
  entryOptions.executable = options.executable && !isDistributed;
  entryOptions.sveBits = options.sveBits;
  pm.addPass(createEmitEntryPoints(entryOptions));
  if (isDistributed) {
    // From here on kernels are called through tables.
    EmitDistributedEntriesOptions ranks;
    ranks.mpi = options.mpi;
    ranks.executable = options.executable;
    pm.addPass(createEmitDistributedEntries(ranks));
  }
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

} // namespace ein
