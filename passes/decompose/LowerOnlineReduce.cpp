//===- LowerOnlineReduce.cpp - Blocks of an online reduction --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop over blocks carries the running values and the accumulators of
// `ein.online_reduce`. Of each block it makes the new running values, what
// these make of the accumulators, and then what the block adds: the regions
// `advance`, `rescale` and `combine`, one after the other. What they compute is
// theirs.
//
//  * Old and new running values are there at the same time. So the new ones get
//    the memory of the old ones at the end of a block.
//  * Blocks are whole but for the last one, whose ops are made again. If it is
//    not known how many there are, that is what all are made by, of dynamic
//    size: they are large, and what a size that is known saves is little beside
//    the time that LLVM takes for a second copy of all products and rows.
//  * Regions do not know how long blocks are. Where that is known, their ops
//  are
//    made of types that say so.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "ir/IndexNames.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "passes/decompose/BlockExtent.h"
#include "passes/decompose/Passes.h"
#include "passes/decompose/RowBuffers.h"

namespace ein {
#define GEN_PASS_DEF_LOWERONLINEREDUCE
#include "passes/decompose/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

using Sizes = SmallVector<OpFoldResult>;
using Values = SmallVector<Value>;

class OnlineReduceLowering {
public:
  OnlineReduceLowering(RewriterBase &rewriter, OnlineReduceOp op,
                       int64_t conflictBytes)
      : rewriter(rewriter), b(op.getLoc(), rewriter), op(op),
        step(op.getStep().value_or(0)), conflictBytes(conflictBytes) {}

  void run();

private:
  OpFoldResult findExtent();
  Values emit(Region &region, ValueRange arguments);
  Sizes getSizes(ArrayRef<OpFoldResult> sizes);
  Value emitSlice(tensor::ExtractSliceOp slice);
  Value emitEmpty(tensor::EmptyOp empty);
  void emitOp(Operation &inner);
  Values emitBlock(OpFoldResult begin, OpFoldResult length, ValueRange state);
  Values emitLoop(OpFoldResult begin, OpFoldResult end, ValueRange state);

  RewriterBase &rewriter;
  ImplicitLocOpBuilder b;
  OnlineReduceOp op;
  /// How long blocks are; 0 if there is one.
  int64_t step;
  int64_t conflictBytes;
  /// How much is reduced.
  OpFoldResult extent;
  /// Of the block that is made: how long it is, and what its regions' values
  /// have become.
  OpFoldResult blockLength;
  IRMapping mapping;
};

} // namespace

/// How much is reduced; a number if a type says so.
OpFoldResult OnlineReduceLowering::findExtent() {
  for (auto [input, axis] : llvm::zip_equal(op.getInputs(), op.getAxes()))
    if (auto type = cast<RankedTensorType>(input.getType());
        !type.isDynamicDim(axis))
      return b.getIndexAttr(type.getDimSize(axis));
  return getExtent(b, op.getInputs().front(), op.getAxes().front());
}

/// Sizes or offsets of the region's, with what is known of them.
Sizes OnlineReduceLowering::getSizes(ArrayRef<OpFoldResult> sizes) {
  return llvm::map_to_vector(sizes, [&](OpFoldResult size) {
    auto value = dyn_cast<Value>(size);
    return value ? getAsOpFoldResult(mapping.lookupOrDefault(value)) : size;
  });
}

/// A slice of what its source has become: that itself, if it is all of it.
Value OnlineReduceLowering::emitSlice(tensor::ExtractSliceOp slice) {
  Value source = mapping.lookupOrDefault(slice.getSource());
  Sizes offsets = getSizes(slice.getMixedOffsets()),
        sizes = getSizes(slice.getMixedSizes()),
        strides = getSizes(slice.getMixedStrides());
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  SmallVector<int64_t> shape;
  bool isAll = dropped.none();
  for (auto [axis, size] : llvm::enumerate(sizes)) {
    isAll &= isConstantIntValue(offsets[axis], 0) &&
             isConstantIntValue(strides[axis], 1) &&
             isEqualConstantIntOrValue(size, getExtent(b, source, axis));
    if (!dropped.test(axis))
      shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
  }
  auto type = RankedTensorType::get(shape, slice.getType().getElementType());
  if (isAll && source.getType() == type)
    return source;
  return tensor::ExtractSliceOp::create(b, type, source, offsets, sizes,
                                        strides);
}

/// New memory. In a loop it is the same for all blocks, and before the loop.
Value OnlineReduceLowering::emitEmpty(tensor::EmptyOp empty) {
  Sizes sizes = getSizes(empty.getMixedSizes());
  Type element = empty.getType().getElementType();
  if (!b.getInsertionBlock()->getParent()->getParentOfType<scf::ForOp>())
    return tensor::EmptyOp::create(b, sizes, element);
  Sizes most = sizes;
  for (OpFoldResult &size : most)
    if (step != 0 && isa<Value>(size) && size == blockLength)
      size = b.getIndexAttr(step);
  Value buffer = createBuffer(b, element, most, conflictBytes);
  Sizes offsets(sizes.size(), b.getIndexAttr(0)),
      ones(sizes.size(), b.getIndexAttr(1));
  bool isAll = true;
  for (auto [axis, size] : llvm::enumerate(sizes))
    isAll &= isEqualConstantIntOrValue(size, getExtent(b, buffer, axis));
  return isAll ? buffer
               : tensor::ExtractSliceOp::create(b, buffer, offsets, sizes, ones)
                     .getResult();
}

/// An op of a region, of what its operands have become, whose types may say
/// more.
void OnlineReduceLowering::emitOp(Operation &inner) {
  b.setLoc(inner.getLoc());
  if (auto dim = dyn_cast<tensor::DimOp>(inner);
      dim && dim.getConstantIndex()) {
    OpFoldResult extent = getExtent(b, mapping.lookupOrDefault(dim.getSource()),
                                    *dim.getConstantIndex());
    mapping.map(dim.getResult(),
                getValueOrCreateConstantIndexOp(b, b.getLoc(), extent));
    return;
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(inner)) {
    mapping.map(slice.getResult(), emitSlice(slice));
    return;
  }
  if (auto empty = dyn_cast<tensor::EmptyOp>(inner)) {
    mapping.map(empty.getResult(), emitEmpty(empty));
    return;
  }
  if (auto withInits = dyn_cast<DestinationStyleOpInterface>(inner)) {
    auto made = cast<DestinationStyleOpInterface>(b.clone(inner, mapping));
    for (OpResult result : made->getResults())
      result.setType(made.getTiedOpOperand(result)->get().getType());
    return;
  }
  // What is not known here takes what it took.
  IRMapping exact = mapping;
  for (Value operand : inner.getOperands())
    if (Value now = mapping.lookupOrDefault(operand);
        now.getType() != operand.getType())
      exact.map(operand, tensor::CastOp::create(b, operand.getType(), now));
  Operation *made = b.clone(inner, exact);
  mapping.map(inner.getResults(), made->getResults());
}

/// What a region makes of these.
Values OnlineReduceLowering::emit(Region &region, ValueRange arguments) {
  mapping.map(region.getArguments(), arguments);
  for (Operation &inner : region.front().without_terminator())
    emitOp(inner);
  b.setLoc(op.getLoc());
  return llvm::map_to_vector(
      region.front().getTerminator()->getOperands(),
      [&](Value value) { return mapping.lookupOrDefault(value); });
}

/// The running values and accumulators with a block in them.
Values OnlineReduceLowering::emitBlock(OpFoldResult begin, OpFoldResult length,
                                       ValueRange state) {
  mapping.clear();
  blockLength = length;
  Value at = getValueOrCreateConstantIndexOp(b, b.getLoc(), begin);
  if (op.getFirst())
    at = arith::AddIOp::create(b, op.getFirst(), at);
  Values blocks = {at};
  for (auto [input, axis] : llvm::zip_equal(op.getInputs(), op.getAxes())) {
    auto type = cast<RankedTensorType>(input.getType());
    Sizes offsets(type.getRank(), b.getIndexAttr(0)),
        ones(type.getRank(), b.getIndexAttr(1)), sizes;
    for (int64_t other = 0; other < type.getRank(); ++other)
      sizes.push_back(getExtent(b, input, other));
    bool isAll = length == extent &&
                 (type.isDynamicDim(axis) != bool(getConstantIntValue(extent)));
    offsets[axis] = begin;
    sizes[axis] = length;
    blocks.push_back(
        isAll ? input
              : tensor::ExtractSliceOp::create(b, input, offsets, sizes, ones)
                    .getResult());
  }
  size_t numRunning = op.getRunning().size();
  ValueRange old = state.take_front(numRunning),
             accumulators = state.drop_front(numRunning);

  Values arguments = blocks;
  llvm::append_range(arguments, old);
  Values advanced = emit(op.getAdvance(), arguments);

  arguments.assign(old.begin(), old.end());
  llvm::append_range(arguments, ArrayRef(advanced).take_front(numRunning));
  llvm::append_range(arguments, accumulators);
  Values rescaled = emit(op.getRescale(), arguments);

  arguments = blocks;
  llvm::append_range(arguments, advanced);
  llvm::append_range(arguments, rescaled);
  Values combined = emit(op.getCombine(), arguments);

  Values result(ArrayRef(advanced).take_front(numRunning));
  llvm::append_range(result, combined);
  for (auto [value, before] : llvm::zip_equal(result, state))
    if (value.getType() != before.getType())
      value = tensor::CastOp::create(b, before.getType(), value);
  return result;
}

/// From one place to another one, by blocks.
Values OnlineReduceLowering::emitLoop(OpFoldResult begin, OpFoldResult end,
                                      ValueRange state) {
  auto loop = scf::ForOp::create(
      b, getValueOrCreateConstantIndexOp(b, b.getLoc(), begin),
      getValueOrCreateConstantIndexOp(b, b.getLoc(), end),
      arith::ConstantIndexOp::create(b, step), state);
  loop->setLoc(withTensorName(
      op.getLoc(), "carried over " + getIndexNames(op.getLoc(), 1).front()));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  std::optional<int64_t> known = getConstantIntValue(end);
  OpFoldResult length =
      known && *known % step == 0
          ? OpFoldResult(b.getIndexAttr(step))
          : getBlockLength(b, step, loop.getInductionVar(), end);
  Values next =
      emitBlock(loop.getInductionVar(), length, loop.getRegionIterArgs());
  for (auto [value, before] :
       llvm::zip(MutableArrayRef(next).take_front(op.getRunning().size()),
                 loop.getRegionIterArgs()))
    if (value != before)
      value = linalg::CopyOp::create(b, value, before).getResult(0);
  scf::YieldOp::create(b, next);
  return llvm::to_vector_of<Value>(loop.getResults());
}

void OnlineReduceLowering::run() {
  b.setInsertionPoint(op);
  Values state = emit(op.getInit(), op.getDpsInits());
  OpFoldResult zero = b.getIndexAttr(0);
  extent = findExtent();
  std::optional<int64_t> known = getConstantIntValue(extent);
  int64_t whole = known && step != 0 ? *known / step * step : 0;
  if (whole != 0)
    state = emitLoop(zero, b.getIndexAttr(whole), state);
  if (!known && step != 0)
    state = emitLoop(zero, extent, state);
  else if (!known)
    state = emitBlock(zero, extent, state);
  else if (whole != *known)
    state =
        emitBlock(b.getIndexAttr(whole), b.getIndexAttr(*known - whole), state);
  rewriter.replaceOp(op, state);
}

namespace {
struct LowerOnlineReducePass
    : impl::LowerOnlineReduceBase<LowerOnlineReducePass> {
  using LowerOnlineReduceBase::LowerOnlineReduceBase;
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<OnlineReduceOp> ops;
    getOperation().walk([&](OnlineReduceOp op) { ops.push_back(op); });
    for (OnlineReduceOp op : ops)
      OnlineReduceLowering(rewriter, op, conflictBytes).run();
  }
};
} // namespace

} // namespace ein
