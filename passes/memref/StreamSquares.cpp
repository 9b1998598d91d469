//===- StreamSquares.cpp - Squares past the caches ------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A transposition writes each line once, a vector of one square, and a store
// fetches the line that it is about to overwrite: half of what goes over the
// bus for nothing. So large results are written by non-temporal stores, which
// have to be of whole lines: one that another store has brought to the caches
// must be thrown out again, which is several times slower than no such store at
// all. There are three cases, which are told apart when the code runs.
//
//   The rows of the result begin where lines do. A square's vectors are lines.
//   The loops are exchanged: then what is read comes in the order of memory,
//   and lines that are written need no order.
//
//   They do not. The block's squares are written to a buffer, as much of each
//   row as the block has, and from there to where it belongs: the lines that
//   are the block's alone past the caches, the two ends under a mask.
//
//   The result is small, and the caches hold it.
//
//===----------------------------------------------------------------------===//

#include "passes/memref/StreamSquares.h"
#include "abi/CacheLine.h"
#include "ir/EinDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/analysis/MemoryObjects.h"
#include "passes/analysis/Transposition.h"
#include "passes/analysis/VectorBody.h"
#include "passes/memref/StreamedLines.h"

using namespace mlir;

namespace ein {

namespace {

class SquareStreamer {
public:
  SquareStreamer(RewriterBase &b, scf::ForOp outer, const SquareBlock &block)
      : b(outer.getLoc(), b), outer(outer), block(block) {}

  /// Finds out what the loops are; false if they are not what can be streamed.
  bool find();
  void create();

private:
  Value getIndex(int64_t number) {
    return arith::ConstantIndexOp::create(b, number);
  }
  bool isCopy() const { return inner == outer; }
  void hoistViews();
  bool isAtCounter(Value index);
  /// Where rows of a block begin and end, as the result counts.
  Value getBegin() { return scale(inner.getLowerBound()); }
  Value getEnd() { return scale(inner.getUpperBound()); }
  Value scale(Value index) {
    return grain == 1 ? index
                      : arith::MulIOp::create(b, index, getIndex(grain));
  }
  bool canBuffer();
  Value isAligned();
  /// The loops once more, with `write` for each of their writes.
  using Write = function_ref<void(vector::TransferWriteOp, const IRMapping &)>;
  void cloneBody(scf::ForOp loop, IRMapping &map, Write write);
  void createLines();
  void createBuffered();
  Value createBuffer();
  void copyRow(Value buffer, Value column, Value number);

  ImplicitLocOpBuilder b;
  scf::ForOp outer, inner;
  SquareBlock block;
  vector::TransferWriteOp write;
  Value result;
  int64_t lanes = 0, elementBytes = 0;
  /// How many of the result's elements are one that the loops count: parts of
  /// complex numbers are two.
  int64_t grain = 1;
};

} // namespace

/// Out of the loops, memory as of another type.
void SquareStreamer::hoistViews() {
  SmallVector<ReinterpretOp> views;
  outer->walk([&](ReinterpretOp view) { views.push_back(view); });
  for (ReinterpretOp view : views)
    if (outer.isDefinedOutsideOfLoop(view.getSource()))
      view->moveBefore(outer);
}

/// Whether the inner loop counts what `index` does, but for `grain`.
bool SquareStreamer::isAtCounter(Value index) {
  if (grain == 1)
    return index == inner.getInductionVar();
  auto apply = index.getDefiningOp<affine::AffineApplyOp>();
  return apply && apply.getMapOperands().size() == 1 &&
         apply.getMapOperands()[0] == inner.getInductionVar() &&
         apply.getAffineMap().getResult(0) ==
             getAffineDimExpr(0, index.getContext()) * grain;
}

bool SquareStreamer::find() {
  inner = outer;
  if (outer.getNumResults() != 0)
    return false;
  if (block.axis >= 0) {
    auto loops = outer.getBody()->getOps<scf::ForOp>();
    if (!llvm::hasSingleElement(loops))
      return false;
    inner = *loops.begin();
    for (Operation &op : outer.getBody()->without_terminator())
      if (&op != inner.getOperation() && !isPure(&op))
        return false;
    for (Value bound :
         {inner.getLowerBound(), inner.getUpperBound(), inner.getStep()})
      if (!outer.isDefinedOutsideOfLoop(bound))
        return false;
    if (inner.getNumResults() != 0)
      return false;
  }
  std::optional<int64_t> step = getConstantIntValue(inner.getStep());
  if (!step)
    return false;
  hoistViews();
  SmallVector<Value> sources;
  for (Operation &op : inner.getBody()->without_terminator()) {
    if (auto found = dyn_cast<vector::TransferWriteOp>(op)) {
      if (write && found.getBase() != write.getBase())
        return false;
      VectorType type = found.getVectorType();
      grain = type.getNumElements() / *step;
      if (found.getMask() || found.hasOutOfBoundsDim() || type.isScalable() ||
          type.getRank() != 1 || !type.getElementType().isIntOrFloat() ||
          !found.getPermutationMap().isMinorIdentity() ||
          type.getNumElements() != grain * *step ||
          !isAtCounter(found.getIndices().back()))
        return false;
      if (!write)
        write = found;
    } else if (auto read = dyn_cast<vector::TransferReadOp>(op)) {
      sources.push_back(read.getBase());
    } else if (!isPure(&op)) {
      return false;
    }
  }
  if (!write || !outer.isDefinedOutsideOfLoop(write.getBase()))
    return false;
  result = write.getBase();
  Value object = getObject(result);
  auto isApart = [&](Value source) {
    Value other = getObject(source);
    return object && other && other != object;
  };
  auto type = cast<MemRefType>(result.getType());
  lanes = write.getVectorType().getNumElements();
  elementBytes = type.getElementTypeBitWidth() / 8;
  return llvm::all_of(sources, isApart) && type.isLastDimUnitStride() &&
         lanes * elementBytes == kCacheLineBytes;
}

/// Whether each row begins where a line does, and the loop along it too.
Value SquareStreamer::isAligned() {
  auto metadata = memref::ExtractStridedMetadataOp::create(b, result);
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(
      b, metadata.getBaseBuffer());
  Value steps = arith::OrIOp::create(b, metadata.getOffset(), getBegin());
  for (Value stride : metadata.getStrides().drop_back())
    steps = arith::OrIOp::create(b, steps, stride);
  Value bytes = arith::MulIOp::create(b, steps, getIndex(elementBytes));
  Value rest = arith::AndIOp::create(b, arith::OrIOp::create(b, address, bytes),
                                     getIndex(kCacheLineBytes - 1));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, rest, getIndex(0));
}

void SquareStreamer::cloneBody(scf::ForOp loop, IRMapping &map, Write create) {
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (&op == inner.getOperation())
      continue;
    if (auto found = dyn_cast<vector::TransferWriteOp>(op))
      create(found, map);
    else
      b.clone(op, map);
  }
}

static scf::ForOp createLike(ImplicitLocOpBuilder &b, scf::ForOp loop,
                             IRMapping &map) {
  auto copy = scf::ForOp::create(b, loop.getLowerBound(), loop.getUpperBound(),
                                 loop.getStep());
  map.map(loop.getInductionVar(), copy.getInductionVar());
  b.setInsertionPointToStart(copy.getBody());
  return copy;
}

/// The squares, each vector of which is a line.
void SquareStreamer::createLines() {
  OpBuilder::InsertionGuard guard(b);
  IRMapping map;
  auto store = [&](vector::TransferWriteOp write, const IRMapping &map) {
    auto places = llvm::map_to_vector(write.getIndices(), [&](Value index) {
      return map.lookupOrDefault(index);
    });
    createStreamingStore(b, b.getLoc(), map.lookupOrDefault(write.getVector()),
                         result, places, kCacheLineBytes);
  };
  createLike(b, inner, map);
  if (!isCopy()) {
    createLike(b, outer, map);
    cloneBody(outer, map, store);
  }
  cloneBody(inner, map, store);
}

/// Whether a block fits a buffer on the stack.
bool SquareStreamer::canBuffer() {
  if (isCopy() || block.rows == 0 || block.columns == 0 ||
      !canBufferSquares(double(block.rows * grain), double(block.columns),
                        double(elementBytes), double(lanes)))
    return false;
  // A row's place but for the two dims of the loops.
  for (auto [axis, index] : llvm::enumerate(write.getIndices().drop_back()))
    if (int64_t(axis) != block.axis && !outer.isDefinedOutsideOfLoop(index))
      return false;
  return true;
}

/// On the stack of the function, or of a thread.
Value SquareStreamer::createBuffer() {
  OpBuilder::InsertionGuard guard(b);
  Operation *around = outer->getParentOp();
  while (!isa<FunctionOpInterface, scf::ParallelOp>(around))
    around = around->getParentOp();
  b.setInsertionPointToStart(&around->getRegion(0).front());
  // A line more, lest all rows of the buffer be in one set of L1.
  auto type = MemRefType::get({block.columns, block.rows * grain + lanes},
                              write.getVectorType().getElementType());
  return memref::AllocaOp::create(b, type,
                                  b.getI64IntegerAttr(kCacheLineBytes));
}

/// Row `number` of the buffer to where the result has column `column`.
void SquareStreamer::copyRow(Value buffer, Value column, Value number) {
  SmallVector<Value> place(write.getIndices());
  place[block.axis] = column;
  Value begin = getBegin();
  place.back() = begin;
  Value zero = getIndex(0), all = getIndex(lanes);
  Value length = arith::SubIOp::create(b, getEnd(), begin);

  VectorType type = write.getVectorType();
  Value padding =
      arith::ConstantOp::create(b, b.getZeroAttr(type.getElementType()));
  AffineMap map = AffineMap::getMinorIdentityMap(2, 1, b.getContext());
  auto read = [&](Value at) -> Value {
    return vector::TransferReadOp::create(
        b, type, buffer, ValueRange{number, at}, AffineMapAttr::get(map),
        padding, Value(), b.getBoolArrayAttr({true}));
  };
  auto writeEnd = [&](Value at, Value count) {
    SmallVector<Value> there = place;
    there.back() = arith::AddIOp::create(b, begin, at);
    vector::TransferWriteOp::create(
        b, read(at), result, there, write.getPermutationMapAttr(),
        createLaneMask(b, lanes, count), b.getBoolArrayAttr({true}));
  };
  // Elements before the first line that is the row's alone.
  SmallVector<OpFoldResult> one(place.size(), b.getIndexAttr(1));
  Value row =
      memref::SubViewOp::create(b, result, getAsOpFoldResult(place), one, one);
  Value head = arith::MinUIOp::create(
      b, createElementsToLine(b, b.getLoc(), row, kCacheLineBytes), length);
  Value rest = arith::SubIOp::create(b, length, head);
  Value tail = arith::AndIOp::create(b, rest, getIndex(lanes - 1));
  Value end = arith::SubIOp::create(b, length, tail);
  writeEnd(zero, head);
  auto lines = scf::ForOp::create(b, head, end, all);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(lines.getBody());
    Value at = lines.getInductionVar();
    SmallVector<Value> there = place;
    there.back() = arith::AddIOp::create(b, begin, at);
    createStreamingStore(b, b.getLoc(), read(at), result, there,
                         kCacheLineBytes);
  }
  writeEnd(end, tail);
}

/// The squares to a buffer, the buffer's rows to the result.
void SquareStreamer::createBuffered() {
  Value buffer = createBuffer();
  Value firstColumn = outer.getLowerBound(), firstRow = getBegin();
  auto store = [&](vector::TransferWriteOp write, const IRMapping &map) {
    Value column = map.lookupOrDefault(write.getIndices()[block.axis]);
    Value row = map.lookupOrDefault(write.getIndices().back());
    Value place[] = {arith::SubIOp::create(b, column, firstColumn),
                     arith::SubIOp::create(b, row, firstRow)};
    vector::StoreOp::create(b, map.lookupOrDefault(write.getVector()), buffer,
                            place);
  };
  OpBuilder::InsertionGuard guard(b);
  IRMapping map;
  auto columns = createLike(b, outer, map);
  cloneBody(outer, map, store);
  createLike(b, inner, map);
  cloneBody(inner, map, store);

  b.setInsertionPointAfter(columns);
  auto copies = scf::ForOp::create(b, outer.getLowerBound(),
                                   outer.getUpperBound(), getIndex(1));
  b.setInsertionPointToStart(copies.getBody());
  Value column = copies.getInductionVar();
  copyRow(buffer, column, arith::SubIOp::create(b, column, firstColumn));
}

void SquareStreamer::create() {
  b.setInsertionPoint(outer);
  auto large = scf::IfOp::create(
      b, createIsLarge(b, b.getLoc(), result, block.bytes), /*withElse=*/true);
  bool buffers = canBuffer();
  b.setInsertionPointToStart(large.thenBlock());
  Value aligned = isAligned();
  auto lines = scf::IfOp::create(b, aligned, /*withElse=*/true);
  b.setInsertionPointToStart(lines.thenBlock());
  createLines();
  b.setInsertionPointToStart(lines.elseBlock());
  if (buffers)
    createBuffered();
  else
    b.clone(*outer);
  outer->moveBefore(large.elseBlock(), large.elseBlock()->begin());
  IRRewriter rewriter(b.getContext());
  fenceNest(rewriter, large);
}

bool streamSquares(RewriterBase &b, scf::ForOp outer,
                   const SquareBlock &block) {
  SquareStreamer streamer(b, outer, block);
  if (!streamer.find())
    return false;
  streamer.create();
  return true;
}

} // namespace ein
