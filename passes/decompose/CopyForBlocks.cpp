//===- CopyForBlocks.cpp - Copies that all blocks of rows read ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What all blocks of a group read is copied before the innermost loop to where
// register tiles read it along memory, and looked at there: whether all of it
// is finite decides what columns that a mask leaves out could change.
//
//===----------------------------------------------------------------------===//

#include "ir/IndexNames.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/decompose/FusionGroupLoop.h"
#include "passes/decompose/MaskCheck.h"
#include "passes/decompose/RowBuffers.h"

using namespace mlir;

namespace ein {

/// Copies of what all blocks read, in another order of dims; where the loops
/// that have been made so far are.
void FusionGroupLoop::createCopies() {
  for (auto [entry, schedule] : llvm::zip_equal(group, schedules)) {
    auto op = cast<linalg::LinalgOp>(entry.first);
    for (unsigned input = 0; input < 2; ++input) {
      ArrayRef<int64_t> order = schedule.order[input];
      if (order.empty())
        continue;
      OpOperand &operand = op->getOpOperand(input);
      AffineMap map = op.getMatchingIndexingMap(&operand);
      Value source = getInput(operand, entry.second);
      Dims from;
      for (AffineExpr expr : map.getResults()) {
        int64_t dim = cast<AffineDimExpr>(expr).getPosition();
        if (isKept(entry.second, dim))
          from.push_back(dim);
      }
      Dims permutation;
      Sizes sizes;
      for (int64_t dim : order) {
        permutation.push_back(llvm::find(from, dim) - from.begin());
        sizes.push_back(getExtent(
            b, operand.get(), *map.getResultPosition(b.getAffineDimExpr(dim))));
      }
      Location loc = b.getLoc();
      std::string name = getTensorName(operand.get());
      b.setLoc(withTensorName(op.getLoc(), "copy of " + name));
      Value buffer = createBuffer(b, getElementTypeOrSelf(source.getType()),
                                  sizes, conflictBytes);
      if (auto type = cast<RankedTensorType>(buffer.getType());
          !isEqualConstantIntOrValue(getExtent(b, buffer, type.getRank() - 1),
                                     sizes.back()))
        buffer = tensor::ExtractSliceOp::create(
            b, buffer, Sizes(sizes.size(), b.getIndexAttr(0)), sizes,
            Sizes(sizes.size(), b.getIndexAttr(1)));
      copies[{op, input}] =
          linalg::TransposeOp::create(
              b,
              withTensorName(selectIndexNames(op.getLoc(),
                                              SmallVector<unsigned>(
                                                  order.begin(), order.end())),
                             name),
              source, buffer, permutation)
              ->getResult(0);
      b.setLoc(loc);
    }
  }
  if (masked) {
    linalg::LinalgOp product = masked->getProduct();
    OpOperand &factor = product->getOpOperand(1 - masked->getWeights());
    ArrayRef<int64_t> rows = group.find(product)->second;
    Value tile = getInput(factor, rows);
    SmallVector<unsigned> kept;
    for (AffineExpr expr : product.getMatchingIndexingMap(&factor).getResults())
      if (auto dim = dyn_cast<AffineDimExpr>(expr);
          dim && isKept(rows, dim.getPosition()))
        kept.push_back(dim.getPosition());
    Location loc = b.getLoc();
    b.setLoc(withTensorName(selectIndexNames(product.getLoc(), kept),
                            "check of " + getTensorName(factor.get())));
    finite = createFiniteCheck(
        b, tile, createBuffer(b, getElementTypeOrSelf(tile.getType()), {}));
    b.setLoc(loc);
  }
  // Slices were of places outside of the loop that follows.
  slices.clear();
}

} // namespace ein
