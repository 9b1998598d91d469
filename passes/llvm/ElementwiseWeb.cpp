//===- ElementwiseWeb.cpp - What is computed element by element -----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/llvm/ElementwiseWeb.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace ein {

/// Whether it makes one vector of the elements of others.
static bool isElementwise(Operation *op) {
  return (OpTrait::hasElementwiseMappableTraits(op) ||
          isa<vector::FMAOp>(op)) &&
         op->getNumResults() == 1 &&
         isa<VectorType>(op->getResult(0).getType());
}

/// Whether all elements are the same.
static bool isSplat(Value value) {
  if (auto broadcast = value.getDefiningOp<vector::BroadcastOp>())
    return !isa<VectorType>(broadcast.getSource().getType());
  SplatElementsAttr splat;
  return matchPattern(value, m_Constant(&splat));
}

ElementwiseWeb::ElementwiseWeb(Operation *first, Test isStart, Test isEnd) {
  ops.insert(first);
  // Both lists grow as they are gone over.
  size_t nextOp = 0, nextValue = 0;
  while (nextOp < ops.size() || nextValue < values.size()) {
    if (nextOp < ops.size()) {
      Operation *op = ops[nextOp++];
      if (!isStart(op))
        for (Value operand : op->getOperands())
          addOperand(operand, isStart);
      if (!isEnd(op))
        values.insert_range(op->getResults());
      continue;
    }
    for (Operation *user : values[nextValue++].getUsers())
      if (isEnd(user) || (!isStart(user) && isElementwise(user)))
        ops.insert(user);
  }
}

void ElementwiseWeb::addOperand(Value value, Test isStart) {
  if (!isa<VectorType>(value.getType()) || isSplat(value) ||
      values.contains(value))
    return;
  Operation *op = value.getDefiningOp();
  if (op && (isStart(op) || isElementwise(op)))
    ops.insert(op);
  else
    sources.insert(value);
}

} // namespace ein
