//===- BodyExpression.cpp - Parts of a body as arrays ---------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/BodyExpression.h"
#include "ir/IndexNames.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace ein {

/// What may trap is not computed where it was not.
LogicalResult BodyExpression::collect(linalg::GenericOp op, Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && argument.getOwner() == op.getBody()) {
    unsigned number = argument.getArgNumber();
    if (number >= op.getNumDpsInputs())
      return failure();
    AffineMap map = op.getIndexingMapsArray()[number];
    if (!map.isProjectedPermutation())
      return failure();
    inputs.insert(number);
    for (AffineExpr expr : map.getResults())
      dims.set(cast<AffineDimExpr>(expr).getPosition());
    return success();
  }
  Operation *definition = value.getDefiningOp();
  if (!definition || definition->getBlock() != op.getBody() ||
      ops.contains(definition))
    return success();
  if (!isPure(definition) || definition->getNumRegions() != 0)
    return failure();
  if (auto index = dyn_cast<linalg::IndexOp>(definition))
    dims.set(index.getDim());
  for (Value operand : definition->getOperands())
    if (failed(collect(op, operand)))
      return failure();
  ops.insert(definition);
  return success();
}

FailureOr<BodyExpression> BodyExpression::find(linalg::GenericOp op,
                                               Value value) {
  BodyExpression expression;
  expression.value = value;
  expression.dims.resize(op.getNumLoops());
  if (failed(expression.collect(op, value)))
    return failure();
  return expression;
}

SmallVector<unsigned> BodyExpression::getOrder(AffineMap like) const {
  llvm::SetVector<unsigned> order;
  for (AffineExpr expr : like.getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(expr);
        dim && dims.test(dim.getPosition()))
      order.insert(dim.getPosition());
  for (unsigned dim : dims.set_bits())
    order.insert(dim);
  return order.takeVector();
}

BodyExpression::Array BodyExpression::createArray(RewriterBase &b,
                                                  linalg::GenericOp op,
                                                  AffineMap like, Type type,
                                                  StringRef role) const {
  SmallVector<unsigned> order = getOrder(like);
  Location loc = op.getLoc();
  SmallVector<AffineExpr> renamed(op.getNumLoops(), b.getAffineConstantExpr(0));
  SmallVector<OpFoldResult> sizes;
  SmallVector<Range> loops =
      cast<linalg::LinalgOp>(op.getOperation()).createLoopRanges(b, loc);
  for (auto [place, dim] : llvm::enumerate(order)) {
    renamed[dim] = b.getAffineDimExpr(place);
    sizes.push_back(loops[dim].size);
  }
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<Value> arrays;
  SmallVector<AffineMap> arrayMaps;
  for (unsigned number : inputs) {
    arrays.push_back(op.getDpsInputs()[number]);
    arrayMaps.push_back(
        maps[number].replaceDimsAndSymbols(renamed, {}, order.size(), 0));
  }
  arrayMaps.push_back(b.getMultiDimIdentityMap(order.size()));
  loc = withTensorName(selectIndexNames(loc, order),
                       (getTensorName(loc).str() + ", " + role).str());
  Value empty = tensor::EmptyOp::create(b, loc, sizes, type);
  SmallVector<utils::IteratorType> iterators(order.size(),
                                             utils::IteratorType::parallel);
  auto array = linalg::GenericOp::create(
      b, loc, empty.getType(), arrays, empty, arrayMaps, iterators,
      [&](OpBuilder &inner, Location at, ValueRange arguments) {
        IRMapping mapping;
        for (auto [place, number] : llvm::enumerate(inputs))
          mapping.map(op.getBody()->getArgument(number), arguments[place]);
        for (Operation *part : ops) {
          Operation *copy = inner.clone(*part, mapping);
          if (auto index = dyn_cast<linalg::IndexOp>(copy))
            index.setDim(
                cast<AffineDimExpr>(renamed[index.getDim()]).getPosition());
        }
        Value result = mapping.lookupOrDefault(value);
        if (result.getType() != type)
          result = arith::TruncIOp::create(inner, at, type, result);
        linalg::YieldOp::create(inner, at, result);
      });
  AffineMap map = AffineMap::getMultiDimMapWithTargets(op.getNumLoops(), order,
                                                       op.getContext());
  return {array.getResult(0), map};
}

} // namespace ein
