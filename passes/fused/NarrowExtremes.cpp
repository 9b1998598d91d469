//===- NarrowExtremes.cpp - Maxima before conversions ---------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a statement on bytes computes in words, and so their maximum is one
// of a quarter of the lanes, with a conversion for each of them. That some or
// all are true is asked of bits, for which the result is compared with zero at
// each step, as it might be anything at first.
//
// Choice: a conversion that keeps the order comes after the maximum as well as
// before. So the reduction is of what is converted, from what changes nothing
// on, and its result is converted and combined with what the first one started
// from. That one of some numbers is not zero is whether their unsigned maximum
// is not. Other bits are what a comparison of vectors gives, all ones or all
// zeros as wide as what is compared: bytes would have to be put together.
//
// Whether a number is the maximum, which says where that is, is asked of the
// narrow numbers as well.
//
// Consequence: where nothing is reduced, the conversion of what changed no
// narrow number may change a wide one. The result then is what it was before.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "ir/IndexNames.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/Combiner.h"
#include "passes/analysis/DimRoles.h"
#include "passes/analysis/ElementBytes.h"
#include "passes/analysis/Reductions.h"
#include "passes/analysis/VectorBody.h"
#include "passes/fused/Passes.h"

namespace ein {
#define GEN_PASS_DEF_NARROWEXTREMES
#include "passes/fused/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

/// A reduction of a body's value `narrow` by `kind`.
struct NarrowExtreme {
  linalg::GenericOp op;
  Value narrow;
  arith::AtomicRMWKind kind;
  /// What is made of it, and combined with the accumulator by `rest`, ops of
  /// the body in their order.
  Value converted;
  SmallVector<Operation *> rest;
  /// Whether what changes no narrow number changes no converted one.
  bool isNeutralKept = true;
};

} // namespace

/// The kind of a maximum or minimum of numbers before their extension.
static std::optional<arith::AtomicRMWKind> getKind(Operation *combiner,
                                                   Operation *extension) {
  using Kind = arith::AtomicRMWKind;
  bool isUnsigned = isa<arith::ExtUIOp>(extension);
  if (!isUnsigned && !isa<arith::ExtSIOp, arith::ExtFOp>(extension))
    return std::nullopt;
  if (isa<arith::MaximumFOp>(combiner))
    return Kind::maximumf;
  if (isa<arith::MinimumFOp>(combiner))
    return Kind::minimumf;
  // Extended by zeros, numbers are as large with a sign as without.
  if (isa<arith::MaxSIOp>(combiner))
    return isUnsigned ? Kind::maxu : Kind::maxs;
  if (isa<arith::MinSIOp>(combiner))
    return isUnsigned ? Kind::minu : Kind::mins;
  // Extended by signs, those that have one stay the larger ones.
  if (isa<arith::MaxUIOp>(combiner))
    return Kind::maxu;
  if (isa<arith::MinUIOp>(combiner))
    return Kind::minu;
  return std::nullopt;
}

/// max(acc, ext(x)).
static std::optional<NarrowExtreme> matchExtended(linalg::GenericOp op) {
  Operation *combiner = getCombiner(op);
  Value converted = combiner ? getCombined(op, combiner) : Value();
  Operation *extension = converted ? converted.getDefiningOp() : nullptr;
  if (!extension || extension->getBlock() != op.getBody() ||
      extension->getNumOperands() != 1)
    return std::nullopt;
  Type narrow = extension->getOperand(0).getType();
  std::optional<arith::AtomicRMWKind> kind = getKind(combiner, extension);
  if (!kind || !narrow.isIntOrFloat() ||
      narrow.getIntOrFloatBitWidth() % 8 != 0)
    return std::nullopt;
  // The least of unsigned numbers is the least of those that are extended.
  bool isKept =
      isa<FloatType>(narrow) ||
      (*kind == arith::AtomicRMWKind::maxu && isa<arith::MaxUIOp>(combiner));
  return NarrowExtreme{
      op, extension->getOperand(0), *kind, converted, {combiner}, isKept};
}

static bool isNotZero(arith::CmpIOp op) {
  return op && op.getPredicate() == arith::CmpIPredicate::ne &&
         matchPattern(op.getRhs(), m_Zero());
}

/// ext(acc != 0 || x).
static std::optional<NarrowExtreme> matchBits(linalg::GenericOp op) {
  auto extension = op.getBody()
                       ->getTerminator()
                       ->getOperand(0)
                       .getDefiningOp<arith::ExtUIOp>();
  Operation *both = extension ? extension.getIn().getDefiningOp() : nullptr;
  if (!isa_and_present<arith::OrIOp, arith::AndIOp>(both) ||
      !both->getResult(0).getType().isInteger(1))
    return std::nullopt;
  Value sum = op.getRegionOutputArgs()[0];
  for (unsigned i : {0, 1}) {
    auto state = both->getOperand(i).getDefiningOp<arith::CmpIOp>();
    if (!isNotZero(state) || state.getLhs() != sum || !sum.hasOneUse())
      continue;
    Value bit = both->getOperand(1 - i), narrow = bit;
    bool isSome = isa<arith::OrIOp>(both);
    auto kind = isSome ? arith::AtomicRMWKind::ori : arith::AtomicRMWKind::andi;
    if (auto test = bit.getDefiningOp<arith::CmpIOp>();
        isNotZero(test) && test.getLhs().getType().isInteger() &&
        test.getLhs().getType().getIntOrFloatBitWidth() % 8 == 0) {
      narrow = test.getLhs();
      kind = isSome ? arith::AtomicRMWKind::maxu : arith::AtomicRMWKind::minu;
    }
    return NarrowExtreme{op, narrow, kind, bit, {state, both, extension}};
  }
  return std::nullopt;
}

static std::optional<NarrowExtreme> match(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() == 0 ||
      op.getNumDpsInits() != 1 || op.getNumDpsInputs() == 0 ||
      op.getLibraryCall() || op->hasAttr(EinDialect::kScheduleAttr) ||
      !getInitMap(op).isProjectedPermutation())
    return std::nullopt;
  if (std::optional<NarrowExtreme> bits = matchBits(op))
    return bits;
  return matchExtended(op);
}

/// What `narrow` is in a result. A bit is a number as wide as the widest that
/// are read for it, as comparisons of vectors give such.
static Type getStored(linalg::GenericOp op, Value narrow) {
  if (!narrow.getType().isInteger(1))
    return narrow.getType();
  constexpr int64_t kByte = 8;
  int64_t bytes = 1;
  for (OpOperand *input : op.getDpsInputOperands())
    if (Type type = getElementTypeOrSelf(input->get().getType());
        type.isIntOrFloat() && op.payloadUsesValueFromOperand(input))
      bytes = std::max(bytes, getScalarBytes(type));
  return IntegerType::get(op.getContext(), kByte * bytes);
}

/// The reduction of what is narrow, from what changes nothing on.
static linalg::GenericOp createNarrow(ImplicitLocOpBuilder &b,
                                      const NarrowExtreme &extreme) {
  linalg::GenericOp op = extreme.op;
  Type type = getStored(op, extreme.narrow);
  Value init = op.getDpsInits()[0];
  Value empty = tensor::EmptyOp::create(
      b, tensor::getMixedSizes(b, b.getLoc(), init), type);
  Value neutral = arith::ConstantOp::create(
      b, arith::getIdentityValueAttr(extreme.kind, type, b, b.getLoc()));
  Value start = linalg::FillOp::create(b, neutral, empty).getResult(0);
  return linalg::GenericOp::create(
      b, op.getLoc(), TypeRange(start.getType()), op.getInputs(), start,
      op.getIndexingMapsArray(), op.getIteratorTypesArray(),
      [&](OpBuilder &body, Location loc, ValueRange arguments) {
        IRMapping mapping;
        mapping.map(op.getBody()->getArguments(), arguments);
        for (Operation *inner : getNeeded(op, extreme.narrow))
          body.clone(*inner, mapping);
        Value narrow = mapping.lookupOrDefault(extreme.narrow);
        if (narrow.getType() != type)
          narrow = arith::ExtSIOp::create(body, loc, type, narrow);
        linalg::YieldOp::create(body, loc,
                                arith::getReductionOp(extreme.kind, body, loc,
                                                      arguments.back(),
                                                      narrow));
      });
}

/// Whether a dim that is reduced has no element; null if none is.
static Value createIsEmpty(ImplicitLocOpBuilder &b, linalg::GenericOp op) {
  Value isEmpty;
  SmallVector<Range> ranges =
      cast<linalg::LinalgOp>(op.getOperation()).createLoopRanges(b, b.getLoc());
  for (auto [range, iterator] :
       llvm::zip_equal(ranges, op.getIteratorTypesArray())) {
    std::optional<int64_t> size = getConstantIntValue(range.size);
    if (iterator != utils::IteratorType::reduction || (size && *size > 0))
      continue;
    Value zero = arith::ConstantIndexOp::create(b, 0);
    Value is = arith::CmpIOp::create(
        b, arith::CmpIPredicate::eq,
        getValueOrCreateConstantIndexOp(b, b.getLoc(), range.size), zero);
    isEmpty = isEmpty ? arith::OrIOp::create(b, isEmpty, is).getResult() : is;
  }
  return isEmpty;
}

/// The converted result of `narrow`, combined with what there was.
static linalg::GenericOp createConverted(ImplicitLocOpBuilder &b,
                                         const NarrowExtreme &extreme,
                                         Value narrow) {
  linalg::GenericOp op = extreme.op;
  Value isEmpty = extreme.isNeutralKept ? Value() : createIsEmpty(b, op);
  Value init = op.getDpsInits()[0], number;
  if (auto fill = init.getDefiningOp<linalg::FillOp>();
      fill && fill.getInputs()[0].getType() == getElementTypeOrSelf(init)) {
    number = fill.getInputs()[0];
    init = fill.getOutputs()[0];
  }
  int64_t rank = cast<RankedTensorType>(init.getType()).getRank();
  SmallVector<unsigned> dims;
  for (AffineExpr expr : getInitMap(op).getResults())
    dims.push_back(cast<AffineDimExpr>(expr).getPosition());
  return linalg::GenericOp::create(
      b, selectIndexNames(op.getLoc(), dims), TypeRange(init.getType()), narrow,
      init, SmallVector<AffineMap>(2, b.getMultiDimIdentityMap(rank)),
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
      [&](OpBuilder &body, Location loc, ValueRange arguments) {
        IRMapping mapping;
        Value before = number ? number : arguments[1];
        mapping.map(op.getRegionOutputArgs()[0], before);
        Operation *conversion = extreme.converted.getDefiningOp();
        if (extreme.converted.getType().isInteger(1)) {
          Type type = arguments[0].getType();
          Value zero =
              arith::ConstantOp::create(body, loc, body.getZeroAttr(type));
          mapping.map(extreme.converted,
                      arith::CmpIOp::create(body, loc, arith::CmpIPredicate::ne,
                                            arguments[0], zero)
                          .getResult());
        } else {
          mapping.map(extreme.narrow, arguments[0]);
          body.clone(*conversion, mapping);
        }
        Value result;
        for (Operation *inner : extreme.rest)
          result = body.clone(*inner, mapping)->getResult(0);
        if (isEmpty)
          result = arith::SelectOp::create(body, loc, isEmpty, before, result);
        linalg::YieldOp::create(body, loc, result);
      });
}

static void narrow(RewriterBase &rewriter, const NarrowExtreme &extreme) {
  linalg::GenericOp op = extreme.op;
  rewriter.setInsertionPoint(op);
  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  linalg::GenericOp reduction = createNarrow(b, extreme);
  // Loops would convert in each step as they do now, and more often.
  AffineMap map = op.getMatchingIndexingMap(getLargestInput(op));
  if (!map.isProjectedPermutation() || map.getNumResults() == 0 ||
      failed(matchReduction(reduction, getLastDim(map)))) {
    rewriter.eraseOp(reduction);
    return;
  }
  linalg::GenericOp result =
      createConverted(b, extreme, reduction.getResult(0));
  rewriter.replaceOp(op, result);
}

/// Whether an input of a body is the same for all that is reduced into one
/// element.
static bool isOfRow(linalg::GenericOp op, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != op.getBody() ||
      argument.getArgNumber() >= op.getNumDpsInputs())
    return false;
  AffineMap map = op.getMatchingIndexingMap(op.getMatchingOpOperand(argument));
  SmallVector<unsigned> dims;
  op.getReductionDims(dims);
  return llvm::none_of(dims,
                       [&](unsigned dim) { return map.isFunctionOfDim(dim); });
}

/// ext(x) == y, y of the row: x == trunc(y), if that has lost nothing. What y
/// becomes is computed once for a row.
static void narrowComparison(RewriterBase &rewriter, arith::CmpIOp compare) {
  auto op = dyn_cast<linalg::GenericOp>(compare->getParentOp());
  Operation *extension = compare.getLhs().getDefiningOp();
  if (!op || compare.getPredicate() != arith::CmpIPredicate::eq ||
      op.getNumReductionLoops() == 0 || !op.hasPureTensorSemantics() ||
      !isa_and_present<arith::ExtSIOp, arith::ExtUIOp>(extension) ||
      !isOfRow(op, compare.getRhs()))
    return;
  Value narrow = extension->getOperand(0);
  if (narrow.getType().getIntOrFloatBitWidth() % 8 != 0)
    return;
  rewriter.setInsertionPoint(compare);
  ImplicitLocOpBuilder b(compare.getLoc(), rewriter);
  Value less = arith::TruncIOp::create(b, narrow.getType(), compare.getRhs());
  IRMapping mapping;
  mapping.map(narrow, less);
  Value back = b.clone(*extension, mapping)->getResult(0);
  auto areEqual = [&](Value x, Value y) -> Value {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, x, y);
  };
  rewriter.replaceOpWithNewOp<arith::AndIOp>(compare, areEqual(narrow, less),
                                             areEqual(back, compare.getRhs()));
}

namespace {
struct NarrowExtremesPass : impl::NarrowExtremesBase<NarrowExtremesPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) { ops.push_back(op); });
    for (linalg::GenericOp op : ops)
      if (std::optional<NarrowExtreme> extreme = match(op))
        narrow(rewriter, *extreme);
    SmallVector<arith::CmpIOp> comparisons;
    getOperation().walk([&](arith::CmpIOp op) { comparisons.push_back(op); });
    for (arith::CmpIOp compare : comparisons)
      narrowComparison(rewriter, compare);
  }
};
} // namespace

} // namespace ein
