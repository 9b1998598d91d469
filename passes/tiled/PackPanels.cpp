//===- PackPanels.cpp - Panels of a packed operand ------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Panels are a copy of the operand, which is padded with zeros to whole panels,
// and has a schedule of its own. It extends operands that are narrower than the
// micro-kernel reads them. Where the kernel takes several steps of k at once
// (`kPack`), panels have one more, innermost dim: neighbours in k lie side by
// side. If the operand is contiguous along a panel's width, its rows are whole
// vectors; if it is so along k, squares of both are transposed.
//
// An instruction for groups (`dot`) has elements of its own. Those of an
// operand are the same, or bytes of the other signedness: these are moved by
// 128, which is to turn their highest bit over. The register tiles move them
// back in what they mean, and in what they do start from the difference.
//
//===----------------------------------------------------------------------===//

#include "passes/tiled/PackPanels.h"
#include "abi/CacheLine.h"
#include "ir/EinDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/Einsums.h"
#include "passes/analysis/ElementBytes.h"
#include "passes/analysis/KnownDivisors.h"

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

Value Panels::createBuffer(ArrayRef<int64_t> shape, Type element,
                           Value unlike) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(outermost);
  SmallVector<int64_t> whole(shape);
  // CSE makes one buffer of two empty tensors of one type, and bufferisation
  // then allocates a copy for each block. A panel that is never used prevents
  // it.
  if (unlike && unlike.getType() == RankedTensorType::get(whole, element))
    ++whole[0];
  return tensor::EmptyOp::create(b, whole, element);
}

Value Panels::pad(Value source, unsigned axis) {
  int64_t multiples[] = {schedule.kPack, schedule.kPack};
  multiples[axis] = width;
  auto type = cast<RankedTensorType>(source.getType());
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<OpFoldResult> low(2, b.getIndexAttr(0)), high = low;
  AffineExpr d0 = b.getAffineDimExpr(0);
  for (auto [number, multiple] : llvm::enumerate(multiples)) {
    OpFoldResult extent = tensor::getMixedSize(b, b.getLoc(), source, number);
    if (isKnownMultiple(extent, multiple))
      continue;
    high[number] = apply((-d0) % multiple, extent);
    if (!type.isDynamicDim(number))
      shape[number] = llvm::alignTo(shape[number], multiple);
  }
  if (llvm::all_of(high, isZeroInteger))
    return source;
  Value zero = createZero(b, b.getLoc(), type.getElementType());
  return tensor::PadOp::create(b, type.clone(shape), source, low, high, zero);
}

Schedule Panels::getCopySchedule(unsigned numLoops, int64_t blocked,
                                 bool isBlockedLast, int64_t group,
                                 unsigned bits) {
  Schedule copy;
  copy.kind = Schedule::Vectorize;
  copy.tile.assign(numLoops, 1);
  copy.vectorDim = blocked;
  int64_t ofLine = getElementsPerLine(bits * group);
  if (isBlockedLast) {
    copy.tile[blocked] = width;
  } else if (ofLine > 1) {
    auto most = int64_t(llvm::PowerOf2Ceil(width));
    copy.tile[blocked] =
        std::min({ofLine, most, schedule.lanes == 0 ? ofLine : schedule.lanes});
    copy.masked = true;
  } else {
    copy.vectorDim = numLoops - 1;
    copy.tile.back() = group;
  }
  // To move an element takes about as long as this many multiply-adds. If
  // threads share the register tiles, they share the packing as well.
  constexpr int64_t kMultiplyAddsPerMove = 32;
  bool isShared = schedule.parallelDim == schedule.n;
  if (isShared) {
    copy.parallelDim = 0;
    copy.minPoints = schedule.minPoints / kMultiplyAddsPerMove;
  }
  // What lies side by side in memory is read one after the other. But threads
  // share panels.
  if (isBlockedLast && !isShared) {
    copy.interchange = llvm::to_vector(llvm::seq<int64_t>(1, blocked));
    copy.interchange.push_back(0);
  }
  return copy;
}

Value Panels::pack(Value source, unsigned axis, Type element,
                   linalg::TypeFn cast, bool isOffset, bool areGathered,
                   Value &buffer) {
  MLIRContext *context = b.getContext();
  auto bits = unsigned(8 * getScalarBytes(element));
  int64_t step = schedule.kPack;
  int64_t group = areGathered ? schedule.getGroup(bits) : step;
  OpFoldResult depth = tensor::getMixedSize(b, b.getLoc(), source, 1 - axis);
  AffineExpr d0 = b.getAffineDimExpr(0);
  SmallVector<int64_t> shape = {int64_t(llvm::divideCeil(blockExtent, width)),
                                int64_t(llvm::divideCeil(blockDepth, step))};
  SmallVector<OpFoldResult> sizes = {
      apply(d0.ceilDiv(width),
            tensor::getMixedSize(b, b.getLoc(), source, axis)),
      apply(d0.ceilDiv(step), depth)};
  // Where in the source each of the panels' elements is.
  AffineExpr k = b.getAffineDimExpr(1) * step;
  auto append = [&](int64_t extent) {
    shape.push_back(extent);
    sizes.push_back(b.getIndexAttr(extent));
    return b.getAffineDimExpr(shape.size() - 1);
  };
  if (group != step)
    k = k + append(step / group) * group;
  int64_t blocked = shape.size();
  AffineExpr own = d0 * width + append(width);
  if (group > 1)
    k = k + append(group);
  AffineExpr axes[] = {k, k};
  axes[axis] = own;
  unsigned numLoops = shape.size();
  AffineMap maps[] = {AffineMap::get(numLoops, 0, axes, context),
                      b.getMultiDimIdentityMap(numLoops)};

  buffer = createBuffer(shape, element, buffer);
  SmallVector<OpFoldResult> zeros(numLoops, b.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(numLoops, b.getIndexAttr(1));
  Value part = tensor::ExtractSliceOp::create(b, buffer, zeros, sizes, ones);
  SmallVector<utils::IteratorType> iterators(numLoops,
                                             utils::IteratorType::parallel);
  auto packed = linalg::GenericOp::create(
      b, part.getType(), pad(source, axis), part, maps, iterators,
      [&](OpBuilder &inner, Location loc, ValueRange arguments) {
        Value value = arguments.front();
        if (isOffset) {
          APInt highest = APInt::getSignMask(bits);
          value = arith::XOrIOp::create(
              inner, loc, value,
              arith::ConstantOp::create(
                  inner, loc, inner.getIntegerAttr(element, highest)));
        } else if (value.getType() != element) {
          value = convertScalarToDtype(inner, loc, value, element,
                                       cast == linalg::TypeFn::cast_unsigned);
        }
        linalg::YieldOp::create(inner, loc, value);
      });
  packed->setAttr(EinDialect::kScheduleAttr,
                  getCopySchedule(numLoops, blocked, axis == 1, group, bits)
                      .toAttr(context));
  return packed.getResult(0);
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
