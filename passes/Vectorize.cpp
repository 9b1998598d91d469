//===- Vectorize.cpp - Contractions and tiles to vectors ----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By now every op that is to be vectorised has a static tile for an iteration
// space, or needs one loop to get there. The vector code itself is upstream's:
// `linalg::vectorize` turns a contraction straight into a `vector.contract`,
// and an elementwise op into the same ops on vectors.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/Passes.h"
#include "passes/Raising.h"
#include "passes/Strategy.h"
#include "passes/Transforms.h"

namespace ein {
#define GEN_PASS_DEF_VECTORIZE
#include "passes/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

LogicalResult vectorizeContract(RewriterBase &rewriter, linalg::LinalgOp op) {
  FailureOr<Strategy> strategy = Strategy::fromOp(op, op.getNumLoops());
  if (failed(strategy))
    return failure();
  std::optional<ContractionKind> kind = getContractionKind(op);
  if (!kind)
    return op.emitOpError("is not a contraction, which its strategy is for");
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  scf::SCFTilingOptions options;
  options.setTileSizes(getAsIndexOpFoldResult(op.getContext(), strategy->tile));
  FailureOr<scf::SCFTilingResult> tiled = scf::tileUsingSCF(
      rewriter, cast<TilingInterface>(op.getOperation()), options);
  if (failed(tiled))
    return op.emitOpError("cannot be tiled to one step of k");
  rewriter.replaceOp(op, tiled->replacements);

  auto step = cast<linalg::LinalgOp>(tiled->tiledOps.front());
  rewriter.setInsertionPoint(step);
  if (isa<linalg::GenericOp>(step.getOperation())) {
    // Upstream makes a vector.contract of `linalg.contract` only: a sum, whose
    // kind is put right below.
    linalg::LinalgOp sum = createContraction(
        rewriter, step.getLoc(), {vector::CombiningKind::ADD, kind->cast},
        step->getResultTypes(), step.getDpsInputs(), step.getDpsInits()[0],
        step.getIndexingMapsArray());
    rewriter.replaceOp(step, sum);
    step = sum;
  }
  FailureOr<linalg::VectorizationResult> result = linalg::vectorize(
      rewriter, step, /*inputVectorSizes=*/{}, /*inputScalableVecDims=*/{},
      /*vectorizeNDExtract=*/false, /*flatten1DDepthwiseConv=*/false,
      /*assumeDynamicDimsMatchVecSizes=*/false,
      /*createNamedContraction=*/true);
  if (failed(result))
    return step->emitOpError("cannot be vectorised");
  Block *block = step->getBlock();
  rewriter.replaceOp(step, result->replacements);
  block->walk([&](vector::ContractionOp op) { op.setKind(kind->kind); });
  return success();
}

/// Vectorises an elementwise tile; an incomplete one stays as it is, to become
/// scalar loops.
static void vectorizeTile(RewriterBase &rewriter, linalg::LinalgOp op) {
  if (op.hasDynamicShape())
    return;
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::VectorizationResult> result =
      linalg::vectorize(rewriter, op);
  if (succeeded(result))
    rewriter.replaceOp(op, result->replacements);
}

namespace {
struct VectorizePass : impl::VectorizeBase<VectorizePass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    for (linalg::LinalgOp op : ops) {
      if (hasStrategy(op, Strategy::Vectorize) ||
          hasStrategy(op, Strategy::Epilogue))
        vectorizeTile(rewriter, op);
      else if (hasStrategy(op, Strategy::PackedGemm) &&
               failed(vectorizeContract(rewriter, op)))
        return signalPassFailure();
    }
  }
};
} // namespace

} // namespace ein
