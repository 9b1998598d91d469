//===- TileProducts.cpp - Register tiles of products ----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By now a product is register tiles of static size, in each of which one loop
// is left, over k, which carries the tile; a step of it is a `vector.contract`.
// A tile is padded where C ends. It is read and written where C is, though: a
// read out of bounds gives the padding, and a write out of bounds is dropped.
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
// An epilogue of a few additions is well off on the registers that the sums are
// in. A function is not: a tile of 6 by 64 floats is 24 vectors, and a
// hyperbolic tangent of each is some 30 instructions with a dozen constants,
// so nothing stays in registers, and the constants are kept alive round the
// loop over k, where LLVM then has none left for its addresses. So the sums are
// written first, and a loop over the tile's rows reads each from where it was
// just written, computes the function of it, and writes it again. A row is as
// many vectors as a function wants side by side. The loop becomes a function of
// its own later (`ein-outline-kernels`). Sums that come from memory anyway, as
// those of outer products do, have all of their epilogues so. That is a load
// and a store more for each vector, in L1; 140 instructions instead of 800; and
// a branch instead of a select in the blocks of k that are not the last.
//
//===----------------------------------------------------------------------===//

#include "passes/vector/TileProducts.h"
#include "ir/EinDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/ComplexVectors.h"
#include "passes/analysis/Epilogue.h"
#include "passes/analysis/VectorBody.h"
#include "passes/vector/TileVectorizer.h"

using namespace mlir;

namespace ein {

/// The dim of a tile's contraction that is k: m, n, k, and perhaps a group.
static constexpr unsigned kDepthDim = 2;

static bool hasGroups(linalg::LinalgOp op) {
  return op.getNumLoops() > kDepthDim + 1;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Whether the inputs are panels of groups, [k, width, group], of which A may
/// be in place, [m, k, group], or for a matrix unit [k, m, groups, group] and
/// [k, groups, n, group].
static bool canBeGrouped(linalg::LinalgOp op, const TileProduct &product) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
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

/// Whether C is the schedule's tile, and each step has a static part of A and
/// B, in C's type or in groups.
static bool isRegisterTile(linalg::LinalgOp op, const TileProduct &product,
                           const Schedule &schedule) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (ranges.size() <= kDepthDim || ranges[0] != schedule.mr ||
      ranges[1] != schedule.nr)
    return false;
  // Panels extend what is narrower; groups are multiplied as they are.
  Type type = getElementTypeOrSelf(op.getDpsInits()[0].getType());
  bool isOfType = llvm::all_of(op.getDpsInputs(), [&](Value input) {
    return getElementTypeOrSelf(input.getType()) == type;
  });
  if (hasGroups(op) ? !canBeGrouped(op, product) : !isOfType)
    return false;
  ranges[kDepthDim] = 1;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  MLIRContext *context = op.getContext();
  AffineMap tile = AffineMap::get(
      ranges.size(), 0,
      {getAffineDimExpr(0, context), getAffineDimExpr(1, context)}, context);
  return maps[2] == tile && !ShapedType::isDynamicShape(ranges) &&
         maps[0].isFunctionOfDim(kDepthDim) &&
         maps[1].isFunctionOfDim(kDepthDim);
}

LogicalResult checkProduct(linalg::LinalgOp op, const Schedule &schedule) {
  std::optional<TileProduct> product = matchTileProduct(op);
  if (!product)
    return op.emitOpError("is not a contraction, which its schedule is for");
  if (!isRegisterTile(op, *product, schedule))
    return op.emitOpError("is no register tile, of static size and with one "
                          "loop over k");
  return success();
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

namespace {
/// Each step reads a column of A and a row of B, one of k.
class PlainSteps : public ProductSteps {
public:
  PlainSteps(ImplicitLocOpBuilder &b, linalg::LinalgOp op,
             const TileProduct &product)
      : b(b), op(op), kind(product.kind.kind),
        element(getElementTypeOrSelf(op.getDpsInits()[0])),
        partType(getPartType(element)), lhs(getInput(0)), rhs(getInput(1)) {}

  Values start(Value tile) override;
  OpFoldResult getDepth() override {
    return tensor::getMixedSize(b, b.getLoc(), lhs.source, lhs.depthAxis);
  }
  Values multiply(Value k, ValueRange sums) override;
  Value finish(ValueRange sums) override;

private:
  /// An input as the steps read it. A slice that is padded to the tile is read
  /// where it comes from.
  struct Input {
    Value source;
    AffineMap map;
    unsigned depthAxis;
    /// Per axis: what a step reads.
    SmallVector<int64_t> shape;
    /// What has m's role and is broadcast, element by element: its rows.
    Values rows = {};
  };
  Input getInput(unsigned number);
  Values getRows(const Input &input);
  Value readVector(const Input &input, Value k);
  Values readElements(const Input &input, Value k);
  bool isComplex() const { return element != partType; }

  ImplicitLocOpBuilder &b;
  linalg::LinalgOp op;
  vector::CombiningKind kind;
  /// C's numbers, and what vectors of them are made of.
  Type element, partType;
  Input lhs, rhs;
};
} // namespace

PlainSteps::Input PlainSteps::getInput(unsigned number) {
  Input input;
  input.map = op.getIndexingMapsArray()[number];
  input.depthAxis = *input.map.getResultPosition(b.getAffineDimExpr(kDepthDim));
  input.source = op.getDpsInputs()[number];
  input.shape = llvm::to_vector(
      cast<RankedTensorType>(input.source.getType()).getShape());
  input.shape[input.depthAxis] = 1;
  auto pad = input.source.getDefiningOp<tensor::PadOp>();
  bool isPadded = pad && pad.hasZeroLowPad() && pad.getConstantPaddingValue() &&
                  isZeroInteger(pad.getMixedHighPad()[input.depthAxis]);
  if (isPadded)
    input.source = pad.getSource();
  bool isOfRows =
      input.map.isFunctionOfDim(0) && input.map.getNumResults() == 2;
  if (isOfRows && (isComplex() || isPadded || input.depthAxis == 1))
    input.rows = getRows(input);
  return input;
}

/// The rows of a matrix that a tile has. Behind the end of the slice that is
/// its last row again, since nothing is kept of what these rows of the tile
/// become.
PlainSteps::Values PlainSteps::getRows(const Input &input) {
  unsigned axis = 1 - input.depthAxis;
  auto type = cast<RankedTensorType>(input.source.getType());
  Value last;
  if (type.getDimSize(axis) != input.shape[axis]) {
    Value length = getValueOrCreateConstantIndexOp(
        b, b.getLoc(), tensor::getMixedSize(b, b.getLoc(), input.source, axis));
    last =
        arith::SubIOp::create(b, length, arith::ConstantIndexOp::create(b, 1));
  }
  Values rows;
  for (int64_t row = 0; row < input.shape[axis]; ++row) {
    Value index = arith::ConstantIndexOp::create(b, row);
    rows.push_back(last && row > 0 ? arith::MinSIOp::create(b, index, last)
                                   : index);
  }
  return rows;
}

PlainSteps::Values PlainSteps::start(Value tile) {
  if (!isComplex())
    return {tile};
  Value none = arith::ConstantOp::create(b, b.getZeroAttr(tile.getType()));
  return {tile, none};
}

/// A step of k as one vector, zero where the slice ends.
Value PlainSteps::readVector(const Input &input, Value k) {
  Value source = ReinterpretOp::get(b, b.getLoc(), input.source, partType);
  SmallVector<int64_t> shape = input.shape;
  if (isComplex())
    shape.back() *= 2;
  auto type = cast<RankedTensorType>(source.getType());
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Values position(shape.size(), zero);
  position[input.depthAxis] = k;
  SmallVector<bool> inBounds;
  for (auto [axis, extent] : llvm::enumerate(shape))
    inBounds.push_back(axis == input.depthAxis ||
                       type.getDimSize(axis) == extent);
  Value padding = arith::ConstantOp::create(b, b.getZeroAttr(partType));
  return vector::TransferReadOp::create(
      b, VectorType::get(shape, partType), source, position, padding,
      b.getMultiDimIdentityMap(shape.size()), ArrayRef<bool>(inBounds));
}

/// A step of k of a matrix, element by element: that is how they are multiplied
/// by a row of B; of complex numbers first the real parts, then the imaginary
/// ones.
PlainSteps::Values PlainSteps::readElements(const Input &input, Value k) {
  Values elements;
  for (Value row : input.rows) {
    Values position(2, row);
    position[input.depthAxis] = k;
    elements.push_back(tensor::ExtractOp::create(b, input.source, position));
  }
  auto join = [&](ArrayRef<Value> parts) -> Value {
    return vector::FromElementsOp::create(
        b, VectorType::get(input.shape, partType), parts);
  };
  if (!isComplex())
    return {join(elements)};
  Values real, imaginary;
  for (Value number : elements) {
    real.push_back(complex::ReOp::create(b, number));
    imaginary.push_back(complex::ImOp::create(b, number));
  }
  return {join(real), join(imaginary)};
}

PlainSteps::Values PlainSteps::multiply(Value k, ValueRange sums) {
  SmallVector<Attribute> iterators = llvm::map_to_vector(
      op.getIteratorTypesArray(),
      [&](utils::IteratorType iterator) -> Attribute {
        return vector::IteratorTypeAttr::get(
            b.getContext(), iterator == utils::IteratorType::parallel
                                ? vector::IteratorType::parallel
                                : vector::IteratorType::reduction);
      });
  Values lefts =
      lhs.rows.empty() ? Values{readVector(lhs, k)} : readElements(lhs, k);
  Value right = readVector(rhs, k);
  Values results;
  for (auto [left, sum] : llvm::zip_equal(lefts, sums))
    results.push_back(vector::ContractionOp::create(
        b, left, right, sum, b.getAffineMapArrayAttr(op.getIndexingMapsArray()),
        b.getArrayAttr(iterators), kind));
  return results;
}

/// The sums of real parts times B's numbers and of imaginary parts times these:
/// the latter turned by a right angle are added to the former. Row by row, as
/// only vectors of rank 1 are shuffled.
Value PlainSteps::finish(ValueRange sums) {
  if (!isComplex())
    return sums[0];
  auto type = cast<VectorType>(sums[0].getType());
  auto rowType = VectorType::get({type.getDimSize(1)}, partType);
  SmallVector<Attribute> signs;
  for (int64_t lane = 0; lane < type.getDimSize(1); ++lane)
    signs.push_back(b.getFloatAttr(partType, lane % 2 == 0 ? -1 : 1));
  Value sign =
      arith::ConstantOp::create(b, DenseElementsAttr::get(rowType, signs));
  Value result = sums[0];
  for (int64_t row = 0; row < type.getDimSize(0); ++row) {
    Value real = vector::ExtractOp::create(b, sums[0], row);
    Value imaginary = vector::ExtractOp::create(b, sums[1], row);
    Value turned = arith::MulFOp::create(b, swapParts(b, imaginary), sign,
                                         arith::FastMathFlags::contract);
    Value sum =
        arith::AddFOp::create(b, real, turned, arith::FastMathFlags::contract);
    result = vector::InsertOp::create(b, sum, result, row);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// A tile
//===----------------------------------------------------------------------===//

/// The slice of a tile in which the tile ends where what it was padded from
/// does, if nothing else is made of it.
static tensor::ExtractSliceOp getTrimming(Operation *last, Value target) {
  auto pad = target.getDefiningOp<tensor::PadOp>();
  if (!pad || !pad.hasZeroLowPad() || !pad.getConstantPaddingValue() ||
      !last->hasOneUse())
    return {};
  auto slice = dyn_cast<tensor::ExtractSliceOp>(*last->user_begin());
  Value part = pad.getSource();
  if (!slice || slice.getType() != part.getType() || !slice.hasZeroOffset() ||
      !slice.hasUnitStride())
    return {};
  // They have one type, so it is the dynamic sizes that matter; that is a slice
  // itself then, and both have the same value for a size.
  auto source = part.getDefiningOp<tensor::ExtractSliceOp>();
  bool isWhole = slice.getType().hasStaticShape() ||
                 (source && source.getMixedSizes() == slice.getMixedSizes());
  return isWhole ? slice : tensor::ExtractSliceOp();
}

Operation *TileVectorizer::getLast(linalg::LinalgOp op,
                                   const Schedule &schedule) {
  linalg::GenericOp update = getEpilogue(op);
  Operation *last = update ? update.getOperation() : op.getOperation();
  if (schedule.kind == Schedule::PackedGemm)
    if (tensor::ExtractSliceOp slice = getTrimming(last, getStart(op).tensor))
      return slice;
  return last;
}

/// What a tile has of an operand: the vectors of all rows.
Value TileVectorizer::readTile(const Operand &operand) {
  auto type = dyn_cast<RankedTensorType>(operand.source.getType());
  if (!type || type.getRank() == 0)
    return read(operand, SmallVector<int64_t>(places.size(), 0), 0);
  SmallVector<AffineExpr> axes;
  SmallVector<bool> inBounds;
  for (int64_t dim : {schedule.m, schedule.n}) {
    const auto *axis = llvm::find_if(operand.subscripts,
                                     [&](const LinearSubscript &subscript) {
                                       return subscript.coefficients[dim] != 0;
                                     });
    bool isThere = axis != operand.subscripts.end();
    unsigned number = axis - operand.subscripts.begin();
    axes.push_back(isThere ? b.getAffineDimExpr(number)
                           : b.getAffineConstantExpr(0));
    inBounds.push_back(!isThere ||
                       type.getDimSize(number) ==
                           (dim == schedule.m ? schedule.mr : schedule.nr));
  }
  Values indices(type.getRank(), arith::ConstantIndexOp::create(b, 0));
  Value source = toUnits(operand.source, indices);
  VectorType tile =
      getVectorType(type.getElementType(), {schedule.mr, schedule.nr});
  Value padding =
      arith::ConstantOp::create(b, b.getZeroAttr(tile.getElementType()));
  return vector::TransferReadOp::create(
      b, tile, source, indices, padding,
      AffineMap::get(type.getRank(), 0, axes, b.getContext()),
      ArrayRef<bool>(inBounds));
}

Value TileVectorizer::writeTile(Value tile, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Values indices(2, arith::ConstantIndexOp::create(b, 0));
  Value target = toUnits(tensor, indices);
  bool inBounds[] = {type.getDimSize(0) == schedule.mr,
                     type.getDimSize(1) == schedule.nr};
  Value written = vector::TransferWriteOp::create(b, tile, target, indices,
                                                  ArrayRef<bool>(inBounds))
                      .getResult();
  return ReinterpretOp::get(b, b.getLoc(), written, element);
}

/// The tile before the sum. In the first block of those that start from a
/// number, and in all of them if that is everywhere, nothing is read.
Value TileVectorizer::getStartOfTile() {
  if (!number)
    return readTile(output);
  Value splat = createSplat(b, number, {schedule.mr, schedule.nr});
  if (!isFirst)
    return splat;
  auto start = scf::IfOp::create(b, TypeRange(splat.getType()), isFirst,
                                 /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(start.thenBlock());
  scf::YieldOp::create(b, splat);
  b.setInsertionPointToStart(start.elseBlock());
  scf::YieldOp::create(b, readTile(output));
  return start.getResult(0);
}

/// The tensor that a value is a part, or a later state, of.
static Value getRoot(Value value) {
  while (true) {
    if (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>()) {
      value = slice.getSource();
    } else if (auto insert = value.getDefiningOp<tensor::InsertSliceOp>()) {
      value = insert.getDest();
    } else if (auto pad = value.getDefiningOp<tensor::PadOp>()) {
      value = pad.getSource();
    } else if (auto loop = value.getDefiningOp<scf::ForOp>()) {
      value = loop.getTiedLoopInit(cast<OpResult>(value))->get();
    } else if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      OpOperand *init = loop ? loop.getTiedLoopInit(argument) : nullptr;
      if (!init)
        return value;
      value = init->get();
    } else {
      return value;
    }
  }
}

/// Whether the epilogue is computed of rows that have been written. What it
/// reads of the tensor that is written would need a copy.
bool TileVectorizer::isEpilogueOfRows(Value tensor) {
  // The sums of outer products, one group of k at a time, are in no vectors.
  bool areInMemory =
      schedule.hasTiles() &&
      cast<RankedTensorType>(inputs[0].source.getType()).getDimSize(2) == 1;
  bool isApart = hasFormulas(epilogue) || areInMemory;
  bool readsItself = llvm::any_of(epilogueInputs, [&](const Operand &operand) {
    return isa<RankedTensorType>(operand.source.getType()) &&
           getRoot(operand.source) == getRoot(tensor);
  });
  // Vectors of complex numbers have one dim.
  return isa<ComplexType>(element) ||
         (isApart && schedule.mr > 1 && !readsItself);
}

/// The bit of the epilogue that says whether this block of k is the last one,
/// if there is one; in others the sums stay what they are.
static BlockArgument getIsLast(linalg::GenericOp epilogue) {
  Block *body = epilogue.getBody();
  auto select =
      body->getTerminator()->getOperand(0).getDefiningOp<arith::SelectOp>();
  if (!select || select.getFalseValue() != epilogue.getRegionOutputArgs()[0])
    return {};
  auto isLast = dyn_cast<BlockArgument>(select.getCondition());
  return isLast && isLast.getOwner() == body &&
                 !isa<ShapedType>(
                     epilogue.getMatchingOpOperand(isLast)->get().getType())
             ? isLast
             : BlockArgument();
}

/// What the epilogue makes of the rows of C that are in the tile; of none in a
/// block that is not the last.
Value TileVectorizer::applyEpilogueToRows(Value tensor) {
  Value rows = toValue(tensor::getMixedSize(b, b.getLoc(), tensor, 0));
  OpFoldResult width = tensor::getMixedSize(b, b.getLoc(), tensor, 1);
  BlockArgument isLast = getIsLast(epilogue);
  if (isLast)
    rows =
        arith::SelectOp::create(b, epilogue.getMatchingOpOperand(isLast)->get(),
                                rows, arith::ConstantIndexOp::create(b, 0));
  SmallVector<int64_t> digits(places.size(), 0);
  Part part = {{b.getIndexAttr(0), width}, 1, schedule.nr};
  part.isMasked = getConstantIntValue(width) != schedule.nr;
  scf::ForOp loop;
  Value result = createLoop(
      {b.getIndexAttr(0), rows}, 1, tensor,
      [&](Value row, ValueRange carried) -> Values {
        // In the loop: no vector goes to a function.
        setPlaces(schedule.n, part, arith::ConstantIndexOp::create(b, 0));
        places[schedule.m] = {{row, 0}};
        output.source = carried[0];
        Value sum = read(output, digits, 0);
        Value value = applyEpilogue(
            sum, schedule.nr, [&](const Operand &operand) -> Value {
              if (isLast && operand.argument == isLast)
                return arith::ConstantOp::create(b, b.getBoolAttr(true));
              return read(operand, digits, 0);
            });
        return {write(value, carried[0], digits, 0)};
      },
      &loop)[0];
  if (loop)
    loop->setAttr(EinDialect::kEpilogueAttr, b.getUnitAttr());
  return result;
}

Value TileVectorizer::createProduct(Value tensor) {
  Operation *last = epilogue ? epilogue.getOperation() : op.getOperation();
  if (getTrimming(last, tensor)) {
    auto getSource = [](Value tile) {
      auto pad = tile.getDefiningOp<tensor::PadOp>();
      return pad ? pad.getSource() : tile;
    };
    tensor = getSource(tensor);
    // All that the tile has is padded with it.
    for (Operand &operand : epilogueInputs)
      operand.source = getSource(operand.source);
  }
  output.source = tensor;
  Value tile = getStartOfTile();
  TileProduct product = *matchTileProduct(op);
  std::unique_ptr<ProductSteps> steps =
      hasGroups(op) ? createGroupedSteps(b, op, product, schedule)
                    : std::make_unique<PlainSteps>(b, op, product);
  Values starts = steps->start(tile);
  scf::ForOp loop;
  Values sums = createLoop(
      {b.getIndexAttr(0), steps->getDepth()}, 1, starts,
      [&](Value k, ValueRange carried) { return steps->multiply(k, carried); },
      &loop);
  if (loop && schedule.unroll > 1) {
    loop->setAttr(EinDialect::kUnrollAttr,
                  b.getI64IntegerAttr(schedule.unroll));
    loop->setAttr(EinDialect::kLongSumAttr, b.getUnitAttr());
  }
  if (loop && schedule.prefetch)
    loop->setAttr(EinDialect::kPrefetchAttr, b.getUnitAttr());
  if (loop && schedule.prefetchDistance)
    loop->setAttr(
        EinDialect::kPrefetchDistanceAttr,
        b.getDenseI64ArrayAttr({schedule.prefetchDistance, schedule.mr}));
  tile = steps->finish(sums);
  // Where nothing was read, there need be no addresses round the loop.
  if (auto slice = tensor.getDefiningOp<tensor::ExtractSliceOp>())
    tensor = cast<tensor::ExtractSliceOp>(b.clone(*slice));
  if (epilogue && isEpilogueOfRows(tensor))
    return applyEpilogueToRows(writeTile(tile, tensor));
  tile =
      applyEpilogue(tile, {schedule.mr, schedule.nr},
                    [&](const Operand &operand) { return readTile(operand); });
  return writeTile(tile, tensor);
}

} // namespace ein
