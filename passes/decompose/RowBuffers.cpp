//===- RowBuffers.cpp - Memory for rows -----------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/decompose/RowBuffers.h"
#include "abi/CacheLine.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/analysis/ElementBytes.h"

using namespace mlir;

namespace ein {

/// Whether a size is computed anew in each round of a loop.
static bool isOfLoop(OpFoldResult size) {
  auto value = dyn_cast<Value>(size);
  Operation *source = value ? value.getDefiningOp() : nullptr;
  return source && !getConstantIntValue(size) &&
         source->getParentOfType<scf::ForOp>();
}

/// The extent along an axis; with `isWhole`, of what a slice that a loop takes
/// is a part of.
static OpFoldResult findExtent(ImplicitLocOpBuilder &b, Value value,
                               int64_t axis, bool isWhole) {
  while (true) {
    if (auto empty = value.getDefiningOp<tensor::EmptyOp>())
      return empty.getMixedSizes()[axis];
    if (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>()) {
      llvm::SmallBitVector dropped = slice.getDroppedDims();
      int64_t number = 0;
      for (int64_t left = axis; dropped.test(number) || left-- > 0;)
        ++number;
      OpFoldResult size = slice.getMixedSizes()[number];
      if (!isWhole || !isOfLoop(size))
        return size;
      value = slice.getSource();
      axis = number;
      continue;
    }
    if (auto branch = value.getDefiningOp<scf::IfOp>()) {
      value = branch.elseYield().getOperand(
          cast<OpResult>(value).getResultNumber());
      continue;
    }
    auto buffer = value.getDefiningOp<bufferization::AllocTensorOp>();
    if (buffer && buffer.isDynamicDim(axis))
      return buffer.getDynamicSize(b, axis);
    auto op = value.getDefiningOp<DestinationStyleOpInterface>();
    auto argument = dyn_cast<BlockArgument>(value);
    auto loop = argument
                    ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                    : scf::ForOp();
    if (op)
      value = op.getTiedOpOperand(cast<OpResult>(value))->get();
    else if (loop && argument != loop.getInductionVar())
      value = loop.getTiedLoopInit(argument)->get();
    else
      return tensor::getMixedSize(b, b.getLoc(), value, axis);
  }
}

OpFoldResult getExtent(ImplicitLocOpBuilder &b, Value value, int64_t axis) {
  return findExtent(b, value, axis, /*isWhole=*/false);
}

OpFoldResult getCapacity(ImplicitLocOpBuilder &b, Value value, int64_t axis) {
  return findExtent(b, value, axis, /*isWhole=*/true);
}

/// Moves a pure op out of the loop that it is in, with what it needs.
static bool moveOutOfLoop(Operation *op, scf::ForOp loop) {
  if (!loop->isAncestor(op))
    return true;
  bool isAllocation = isa<bufferization::AllocTensorOp>(op);
  if (op->getNumRegions() != 0 || (!isAllocation && !isPure(op)))
    return false;
  for (Value operand : op->getOperands()) {
    if (loop.isDefinedOutsideOfLoop(operand))
      continue;
    Operation *source = operand.getDefiningOp();
    if (!source || !moveOutOfLoop(source, loop))
      return false;
  }
  op->moveBefore(loop);
  return true;
}

/// Whether rows of so many elements are better off longer.
static bool sharesSets(ArrayRef<OpFoldResult> sizes, Type element,
                       int64_t conflictBytes) {
  if (conflictBytes == 0 || sizes.size() < 2 || !element.isIntOrFloat())
    return false;
  std::optional<int64_t> length = getConstantIntValue(sizes.back());
  return !length || (*length > 0 &&
                     *length * getScalarBytes(element) % conflictBytes == 0);
}

Value createBuffer(ImplicitLocOpBuilder &b, Type element,
                   ArrayRef<OpFoldResult> sizes, int64_t conflictBytes) {
  SmallVector<OpFoldResult> padded(sizes);
  if (sharesSets(sizes, element, conflictBytes))
    padded.back() = affine::makeComposedFoldedAffineApply(
        b, b.getLoc(),
        b.getAffineDimExpr(0) +
            getElementsPerLine(element.getIntOrFloatBitWidth()),
        {sizes.back()});
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  dispatchIndexOpFoldResults(padded, dynamic, shape);
  auto buffer = bufferization::AllocTensorOp::create(
      b, RankedTensorType::get(shape, element), dynamic);
  while (auto loop = buffer->getParentOfType<scf::ForOp>())
    if (!moveOutOfLoop(buffer, loop))
      break;
  return buffer;
}

} // namespace ein
