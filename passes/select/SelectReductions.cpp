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
#include "passes/select/PriceSchedule.h"
#include "passes/select/SelectGroups.h"
#include "passes/select/SelectStreams.h"
#include "target/SumRegisters.h"
#include "target/VectorCode.h"
#include "target/VectorInstructions.h"

using namespace mlir;

namespace ein {

namespace {

class ReductionLister {
public:
  ReductionLister(linalg::LinalgOp op, const TargetInfo &target, AffineMap map)
      : op(op), target(target), map(map), sizes(op.getStaticLoopRanges()),
        pricer(op, target, findSurroundings(op)) {
    base.kind = Schedule::Reduce;
    base.vectorDim = getLastDim(map);
    base.lanes = target.getLanes(getPartBits(op));
    base.masked = target.hasMasks(getNarrowestBits(op));
    for (auto [dim, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
      if (iterator == utils::IteratorType::reduction)
        sums.push_back(dim);
    base.tile.assign(op.getNumLoops(), 1);
    for (int64_t dim : sums)
      base.tile[dim] = 0;
    base.tile[base.vectorDim] = 0;
  }

  std::vector<Candidate> list();

private:
  bool isSum(int64_t dim) { return llvm::is_contained(sums, dim); }
  bool setLanes();
  int64_t getVectorsTogether(int64_t size);
  bool fits(int64_t unroll);
  SmallVector<int64_t> getUnrolls();
  SmallVector<int64_t> getRowBlocks();
  void selectOrder(Schedule &schedule);
  Candidate make(int64_t unroll, int64_t rows);
  std::optional<Candidate> align(const Candidate &candidate);

  linalg::LinalgOp op;
  const TargetInfo &target;
  AffineMap map;
  SmallVector<int64_t> sizes, sums;
  OpPricer pricer;
  Schedule base;
  /// Whether a lane gets several products at once.
  bool addsProducts = false;
};

} // namespace

/// As the operand lies in memory; what it does not have is outside. Sums stay
/// in their order, but that along vectors is innermost.
void ReductionLister::selectOrder(Schedule &schedule) {
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
int64_t ReductionLister::getVectorsTogether(int64_t size) {
  Operation *extension = getSumExtension(op);
  if (!extension->getResult(0).getType().isInteger(kNarrowSumBits))
    return 1;
  int64_t count = getVectorsInSum(
      target, extension->getOperand(0).getType().getIntOrFloatBitWidth(),
      isa<arith::ExtSIOp>(extension));
  return ShapedType::isDynamic(size) || size >= count * base.lanes ? count : 1;
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

/// What one vector is of; false if there is less than one.
bool ReductionLister::setLanes() {
  // The first of some bits is found in a general register.
  constexpr int64_t kMostBits = 64;
  int64_t size = sizes[base.vectorDim];
  if (base.lanes < 2)
    return false;
  // Of a search, what is looked at is the elements of a row.
  if (matchSearch(op, base.vectorDim))
    base.lanes = std::min<int64_t>(
        kMostBits,
        target.getLanes(8 * getScalarBytes(getElementTypeOrSelf(
                                getLargestInput(op)->get().getType()))));
  auto hasVector = [&](int64_t widening) {
    return isSum(base.vectorDim) && !hasFormulas(op) &&
           (ShapedType::isDynamic(size) || size >= widening * base.lanes);
  };
  int64_t widening = getWidening(op);
  if (Schedule way = base;
      selectProductsOfRows(op, target, way) && hasVector(way.widening)) {
    base = way;
    base.lanes *= base.widening;
    addsProducts = true;
  } else if (hasVector(widening)) {
    base.widening = widening;
    base.lanes *= widening;
    int64_t together = widening > 1 ? getVectorsTogether(size) : 1;
    base.widening *= together;
    base.lanes *= together;
  }
  base.ieeeMinMax = isGathered(op, target.exactMaxima);
  if (hasFormulas(op))
    base.lanes *= getVectorsOfFormulas(
        target,
        ShapedType::isDynamic(size) ? std::nullopt : std::optional(size),
        base.lanes);
  base.prefetch = isSum(base.vectorDim) && readsNextRows(op, target);
  return ShapedType::isDynamic(size) || size >= base.lanes;
}

/// Whether there are registers for so many sums.
bool ReductionLister::fits(int64_t unroll) {
  SumRegisters registers = {
      unroll, 1, base.ieeeMinMax || matchSearch(op, base.vectorDim).has_value(),
      /*held=*/2};
  // Of complex numbers each is two vectors, and four of sums of products.
  if (isa<ComplexType>(getElementTypeOrSelf(op.getDpsInits()[0])))
    registers.vectors = addsComplexProducts(op) ? 4 : 2;
  // What is too much of products is added up beside them.
  if (addsProducts && base.dotOffset)
    registers.vectors = 2;
  return fitsRegisters(target, registers);
}

/// How many vectors could be summed up side by side: no more than registers
/// hold, and than it takes for none to wait.
SmallVector<int64_t> ReductionLister::getUnrolls() {
  int64_t size = sizes[base.vectorDim];
  // What computes functions, and what adds up neighbours, has several already.
  if (hasFormulas(op) || (!addsProducts && base.widening > getWidening(op)))
    return {1};
  auto most = int64_t(getSumsUnderWay(target.machine));
  SmallVector<int64_t> unrolls;
  for (int64_t unroll = 1; unroll <= most && fits(unroll); ++unroll) {
    // A row's sums are added up in pairs.
    if (isSum(base.vectorDim) && !llvm::isPowerOf2_64(unroll))
      continue;
    if (!ShapedType::isDynamic(size) && size < unroll * base.lanes)
      break;
    unrolls.push_back(unroll);
  }
  return unrolls;
}

/// How many rows could be taken side by side over all of their length, where
/// vectors lie across rows; 0 is all of them. As many as the machine fetches
/// side by side, or half, which share fewer sets: of fewer the result would be
/// read and written again too often.
SmallVector<int64_t> ReductionLister::getRowBlocks() {
  SmallVector<int64_t> blocks = {0};
  if (isSum(base.vectorDim) || !map.isFunctionOfDim(sums.front()))
    return blocks;
  int64_t rows = sizes[sums.front()];
  constexpr auto kMost = int64_t(kReadStreams);
  for (int64_t block : {kMost / 2, kMost})
    if (ShapedType::isDynamic(rows) || block < rows)
      blocks.push_back(block);
  // Of one row there are others inside, as of an image.
  if (sums.size() > 1)
    blocks.push_back(1);
  return blocks;
}

Candidate ReductionLister::make(int64_t unroll, int64_t rows) {
  Schedule schedule = base;
  schedule.unroll = unroll;
  if (!isSum(schedule.vectorDim))
    schedule.tile[sums.front()] = rows;
  // Bytes of columns are added up in words first.
  int64_t widening = getWidening(op), size = sizes[schedule.vectorDim];
  if (addsBytesOfColumns(op, schedule.vectorDim, rows) &&
      (ShapedType::isDynamic(size) || size >= widening * schedule.lanes)) {
    schedule.widening = widening;
    schedule.lanes *= widening;
    schedule.unroll = std::max<int64_t>(unroll / widening, 1);
  }
  selectOrder(schedule);
  return {schedule, pricer.price(schedule)};
}

/// The same, with rows that begin with a vector of memory; none if they do, if
/// a part of a vector takes longer than a whole one, or of a search.
std::optional<Candidate> ReductionLister::align(const Candidate &candidate) {
  Schedule schedule = candidate.schedule;
  int64_t dim = schedule.vectorDim;
  if (!schedule.masked || !beginsAnywhere(op, dim, base.lanes) ||
      matchSearch(op, dim))
    return std::nullopt;
  schedule.aligned = true;
  return Candidate{schedule, pricer.price(schedule)};
}

std::vector<Candidate> ReductionLister::list() {
  if (!setLanes())
    return {};
  SmallVector<int64_t> unrolls = getUnrolls();
  // How many rows depends little on how many vectors.
  std::vector<Candidate> blocks;
  for (int64_t rows : getRowBlocks())
    blocks.push_back(make(unrolls.back(), rows));
  sortByWork(blocks);
  int64_t rows = blocks.front().schedule.tile[sums.front()];
  // Of equals, lines that are read once leave the caches to others.
  std::vector<Candidate> candidates(blocks.begin() + 1, blocks.end()), others;
  for (int64_t unroll : unrolls) {
    Candidate way = make(unroll, rows);
    if (std::optional<Candidate> aligned = align(way)) {
      if (aligned->cost->cycles <= kAbout * way.cost->cycles)
        std::swap(way, *aligned);
      others.push_back(std::move(*aligned));
    }
    candidates.push_back(std::move(way));
  }
  sortByWork(candidates);
  llvm::append_range(candidates, others);
  return candidates;
}

std::vector<Candidate> listReductions(linalg::LinalgOp op,
                                      const TargetInfo &target) {
  if (op.getNumReductionLoops() == 0 || op.getNumDpsInits() != 1 ||
      op.getNumDpsInputs() == 0)
    return {};
  AffineMap map = op.getMatchingIndexingMap(getLargestInput(op));
  if (!map.isProjectedPermutation() || map.getNumResults() == 0)
    return {};
  if (failed(matchReduction(op, getLastDim(map))))
    return {};
  return ReductionLister(op, target, map).list();
}

} // namespace ein
