//===- Vectorize.cpp - Register tiles of products -------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By now a product is register tiles of static size, in each of which one loop
// is left, over k. The vector code itself is upstream's: `linalg::vectorize`
// turns an epilogue into the same ops on vectors, and a product is a
// `vector.contract`.
//
// A product of complex numbers is a + ib times c, for which a row of B is taken
// as it lies in memory, real and imaginary parts by turns:
//
//   sum of a * (re c, im c, …)   and   sum of b * (re c, im c, …)
//
// are two accumulators with full vectors and no shuffles. At the end i times
// the second, which is (-im, re, …), is added to the first. B is read in place,
// C as well, and of A only single numbers are read anyway. Planes would have to
// be copied out of both; to double B's rows instead, (re, im) and (-im, re),
// makes an ordinary product of twice the depth, but B's copy twice as large.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/ComplexVectors.h"
#include "passes/analysis/Raising.h"
#include "passes/schedule/ScheduledOps.h"
#include "passes/vector/Passes.h"
#include "passes/vector/Transforms.h"
#include "passes/vector/VectorizeGroups.h"

namespace ein {
#define GEN_PASS_DEF_VECTORIZE
#include "passes/vector/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

namespace {

/// The loop over k for one register tile. The tile is a vector that the loop
/// carries; each step reads a column of A and a row of B, one of k or one group
/// of k, and multiplies them by a vector.contract.
class MicroKernel {
public:
  MicroKernel(RewriterBase &rewriter, linalg::LinalgOp op,
              const TileProduct &product)
      : b(op.getLoc(), rewriter), op(op), product(product),
        maps(op.getIndexingMapsArray()),
        element(getElementTypeOrSelf(op.getDpsInits()[0])), partType(element) {
    if (auto complexType = dyn_cast<ComplexType>(element))
      partType = complexType.getElementType();
  }

  /// Whether there is such a loop: C is a static tile, and each step has a
  /// static part of A and B, in C's type or in groups.
  bool isPossible();
  bool canBeGrouped();
  /// The loop, as `schedule` wants it.
  Value create(const Schedule &schedule);

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
  SmallVector<Value> readElements(const Input &input, Value k);
  Value readStart(Value &tile, VectorType type);
  Value createSplat(Value number, VectorType type);
  Value joinSums(ValueRange sums);
  bool isComplex() const { return element != partType; }

  ImplicitLocOpBuilder b;
  linalg::LinalgOp op;
  TileProduct product;
  SmallVector<AffineMap> maps;
  /// C's numbers, and what vectors of them are made of.
  Type element, partType;
};

} // namespace

/// The dim of a tile's contraction that is k: m, n, k, and perhaps a group.
static constexpr unsigned kDepthDim = 2;

/// Whether the inputs are panels of groups, [k, width, group], of which A may
/// be in place, [m, k, group], or for a matrix unit [k, m, groups, group] and
/// [k, groups, n, group].
bool MicroKernel::canBeGrouped() {
  MLIRContext *context = op.getContext();
  AffineExpr m, n, k, group, element;
  bindDims(context, m, n, k, group, element);
  if (op.getNumLoops() == kDepthDim + 3)
    return product.kind.isSum() && product.offset == 0 &&
           maps[0] == AffineMap::get(5, 0, {k, m, group, element}, context) &&
           maps[1] == AffineMap::get(5, 0, {k, group, n, element}, context);
  bool isInPlace = product.offset == 0 &&
                   maps[0] == AffineMap::get(4, 0, {m, k, group}, context);
  return op.getNumLoops() == kDepthDim + 2 && product.kind.isSum() &&
         (isInPlace ||
          maps[0] == AffineMap::get(4, 0, {k, m, group}, context)) &&
         maps[1] == AffineMap::get(4, 0, {k, n, group}, context);
}

bool MicroKernel::isPossible() {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (ranges.size() <= kDepthDim)
    return false;
  // Panels extend what is narrower; groups are multiplied as they are.
  bool hasGroups = ranges.size() > kDepthDim + 1;
  if (hasGroups && !canBeGrouped())
    return false;
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

/// A tensor of complex numbers as one of their parts; another one as it is. Of
/// a pad it is the pad's source that is seen so, so that the pad stays the last
/// step.
static Value toParts(OpBuilder &b, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  auto complexType = dyn_cast<ComplexType>(type.getElementType());
  if (!complexType)
    return tensor;
  Location loc = tensor.getLoc();
  Type part = complexType.getElementType();
  auto pad = tensor.getDefiningOp<tensor::PadOp>();
  if (!pad || !pad.hasZeroLowPad())
    return ReinterpretOp::get(b, loc, tensor, part);
  SmallVector<OpFoldResult> high = pad.getMixedHighPad();
  high.back() = affine::makeComposedFoldedAffineApply(
      b, loc, b.getAffineSymbolExpr(0) * 2, {high.back()});
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(part));
  return tensor::PadOp::create(
      b, loc, ReinterpretOp::getViewType(type, part),
      ReinterpretOp::get(b, loc, pad.getSource(), part), pad.getMixedLowPad(),
      high, zero);
}

/// A step of k as one vector, zero where the slice ends.
Value MicroKernel::readVector(const Input &input, Value k) {
  Value source = toParts(b, input.source);
  SmallVector<int64_t> shape = input.shape;
  if (source != input.source)
    shape.back() *= 2;
  auto type = cast<RankedTensorType>(source.getType());
  Value zero = arith::ConstantIndexOp::create(b, 0);
  SmallVector<Value> position(shape.size(), zero);
  position[input.depthAxis] = k;
  SmallVector<bool> inBounds;
  for (auto [axis, extent] : llvm::enumerate(shape))
    inBounds.push_back(axis == input.depthAxis ||
                       type.getDimSize(axis) == extent);
  Value padding =
      arith::ConstantOp::create(b, b.getZeroAttr(type.getElementType()));
  return vector::TransferReadOp::create(
      b, VectorType::get(shape, type.getElementType()), source, position,
      padding, b.getMultiDimIdentityMap(shape.size()),
      ArrayRef<bool>(inBounds));
}

/// A step of k of a matrix, element by element: that is how they are multiplied
/// by a row of B; of complex numbers first the real parts, then the imaginary
/// ones. Behind the end of the slice its last row is read again, since nothing
/// is kept of what these rows of the tile become.
SmallVector<Value> MicroKernel::readElements(const Input &input, Value k) {
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
  auto join = [&](ArrayRef<Value> elements) -> Value {
    return vector::FromElementsOp::create(
        b, VectorType::get(input.shape, elements.front().getType()), elements);
  };
  if (!isComplex())
    return {join(elements)};
  SmallVector<Value> real, imaginary;
  for (Value number : elements) {
    real.push_back(complex::ReOp::create(b, number));
    imaginary.push_back(complex::ImOp::create(b, number));
  }
  return {join(real), join(imaginary)};
}

/// A vector of one number; of a complex one, its parts by turns.
Value MicroKernel::createSplat(Value number, VectorType type) {
  if (!isComplex())
    return vector::BroadcastOp::create(b, type, number);
  if (auto constant = number.getDefiningOp<complex::ConstantOp>();
      constant && llvm::all_of(constant.getValue(), [](Attribute part) {
        return cast<FloatAttr>(part).getValue().isPosZero();
      }))
    return arith::ConstantOp::create(b, b.getZeroAttr(type));
  SmallVector<int64_t> shape(type.getShape());
  shape.back() /= 2;
  auto half = VectorType::get(shape, partType);
  Value real = complex::ReOp::create(b, number);
  Value imaginary = complex::ImOp::create(b, number);
  return vector::InterleaveOp::create(
      b, vector::BroadcastOp::create(b, half, real),
      vector::BroadcastOp::create(b, half, imaginary));
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
  if (!fill) {
    tile = toParts(b, tile);
    return read(b, b.getLoc(), tile);
  }
  Value splat = createSplat(fill.getInputs()[0], type);
  tile = toParts(b, select ? select.getFalseValue() : fill.getOutputs()[0]);
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

/// The sums of real parts times B's numbers and of imaginary parts times these:
/// the latter turned by a right angle are added to the former. Row by row, as
/// only vectors of rank 1 are shuffled.
Value MicroKernel::joinSums(ValueRange sums) {
  if (!isComplex())
    return sums[0];
  auto type = cast<VectorType>(sums[0].getType());
  auto rowType = VectorType::get({type.getDimSize(1)}, partType);
  SmallVector<int64_t> swapped;
  SmallVector<Attribute> signs;
  for (int64_t lane = 0; lane < type.getDimSize(1); ++lane) {
    swapped.push_back(lane ^ 1);
    signs.push_back(b.getFloatAttr(partType, lane % 2 == 0 ? -1 : 1));
  }
  Value sign =
      arith::ConstantOp::create(b, DenseElementsAttr::get(rowType, signs));
  Value result = sums[0];
  for (int64_t row = 0; row < type.getDimSize(0); ++row) {
    Value real = vector::ExtractOp::create(b, sums[0], row);
    Value imaginary = vector::ExtractOp::create(b, sums[1], row);
    Value turned = vector::ShuffleOp::create(b, imaginary, imaginary, swapped);
    turned =
        arith::MulFOp::create(b, turned, sign, arith::FastMathFlags::contract);
    Value sum =
        arith::AddFOp::create(b, real, turned, arith::FastMathFlags::contract);
    result = vector::InsertOp::create(b, sum, result, row);
  }
  return result;
}

Value MicroKernel::create(const Schedule &schedule) {
  Value tile = op.getDpsInits()[0];
  auto tensorType = cast<RankedTensorType>(tile.getType());
  SmallVector<int64_t> shape(tensorType.getShape());
  if (isComplex())
    shape.back() *= 2;
  auto type = VectorType::get(shape, partType);
  Input lhs = getInput(0), rhs = getInput(1);
  // What has m's role is broadcast, element by element.
  AffineExpr m = b.getAffineDimExpr(0);
  auto readStep = [&](const Input &input, Value k) -> SmallVector<Value> {
    bool isOfRows =
        input.map.getResultPosition(m) && input.map.getNumResults() == 2;
    return isOfRows && (isComplex() || input.pad || input.depthAxis == 1)
               ? readElements(input, k)
               : SmallVector<Value>{readVector(input, k)};
  };
  std::optional<GroupedTile> groups;
  if (op.getNumLoops() > kDepthDim + 1)
    groups.emplace(b, op, product, schedule);
  SmallVector<Value> starts = {readStart(tile, type)};
  if (groups)
    starts[0] = groups->toSums(starts[0]);
  if (isComplex())
    starts.push_back(arith::ConstantOp::create(b, b.getZeroAttr(type)));
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value depth =
      groups
          ? groups->getDepth()
          : getValueOrCreateConstantIndexOp(
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
      b, zero, depth, one, starts,
      [&](OpBuilder &inner, Location loc, Value k, ValueRange carried) {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToEnd(inner.getInsertionBlock());
        if (groups) {
          scf::YieldOp::create(b, groups->multiply(k, carried[0]));
          return;
        }
        SmallVector<Value> lefts = readStep(lhs, k);
        Value right = readStep(rhs, k)[0];
        SmallVector<Value> sums;
        for (auto [left, sum] : llvm::zip_equal(lefts, carried))
          sums.push_back(vector::ContractionOp::create(
              b, left, right, sum, b.getAffineMapArrayAttr(maps),
              b.getArrayAttr(iteratorAttrs), product.kind.kind));
        scf::YieldOp::create(b, sums);
      });
  if (schedule.unroll > 1) {
    loop->setAttr(EinDialect::kUnrollAttr,
                  b.getI64IntegerAttr(schedule.unroll));
    loop->setAttr(EinDialect::kLongSumAttr, b.getUnitAttr());
  }
  if (schedule.prefetch)
    loop->setAttr(EinDialect::kPrefetchAttr, b.getUnitAttr());
  if (schedule.prefetchDistance)
    loop->setAttr(
        EinDialect::kPrefetchDistanceAttr,
        b.getDenseI64ArrayAttr({schedule.prefetchDistance, schedule.mr}));
  Value sums = groups ? groups->toTile(groups->multiplyRest(loop.getResult(0)))
                      : joinSums(loop.getResults());
  Value written =
      vector::TransferWriteOp::create(b, sums, tile, ValueRange{zero, zero},
                                      ArrayRef<bool>{true, true})
          .getResult();
  return ReinterpretOp::get(b, b.getLoc(), written, element);
}

LogicalResult vectorizeContract(RewriterBase &rewriter, linalg::LinalgOp op) {
  FailureOr<Schedule> schedule = Schedule::fromOp(op, op.getNumLoops());
  if (failed(schedule))
    return failure();
  std::optional<TileProduct> product = matchTileProduct(op);
  if (!product)
    return op.emitOpError("is not a contraction, which its schedule is for");
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  MicroKernel kernel(rewriter, op, *product);
  if (!kernel.isPossible())
    return op.emitOpError("is no register tile, of static size and with one "
                          "loop over k");
  rewriter.replaceOp(op, kernel.create(*schedule));
  return success();
}

/// Whether an epilogue is of sums over windows, whose tiles are made later.
static bool isOfWindows(linalg::LinalgOp epilogue) {
  Operation *sum = epilogue.getDpsInits()[0].getDefiningOp();
  return sum && hasSchedule(sum, Schedule::Window);
}

/// Has an elementwise op that is told where it is read what it updates as an
/// input. Upstream takes an op on an output for a reduction, and tells it from
/// an elementwise one by its vectors' shapes, which those of positions are not.
static linalg::LinalgOp readOutputs(RewriterBase &rewriter,
                                    linalg::LinalgOp op) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic || !generic.hasIndexSemantics() ||
      generic.getNumReductionLoops() != 0 || !generic.hasPureTensorSemantics())
    return op;
  SmallVector<Value> inputs(generic.getInputs());
  SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
  Block *body = generic.getBody();
  for (OpOperand &output : generic.getDpsInitsMutable()) {
    BlockArgument updated = generic.getMatchingBlockArgument(&output);
    if (updated.use_empty())
      continue;
    AffineMap map = generic.getMatchingIndexingMap(&output);
    rewriter.replaceAllUsesWith(
        updated, body->insertArgument(inputs.size(), updated.getType(),
                                      updated.getLoc()));
    maps.insert(maps.begin() + inputs.size(), map);
    inputs.push_back(output.get());
  }
  rewriter.setInsertionPoint(generic);
  auto read = linalg::GenericOp::create(
      rewriter, generic.getLoc(), generic.getResultTypes(), inputs,
      generic.getOutputs(), maps, generic.getIteratorTypesArray());
  read->setDiscardableAttrs(generic->getDiscardableAttrDictionary());
  read.getRegion().takeBody(generic.getRegion());
  rewriter.replaceOp(generic, read.getResults());
  return read;
}

/// Vectorises an elementwise register tile of static size.
static void vectorizeTile(RewriterBase &rewriter, linalg::LinalgOp op) {
  if (op.hasDynamicShape() || isOfComplex(op))
    return;
  op = readOutputs(rewriter, op);
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
      if (!hasSchedule(op, Schedule::PackedGemm))
        continue;
      if (failed(vectorizeContract(rewriter, op)))
        return signalPassFailure();
      op = nullptr;
    }
    for (linalg::LinalgOp op : ops) {
      if (!op)
        continue;
      if (op->getNumResults() != 0 && op->use_empty())
        rewriter.eraseOp(op);
      else if ((isa<linalg::FillOp>(op.getOperation()) &&
                hasSchedule(op, Schedule::Vectorize)) ||
               (hasSchedule(op, Schedule::Epilogue) && !isOfWindows(op)))
        vectorizeTile(rewriter, op);
    }
  }
};
} // namespace

} // namespace ein
