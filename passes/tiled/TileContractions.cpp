//===- TileContractions.cpp - Tile contractions for the caches ----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tiles and their order are the schedule's; the loops are upstream's. They
// are `scf.for` on tensors: C is carried from iteration to iteration, each tile
// is a slice of the carried value, and so bufferisation finds that all of it
// happens in place.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/Decline.h"
#include "passes/analysis/DimRoles.h"
#include "passes/analysis/Epilogue.h"
#include "passes/schedule/ScheduledOps.h"
#include "passes/tiled/Passes.h"
#include "passes/tiled/Transforms.h"

namespace ein {
#define GEN_PASS_DEF_TILECONTRACTIONS
#include "passes/tiled/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

/// The dims that the loops of a schedule are over, from the outermost inwards.
static SmallVector<int64_t> getLoopDims(const Schedule &schedule) {
  SmallVector<int64_t> order = schedule.interchange;
  if (order.empty())
    order = llvm::to_vector(llvm::seq<int64_t>(0, schedule.tile.size()));
  llvm::erase_if(order, [&](int64_t dim) { return schedule.tile[dim] == 0; });
  return order;
}

/// Marks the loops that the schedule gives to threads. The register tiles of a
/// contraction are not made yet.
static void markParallel(const Schedule &schedule,
                         ArrayRef<LoopLikeOpInterface> loops) {
  bool isOfTiles = schedule.kind == Schedule::PackedGemm &&
                   schedule.parallelDim == schedule.n;
  if (schedule.parallelDim < 0 || isOfTiles)
    return;
  SmallVector<int64_t> dims = getLoopDims(schedule);
  size_t first = llvm::find(dims, schedule.parallelDim) - dims.begin();
  for (auto [number, loop] : llvm::enumerate(loops))
    if (number >= first && number < first + schedule.parallelLoops)
      loop->setAttr(EinDialect::kParallelAttr,
                    OpBuilder(loop).getI64IntegerAttr(schedule.minPoints));
}

/// Has the tile start from the fill that was the op's `number`, if it is the
/// first one, and from what its slice holds if not. `ein-pack-operands` makes
/// tiles of its own, and no copy is left of this one's start; where the tile
/// stays, there may be no tensor but the slice.
static void startFromFill(RewriterBase &rewriter, Value number,
                          Schedule::Kind kind, linalg::LinalgOp tile,
                          ArrayRef<LoopLikeOpInterface> loops,
                          ArrayRef<int64_t> loopDims) {
  rewriter.setInsertionPoint(tile);
  Location loc = tile.getLoc();
  Value slice = tile.getDpsInits()[0];
  Value isFirst = areSumLoopsAt(
      rewriter, tile, loops, loopDims, [&](scf::ForOp loop) -> Value {
        return arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq,
                                     loop.getInductionVar(),
                                     loop.getLowerBound());
      });
  Value destination = slice;
  if (isFirst && kind == Schedule::PackedGemm)
    destination = tensor::EmptyOp::create(
        rewriter, loc, tensor::getMixedSizes(rewriter, loc, slice),
        getElementTypeOrSelf(slice.getType()));
  Value start =
      linalg::FillOp::create(rewriter, loc, number, destination).getResult(0);
  if (isFirst)
    start = arith::SelectOp::create(rewriter, loc, isFirst, start, slice);
  rewriter.modifyOpInPlace(tile,
                           [&]() { tile.getDpsInitsMutable()[0].set(start); });
}

/// The sizes of the tiles. Of a dynamic number of rows that are read where they
/// are, blocks are of about the same size: a last one of few rows would have
/// B's panels come from afar once more for hardly anything.
static SmallVector<OpFoldResult> getTileSizes(RewriterBase &rewriter,
                                              linalg::LinalgOp op,
                                              const Schedule &schedule) {
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(op.getContext(), schedule.tile);
  if (schedule.kind != Schedule::PackedGemm || schedule.pack[schedule.lhs] ||
      schedule.tile[schedule.m] <= schedule.mr ||
      !ShapedType::isDynamic(op.getStaticLoopRanges()[schedule.m]))
    return sizes;
  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  unsigned axis =
      *getInitMap(op).getResultPosition(b.getAffineDimExpr(schedule.m));
  Value rows = tensor::DimOp::create(b, op.getDpsInits()[0], axis);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  Value one = constant(1), mr = constant(schedule.mr);
  auto divide = [&](Value dividend, Value divisor) -> Value {
    Value less = arith::SubIOp::create(b, divisor, one);
    return arith::DivUIOp::create(b, arith::AddIOp::create(b, dividend, less),
                                  divisor);
  };
  rows = arith::MaxSIOp::create(b, rows, one);
  Value count = divide(rows, constant(schedule.tile[schedule.m]));
  Value tiles = divide(divide(rows, count), mr);
  sizes[schedule.m] = arith::MulIOp::create(b, tiles, mr).getResult();
  return sizes;
}

LogicalResult tileBySchedule(RewriterBase &rewriter, linalg::LinalgOp op) {
  FailureOr<Schedule> schedule = Schedule::fromOp(op, op.getNumLoops());
  if (failed(schedule))
    return failure();
  if (llvm::all_of(schedule->tile, [](int64_t size) { return size == 0; }))
    return success();

  OpBuilder::InsertionGuard guard(rewriter);
  // A sum that starts from a fill starts from it in registers; what is filled
  // is then written once less, and read once less.
  Value number;
  auto fill = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  if (schedule->kind != Schedule::Vectorize && fill && fill->hasOneUse() &&
      !mayHaveNoBlock(op, schedule->k)) {
    number = fill.getInputs()[0];
    rewriter.modifyOpInPlace(
        op, [&]() { op.getDpsInitsMutable()[0].set(fill.getOutputs()[0]); });
  }
  // What the epilogue reads has been computed where it stands.
  linalg::GenericOp epilogue = getEpilogue(op);
  if (epilogue)
    rewriter.moveOpBefore(op, epilogue);
  rewriter.setInsertionPoint(op);
  scf::SCFTilingOptions options;
  options.setTileSizes(getTileSizes(rewriter, op, *schedule));
  options.setInterchange(schedule->interchange);
  FailureOr<scf::SCFTilingResult> tiled = scf::tileUsingSCF(
      rewriter, cast<TilingInterface>(op.getOperation()), options);
  if (failed(tiled))
    return op.emitOpError("cannot be tiled by its schedule");
  rewriter.replaceOp(op, tiled->replacements);
  markParallel(*schedule, tiled->loops);
  auto tile = cast<linalg::LinalgOp>(tiled->tiledOps.front());
  if (number)
    startFromFill(rewriter, number, schedule->kind, tile, tiled->loops,
                  getLoopDims(*schedule));
  if (!epilogue)
    return success();
  return fuseEpilogue(rewriter, epilogue, tile, tiled->loops,
                      getLoopDims(*schedule));
}

namespace {
struct TileContractionsPass : impl::TileContractionsBase<TileContractionsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (auto op : collectWithSchedule<linalg::GenericOp>(getOperation(),
                                                          Schedule::Epilogue))
      if (failed(matchEpilogue(op, emitDeclined(op, "cannot be an epilogue"))))
        return signalPassFailure();
    for (Schedule::Kind kind : {Schedule::PackedGemm, Schedule::Dot})
      for (auto op :
           collectWithSchedule<linalg::LinalgOp>(getOperation(), kind))
        if (failed(tileBySchedule(rewriter, op)))
          return signalPassFailure();
  }
};
} // namespace

} // namespace ein
