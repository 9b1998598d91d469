//===- ContractionSteps.cpp - The steps of an order as einsums -----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the path is sliced there are loops: round each step those over labels
// that its operands have, so that what has nothing to do with a loop is done
// once. A label that is summed is summed by the last step, which adds to the
// result in each round; one that is kept makes it write a slice.
//
//===----------------------------------------------------------------------===//

#include "passes/einsum/ContractionSteps.h"
#include "ir/IndexNames.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "order/Slicing.h"
#include "passes/analysis/Einsums.h"

using namespace mlir;

namespace ein {

namespace {

/// Emits the steps of one path: those that no loop is round, then a loop over
/// slices with those that belong to it, in which the next loop is, and so on.
/// The innermost one has the last step, which adds to its slice of the result.
class StepEmitter {
public:
  /// Where the rewriter is, all extents are known.
  StepEmitter(RewriterBase &rewriter, EinsumOp op,
              const ContractionNetwork &network, const ContractionPath &path,
              ArrayRef<OpFoldResult> extents,
              ArrayRef<SmallVector<unsigned>> layouts,
              ArrayRef<SharedValue> shared);

  Value emit(Value init) { return emitDepth(0, init); }

private:
  /// A slice of a tensor at the loops that are there.
  struct Slice {
    SmallVector<OpFoldResult> offsets, sizes, strides;
    RankedTensorType type; // without the dims of which it has one element
  };
  /// What is round the steps from this depth on.
  Value emitDepth(unsigned depth, Value result);
  Value emitLast(Value result);
  void emitStep(size_t step, Value init);
  Slice getSlice(Value tensor, ArrayRef<unsigned> tensorDims) const;
  /// The dims of a slice.
  SmallVector<unsigned> dropPoints(ArrayRef<unsigned> tensorDims) const;
  /// The slice's extent, if the dim is sliced.
  const ContractionSlice *findSlice(unsigned dim) const {
    return llvm::find_if(path.slices, [&](const ContractionSlice &slice) {
      return slice.label == dim;
    });
  }

  RewriterBase &rewriter;
  Location loc;
  EinsumOp op;
  const ContractionPath &path;
  ArrayRef<OpFoldResult> extents;
  SmallVector<unsigned> operandDepths, stepDepths;
  SmallVector<Value> tensors;              // as far as they are there
  SmallVector<SmallVector<unsigned>> dims; // of them
  SmallVector<Value> buffers;              // by step, where its result goes
  SmallVector<Value> loops;                // their induction variables
};

} // namespace

StepEmitter::StepEmitter(RewriterBase &rewriter, EinsumOp op,
                         const ContractionNetwork &network,
                         const ContractionPath &path,
                         ArrayRef<OpFoldResult> extents,
                         ArrayRef<SmallVector<unsigned>> layouts,
                         ArrayRef<SharedValue> shared)
    : rewriter(rewriter), loc(op.getLoc()), op(op), path(path),
      extents(extents), operandDepths(getOperandDepths(network, path)),
      stepDepths(getStepDepths(network, path)) {
  tensors = llvm::to_vector(op.getInputs());
  for (unsigned i = 0, e = tensors.size(); i < e; ++i)
    dims.push_back(op.getDims(i));
  Type elementType = getElementTypeOrSelf(op.getType());
  // No loop allocates: all that is allocated is here.
  for (ArrayRef<unsigned> layout : layouts) {
    if (std::optional<unsigned> number = path.steps[buffers.size()].shared) {
      dims.push_back(shared[*number].dims);
      tensors.push_back(shared[*number].tensor);
      buffers.push_back(nullptr);
      continue;
    }
    dims.push_back(dropPoints(layout));
    tensors.push_back(nullptr);
    buffers.push_back(nullptr);
    if (buffers.size() == path.steps.size())
      break;
    SmallVector<OpFoldResult> sizes;
    for (unsigned dim : dims.back()) {
      const ContractionSlice *slice = findSlice(dim);
      sizes.push_back(slice == path.slices.end()
                          ? extents[dim]
                          : OpFoldResult(rewriter.getIndexAttr(slice->size)));
    }
    buffers.back() = tensor::EmptyOp::create(
        rewriter, ofTensorPart(loc, buffers.size() - 1), sizes, elementType);
  }
}

SmallVector<unsigned>
StepEmitter::dropPoints(ArrayRef<unsigned> tensorDims) const {
  SmallVector<unsigned> kept;
  for (unsigned dim : tensorDims) {
    const ContractionSlice *slice = findSlice(dim);
    if (slice == path.slices.end() || slice->size != 1)
      kept.push_back(dim);
  }
  return kept;
}

StepEmitter::Slice StepEmitter::getSlice(Value tensor,
                                         ArrayRef<unsigned> tensorDims) const {
  Slice result;
  SmallVector<int64_t> shape;
  for (unsigned dim : tensorDims) {
    const ContractionSlice *slice = findSlice(dim);
    result.strides.push_back(rewriter.getIndexAttr(1));
    if (slice == path.slices.end()) {
      result.offsets.push_back(rewriter.getIndexAttr(0));
      result.sizes.push_back(extents[dim]);
      shape.push_back(
          getConstantIntValue(extents[dim]).value_or(ShapedType::kDynamic));
      continue;
    }
    result.offsets.push_back(loops[slice - path.slices.begin()]);
    result.sizes.push_back(rewriter.getIndexAttr(slice->size));
    if (slice->size != 1)
      shape.push_back(slice->size);
  }
  result.type = RankedTensorType::get(shape, getElementTypeOrSelf(tensor));
  return result;
}

void StepEmitter::emitStep(size_t i, Value init) {
  const ContractionStep &step = path.steps[i];
  unsigned result = op.getInputs().size() + i;
  bool isLast = i + 1 == path.steps.size();
  tensors[result] =
      createEinsum(rewriter, isLast ? loc : ofTensorPart(loc, i),
                   {tensors[step.lhs], tensors[step.rhs]}, init,
                   {dims[step.lhs], dims[step.rhs], dims[result]});
}

Value StepEmitter::emitLast(Value result) {
  size_t last = path.steps.size() - 1;
  SmallVector<unsigned> resultDims = op.getDims(op.getInputs().size());
  bool isSliced = llvm::any_of(resultDims, [&](unsigned dim) {
    return findSlice(dim) != path.slices.end();
  });
  if (!isSliced) {
    emitStep(last, result);
    return tensors.back();
  }
  Slice slice = getSlice(result, resultDims);
  emitStep(last, tensor::ExtractSliceOp::create(rewriter, loc, slice.type,
                                                result, slice.offsets,
                                                slice.sizes, slice.strides));
  return tensor::InsertSliceOp::create(rewriter, loc, tensors.back(), result,
                                       slice.offsets, slice.sizes,
                                       slice.strides);
}

Value StepEmitter::emitDepth(unsigned depth, Value result) {
  for (auto [i, operandDepth] : llvm::enumerate(operandDepths)) {
    if (operandDepth != depth || depth == 0)
      continue;
    Slice slice = getSlice(tensors[i], dims[i]);
    tensors[i] = tensor::ExtractSliceOp::create(rewriter, loc, slice.type,
                                                tensors[i], slice.offsets,
                                                slice.sizes, slice.strides);
    dims[i] = dropPoints(dims[i]);
  }
  for (size_t i = 0; i + 1 < path.steps.size(); ++i)
    if (stepDepths[i] == depth && !path.steps[i].shared)
      emitStep(i, fillWithZero(rewriter, loc, buffers[i]));
  // One for each order, beside what overwrites it.
  if (auto fill = result.getDefiningOp<linalg::FillOp>(); fill && depth == 0)
    result = rewriter.clone(*fill)->getResult(0);
  if (depth == path.slices.size())
    return emitLast(result);

  const ContractionSlice &slice = path.slices[depth];
  auto getIndex = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  };
  Value extent =
      getValueOrCreateConstantIndexOp(rewriter, loc, extents[slice.label]);
  auto loop =
      scf::ForOp::create(rewriter, selectIndexNames(loc, slice.label),
                         getIndex(0), extent, getIndex(slice.size), result);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(loop.getBody());
  loops.push_back(loop.getInductionVar());
  scf::YieldOp::create(rewriter, loc,
                       emitDepth(depth + 1, loop.getRegionIterArg(0)));
  return loop.getResult(0);
}

Value emitContractionSteps(RewriterBase &rewriter, EinsumOp op,
                           const ContractionNetwork &network,
                           const ContractionPath &path,
                           ArrayRef<OpFoldResult> extents,
                           ArrayRef<SmallVector<unsigned>> layouts,
                           ArrayRef<SharedValue> shared) {
  return StepEmitter(rewriter, op, network, path, extents, layouts, shared)
      .emit(op.getInit());
}

} // namespace ein
