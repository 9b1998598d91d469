//===- PackOperands.cpp - Pack operands and make register tiles ---------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The inner kernel of a contraction wants its operands contiguous, aligned with
// its own register tile, and complete at the edges. So blocks of A and B are
// copied ("packed", "promoted") to panels: A to panels of MR rows, each stored
// column by column; B to panels of NR columns, each stored row by row; both
// padded with zeros. A block is reused NC/NR or MC/MR times, which pays for the
// copy (Goto and van de Geijn, 2008, §4).
//
// Only C meets the edge: its tile is padded to MR×NR when it is read, and only
// the part that exists is put back.
//
// The panels' buffers are `tensor.empty` of static size before the outermost
// loop, of which each block uses a slice; bufferisation makes one allocation of
// each.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "passes/Epilogue.h"
#include "passes/Passes.h"
#include "passes/Raising.h"
#include "passes/Strategy.h"
#include "passes/Transforms.h"

namespace ein {
#define GEN_PASS_DEF_PACKOPERANDS
#include "passes/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

/// A contraction whose dims other than m, n and k have extent 1.
class Packer {
public:
  Packer(RewriterBase &rewriter, linalg::LinalgOp op, ContractionKind kind,
         Strategy strategy)
      : b(op.getLoc(), rewriter), op(op), kind(kind),
        strategy(std::move(strategy)), epilogue(getEpilogue(op)) {}

  void run(RewriterBase &rewriter);
  /// Whether `map` indexes an earlier axis by `first` than by `second`.
  static bool isBefore(AffineMap map, int64_t first, int64_t second);

private:
  /// A slice of `tensor` with only the axes of two dims, in their order.
  Value dropUnitAxes(Value tensor, AffineMap map, int64_t first,
                     int64_t second);
  /// `source`, a matrix, packed to panels of `width` along `axis`:
  /// [ceil(extent / width), k, width].
  Value pack(Value source, unsigned axis, int64_t width, Value buffer);
  /// `unlike`, if given, is a buffer that the new one may not be equal to.
  Value createBuffer(Type elementType, int64_t blocked, int64_t width,
                     Value unlike = {});
  Value createTiles(Value lhs, Value rhs, Value c);
  Value getPanel(Value panels, Value offset, int64_t width);
  /// If threads share the register tiles, they share the packing as well.
  void markParallel(Operation *op, int64_t minPoints) {
    if (strategy.parallelDim == strategy.n)
      op->setAttr(kParallelAttr, b.getI64IntegerAttr(minPoints));
  }

  /// The strategy of the contraction of two panels: one step of k at a time.
  Strategy getTileStrategy() {
    Strategy inner;
    inner.kind = Strategy::PackedGemm;
    inner.tile = {0, 0, 1};
    inner.m = 0, inner.n = 1, inner.k = 2;
    inner.mr = strategy.mr, inner.nr = strategy.nr;
    return inner;
  }

  OpFoldResult apply(AffineExpr expr, ArrayRef<OpFoldResult> operands) {
    return affine::makeComposedFoldedAffineApply(b, b.getLoc(), expr, operands);
  }
  /// The largest extent that a block has along `loop`: static, because the
  /// strategy tiles what is not.
  int64_t getBlockExtent(int64_t loop) {
    SmallVector<int64_t> ranges = op.getStaticLoopRanges();
    int64_t tile = strategy.tile[loop];
    if (tile == 0)
      return ranges[loop];
    return ShapedType::isDynamic(ranges[loop]) ? tile
                                               : std::min(tile, ranges[loop]);
  }

  ImplicitLocOpBuilder b;
  linalg::LinalgOp op;
  ContractionKind kind;
  Strategy strategy;
  linalg::GenericOp epilogue;
};

} // namespace

bool Packer::isBefore(AffineMap map, int64_t first, int64_t second) {
  for (AffineExpr expr : map.getResults()) {
    int64_t dim = cast<AffineDimExpr>(expr).getPosition();
    if (dim == first || dim == second)
      return dim == first;
  }
  return true;
}

Value Packer::dropUnitAxes(Value tensor, AffineMap map, int64_t first,
                           int64_t second) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape;
  for (auto [expr, extent] :
       llvm::zip_equal(map.getResults(), type.getShape())) {
    int64_t dim = cast<AffineDimExpr>(expr).getPosition();
    if (dim == first || dim == second)
      shape.push_back(extent);
  }
  if (shape.size() == type.getShape().size())
    return tensor;
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, b.getLoc(), tensor);
  SmallVector<OpFoldResult> zeros(sizes.size(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(sizes.size(), b.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(
      b, RankedTensorType::get(shape, type.getElementType()), tensor, zeros,
      sizes, ones);
}

Value Packer::createBuffer(Type elementType, int64_t blocked, int64_t width,
                           Value unlike) {
  OpBuilder::InsertionGuard guard(b);
  Operation *outermost = op;
  while (auto loop = outermost->getParentOfType<LoopLikeOpInterface>())
    outermost = loop;
  b.setInsertionPoint(outermost);
  int64_t panels = llvm::divideCeil(getBlockExtent(blocked), width);
  SmallVector<int64_t> shape = {panels, getBlockExtent(strategy.k), width};
  // CSE makes one buffer of two empty tensors of one type, and bufferisation
  // then allocates a copy for each block. A panel that is never used prevents
  // it.
  if (unlike && unlike.getType() == RankedTensorType::get(shape, elementType))
    ++shape[0];
  return tensor::EmptyOp::create(b, shape, elementType);
}

Value Packer::pack(Value source, unsigned axis, int64_t width, Value buffer) {
  OpFoldResult extent = tensor::getMixedSize(b, b.getLoc(), source, axis);
  OpFoldResult depth = tensor::getMixedSize(b, b.getLoc(), source, 1 - axis);
  AffineExpr d0 = b.getAffineDimExpr(0);
  OpFoldResult panels = apply(d0.ceilDiv(width), {extent});
  SmallVector<OpFoldResult> zeros(3, b.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(3, b.getIndexAttr(1));
  Value destination = tensor::ExtractSliceOp::create(
      b, buffer, zeros, {panels, depth, b.getIndexAttr(width)}, ones);
  auto type = cast<RankedTensorType>(source.getType());
  Value zero =
      arith::ConstantOp::create(b, b.getZeroAttr(type.getElementType()));
  SmallVector<int64_t> outerPermutation;
  if (axis == 1)
    outerPermutation = {1, 0};
  auto packed =
      linalg::PackOp::create(b, source, destination, {axis},
                             {b.getIndexAttr(width)}, zero, outerPermutation);
  // A point of the pack's loops is a row of a panel, and to move an element
  // takes about as long as this many multiply-adds.
  constexpr int64_t kMultiplyAddsPerMove = 32;
  markParallel(packed, strategy.minPoints / (kMultiplyAddsPerMove * width));
  return packed.getResult();
}

/// The panel that holds row or column `offset`, a multiple of `width`.
Value Packer::getPanel(Value panels, Value offset, int64_t width) {
  AffineExpr d0 = b.getAffineDimExpr(0);
  OpFoldResult index = apply(d0.floorDiv(width), {OpFoldResult(offset)});
  OpFoldResult depth = tensor::getMixedSize(b, b.getLoc(), panels, 1);
  auto type = cast<RankedTensorType>(panels.getType());
  auto panelType =
      RankedTensorType::get({type.getShape()[1], width}, type.getElementType());
  OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
  return tensor::ExtractSliceOp::create(
      b, panelType, panels, {index, zero, zero},
      {one, depth, b.getIndexAttr(width)}, {one, one, one});
}

/// The loops over register tiles. The loop over B's panels is outside, so that
/// one of them stays in L1 while A's panels pass by from L2.
Value Packer::createTiles(Value lhs, Value rhs, Value c) {
  Location loc = b.getLoc();
  int64_t mr = strategy.mr, nr = strategy.nr;
  OpFoldResult rows = tensor::getMixedSize(b, loc, c, 0);
  OpFoldResult columns = tensor::getMixedSize(b, loc, c, 1);
  Value zeroIndex = arith::ConstantIndexOp::create(b, 0);
  auto toValue = [&](OpFoldResult value) {
    return getValueOrCreateConstantIndexOp(b, loc, value);
  };
  MLIRContext *context = b.getContext();
  AffineExpr m, n, k, extent, offset;
  bindDims(context, m, n, k);
  bindDims(context, extent, offset);
  AffineMap maps[] = {AffineMap::get(3, 0, {k, m}, context),
                      AffineMap::get(3, 0, {k, n}, context),
                      AffineMap::get(3, 0, {m, n}, context)};

  auto body = [&](OpBuilder &, Location, ValueRange ivs, ValueRange carried) {
    // The nest was built with its own builder; follow it.
    b.setInsertionPointToEnd(ivs.back().getParentBlock());
    Value column = ivs[0], row = ivs[1], tensor = carried[0];
    auto getLength = [&](OpFoldResult end, Value start, int64_t width) {
      return affine::makeComposedFoldedAffineMin(
          b, loc,
          AffineMap::get(
              2, 0, {b.getAffineConstantExpr(width), extent - offset}, context),
          {end, OpFoldResult(start)});
    };
    OpFoldResult height = getLength(rows, row, mr);
    OpFoldResult width = getLength(columns, column, nr);
    SmallVector<OpFoldResult> offsets = {row, column}, sizes = {height, width};
    SmallVector<OpFoldResult> ones(2, b.getIndexAttr(1));
    SmallVector<OpFoldResult> zeros(2, b.getIndexAttr(0));

    Type elementType =
        cast<RankedTensorType>(tensor.getType()).getElementType();
    Value tile =
        tensor::ExtractSliceOp::create(b, tensor, offsets, sizes, ones);
    Value zero = arith::ConstantOp::create(b, b.getZeroAttr(elementType));
    auto tileType = RankedTensorType::get({mr, nr}, elementType);
    AffineExpr d0 = b.getAffineDimExpr(0);
    SmallVector<OpFoldResult> high = {apply(mr - d0, {height}),
                                      apply(nr - d0, {width})};
    Value padded = tensor::PadOp::create(b, tileType, tile, zeros, high, zero);
    linalg::LinalgOp contract = createContraction(
        b, loc, kind, TypeRange(tileType),
        ValueRange{getPanel(lhs, row, mr), getPanel(rhs, column, nr)}, padded,
        maps);
    contract->setAttr(kStrategyAttr, getTileStrategy().toAttr(context));
    Value result = contract->getResult(0);
    if (epilogue)
      result = createTileEpilogue(b, epilogue, op, strategy.m, strategy.n,
                                  result, offsets, sizes);
    Value part = tensor::ExtractSliceOp::create(b, result, zeros, sizes, ones);
    Value inserted =
        tensor::InsertSliceOp::create(b, part, tensor, offsets, sizes, ones);
    return scf::ValueVector{inserted};
  };
  Value stepN = arith::ConstantIndexOp::create(b, nr);
  Value stepM = arith::ConstantIndexOp::create(b, mr);
  scf::LoopNest nest = scf::buildLoopNest(b, loc, {zeroIndex, zeroIndex},
                                          {toValue(columns), toValue(rows)},
                                          {stepN, stepM}, ValueRange{c}, body);
  for (scf::ForOp loop : nest.loops)
    markParallel(loop, strategy.minPoints);
  return nest.results[0];
}

void Packer::run(RewriterBase &rewriter) {
  // The tiles' loops read what the epilogue does.
  Operation *last = epilogue ? epilogue.getOperation() : op.getOperation();
  b.setInsertionPoint(last);
  int64_t m = strategy.m, n = strategy.n, k = strategy.k;
  unsigned lhs = strategy.lhs, rhs = 1 - strategy.lhs;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<Value> inputs = op.getDpsInputs();
  Value init = op.getDpsInits()[0];

  Value lhsMatrix = dropUnitAxes(inputs[lhs], maps[lhs], m, k);
  Value rhsMatrix = dropUnitAxes(inputs[rhs], maps[rhs], k, n);
  Value c = dropUnitAxes(init, maps[2], m, n);

  auto elementType = [](Value tensor) {
    return cast<RankedTensorType>(tensor.getType()).getElementType();
  };
  Value lhsBuffer = createBuffer(elementType(lhsMatrix), m, strategy.mr);
  Value rhsBuffer =
      createBuffer(elementType(rhsMatrix), n, strategy.nr, lhsBuffer);
  Value lhsPanels = pack(lhsMatrix, isBefore(maps[lhs], m, k) ? 0 : 1,
                         strategy.mr, lhsBuffer);
  Value rhsPanels = pack(rhsMatrix, isBefore(maps[rhs], n, k) ? 0 : 1,
                         strategy.nr, rhsBuffer);
  Value result = createTiles(lhsPanels, rhsPanels, c);
  b.setInsertionPoint(last);
  if (c != init) {
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(b, b.getLoc(), init);
    SmallVector<OpFoldResult> zeros(sizes.size(), b.getIndexAttr(0));
    SmallVector<OpFoldResult> ones(sizes.size(), b.getIndexAttr(1));
    result = tensor::InsertSliceOp::create(b, result, init, zeros, sizes, ones);
  }
  rewriter.replaceOp(last, result);
  if (epilogue)
    rewriter.eraseOp(op);
}

LogicalResult packOperands(RewriterBase &rewriter, linalg::LinalgOp op) {
  FailureOr<Strategy> strategy = Strategy::fromOp(op, op.getNumLoops());
  if (failed(strategy))
    return failure();
  std::optional<ContractionKind> kind = getContractionKind(op);
  if (!kind)
    return op.emitOpError("is not a contraction, which its strategy is for");
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (int64_t dim = 0, e = ranges.size(); dim < e; ++dim) {
    bool isBlocked =
        dim == strategy->m || dim == strategy->n || dim == strategy->k;
    if (!isBlocked && ranges[dim] != 1)
      return op.emitOpError("has dim d")
             << dim << " of extent other than 1, and its strategy is not to "
             << "block it; run `ein-tile-contractions` first";
    if (isBlocked && ShapedType::isDynamic(ranges[dim]) &&
        strategy->tile[dim] == 0)
      return op.emitOpError("has the dynamic dim d")
             << dim << ", and its strategy does not tile it";
  }
  AffineMap output = op.getIndexingMapsArray()[2];
  if (!Packer::isBefore(output, strategy->m, strategy->n))
    return op.emitOpError("has dim n before dim m in its output");
  Packer(rewriter, op, *kind, *strategy).run(rewriter);
  return success();
}

namespace {
struct PackOperandsPass : impl::PackOperandsBase<PackOperandsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (auto op : collectWithStrategy<linalg::LinalgOp>(getOperation(),
                                                         Strategy::PackedGemm))
      if (failed(packOperands(rewriter, op)))
        return signalPassFailure();
    // B's panels do not change with the block of A: out of that loop with them.
    getOperation().walk(
        [](LoopLikeOpInterface loop) { moveLoopInvariantCode(loop); });
  }
};
} // namespace

} // namespace ein
