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
// aligned, and rows of a matrix begin anywhere. So a row gets one ordinary
// vector at its beginning and one at its end, and aligned ones between, which
// overlap with these two; what is written twice is the same both times, as the
// loop does not read what it writes.
//
// Other threads see non-temporal stores only behind a fence; there is one where
// the nest ends.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/MemoryObjects.h"
#include "passes/Passes.h"
#include "passes/Strategy.h"
#include "llvm/Support/MathExtras.h"

namespace ein {
#define GEN_PASS_DEF_STREAMSTORES
#include "passes/Passes.h.inc"
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
  /// Elements in a vector, their bytes and the vector's.
  int64_t lanes;
  int64_t elementBytes;
  int64_t vectorBytes;
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
  for (auto read : loop.getBody()->getOps<vector::TransferReadOp>()) {
    Value other = getObject(read.getBase());
    if (!object || !other || other == object)
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
  Stream stream{write, tile, type.getNumElements(),
                type.getElementTypeBitWidth() / 8, 0};
  stream.vectorBytes = stream.lanes * stream.elementBytes;
  auto memref = dyn_cast<MemRefType>(write.getBase().getType());
  bool isOneVector = type.getShape().back() == stream.lanes &&
                     getConstantIntValue(loop.getStep()) == stream.lanes;
  if (!isOneVector || stream.elementBytes == 0 ||
      !llvm::isPowerOf2_64(stream.vectorBytes) || stream.vectorBytes < 16 ||
      stream.vectorBytes > 64 || !memref || !memref.isLastDimUnitStride())
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
  auto metadata = memref::ExtractStridedMetadataOp::create(b, loc, begin);
  Value pointer = memref::ExtractAlignedPointerAsIndexOp::create(
      b, loc, metadata.getBaseBuffer());
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Value bytes = arith::MulIOp::create(b, loc, metadata.getOffset(),
                                      constant(stream.elementBytes));
  Value address = arith::AddIOp::create(b, loc, pointer, bytes);
  Value negative = arith::SubIOp::create(b, loc, constant(0), address);
  Value rest =
      arith::AndIOp::create(b, loc, negative, constant(stream.vectorBytes - 1));
  return arith::DivUIOp::create(b, loc, rest, constant(stream.elementBytes));
}

/// Whether this pays when the code runs: the result has `bytes`, its rows more
/// than a few vectors. Constant, after folding, where sizes are.
static Value createTest(OpBuilder &b, Location loc, Stream stream,
                        scf::ForOp loop, int64_t bytes) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Value length =
      arith::SubIOp::create(b, loc, loop.getUpperBound(), loop.getLowerBound());
  Value isLong =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, length,
                            constant(kShortestRow * stream.lanes));
  Value size = constant(stream.elementBytes);
  Value source = stream.tile.getSource();
  for (int64_t dim : llvm::seq(cast<MemRefType>(source.getType()).getRank()))
    size = arith::MulIOp::create(b, loc, size,
                                 memref::DimOp::create(b, loc, source, dim));
  Value isLarge = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, size,
                                        constant(bytes));
  return arith::AndIOp::create(b, loc, isLong, isLarge);
}

/// The loop's body with `counter` for the loop's.
static IRMapping cloneBody(OpBuilder &b, scf::ForOp loop, Value counter) {
  IRMapping map;
  map.map(loop.getInductionVar(), counter);
  for (Operation &op : loop.getBody()->without_terminator())
    b.clone(op, map);
  return map;
}

/// One ordinary vector, aligned ones past the caches, one ordinary vector.
static void createStream(RewriterBase &b, Stream stream, scf::ForOp loop) {
  Location loc = loop.getLoc();
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound();
  Value lanes = arith::ConstantIndexOp::create(b, loc, stream.lanes);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value last = arith::SubIOp::create(b, loc, upper, lanes);
  Value first =
      arith::AddIOp::create(b, loc, lower, createHead(b, loc, stream, lower));
  cloneBody(b, loop, lower);
  Value end = arith::AddIOp::create(b, loc, last, one);
  auto middle = scf::ForOp::create(b, loc, first, end, lanes);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(middle.getBody());
    IRMapping map = cloneBody(b, loop, middle.getInductionVar());
    auto write = cast<vector::TransferWriteOp>(map.lookup(stream.write));
    b.setInsertionPoint(write);
    Type flat =
        VectorType::get({stream.lanes}, write.getVectorType().getElementType());
    Value vector =
        vector::ShapeCastOp::create(b, write.getLoc(), flat, write.getVector());
    vector::StoreOp::create(b, write.getLoc(), vector, write.getBase(),
                            write.getIndices(), /*nontemporal=*/true,
                            llvm::Align(stream.vectorBytes));
    b.eraseOp(write);
  }
  cloneBody(b, loop, last);
}

/// Has other threads see what the nest round `op` has written.
static void fenceNest(RewriterBase &b, Operation *op) {
  while (!isa<FunctionOpInterface, scf::ParallelOp>(op->getParentOp()))
    op = op->getParentOp();
  if (isa_and_present<LLVM::FenceOp>(op->getNextNode()))
    return;
  b.setInsertionPointAfter(op);
  LLVM::FenceOp::create(b, op->getLoc(), LLVM::AtomicOrdering::seq_cst);
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
    IRRewriter rewriter(&getContext());
    SmallVector<std::pair<scf::ForOp, int64_t>> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (auto bytes = loop->getAttrOfType<IntegerAttr>(kStreamAttr))
        loops.push_back({loop, bytes.getInt()});
      loop->removeAttr(kStreamAttr);
    });
    for (auto [loop, bytes] : loops)
      numStreams += streamStores(rewriter, loop, bytes);
  }
};
} // namespace

} // namespace ein
