//===- Extents.cpp - Extents as expressions of sizes ----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/distribute/Extents.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace ein {

AffineExpr Extents::get(Value index) const {
  MLIRContext *context = index.getContext();
  APInt constant;
  if (matchPattern(index, m_ConstantInt(&constant)))
    return getAffineConstantExpr(constant.getSExtValue(), context);
  if (auto argument = dyn_cast<BlockArgument>(index)) {
    int64_t first = body->getNumArguments() -
                    static_cast<int64_t>(signature.symbols.size());
    if (argument.getOwner() != body || argument.getArgNumber() < first)
      return nullptr;
    return getAffineSymbolExpr(argument.getArgNumber() - first, context);
  }
  Operation *op = index.getDefiningOp();
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    std::optional<int64_t> position = dim.getConstantIndex();
    return position ? get(dim.getSource(), *position) : nullptr;
  }
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    SmallVector<AffineExpr> operands;
    for (Value operand : apply.getMapOperands()) {
      operands.push_back(get(operand));
      if (!operands.back())
        return nullptr;
    }
    AffineMap map = apply.getAffineMap();
    ArrayRef<AffineExpr> exprs = operands;
    return map.getResult(0).replaceDimsAndSymbols(
        exprs.take_front(map.getNumDims()), exprs.drop_front(map.getNumDims()));
  }
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return nullptr;
  AffineExpr lhs = get(op->getOperand(0)), rhs = get(op->getOperand(1));
  if (!lhs || !rhs)
    return nullptr;
  if (isa<arith::AddIOp>(op))
    return lhs + rhs;
  if (isa<arith::SubIOp>(op))
    return lhs - rhs;
  bool isLinear = isa<AffineConstantExpr>(lhs) || isa<AffineConstantExpr>(rhs);
  return isLinear ? lhs * rhs : nullptr;
}

AffineExpr Extents::get(Value tensor, int64_t dim) const {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return getAffineConstantExpr(type.getDimSize(dim), tensor.getContext());
  if (auto argument = dyn_cast<BlockArgument>(tensor)) {
    if (argument.getOwner() != body ||
        argument.getArgNumber() >= signature.arguments.size())
      return nullptr;
    return signature.arguments[argument.getArgNumber()].dims.getResult(dim);
  }
  Operation *op = tensor.getDefiningOp();
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    return get(empty.getDynamicSize(dim));
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return get(cast.getSource(), dim);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return get(
        loop.getInitArgs()[mlir::cast<OpResult>(tensor).getResultNumber()],
        dim);
  auto getMixed = [&](OpFoldResult size) {
    if (auto value = dyn_cast<Value>(size))
      return get(value);
    return getAffineConstantExpr(
        cast<IntegerAttr>(cast<Attribute>(size)).getInt(), tensor.getContext());
  };
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    for (auto [position, size] : llvm::enumerate(slice.getMixedSizes()))
      if (!dropped.test(position) && dim-- == 0)
        return getMixed(size);
    return nullptr;
  }
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return get(insert.getDest(), dim);
  if (auto insert = dyn_cast<tensor::InsertOp>(op))
    return get(insert.getDest(), dim);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return getMixed(expand.getMixedOutputShape()[dim]);
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return get(structured.getTiedOpOperand(mlir::cast<OpResult>(tensor))->get(),
               dim);
  return nullptr;
}

AffineExpr Extents::getLoop(linalg::LinalgOp op, unsigned loop) const {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults()))
      if (expr == getAffineDimExpr(loop, op.getContext()))
        if (AffineExpr extent = get(operand.get(), dim))
          return extent;
  }
  return nullptr;
}

} // namespace ein
