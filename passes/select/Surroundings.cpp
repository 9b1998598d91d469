//===- Surroundings.cpp - The loops round an op ---------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/select/Surroundings.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "passes/analysis/ElementBytes.h"

using namespace mlir;

namespace ein {

/// Bytes from one element of a contiguous tensor to the next, along each axis.
static SmallVector<double> getContiguousStrides(ShapedType type) {
  SmallVector<double> strides(type.getRank());
  double stride = double(getScalarBytes(type.getElementType()));
  for (size_t axis = strides.size(); axis-- > 0;) {
    strides[axis] = stride;
    int64_t size = type.getDimSize(axis);
    stride *= double(ShapedType::isDynamic(size) ? kAssumedSize : size);
  }
  return strides;
}

/// What `value` grows by when the loop's index grows by one; 0 if nobody knows.
static double getSlope(OpFoldResult value, Value index) {
  auto dynamic = dyn_cast<Value>(value);
  if (!dynamic)
    return 0;
  if (dynamic == index)
    return 1;
  if (auto sum = dynamic.getDefiningOp<arith::AddIOp>())
    return getSlope(sum.getLhs(), index) + getSlope(sum.getRhs(), index);
  auto apply = dynamic.getDefiningOp<affine::AffineApplyOp>();
  if (!apply)
    return 0;
  // Maps of loops' indices are linear.
  AffineMap map = apply.getAffineMap();
  SmallVector<int64_t> origin(map.getNumInputs(), 0);
  double slope = 0;
  for (auto [i, operand] : llvm::enumerate(apply.getMapOperands()))
    if (double inner = getSlope(operand, index); inner != 0) {
      SmallVector<int64_t> unit = origin;
      unit[i] = 1;
      slope += inner *
               double(map.compose(unit).front() - map.compose(origin).front());
    }
  return slope;
}

/// The largest that a value of type index can be.
static std::optional<int64_t> findMost(Value value) {
  FailureOr<int64_t> most = ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::UB, value, /*stopCondition=*/nullptr,
      /*closedUB=*/true);
  return succeeded(most) ? std::optional(*most) : std::nullopt;
}

Surroundings::Loop describeLoop(scf::ForOp loop) {
  std::optional<int64_t> begin = getConstantIntValue(loop.getLowerBound()),
                         end = getConstantIntValue(loop.getUpperBound()),
                         step = getConstantIntValue(loop.getStep());
  double by = double(step.value_or(1));
  bool isExact = begin && end;
  if (!end)
    if (FailureOr<int64_t> most =
            ValueBoundsConstraintSet::computeConstantBound(
                presburger::BoundType::UB, loop.getUpperBound(),
                /*stopCondition=*/nullptr, /*closedUB=*/true);
        succeeded(most))
      end = *most;
  if (!end)
    return {std::max(double(kAssumedSize), by), by, /*isOpen=*/true};
  double extent = double(std::max<int64_t>(*end - begin.value_or(0), 0));
  return {extent, by, /*isOpen=*/false, isExact};
}

/// Where what `value` is a part of lies; the indices are those of the loops.
static Surroundings::Operand findPlace(Value value, ArrayRef<Value> indices) {
  Surroundings::Operand place;
  place.loopStrides.assign(indices.size(), 0);
  auto type = dyn_cast<ShapedType>(value.getType());
  if (!type)
    return place;
  // Which axis of what is looked at is which of the operand's.
  SmallVector<int64_t> axes =
      llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  place.axisStrides = getContiguousStrides(type);
  place.extents = llvm::to_vector(type.getShape());
  auto restrict = [&](size_t axis, int64_t most) {
    int64_t &extent = place.extents[axis];
    if (ShapedType::isDynamic(extent))
      extent = most;
  };
  while (true) {
    auto here = cast<ShapedType>(value.getType());
    for (auto [own, axis] : llvm::enumerate(axes))
      restrict(own, here.getDimSize(axis));
    if (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>()) {
      SmallVector<double> strides = getContiguousStrides(slice.getSourceType());
      llvm::SmallBitVector dropped = slice.getDroppedDims();
      for (auto [index, stride] : llvm::zip_equal(indices, place.loopStrides))
        for (auto [offset, along] :
             llvm::zip_equal(slice.getMixedOffsets(), strides))
          stride += getSlope(offset, index) * along;
      SmallVector<int64_t> kept;
      for (int64_t axis = 0, e = strides.size(); axis < e; ++axis)
        if (!dropped.test(axis))
          kept.push_back(axis);
      SmallVector<OpFoldResult> sizes = slice.getMixedSizes();
      for (auto [own, axis] : llvm::enumerate(axes)) {
        axis = kept[axis];
        place.axisStrides[own] = strides[axis];
        if (auto size = dyn_cast<Value>(sizes[axis]))
          restrict(own, findMost(size).value_or(ShapedType::kDynamic));
      }
      value = slice.getSource();
      continue;
    }
    if (auto cast = value.getDefiningOp<tensor::CastOp>()) {
      value = cast.getSource();
      continue;
    }
    if (auto op = value.getDefiningOp<linalg::LinalgOp>()) {
      value = op.getTiedOpOperand(cast<OpResult>(value))->get();
      continue;
    }
    auto argument = dyn_cast<BlockArgument>(value);
    auto loop = argument
                    ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                    : scf::ForOp();
    if (!loop || argument == loop.getInductionVar())
      return place;
    value = loop.getTiedLoopInit(argument)->get();
  }
}

Surroundings findSurroundings(linalg::LinalgOp op) {
  Surroundings result;
  SmallVector<Value> indices;
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp())
    if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      result.loops.insert(result.loops.begin(), describeLoop(loop));
      indices.insert(indices.begin(), loop.getInductionVar());
    }
  if (!result.loops.empty())
    for (Value operand : op->getOperands())
      result.operands.push_back(findPlace(operand, indices));
  return result;
}

} // namespace ein
