//===- SelectReductions.cpp - Reductions in vectors -----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is reduced lies along memory, or across it.
//
//  * Along a row, the lanes of several vectors are sums of their own, as one
//    sum would wait for each addition to end. They are added up behind the row.
//    That changes the order, so it is for what has none: a sum of floats that
//    says so, and whatever is exact. Where rows are no multiple of a vector, a
//    first vector under a mask ends where one of memory begins:
//    what lies across two cache lines takes two accesses.
//    Narrow elements that are extended to be added up are taken a register of
//    them at a time, as processors add neighbours and extend them at once; or
//    several registers, where these are added up in narrow numbers first.
//  * Across rows, vectors lie along the result, and each element of it is
//  summed
//    up in the order that is written. Where columns are long, going down a few
//    of them at a time would touch a page for each vector; so some rows are
//    taken side by side over all of their length, and the result, which is in a
//    near cache, is read and written once for them.
//
// Loops over other dims go as the largest operand lies in memory.
//
//===----------------------------------------------------------------------===//

#include "passes/select/SelectReductions.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/Combiner.h"
#include "passes/analysis/DimRoles.h"
#include "passes/analysis/ElementBytes.h"
#include "passes/analysis/IeeeMinMax.h"
#include "passes/analysis/Reductions.h"
#include "passes/analysis/VectorBody.h"
#include "passes/select/SelectStreams.h"
#include "target/VectorInstructions.h"

using namespace mlir;

namespace ein {

namespace {

class ReductionSelector {
public:
  ReductionSelector(linalg::LinalgOp op, const TargetInfo &target,
                    AffineMap map)
      : op(op), target(target), map(map), sizes(op.getStaticLoopRanges()) {
    schedule.kind = Schedule::Reduce;
    schedule.vectorDim = getLastDim(map);
    schedule.lanes = target.getLanes(getPartBits(op));
    schedule.masked = target.hasMasks(getNarrowestBits(op));
    for (auto [dim, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
      if (iterator == utils::IteratorType::reduction)
        sums.push_back(dim);
  }

  std::optional<Schedule> select();

private:
  bool isSum(int64_t dim) { return llvm::is_contained(sums, dim); }
  int64_t getVectorsTogether(int64_t size);
  void selectBlocks();
  void selectOrder();

  linalg::LinalgOp op;
  const TargetInfo &target;
  AffineMap map;
  SmallVector<int64_t> sizes, sums;
  Schedule schedule;
};

} // namespace

/// Blocks of rows, if what is read of a few columns would be far apart.
void ReductionSelector::selectBlocks() {
  constexpr int64_t kRows = 16;
  schedule.tile.assign(op.getNumLoops(), 1);
  for (int64_t dim : sums)
    schedule.tile[dim] = 0;
  schedule.tile[schedule.vectorDim] = 0;
  if (isSum(schedule.vectorDim))
    return;
  auto type = cast<ShapedType>(getLargestInput(op)->get().getType());
  bool isNear =
      type.hasStaticShape() && type.getNumElements() * getElementBytes(type) <=
                                   int64_t(target.l2Bytes / 2);
  if (isNear || !map.isFunctionOfDim(sums.front()))
    return;
  int64_t rows = sizes[sums.front()];
  bool isShort = !ShapedType::isDynamic(rows) && rows <= 2 * kRows;
  // Of an image, the rows that are one after the other are those of the other
  // sums.
  double others = 1;
  for (int64_t dim : ArrayRef(sums).drop_front())
    others *= ShapedType::isDynamic(sizes[dim]) ? 1.0 : double(sizes[dim]);
  if (others >= kRows / 2)
    schedule.tile[sums.front()] = 1;
  else if (!isShort)
    schedule.tile[sums.front()] = kRows;
}

/// As the operand lies in memory; what it does not have is outside. Sums stay
/// in their order, but that along vectors is innermost.
void ReductionSelector::selectOrder() {
  SmallVector<int64_t> read, inside;
  for (int64_t dim = 0, e = op.getNumLoops(); dim < e; ++dim)
    if (!map.isFunctionOfDim(dim))
      read.push_back(dim);
  for (AffineExpr expr : map.getResults())
    read.push_back(cast<AffineDimExpr>(expr).getPosition());
  for (int64_t dim : read)
    if (schedule.tile[dim] > 0)
      schedule.interchange.push_back(dim);
  for (int64_t dim : sums)
    if (schedule.tile[dim] == 0 && dim != schedule.vectorDim)
      inside.push_back(dim);
  if (!isSum(schedule.vectorDim))
    schedule.interchange.push_back(schedule.vectorDim);
  llvm::append_range(schedule.interchange, inside);
  if (isSum(schedule.vectorDim))
    schedule.interchange.push_back(schedule.vectorDim);
}

/// How many vectors of a row of `size` elements are added up to each other
/// before they are added to a sum.
int64_t ReductionSelector::getVectorsTogether(int64_t size) {
  constexpr unsigned kSumBits = 32;
  Operation *extension = getSumExtension(op);
  if (!extension->getResult(0).getType().isInteger(kSumBits))
    return 1;
  int64_t count = getVectorsInSum(
      target, extension->getOperand(0).getType().getIntOrFloatBitWidth(),
      isa<arith::ExtSIOp>(extension));
  return ShapedType::isDynamic(size) || size >= count * schedule.lanes ? count
                                                                       : 1;
}

/// Whether sums of products of complex numbers are kept as ComplexSums.h has
/// them: two for each.
static bool addsComplexProducts(linalg::LinalgOp op) {
  Operation *combiner = getCombiner(op);
  if (!isa_and_present<complex::AddOp>(combiner) || looksAtParts(op))
    return false;
  Value combined = getCombined(op, combiner);
  return combined && combined.getDefiningOp<complex::MulOp>();
}

std::optional<Schedule> ReductionSelector::select() {
  // Two additions a cycle that take four cycles each.
  constexpr int64_t kVectors = 8;
  // Of what is tracked, each has a mask register, of which there are seven.
  constexpr int64_t kTracked = 4;
  // The first of some bits is found in a general register.
  constexpr int64_t kMostBits = 64;
  int64_t size = sizes[schedule.vectorDim], lanes = schedule.lanes;
  if (lanes < 2)
    return std::nullopt;
  // Of a search, what is looked at is the elements of a row.
  bool isSearch = matchSearch(op, schedule.vectorDim).has_value();
  if (isSearch)
    schedule.lanes = lanes = std::min<int64_t>(
        kMostBits,
        target.getLanes(8 * getScalarBytes(getElementTypeOrSelf(
                                getLargestInput(op)->get().getType()))));
  int64_t widening = getWidening(op);
  if (isSum(schedule.vectorDim) && !hasFormulas(op) &&
      (ShapedType::isDynamic(size) || size >= widening * lanes)) {
    schedule.widening = widening;
    schedule.lanes = lanes *= widening;
  }
  int64_t together = schedule.widening > 1 ? getVectorsTogether(size) : 1;
  schedule.ieeeMinMax = isGathered(op, target.exactMaxima);
  int64_t most = schedule.ieeeMinMax || isSearch ? kTracked : kVectors;
  // Of complex numbers each is two vectors, and four of sums of products.
  if (isa<ComplexType>(getElementTypeOrSelf(op.getDpsInits()[0])))
    most /= 2;
  constexpr unsigned kLeft = 4;
  if (addsComplexProducts(op) && 4 * most + kLeft > target.vectorRegisters)
    most /= 2;
  if (hasFormulas(op)) {
    most = 1;
    schedule.lanes = lanes *= getVectorsOfFormulas(size, lanes);
  }
  if (!ShapedType::isDynamic(size)) {
    if (size < lanes)
      return std::nullopt;
    most = std::min<int64_t>(most, llvm::bit_floor(uint64_t(size / lanes)));
  }
  // Memory gives a vector in two cycles, and there is less of a rest.
  if (schedule.masked && beginsAnywhere(op, schedule.vectorDim, lanes))
    most = std::min(most, kVectors / 2);
  schedule.prefetch = isSum(schedule.vectorDim) && readsNextRows(op, target);
  schedule.unroll = most;
  if (together > 1) {
    schedule.unroll = 1;
    schedule.widening *= together;
    schedule.lanes *= together;
  }
  selectBlocks();
  selectOrder();
  return schedule;
}

std::optional<Schedule> selectReduction(linalg::LinalgOp op,
                                        const TargetInfo &target) {
  if (op.getNumReductionLoops() == 0 || op.getNumDpsInits() != 1 ||
      op.getNumDpsInputs() == 0)
    return std::nullopt;
  AffineMap map = op.getMatchingIndexingMap(getLargestInput(op));
  if (!map.isProjectedPermutation() || map.getNumResults() == 0)
    return std::nullopt;
  if (failed(matchReduction(op, getLastDim(map))))
    return std::nullopt;
  return ReductionSelector(op, target, map).select();
}

} // namespace ein
