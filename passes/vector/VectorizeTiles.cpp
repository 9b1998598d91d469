//===- VectorizeTiles.cpp - Register tiles as vector code ---------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Obeys the facts of a schedule: loops over blocks and tiles in their order;
// in a tile, rows by vectors that stay in registers while loops over sums carry
// them. Vectors lie along a dim of the result (TileColumns.cpp) or along one
// that is summed (TileRows.cpp). The loops and the code of a tile are made at
// once, as what a tile reads may be overlapping windows.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/Decline.h"
#include "passes/analysis/ElementBytes.h"
#include "passes/analysis/Epilogue.h"
#include "passes/analysis/FramePointer.h"
#include "passes/analysis/IeeeMinMax.h"
#include "passes/analysis/Reductions.h"
#include "passes/analysis/Transposition.h"
#include "passes/analysis/VectorBody.h"
#include "passes/analysis/WindowAnalysis.h"
#include "passes/schedule/ScheduledOps.h"
#include "passes/vector/ForwardScalars.h"
#include "passes/vector/Passes.h"
#include "passes/vector/ScaledSums.h"
#include "passes/vector/TileVectorizer.h"

namespace ein {
#define GEN_PASS_DEF_VECTORIZETILES
#include "passes/vector/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

/// Whether the schedule is one for the op.
static LogicalResult checkWindow(linalg::LinalgOp op,
                                 const Schedule &schedule) {
  FailureOr<WindowInfo> info =
      matchTile(op, emitDeclined(op, "cannot be a window"));
  if (failed(info))
    return failure();
  for (int64_t dim = 0, e = op.getNumLoops(); dim < e; ++dim)
    if (info->output.isFunctionOfDim(dim) ? schedule.tile[dim] == 0
                                          : schedule.tile[dim] > 1)
      return op.emitOpError("has a tile of ")
             << schedule.tile[dim] << " along d" << dim
             << ", which a window does not have there";
  int64_t group = info->groupDim < 0 ? 1 : matchGroupedSum(op)->size;
  if (schedule.widening != group)
    return op.emitOpError("has groups of ")
           << group << ", and its schedule of " << schedule.widening;
  if (group > 1 && schedule.dotOffset) {
    AffineMap vectors = op.getMatchingIndexingMap(matchGroupedSum(op)->vectors);
    for (int64_t dim = 0, e = op.getNumLoops(); dim < e; ++dim)
      if (dim != info->vectorDim && schedule.tile[dim] > 1 &&
          vectors.isFunctionOfDim(dim))
        return op.emitOpError("has several rows along d")
               << dim << ", which have other sums beside theirs";
  }
  if (schedule.ieeeMinMax && !isExtreme(op))
    return op.emitOpError(
        "is no maximum or minimum of floats for IEEE 754 semantics");
  if (linalg::GenericOp epilogue = getEpilogue(op))
    if (failed(matchEpilogue(epilogue,
                             emitDeclined(epilogue, "cannot be an epilogue"))))
      return failure();
  if (schedule.vectorDim != info->vectorDim)
    return op.emitOpError("has vectors along d")
           << schedule.vectorDim << ", which is not its result's last dim";
  return success();
}

/// Whether the schedule is one for the op.
static LogicalResult checkReduction(linalg::LinalgOp op,
                                    const Schedule &schedule) {
  FailureOr<ReductionInfo> info = matchReduction(
      op, schedule.vectorDim, emitDeclined(op, "cannot be reduced in vectors"));
  if (failed(info))
    return failure();
  auto addsBytes = [&] {
    SmallVector<unsigned> sums;
    op.getReductionDims(sums);
    return schedule.widening == getWidening(op) &&
           addsBytesOfColumns(op, schedule.vectorDim,
                              schedule.tile[sums.front()]);
  };
  bool addsUp =
      !info->isRow ? addsBytes()
      : getNarrowFactors(op)
          ? canAddProducts(op, schedule.widening, schedule.dot.empty())
          : getWidening(op) > 1 && schedule.widening % getWidening(op) == 0;
  if (schedule.widening > 1 && !addsUp)
    return op.emitOpError("does not add up ")
           << schedule.widening << " elements in a lane as wide as these";
  if (schedule.ieeeMinMax && !isExtreme(op))
    return op.emitOpError(
        "is no maximum or minimum of floats for IEEE 754 semantics");
  bool isFirst = true;
  for (int64_t dim = 0, e = op.getNumLoops(); dim < e; ++dim) {
    bool isSum = !info->output.isFunctionOfDim(dim);
    int64_t tile = schedule.tile[dim];
    bool isRight =
        dim == schedule.vectorDim
            ? !info->isRow || tile == 0
            : (isSum ? tile == 0 || (isFirst && !info->isRow) : tile == 1);
    if (!isRight)
      return op.emitOpError("has a tile of ")
             << tile << " along d" << dim
             << ", which a reduction does not have there";
    isFirst &= !isSum;
  }
  return success();
}

/// Whether `op` is a tile as the schedule says.
static LogicalResult checkDot(linalg::LinalgOp op, const Schedule &schedule) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  Type element = getElementTypeOrSelf(op.getDpsInits()[0].getType());
  bool isOfOneType = isa<linalg::ContractOp>(op.getOperation()) &&
                     isa<FloatType>(element) &&
                     llvm::all_of(op.getDpsInputs(), [&](Value input) {
                       return getElementTypeOrSelf(input.getType()) == element;
                     });
  if (schedule.widening > 1 &&
      !canAddProducts(op, schedule.widening, schedule.dot.empty()))
    return op.emitOpError("does not add up ")
           << schedule.widening << " elements in a lane as wide as these";
  if (schedule.widening == 1 && !isOfOneType)
    return op.emitOpError("is not a sum of products of one type of floats, "
                          "which its schedule is for");
  auto isLast = [&](unsigned operand, int64_t dim) {
    return maps[operand].getNumResults() != 0 &&
           maps[operand].getResults().back() ==
               getAffineDimExpr(dim, op.getContext());
  };
  unsigned lhs = schedule.lhs;
  if (!isLast(0, schedule.k) || !isLast(1, schedule.k) ||
      maps[2].isFunctionOfDim(schedule.k) ||
      (schedule.n >= 0 &&
       (!isLast(2, schedule.n) || maps[lhs].isFunctionOfDim(schedule.n))) ||
      (schedule.m >= 0 && (!maps[2].isFunctionOfDim(schedule.m) ||
                           maps[1 - lhs].isFunctionOfDim(schedule.m))))
    return op.emitOpError("is not contiguous along the dims that its schedule "
                          "says");
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (int64_t dim = 0, e = ranges.size(); dim < e; ++dim) {
    int64_t most = dim == schedule.m   ? schedule.mr
                   : dim == schedule.n ? schedule.nr
                                       : 1;
    bool isDynamic = ShapedType::isDynamic(ranges[dim]);
    if (dim != schedule.k &&
        (isDynamic ? schedule.tile[dim] != most : ranges[dim] > most))
      return op.emitOpError("has dim d")
             << dim << " of more than " << most
             << ", which is its schedule's tile; run `ein-tile-contractions` "
             << "first";
  }
  return success();
}

/// Whether the op is elementwise, with vectors along its operands, or a copy to
/// panels: vectors along the dim before the last one, or squares.
static LogicalResult checkElementwise(linalg::LinalgOp op,
                                      const Schedule &schedule) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  int64_t row = schedule.vectorDim;
  bool isElementwise =
      op.getNumDpsInits() == 1 && op.getNumReductionLoops() == 0;
  if (schedule.tile.empty() || schedule.tile[row] == 0)
    return op.emitOpError("has vectors of a number of elements that its "
                          "schedule does not say");
  if (isElementwise && llvm::all_of(maps, [&](AffineMap map) {
        return getLinearSubscripts(map) && isContiguousAlong(map, row);
      }))
    return success();
  auto isDense = [&](OpOperand *input) {
    AffineMap map = op.getMatchingIndexingMap(input);
    return getLinearSubscripts(map) && getStepAlong(map, row).value_or(1) <= 1;
  };
  int64_t numLoops = op.getNumLoops(), last = numLoops - 1;
  int64_t ofGroup = op.getStaticLoopRanges()[last];
  std::optional<int64_t> square = getSquareDim(op, row);
  bool isOfSquares =
      square && (*square < 0 ||
                 (schedule.masked && llvm::isPowerOf2_64(schedule.tile[row])));
  bool isPack = isElementwise && maps.back().isIdentity() && isOfSquares &&
                llvm::all_of(op.getDpsInputOperands(), isDense) &&
                (row == last || (row == last - 1 && ofGroup > 0 &&
                                 llvm::isPowerOf2_64(ofGroup)));
  if (isPack)
    return success();
  return op.emitOpError("is not elementwise, or not contiguous along the "
                        "loop that its vectors are said to be along");
}

/// Whether the op transposes, by blocks that end where squares do.
static LogicalResult checkTranspose(linalg::LinalgOp op,
                                    const Schedule &schedule) {
  std::optional<TransposeDims> dims = getTransposeDims(op);
  auto isOfSquares = [&](int64_t dim) {
    return dim < 0 || schedule.tile.empty() ||
           schedule.tile[dim] % schedule.lanes == 0;
  };
  if (dims && canBeVectors(op) && isOfSquares(dims->row) &&
      isOfSquares(dims->column))
    return success();
  return op.emitOpError("is no transposition that its schedule could be for");
}

static LogicalResult check(linalg::LinalgOp op, const Schedule &schedule) {
  switch (schedule.kind) {
  case Schedule::Vectorize:
    return checkElementwise(op, schedule);
  case Schedule::Transpose:
    return checkTranspose(op, schedule);
  case Schedule::Dot:
    return checkDot(op, schedule);
  case Schedule::PackedGemm:
    return checkProduct(op, schedule);
  case Schedule::Window:
    return checkWindow(op, schedule);
  default:
    return checkReduction(op, schedule);
  }
}

/// The op, with its epilogue if it has one, as loops over tiles.
static void vectorize(RewriterBase &rewriter, linalg::LinalgOp op,
                      const Schedule &schedule, bool exchanges) {
  SmallVector<Operation *> done = {op};
  Operation *last = TileVectorizer::getLast(op, schedule);
  while (done.back() != last)
    done.push_back(*done.back()->user_begin());
  // What an epilogue reads has been computed where it stands.
  rewriter.setInsertionPoint(last);
  auto createTiles = [&](linalg::LinalgOp part) {
    return TileVectorizer(rewriter, part, schedule, exchanges).create();
  };
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  Operation *scaling =
      schedule.kind == Schedule::Reduce && generic && schedule.unroll > 1
          ? getScaling(generic)
          : nullptr;
  Value result = scaling
                     ? createScaledSum(rewriter, generic, scaling, createTiles)
                     : createTiles(op);
  rewriter.replaceOp(done.pop_back_val(), result);
  for (Operation *replaced : llvm::reverse(done))
    rewriter.eraseOp(replaced);
}

/// Whether LLVM writes registers to the stack between the steps of a tile, and
/// these are wider than an x86 stack is aligned to: of neighbouring windows it
/// keeps what they have in common.
static bool spillsWideVectors(linalg::LinalgOp op, const Schedule &schedule) {
  constexpr int64_t kStackBytes = 16;
  Type element = getElementTypeOrSelf(op->getResult(0));
  return schedule.kind == Schedule::Window &&
         schedule.lanes * getScalarBytes(element) > kStackBytes;
}

namespace {
struct VectorizeTilesPass : impl::VectorizeTilesBase<VectorizeTilesPass> {
  using impl::VectorizeTilesBase<VectorizeTilesPass>::VectorizeTilesBase;
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (Schedule::Kind kind :
         {Schedule::PackedGemm, Schedule::Vectorize, Schedule::Transpose,
          Schedule::Dot, Schedule::Window, Schedule::Reduce})
      for (auto op :
           collectWithSchedule<linalg::LinalgOp>(getOperation(), kind)) {
        FailureOr<Schedule> schedule = Schedule::fromOp(op, op.getNumLoops());
        if (failed(schedule) || failed(check(op, *schedule)))
          return signalPassFailure();
        if (spillsWideVectors(op, *schedule))
          keepFramePointer(getOperation());
        vectorize(rewriter, op, *schedule, exchanges);
      }
    forwardScalars(rewriter, getOperation());
  }
};
} // namespace

} // namespace ein
