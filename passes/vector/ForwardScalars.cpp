//===- ForwardScalars.cpp - A row's numbers stay in registers -------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: in a loop over rows, a row's sum is a tensor without dims, which
// would be memory, and an allocation for it; and what is computed of it is
// computed for each element of a vector. A square root and a reciprocal of 16
// numbers that are equal take as long as four rows of 16 are read.
//
// Choice: what is inserted in such a tensor is given to what reads it, ops
// without loops become what is in them, and operations on vectors whose
// elements are all equal become operations on one. On the way, what nothing
// reads any more disappears, and with it the allocation.
//
//===----------------------------------------------------------------------===//

#include "passes/vector/ForwardScalars.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace ein {

static bool isWithoutDims(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() == 0;
}

/// What was inserted in a tensor without dims; null if that is not known.
static Value getInserted(Value tensor) {
  auto insert = tensor.getDefiningOp<tensor::InsertOp>();
  return insert && isWithoutDims(tensor) ? insert.getScalar() : Value();
}

/// The only element of a tensor without dims.
static Value readScalar(OpBuilder &b, Location loc, Value tensor) {
  if (Value inserted = getInserted(tensor))
    return inserted;
  return tensor::ExtractOp::create(b, loc, tensor, ValueRange());
}

/// An op without loops, whose operands have one element each, as its body.
static void inlineBody(RewriterBase &rewriter, linalg::GenericOp op) {
  bool isScalar = op.getNumLoops() == 0 && op.getNumResults() == 1 &&
                  op.hasPureTensorSemantics() && !op.getLibraryCall() &&
                  isWithoutDims(op.getResult(0));
  for (Value input : op.getInputs())
    isScalar &= !isa<ShapedType>(input.getType()) || isWithoutDims(input);
  if (!isScalar)
    return;
  rewriter.setInsertionPoint(op);
  IRMapping scalars;
  for (OpOperand &operand : op->getOpOperands())
    if (op.payloadUsesValueFromOperand(&operand))
      scalars.map(op.getMatchingBlockArgument(&operand),
                  isWithoutDims(operand.get())
                      ? readScalar(rewriter, op.getLoc(), operand.get())
                      : operand.get());
  for (Operation &inner : op.getBody()->without_terminator())
    rewriter.clone(inner, scalars);
  Value result =
      scalars.lookupOrDefault(op.getBody()->getTerminator()->getOperand(0));
  rewriter.replaceOpWithNewOp<tensor::InsertOp>(op, result, op.getOutputs()[0],
                                                ValueRange());
}

/// A read of a number that has just been inserted.
static void forward(RewriterBase &rewriter, tensor::ExtractOp op) {
  if (Value scalar = getInserted(op.getTensor()))
    rewriter.replaceOp(op, scalar);
}

static void forward(RewriterBase &rewriter, vector::TransferReadOp op) {
  Value scalar = getInserted(op.getBase());
  if (!scalar || op.getMask() ||
      scalar.getType() != op.getVectorType().getElementType())
    return;
  rewriter.setInsertionPoint(op);
  rewriter.replaceOpWithNewOp<vector::BroadcastOp>(op, op.getVectorType(),
                                                   scalar);
}

/// The number that all elements of a vector are; null if it is not known to be
/// one.
static Value getSplat(Value vector) {
  auto broadcast = vector.getDefiningOp<vector::BroadcastOp>();
  return broadcast && !isa<VectorType>(broadcast.getSource().getType())
             ? broadcast.getSource()
             : Value();
}

/// An operation on vectors of equal floats as one on numbers. Masks and what
/// addresses are made of stay as they are.
static void computeOnce(RewriterBase &rewriter, Operation *op) {
  auto isFloats = [](Type type) {
    auto vector = dyn_cast<VectorType>(type);
    return vector &&
           (vector.getElementType().isF32() || vector.getElementType().isF64());
  };
  if (op->getNumResults() != 1 || op->getNumRegions() != 0 || !isPure(op) ||
      !OpTrait::hasElementwiseMappableTraits(op) ||
      !isFloats(op->getResult(0).getType()) ||
      !llvm::all_of(op->getOperandTypes(), isFloats) ||
      llvm::none_of(op->getOperands(), getSplat))
    return;
  rewriter.setInsertionPoint(op);
  SmallVector<Value> scalars;
  for (Value operand : op->getOperands()) {
    DenseFPElementsAttr constant;
    if (Value splat = getSplat(operand)) {
      scalars.push_back(splat);
    } else if (matchPattern(operand, m_Constant(&constant)) &&
               constant.isSplat()) {
      scalars.push_back(arith::ConstantOp::create(
          rewriter, op->getLoc(), constant.getSplatValue<FloatAttr>()));
    } else {
      return;
    }
  }
  auto type = cast<VectorType>(op->getResult(0).getType());
  Operation *scalar =
      rewriter.create(op->getLoc(), op->getName().getIdentifier(), scalars,
                      TypeRange(type.getElementType()), op->getAttrs());
  rewriter.replaceOpWithNewOp<vector::BroadcastOp>(op, type,
                                                   scalar->getResult(0));
}

void forwardScalars(RewriterBase &rewriter, Operation *root) {
  // In their order, so that what one op gives is known at the next.
  SmallVector<Operation *> ops;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    ops.push_back(op);
    return isa<linalg::GenericOp>(op) ? WalkResult::skip()
                                      : WalkResult::advance();
  });
  for (Operation *op : ops) {
    if (auto generic = dyn_cast<linalg::GenericOp>(op))
      inlineBody(rewriter, generic);
    else if (auto extract = dyn_cast<tensor::ExtractOp>(op))
      forward(rewriter, extract);
    else if (auto read = dyn_cast<vector::TransferReadOp>(op))
      forward(rewriter, read);
    else
      computeOnce(rewriter, op);
  }
}

} // namespace ein
