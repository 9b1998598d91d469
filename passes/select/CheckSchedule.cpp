//===- CheckSchedule.cpp - Whether an op can run by a schedule ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/select/CheckSchedule.h"
#include "passes/analysis/DimRoles.h"
#include "passes/analysis/Epilogue.h"
#include "passes/analysis/Raising.h"

using namespace mlir;

namespace ein {

/// Rows are dims of C and of one factor, columns of C and of the other, and
/// sums of both factors.
static LogicalResult checkRoles(linalg::LinalgOp op, const Schedule &schedule) {
  if (!getContractionKind(op))
    return op->emitOpError("is no contraction, which `sums` are of");
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  auto has = [&](unsigned operand, int64_t dim) {
    return maps[operand].isFunctionOfDim(dim);
  };
  unsigned lhs = schedule.lhs, rhs = 1 - lhs;
  if (int64_t dim = schedule.m;
      dim >= 0 && !(has(lhs, dim) && !has(rhs, dim) && has(2, dim)))
    return op->emitOpError("has rows d")
           << dim << " that are no dim of its result and of input #" << lhs
           << " alone";
  // A product with no rows has columns that either input may have.
  if (int64_t dim = schedule.n;
      dim >= 0 && !(has(rhs, dim) && !has(lhs, dim) && has(2, dim)))
    return op->emitOpError("has columns d")
           << dim << " that are no dim of its result and of input #" << rhs
           << " alone";
  if (int64_t dim = schedule.k;
      dim >= 0 && !(has(0, dim) && has(1, dim) && !has(2, dim)))
    return op->emitOpError("has sums d")
           << dim << " that are no dim of both inputs alone";
  return success();
}

/// Panels are of one height and width.
static LogicalResult checkTiles(linalg::LinalgOp op, const Schedule &schedule) {
  auto isCut = [&](int64_t dim, int64_t size) {
    return schedule.tile[dim] % size != 0;
  };
  if (isCut(schedule.m, schedule.mr) || isCut(schedule.n, schedule.nr))
    return op->emitOpError("has blocks of rows or columns that are no number "
                           "of register tiles");
  if (schedule.colRemainderNr == 0)
    return success();
  if (schedule.pack[schedule.lhs] && schedule.colRemainderMr != schedule.mr)
    return op->emitOpError("has a `column_remainder` of ")
           << schedule.colRemainderMr << " rows beside panels of "
           << schedule.mr;
  int64_t columns = op.getStaticLoopRanges()[schedule.n];
  if (schedule.pack[1 - schedule.lhs] &&
      (ShapedType::isDynamic(columns)
           ? schedule.colRemainderNr != schedule.nr
           : columns % schedule.nr > schedule.colRemainderNr))
    return op->emitOpError("has a `column_remainder` of ")
           << schedule.colRemainderNr
           << " columns, which those that do not fill a panel do not fit";
  return success();
}

static LogicalResult checkVectors(linalg::LinalgOp op,
                                  const Schedule &schedule) {
  if (op.getNumReductionLoops() != 0)
    return op->emitOpError("is a reduction, whose `vector` needs "
                           "`accumulators` or `unrolled_sums`");
  AffineMap output = op.getIndexingMapsArray().back();
  if (!output.isPermutation() || getLastDim(output) != schedule.vectorDim)
    return op->emitOpError("has vectors along d")
           << schedule.vectorDim
           << ", and its result is not contiguous along that";
  return success();
}

LogicalResult checkSchedule(linalg::LinalgOp op, const Schedule &schedule) {
  for (const Schedule::Alternative &alternative : schedule.alternatives)
    if (failed(checkSchedule(op, alternative.schedule)))
      return failure();
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  switch (schedule.kind) {
  case Schedule::PackedGemm:
    if (failed(checkRoles(op, schedule)))
      return failure();
    return checkTiles(op, schedule);
  case Schedule::Dot:
    return checkRoles(op, schedule);
  case Schedule::LibraryCall:
    if (generic && generic.getLibraryCall())
      return success();
    if (schedule.k < 0)
      return op->emitOpError("names no function, which `call` without `sums` "
                             "is of");
    return checkRoles(op, schedule);
  case Schedule::Vectorize:
    return checkVectors(op, schedule);
  case Schedule::Epilogue:
    if (!generic || failed(matchEpilogue(generic)))
      return op->emitOpError("updates no product in tiles, in whose epilogue "
                             "it could be");
    return success();
  default:
    return success();
  }
}

} // namespace ein
