//===- SliceNest.cpp - Loops over the slices of a product -----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/distribute/SliceNest.h"
#include "ir/EinDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace ein {

/// The loops, each of which does nothing with its tensor but hand it on, or,
/// for the innermost, compute.
static LogicalResult matchLoops(scf::ForOp outermost, const Extents &extents,
                                SliceNest &nest) {
  for (scf::ForOp loop = outermost; loop;) {
    std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()),
                           step = getConstantIntValue(loop.getStep());
    AffineExpr extent = extents.get(loop.getUpperBound());
    if (lower != 0 || !step || !extent || loop.getInitArgs().size() != 1 ||
        loop->hasAttr(EinDialect::kInOrderAttr))
      return failure();
    nest.loops.push_back(loop);
    nest.sizes.push_back(*step);
    nest.extents.push_back(extent);
    Value yielded = loop.getBody()->getTerminator()->getOperand(0);
    auto inner = yielded.getDefiningOp<scf::ForOp>();
    bool isHandedOn = inner && inner->getParentOp() == loop &&
                      inner.getInitArgs().size() == 1 &&
                      inner.getInitArgs()[0] == loop.getRegionIterArg(0);
    if (inner && !isHandedOn)
      return failure();
    loop = inner;
  }
  return success();
}

/// The offsets of a slice: none, or a loop's position.
static std::optional<SlicedDims>
getSlicedDims(OffsetSizeAndStrideOpInterface slice, const SliceNest &nest) {
  SlicedDims dims;
  for (auto [offset, stride] :
       llvm::zip_equal(slice.getMixedOffsets(), slice.getMixedStrides())) {
    if (getConstantIntValue(stride) != 1)
      return std::nullopt;
    if (getConstantIntValue(offset) == 0) {
      dims.push_back(std::nullopt);
      continue;
    }
    auto value = dyn_cast_if_present<Value>(offset);
    const auto *loop = llvm::find_if(nest.loops, [&](scf::ForOp candidate) {
      return candidate.getInductionVar() == value;
    });
    if (loop == nest.loops.end())
      return std::nullopt;
    dims.push_back(loop - nest.loops.begin());
  }
  return dims;
}

/// What is read from outside: by slices that are alike, or by anything else as
/// a whole.
static LogicalResult matchInputs(SliceNest &nest) {
  scf::ForOp outermost = nest.loops.front();
  llvm::SetVector<Value> taken;
  getUsedValuesDefinedAbove(outermost.getRegion(), taken);
  for (Value value : taken) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || value.getDefiningOp<tensor::EmptyOp>())
      continue;
    std::optional<SlicedDims> dims;
    for (Operation *user : value.getUsers()) {
      if (!outermost->isProperAncestor(user))
        continue;
      SlicedDims whole(type.getRank(), std::nullopt);
      auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
      std::optional<SlicedDims> found =
          slice ? getSlicedDims(slice, nest) : std::optional(whole);
      if (!found || (dims && *dims != *found))
        return failure();
      dims = found;
    }
    nest.inputs.push_back({value, *dims});
  }
  return success();
}

/// The result: a slice that is inserted, or all of it.
static LogicalResult matchResult(SliceNest &nest) {
  scf::ForOp innermost = nest.loops.back();
  nest.init = nest.loops.front().getInitArgs()[0];
  auto type = cast<RankedTensorType>(nest.init.getType());
  Value yielded = innermost.getBody()->getTerminator()->getOperand(0);
  nest.result = SlicedDims(type.getRank(), std::nullopt);
  auto insert = yielded.getDefiningOp<tensor::InsertSliceOp>();
  if (!insert) {
    auto last = yielded.getDefiningOp<linalg::LinalgOp>();
    bool isAdded = last && last.getNumDpsInits() == 1 &&
                   last.getDpsInits()[0] == innermost.getRegionIterArg(0);
    return success(isAdded);
  }
  if (insert.getDest() != innermost.getRegionIterArg(0))
    return failure();
  std::optional<SlicedDims> dims = getSlicedDims(insert, nest);
  if (!dims)
    return failure();
  nest.result = *dims;
  return success();
}

std::optional<SliceNest> matchSliceNest(scf::ForOp outermost,
                                        const Extents &extents) {
  SliceNest nest;
  if (failed(matchLoops(outermost, extents, nest)) ||
      failed(matchInputs(nest)) || failed(matchResult(nest)))
    return std::nullopt;
  // A slice is as long as all others.
  for (auto [extent, size] : llvm::zip_equal(nest.extents, nest.sizes)) {
    auto constant = dyn_cast<AffineConstantExpr>(extent);
    if (size != 1 && (!constant || constant.getValue() % size != 0))
      return std::nullopt;
  }
  findInnerLabel(nest, extents);
  return nest;
}

} // namespace ein
