//===- ReinterpretOp.cpp - ein.reinterpret --------------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream has no op that sees memory as of another element type, on tensors or
// on memrefs with strides. This one is a view, which bufferization is told by
// its interface: source and result begin at one place and are of one size.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace ein {

/// How many elements of type `to` take the place of so many of type `from`;
/// nothing if there is no such view.
static std::optional<std::pair<int64_t, int64_t>> getRatio(Type from, Type to) {
  auto fromComplex = dyn_cast<ComplexType>(from);
  auto toComplex = dyn_cast<ComplexType>(to);
  if (fromComplex && fromComplex.getElementType() == to)
    return std::pair(2, 1);
  if (toComplex && toComplex.getElementType() == from)
    return std::pair(1, 2);
  auto isHalfOf = [](ComplexType complex, Type whole) {
    return complex && isa<FloatType>(whole) &&
           whole.getIntOrFloatBitWidth() ==
               2 * complex.getElementType().getIntOrFloatBitWidth();
  };
  if (isHalfOf(fromComplex, to) || isHalfOf(toComplex, from))
    return std::pair(1, 1);
  return std::nullopt;
}

ShapedType ReinterpretOp::getViewType(ShapedType type, Type element) {
  auto ratio = getRatio(type.getElementType(), element);
  if (!ratio || (type.getRank() == 0 && ratio->first != ratio->second))
    return {};
  bool isPossible = true;
  auto scale = [&](int64_t number) -> int64_t {
    if (ShapedType::isDynamic(number))
      return number;
    isPossible &= number * ratio->first % ratio->second == 0;
    return number * ratio->first / ratio->second;
  };
  SmallVector<int64_t> shape(type.getShape());
  if (!shape.empty())
    shape.back() = scale(shape.back());
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    return isPossible ? type.clone(shape, element) : ShapedType();
  MemRefLayoutAttrInterface layout = memref.getLayout();
  if (!layout.isIdentity()) {
    SmallVector<int64_t> strides;
    int64_t offset = 0;
    if (failed(memref.getStridesAndOffset(strides, offset)))
      return {};
    // A lone element has no neighbours; its parts have.
    if (ratio->first > ratio->second && type.getShape().back() == 1)
      strides.back() = 1;
    if (ratio->first != ratio->second && strides.back() != 1)
      return {};
    for (int64_t &stride : MutableArrayRef(strides).drop_back())
      stride = scale(stride);
    layout = StridedLayoutAttr::get(type.getContext(), scale(offset), strides);
  }
  if (!isPossible)
    return {};
  return MemRefType::get(shape, element, layout, memref.getMemorySpace());
}

Value ReinterpretOp::get(OpBuilder &b, Location loc, Value source,
                         Type element) {
  auto type = cast<ShapedType>(source.getType());
  if (type.getElementType() == element)
    return source;
  return b.createOrFold<ReinterpretOp>(loc, getViewType(type, element), source);
}

LogicalResult ReinterpretOp::verify() {
  auto from = cast<ShapedType>(getSource().getType());
  auto to = cast<ShapedType>(getResult().getType());
  if (getViewType(from, to.getElementType()) != to)
    return emitOpError("sees no ") << from << " as " << to;
  return success();
}

OpFoldResult ReinterpretOp::fold(FoldAdaptor) {
  auto source = getSource().getDefiningOp<ReinterpretOp>();
  return source && source.getSource().getType() == getResult().getType()
             ? OpFoldResult(source.getSource())
             : OpFoldResult();
}

Value ReinterpretOp::getViewSource() { return getSource(); }

//===----------------------------------------------------------------------===//
// Bufferization
//===----------------------------------------------------------------------===//

bool ReinterpretOp::bufferizesToMemoryRead(
    OpOperand &, const bufferization::AnalysisState &) {
  return false;
}

bool ReinterpretOp::bufferizesToMemoryWrite(
    OpOperand &, const bufferization::AnalysisState &) {
  return false;
}

bufferization::AliasingValueList
ReinterpretOp::getAliasingValues(OpOperand &,
                                 const bufferization::AnalysisState &) {
  return {{getOperation()->getResult(0),
           bufferization::BufferRelation::Equivalent}};
}

/// The type of the buffer that the result is, if the source is one of type
/// `type`; null if the source's neighbours may not be together.
static bufferization::BufferLikeType
getResultType(ReinterpretOp op, bufferization::BufferLikeType type) {
  ShapedType result = ReinterpretOp::getViewType(
      cast<MemRefType>(type), getElementTypeOrSelf(op.getResult().getType()));
  return result ? cast<bufferization::BufferLikeType>(Type(result))
                : bufferization::BufferLikeType();
}

FailureOr<bufferization::BufferLikeType>
ReinterpretOp::getBufferType(Value,
                             const bufferization::BufferizationOptions &options,
                             const bufferization::BufferizationState &state,
                             SmallVector<Value> &invocationStack) {
  FailureOr<bufferization::BufferLikeType> type = bufferization::getBufferType(
      getSource(), options, state, invocationStack);
  if (failed(type))
    return failure();
  if (bufferization::BufferLikeType result = getResultType(*this, *type))
    return result;
  // Of a tensor that has no buffer yet, upstream assumes that it may lie in any
  // way. The buffer that it gets does not.
  auto tensor = cast<bufferization::TensorLikeType>(getResult().getType());
  return cast<bufferization::BufferLikeType>(
      Type(bufferization::getMemRefTypeWithFullyDynamicLayout(
          cast<TensorType>(Type(tensor)),
          cast<MemRefType>(*type).getMemorySpace())));
}

LogicalResult
ReinterpretOp::bufferize(RewriterBase &rewriter,
                         const bufferization::BufferizationOptions &options,
                         bufferization::BufferizationState &state) {
  FailureOr<Value> source =
      bufferization::getBuffer(rewriter, getSource(), options, state);
  if (failed(source))
    return failure();
  bufferization::BufferLikeType type = getResultType(
      *this, cast<bufferization::BufferLikeType>(source->getType()));
  if (!type)
    return emitOpError("has a source whose neighbours are not together: ")
           << source->getType();
  bufferization::replaceOpWithNewBufferizedOp<ReinterpretOp>(
      rewriter, getOperation(), type, *source);
  return success();
}

} // namespace ein
