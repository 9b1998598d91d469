//===- VectorizePacks.cpp - Packs as loops over vectors -----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pack reads a matrix once and writes it once, so its speed is that of its
// memory accesses: whole vectors on both sides. If the source is contiguous
// along the panel's width, a row of the panel is one read and one write. If it
// is contiguous along k, a block of one cache line of k by the panel's width is
// read and transposed in registers.
//
// Reads beyond the source give zero, writes beyond the panel are dropped: the
// transfer ops say both, and no edge needs code of its own.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "passes/Passes.h"
#include "passes/Strategy.h"
#include "passes/Transforms.h"

namespace ein {
#define GEN_PASS_DEF_VECTORIZEPACKS
#include "passes/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

/// How many steps of k are transposed at a time: a cache line of the source.
static int64_t getTransposeDepth(Type elementType) {
  constexpr int64_t kCacheLineBits = 512;
  return kCacheLineBits / elementType.getIntOrFloatBitWidth();
}

LogicalResult vectorizePack(RewriterBase &rewriter, linalg::PackOp op) {
  auto sourceType = op.getSourceType();
  if (sourceType.getRank() != 2 || op.getInnerDimsPos().size() != 1 ||
      op.getStaticTiles().size() != 1 ||
      ShapedType::isDynamic(op.getStaticTiles()[0]))
    return rewriter.notifyMatchFailure(
        op, "not a matrix packed to panels of one static width");

  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  b.setInsertionPoint(op);
  int64_t axis = op.getInnerDimsPos()[0];
  int64_t width = op.getStaticTiles()[0];
  Type elementType = sourceType.getElementType();
  bool isWidthContiguous = axis == 1;
  int64_t depthStep = isWidthContiguous ? 1 : getTransposeDepth(elementType);
  auto vectorType = VectorType::get({depthStep, width}, elementType);

  // The vector's dims are (k, width); the source's axes hold one each.
  MLIRContext *context = b.getContext();
  AffineExpr d0, d1;
  bindDims(context, d0, d1);
  AffineMap readMap = isWidthContiguous
                          ? AffineMap::get(2, 0, {d0, d1}, context)
                          : AffineMap::get(2, 0, {d1, d0}, context);
  AffineMap writeMap = AffineMap::getMinorIdentityMap(3, 2, context);

  // A pack whose panels are all complete is canonicalised to have no padding;
  // blocks of k may still reach beyond the source.
  Value padding = op.getPaddingValue();
  if (!padding)
    padding = arith::ConstantOp::create(b, b.getZeroAttr(elementType));
  Value destination = op.getDest();
  Value zero = arith::ConstantIndexOp::create(b, 0);
  auto getSize = [&](unsigned dim) {
    return getValueOrCreateConstantIndexOp(
        b, b.getLoc(), tensor::getMixedSize(b, b.getLoc(), destination, dim));
  };
  Value panels = getSize(0), depth = getSize(1);
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value step = arith::ConstantIndexOp::create(b, depthStep);
  auto body = [&](OpBuilder &, Location loc, ValueRange ivs,
                  ValueRange carried) {
    b.setInsertionPointToEnd(ivs.back().getParentBlock());
    Value start = affine::makeComposedAffineApply(b, loc, d0 * width, {ivs[0]});
    SmallVector<Value> position(2);
    position[axis] = start;
    position[1 - axis] = ivs[1];
    Value vector = vector::TransferReadOp::create(
        b, vectorType, op.getSource(), position, padding, readMap,
        ArrayRef<bool>{depthStep == 1, false});
    Value written = vector::TransferWriteOp::create(
                        b, vector, carried[0], ValueRange{ivs[0], ivs[1], zero},
                        writeMap, ArrayRef<bool>{depthStep == 1, true})
                        .getResult();
    return scf::ValueVector{written};
  };
  scf::LoopNest nest =
      scf::buildLoopNest(b, b.getLoc(), {zero, zero}, {panels, depth},
                         {one, step}, ValueRange{destination}, body);
  if (Attribute parallel = op->getAttr(kParallelAttr))
    nest.loops.front()->setAttr(kParallelAttr, parallel);
  rewriter.replaceOp(op, nest.results[0]);
  return success();
}

namespace {
struct VectorizePacksPass : impl::VectorizePacksBase<VectorizePacksPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::PackOp> ops;
    getOperation().walk([&](linalg::PackOp op) { ops.push_back(op); });
    for (linalg::PackOp op : ops)
      if (failed(vectorizePack(rewriter, op))) {
        op.emitOpError("is not a matrix packed to panels of one static width");
        return signalPassFailure();
      }
  }
};
} // namespace

} // namespace ein
