//===- SplitSums.cpp - A long reduction in parts --------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A dot product, or a product of few rows and columns, has nothing but its sum
// for threads to share. So k is cut into parts, which are summed each to a C of
// its own, and these are summed: a tree of two levels. How many parts depends
// on k alone and not on the number of threads, and so do the bits of the
// result.
//
// k = parts * length + rest, where length is one number. So the parts are a
// view of the operands with one more dim, and their sums a contraction like any
// other, with a batch dim; the rest, fewer than parts * kAligned steps, is
// another. Uneven parts, as upstream's `tileReductionUsingForall` makes them,
// would be loops round slices of dynamic size, which no schedule could be
// chosen for; its `splitReduction` asks for a k that the number of parts
// divides.
//
// A sum of parts starts from what changes nothing: -0.0 for floats, as 0.0
// would turn a sum of negative zeros round.
//
//===----------------------------------------------------------------------===//

#include "abi/CacheLine.h"
#include "ir/EinDialect.h"
#include "ir/IndexNames.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/Combiner.h"
#include "passes/analysis/Decline.h"
#include "passes/analysis/Raising.h"
#include "passes/analysis/SumParts.h"
#include "passes/decompose/Passes.h"
#include "passes/schedule/ScheduledOps.h"

namespace ein {
#define GEN_PASS_DEF_SPLITSUMS
#include "passes/decompose/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

namespace {

/// Cuts dim `k` of one op.
class Splitter {
public:
  Splitter(RewriterBase &rewriter, linalg::LinalgOp op,
           const Schedule &schedule, Operation *combiner)
      : b(op.getLoc(), rewriter), op(op), k(schedule.k), combiner(combiner) {
    setLengths(schedule);
  }

  void run(RewriterBase &rewriter);

private:
  void setLengths(const Schedule &schedule);
  OpFoldResult multiply(OpFoldResult first, OpFoldResult second);
  /// What is left of an input between two values of k.
  Value slice(Value input, AffineMap map, OpFoldResult from, OpFoldResult size);
  /// The parts of an input, along a dim before that of k.
  Value expand(Value input, AffineMap map);
  AffineMap addPart(AffineMap map);
  linalg::LinalgOp createLike(ValueRange inputs, Value init,
                              ArrayRef<AffineMap> maps,
                              ArrayRef<utils::IteratorType> iterators,
                              ArrayRef<std::string> names);
  Value reduceParts();
  Value combine(Value parts, Value init);

  /// Parts begin on cache lines if the whole does, of f32 and wider.
  static constexpr int64_t kAligned = getElementsPerLine(32);

  ImplicitLocOpBuilder b;
  linalg::LinalgOp op;
  int64_t k;
  Operation *combiner;
  OpFoldResult extent, parts, length, covered;
};

} // namespace

void Splitter::setLengths(const Schedule &schedule) {
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (std::optional<unsigned> axis =
            map.getResultPosition(b.getAffineDimExpr(k)))
      extent = tensor::getMixedSize(b, b.getLoc(), input->get(), *axis);
  }
  int64_t unit = std::min(kAligned, schedule.grain);
  if (std::optional<int64_t> size = getConstantIntValue(extent)) {
    int64_t number =
        std::clamp<int64_t>(*size / schedule.grain, 1, schedule.parts);
    int64_t each = *size / number / unit * unit;
    parts = b.getIndexAttr(number);
    length = b.getIndexAttr(each);
    covered = b.getIndexAttr(number * each);
    return;
  }
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  Value size = cast<Value>(extent);
  Value number = arith::DivUIOp::create(b, size, constant(schedule.grain));
  number = arith::MaxUIOp::create(b, number, constant(1));
  number = arith::MinUIOp::create(b, number, constant(schedule.parts));
  Value units = arith::DivUIOp::create(b, size, number);
  units = arith::DivUIOp::create(b, units, constant(unit));
  Value each = arith::MulIOp::create(b, units, constant(unit));
  parts = number;
  length = each;
  covered = arith::MulIOp::create(b, number, each).getResult();
}

Value Splitter::slice(Value input, AffineMap map, OpFoldResult from,
                      OpFoldResult size) {
  std::optional<unsigned> axis = map.getResultPosition(b.getAffineDimExpr(k));
  if (!axis)
    return input;
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, b.getLoc(), input);
  SmallVector<OpFoldResult> offsets(sizes.size(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(sizes.size(), b.getIndexAttr(1));
  offsets[*axis] = from;
  sizes[*axis] = size;
  return tensor::ExtractSliceOp::create(b, input, offsets, sizes, ones);
}

Value Splitter::expand(Value input, AffineMap map) {
  std::optional<unsigned> axis = map.getResultPosition(b.getAffineDimExpr(k));
  if (!axis)
    return input;
  Value part = slice(input, map, b.getIndexAttr(0), covered);
  auto type = cast<RankedTensorType>(part.getType());
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, b.getLoc(), part);
  sizes[*axis] = parts;
  sizes.insert(sizes.begin() + *axis + 1, length);
  SmallVector<ReassociationIndices> groups;
  int64_t next = 0;
  for (int64_t i = 0, e = type.getRank(); i < e; ++i) {
    groups.push_back({next++});
    if (i == *axis)
      groups.back().push_back(next++);
  }
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  dispatchIndexOpFoldResults(sizes, dynamic, shape);
  return tensor::ExpandShapeOp::create(b, type.clone(shape), part, groups,
                                       sizes);
}

/// The part is the first of the dims, as what stays loops keeps their order,
/// and comes before k where that is.
AffineMap Splitter::addPart(AffineMap map) {
  AffineMap shifted = map.shiftDims(1);
  SmallVector<AffineExpr> exprs;
  for (AffineExpr expr : shifted.getResults()) {
    if (expr == b.getAffineDimExpr(k + 1))
      exprs.push_back(b.getAffineDimExpr(0));
    exprs.push_back(expr);
  }
  return AffineMap::get(shifted.getNumDims(), 0, exprs, b.getContext());
}

linalg::LinalgOp Splitter::createLike(ValueRange inputs, Value init,
                                      ArrayRef<AffineMap> maps,
                                      ArrayRef<utils::IteratorType> iterators,
                                      ArrayRef<std::string> names) {
  Location loc = withIndexNames(op.getLoc(), names);
  Type type = init.getType();
  if (auto contract = dyn_cast<linalg::ContractOp>(op.getOperation()))
    return createContraction(b, loc,
                             {vector::CombiningKind::ADD, contract.getCast()},
                             type, inputs, init, maps);
  auto created =
      linalg::GenericOp::create(b, loc, type, inputs, init, maps, iterators);
  IRMapping mapping;
  op->getRegion(0).cloneInto(&created.getRegion(), mapping);
  return created;
}

Value Splitter::reduceParts() {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<Value> inputs;
  for (auto [input, map] : llvm::zip(op.getDpsInputs(), maps))
    inputs.push_back(expand(input, map));
  Value init = op.getDpsInits()[0];
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, b.getLoc(), init);
  sizes.insert(sizes.begin(), parts);
  Value neutral = createNeutral(b, combiner);
  b.setLoc(withTensorName(op.getLoc(),
                          "parts of " + getTensorName(op.getLoc()).str()));
  Value empty =
      tensor::EmptyOp::create(b, sizes, getElementTypeOrSelf(init.getType()));
  b.setLoc(op.getLoc());
  Value start = linalg::FillOp::create(b, neutral, empty).getResult(0);

  for (AffineMap &map : maps)
    map = addPart(map);
  maps.back() = maps.back().insertResult(b.getAffineDimExpr(0), 0);
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  iterators.insert(iterators.begin(), utils::IteratorType::parallel);
  SmallVector<std::string> names = getIndexNames(op.getLoc(), op.getNumLoops());
  names.insert(names.begin(), "part");
  return createLike(inputs, start, maps, iterators, names)->getResult(0);
}

/// The parts, in their order. They are the outermost loop, so that the inner
/// ones run along memory.
Value Splitter::combine(Value parts, Value init) {
  int64_t rank = cast<RankedTensorType>(init.getType()).getRank();
  AffineMap all = b.getMultiDimIdentityMap(rank + 1);
  SmallVector<utils::IteratorType> iterators(rank + 1,
                                             utils::IteratorType::parallel);
  iterators.front() = utils::IteratorType::reduction;
  auto combined = linalg::GenericOp::create(
      b, init.getType(), parts, init,
      ArrayRef<AffineMap>{all, all.dropResult(0)}, iterators,
      [&](OpBuilder &inner, Location loc, ValueRange arguments) {
        Value part = arguments[0], sum = arguments[1];
        BlockArgument accumulator = op.getRegionOutputArgs()[0];
        IRMapping mapping;
        for (Value operand : combiner->getOperands())
          mapping.map(operand, operand == accumulator ? sum : part);
        Operation *both = inner.clone(*combiner, mapping);
        auto flags =
            arith::FastMathFlags::reassoc | arith::FastMathFlags::contract;
        if (isa<linalg::ContractOp>(op.getOperation())) {
          if (auto floats = dyn_cast<arith::AddFOp>(both))
            floats.setFastmath(flags);
          if (auto complexes = dyn_cast<complex::AddOp>(both))
            complexes.setFastmath(flags);
        }
        linalg::YieldOp::create(inner, loc, both->getResult(0));
      });
  // Too little for threads, whatever the sizes.
  combined->setAttr(EinDialect::kScheduleAttr,
                    Schedule().toAttr(b.getContext()));
  return combined.getResult(0);
}

void Splitter::run(RewriterBase &rewriter) {
  Value sum = combine(reduceParts(), op.getDpsInits()[0]);
  std::optional<int64_t> end = getConstantIntValue(covered);
  if (!end || end != getConstantIntValue(extent)) {
    OpFoldResult rest;
    if (end)
      rest = b.getIndexAttr(*getConstantIntValue(extent) - *end);
    else
      rest = arith::SubIOp::create(b, cast<Value>(extent), cast<Value>(covered))
                 .getResult();
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    SmallVector<Value> inputs;
    for (auto [input, map] : llvm::zip(op.getDpsInputs(), maps))
      inputs.push_back(slice(input, map, covered, rest));
    SmallVector<std::string> names =
        getIndexNames(op.getLoc(), op.getNumLoops());
    names[k] += "'s rest";
    sum = createLike(inputs, sum, maps, op.getIteratorTypesArray(), names)
              ->getResult(0);
  }
  rewriter.replaceOp(op, sum);
}

namespace {
struct SplitSumsPass : impl::SplitSumsBase<SplitSumsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (auto op : collectWithSchedule<linalg::LinalgOp>(getOperation(),
                                                         Schedule::SplitSum)) {
      FailureOr<Schedule> schedule = Schedule::fromOp(op, op.getNumLoops());
      if (failed(schedule))
        return signalPassFailure();
      auto onDecline = emitDeclined(op, "cannot be split");
      FailureOr<SplitInfo> info = matchSplit(op, onDecline);
      if (succeeded(info) && info->output.isFunctionOfDim(schedule->k))
        info = decline(onDecline, "it does not reduce that dim");
      if (failed(info))
        return signalPassFailure();
      rewriter.setInsertionPoint(op);
      Splitter(rewriter, op, *schedule, info->combiner).run(rewriter);
    }
  }
};
} // namespace

} // namespace ein
