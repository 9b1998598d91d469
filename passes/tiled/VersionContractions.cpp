//===- VersionContractions.cpp - Small and large, told when it runs -------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A contraction of dynamic sizes is packed, which large ones need. A small one
// then takes several times as long as its multiply-adds. So there are two, and
// a branch on the sizes: what fits a near cache is read in place, without
// blocks. How much that is, and the small one's register tiles, is the
// schedule's to say.
//
// Both start from the same fill, each from a copy of its own, so that it is
// computed in registers; an epilogue is copied along.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "passes/analysis/ElementBytes.h"
#include "passes/analysis/Epilogue.h"
#include "passes/schedule/ScheduledOps.h"
#include "passes/tiled/Passes.h"

namespace ein {
#define GEN_PASS_DEF_VERSIONCONTRACTIONS
#include "passes/tiled/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

/// Whether each input has no more bytes along m, n and k than the schedule
/// says; other dims are loops outside.
static Value isSmall(OpBuilder &b, linalg::LinalgOp op,
                     const Schedule &schedule) {
  Location loc = op.getLoc();
  Value result;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    int64_t width = getScalarBytes(getElementTypeOrSelf(input->get()));
    Value elements = arith::ConstantIndexOp::create(b, loc, 1);
    for (auto [axis, expr] : llvm::enumerate(map.getResults())) {
      int64_t dim = cast<AffineDimExpr>(expr).getPosition();
      if (dim == schedule.m || dim == schedule.n || dim == schedule.k)
        elements = arith::MulIOp::create(
            b, loc, elements,
            tensor::DimOp::create(b, loc, input->get(), axis));
    }
    Value most =
        arith::ConstantIndexOp::create(b, loc, schedule.inPlaceBytes / width);
    Value fits = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle,
                                       elements, most);
    result =
        result ? arith::AndIOp::create(b, loc, result, fits).getResult() : fits;
  }
  return result;
}

/// Whether the rows are those of a block, as attention takes them, which it is
/// not known how many the last one has. There are several tiles of k steps each
/// time, beside which addresses for each row are nothing; and a whole block has
/// a tile of last rows as well.
static bool hasBlockOfRows(linalg::LinalgOp op, const Schedule &schedule) {
  Value init = op.getDpsInits()[0];
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  std::optional<unsigned> axis =
      map.getResultPosition(getAffineDimExpr(schedule.m, op.getContext()));
  return axis && cast<ShapedType>(init.getType()).isDynamicDim(*axis) &&
         succeeded(ValueBoundsConstraintSet::computeConstantBound(
             presburger::BoundType::UB, {init, int64_t(*axis)}));
}

/// A copy of the op, of the fill that it starts from and of its epilogue, with
/// another schedule; the last one's result.
static Value copyWith(OpBuilder &b, linalg::LinalgOp op,
                      linalg::GenericOp epilogue, const Schedule &schedule) {
  IRMapping mapping;
  if (auto fill = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>())
    b.clone(*fill, mapping);
  Operation *copy = b.clone(*op, mapping);
  copy->setAttr(EinDialect::kScheduleAttr, schedule.toAttr(b.getContext()));
  return epilogue ? b.clone(*epilogue, mapping)->getResult(0)
                  : copy->getResult(0);
}

static void makeVersions(RewriterBase &rewriter, linalg::LinalgOp op,
                         Schedule large) {
  linalg::GenericOp epilogue = getEpilogue(op);
  Operation *last = epilogue ? epilogue.getOperation() : op.getOperation();
  rewriter.setInsertionPoint(last);
  Schedule small = large;
  small.pack = {false, false};
  // What is in L2 passes by fast enough, and C may be much larger.
  small.rowsFirst = true;
  small.clampRows = hasBlockOfRows(op, large);
  if (large.smallVersionNr != 0)
    std::tie(small.colRemainderMr, small.colRemainderNr) =
        std::pair(large.smallVersionMr, large.smallVersionNr);
  for (int64_t dim : {large.m, large.n, large.k})
    small.tile[dim] = 0;
  Value condition = isSmall(rewriter, op, large);
  for (Schedule *schedule : {&small, &large})
    schedule->inPlaceBytes = schedule->smallVersionMr =
        schedule->smallVersionNr = 0;
  auto branch = scf::IfOp::create(
      rewriter, op.getLoc(), condition,
      [&](OpBuilder &b, Location loc) {
        scf::YieldOp::create(b, loc, copyWith(b, op, epilogue, small));
      },
      [&](OpBuilder &b, Location loc) {
        scf::YieldOp::create(b, loc, copyWith(b, op, epilogue, large));
      });
  rewriter.replaceOp(last, branch.getResults());
  if (epilogue)
    rewriter.eraseOp(op);
}

namespace {
struct VersionContractionsPass
    : impl::VersionContractionsBase<VersionContractionsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (auto op : collectWithSchedule<linalg::LinalgOp>(
             getOperation(), Schedule::PackedGemm)) {
      FailureOr<Schedule> schedule = Schedule::fromOp(op, op.getNumLoops());
      if (failed(schedule))
        return signalPassFailure();
      if (schedule->inPlaceBytes != 0)
        makeVersions(rewriter, op, *schedule);
    }
  }
};
} // namespace

} // namespace ein
