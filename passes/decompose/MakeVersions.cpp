//===- MakeVersions.cpp - One of several, told when the code runs ---------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op of dynamic sizes that has alternatives becomes one op for each, and one
// for what no guard holds of, in branches on the sizes. Which there are is the
// schedule's to say.
//
// All start from the same fill, each from a copy of its own, so that it is
// computed in registers; an epilogue is copied along. Where a version cannot
// have it in its tiles, it is an op of its own there.
//
// What `decompose` passes take apart they have to find in branches, so its
// versions are made before them, and those of tiles when they are tiled: till
// then a schedule says all that there is.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "ir/IndexNames.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "passes/analysis/Epilogue.h"
#include "passes/decompose/Passes.h"
#include "passes/schedule/ScheduledOps.h"

namespace ein {
#define GEN_PASS_DEF_MAKEVERSIONS
#include "passes/decompose/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

/// Whether a pass of `decompose` obeys the schedule.
bool isTakenApart(const Schedule &schedule) {
  return schedule.kind == Schedule::Gett || schedule.symmetric != 0;
}

class VersionMaker {
public:
  VersionMaker(RewriterBase &rewriter, linalg::LinalgOp op, Schedule schedule,
               bool isEarly)
      : rewriter(rewriter), op(op), schedule(std::move(schedule)),
        epilogue(getEpilogue(op)), isEarly(isEarly) {}

  LogicalResult run();

private:
  Value createExtent(OpBuilder &b, int64_t dim);
  Value createCondition(OpBuilder &b, const Guard &guard);
  Value createCopy(OpBuilder &b, const Schedule &own);
  Value createFrom(OpBuilder &b, size_t number);

  RewriterBase &rewriter;
  linalg::LinalgOp op;
  Schedule schedule;
  linalg::GenericOp epilogue;
  bool isEarly; // what it makes is reported
  /// Of the alternatives, all known before the first branch: the memory that a
  /// version needs is there only if it is taken.
  SmallVector<Value> conditions;
};

} // namespace

/// How far the loop goes: a size of an operand that it alone goes along, or
/// what upstream finds of sums of several.
Value VersionMaker::createExtent(OpBuilder &b, int64_t dim) {
  Location loc = op.getLoc();
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (std::optional<unsigned> axis =
            map.getResultPosition(getAffineDimExpr(dim, op.getContext())))
      return b.createOrFold<tensor::DimOp>(loc, operand.get(), *axis);
  }
  return getValueOrCreateConstantIndexOp(b, loc,
                                         op.createLoopRanges(b, loc)[dim].size);
}

Value VersionMaker::createCondition(OpBuilder &b, const Guard &guard) {
  Location loc = op.getLoc();
  Value condition;
  for (const SizeBound &bound : guard) {
    Value points;
    for (int64_t dim : bound.dims) {
      Value extent = createExtent(b, dim);
      points = points
                   ? arith::MulIOp::create(b, loc, points, extent).getResult()
                   : extent;
    }
    Value holds = arith::CmpIOp::create(
        b, loc,
        bound.isLeast ? arith::CmpIPredicate::sge : arith::CmpIPredicate::sle,
        points, arith::ConstantIndexOp::create(b, loc, bound.bound));
    condition =
        condition ? arith::AndIOp::create(b, loc, condition, holds).getResult()
                  : holds;
  }
  return condition;
}

/// A copy of the op, of the fill that it starts from and of its epilogue, with
/// a schedule of its own; the last one's result.
Value VersionMaker::createCopy(OpBuilder &b, const Schedule &own) {
  IRMapping mapping;
  if (auto fill = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>())
    b.clone(*fill, mapping);
  Operation *copy = b.clone(*op, mapping);
  copy->setAttr(EinDialect::kScheduleAttr, own.toAttr(b.getContext()));
  if (!epilogue)
    return copy->getResult(0);
  auto last = cast<linalg::GenericOp>(b.clone(*epilogue, mapping));
  // It gets another schedule, if it is early enough.
  if (failed(matchEpilogue(last)))
    last->removeAttr(EinDialect::kScheduleAttr);
  return last->getResult(0);
}

/// What to do if none of the first so many guards holds.
Value VersionMaker::createFrom(OpBuilder &b, size_t number) {
  if (number == schedule.alternatives.size()) {
    Schedule own = schedule;
    own.alternatives.clear();
    return createCopy(b, own);
  }
  const Schedule::Alternative &alternative = schedule.alternatives[number];
  auto branch = scf::IfOp::create(
      b, op.getLoc(), conditions[number],
      [&](OpBuilder &then, Location loc) {
        scf::YieldOp::create(then, loc, createCopy(then, alternative.schedule));
      },
      [&](OpBuilder &other, Location loc) {
        scf::YieldOp::create(other, loc, createFrom(other, number + 1));
      });
  if (isEarly)
    branch->setAttr(
        EinDialect::kGuardAttr,
        b.getStringAttr(describeGuard(
            alternative.guard, getIndexNames(op.getLoc(), op.getNumLoops()))));
  return branch.getResult(0);
}

LogicalResult VersionMaker::run() {
  if (op->getNumResults() != 1)
    return op->emitOpError(
        "has alternatives, and not one tensor as its result");
  Operation *last = epilogue ? epilogue.getOperation() : op.getOperation();
  rewriter.setInsertionPoint(last);
  for (const Schedule::Alternative &alternative : schedule.alternatives)
    conditions.push_back(createCondition(rewriter, alternative.guard));
  rewriter.replaceOp(last, createFrom(rewriter, 0));
  if (epilogue)
    rewriter.eraseOp(op);
  return success();
}

namespace {
struct MakeVersionsPass : impl::MakeVersionsBase<MakeVersionsPass> {
  using MakeVersionsBase::MakeVersionsBase;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (auto attribute =
              op->getAttrOfType<ScheduleAttr>(EinDialect::kScheduleAttr);
          attribute && !attribute.getValue().alternatives.empty())
        ops.push_back(op);
    });
    for (linalg::LinalgOp op : ops) {
      FailureOr<Schedule> schedule = Schedule::fromOp(op, op.getNumLoops());
      if (failed(schedule))
        return signalPassFailure();
      bool isEarly =
          isTakenApart(*schedule) ||
          llvm::any_of(schedule->alternatives,
                       [&](const Schedule::Alternative &alternative) {
                         return isTakenApart(alternative.schedule) ||
                                alternative.schedule.kind != schedule->kind;
                       });
      if (early && !isEarly)
        continue;
      if (failed(VersionMaker(rewriter, op, *schedule, early).run()))
        return signalPassFailure();
    }
  }
};
} // namespace

} // namespace ein
