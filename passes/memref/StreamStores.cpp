//===- StreamStores.cpp - Stores past the caches --------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A large result that is written once need not be read before: an ordinary
// store fetches the cache line that it changes, a non-temporal one of a whole
// line does not, and leaves the caches to what is read. Such stores have to be
// aligned, and rows of a matrix begin anywhere. So what is before the first
// whole line of a row, and behind the last one, is written by ordinary stores
// under a mask: a line that one of these has brought to the caches would have
// to be thrown out again. Squares of transpositions are in StreamSquares.cpp.
//
// Such a loop reads from memory, too. If it computes functions, it fetches what
// it will read a page later, so that it computes while memory is read.
//
// Other threads see non-temporal stores only behind a fence; there is one where
// the nest ends.
//
//===----------------------------------------------------------------------===//

#include "abi/CacheLine.h"
#include "ir/EinDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/analysis/MemoryObjects.h"
#include "passes/analysis/VectorBody.h"
#include "passes/memref/Passes.h"
#include "passes/memref/PrefetchRows.h"
#include "passes/memref/StreamSquares.h"
#include "passes/memref/StreamedLines.h"
#include "passes/schedule/ScheduledOps.h"
#include "llvm/Support/MathExtras.h"

namespace ein {
#define GEN_PASS_DEF_STREAMSTORES
#include "passes/memref/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {
/// Rows shorter than this many vectors are mostly beginning and end.
constexpr int64_t kShortestRow = 8;

/// The one write of a loop over vectors.
struct Stream {
  vector::TransferWriteOp write;
  memref::SubViewOp tile;
  /// What it is a part of.
  Value object;
  /// Elements in a vector, their bytes, and those that a store has to be
  /// aligned to: the vector's, or a cache line's if it has several of these.
  int64_t lanes;
  int64_t elementBytes;
  int64_t alignment;
};
} // namespace

/// A write of one vector at the loop's counter, in a loop that besides only
/// computes and reads other objects.
static std::optional<Stream> findStream(scf::ForOp loop) {
  if (loop.getNumResults() != 0)
    return std::nullopt;
  vector::TransferWriteOp write;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (auto found = dyn_cast<vector::TransferWriteOp>(op)) {
      if (write)
        return std::nullopt;
      write = found;
    } else if (!isa<vector::TransferReadOp>(op) && !isPure(&op)) {
      return std::nullopt;
    }
  }
  if (!write || write.getMask() || write.hasOutOfBoundsDim() ||
      !write.getPermutationMap().isMinorIdentity())
    return std::nullopt;
  auto tile = write.getBase().getDefiningOp<memref::SubViewOp>();
  if (!tile || !llvm::all_of(write.getIndices(), [](Value index) {
        return isConstantIntValue(index, 0);
      }))
    return std::nullopt;

  Value object = getObject(write.getBase());
  if (!object)
    return std::nullopt;
  for (auto read : loop.getBody()->getOps<vector::TransferReadOp>()) {
    Value other = getObject(read.getBase());
    if (!other || other == object)
      return std::nullopt;
  }
  // The last dim is walked by the counter, the others stand still.
  SmallVector<OpFoldResult> offsets = tile.getMixedOffsets();
  if (offsets.empty() ||
      dyn_cast<Value>(offsets.back()) != loop.getInductionVar())
    return std::nullopt;
  for (OpFoldResult offset : ArrayRef(offsets).drop_back())
    if (auto value = dyn_cast<Value>(offset);
        value && !loop.isDefinedOutsideOfLoop(value))
      return std::nullopt;
  if (!loop.isDefinedOutsideOfLoop(tile.getSource()))
    return std::nullopt;

  VectorType type = write.getVectorType();
  if (type.isScalable() || !type.getElementType().isIntOrFloat())
    return std::nullopt;
  Stream stream{write,
                tile,
                object,
                type.getNumElements(),
                type.getElementTypeBitWidth() / 8,
                0};
  int64_t vectorBytes = stream.lanes * stream.elementBytes;
  stream.alignment = std::min(vectorBytes, kCacheLineBytes);
  auto memref = dyn_cast<MemRefType>(write.getBase().getType());
  bool isOneVector = type.getShape().back() == stream.lanes &&
                     getConstantIntValue(loop.getStep()) == stream.lanes;
  if (!isOneVector || stream.elementBytes == 0 ||
      !llvm::isPowerOf2_64(vectorBytes) || vectorBytes < 16 || !memref ||
      !memref.isLastDimUnitStride())
    return std::nullopt;
  return stream;
}

/// How far behind `lower` the first aligned vector begins.
static Value createHead(OpBuilder &b, Location loc, Stream stream,
                        Value lower) {
  SmallVector<OpFoldResult> offsets = stream.tile.getMixedOffsets();
  offsets.back() = lower;
  auto begin = memref::SubViewOp::create(b, loc, stream.tile.getSource(),
                                         offsets, stream.tile.getMixedSizes(),
                                         stream.tile.getMixedStrides());
  return createElementsToLine(b, loc, begin, stream.alignment);
}

/// Whether this pays when the code runs: the result has `bytes`, its rows more
/// than a few vectors. Constant, after folding, where sizes are.
static Value createTest(OpBuilder &b, Location loc, Stream stream,
                        scf::ForOp loop, int64_t bytes) {
  Value shortest =
      arith::ConstantIndexOp::create(b, loc, kShortestRow * stream.lanes);
  Value length =
      arith::SubIOp::create(b, loc, loop.getUpperBound(), loop.getLowerBound());
  Value isLong = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge,
                                       length, shortest);
  // All of what is written: the tile may be one of a row.
  Value isLarge = createIsLarge(b, loc, stream.object, bytes);
  return arith::AndIOp::create(b, loc, isLong, isLarge);
}

/// The loop's body with `counter` for the loop's; returns its write.
static vector::TransferWriteOp cloneBody(OpBuilder &b, Stream stream,
                                         scf::ForOp loop, Value counter) {
  IRMapping map;
  map.map(loop.getInductionVar(), counter);
  for (Operation &op : loop.getBody()->without_terminator())
    b.clone(op, map);
  return cast<vector::TransferWriteOp>(map.lookup(stream.write));
}

/// The loop's body for one vector, of which the first `count` elements are
/// written, or all but these.
static void createEnd(RewriterBase &b, Stream stream, scf::ForOp loop,
                      Value counter, Value count, bool isHead) {
  vector::TransferWriteOp write = cloneBody(b, stream, loop, counter);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(write);
  ImplicitLocOpBuilder body(write.getLoc(), b);
  Value mask = createLaneMask(body, stream.lanes, count);
  if (!isHead) {
    auto all = DenseElementsAttr::get(cast<VectorType>(mask.getType()), true);
    mask =
        arith::XOrIOp::create(body, mask, arith::ConstantOp::create(body, all));
  }
  Type shape = VectorType::get(write.getVectorType().getShape(), b.getI1Type());
  write.getMaskMutable().assign(
      vector::ShapeCastOp::create(body, shape, mask).getResult());
}

/// Fetches what a loop that computes functions reads in some steps' time: with
/// a hundred instructions to a few lines a processor sees too few of them
/// ahead, and its own prefetching stops at the end of a page. What is smaller
/// than the result is in the caches.
static void prefetchReads(OpBuilder &b, Stream stream, scf::ForOp loop) {
  auto computes = [](Operation &op) {
    return op.getDialect() && op.getDialect()->getNamespace() ==
                                  math::MathDialect::getDialectNamespace();
  };
  if (llvm::none_of(loop.getBody()->without_terminator(), computes))
    return;
  int64_t rank = cast<MemRefType>(stream.object.getType()).getRank();
  for (auto read :
       llvm::to_vector(loop.getBody()->getOps<vector::TransferReadOp>())) {
    auto type = dyn_cast<MemRefType>(read.getBase().getType());
    auto object = dyn_cast<MemRefType>(getObject(read.getBase()).getType());
    if (!type || !object || object.getRank() < rank ||
        !read.getPermutationMap().isMinorIdentity() ||
        !object.getElementType().isIntOrFloat())
      continue;
    int64_t bits = object.getElementTypeBitWidth();
    b.setInsertionPoint(read);
    createPrefetches(b, read.getLoc(), read.getBase(), read.getIndices(),
                     kPageBytes * 8 / bits, stream.lanes);
  }
}

/// What is before the first line, lines past the caches, what is behind the
/// last.
static void createStream(RewriterBase &b, Stream stream, scf::ForOp loop) {
  Location loc = loop.getLoc();
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound();
  Value lanes = arith::ConstantIndexOp::create(b, loc, stream.lanes);
  Value last = arith::SubIOp::create(b, loc, upper, lanes);
  Value head = createHead(b, loc, stream, lower);
  Value first = arith::AddIOp::create(b, loc, lower, head);
  Value length = arith::SubIOp::create(b, loc, upper, first);
  Value mask = arith::ConstantIndexOp::create(b, loc, stream.lanes - 1);
  Value tail = arith::AndIOp::create(b, loc, length, mask);
  Value end = arith::SubIOp::create(b, loc, upper, tail);
  createEnd(b, stream, loop, lower, head, /*isHead=*/true);
  auto middle = scf::ForOp::create(b, loc, first, end, lanes);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(middle.getBody());
    auto write = cloneBody(b, stream, loop, middle.getInductionVar());
    prefetchReads(b, stream, middle);
    b.setInsertionPoint(write);
    Type flat =
        VectorType::get({stream.lanes}, write.getVectorType().getElementType());
    Value vector =
        vector::ShapeCastOp::create(b, write.getLoc(), flat, write.getVector());
    createStreamingStore(b, write.getLoc(), vector, write.getBase(),
                         write.getIndices(), stream.alignment);
    b.eraseOp(write);
  }
  Value before = arith::SubIOp::create(b, loc, lanes, tail);
  createEnd(b, stream, loop, last, before, /*isHead=*/false);
}

bool streamStores(RewriterBase &b, scf::ForOp loop, int64_t bytes) {
  std::optional<Stream> stream = findStream(loop);
  if (!stream)
    return false;
  b.setInsertionPoint(loop);
  Value test = createTest(b, loop.getLoc(), *stream, loop, bytes);
  auto branch = scf::IfOp::create(b, loop.getLoc(), test, /*withElse=*/true);
  b.setInsertionPointToStart(branch.thenBlock());
  createStream(b, *stream, loop);
  b.moveOpBefore(loop, branch.elseBlock(), branch.elseBlock()->begin());
  fenceNest(b, branch);
  return true;
}

namespace {
struct StreamStoresPass : impl::StreamStoresBase<StreamStoresPass> {
  void runOnOperation() override {
    prefetchRows(getOperation());
    IRRewriter rewriter(&getContext());
    SmallVector<std::pair<scf::ForOp, int64_t>> loops;
    SmallVector<std::pair<scf::ForOp, SquareBlock>> squares;
    getOperation().walk([&](scf::ForOp loop) {
      if (auto block =
              loop->getAttrOfType<ArrayAttr>(EinDialect::kStreamSquaresAttr))
        squares.push_back({loop, SquareBlock::get(block)});
      loop->removeAttr(EinDialect::kStreamSquaresAttr);
      if (auto bytes =
              loop->getAttrOfType<IntegerAttr>(EinDialect::kStreamAttr))
        loops.push_back({loop, bytes.getInt()});
      loop->removeAttr(EinDialect::kStreamAttr);
    });
    for (auto [loop, bytes] : loops)
      numStreams += streamStores(rewriter, loop, bytes);
    for (auto [loop, block] : squares)
      numStreams += streamSquares(rewriter, loop, block);
  }
};
} // namespace

} // namespace ein
