//===- WindowAnalysis.cpp - Ops that read windows
//--------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/WindowAnalysis.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/DimRoles.h"
#include "passes/analysis/Raising.h"
#include "passes/analysis/Reductions.h"
#include "passes/analysis/VectorBody.h"

using namespace mlir;

namespace ein {

static bool addTerms(AffineExpr expr, int64_t factor, LinearSubscript &sum) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    sum.coefficients[dim.getPosition()] += factor;
    return true;
  }
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    sum.constant += factor * constant.getValue();
    return true;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return false;
  if (expr.getKind() == AffineExprKind::Add)
    return addTerms(binary.getLHS(), factor, sum) &&
           addTerms(binary.getRHS(), factor, sum);
  auto times = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return expr.getKind() == AffineExprKind::Mul && times &&
         addTerms(binary.getLHS(), factor * times.getValue(), sum);
}

double getSpan(const LinearSubscript &subscript, ArrayRef<double> counts) {
  double span = 1;
  for (auto [coefficient, count] :
       llvm::zip_equal(subscript.coefficients, counts))
    span += double(std::abs(coefficient)) * (count - 1);
  return span;
}

std::optional<SmallVector<LinearSubscript>> getLinearSubscripts(AffineMap map) {
  SmallVector<LinearSubscript> subscripts(map.getNumResults());
  for (auto [subscript, expr] : llvm::zip_equal(subscripts, map.getResults())) {
    subscript.coefficients.assign(map.getNumDims(), 0);
    if (!addTerms(expr, 1, subscript))
      return std::nullopt;
  }
  return subscripts;
}

std::optional<int64_t> getStepAlong(AffineMap map, int64_t dim) {
  if (!map.isFunctionOfDim(dim))
    return 0;
  std::optional<SmallVector<LinearSubscript>> subscripts =
      getLinearSubscripts(map);
  if (!subscripts)
    return std::nullopt;
  for (const LinearSubscript &subscript : ArrayRef(*subscripts).drop_back())
    if (subscript.coefficients[dim] != 0)
      return std::nullopt;
  return subscripts->back().coefficients[dim];
}

SmallVector<OpOperand *> getReadInputs(linalg::LinalgOp op) {
  return llvm::to_vector(
      llvm::make_filter_range(op.getDpsInputOperands(), [&](OpOperand *input) {
        return op.payloadUsesValueFromOperand(input);
      }));
}

OpOperand *getWindowedInput(linalg::LinalgOp op) {
  for (OpOperand *input : getReadInputs(op))
    if (!op.getMatchingIndexingMap(input).isProjectedPermutation())
      return input;
  return nullptr;
}

/// Whether neighbours in the last dim are neighbours in memory. Slices with a
/// step there are views with that stride.
static bool isDense(Value tensor) {
  auto slice = tensor.getDefiningOp<tensor::ExtractSliceOp>();
  return !slice || getConstantIntValue(slice.getMixedStrides().back()) == 1;
}

AffineMap dropGroup(AffineMap map) {
  return map.dropResult(map.getNumResults() - 1);
}

std::optional<GroupedSum> matchGroupedSum(linalg::LinalgOp op) {
  std::optional<NarrowFactors> factors = getNarrowFactors(op);
  if (!factors || op.getNumDpsInits() != 1 || op.getNumLoops() == 0)
    return std::nullopt;
  auto lhs = dyn_cast<BlockArgument>(factors->lhs),
       rhs = dyn_cast<BlockArgument>(factors->rhs);
  if (!lhs || !rhs || lhs == rhs || lhs.getType() != rhs.getType())
    return std::nullopt;
  GroupedSum sum = {int64_t(op.getNumLoops()) - 1,
                    kNarrowSumBits / lhs.getType().getIntOrFloatBitWidth(),
                    op.getMatchingOpOperand(lhs),
                    op.getMatchingOpOperand(rhs),
                    factors->isRhsUnsigned,
                    factors->isLhsUnsigned};
  AffineMap output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (output.getNumResults() == 0 || !output.isProjectedPermutation() ||
      output.isFunctionOfDim(sum.dim) ||
      op.getStaticLoopRanges()[sum.dim] != sum.size)
    return std::nullopt;
  int64_t vectorDim = getLastDim(output);
  auto getMap = [&](OpOperand *input) {
    return op.getMatchingIndexingMap(input);
  };
  if (!getMap(sum.vectors).isFunctionOfDim(vectorDim)) {
    std::swap(sum.vectors, sum.single);
    std::swap(sum.areVectorsUnsigned, sum.isSingleUnsigned);
  }
  auto isOfGroups = [&](AffineMap map) {
    auto subscripts = getLinearSubscripts(map);
    if (!subscripts || subscripts->empty())
      return false;
    LinearSubscript last = subscripts->pop_back_val();
    for (const LinearSubscript &subscript : *subscripts)
      if (subscript.coefficients[sum.dim] != 0)
        return false;
    for (auto [dim, coefficient] : llvm::enumerate(last.coefficients))
      if (int64_t(dim) == sum.dim ? coefficient != 1
                                  : coefficient % sum.size != 0)
        return false;
    return last.constant % sum.size == 0;
  };
  AffineMap vectors = getMap(sum.vectors), single = getMap(sum.single);
  if (vectors.getNumResults() < 2 || !isOfGroups(vectors) ||
      !isOfGroups(single) || single.isFunctionOfDim(vectorDim) ||
      vectors.getResults().back() !=
          getAffineDimExpr(sum.dim, op.getContext()) ||
      cast<RankedTensorType>(sum.vectors->get().getType()).getShape().back() !=
          sum.size ||
      getStepAlong(dropGroup(vectors), vectorDim) != 1)
    return std::nullopt;
  return sum;
}

FailureOr<WindowInfo> matchTile(linalg::LinalgOp op, DeclineFn onDecline) {
  constexpr int64_t kWidestStep = 4;
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 ||
      op->getNumResults() != 1)
    return decline(onDecline, "it is not of tensors with one result");
  WindowInfo info;
  info.inputs = getReadInputs(op);
  info.image = getWindowedInput(op);
  OpOperand *init = op.getDpsInitOperand(0);
  AffineMap output = info.output = op.getMatchingIndexingMap(init);
  if (output.getNumResults() == 0 || !output.isProjectedPermutation() ||
      output.getNumResults() != op.getNumParallelLoops())
    return decline(
        onDecline,
        "its result does not have each of its parallel dims at one place");
  info.vectorDim = getLastDim(output);
  if (std::optional<GroupedSum> grouped = matchGroupedSum(op)) {
    info.groupDim = grouped->dim;
    // Where a group is in a channel is no window.
    auto isWindow = [&](AffineExpr expr) {
      return !isa<AffineDimExpr>(expr) && !expr.isFunctionOfDim(info.groupDim);
    };
    info.image = nullptr;
    for (OpOperand *input : info.inputs)
      if (!info.image &&
          llvm::any_of(op.getMatchingIndexingMap(input).getResults(), isWindow))
        info.image = input;
  }
  for (OpOperand *input : info.inputs) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (!getLinearSubscripts(map))
      return decline(onDecline, "a subscript is not linear");
    if (info.groupDim >= 0)
      map = dropGroup(map);
    std::optional<int64_t> step = getStepAlong(map, info.vectorDim);
    if (!step || *step < 0 || *step > kWidestStep ||
        (*step > 0 && !isDense(input->get())))
      return decline(
          onDecline,
          "an operand does not lie along the last dim of the result");
  }
  if (!isDense(init->get()))
    return decline(onDecline, "the result has gaps");
  Type element = getElementTypeOrSelf(init->get().getType());
  if (!(element.isF32() || element.isF64() || element.isInteger()))
    return decline(onDecline, "it has no vectors of its results");
  if (!isArithmeticOfVectors(op))
    return decline(onDecline, "its body is not arithmetic that vectors have");
  return info;
}

FailureOr<WindowInfo> matchWindow(linalg::LinalgOp op) {
  if (!getWindowedInput(op))
    return failure();
  return matchTile(op);
}

/// Whether an input of a contraction has but one row of the result's.
static bool isOneRow(linalg::LinalgOp op, OpOperand *input, AffineMap output) {
  AffineMap map = op.getMatchingIndexingMap(input);
  for (auto [dim, size] : llvm::enumerate(op.getStaticLoopRanges()))
    if (map.isFunctionOfDim(dim) && output.isFunctionOfDim(dim) && size != 1)
      return false;
  return true;
}

FailureOr<WindowInfo> matchBatchLast(linalg::LinalgOp op) {
  if (!getContractionKind(op) || op.getNumReductionLoops() == 0)
    return failure();
  FailureOr<WindowInfo> info = matchTile(op);
  if (failed(info) || info->image)
    return failure();
  bool areAllAlong = true, isNarrow = false;
  Type sum = getElementTypeOrSelf(op.getDpsInits()[0].getType());
  for (OpOperand *input : info->inputs) {
    bool isAlong =
        getStepAlong(op.getMatchingIndexingMap(input), info->vectorDim) == 1;
    if (!isAlong && !isOneRow(op, input, info->output))
      return failure();
    areAllAlong &= isAlong;
    isNarrow |= isAlong && getElementTypeOrSelf(input->get().getType()) != sum;
  }
  if (!areAllAlong && !isNarrow)
    return failure();
  return info;
}

} // namespace ein
