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
#include "target/Target.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace ein {

/// The width of the widest element; none if one is not of whole bytes. Floats
/// of 16 bits are none: LLVM stores vectors of them under a mask by calls.
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
    if (type.isF16() || type.isBF16())
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

/// From how many bytes of the result on whole lines of it go past the caches; 0
/// if that is never. A near cache holds less; what is read again by this
/// function is better off in a far one.
static int64_t getStreamBytes(linalg::LinalgOp op, int64_t vectorBytes,
                              const TargetInfo &target, StringRef packing) {
  auto result = dyn_cast<RankedTensorType>(op.getDpsInits()[0].getType());
  bool isReturned = llvm::all_of(op->getUsers(), [](Operation *user) {
    return user->hasTrait<OpTrait::ReturnLike>();
  });
  if (target.streamBytes == 0 || vectorBytes != kCacheLineBytes || !result ||
      !isReturned || isa<ComplexType>(result.getElementType()))
    return 0;
  int64_t least = packing == "always" ? 1 : 2 * int64_t(target.l2Bytes);
  bool isSmall =
      result.hasStaticShape() &&
      result.getNumElements() < least * 8 / result.getElementTypeBitWidth();
  return isSmall ? 0 : least;
}

std::optional<Schedule> selectTranspose(linalg::LinalgOp op,
                                        const TargetInfo &target,
                                        StringRef packing) {
  // Squares of more rows than there are registers would be kept on the stack.
  constexpr int64_t kLongestVector = 16, kRunBytes = 256, kLongestRun = 128,
                    kLongerRows = 4, kLongerColumns = 2;
  std::optional<TransposeDims> dims = getTransposeDims(op);
  std::optional<unsigned> width = getWidth(op);
  if (!dims || !width || !canBeVectors(op))
    return std::nullopt;
  if (dims->column < 0 && !isa<linalg::TransposeOp>(op.getOperation()))
    return std::nullopt;

  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  Schedule schedule;
  schedule.kind = Schedule::Transpose;
  schedule.lanes = std::min<int64_t>(target.getLanes(*width), kLongestVector);
  for (int64_t dim : {dims->row, dims->column})
    if (dim >= 0 && !ShapedType::isDynamic(sizes[dim]))
      schedule.lanes =
          std::min<int64_t>(schedule.lanes, llvm::PowerOf2Ceil(sizes[dim]));
  Type element = getElementTypeOrSelf(op.getDpsInits()[0]);
  if (element.isIntOrFloat())
    schedule.streamBytes =
        getStreamBytes(op, schedule.lanes * element.getIntOrFloatBitWidth() / 8,
                       target, packing);
  int64_t run = std::min<int64_t>(kRunBytes / (*width / 8), kLongestRun);
  schedule.tile.assign(op.getNumLoops(), 1);
  if (dims->column < 0) {
    schedule.tile[dims->row] = 0;
  } else {
    for (OpOperand &operand : op->getOpOperands())
      extendBlocks(op.getMatchingIndexingMap(&operand), sizes, run,
                   schedule.tile);
    // What goes past the caches had better be many whole lines, and is then
    // read in the order of memory.
    if (schedule.streamBytes != 0) {
      schedule.tile[dims->row] *= kLongerRows;
      schedule.tile[dims->column] *= kLongerColumns;
    }
    for (auto [dim, size] : llvm::enumerate(sizes))
      if (!ShapedType::isDynamic(size) && size <= schedule.tile[dim])
        schedule.tile[dim] = 0;
  }

  // The result is written in the order of its memory, but for the two dims of
  // the squares, which come last.
  for (AffineExpr expr : op.getIndexingMapsArray().back().getResults()) {
    int64_t dim = cast<AffineDimExpr>(expr).getPosition();
    if (dim != dims->row && dim != dims->column)
      schedule.interchange.push_back(dim);
  }
  schedule.interchange.push_back(dims->row);
  if (dims->column >= 0)
    schedule.interchange.push_back(dims->column);
  return schedule;
}

} // namespace ein
