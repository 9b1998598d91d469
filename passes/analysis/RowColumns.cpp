//===- RowColumns.cpp - What the columns of a group's rows are ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/RowColumns.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/DimRoles.h"

using namespace mlir;

namespace ein {

OpOperand *getOperand(linalg::LinalgOp op, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getOwner() == op.getBlock()
             ? op.getMatchingOpOperand(argument)
             : nullptr;
}

int64_t RowColumns::getAxis(OpOperand &operand) const {
  auto op = cast<linalg::LinalgOp>(operand.getOwner());
  int64_t dim = getColumns(op);
  if (dim < 0)
    return -1;
  AffineMap map = op.getMatchingIndexingMap(&operand);
  for (auto [axis, expr] : llvm::enumerate(map.getResults()))
    if (expr.isFunctionOfDim(dim))
      return axis;
  return -1;
}

/// The last contraction, of a factor that is made in the group.
bool RowColumns::findProduct(const FusionGroup &group) {
  for (auto &[operation, dims] : llvm::reverse(group)) {
    auto op = dyn_cast<linalg::ContractOp>(operation);
    if (!op)
      continue;
    auto contraction = cast<linalg::LinalgOp>(operation);
    std::array<bool, 2> isMade;
    for (unsigned input = 0; input < 2; ++input)
      isMade[input] = bool(getMember(op.getInputs()[input], group));
    if (isMade[0] == isMade[1])
      return false;
    weights = isMade[1];
    product = contraction;
    break;
  }
  if (!product)
    return false;
  // What is left out of a sum that starts from zero, and is of finite numbers,
  // shows nowhere.
  linalg::FillOp start = getStart(product);
  Type element = getElementTypeOrSelf(product.getDpsInits()[0].getType());
  bool areFloats = llvm::all_of(product->getOperandTypes(), [&](Type type) {
    return getElementTypeOrSelf(type) == element;
  });
  return start && matchPattern(start.getInputs()[0], m_AnyZeroFloat()) &&
         isa<FloatType>(element) && areFloats &&
         element.getIntOrFloatBitWidth() >= 32;
}

/// The loop over columns of each op that has one: all of them are the sum of
/// the product, and nothing else.
bool RowColumns::findColumns(const FusionGroup &group) {
  OpOperand &factor = product->getOpOperand(weights);
  AffineMap map = product.getMatchingIndexingMap(&factor);
  AffineMap output = getInitMap(product);
  int64_t sum = -1;
  for (AffineExpr expr : map.getResults()) {
    int64_t dim = cast<AffineDimExpr>(expr).getPosition();
    if (output.isFunctionOfDim(dim))
      continue;
    if (sum >= 0)
      return false;
    sum = dim;
  }
  if (sum < 0)
    return false;
  columns[product] = sum;
  // Through what one op reads of another, both ways, until nothing is new.
  auto getDimAt = [](linalg::LinalgOp op, AffineMap map, int64_t axis) {
    auto dim = dyn_cast<AffineDimExpr>(map.getResult(axis));
    return dim ? int64_t(dim.getPosition()) : int64_t(-1);
  };
  bool isChanged = true;
  auto set = [&](linalg::LinalgOp op, int64_t dim) {
    if (dim < 0)
      return false;
    auto [entry, isNew] = columns.try_emplace(op, dim);
    isChanged |= isNew;
    return entry->second == dim;
  };
  while (std::exchange(isChanged, false))
    for (auto &[operation, dims] : group) {
      auto op = cast<linalg::LinalgOp>(operation);
      for (OpOperand &operand : op->getOpOperands()) {
        linalg::LinalgOp producer = getMember(operand.get(), group);
        if (!producer)
          continue;
        AffineMap reads = op.getMatchingIndexingMap(&operand);
        AffineMap writes = getInitMap(producer);
        int64_t ofProducer = getColumns(producer), ofOp = getColumns(op);
        for (int64_t axis = 0; axis < int64_t(reads.getNumResults()); ++axis) {
          bool isWritten = ofProducer >= 0 &&
                           writes.getResult(axis).isFunctionOfDim(ofProducer);
          bool isRead =
              ofOp >= 0 && reads.getResult(axis).isFunctionOfDim(ofOp);
          if (isWritten && !set(op, getDimAt(op, reads, axis)))
            return false;
          if (isRead && !set(producer, getDimAt(producer, writes, axis)))
            return false;
        }
      }
    }
  // A row of all of them is whole, at one index.
  for (auto &[operation, dim] : columns) {
    auto op = cast<linalg::LinalgOp>(operation);
    if (llvm::is_contained(group.find(operation)->second, dim))
      return false;
    for (OpOperand &operand : op->getOpOperands()) {
      AffineMap map = op.getMatchingIndexingMap(&operand);
      unsigned count = 0;
      for (AffineExpr expr : map.getResults()) {
        if (!expr.isFunctionOfDim(dim))
          continue;
        if (!isa<AffineDimExpr>(expr))
          return false;
        ++count;
      }
      if (count > 1 ||
          (count == 1 && !isa<RankedTensorType>(operand.get().getType())))
        return false;
    }
  }
  return true;
}

std::optional<RowColumns> RowColumns::find(const FusionGroup &group) {
  RowColumns found;
  if (!found.findProduct(group) || !found.findColumns(group))
    return std::nullopt;
  return found;
}

} // namespace ein
