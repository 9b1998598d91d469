//===- PackPanels.cpp - Panels of a packed operand ------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands that are narrower than the micro-kernel reads them are extended in
// their panels; `ein-vectorize-packs` does both in one go. Where the kernel
// takes several steps of k at once (`kPack`), panels have one more, innermost
// dim: neighbours in k lie side by side.
//
// An instruction for groups (`dot`) has elements of its own. Those of an
// operand are the same, or bytes of the other signedness: these are moved by
// 128, which is to turn their highest bit over. The register tiles move them
// back in what they mean, and in what they do start from the difference.
//
//===----------------------------------------------------------------------===//

#include "passes/tiled/PackPanels.h"
#include "ir/EinDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/Einsums.h"

using namespace mlir;

namespace ein {

PanelTypes getPanelTypes(linalg::LinalgOp op, ContractionKind kind,
                         const Schedule &schedule) {
  PanelTypes types;
  Type wide = getElementTypeOrSelf(op.getDpsInits()[0].getType());
  for (unsigned input : {0u, 1u}) {
    types.casts[input] = kind.getCast(input);
    Type own = getElementTypeOrSelf(op.getDpsInputs()[input].getType());
    if (schedule.kPack == 1)
      types.elements[input] = wide;
    else if (!schedule.dot.empty())
      types.elements[input] = own;
    else
      types.elements[input] = IntegerType::get(
          op.getContext(), wide.getIntOrFloatBitWidth() / schedule.kPack);
  }
  // What has been extended is signed, or not extended any more.
  types.product.kind.kind = kind.kind;
  if (schedule.dot.empty())
    return types;
  linalg::TypeFn lhs = kind.getCast(schedule.lhs),
                 rhs = kind.getCast(1 - schedule.lhs);
  types.isOffset = schedule.dotOffset;
  if (types.isOffset) {
    bool isSigned = lhs == linalg::TypeFn::cast_signed;
    lhs =
        isSigned ? linalg::TypeFn::cast_unsigned : linalg::TypeFn::cast_signed;
    unsigned bits = types.elements[schedule.lhs].getIntOrFloatBitWidth();
    int64_t half = int64_t(1) << (bits - 1);
    types.product.offset = isSigned ? -half : half;
  }
  types.product.kind.cast = lhs;
  types.product.kind.rhsCast = rhs;
  return types;
}

OpFoldResult Panels::apply(AffineExpr expr, OpFoldResult operand) {
  return affine::makeComposedFoldedAffineApply(b, b.getLoc(), expr, {operand});
}

Value Panels::createBuffer(Type element, Value unlike) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(outermost);
  int64_t panels = llvm::divideCeil(blockExtent, width);
  int64_t depth = llvm::divideCeil(blockDepth, schedule.kPack);
  SmallVector<int64_t> shape = {panels, depth, width};
  if (hasGroups())
    shape.push_back(schedule.kPack);
  // CSE makes one buffer of two empty tensors of one type, and bufferisation
  // then allocates a copy for each block. A panel that is never used prevents
  // it.
  if (unlike && unlike.getType() == RankedTensorType::get(shape, element))
    ++shape[0];
  return tensor::EmptyOp::create(b, shape, element);
}

Value Panels::pack(Value source, unsigned axis, Type element,
                   linalg::TypeFn cast, bool isOffset, Value &buffer) {
  buffer = createBuffer(element, buffer);
  OpFoldResult extent = tensor::getMixedSize(b, b.getLoc(), source, axis);
  OpFoldResult depth = tensor::getMixedSize(b, b.getLoc(), source, 1 - axis);
  AffineExpr d0 = b.getAffineDimExpr(0);
  OpFoldResult panels = apply(d0.ceilDiv(width), extent);
  SmallVector<int64_t> axes = {axis};
  SmallVector<OpFoldResult> tiles = {b.getIndexAttr(width)};
  if (hasGroups()) {
    depth = apply(d0.ceilDiv(schedule.kPack), depth);
    axes.push_back(1 - axis);
    tiles.push_back(b.getIndexAttr(schedule.kPack));
  }
  SmallVector<OpFoldResult> sizes = {panels, depth};
  llvm::append_range(sizes, tiles);
  auto getPart = [&](Value buffer) -> Value {
    SmallVector<OpFoldResult> zeros(sizes.size(), b.getIndexAttr(0));
    SmallVector<OpFoldResult> ones(sizes.size(), b.getIndexAttr(1));
    return tensor::ExtractSliceOp::create(b, buffer, zeros, sizes, ones);
  };
  Type type = getElementTypeOrSelf(source.getType());
  bool isConverted = type != element || isOffset;
  // Conversion is on the way, and there will be no such buffer.
  Value destination =
      getPart(isConverted ? createBuffer(type, buffer) : buffer);
  Value zero = createZero(b, b.getLoc(), type);
  SmallVector<int64_t> outerPermutation;
  if (axis == 1)
    outerPermutation = {1, 0};
  auto packed = linalg::PackOp::create(b, source, destination, axes, tiles,
                                       zero, outerPermutation);
  // To move an element takes about as long as this many multiply-adds. If
  // threads share the register tiles, they share the packing as well.
  constexpr int64_t kMultiplyAddsPerMove = 32;
  if (schedule.parallelDim == schedule.n)
    packed->setAttr(
        EinDialect::kParallelAttr,
        b.getI64IntegerAttr(schedule.minPoints / kMultiplyAddsPerMove));
  return isConverted
             ? convert(packed.getResult(), cast, isOffset, getPart(buffer))
             : packed.getResult();
}

Value Panels::convert(Value panels, linalg::TypeFn cast, bool isOffset,
                      Value buffer) {
  auto type = mlir::cast<RankedTensorType>(buffer.getType());
  Type element = type.getElementType();
  AffineMap map = b.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  auto converted = linalg::GenericOp::create(
      b, type, panels, buffer, ArrayRef<AffineMap>{map, map}, iterators,
      [&](OpBuilder &inner, Location loc, ValueRange arguments) {
        Value value = arguments.front();
        if (isOffset) {
          APInt highest = APInt::getSignMask(element.getIntOrFloatBitWidth());
          value = arith::XOrIOp::create(
              inner, loc, value,
              arith::ConstantOp::create(
                  inner, loc, inner.getIntegerAttr(element, highest)));
        } else {
          value = convertScalarToDtype(inner, loc, value, element,
                                       cast == linalg::TypeFn::cast_unsigned);
        }
        linalg::YieldOp::create(inner, loc, value);
      });
  // Its pack takes it along.
  converted->setAttr(EinDialect::kScheduleAttr,
                     Schedule().toAttr(b.getContext()));
  return converted.getResult(0);
}

Value Panels::gatherGroups(Value panels) {
  auto type = cast<RankedTensorType>(panels.getType());
  Type element = type.getElementType();
  int64_t group = schedule.getGroup(element.getIntOrFloatBitWidth());
  SmallVector<int64_t> split(type.getShape().drop_back());
  split.append({schedule.kPack / group, group});
  SmallVector<ReassociationIndices> dims = {{0}, {1}, {2}, {3, 4}};
  Value groups = tensor::ExpandShapeOp::create(
      b, RankedTensorType::get(split, element), panels, dims);
  SmallVector<int64_t> order = {0, 1, 3, 2, 4};
  SmallVector<int64_t> shape;
  for (int64_t dim : order)
    shape.push_back(split[dim]);
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, b.getLoc(), panels);
  sizes.pop_back();
  sizes.insert(sizes.begin() + 2, b.getIndexAttr(split[3]));
  sizes.push_back(b.getIndexAttr(group));
  int64_t panelCount = llvm::divideCeil(blockExtent, width);
  int64_t depth = llvm::divideCeil(blockDepth, schedule.kPack);
  Value buffer;
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(outermost);
    SmallVector<int64_t> whole = {panelCount, depth, split[3], split[2], group};
    buffer = tensor::EmptyOp::create(b, whole, element);
  }
  SmallVector<OpFoldResult> zeros(sizes.size(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(sizes.size(), b.getIndexAttr(1));
  Value part = tensor::ExtractSliceOp::create(b, buffer, zeros, sizes, ones);
  AffineMap from = AffineMap::getPermutationMap(order, b.getContext());
  AffineMap to = b.getMultiDimIdentityMap(order.size());
  SmallVector<utils::IteratorType> iterators(order.size(),
                                             utils::IteratorType::parallel);
  auto gathered = linalg::GenericOp::create(
      b, part.getType(), groups, part, ArrayRef<AffineMap>{from, to}, iterators,
      [&](OpBuilder &inner, Location loc, ValueRange arguments) {
        linalg::YieldOp::create(inner, loc, arguments.front());
      });
  // Its pack takes it along.
  gathered->setAttr(EinDialect::kScheduleAttr,
                    Schedule().toAttr(b.getContext()));
  return gathered.getResult(0);
}

Value Panels::getPanel(ImplicitLocOpBuilder &b, Value panels, Value offset,
                       int64_t width, int64_t length) {
  OpFoldResult index = affine::makeComposedFoldedAffineApply(
      b, b.getLoc(), b.getAffineDimExpr(0).floorDiv(width),
      {OpFoldResult(offset)});
  OpFoldResult depth = tensor::getMixedSize(b, b.getLoc(), panels, 1);
  auto type = cast<RankedTensorType>(panels.getType());
  SmallVector<int64_t> shape(type.getShape().drop_front());
  // Groups are innermost, and in front of the width where they are gathered.
  unsigned widthAxis = shape.size() == 4 ? 2 : 1;
  shape[widthAxis] = length;
  auto panelType = RankedTensorType::get(shape, type.getElementType());
  SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(type.getRank(), b.getIndexAttr(1));
  offsets[0] = index;
  SmallVector<OpFoldResult> sizes = {b.getIndexAttr(1), depth};
  for (int64_t extent : ArrayRef(shape).drop_front())
    sizes.push_back(b.getIndexAttr(extent));
  return tensor::ExtractSliceOp::create(b, panelType, panels, offsets, sizes,
                                        ones);
}

Value Panels::splitRows(ImplicitLocOpBuilder &b, Value rows, int64_t group) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, b.getLoc(), rows);
  OpFoldResult groups = affine::makeComposedFoldedAffineApply(
      b, b.getLoc(), b.getAffineDimExpr(0).floorDiv(group), {sizes[1]});
  sizes = {sizes[0], groups, b.getIndexAttr(group)};
  SmallVector<int64_t> shape;
  for (OpFoldResult size : sizes)
    shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
  SmallVector<ReassociationIndices> dims = {{0}, {1, 2}};
  return tensor::ExpandShapeOp::create(
      b, cast<RankedTensorType>(rows.getType()).clone(shape), rows, dims,
      sizes);
}

} // namespace ein
