//===- Contiguity.cpp - Tensors without gaps in memory --------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/Contiguity.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace ein {

bool isContiguous(Value value, SmallVectorImpl<BlockArgument> &arguments) {
  while (true) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      arguments.push_back(argument);
      return isa<func::FuncOp>(argument.getOwner()->getParentOp());
    }
    auto result = cast<OpResult>(value);
    Operation *op = result.getOwner();
    if (isa<tensor::EmptyOp, arith::ConstantOp>(op))
      return true;
    if (isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
      value = op->getOperand(0);
    else if (isa<linalg::LinalgOp>(op))
      value =
          cast<DestinationStyleOpInterface>(op).getTiedOpOperand(result)->get();
    else
      return false;
  }
}

} // namespace ein
