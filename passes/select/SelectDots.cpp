//===- SelectDots.cpp - Contractions along vectors of k -------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A few rows times a large B that is contiguous along k, as in the layers of
// language models, takes as long as B needs to arrive from memory. The register
// tiles of a matrix product want B by rows of n, and packing it to that takes
// several times as long as reading it. So vectors lie along k here: both
// operands have them as they are, and B is read once, in place, each column
// from its beginning to its end.
//
// It costs a sum across each accumulator at the end of k, about three
// instructions for an element of C if many are summed up at once. That pays
// while k is long, and while one side is so short that packing the other would
// not.
//
// The side that is longer is streamed, in the outer loop over tiles; the other
// is read again for each tile of it, from a near cache, for which k is cut into
// blocks where need be.
//
//===----------------------------------------------------------------------===//

#include "passes/select/SelectDots.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/DimRoles.h"
#include "target/DotKernel.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace ein {

/// Finds the dims that are blocked; false if there are other columns than those
/// that C is contiguous along, or the operands are not contiguous along k.
static bool findDims(linalg::LinalgOp op, ArrayRef<int64_t> sizes,
                     Schedule &schedule) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap output = maps[2];
  schedule.k = getLastDim(maps[0]);
  if (schedule.k < 0 || getLastDim(maps[1]) != schedule.k ||
      output.isFunctionOfDim(schedule.k))
    return false;
  auto isOfOne = [&](int64_t dim) {
    return maps[0].isFunctionOfDim(dim) != maps[1].isFunctionOfDim(dim);
  };
  int64_t last = getLastDim(output);
  if (last >= 0 && isOfOne(last)) {
    schedule.n = last;
    schedule.lhs = maps[0].isFunctionOfDim(last) ? 1 : 0;
  }
  SmallVector<int64_t> rows;
  for (AffineExpr expr : output.getResults()) {
    int64_t dim = cast<AffineDimExpr>(expr).getPosition();
    if (!isOfOne(dim) || dim == schedule.n)
      continue;
    if (schedule.n < 0)
      return false;
    if (maps[schedule.lhs].isFunctionOfDim(dim))
      rows.push_back(dim);
  }
  // Of several, the longest is blocked, and the others are loops.
  schedule.m = getLargest(rows, sizes);
  return true;
}

static bool isSumOfFloats(linalg::LinalgOp op) {
  Type element = getElementTypeOrSelf(op.getDpsInits()[0].getType());
  return isa<linalg::ContractOp>(op.getOperation()) &&
         (element.isF32() || element.isF64()) &&
         llvm::all_of(op.getDpsInputs(), [&](Value input) {
           return getElementTypeOrSelf(input.getType()) == element;
         });
}

/// How much of k fits `bytes`, of so many rows or columns; whole steps.
static int64_t getDepth(uint64_t bytes, unsigned bits, int64_t held,
                        int64_t step) {
  int64_t depth = bytes / (held * (bits / 8));
  return std::max<int64_t>(depth / step, 1) * step;
}

std::optional<Schedule> selectDot(linalg::LinalgOp op, const TargetInfo &target,
                                  StringRef packing) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  Schedule schedule;
  schedule.kind = Schedule::Dot;
  if ((packing != "auto" && packing != "dots") || !isSumOfFloats(op) ||
      !findDims(op, sizes, schedule))
    return std::nullopt;
  unsigned bits = getElementBits(op);
  schedule.lanes = target.getLanes(bits);
  // Of a matrix times a vector no tile is left: that is a reduction.
  if (packing == "auto" && (schedule.m < 0 || schedule.n < 0))
    return std::nullopt;

  auto getExtent = [&](int64_t dim) -> std::optional<int64_t> {
    if (dim < 0)
      return 1;
    return ShapedType::isDynamic(sizes[dim]) ? std::nullopt
                                             : std::optional(sizes[dim]);
  };
  std::optional<int64_t> rows = getExtent(schedule.m),
                         columns = getExtent(schedule.n),
                         depth = getExtent(schedule.k);
  DotKernel kernel = getDotKernel(target, rows, columns);
  schedule.mr = kernel.rows;
  schedule.nr = kernel.columns;
  schedule.unroll = kernel.unroll;

  schedule.tile.assign(op.getNumLoops(), 1);
  auto block = [&](int64_t dim, std::optional<int64_t> extent, int64_t size) {
    if (dim >= 0)
      schedule.tile[dim] = extent && *extent <= size ? 0 : size;
  };
  block(schedule.m, rows, schedule.mr);
  block(schedule.n, columns, schedule.nr);
  constexpr int64_t kDynamic = std::numeric_limits<int64_t>::max();
  bool areRowsStreamed = rows.value_or(kDynamic) > columns.value_or(kDynamic);
  // What is read again, the shorter side and one tile of the longer, is to stay
  // in half of L2.
  int64_t held = areRowsStreamed ? columns.value_or(kDynamic) + schedule.mr
                                 : rows.value_or(kDynamic) + schedule.nr;
  // Nothing is known to be short: the tiles alone.
  if (!rows && !columns)
    held = schedule.mr + schedule.nr;
  std::optional<int64_t> inner = areRowsStreamed ? columns : rows,
                         streamed = areRowsStreamed ? rows : columns;
  int64_t width = areRowsStreamed ? schedule.mr : schedule.nr;
  int64_t innerWidth = areRowsStreamed ? schedule.nr : schedule.mr;
  int64_t passes = inner ? llvm::divideCeil(*inner, innerWidth) : 1;
  int64_t step = schedule.lanes * schedule.unroll;
  int64_t length = getDepth(target.l2Bytes / 2, bits, held, step);
  // A few passes over a tile take as long as it takes to come from memory, in
  // streams that blocks of k would cut; of many, each but the first is to find
  // it in L1.
  constexpr int64_t kManyPasses = 8;
  if (passes >= kManyPasses)
    length = std::min(length, getDepth(target.l1Bytes / 2, bits, width, step));
  block(schedule.k, depth, length);

  // If the streamed side comes from memory, each pass over a tile of it
  // prefetches its part of the next one. A single row leaves no pause.
  bool isLarge = !streamed || !depth ||
                 double(*streamed) * *depth * (bits / 8) > target.l2Bytes / 2.0;
  if (isLarge && inner && *inner > 1)
    schedule.prefetch = llvm::divideCeil(width, passes);

  // Outside: what is not blocked; k; then the side that is streamed.
  auto isBlocked = [&](int64_t dim) {
    return dim == schedule.m || dim == schedule.n || dim == schedule.k;
  };
  AffineMap output = op.getIndexingMapsArray()[2];
  for (bool isSummed : {false, true})
    for (int64_t dim = 0, e = sizes.size(); dim < e; ++dim)
      if (!isBlocked(dim) && output.isFunctionOfDim(dim) != isSummed)
        schedule.interchange.push_back(dim);
  schedule.interchange.push_back(schedule.k);
  int64_t outer = areRowsStreamed ? schedule.m : schedule.n;
  int64_t inside = areRowsStreamed ? schedule.n : schedule.m;
  for (int64_t dim : {outer, inside})
    if (dim >= 0)
      schedule.interchange.push_back(dim);
  return schedule;
}

} // namespace ein
