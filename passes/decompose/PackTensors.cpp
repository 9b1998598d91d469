//===- PackTensors.cpp - Copy operands to where products are matrices --===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Obeys `Schedule::Gett`, whose reasons are in SelectGett.cpp. A
// contraction of many dims becomes
//
//   copies of whole operands, in another order of dims
//   loops over blocks
//     copies of the operands' blocks, in another order of dims
//     a contraction of fewer dims, of slices
//
// where dims of a group are one. In operands that are read in place, and in C,
// they are collapsed before the loops, so that a slice is one of fewer dims
// whatever the sizes are; in a copy, right after it. The contraction has no
// schedule: it is decided on like any other one.
//
// The buffers are before the loops, those of an op that blocks of rows have
// around it before these as well. Copies that do not change in a loop leave it.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "ir/IndexNames.h"
#include "ir/Signature.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "passes/analysis/Contiguity.h"
#include "passes/analysis/Raising.h"
#include "passes/analysis/WindowAnalysis.h"
#include "passes/decompose/BlockExtent.h"
#include "passes/decompose/GroupSums.h"
#include "passes/decompose/Passes.h"
#include "passes/decompose/RowBuffers.h"
#include "passes/schedule/ScheduledOps.h"
#include <set>

namespace ein {
#define GEN_PASS_DEF_PACKTENSORS
#include "passes/decompose/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

using Dims = SmallVector<int64_t>;

class Gatherer {
public:
  Gatherer(RewriterBase &rewriter, linalg::LinalgOp op, ContractionKind kind,
           Schedule schedule)
      : b(op.getLoc(), rewriter), op(op), kind(kind),
        schedule(std::move(schedule)), groupOf(op.getNumLoops(), -1) {
    for (auto [number, group] : llvm::enumerate(this->schedule.groups))
      for (int64_t dim : group)
        groupOf[dim] = number;
  }

  /// Says on the op what the schedule asks for and the op does not allow.
  LogicalResult check();
  void run(RewriterBase &rewriter, std::set<int64_t> &contiguous);

private:
  /// A tensor each of whose axes is one dim of the op or a group of them.
  struct Part {
    Value tensor;
    SmallVector<Dims> axes;
  };

  Dims getDims(unsigned operand) {
    return llvm::map_to_vector(op.getIndexingMapsArray()[operand].getResults(),
                               [](AffineExpr e) -> int64_t {
                                 return cast<AffineDimExpr>(e).getPosition();
                               });
  }
  bool isCopied(unsigned operand) {
    return operand < 2 && !schedule.order[operand].empty();
  }
  std::optional<SmallVector<Dims>> getAxes(ArrayRef<int64_t> dims);
  static SmallVector<ReassociationIndices>
  getReassociation(ArrayRef<Dims> axes);
  OpFoldResult computeSize(int64_t dim);
  OpFoldResult getSize(int64_t dim) const { return sizes[dim]; }
  OpFoldResult getProduct(ArrayRef<OpFoldResult> factors);
  OpFoldResult getLength(int64_t dim);
  Value createBuffer(ArrayRef<OpFoldResult> sizes);
  Value createMemory(unsigned input);
  Value takeFrom(Value memory, ArrayRef<OpFoldResult> sizes);
  Value join(Value tensor, ArrayRef<Dims> axes);
  Part joinInPlace(Value tensor, unsigned operand,
                   std::set<int64_t> &contiguous);
  Location getCopyLoc(unsigned input);
  Part copyWhole(unsigned input);
  Part copyBlock(unsigned input);
  Value transpose(Value source, ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                  Value buffer);
  /// Where a slice of a part is, and which of its axes it keeps.
  struct Place {
    SmallVector<OpFoldResult> offsets, sizes, ones;
    RankedTensorType type;
    SmallVector<Dims> axes;
    bool isAll = true;
  };
  Place getPlace(const Part &part);
  Part slice(const Part &part, const Place &place);
  Value contract(const Part &left, const Part &right, const Part &c);

  ImplicitLocOpBuilder b;
  linalg::LinalgOp op;
  ContractionKind kind;
  Schedule schedule;
  /// Per dim, the number of its group, or -1.
  SmallVector<int64_t> groupOf;
  /// Per dim, where the block begins; null if it is not tiled.
  SmallVector<Value> begins;
  /// Per dim, its size, known before the loops.
  SmallVector<OpFoldResult> sizes;
  /// Per input, what the copies of blocks are written to.
  std::array<Value, 2> buffers;
  /// The same where the op is in a loop that is not its own.
  std::array<Value, 2> memory;
};

} // namespace

/// `dims` with those of each group together; none if they are not.
std::optional<SmallVector<Dims>> Gatherer::getAxes(ArrayRef<int64_t> dims) {
  SmallVector<Dims> axes;
  for (size_t i = 0; i < dims.size();) {
    Dims axis = {dims[i]};
    if (groupOf[dims[i]] >= 0)
      axis = schedule.groups[groupOf[dims[i]]];
    if (dims.size() - i < axis.size() ||
        !llvm::equal(axis, dims.slice(i, axis.size())))
      return std::nullopt;
    i += axis.size();
    axes.push_back(std::move(axis));
  }
  return axes;
}

SmallVector<ReassociationIndices>
Gatherer::getReassociation(ArrayRef<Dims> axes) {
  SmallVector<ReassociationIndices> reassociation;
  int64_t next = 0;
  for (const Dims &axis : axes) {
    reassociation.emplace_back();
    for (size_t i = 0; i < axis.size(); ++i)
      reassociation.back().push_back(next++);
  }
  return reassociation;
}

LogicalResult Gatherer::check() {
  for (unsigned operand = 0; operand < 3; ++operand) {
    Dims dims = getDims(operand);
    if (isCopied(operand)) {
      Dims sorted = schedule.order[operand], wanted = dims;
      llvm::sort(sorted);
      llvm::sort(wanted);
      if (sorted != wanted)
        return op.emitOpError("has a schedule that copies operand #")
               << operand << " in an order of other dims than it has";
      dims = schedule.order[operand];
    }
    if (!getAxes(dims))
      return op.emitOpError("has a schedule that joins dims which operand #")
             << operand << " does not have together";
    // The copy's block is in memory as if it were all there is.
    if (isCopied(operand) && !schedule.whole[operand])
      for (auto [dim, extent] : llvm::enumerate(op.getStaticLoopRanges()))
        if (schedule.tile[dim] > 1 && ShapedType::isDynamic(extent))
          return op.emitOpError(
                     "has a schedule that copies blocks of operand #")
                 << operand << ", and d" << dim
                 << " of dynamic size has a tile";
  }
  return success();
}

OpFoldResult Gatherer::computeSize(int64_t dim) {
  int64_t extent = op.getStaticLoopRanges()[dim];
  if (!ShapedType::isDynamic(extent))
    return b.getIndexAttr(extent);
  AffineExpr expr = b.getAffineDimExpr(dim);
  for (OpOperand &operand : op->getOpOperands())
    if (auto axis =
            op.getMatchingIndexingMap(&operand).getResultPosition(expr)) {
      // Not of a fill that goes.
      Value value = operand.get();
      if (auto fill = value.getDefiningOp<linalg::FillOp>())
        value = fill.getOutputs()[0];
      return tensor::getMixedSize(b, b.getLoc(), value, *axis);
    }
  llvm_unreachable("a loop that no operand has");
}

OpFoldResult Gatherer::getProduct(ArrayRef<OpFoldResult> factors) {
  AffineExpr product = b.getAffineConstantExpr(1);
  for (size_t i = 0; i < factors.size(); ++i)
    product = product * b.getAffineSymbolExpr(i);
  return affine::makeComposedFoldedAffineApply(
      b, b.getLoc(), AffineMap::get(0, factors.size(), product), factors);
}

/// How much of `dim` the block has.
OpFoldResult Gatherer::getLength(int64_t dim) {
  OpFoldResult size = getSize(dim);
  if (!begins[dim])
    return size;
  int64_t tile = schedule.tile[dim];
  std::optional<int64_t> known = getConstantIntValue(size);
  if (tile == 1 || (known && *known % tile == 0))
    return b.getIndexAttr(tile);
  return getBlockLength(b, tile, begins[dim], size);
}

/// An empty tensor. CSE makes one of two of one type, and bufferization then
/// allocates for each block; so two that are alike differ by a row that is not
/// used.
Value Gatherer::createBuffer(ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> actual(sizes);
  Type element = getElementTypeOrSelf(op.getDpsInits()[0].getType());
  auto grow = [&]() {
    actual.front() = affine::makeComposedFoldedAffineApply(
        b, b.getLoc(), b.getAffineDimExpr(0) + 1, {actual.front()});
  };
  for (Value other : buffers) {
    if (!other)
      continue;
    auto empty = other.getDefiningOp<tensor::EmptyOp>();
    if (empty.getMixedSizes() == actual)
      grow();
  }
  return tensor::EmptyOp::create(b, actual, element);
}

/// Memory for a copy of an input's block, of one axis, before all loops that
/// the op is in. What is a slice of a dim in these counts as all of it.
Value Gatherer::createMemory(unsigned input) {
  SmallVector<OpFoldResult> most;
  for (auto [axis, dim] : llvm::enumerate(getDims(input))) {
    if (schedule.whole[input] || schedule.tile[dim] == 0)
      most.push_back(getCapacity(b, op->getOperand(input), axis));
    else
      most.push_back(b.getIndexAttr(schedule.tile[dim]));
  }
  return ein::createBuffer(
      b, getElementTypeOrSelf(op->getOperand(input).getType()),
      {getProduct(most)}, /*conflictBytes=*/0);
}

/// The first elements of `memory`, as a tensor of these sizes, without gaps.
Value Gatherer::takeFrom(Value memory, ArrayRef<OpFoldResult> sizes) {
  SmallVector<int64_t> shape;
  for (OpFoldResult size : sizes)
    shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
  Value taken = tensor::ExtractSliceOp::create(
      b, memory, ArrayRef<OpFoldResult>(b.getIndexAttr(0)), getProduct(sizes),
      ArrayRef<OpFoldResult>(b.getIndexAttr(1)));
  ReassociationIndices all =
      llvm::to_vector(llvm::seq<int64_t>(0, sizes.size()));
  return tensor::ExpandShapeOp::create(
      b,
      RankedTensorType::get(
          shape, cast<ShapedType>(memory.getType()).getElementType()),
      taken, SmallVector<ReassociationIndices>{all}, sizes);
}

Value Gatherer::join(Value tensor, ArrayRef<Dims> axes) {
  SmallVector<ReassociationIndices> reassociation = getReassociation(axes);
  if (reassociation.size() ==
      size_t(cast<RankedTensorType>(tensor.getType()).getRank()))
    return tensor;
  auto empty = tensor.getDefiningOp<tensor::EmptyOp>();
  // Both sides of a branch write to one tensor, whose sizes are known.
  if (!empty || empty->getBlock() != op->getBlock())
    return b.createOrFold<tensor::CollapseShapeOp>(tensor, reassociation);
  SmallVector<OpFoldResult> sizes;
  for (const ReassociationIndices &parts : reassociation)
    sizes.push_back(getProduct(llvm::map_to_vector(
        parts, [&](int64_t axis) { return empty.getMixedSizes()[axis]; })));
  return tensor::EmptyOp::create(b, sizes, empty.getType().getElementType());
}

/// An operand with its groups joined. The arguments that it is made of have to
/// be contiguous then; and where a slice is without the last dim, as that has
/// one element, so that what is last then lies side by side.
Gatherer::Part Gatherer::joinInPlace(Value tensor, unsigned operand,
                                     std::set<int64_t> &contiguous) {
  Dims dims = getDims(operand);
  SmallVector<Dims> axes = *getAxes(dims);
  bool losesLast = !dims.empty() && schedule.tile[dims.back()] == 1 &&
                   op.getStaticLoopRanges()[dims.back()] == 1;
  if (axes.size() == dims.size() && !losesLast)
    return {tensor, axes};
  SmallVector<BlockArgument> arguments;
  (void)isContiguous(tensor, arguments);
  for (BlockArgument argument : arguments)
    if (cast<RankedTensorType>(argument.getType()).getRank() > 1)
      contiguous.insert(argument.getArgNumber());
  return {join(tensor, axes), axes};
}

/// `source`, whose axes are `from`, written to `buffer` with axes `to`.
Value Gatherer::transpose(Value source, ArrayRef<int64_t> from,
                          ArrayRef<int64_t> to, Value buffer) {
  SmallVector<int64_t> permutation = llvm::map_to_vector(to, [&](int64_t dim) {
    return int64_t(llvm::find(from, dim) - from.begin());
  });
  // One block of a longer operand, in its own order. Upstream takes a copy for
  // what it is a copy of, unless it is said to be for the place that it is in.
  if (isIdentityPermutation(permutation))
    return bufferization::MaterializeInDestinationOp::create(b, source, buffer)
        .getResult();
  auto copy = linalg::TransposeOp::create(
      b,
      withTensorName(selectIndexNames(op.getLoc(), SmallVector<unsigned>(
                                                       to.begin(), to.end())),
                     getTensorName(source)),
      source, buffer, permutation);
  Schedule transposed;
  transposed.kind = Schedule::Transpose;
  transposed.lanes = schedule.lanes;
  copy->setAttr(EinDialect::kScheduleAttr, transposed.toAttr(b.getContext()));
  return copy->getResult(0);
}

/// Of memory for a copy of an input.
Location Gatherer::getCopyLoc(unsigned input) {
  return withTensorName(op.getLoc(),
                        "copy of " + getTensorName(op->getOperand(input)));
}

/// All of an input, copied; with all of its axes, of which the blocks are
/// slices.
Gatherer::Part Gatherer::copyWhole(unsigned input) {
  ArrayRef<int64_t> order = schedule.order[input];
  SmallVector<OpFoldResult> sizes =
      llvm::map_to_vector(order, [&](int64_t dim) { return getSize(dim); });
  Value buffer =
      memory[input]
          ? takeFrom(memory[input], sizes)
          : tensor::EmptyOp::create(
                b, getCopyLoc(input), sizes,
                getElementTypeOrSelf(op->getOperand(input).getType()));
  Value copy = transpose(op->getOperand(input), getDims(input), order, buffer);
  SmallVector<Dims> axes = *getAxes(order);
  return {join(copy, axes), axes};
}

/// The block of an input, copied; without the dims of which it has one element.
Gatherer::Part Gatherer::copyBlock(unsigned input) {
  Part all = {op->getOperand(input), {}};
  for (int64_t dim : getDims(input))
    all.axes.push_back({dim});
  Place place = getPlace(all);
  Value source = all.tensor;
  if (!place.isAll)
    source = tensor::ExtractSliceOp::create(
        b, place.type, source, place.offsets, place.sizes, place.ones);
  Dims from, to;
  for (const Dims &axis : place.axes)
    from.push_back(axis.front());
  SmallVector<OpFoldResult> lengths;
  for (int64_t dim : schedule.order[input])
    if (llvm::is_contained(from, dim)) {
      to.push_back(dim);
      lengths.push_back(getLength(dim));
    }
  // All of the buffer, if it is as large as the block: what is collapsed has to
  // be seen to have no gaps, which a slice of dynamic size is not.
  Value buffer =
      memory[input] ? takeFrom(memory[input], lengths) : buffers[input];
  auto empty = buffer.getDefiningOp<tensor::EmptyOp>();
  if (empty && empty.getMixedSizes() != lengths) {
    SmallVector<OpFoldResult> zeros(to.size(), b.getIndexAttr(0));
    SmallVector<OpFoldResult> ones(to.size(), b.getIndexAttr(1));
    buffer = tensor::ExtractSliceOp::create(b, buffer, zeros, lengths, ones);
  }
  SmallVector<Dims> axes = *getAxes(to);
  return {join(transpose(source, from, to, buffer), axes), axes};
}

Gatherer::Place Gatherer::getPlace(const Part &part) {
  Place place;
  SmallVector<int64_t> shape;
  auto type = cast<RankedTensorType>(part.tensor.getType());
  for (auto [number, axis] : llvm::enumerate(part.axes)) {
    int64_t lead = axis.front();
    place.ones.push_back(b.getIndexAttr(1));
    if (!begins[lead]) {
      place.offsets.push_back(b.getIndexAttr(0));
      place.sizes.push_back(
          tensor::getMixedSize(b, b.getLoc(), part.tensor, number));
      place.axes.push_back(axis);
      shape.push_back(type.getDimSize(number));
      continue;
    }
    place.isAll = false;
    SmallVector<OpFoldResult> offset = {begins[lead]}, size = {getLength(lead)};
    for (int64_t dim : ArrayRef(axis).drop_front()) {
      offset.push_back(getSize(dim));
      size.push_back(getSize(dim));
    }
    place.offsets.push_back(getProduct(offset));
    place.sizes.push_back(getProduct(size));
    if (schedule.tile[lead] == 1)
      continue;
    place.axes.push_back(axis);
    shape.push_back(
        getConstantIntValue(place.sizes.back()).value_or(ShapedType::kDynamic));
  }
  place.type = RankedTensorType::get(shape, type.getElementType());
  return place;
}

Gatherer::Part Gatherer::slice(const Part &part, const Place &place) {
  if (place.isAll)
    return part;
  return {tensor::ExtractSliceOp::create(b, place.type, part.tensor,
                                         place.offsets, place.sizes,
                                         place.ones),
          place.axes};
}

/// The contraction of two blocks, whose dims are the axes that they have.
Value Gatherer::contract(const Part &left, const Part &right, const Part &c) {
  SmallVector<SmallVector<unsigned>> names;
  Dims newDims(op.getNumLoops(), -1);
  for (int64_t dim = 0, e = op.getNumLoops(); dim < e; ++dim)
    for (const Part *part : {&left, &right, &c})
      for (const Dims &axis : part->axes) {
        if (axis.front() != dim || newDims[dim] >= 0)
          continue;
        newDims[dim] = names.size();
        names.emplace_back(axis.begin(), axis.end());
      }
  auto getMap = [&](const Part &part) {
    SmallVector<AffineExpr> exprs =
        llvm::map_to_vector(part.axes, [&](const Dims &axis) -> AffineExpr {
          return b.getAffineDimExpr(newDims[axis.front()]);
        });
    return AffineMap::get(names.size(), 0, exprs, b.getContext());
  };
  AffineMap maps[] = {getMap(left), getMap(right), getMap(c)};
  linalg::LinalgOp contraction = createContraction(
      b, joinIndexNames(op.getLoc(), names), kind, c.tensor.getType(),
      ValueRange{left.tensor, right.tensor}, c.tensor, maps);
  copyDiscardableAttrs(op, contraction);
  contraction->removeAttr(EinDialect::kScheduleAttr);
  contraction->setAttr(EinDialect::kPackedTensorsAttr, b.getUnitAttr());
  return contraction->getResult(0);
}

void Gatherer::run(RewriterBase &rewriter, std::set<int64_t> &contiguous) {
  b.setInsertionPoint(op);
  begins.assign(op.getNumLoops(), Value());
  for (int64_t dim = 0, e = op.getNumLoops(); dim < e; ++dim)
    sizes.push_back(computeSize(dim));
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Dims loopDims, order = schedule.interchange;
  if (order.empty())
    order = llvm::to_vector(llvm::seq<int64_t>(0, op.getNumLoops()));
  for (int64_t dim : order)
    if (schedule.tile[dim] > 0) {
      if (op.getStaticLoopRanges()[dim] == 1)
        begins[dim] = zero;
      else
        loopDims.push_back(dim);
    }
  auto isSum = [&](int64_t dim) {
    return !op.getIndexingMapsArray()[2].isFunctionOfDim(dim);
  };

  // A fill of each block, not of all of C before the loops: a sum that starts
  // from a fill does so in registers.
  Value init = op.getDpsInits()[0];
  auto fill = init.getDefiningOp<linalg::FillOp>();
  if (fill && (!fill->hasOneUse() || llvm::any_of(loopDims, isSum)))
    fill = {};
  Part c = joinInPlace(fill ? fill.getOutputs()[0] : init, 2, contiguous);

  bool isInLoop = op->getParentOfType<scf::ForOp>() != nullptr;
  std::array<Part, 2> inputs;
  for (unsigned input = 0; input < 2; ++input) {
    if (isCopied(input) && isInLoop) {
      Location loc = b.getLoc();
      b.setLoc(getCopyLoc(input));
      memory[input] = createMemory(input);
      b.setLoc(loc);
    }
    if (!isCopied(input))
      inputs[input] = joinInPlace(op->getOperand(input), input, contiguous);
    else if (schedule.whole[input])
      inputs[input] = copyWhole(input);
    else if (!isInLoop) {
      SmallVector<OpFoldResult> lengths;
      for (int64_t dim : schedule.order[input])
        if (schedule.tile[dim] != 1)
          lengths.push_back(schedule.tile[dim] ? OpFoldResult(b.getIndexAttr(
                                                     schedule.tile[dim]))
                                               : getSize(dim));
      Location loc = b.getLoc();
      b.setLoc(getCopyLoc(input));
      buffers[input] = createBuffer(lengths);
      b.setLoc(loc);
    }
  }

  SmallVector<scf::ForOp> loops;
  Value carried = c.tensor;
  for (int64_t dim : loopDims) {
    Value end = getValueOrCreateConstantIndexOp(b, b.getLoc(), getSize(dim));
    Value step = arith::ConstantIndexOp::create(b, schedule.tile[dim]);
    auto loop = scf::ForOp::create(b, zero, end, step, ValueRange{carried});
    loop->setLoc(selectIndexNames(op.getLoc(), unsigned(dim)));
    if (!loops.empty())
      scf::YieldOp::create(b, loop.getResults());
    loops.push_back(loop);
    begins[dim] = loop.getInductionVar();
    carried = loop.getRegionIterArg(0);
    b.setInsertionPointToStart(loop.getBody());
  }
  Part all = {carried, c.axes};
  for (unsigned input = 0; input < 2; ++input)
    inputs[input] = isCopied(input) && !schedule.whole[input]
                        ? copyBlock(input)
                        : slice(inputs[input], getPlace(inputs[input]));
  Place place = getPlace(all);
  Part block = slice(all, place);
  if (fill)
    block.tensor =
        linalg::FillOp::create(b, fill.getLoc(), fill.getInputs(), block.tensor)
            .getResult(0);
  Value result = contract(inputs[0], inputs[1], block);
  if (!place.isAll)
    result = tensor::InsertSliceOp::create(b, result, carried, place.offsets,
                                           place.sizes, place.ones);
  if (!loops.empty()) {
    scf::YieldOp::create(b, result);
    result = loops.front().getResult(0);
    b.setInsertionPointAfter(loops.front());
  }
  if (c.axes.size() != getDims(2).size()) {
    SmallVector<OpFoldResult> sizes = llvm::map_to_vector(
        getDims(2), [&](int64_t dim) { return getSize(dim); });
    result = tensor::ExpandShapeOp::create(b, init.getType(), result,
                                           getReassociation(c.axes), sizes);
  }
  rewriter.replaceOp(op, result);
  if (fill)
    rewriter.eraseOp(fill);
  for (scf::ForOp loop : llvm::reverse(loops))
    moveLoopInvariantCode(loop);
}

/// The sum of copies in place of `op`. What updates its result may be computed
/// in its tiles, and is decided on again.
static void copyForSum(RewriterBase &rewriter, linalg::LinalgOp op,
                       const Schedule &schedule) {
  rewriter.setInsertionPoint(op);
  linalg::GenericOp sum = createCopiedSum(rewriter, op, schedule).sum;
  copyDiscardableAttrs(op, sum);
  sum->removeAttr(EinDialect::kScheduleAttr);
  for (OpOperand &use : op->getUses())
    if (auto update = dyn_cast<linalg::GenericOp>(use.getOwner());
        update && update.isDpsInit(&use) &&
        hasSchedule(update, Schedule::Vectorize))
      update->removeAttr(EinDialect::kScheduleAttr);
  rewriter.replaceOp(op, sum);
}

namespace {
struct PackTensorsPass : impl::PackTensorsBase<PackTensorsPass> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    IRRewriter rewriter(&getContext());
    std::set<int64_t> contiguous;
    if (auto known = function->getAttrOfType<DenseI64ArrayAttr>(
            EinDialect::kContiguousAttr))
      contiguous.insert(known.asArrayRef().begin(), known.asArrayRef().end());
    for (auto op :
         collectWithSchedule<linalg::LinalgOp>(function, Schedule::Gett)) {
      FailureOr<Schedule> schedule = Schedule::fromOp(op, op.getNumLoops());
      if (failed(schedule))
        return signalPassFailure();
      if (schedule->kPack > 1 || getWindowedInput(op)) {
        if (failed(checkCopiedSum(op, *schedule)))
          return signalPassFailure();
        copyForSum(rewriter, op, *schedule);
        continue;
      }
      std::optional<ContractionKind> kind = getContractionKind(op);
      if (!kind) {
        op.emitOpError("is not a contraction, which its schedule is for");
        return signalPassFailure();
      }
      Gatherer gatherer(rewriter, op, *kind, *schedule);
      if (failed(gatherer.check()))
        return signalPassFailure();
      gatherer.run(rewriter, contiguous);
    }
    if (!contiguous.empty())
      function->setAttr(EinDialect::kContiguousAttr,
                        rewriter.getDenseI64ArrayAttr(SmallVector<int64_t>(
                            contiguous.begin(), contiguous.end())));
  }
};
} // namespace

} // namespace ein
