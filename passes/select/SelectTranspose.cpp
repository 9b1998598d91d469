//===- SelectTranspose.cpp - Which ops transpose in registers -------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A permutation of dims reads and writes each element once, and memory comes in
// cache lines. Where the source is contiguous along one dim and the result
// along another, either side alone is walked along its lines by loops, the
// other one then with a stride: a line for each element, again for the next
// one if the caches have not kept it.
//
// So a square of these two dims, a vector by a vector, is transposed in
// registers, and the squares go by blocks of both, small enough for L1 and long
// enough for a few lines in a row: pages are changed seldom, and lines that
// begin in the middle of a square are there when their other half is wanted.
// Where a dim is short, what follows it in memory belongs to the line: the
// block has that dim, too.
//
// What is done with the elements on the way, a conversion, a product, a sum
// with what is not transposed, is done with vectors of the result's rows.
//
//===----------------------------------------------------------------------===//

#include "passes/select/SelectTranspose.h"
#include "abi/CacheLine.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/ComplexVectors.h"
#include "passes/analysis/DimRoles.h"
#include "passes/analysis/ElementBytes.h"
#include "passes/analysis/Transposition.h"
#include "passes/analysis/VectorBody.h"
#include "passes/select/PriceSchedule.h"
#include "passes/select/SelectStreams.h"
#include "target/Target.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace ein {

/// The width of the widest element; none if one is not of whole bytes.
static std::optional<unsigned> getWidth(linalg::LinalgOp op) {
  unsigned width = 8;
  for (Type operand : op->getOperandTypes()) {
    Type type = getElementTypeOrSelf(operand);
    if (isa<ComplexType>(type) && hasVectorsOf(type)) {
      width = std::max<unsigned>(width, 8 * getScalarBytes(type));
      continue;
    }
    if (!type.isIntOrFloat() || type.getIntOrFloatBitWidth() % 8 != 0)
      return std::nullopt;
    width = std::max(width, type.getIntOrFloatBitWidth());
  }
  return width;
}

/// Of the dims of an operand, last ones first, as much as makes `run` elements
/// side by side; adds that to the blocks.
static void extendBlocks(AffineMap map, ArrayRef<int64_t> sizes, int64_t run,
                         MutableArrayRef<int64_t> blocks) {
  for (AffineExpr expr : llvm::reverse(map.getResults())) {
    int64_t dim = cast<AffineDimExpr>(expr).getPosition();
    blocks[dim] = std::max(blocks[dim], run);
    if (ShapedType::isDynamic(sizes[dim]) || sizes[dim] >= run)
      return;
    run = llvm::divideCeil(run, std::max<int64_t>(sizes[dim], 1));
  }
}

namespace {

class TransposeLister {
public:
  TransposeLister(linalg::LinalgOp op, const TargetInfo &target,
                  const GivenChoices &given, TransposeDims dims)
      : op(op), target(target), given(given), dims(dims),
        sizes(op.getStaticLoopRanges()), pricer(op, target, {}, given.assumed) {
  }

  std::vector<Candidate> list(unsigned width);

private:
  void selectLanes(unsigned width);
  bool canStream();
  SmallVector<int64_t> getRuns(int64_t dim);
  void add(int64_t readRun, int64_t writtenRun);

  linalg::LinalgOp op;
  const TargetInfo &target;
  const GivenChoices &given;
  TransposeDims dims;
  SmallVector<int64_t> sizes;
  OpPricer pricer;
  Schedule base;
  std::vector<Candidate> candidates;
};

} // namespace

/// Squares of more rows than there are registers would be kept on the stack;
/// and no side is longer than the result's.
void TransposeLister::selectLanes(unsigned width) {
  int64_t lanes =
      std::min<int64_t>(target.getLanes(width), target.vectorRegisters);
  for (int64_t dim : {dims.row, dims.column})
    if (dim >= 0 && !ShapedType::isDynamic(sizes[dim]))
      lanes = std::min<int64_t>(lanes, llvm::PowerOf2Ceil(sizes[dim]));
  base.lanes = lanes;
}

/// Past the caches go whole lines, of what this function does not read again.
bool TransposeLister::canStream() {
  Value result = op->getResult(0);
  Type element = getElementTypeOrSelf(result);
  bool hasVectors = element.isIntOrFloat() ||
                    (isa<ComplexType>(element) && hasVectorsOf(element));
  return target.machine.memory.stream != 0 && hasVectors &&
         base.lanes * getElementBits(op) / 8 == kCacheLineBytes &&
         llvm::all_of(result.getUsers(), [](Operation *user) {
           return user->hasTrait<OpTrait::ReturnLike>();
         });
}

/// How far a block could go along a dim: by powers of two, from one square to
/// what L2 holds of one square's rows.
SmallVector<int64_t> TransposeLister::getRuns(int64_t dim) {
  auto most =
      int64_t(target.machine.l2.bytes) / (base.lanes * getElementBits(op) / 8);
  SmallVector<int64_t> runs;
  for (int64_t run = base.lanes; run <= most; run *= 2) {
    runs.push_back(run);
    if (!ShapedType::isDynamic(sizes[dim]) && run >= sizes[dim])
      break;
  }
  return runs;
}

void TransposeLister::add(int64_t readRun, int64_t writtenRun) {
  Schedule schedule = base;
  for (OpOperand &operand : op->getOpOperands())
    extendBlocks(op.getMatchingIndexingMap(&operand), sizes,
                 op.isDpsInit(&operand) ? writtenRun : readRun, schedule.tile);
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (!ShapedType::isDynamic(size) && size <= schedule.tile[dim])
      schedule.tile[dim] = 0;
  candidates.push_back({schedule, pricer.price(schedule)});
}

std::vector<Candidate> TransposeLister::list(unsigned width) {
  base.kind = Schedule::Transpose;
  base.tile.assign(op.getNumLoops(), 1);
  selectLanes(width);
  // The result is written in the order of its memory, but for the two dims of
  // the squares, which come last.
  for (AffineExpr expr : op.getIndexingMapsArray().back().getResults()) {
    int64_t dim = cast<AffineDimExpr>(expr).getPosition();
    if (dim != dims.row && dim != dims.column)
      base.interchange.push_back(dim);
  }
  base.interchange.push_back(dims.row);
  if (dims.column >= 0)
    base.interchange.push_back(dims.column);
  SmallVector<int64_t, 2> streams;
  // Of open sizes it depends on them.
  bool isOpen = ShapedType::isDynamicShape(sizes);
  if (given.packing != "always" || !canStream())
    streams.push_back(0);
  if (canStream() && (given.packing == "always" || !isOpen))
    streams.push_back(1);
  for (int64_t stream : streams) {
    base.streamBytes = stream;
    if (dims.column < 0) {
      base.tile[dims.row] = 0;
      candidates.push_back({base, pricer.price(base)});
      continue;
    }
    for (int64_t read : getRuns(dims.column))
      for (int64_t written : getRuns(dims.row))
        add(read, written);
  }
  sortByPrice(candidates);
  // Of about equals the smallest blocks, which share caches with least.
  auto getPoints = [&](const Candidate &candidate) {
    double points = 1;
    for (auto [size, block] : llvm::zip_equal(sizes, candidate.schedule.tile))
      points *= double(block != 0 ? block : size);
    return points;
  };
  double most = candidates.front().cost->cycles * kAbout;
  auto end = llvm::find_if(candidates, [&](const Candidate &candidate) {
    return candidate.cost->cycles > most;
  });
  auto best = std::min_element(candidates.begin(), end,
                               [&](const Candidate &a, const Candidate &b) {
                                 return getPoints(a) < getPoints(b);
                               });
  std::rotate(candidates.begin(), best, best + 1);
  if (isOpen && canStream() && given.packing != "always")
    candidates.front().schedule.streamBytes =
        findStreamBytes(op, target, candidates.front().schedule);
  return std::move(candidates);
}

std::vector<Candidate> listTransposes(linalg::LinalgOp op,
                                      const TargetInfo &target,
                                      const GivenChoices &given) {
  std::optional<TransposeDims> dims = getTransposeDims(op);
  std::optional<unsigned> width = getWidth(op);
  if (!dims || !width || !canBeVectors(op))
    return {};
  if (dims->column < 0 && !isa<linalg::TransposeOp>(op.getOperation()))
    return {};
  return TransposeLister(op, target, given, *dims).list(*width);
}

} // namespace ein
