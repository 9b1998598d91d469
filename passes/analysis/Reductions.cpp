//===- Reductions.cpp - Reductions as vectors -----------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/Reductions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/analysis/Combiner.h"
#include "passes/analysis/ComplexVectors.h"
#include "passes/analysis/Epilogue.h"
#include "passes/analysis/VectorBody.h"

using namespace mlir;

namespace ein {

static AffineMap getOutputMap(linalg::LinalgOp op) {
  return op.getMatchingIndexingMap(op.getDpsInitOperand(0));
}

/// Whether vectors along `dim`, of the result, have all of the body but where
/// they are in other dims.
static bool hasOuterIndices(linalg::LinalgOp op, int64_t dim) {
  SmallVector<Operation *> rest;
  for (Operation &inner : op.getBlock()->without_terminator()) {
    auto index = dyn_cast<linalg::IndexOp>(inner);
    if (!index)
      rest.push_back(&inner);
    else if (int64_t(index.getDim()) == dim)
      return false;
  }
  return getOutputMap(op).isFunctionOfDim(dim) && canBeVectors(rest);
}

/// Whether `value` grows with the index of `dim` as that does: it is that
/// index, or a sum with something that does not depend on it.
static bool growsWith(linalg::LinalgOp op, Value value, int64_t dim) {
  Operation *by = value.getDefiningOp();
  if (auto index = dyn_cast_or_null<linalg::IndexOp>(by))
    return int64_t(index.getDim()) == dim;
  if (isa_and_present<arith::IndexCastOp>(by))
    return growsWith(op, by->getOperand(0), dim);
  if (!isa_and_present<arith::AddIOp>(by))
    return false;
  auto isSame = [&](Value other) {
    return llvm::none_of(getNeeded(op, other), [&](Operation *inner) {
      auto index = dyn_cast<linalg::IndexOp>(inner);
      return index && int64_t(index.getDim()) == dim;
    });
  };
  Value first = by->getOperand(0), second = by->getOperand(1);
  return (growsWith(op, first, dim) && isSame(second)) ||
         (growsWith(op, second, dim) && isSame(first));
}

std::optional<Search> matchSearch(linalg::LinalgOp op, int64_t dim) {
  constexpr int64_t kIndexBits = 64;
  Operation *combiner = getCombiner(op);
  if (!isa_and_present<arith::MinSIOp>(combiner) ||
      getOutputMap(op).isFunctionOfDim(dim))
    return std::nullopt;
  Value combined = getCombined(op, combiner);
  auto select =
      combined ? combined.getDefiningOp<arith::SelectOp>() : arith::SelectOp();
  if (!select || !select.getType().isInteger(kIndexBits) ||
      !growsWith(op, select.getTrueValue(), dim))
    return std::nullopt;
  // Where something is does not depend on what it is.
  auto isOfIndices = [&](Value value) {
    return llvm::all_of(getNeeded(op, value), [&](Operation *inner) {
      return isPure(inner) &&
             llvm::none_of(inner->getOperands(), [&](Value operand) {
               return llvm::is_contained(op.getBlock()->getArguments(),
                                         operand);
             });
    });
  };
  APInt none;
  if (!matchPattern(select.getFalseValue(), m_ConstantInt(&none)) ||
      !none.isMaxSignedValue() || !isOfIndices(select.getTrueValue()) ||
      !canBeVectors(getNeeded(op, select.getCondition())))
    return std::nullopt;
  return Search{select.getCondition(), select.getTrueValue(),
                select.getFalseValue()};
}

FailureOr<ReductionInfo> matchReduction(linalg::LinalgOp op, int64_t dim,
                                        DeclineFn onDecline) {
  if (!isa<linalg::GenericOp, linalg::ContractOp>(op.getOperation()) ||
      !op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() == 0)
    return decline(onDecline, "it is no reduction to one result");
  for (Type type : op->getOperandTypes()) {
    Type element = getElementTypeOrSelf(type);
    Type part = getPartType(element);
    if (!hasVectorsOf(element) || !part.isIntOrFloat() ||
        part.getIntOrFloatBitWidth() % 8 != 0)
      return decline(onDecline, "its elements are single bits");
  }
  if (isOfComplex(op) &&
      !llvm::all_of(op->getOperands(), hasNeighboursTogether))
    return decline(onDecline,
                   "its complex numbers are not neighbours in memory");
  for (AffineMap map : op.getIndexingMapsArray())
    if (!isContiguousAlong(map, dim))
      return decline(
          onDecline,
          "an operand is not contiguous along the dim, or not at lone "
          "indices");
  AffineMap output = getOutputMap(op);
  if (!canBeVectors(op) && !hasOuterIndices(op, dim) && !matchSearch(op, dim))
    return decline(onDecline, "its body is not arithmetic that vectors have");
  ReductionInfo info = {output, /*isRow=*/!output.isFunctionOfDim(dim)};
  if (!info.isRow)
    return info;
  Operation *combiner = getCombiner(op);
  if (!combiner || !isInAnyOrder(op, combiner))
    return decline(onDecline, "its values must be combined in their order");
  return info;
}

Operation *getSumExtension(linalg::LinalgOp op) {
  Operation *combiner = getCombiner(op);
  if (!isa_and_present<arith::AddIOp, arith::AddFOp>(combiner))
    return nullptr;
  Value added = getCombined(op, combiner);
  Operation *extension = added ? added.getDefiningOp() : nullptr;
  return isa_and_present<arith::ExtSIOp, arith::ExtUIOp, arith::ExtFOp>(
             extension)
             ? extension
             : nullptr;
}

int64_t getWidening(linalg::LinalgOp op) {
  Operation *extension = getSumExtension(op);
  if (!extension)
    return 1;
  Type narrow = extension->getOperand(0).getType();
  Type wide = extension->getResult(0).getType();
  bool isKnown = isa<arith::ExtFOp>(extension)
                     ? narrow.isBF16() && wide.isF32()
                     : narrow.isInteger(8) || narrow.isInteger(16);
  return isKnown ? wide.getIntOrFloatBitWidth() / narrow.getIntOrFloatBitWidth()
                 : 1;
}

static bool isExtension(Operation *op) {
  return isa_and_present<arith::ExtSIOp, arith::ExtUIOp, arith::ExtFOp>(op);
}

std::optional<NarrowFactors> getNarrowFactors(linalg::LinalgOp op) {
  constexpr unsigned kWord = 16;
  Operation *combiner = getCombiner(op);
  if (!isa_and_present<arith::AddIOp, arith::AddFOp>(combiner))
    return std::nullopt;
  Value added = getCombined(op, combiner);
  Operation *product = added ? added.getDefiningOp() : nullptr;
  if (!isa_and_present<arith::MulIOp, arith::MulFOp>(product) ||
      product->getResult(0).getType().getIntOrFloatBitWidth() != kNarrowSumBits)
    return std::nullopt;
  Operation *lhs = product->getOperand(0).getDefiningOp(),
            *rhs = product->getOperand(1).getDefiningOp();
  if (!isExtension(lhs) || !isExtension(rhs))
    return std::nullopt;
  NarrowFactors factors = {lhs->getOperand(0), rhs->getOperand(0),
                           isa<arith::ExtUIOp>(lhs), isa<arith::ExtUIOp>(rhs)};
  auto isKnown = [](Value factor, bool isUnsigned) {
    Type type = factor.getType();
    return type.isBF16() || type.isInteger(8) ||
           (type.isInteger(kWord) && !isUnsigned);
  };
  if (!isKnown(factors.lhs, factors.isLhsUnsigned) ||
      !isKnown(factors.rhs, factors.isRhsUnsigned))
    return std::nullopt;
  return factors;
}

bool canAddProducts(linalg::LinalgOp op, int64_t widening, bool isByPattern) {
  constexpr int64_t kPair = 2;
  std::optional<NarrowFactors> factors = getNarrowFactors(op);
  if (!factors)
    return false;
  Type lhs = factors->lhs.getType(), rhs = factors->rhs.getType();
  if (isByPattern && widening == kPair)
    return true;
  return lhs == rhs && widening == kNarrowSumBits / lhs.getIntOrFloatBitWidth();
}

bool addsBytesOfColumns(linalg::LinalgOp op, int64_t dim, int64_t rows) {
  Operation *extension = getSumExtension(op);
  SmallVector<unsigned> sums;
  op.getReductionDims(sums);
  if (!extension || !extension->getOperand(0).getType().isInteger(8) ||
      !extension->getResult(0).getType().isInteger(kNarrowSumBits) ||
      sums.size() != 1 || int64_t(sums.front()) == dim)
    return false;
  int64_t size = op.getStaticLoopRanges()[sums.front()];
  if (!ShapedType::isDynamic(size))
    rows = rows == 0 ? size : std::min(rows, size);
  return rows > 0 && rows <= kBytesInWord;
}

OpOperand *getLargestInput(linalg::LinalgOp op) {
  OpOperand *largest = nullptr;
  for (OpOperand *input : op.getDpsInputOperands())
    if (!largest || op.getMatchingIndexingMap(input).getNumResults() >
                        op.getMatchingIndexingMap(largest).getNumResults())
      largest = input;
  return largest;
}

bool beginsAnywhere(linalg::LinalgOp op, int64_t dim, int64_t lanes) {
  if (getOutputMap(op).isFunctionOfDim(dim) || op.getNumReductionLoops() != 1 ||
      hasFormulas(op))
    return false;
  OpOperand *row = getLargestInput(op);
  for (OpOperand *input : op.getDpsInputOperands())
    if (input->get() != row->get() &&
        op.getMatchingIndexingMap(input).isFunctionOfDim(dim))
      return false;
  bool isRow = op.getMatchingIndexingMap(row).getNumResults() > 1 ||
               row->get().getDefiningOp<tensor::ExtractSliceOp>();
  int64_t size = op.getStaticLoopRanges()[dim];
  return isRow && (ShapedType::isDynamic(size) || size % lanes != 0);
}

} // namespace ein
