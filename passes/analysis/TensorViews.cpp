//===- TensorViews.cpp - Ops that only move elements ----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/TensorViews.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

namespace ein {

std::optional<TensorView> getTensorView(Value value) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (!op || op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() != 0 || !op.hasPureTensorSemantics())
    return std::nullopt;
  Block *body = op.getBlock();
  auto yielded = dyn_cast<BlockArgument>(body->getTerminator()->getOperand(0));
  OpOperand *input = op.getDpsInputOperand(0);
  if (!yielded || yielded != op.getMatchingBlockArgument(input) ||
      !isa<RankedTensorType>(input->get().getType()))
    return std::nullopt;
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!result.isPermutation())
    return std::nullopt;
  AffineMap map =
      op.getMatchingIndexingMap(input).compose(inversePermutation(result));
  return TensorView{input->get(), map};
}

} // namespace ein
