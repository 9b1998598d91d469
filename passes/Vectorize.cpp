//===- Vectorize.cpp - Contractions and tiles to vectors ----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By now every op that is to be vectorised has a static tile for an iteration
// space, or needs one loop to get there. The vector code itself is upstream's:
// `linalg::vectorize` turns a contraction straight into a `vector.contract`,
// and an elementwise op into the same ops on vectors.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/Passes.h"
#include "passes/Raising.h"
#include "passes/Strategy.h"
#include "passes/Transforms.h"
#include "passes/VectorizeDots.h"

namespace ein {
#define GEN_PASS_DEF_VECTORIZE
#include "passes/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

namespace {

/// The loop over k for one register tile. The tile is a vector that the loop
/// carries; each step reads a column of A and a row of B, one of k or one group
/// of k, and multiplies them by a vector.contract.
class MicroKernel {
public:
  MicroKernel(RewriterBase &rewriter, linalg::LinalgOp op, ContractionKind kind)
      : b(op.getLoc(), rewriter), op(op), kind(kind),
        maps(op.getIndexingMapsArray()) {}

  /// Whether there is such a loop: C is a static tile, and each step has a
  /// static part of A and B, in C's type or in groups.
  bool isPossible();
  /// The loop, as `strategy` wants it.
  Value create(const Strategy &strategy);

private:
  /// An input as the steps read it. A slice that is padded to the tile is read
  /// where it comes from.
  struct Input {
    Value source;
    AffineMap map;
    unsigned depthAxis;
    tensor::PadOp pad;
    /// Per axis: what a step reads.
    SmallVector<int64_t> shape;
  };
  Input getInput(unsigned number);
  Value readVector(const Input &input, Value k);
  Value readElements(const Input &input, Value k);
  Value readStart(Value &tile, VectorType type);

  ImplicitLocOpBuilder b;
  linalg::LinalgOp op;
  ContractionKind kind;
  SmallVector<AffineMap> maps;
};

} // namespace

/// The dim of a tile's contraction that is k: m, n, k, and perhaps a group.
static constexpr unsigned kDepthDim = 2;

bool MicroKernel::isPossible() {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (ranges.size() <= kDepthDim)
    return false;
  // Panels extend what is narrower; groups are multiplied as they are.
  bool hasGroups = ranges.size() > kDepthDim + 1;
  Type type = getElementTypeOrSelf(op.getDpsInits()[0].getType());
  if (!hasGroups && llvm::any_of(op.getDpsInputs(), [&](Value input) {
        return getElementTypeOrSelf(input.getType()) != type;
      }))
    return false;
  ranges[kDepthDim] = 1;
  MLIRContext *context = op.getContext();
  AffineMap tile = AffineMap::get(
      ranges.size(), 0,
      {getAffineDimExpr(0, context), getAffineDimExpr(1, context)}, context);
  return maps[2] == tile && !ShapedType::isDynamicShape(ranges) &&
         llvm::all_of(ArrayRef(maps).take_front(2), [](AffineMap map) {
           return map.isFunctionOfDim(kDepthDim);
         });
}

MicroKernel::Input MicroKernel::getInput(unsigned number) {
  Input input;
  input.map = maps[number];
  input.depthAxis = *input.map.getResultPosition(
      getAffineDimExpr(kDepthDim, op.getContext()));
  input.source = op.getDpsInputs()[number];
  input.shape = llvm::to_vector(
      cast<RankedTensorType>(input.source.getType()).getShape());
  input.shape[input.depthAxis] = 1;
  auto pad = input.source.getDefiningOp<tensor::PadOp>();
  if (pad && pad.hasZeroLowPad() && pad.getConstantPaddingValue() &&
      isZeroInteger(pad.getMixedHighPad()[input.depthAxis])) {
    input.pad = pad;
    input.source = pad.getSource();
  }
  return input;
}

/// A step of k as one vector, zero where the slice ends.
Value MicroKernel::readVector(const Input &input, Value k) {
  auto type = cast<RankedTensorType>(input.source.getType());
  Value zero = arith::ConstantIndexOp::create(b, 0);
  SmallVector<Value> position(input.shape.size(), zero);
  position[input.depthAxis] = k;
  SmallVector<bool> inBounds;
  for (auto [axis, extent] : llvm::enumerate(input.shape))
    inBounds.push_back(axis == input.depthAxis ||
                       type.getDimSize(axis) == extent);
  Value padding =
      arith::ConstantOp::create(b, b.getZeroAttr(type.getElementType()));
  return vector::TransferReadOp::create(
      b, VectorType::get(input.shape, type.getElementType()), input.source,
      position, padding, b.getMultiDimIdentityMap(input.shape.size()),
      ArrayRef<bool>(inBounds));
}

/// A step of k of a matrix, element by element: that is how they are multiplied
/// by a row of B. Behind the end of the slice its last row is read again, since
/// nothing is kept of what these rows of the tile become.
Value MicroKernel::readElements(const Input &input, Value k) {
  unsigned axis = 1 - input.depthAxis;
  auto type = cast<RankedTensorType>(input.source.getType());
  Value last;
  if (type.getDimSize(axis) != input.shape[axis]) {
    Value length = getValueOrCreateConstantIndexOp(
        b, b.getLoc(), tensor::getMixedSize(b, b.getLoc(), input.source, axis));
    last =
        arith::SubIOp::create(b, length, arith::ConstantIndexOp::create(b, 1));
  }
  SmallVector<Value> elements;
  for (int64_t row = 0; row < input.shape[axis]; ++row) {
    Value index = arith::ConstantIndexOp::create(b, row);
    if (last && row > 0)
      index = arith::MinSIOp::create(b, index, last);
    SmallVector<Value> position(2, index);
    position[input.depthAxis] = k;
    elements.push_back(tensor::ExtractOp::create(b, input.source, position));
  }
  return vector::FromElementsOp::create(
      b, VectorType::get(input.shape, type.getElementType()), elements);
}

/// The tile before the sum. Of a fill, and of `select(first, fill, tile)` in
/// the first block, nothing is read. `tile` becomes what the result is written
/// to: all of it is, so what was there does not matter.
Value MicroKernel::readStart(Value &tile, VectorType type) {
  auto read = [type](OpBuilder &builder, Location loc, Value source) -> Value {
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value padding = arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(type.getElementType()));
    return vector::TransferReadOp::create(
        builder, loc, type, source, ValueRange{zero, zero}, padding,
        builder.getMultiDimIdentityMap(2), ArrayRef<bool>{true, true});
  };
  auto select = tile.getDefiningOp<arith::SelectOp>();
  Value first = select ? select.getTrueValue() : tile;
  auto fill = first.getDefiningOp<linalg::FillOp>();
  if (!fill)
    return read(b, b.getLoc(), tile);
  Value splat = vector::BroadcastOp::create(b, type, fill.getInputs()[0]);
  tile = select ? select.getFalseValue() : fill.getOutputs()[0];
  if (!select)
    return splat;
  return scf::IfOp::create(
             b, select.getCondition(),
             [&](OpBuilder &inner, Location loc) {
               scf::YieldOp::create(inner, loc, splat);
             },
             [&](OpBuilder &inner, Location loc) {
               scf::YieldOp::create(inner, loc, read(inner, loc, tile));
             })
      .getResult(0);
}

Value MicroKernel::create(const Strategy &strategy) {
  Value tile = op.getDpsInits()[0];
  auto tensorType = cast<RankedTensorType>(tile.getType());
  auto type =
      VectorType::get(tensorType.getShape(), tensorType.getElementType());
  Input lhs = getInput(0), rhs = getInput(1);
  // What has m's role is broadcast, element by element.
  AffineExpr m = b.getAffineDimExpr(0);
  auto readStep = [&](const Input &input, Value k) {
    bool isOfRows =
        input.map.getResultPosition(m) && input.map.getNumResults() == 2;
    return isOfRows && (input.pad || input.depthAxis == 1)
               ? readElements(input, k)
               : readVector(input, k);
  };
  Value start = readStart(tile, type);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value depth = getValueOrCreateConstantIndexOp(
      b, b.getLoc(),
      tensor::getMixedSize(b, b.getLoc(), lhs.source, lhs.depthAxis));
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  SmallVector<Attribute> iteratorAttrs = llvm::map_to_vector(
      iterators, [&](utils::IteratorType iterator) -> Attribute {
        return vector::IteratorTypeAttr::get(
            b.getContext(), iterator == utils::IteratorType::parallel
                                ? vector::IteratorType::parallel
                                : vector::IteratorType::reduction);
      });
  auto loop = scf::ForOp::create(
      b, zero, depth, one, ValueRange{start},
      [&](OpBuilder &inner, Location loc, Value k, ValueRange carried) {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToEnd(inner.getInsertionBlock());
        Value left = readStep(lhs, k), right = readStep(rhs, k);
        Value sum = vector::ContractionOp::create(
            b, left, right, carried[0], b.getAffineMapArrayAttr(maps),
            b.getArrayAttr(iteratorAttrs), kind.kind);
        scf::YieldOp::create(b, sum);
      });
  if (strategy.unroll > 1)
    loop->setAttr(kUnrollAttr, b.getI64IntegerAttr(strategy.unroll));
  if (strategy.prefetch)
    loop->setAttr(kPrefetchAttr, b.getUnitAttr());
  return vector::TransferWriteOp::create(b, loop.getResult(0), tile,
                                         ValueRange{zero, zero},
                                         ArrayRef<bool>{true, true})
      .getResult();
}

LogicalResult vectorizeContract(RewriterBase &rewriter, linalg::LinalgOp op) {
  FailureOr<Strategy> strategy = Strategy::fromOp(op, op.getNumLoops());
  if (failed(strategy))
    return failure();
  std::optional<ContractionKind> kind = getContractionKind(op);
  if (!kind)
    return op.emitOpError("is not a contraction, which its strategy is for");
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  MicroKernel kernel(rewriter, op, *kind);
  if (!kernel.isPossible())
    return op.emitOpError("is no register tile, of static size and with one "
                          "loop over k");
  rewriter.replaceOp(op, kernel.create(*strategy));
  return success();
}

/// Vectorises an elementwise tile; an incomplete one stays as it is, to become
/// scalar loops.
static void vectorizeTile(RewriterBase &rewriter, linalg::LinalgOp op) {
  if (op.hasDynamicShape())
    return;
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::VectorizationResult> result =
      linalg::vectorize(rewriter, op);
  if (succeeded(result))
    rewriter.replaceOp(op, result->replacements);
}

namespace {
struct VectorizePass : impl::VectorizeBase<VectorizePass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    // Contractions first: they take the fill that they start from.
    for (linalg::LinalgOp &op : ops) {
      bool isDot = hasStrategy(op, Strategy::Dot);
      if (!isDot && !hasStrategy(op, Strategy::PackedGemm))
        continue;
      if (failed(isDot ? vectorizeDot(rewriter, op)
                       : vectorizeContract(rewriter, op)))
        return signalPassFailure();
      op = nullptr;
    }
    for (linalg::LinalgOp op : ops) {
      if (!op)
        continue;
      if (op->getNumResults() != 0 && op->use_empty())
        rewriter.eraseOp(op);
      else if (hasStrategy(op, Strategy::Vectorize) ||
               hasStrategy(op, Strategy::Epilogue))
        vectorizeTile(rewriter, op);
    }
  }
};
} // namespace

} // namespace ein
