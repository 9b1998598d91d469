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
// is read again for each tile of it. Into which blocks k is cut, so that what
// is read again is near, and whether each pass over a tile fetches a part of
// the next one, is a matter of price.
//
//===----------------------------------------------------------------------===//

#include "passes/select/SelectDots.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/DimRoles.h"
#include "passes/analysis/Raising.h"
#include "passes/analysis/Reductions.h"
#include "passes/select/Candidates.h"
#include "passes/select/SelectGroups.h"
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

/// Whether sums of products of narrow numbers are gathered so, of which a lane
/// gets several at once. Where some are moved, each sum would take two.
static bool addsNarrowProducts(linalg::LinalgOp op, const TargetInfo &target,
                               Schedule &schedule) {
  std::optional<ContractionKind> kind = getContractionKind(op);
  return kind && kind->isSum() && selectProductsOfRows(op, target, schedule) &&
         !schedule.dotOffset;
}

/// Blocks of k that are listed: all of it, a half, a quarter, and so on, as far
/// as they are whole steps. Of an open size, what a row of L2 can have.
static SmallVector<int64_t>
listBlocks(int64_t k, int64_t step, const TargetInfo &target, unsigned bits) {
  if (ShapedType::isDynamic(k))
    return getBlockLadder(k, step, target.l2Bytes / (bits / 8));
  SmallVector<int64_t> blocks = {0};
  for (int64_t pieces = 2; pieces * step <= k; pieces *= 2) {
    int64_t block =
        getEvenBlock(k, llvm::alignTo(llvm::divideCeil(k, pieces), step), step);
    if (blocks.back() != block)
      blocks.push_back(block);
  }
  return blocks;
}

std::vector<Schedule> listDots(linalg::LinalgOp op, const TargetInfo &target,
                               const GivenChoices &given) {
  StringRef packing = given.packing;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  Schedule schedule;
  schedule.kind = Schedule::Dot;
  if ((packing != "auto" && packing != "dots") ||
      (!isSumOfFloats(op) && !addsNarrowProducts(op, target, schedule)) ||
      !findDims(op, sizes, schedule))
    return {};
  unsigned bits = getElementBits(op);
  if (schedule.widening > 1)
    bits = kNarrowSumBits;
  schedule.lanes = target.getLanes(bits) * schedule.widening;
  // Of two vectors no tile is left: that is a reduction.
  if (packing == "auto" && schedule.m < 0 && schedule.n < 0)
    return {};

  auto getExtent = [&](int64_t dim) -> std::optional<int64_t> {
    if (dim < 0)
      return 1;
    return ShapedType::isDynamic(sizes[dim]) ? std::nullopt
                                             : std::optional(sizes[dim]);
  };
  std::optional<int64_t> rows = getExtent(schedule.m),
                         columns = getExtent(schedule.n);
  DotKernel kernel = getDotKernel(target, rows, columns);
  schedule.mr = kernel.rows;
  schedule.nr = kernel.columns;
  schedule.unroll = kernel.unroll;
  // Vectors that end behind a row are read under a mask, of which not all
  // machines have one for narrow numbers.
  int64_t depth = sizes[schedule.k], step = schedule.lanes * schedule.unroll;
  if (schedule.widening > 1 && !target.hasMasks(getNarrowestBits(op)) &&
      (ShapedType::isDynamic(depth) || depth % step != 0))
    return {};

  schedule.tile.assign(op.getNumLoops(), 1);
  auto block = [&](int64_t dim, std::optional<int64_t> extent, int64_t size) {
    if (dim >= 0)
      schedule.tile[dim] = extent && *extent <= size ? 0 : size;
  };
  block(schedule.m, rows, schedule.mr);
  block(schedule.n, columns, schedule.nr);
  constexpr int64_t kDynamic = std::numeric_limits<int64_t>::max();
  bool areRowsStreamed = rows.value_or(kDynamic) > columns.value_or(kDynamic);
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

  // Each pass over a tile of what is streamed fetches its part of the next one.
  // A single row leaves no pause.
  std::optional<int64_t> again = areRowsStreamed ? columns : rows;
  int64_t width = areRowsStreamed ? schedule.mr : schedule.nr;
  int64_t passes = again
                       ? llvm::divideCeil(*again, areRowsStreamed ? schedule.nr
                                                                  : schedule.mr)
                       : 1;
  SmallVector<int64_t> fetched = {0};
  if (again && *again > 1 && !given.isQuick)
    fetched.push_back(llvm::divideCeil(width, passes));
  std::vector<Schedule> ways;
  for (int64_t size :
       listBlocks(sizes[schedule.k], step, target, bits / schedule.widening)) {
    schedule.tile[schedule.k] = size;
    for (int64_t prefetch : fetched) {
      schedule.prefetch = prefetch;
      ways.push_back(schedule);
    }
    if (given.isQuick)
      break;
  }
  return ways;
}

} // namespace ein
