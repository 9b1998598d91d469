//===- VectorizeTransposes.cpp - Transpositions in registers --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A transposition reads and writes each element once, so its speed is that of
// its memory accesses: whole vectors on both sides. An input is contiguous
// along one dim, the result along another; a square of these two, a vector
// long, is read by rows, transposed in registers and written by rows, with what
// the op's body does in between. Inputs that are contiguous along the result's
// dim are read where they are needed; if all are, there is nothing to
// transpose.
//
// The loops are those over the blocks of the schedule, then those over the rest
// of a block's dims, then those over squares.
//
// Squares at the edge are cut to what is there. If that is a number, the rows
// that are missing are not read or written; if not, the last row is read again
// in their place, and written again, last of all with what it is.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/ComplexVectors.h"
#include "passes/analysis/Transposition.h"
#include "passes/analysis/VectorBody.h"
#include "passes/schedule/ScheduledOps.h"
#include "passes/schedule/SquareBlock.h"
#include "passes/vector/Passes.h"
#include "passes/vector/TransposeInRegisters.h"

namespace ein {
#define GEN_PASS_DEF_VECTORIZETRANSPOSES
#include "passes/vector/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

class TransposeVectorizer {
public:
  TransposeVectorizer(RewriterBase &rewriter, linalg::LinalgOp op,
                      Schedule schedule, TransposeDims dims)
      : b(op.getLoc(), rewriter), op(op), schedule(std::move(schedule)),
        row(dims.row), column(dims.column), lanes(this->schedule.lanes),
        isMove(op.getBlock()->without_terminator().empty()) {}

  Value create();

private:
  bool isCopy() const { return column < 0; }
  int64_t getTile(int64_t dim) const {
    return schedule.tile.empty() ? 0 : schedule.tile[dim];
  }
  Value getIndex(int64_t number) {
    return arith::ConstantIndexOp::create(b, number);
  }
  Value getEnd(int64_t dim) {
    return getValueOrCreateConstantIndexOp(b, b.getLoc(), sizes[dim]);
  }

  /// What is read for each row of the result, or for each square.
  struct Input {
    /// The operand, and the tensor that vectors are read of.
    Value operand, source;
    AffineMap map;
    BlockArgument argument;
    bool isTransposed;
    /// What the result is written over, element by element.
    bool isResult;
  };
  void addInput(OpOperand *operand);
  Type getUnit(Type element);
  int64_t getGrain(Type element);
  Value toUnits(Value value);

  /// A part of a dim that is done by vectors, complete ones or the rest.
  struct Part {
    Value begin, end;
    /// Elements of each vector; none if all lanes are. Else also as a number,
    /// if it is one.
    Value count;
    int64_t known;
  };
  SmallVector<Part> getParts(int64_t dim);
  Value createMask(Value count, int64_t grain);
  SmallVector<Value> getPlace(AffineMap map, ArrayRef<Value> position,
                              int64_t grain = 1);
  Value readRow(const Input &input, ArrayRef<Value> position, const Part &part);
  Value readDirect(const Input &input, ArrayRef<Value> position,
                   const Part &rows);
  SmallVector<Value> readSquare(const Input &input, SmallVector<Value> position,
                                const Part &rows, const Part &columns);
  Value writeRow(Value vector, Value tensor, ArrayRef<Value> position,
                 Value count);
  Value readResult(Value tensor, ArrayRef<Value> position, const Part &rows);
  Value computeRow(ArrayRef<Value> transposed, Value result,
                   ArrayRef<Value> position, const Part &rows);
  Value createSquare(Value tensor, SmallVector<Value> position,
                     const Part &rows, const Part &columns);

  using Body = function_ref<Value(Value iv, Value tensor)>;
  Value createLoop(Value begin, Value end, int64_t step, Value tensor,
                   bool isParallel, Body body);
  Value createBlocks(ArrayRef<int64_t> dims, Value tensor);
  Value createInside(ArrayRef<int64_t> dims, Value tensor);
  Value createSquares(Value tensor);
  void markStream(Value tensor);

  ImplicitLocOpBuilder b;
  linalg::LinalgOp op;
  Schedule schedule;
  /// The dims of the squares.
  int64_t row, column;
  int64_t lanes;
  /// Nothing is computed on the way.
  bool isMove;
  AffineMap output;
  SmallVector<Input> inputs;
  /// Per dim: its size, where the block begins (null if there is but one), and
  /// where in it the squares are.
  SmallVector<OpFoldResult> sizes;
  SmallVector<Value> begins, position;
  /// Of each dim of the squares, complete vectors and the rest.
  SmallVector<Part> rowParts, columnParts;
};

} // namespace

/// What vectors of the operand are made of. Complex numbers are two parts, but
/// those of two f32 that are only moved are f64.
Type TransposeVectorizer::getUnit(Type element) {
  if (!isa<ComplexType>(element))
    return element;
  Type part = getPartType(element);
  return part.isF32() && isMove ? b.getF64Type() : part;
}

/// How many of these an element is.
int64_t TransposeVectorizer::getGrain(Type element) {
  return isa<ComplexType>(element) && getUnit(element) == getPartType(element)
             ? 2
             : 1;
}

Value TransposeVectorizer::toUnits(Value value) {
  if (!isa<RankedTensorType>(value.getType()))
    return value;
  return ReinterpretOp::get(b, b.getLoc(), value,
                            getUnit(getElementTypeOrSelf(value)));
}

void TransposeVectorizer::addInput(OpOperand *operand) {
  if (!op.payloadUsesValueFromOperand(operand))
    return;
  AffineMap map = op.getMatchingIndexingMap(operand);
  int64_t rank = map.getNumResults();
  bool isTransposed =
      map.isFunctionOfDim(row) &&
      cast<AffineDimExpr>(map.getResult(rank - 1)).getPosition() != row;
  bool isResult = operand->get() == op.getDpsInits()[0] && map == output;
  inputs.push_back({operand->get(), toUnits(operand->get()), map,
                    op.getMatchingBlockArgument(operand), isTransposed,
                    isResult});
}

SmallVector<TransposeVectorizer::Part>
TransposeVectorizer::getParts(int64_t dim) {
  SmallVector<Part> parts;
  OpFoldResult size = sizes[dim];
  Value end = getEnd(dim);
  AffineExpr d0 = b.getAffineDimExpr(0);
  auto apply = [&](AffineExpr expr) {
    return getValueOrCreateConstantIndexOp(
        b, b.getLoc(),
        affine::makeComposedFoldedAffineApply(b, b.getLoc(), expr, {size}));
  };
  std::optional<int64_t> known = getConstantIntValue(size);
  Value middle = apply(d0 - d0 % lanes);
  if (!known || *known >= lanes)
    parts.push_back({getIndex(0), middle, Value(), lanes});
  if (!known || *known % lanes != 0)
    parts.push_back({middle, end, apply(d0 % lanes),
                     known ? *known % lanes : ShapedType::kDynamic});
  return parts;
}

/// Of vectors of `count` elements of `grain` units.
Value TransposeVectorizer::createMask(Value count, int64_t grain) {
  if (!count)
    return {};
  Value units = affine::makeComposedAffineApply(
      b, b.getLoc(), b.getAffineDimExpr(0) * grain, {count});
  return vector::CreateMaskOp::create(
      b, VectorType::get({lanes * grain}, b.getI1Type()), units);
}

SmallVector<Value> TransposeVectorizer::getPlace(AffineMap map,
                                                 ArrayRef<Value> position,
                                                 int64_t grain) {
  SmallVector<Value> place =
      llvm::map_to_vector(map.getResults(), [&](AffineExpr expr) {
        return position[cast<AffineDimExpr>(expr).getPosition()];
      });
  if (grain != 1)
    place.back() = affine::makeComposedAffineApply(
        b, b.getLoc(), b.getAffineDimExpr(0) * grain, {place.back()});
  return place;
}

/// Elements of an input from `position` on, as many as `part` has.
Value TransposeVectorizer::readRow(const Input &input, ArrayRef<Value> position,
                                   const Part &part) {
  Type unit = getElementTypeOrSelf(input.source);
  int64_t grain = getGrain(getElementTypeOrSelf(input.operand));
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(unit));
  AffineMap map = AffineMap::getMinorIdentityMap(input.map.getNumResults(), 1,
                                                 b.getContext());
  return vector::TransferReadOp::create(
      b, VectorType::get({lanes * grain}, unit), input.source,
      getPlace(input.map, position, grain), AffineMapAttr::get(map), zero,
      createMask(part.count, grain), b.getBoolArrayAttr({true}));
}

/// What a row of the result needs of an input that is not transposed.
Value TransposeVectorizer::readDirect(const Input &input,
                                      ArrayRef<Value> position,
                                      const Part &rows) {
  if (input.map.isFunctionOfDim(row))
    return readRow(input, position, rows);
  Value number = input.operand;
  if (isa<RankedTensorType>(number.getType()))
    number =
        tensor::ExtractOp::create(b, number, getPlace(input.map, position));
  return createSplat(b, number, lanes);
}

Value TransposeVectorizer::writeRow(Value vector, Value tensor,
                                    ArrayRef<Value> position, Value count) {
  AffineMap map =
      AffineMap::getMinorIdentityMap(output.getNumResults(), 1, b.getContext());
  int64_t grain = getGrain(getElementTypeOrSelf(op.getDpsInits()[0]));
  return vector::TransferWriteOp::create(
             b, tensor.getType(), vector, tensor,
             getPlace(output, position, grain), AffineMapAttr::get(map),
             createMask(count, grain), b.getBoolArrayAttr({true}))
      ->getResult(0);
}

static bool isThere(int64_t number, int64_t known) {
  return ShapedType::isDynamic(known) || number < known;
}

/// The place `number` behind `begin`, or the last one that there is.
static Value getClamped(ImplicitLocOpBuilder &b, Value begin, int64_t number,
                        Value end, int64_t known) {
  auto shift = [&](Value value, int64_t by) -> Value {
    return affine::makeComposedAffineApply(b, b.getLoc(),
                                           b.getAffineDimExpr(0) + by, {value});
  };
  Value index = shift(begin, number);
  if (number == 0 || !ShapedType::isDynamic(known))
    return index;
  return arith::MinSIOp::create(b, index, shift(end, -1));
}

/// The rows of an input in a square, transposed: vectors along the result's
/// rows.
SmallVector<Value> TransposeVectorizer::readSquare(const Input &input,
                                                   SmallVector<Value> position,
                                                   const Part &rows,
                                                   const Part &columns) {
  SmallVector<Value> vectors;
  Value begin = position[row];
  int64_t grain = getGrain(getElementTypeOrSelf(input.operand));
  auto type =
      VectorType::get({lanes * grain}, getElementTypeOrSelf(input.source));
  for (int64_t number = 0; number < lanes; ++number) {
    if (!isThere(number, rows.known)) {
      vectors.push_back(arith::ConstantOp::create(b, b.getZeroAttr(type)));
      continue;
    }
    position[row] = getClamped(b, begin, number, rows.end, rows.known);
    vectors.push_back(readRow(input, position, columns));
  }
  // Shuffles, not one transpose of all rows: what puts rows together to take
  // columns out of it is canonicalised to single elements.
  transposeSquare(b, vectors, grain);
  return vectors;
}

/// The old elements of a row of the result, if they are used. They are read of
/// the tensor as it is by then: of the one at the beginning, memory would have
/// to be kept.
Value TransposeVectorizer::readResult(Value tensor, ArrayRef<Value> position,
                                      const Part &rows) {
  for (Input input : inputs)
    if (input.isResult) {
      input.source = tensor;
      return readRow(input, position, rows);
    }
  return Value();
}

/// A row of the result, of what has been transposed for it, in the order of the
/// inputs, and of its old elements.
Value TransposeVectorizer::computeRow(ArrayRef<Value> transposed, Value result,
                                      ArrayRef<Value> position,
                                      const Part &rows) {
  IRMapping vectors;
  for (const Input &input : inputs) {
    if (input.isResult) {
      vectors.map(input.argument, result);
      continue;
    }
    if (!input.isTransposed) {
      vectors.map(input.argument, readDirect(input, position, rows));
      continue;
    }
    vectors.map(input.argument, transposed.front());
    transposed = transposed.drop_front();
  }
  return createVectorBody(b, op, vectors, lanes);
}

/// One square, or one vector of a copy. `position` is where it begins.
Value TransposeVectorizer::createSquare(Value tensor,
                                        SmallVector<Value> position,
                                        const Part &rows, const Part &columns) {
  if (isCopy())
    return writeRow(
        computeRow({}, readResult(tensor, position, rows), position, rows),
        tensor, position, rows.count);
  SmallVector<SmallVector<Value>> squares;
  for (const Input &input : inputs)
    if (input.isTransposed)
      squares.push_back(readSquare(input, position, rows, columns));
  Value begin = position[column];
  SmallVector<int64_t> numbers;
  for (int64_t number = 0; number < lanes; ++number)
    if (isThere(number, columns.known))
      numbers.push_back(number);
  // What would be behind the last column is written to it, before that is.
  if (ShapedType::isDynamic(columns.known))
    std::reverse(numbers.begin(), numbers.end());
  // All before any is written.
  SmallVector<SmallVector<Value>> positions;
  SmallVector<Value> results;
  for (int64_t number : numbers) {
    position[column] = getClamped(b, begin, number, columns.end, columns.known);
    positions.push_back(position);
    results.push_back(readResult(tensor, position, rows));
  }
  for (size_t i = 0; i < numbers.size(); ++i) {
    SmallVector<Value> transposed = llvm::map_to_vector(
        squares, [&](ArrayRef<Value> square) { return square[numbers[i]]; });
    tensor = writeRow(computeRow(transposed, results[i], positions[i], rows),
                      tensor, positions[i], rows.count);
  }
  return tensor;
}

Value TransposeVectorizer::createLoop(Value begin, Value end, int64_t step,
                                      Value tensor, bool isParallel,
                                      Body body) {
  auto loop =
      scf::ForOp::create(b, begin, end, getIndex(step), ValueRange{tensor});
  if (isParallel)
    loop->setAttr(EinDialect::kParallelAttr,
                  b.getI64IntegerAttr(schedule.minPoints));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value result = body(loop.getInductionVar(), loop.getRegionIterArg(0));
  scf::YieldOp::create(b, result);
  return loop.getResult(0);
}

/// The loops over blocks, of `dims` and what is in them.
Value TransposeVectorizer::createBlocks(ArrayRef<int64_t> dims, Value tensor) {
  if (dims.empty()) {
    SmallVector<int64_t> inside;
    for (AffineExpr expr : output.getResults()) {
      int64_t dim = cast<AffineDimExpr>(expr).getPosition();
      if (dim != row && dim != column && getTile(dim) != 1)
        inside.push_back(dim);
    }
    return createInside(inside, tensor);
  }
  int64_t dim = dims.front();
  return createLoop(getIndex(0), getEnd(dim), getTile(dim), tensor,
                    schedule.parallelDim == dim, [&](Value iv, Value carried) {
                      begins[dim] = position[dim] = iv;
                      return createBlocks(dims.drop_front(), carried);
                    });
}

/// The loops over the dims of a block but those of squares.
Value TransposeVectorizer::createInside(ArrayRef<int64_t> dims, Value tensor) {
  if (dims.empty())
    return createSquares(tensor);
  int64_t dim = dims.front();
  Value begin = getIndex(0), end = getEnd(dim);
  if (begins[dim]) {
    begin = begins[dim];
    Value next = arith::AddIOp::create(b, begin, getIndex(getTile(dim)));
    end = arith::MinSIOp::create(b, next, end);
  }
  bool isParallel = schedule.parallelDim == dim && !begins[dim];
  return createLoop(begin, end, 1, tensor, isParallel,
                    [&](Value iv, Value carried) {
                      position[dim] = iv;
                      return createInside(dims.drop_front(), carried);
                    });
}

/// The squares of a block: complete ones, and those at the edges.
Value TransposeVectorizer::createSquares(Value tensor) {
  auto createPart = [&](int64_t dim, const Part &part, Value tensor,
                        Body body) {
    Value begin = part.begin, end = part.end;
    if (begins[dim]) {
      Value next =
          arith::AddIOp::create(b, begins[dim], getIndex(getTile(dim)));
      begin = arith::MaxSIOp::create(b, begin, begins[dim]);
      end = arith::MinSIOp::create(b, end, next);
    }
    bool isParallel = schedule.parallelDim == dim && !begins[dim];
    return createLoop(begin, end, lanes, tensor, isParallel, body);
  };
  Part whole = {};
  ArrayRef<Part> outer = isCopy() ? ArrayRef(whole) : ArrayRef(columnParts);
  for (const Part &columns : outer)
    for (const Part &rows : rowParts) {
      auto createRows = [&](Value carried) {
        return createPart(row, rows, carried, [&](Value iv, Value inner) {
          position[row] = iv;
          return createSquare(inner, position, rows, columns);
        });
      };
      tensor = isCopy() ? createRows(tensor)
                        : createPart(column, columns, tensor,
                                     [&](Value iv, Value carried) {
                                       position[column] = iv;
                                       return createRows(carried);
                                     });
      if (!rows.count && !columns.count)
        markStream(tensor);
    }
  return tensor;
}

/// Says of the loops that `tensor` comes from that they may go past the caches.
void TransposeVectorizer::markStream(Value tensor) {
  auto loop = tensor.getDefiningOp<scf::ForOp>();
  if (!loop || schedule.streamBytes == 0)
    return;
  auto getBlock = [&](int64_t dim) {
    return getTile(dim) != 0 ? getTile(dim)
                             : getConstantIntValue(sizes[dim]).value_or(0);
  };
  SquareBlock block = {schedule.streamBytes, -1, 0, getBlock(row)};
  if (!isCopy()) {
    block.columns = getBlock(column);
    block.axis = *output.getResultPosition(b.getAffineDimExpr(column));
  }
  loop->setAttr(EinDialect::kStreamSquaresAttr, block.getAttr(b));
}

Value TransposeVectorizer::create() {
  Value init = op.getDpsInits()[0];
  Value tensor = toUnits(init);
  output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (OpOperand &operand : op->getOpOperands())
    addInput(&operand);
  sizes.resize(op.getNumLoops());
  for (auto [axis, expr] : llvm::enumerate(output.getResults()))
    sizes[cast<AffineDimExpr>(expr).getPosition()] =
        tensor::getMixedSize(b, b.getLoc(), init, axis);
  begins.resize(op.getNumLoops());
  position.resize(op.getNumLoops());
  rowParts = getParts(row);
  if (!isCopy())
    columnParts = getParts(column);

  SmallVector<int64_t> blocks = schedule.interchange;
  if (blocks.empty())
    blocks = llvm::to_vector(llvm::seq<int64_t>(0, op.getNumLoops()));
  llvm::erase_if(blocks, [&](int64_t dim) { return getTile(dim) == 0; });
  return ReinterpretOp::get(b, b.getLoc(), createBlocks(blocks, tensor),
                            getElementTypeOrSelf(init));
}

/// Whether blocks end where squares do.
static bool hasWholeSquares(const Schedule &schedule, TransposeDims dims) {
  return schedule.tile.empty() ||
         (schedule.tile[dims.row] % schedule.lanes == 0 &&
          (dims.column < 0 ||
           schedule.tile[dims.column] % schedule.lanes == 0));
}

namespace {
struct VectorizeTransposesPass
    : impl::VectorizeTransposesBase<VectorizeTransposesPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (auto op : collectWithSchedule<linalg::LinalgOp>(getOperation(),
                                                         Schedule::Transpose)) {
      FailureOr<Schedule> schedule = Schedule::fromOp(op, op.getNumLoops());
      if (failed(schedule))
        return signalPassFailure();
      std::optional<TransposeDims> dims = getTransposeDims(op);
      if (!dims || !canBeVectors(op) || !hasWholeSquares(*schedule, *dims)) {
        op.emitOpError("is no transposition that its schedule could be for");
        return signalPassFailure();
      }
      rewriter.setInsertionPoint(op);
      rewriter.replaceOp(
          op, TransposeVectorizer(rewriter, op, *schedule, *dims).create());
    }
  }
};
} // namespace

} // namespace ein
