//===- Reductions.cpp - Reductions as vectors -----------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/Reductions.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/Combiner.h"
#include "passes/analysis/ComplexVectors.h"
#include "passes/analysis/Epilogue.h"
#include "passes/analysis/VectorBody.h"

using namespace mlir;

namespace ein {

static AffineMap getOutputMap(linalg::LinalgOp op) {
  return op.getMatchingIndexingMap(op.getDpsInitOperand(0));
}

FailureOr<ReductionInfo> matchReduction(linalg::LinalgOp op, int64_t dim,
                                        DeclineFn onDecline) {
  if (!isa<linalg::GenericOp, linalg::ContractOp>(op.getOperation()) ||
      !op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() == 0)
    return decline(onDecline, "it is no reduction to one result");
  for (Type type : op->getOperandTypes()) {
    Type element = getElementTypeOrSelf(type);
    Type part = getPartType(element);
    if (!hasVectorsOf(element) || !part.isIntOrFloat() ||
        part.getIntOrFloatBitWidth() % 8 != 0)
      return decline(onDecline, "its elements are single bits");
  }
  for (AffineMap map : op.getIndexingMapsArray())
    if (!isContiguousAlong(map, dim))
      return decline(
          onDecline,
          "an operand is not contiguous along the dim, or not at lone "
          "indices");
  if (!canBeVectors(op))
    return decline(onDecline, "its body is not arithmetic that vectors have");
  AffineMap output = getOutputMap(op);
  ReductionInfo info = {output, /*isRow=*/!output.isFunctionOfDim(dim)};
  if (!info.isRow)
    return info;
  Operation *combiner = getCombiner(op);
  if (!combiner || !isInAnyOrder(op, combiner))
    return decline(onDecline, "its values must be combined in their order");
  return info;
}

OpOperand *getLargestInput(linalg::LinalgOp op) {
  OpOperand *largest = nullptr;
  for (OpOperand *input : op.getDpsInputOperands())
    if (!largest || op.getMatchingIndexingMap(input).getNumResults() >
                        op.getMatchingIndexingMap(largest).getNumResults())
      largest = input;
  return largest;
}

bool beginsAnywhere(linalg::LinalgOp op, int64_t dim, int64_t lanes) {
  constexpr int64_t kLong = 16;
  if (getOutputMap(op).isFunctionOfDim(dim) || op.getNumReductionLoops() != 1 ||
      hasFormulas(op))
    return false;
  OpOperand *row = getLargestInput(op);
  for (OpOperand *input : op.getDpsInputOperands())
    if (input->get() != row->get() &&
        op.getMatchingIndexingMap(input).isFunctionOfDim(dim))
      return false;
  bool isRow = op.getMatchingIndexingMap(row).getNumResults() > 1 ||
               row->get().getDefiningOp<tensor::ExtractSliceOp>();
  int64_t size = op.getStaticLoopRanges()[dim];
  return isRow && (ShapedType::isDynamic(size) ||
                   (size % lanes != 0 && size >= kLong * lanes));
}

} // namespace ein
