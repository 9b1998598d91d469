//===- SizeBounds.cpp - What dynamic sizes are at most
//-----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/SizeBounds.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace ein {

/// The extent along an axis of the first static shape that the value is a part
/// of, or kDynamic.
static int64_t getLargest(Value value, int64_t axis) {
  while (true) {
    auto type = cast<RankedTensorType>(value.getType());
    if (!type.isDynamicDim(axis))
      return type.getDimSize(axis);
    if (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>()) {
      llvm::SmallBitVector dropped = slice.getDroppedDims();
      int64_t number = 0;
      for (int64_t left = axis; dropped.test(number) || left-- > 0;)
        ++number;
      value = slice.getSource();
      axis = number;
    } else if (auto op = value.getDefiningOp<linalg::LinalgOp>()) {
      value = op.getTiedOpOperand(cast<OpResult>(value))->get();
    } else {
      return ShapedType::kDynamic;
    }
  }
}

SmallVector<int64_t> getLargestRanges(linalg::LinalgOp op) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [axis, expr] : llvm::enumerate(map.getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim)
        continue;
      int64_t most = getLargest(operand.get(), axis);
      int64_t &range = ranges[dim.getPosition()];
      if (!ShapedType::isDynamic(most) &&
          (ShapedType::isDynamic(range) || most < range))
        range = most;
    }
  }
  return ranges;
}

} // namespace ein
