//===- CompareExtremes.cpp - Compare the extreme instead of each number ---===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: *some* and *all* of comparisons with a constant are masks, made and
// joined for each vector. AVX-512 makes them in registers of their own, by less
// than two instructions a cycle, and turns each into a vector to join it.
//
// Choice: some numbers are above a bound if the largest is, and all if the
// least is. One of them equals a bound if the least of x ^ bound, without a
// sign, is zero; all do if the largest is. So the reduction is a maximum or a
// minimum, of one or two instructions, and its result is compared once.
//
// Consequence: of no numbers the extreme is what changes no other one, which
// has to compare as no number does. Where it does not (x <= 127 of bytes), all
// numbers compare alike, and nothing changes.
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
#include "passes/analysis/DimRoles.h"
#include "passes/analysis/Reductions.h"
#include "passes/analysis/VectorBody.h"
#include "passes/fused/Passes.h"

namespace ein {
#define GEN_PASS_DEF_COMPAREEXTREMES
#include "passes/fused/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

using Predicate = arith::CmpIPredicate;
using Kind = arith::AtomicRMWKind;

/// A reduction to whether some, or all, of `number` compare with `bound`.
struct Comparisons {
  linalg::GenericOp op;
  Value number;
  Predicate predicate;
  APInt bound;
  /// By what a number is reduced; of equality, the number ^ `bound`.
  Kind kind;
  bool isAll;
};

} // namespace

/// The extreme that compares if some numbers do; the other one compares if all
/// do.
static Kind getExtreme(Predicate predicate, bool isAll) {
  auto choose = [&](Kind some, Kind all) { return isAll ? all : some; };
  switch (predicate) {
  case Predicate::slt:
  case Predicate::sle:
    return choose(Kind::mins, Kind::maxs);
  case Predicate::sgt:
  case Predicate::sge:
    return choose(Kind::maxs, Kind::mins);
  case Predicate::eq:
  case Predicate::ult:
  case Predicate::ule:
    return choose(Kind::minu, Kind::maxu);
  case Predicate::ne:
  case Predicate::ugt:
  case Predicate::uge:
    return choose(Kind::maxu, Kind::minu);
  }
  llvm_unreachable("no other predicate");
}

/// or(acc, ext(x < bound)) from zeros on, or and() from ones on.
static std::optional<Comparisons> match(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() == 0 ||
      op.getNumDpsInits() != 1 || op->hasAttr(EinDialect::kScheduleAttr) ||
      !getInitMap(op).isProjectedPermutation())
    return std::nullopt;
  Operation *combiner =
      op.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_present<arith::OrIOp, arith::AndIOp>(combiner))
    return std::nullopt;
  bool isAll = isa<arith::AndIOp>(combiner);
  auto fill = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  APInt start;
  if (!fill || !matchPattern(fill.getInputs()[0], m_ConstantInt(&start)) ||
      !(isAll ? start.isAllOnes() : start.isZero()))
    return std::nullopt;
  Value sum = op.getRegionOutputArgs()[0];
  unsigned other = combiner->getOperand(0) == sum ? 1 : 0;
  auto extension = combiner->getOperand(other).getDefiningOp<arith::ExtSIOp>();
  if (!extension || combiner->getOperand(1 - other) != sum || !sum.hasOneUse())
    return std::nullopt;
  auto compare = extension.getIn().getDefiningOp<arith::CmpIOp>();
  APInt bound;
  // There are instructions for extremes of this many bits wherever there are
  // any for narrower ones.
  constexpr unsigned kMostBits = 32;
  if (!compare || compare.getLhs().getType() != sum.getType() ||
      sum.getType().getIntOrFloatBitWidth() > kMostBits ||
      !matchPattern(compare.getRhs(), m_ConstantInt(&bound)))
    return std::nullopt;
  Predicate predicate = compare.getPredicate();
  return Comparisons{
      op,   compare.getLhs(), predicate, bound, getExtreme(predicate, isAll),
      isAll};
}

static void replace(RewriterBase &rewriter, const Comparisons &comparisons) {
  linalg::GenericOp op = comparisons.op;
  rewriter.setInsertionPoint(op);
  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  Type type = op.getRegionOutputArgs()[0].getType();
  bool isOfEquality = comparisons.predicate == Predicate::eq ||
                      comparisons.predicate == Predicate::ne;
  APInt bound = isOfEquality ? APInt::getZero(type.getIntOrFloatBitWidth())
                             : comparisons.bound;
  TypedAttr neutral =
      arith::getIdentityValueAttr(comparisons.kind, type, b, b.getLoc());
  if (arith::applyCmpPredicate(comparisons.predicate,
                               cast<IntegerAttr>(neutral).getValue(),
                               bound) != comparisons.isAll)
    return;
  auto fill = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  Value unchanging = arith::ConstantOp::create(b, neutral);
  Value start =
      linalg::FillOp::create(b, unchanging, fill.getOutputs()[0]).getResult(0);
  auto extreme = linalg::GenericOp::create(
      b, op.getLoc(), TypeRange(start.getType()), op.getInputs(), start,
      op.getIndexingMapsArray(), op.getIteratorTypesArray(),
      [&](OpBuilder &body, Location loc, ValueRange arguments) {
        IRMapping mapping;
        mapping.map(op.getBody()->getArguments(), arguments);
        for (Operation *inner : getNeeded(op, comparisons.number))
          body.clone(*inner, mapping);
        Value number = mapping.lookupOrDefault(comparisons.number);
        if (isOfEquality && !comparisons.bound.isZero())
          number = arith::XOrIOp::create(
              body, loc, number,
              arith::ConstantOp::create(
                  body, loc, body.getIntegerAttr(type, comparisons.bound)));
        linalg::YieldOp::create(body, loc,
                                arith::getReductionOp(comparisons.kind, body,
                                                      loc, arguments.back(),
                                                      number));
      });
  int64_t rank = cast<RankedTensorType>(start.getType()).getRank();
  SmallVector<unsigned> dims;
  for (AffineExpr expr : getInitMap(op).getResults())
    dims.push_back(cast<AffineDimExpr>(expr).getPosition());
  auto compared = linalg::GenericOp::create(
      b, selectIndexNames(op.getLoc(), dims), TypeRange(start.getType()),
      extreme.getResult(0), fill.getOutputs()[0],
      SmallVector<AffineMap>(2, b.getMultiDimIdentityMap(rank)),
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
      [&](OpBuilder &body, Location loc, ValueRange arguments) {
        Value is = arith::CmpIOp::create(
            body, loc, comparisons.predicate, arguments[0],
            arith::ConstantOp::create(body, loc,
                                      body.getIntegerAttr(type, bound)));
        linalg::YieldOp::create(
            body, loc, arith::ExtSIOp::create(body, loc, type, is).getResult());
      });
  rewriter.replaceOp(op, compared);
}

namespace {
struct CompareExtremesPass : impl::CompareExtremesBase<CompareExtremesPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) { ops.push_back(op); });
    for (linalg::GenericOp op : ops) {
      std::optional<Comparisons> comparisons = match(op);
      if (!comparisons)
        continue;
      replace(rewriter, *comparisons);
    }
  }
};
} // namespace

} // namespace ein
