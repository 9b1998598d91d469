//===- VectorizeWindows.cpp - Sums over windows in registers --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loops over tiles and the code of a tile are made at once, and read and
// write the whole arrays: what a tile reads are overlapping windows, and slices
// of them would have to be seen through again.
//
// Each dim of a tile is cut into parts. Where its extent is known, these are
// the tiles and one smaller one. Where it is dynamic, rows that do not fill a
// tile get one that ends with the last row several times: it is computed and
// written again, to the same value, since a tile is read before it is written.
// Columns get tiles of one vector, the last of which is masked.
//
// A tile of rows that may be the last one has an address for each of them.
// Where channels are summed that takes no time beside the sums, and then all
// tiles are of this kind: half as much code for each dim. Sums over a window
// alone are short, and the tiles that are known to be full have code of their
// own.
//
// Every second element, from p on, is in two vectors from p and from p + lanes
// - 1 on: the latter ends with the last element that is wanted, so that nothing
// is read behind the end of an array.
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
#include "passes/analysis/Combiner.h"
#include "passes/analysis/Decline.h"
#include "passes/analysis/DimRoles.h"
#include "passes/analysis/Epilogue.h"
#include "passes/analysis/IeeeMinMax.h"
#include "passes/analysis/VectorBody.h"
#include "passes/analysis/WindowAnalysis.h"
#include "passes/analysis/WindowBody.h"
#include "passes/schedule/ScheduledOps.h"
#include "passes/vector/Passes.h"
#include <map>

namespace ein {
#define GEN_PASS_DEF_VECTORIZEWINDOWS
#include "passes/vector/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

class WindowVectorizer {
public:
  WindowVectorizer(RewriterBase &rewriter, linalg::LinalgOp op,
                   Schedule schedule);

  Value create();

private:
  /// Where a loop is: at a value plus a number, or at the number.
  struct Place {
    Value base;
    int64_t offset = 0;
  };
  /// The tiles of one size along a dim: `count` rows, or vectors.
  struct Part {
    OpFoldResult begin, end;
    int64_t step = 1, count = 1;
    /// Of rows: not all may be there. Of vectors: how long they are, and
    /// whether the last one is masked.
    bool isClamped = false, isMasked = false;
    int64_t lanes = 1;
  };
  /// An operand whose elements the body uses.
  struct Operand {
    Value source;
    SmallVector<LinearSubscript> subscripts;
    int64_t step = 0;
    BlockArgument argument;
  };

  Operand getOperand(OpOperand &operand);
  void getEpilogueInputs();
  bool sumsChannels();
  bool isChannel(int64_t dim);
  SmallVector<Part> getRowParts(int64_t dim);
  SmallVector<Part> getColumnParts();
  void setPlaces(int64_t dim, const Part &part, Value begin);
  Value createOuterLoops(size_t level, Value tensor);
  Value createTile(Value tensor);
  std::optional<size_t> findSharedAxis();
  void gatherShared(size_t axis, ArrayRef<int64_t> digits, int64_t vector,
                    SmallVectorImpl<Value> &sum);
  SmallVector<Value> accumulate(size_t level, ValueRange sums);
  SmallVector<Value> combine(ValueRange sums);
  /// How many values a sum is, one that begins with `value`, and its final
  /// value.
  size_t getWidth() const { return combiner ? IeeeMinMax::kValues : 1; }
  SmallVector<Value> start(Value value);
  Value finish(ValueRange sum);
  Value applyEpilogue(Value sum, ArrayRef<int64_t> digits, int64_t vector);
  IeeeMinMax getIeeeMinMax() {
    return IeeeMinMax(b, combiner, schedule.masked);
  }

  /// What row `row` of the tile has for a number along each dim.
  SmallVector<int64_t> getDigits(int64_t row);
  SmallVector<Value> getIndices(const Operand &operand,
                                ArrayRef<int64_t> digits, int64_t vector,
                                int64_t shift = 0);
  Value read(const Operand &operand, ArrayRef<int64_t> digits, int64_t vector);
  Value readVector(const Operand &operand, ArrayRef<int64_t> digits,
                   int64_t vector, int64_t shift, Value mask);
  Value readWithGaps(const Operand &operand, ArrayRef<int64_t> digits,
                     int64_t vector);
  Value createMask(OpFoldResult count);
  OpFoldResult apply(AffineExpr expr, ArrayRef<OpFoldResult> operands) {
    return affine::makeComposedFoldedAffineApply(b, b.getLoc(), expr, operands);
  }
  Value toValue(OpFoldResult value) {
    return getValueOrCreateConstantIndexOp(b, b.getLoc(), value);
  }
  bool isMasked(int64_t vector) const {
    return columns.isMasked && vector == columns.count - 1;
  }

  ImplicitLocOpBuilder b;
  linalg::LinalgOp op;
  Schedule schedule;
  SmallVector<int64_t> outer, inner;
  SmallVector<Operand> inputs;
  Operand output;
  bool usesStart;
  Value number;
  /// What sums are tracked by, if they are; and what is done with them then.
  Operation *combiner;
  linalg::GenericOp epilogue;
  SmallVector<Operand> epilogueInputs;
  SmallVector<OpFoldResult> extents;

  /// Of the tile that is being made: its rows along each dim, or where else a
  /// loop is; its vectors; how many columns the masked one has, and its mask.
  SmallVector<SmallVector<Place>> places;
  Part columns;
  OpFoldResult rest;
  Value mask;
  /// What has been gathered of elements that several windows have, by where
  /// these are.
  std::map<std::vector<int64_t>, IeeeMinMax::State> shared;
};

} // namespace

WindowVectorizer::WindowVectorizer(RewriterBase &rewriter, linalg::LinalgOp op,
                                   Schedule schedule)
    : b(op.getLoc(), rewriter), op(op), schedule(std::move(schedule)),
      usesStart(op.payloadUsesValueFromOperand(op.getDpsInitOperand(0))),
      combiner(this->schedule.ieeeMinMax ? getCombiner(op) : nullptr),
      epilogue(getEpilogue(op)), places(op.getNumLoops()) {
  for (int64_t dim : this->schedule.interchange)
    (this->schedule.tile[dim] == 0 ? inner : outer).push_back(dim);
  usesStart |= !inner.empty();
  for (OpOperand *input : getReadInputs(op))
    inputs.push_back(getOperand(*input));
  output = getOperand(*op.getDpsInitOperand(0));
  if (epilogue)
    getEpilogueInputs();
  for (Range range : op.createLoopRanges(b, op.getLoc()))
    extents.push_back(range.size);
}

WindowVectorizer::Operand WindowVectorizer::getOperand(OpOperand &operand) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  return {operand.get(), *getLinearSubscripts(map),
          *getStepAlong(map, schedule.vectorDim),
          op.getMatchingBlockArgument(&operand)};
}

/// What the epilogue reads, by the dims of the sum at the same place.
void WindowVectorizer::getEpilogueInputs() {
  AffineMap results = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  // Each of its dims is an axis of the result, and that one of the op's dims.
  AffineMap toDims = inversePermutation(getInitMap(epilogue)).compose(results);
  for (OpOperand *input : epilogue.getDpsInputOperands()) {
    if (!epilogue.payloadUsesValueFromOperand(input))
      continue;
    AffineMap map = epilogue.getMatchingIndexingMap(input).compose(toDims);
    epilogueInputs.push_back({input->get(), *getLinearSubscripts(map),
                              *getStepAlong(map, schedule.vectorDim),
                              epilogue.getMatchingBlockArgument(input)});
  }
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

SmallVector<WindowVectorizer::Part> WindowVectorizer::getRowParts(int64_t dim) {
  OpFoldResult end = extents[dim], zero = b.getIndexAttr(0);
  int64_t count = schedule.tile[dim];
  if (count == 1)
    return {{zero, end}};
  AffineExpr d0 = b.getAffineDimExpr(0);
  OpFoldResult middle = apply(d0 - d0 % count, {end});
  SmallVector<Part> parts;
  std::optional<int64_t> known = getConstantIntValue(end);
  if (!known && sumsChannels())
    return {{zero, end, count, count, /*isClamped=*/true}};
  if (!known || *known >= count)
    parts.push_back({zero, middle, count, count});
  if (!known)
    parts.push_back({middle, end, count, count, /*isClamped=*/true});
  else if (*known % count != 0)
    parts.push_back({middle, end, *known % count, *known % count});
  return parts;
}

SmallVector<WindowVectorizer::Part> WindowVectorizer::getColumnParts() {
  OpFoldResult end = extents[schedule.vectorDim], begin = b.getIndexAttr(0);
  int64_t lanes = schedule.lanes, width = schedule.tile[schedule.vectorDim];
  AffineExpr d0 = b.getAffineDimExpr(0);
  std::optional<int64_t> known = getConstantIntValue(end);
  SmallVector<Part> parts;
  auto append = [&](OpFoldResult partEnd, int64_t step, int64_t count,
                    int64_t partLanes, bool isMasked) {
    bool isNone = isEqualConstantIntOrValue(begin, partEnd);
    if (!isNone)
      parts.push_back({begin, partEnd, step, count, /*isClamped=*/false,
                       isMasked, partLanes});
    begin = partEnd;
  };
  append(apply(d0 - d0 % width, {end}), width, width / lanes, lanes, false);
  // What is left, as one tile if that is a number, else by vectors.
  bool isMasked = schedule.masked;
  OpFoldResult whole = isMasked ? end : apply(d0 - d0 % lanes, {end});
  if (known) {
    int64_t left = *getConstantIntValue(whole) - *getConstantIntValue(begin);
    append(whole, left, llvm::divideCeil(left, lanes), lanes,
           isMasked && *known % lanes != 0);
  } else {
    append(whole, lanes, 1, lanes, isMasked);
  }
  append(end, 1, 1, 1, false);
  return parts;
}

/// Whether a dim is summed that is no window's: the sums of a tile are long
/// then.
bool WindowVectorizer::sumsChannels() {
  return llvm::any_of(inner, [&](int64_t dim) { return isChannel(dim); });
}

/// Whether a dim that is summed is no window's.
bool WindowVectorizer::isChannel(int64_t dim) {
  return llvm::none_of(inputs, [&](const Operand &input) {
    return llvm::any_of(input.subscripts, [&](const LinearSubscript &s) {
      return s.coefficients[dim] != 0 &&
             llvm::count_if(s.coefficients, [](int64_t c) { return c != 0; }) >
                 1;
    });
  });
}

/// Has the tile be of the rows, or vectors, of `part` from `begin` on.
void WindowVectorizer::setPlaces(int64_t dim, const Part &part, Value begin) {
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  places[dim] = {{begin, 0}};
  if (dim == schedule.vectorDim) {
    columns = part;
    mask = Value();
    if (!part.isMasked)
      return;
    int64_t before = (part.count - 1) * part.lanes;
    AffineMap left = AffineMap::get(
        2, 0, {d1 - d0 - before, b.getAffineConstantExpr(part.lanes)},
        b.getContext());
    rest = affine::makeComposedFoldedAffineMin(
        b, b.getLoc(), left, {getAsOpFoldResult(begin), extents[dim]});
    mask = createMask(rest);
    return;
  }
  Value last;
  if (part.isClamped)
    last = toValue(apply(d0 - 1, {extents[dim]}));
  for (int64_t i = 1; i < part.count; ++i) {
    if (!last) {
      places[dim].push_back({begin, i});
      continue;
    }
    Value row = toValue(apply(d0 + i, {getAsOpFoldResult(begin)}));
    places[dim].push_back({arith::MinSIOp::create(b, row, last), 0});
  }
}

Value WindowVectorizer::createOuterLoops(size_t level, Value tensor) {
  if (level == outer.size())
    return createTile(tensor);
  int64_t dim = outer[level];
  bool isOfColumns = dim == schedule.vectorDim;
  for (const Part &part : isOfColumns ? getColumnParts() : getRowParts(dim)) {
    Value begin = toValue(part.begin), end = toValue(part.end);
    std::optional<int64_t> first = getConstantIntValue(part.begin),
                           last = getConstantIntValue(part.end);
    if (first && last && *last - *first == part.step) {
      setPlaces(dim, part, begin);
      tensor = createOuterLoops(level + 1, tensor);
      continue;
    }
    Value step = arith::ConstantIndexOp::create(b, part.step);
    auto loop = scf::ForOp::create(
        b, begin, end, step, ValueRange{tensor},
        [&](OpBuilder &body, Location, Value iv, ValueRange carried) {
          OpBuilder::InsertionGuard guard(b);
          b.setInsertionPointToEnd(body.getInsertionBlock());
          setPlaces(dim, part, iv);
          Value result = createOuterLoops(level + 1, carried[0]);
          scf::YieldOp::create(b, result);
        });
    bool isWhole = isEqualConstantIntOrValue(part.end, extents[dim]) &&
                   getConstantIntValue(part.begin) == 0;
    if (dim == schedule.parallelDim && (!part.isClamped || isWhole))
      loop->setAttr(EinDialect::kParallelAttr,
                    b.getI64IntegerAttr(schedule.minPoints));
    tensor = loop.getResult(0);
  }
  return tensor;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

SmallVector<int64_t> WindowVectorizer::getDigits(int64_t row) {
  SmallVector<int64_t> digits(places.size(), 0);
  for (int64_t dim : llvm::reverse(outer)) {
    int64_t count = places[dim].size();
    digits[dim] = row % count;
    row /= count;
  }
  return digits;
}

SmallVector<Value> WindowVectorizer::getIndices(const Operand &operand,
                                                ArrayRef<int64_t> digits,
                                                int64_t vector, int64_t shift) {
  SmallVector<Value> indices;
  for (const LinearSubscript &subscript : operand.subscripts) {
    AffineExpr expr = b.getAffineConstantExpr(subscript.constant);
    SmallVector<OpFoldResult> bases;
    for (auto [dim, coefficient] : llvm::enumerate(subscript.coefficients)) {
      if (coefficient == 0)
        continue;
      Place place = places[dim][digits[dim]];
      if (int64_t(dim) == schedule.vectorDim)
        place.offset += vector * columns.lanes;
      AffineExpr at = b.getAffineConstantExpr(place.offset);
      if (place.base) {
        at = at + b.getAffineDimExpr(bases.size());
        bases.push_back(getAsOpFoldResult(place.base));
      }
      expr = expr + at * coefficient;
    }
    bool isLast = &subscript == &operand.subscripts.back();
    indices.push_back(toValue(apply(isLast ? expr + shift : expr, bases)));
  }
  return indices;
}

/// Of a vector, its first `count` lanes.
Value WindowVectorizer::createMask(OpFoldResult count) {
  auto type = VectorType::get({columns.lanes}, b.getI1Type());
  if (getConstantIntValue(count))
    return vector::CreateMaskOp::create(b, type, toValue(count));
  return createLaneMask(b, columns.lanes, toValue(count));
}

Value WindowVectorizer::readVector(const Operand &operand,
                                   ArrayRef<int64_t> digits, int64_t vector,
                                   int64_t shift, Value mask) {
  auto type = cast<RankedTensorType>(operand.source.getType());
  Type element = type.getElementType();
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(element));
  AffineMap map =
      AffineMap::getMinorIdentityMap(type.getRank(), 1, b.getContext());
  return vector::TransferReadOp::create(
      b, VectorType::get({columns.lanes}, element), operand.source,
      getIndices(operand, digits, vector, shift), AffineMapAttr::get(map), zero,
      mask, b.getBoolArrayAttr({true}));
}

/// Elements that are `step` apart: as many vectors that cover them, and all
/// that are wanted of each put at their places.
Value WindowVectorizer::readWithGaps(const Operand &operand,
                                     ArrayRef<int64_t> digits, int64_t vector) {
  int64_t step = operand.step, lanes = columns.lanes;
  int64_t span = (lanes - 1) * step + 1;
  int64_t count = llvm::divideCeil(span, lanes);
  auto getBegin = [&](int64_t load) {
    return std::min(load * lanes, span - lanes);
  };
  AffineExpr d0 = b.getAffineDimExpr(0);
  Value result;
  for (int64_t load = 0; load < count; ++load) {
    int64_t begin = getBegin(load);
    Value loadMask;
    if (isMasked(vector)) {
      OpFoldResult left =
          apply((d0 - 1) * step + 1 - begin, ArrayRef<OpFoldResult>{rest});
      Value none = arith::ConstantIndexOp::create(b, 0);
      Value all = arith::ConstantIndexOp::create(b, lanes);
      Value there = arith::MaxSIOp::create(
          b, arith::MinSIOp::create(b, toValue(left), all), none);
      loadMask = createMask(getAsOpFoldResult(there));
    }
    Value read = readVector(operand, digits, vector, begin, loadMask);
    if (!result) {
      result = read;
      if (count > 1)
        continue;
    }
    SmallVector<int64_t> from;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      int64_t place = lane * step;
      int64_t owner = std::min(place / lanes, count - 1);
      // Those of the first load are at their own places in it, those of
      // others have been put to theirs, or are still to come.
      if (owner == load)
        from.push_back(lanes + place - begin);
      else
        from.push_back(load == 1 && owner == 0 ? place : lane);
    }
    if (count > 1)
      result = vector::ShuffleOp::create(b, result, read, from);
  }
  return result;
}

Value WindowVectorizer::read(const Operand &operand, ArrayRef<int64_t> digits,
                             int64_t vector) {
  if (!isa<RankedTensorType>(operand.source.getType()))
    return operand.source;
  if (operand.step == 0)
    return tensor::ExtractOp::create(b, operand.source,
                                     getIndices(operand, digits, vector));
  if (operand.step > 1)
    return readWithGaps(operand, digits, vector);
  return readVector(operand, digits, vector, 0,
                    isMasked(vector) ? mask : Value());
}

//===----------------------------------------------------------------------===//
// A tile
//===----------------------------------------------------------------------===//

/// One step of the sums: the body for each vector of the tile. What several of
/// them read is read once.
SmallVector<Value> WindowVectorizer::combine(ValueRange sums) {
  SmallVector<llvm::DenseMap<int64_t, Value>> known(inputs.size());
  size_t width = getWidth();
  int64_t numRows = sums.size() / width / columns.count;
  auto readOnce = [&](size_t number, ArrayRef<int64_t> digits,
                      int64_t vector) -> Value {
    const Operand &operand = inputs[number];
    int64_t key = operand.step == 0 ? 0 : vector;
    for (int64_t dim : outer) {
      bool depends =
          llvm::any_of(operand.subscripts, [&](const LinearSubscript &s) {
            return s.coefficients[dim] != 0;
          });
      key = key * int64_t(places[dim].size()) + (depends ? digits[dim] : 0);
    }
    Value &value = known[number][key];
    if (!value)
      value = read(operand, digits, vector);
    return value;
  };
  SmallVector<Value> results;
  for (int64_t row = 0; row < numRows; ++row) {
    SmallVector<int64_t> digits = getDigits(row);
    for (int64_t vector = 0; vector < columns.count; ++vector) {
      SmallVector<Value> arguments(op->getRegion(0).getNumArguments());
      for (auto [number, operand] : llvm::enumerate(inputs))
        arguments[operand.argument.getArgNumber()] =
            readOnce(number, digits, vector);
      if (!combiner)
        arguments[output.argument.getArgNumber()] = sums[results.size()];
      Value result = createOnVectors(b, op, arguments, columns.lanes, combiner);
      if (combiner)
        llvm::append_range(
            results,
            getIeeeMinMax().add(sums.slice(results.size(), width), result));
      else
        results.push_back(result);
    }
  }
  return results;
}

SmallVector<Value> WindowVectorizer::start(Value value) {
  if (!combiner)
    return {value};
  return llvm::to_vector<6>(getIeeeMinMax().start(value));
}

Value WindowVectorizer::finish(ValueRange sum) {
  return combiner ? getIeeeMinMax().finish(sum) : sum[0];
}

/// What the epilogue makes of a sum, if there is one.
Value WindowVectorizer::applyEpilogue(Value sum, ArrayRef<int64_t> digits,
                                      int64_t vector) {
  if (!epilogue)
    return sum;
  SmallVector<Value> arguments(epilogue.getRegion().getNumArguments());
  for (const Operand &operand : epilogueInputs)
    arguments[operand.argument.getArgNumber()] = read(operand, digits, vector);
  arguments.back() = sum;
  return createOnVectors(b, epilogue, arguments, columns.lanes);
}

/// The tile after the sums from `level` on.
SmallVector<Value> WindowVectorizer::accumulate(size_t level, ValueRange sums) {
  if (level == inner.size())
    return combine(sums);
  int64_t dim = inner[level], left = inner.size() - level;
  std::optional<int64_t> known = getConstantIntValue(extents[dim]);
  if (left <= schedule.unrolledSums && known) {
    SmallVector<Value> results(sums);
    for (int64_t i = 0; i < *known; ++i) {
      places[dim] = {{Value(), i}};
      results = accumulate(level + 1, results);
    }
    return results;
  }
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);
  auto loop = scf::ForOp::create(
      b, zero, toValue(extents[dim]), one, sums,
      [&](OpBuilder &body, Location, Value iv, ValueRange carried) {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToEnd(body.getInsertionBlock());
        places[dim] = {{iv, 0}};
        scf::YieldOp::create(b, accumulate(level + 1, carried));
      });
  if (schedule.unroll > 1 && left - 1 <= schedule.unrolledSums) {
    loop->setAttr(EinDialect::kUnrollAttr,
                  b.getI64IntegerAttr(schedule.unroll));
    // Of pairs of steps at most one is left.
    if (isChannel(dim) || schedule.unroll == 2)
      loop->setAttr(EinDialect::kLongSumAttr, b.getUnitAttr());
  }
  return loop.getResults();
}

//===----------------------------------------------------------------------===//
// Windows that overlap
//===----------------------------------------------------------------------===//

/// The axis of the image along which windows of a tile overlap, if what they
/// have in common may be gathered once: they are straight code, what is
/// gathered has no order, and each row has a place of its own.
std::optional<size_t> WindowVectorizer::findSharedAxis() {
  if (!combiner || inputs.size() != 1 || inputs[0].step == 0 || inner.empty() ||
      schedule.unrolledSums < int64_t(inner.size()))
    return std::nullopt;
  for (int64_t dim : inner)
    if (!getConstantIntValue(extents[dim]))
      return std::nullopt;
  for (int64_t dim : outer)
    for (const Place &place : places[dim])
      if (place.base != places[dim].front().base)
        return std::nullopt;
  for (auto [axis, subscript] : llvm::enumerate(inputs[0].subscripts)) {
    ArrayRef<int64_t> coefficients = subscript.coefficients;
    bool isOfTile = llvm::any_of(outer, [&](int64_t dim) {
      return coefficients[dim] != 0 && places[dim].size() > 1;
    });
    bool isOfWindow = llvm::any_of(
        inner, [&](int64_t dim) { return coefficients[dim] != 0; });
    if (isOfTile && isOfWindow)
      return axis;
  }
  return std::nullopt;
}

/// Gathers into `sum` the window of row `digits`. Its elements at one place
/// along `axis` are gathered first, once for all windows that have just these.
void WindowVectorizer::gatherShared(size_t axis, ArrayRef<int64_t> digits,
                                    int64_t vector,
                                    SmallVectorImpl<Value> &sum) {
  // Where each element is from the tile's begin on, by its place along the
  // axis.
  using Steps = SmallVector<int64_t>;
  std::map<int64_t, SmallVector<std::pair<std::vector<int64_t>, Steps>>> slices;
  int64_t count = 1;
  for (int64_t dim : inner)
    count *= *getConstantIntValue(extents[dim]);
  auto setSteps = [&](ArrayRef<int64_t> steps) {
    for (auto [dim, step] : llvm::zip_equal(inner, steps))
      places[dim] = {{Value(), step}};
  };
  for (int64_t i = 0; i < count; ++i) {
    Steps steps(inner.size());
    int64_t left = i;
    for (size_t level = inner.size(); level-- > 0;) {
      int64_t extent = *getConstantIntValue(extents[inner[level]]);
      steps[level] = left % extent;
      left /= extent;
    }
    setSteps(steps);
    std::vector<int64_t> at = {vector};
    for (const LinearSubscript &subscript : inputs[0].subscripts) {
      int64_t offset = 0;
      for (auto [dim, coefficient] : llvm::enumerate(subscript.coefficients))
        if (coefficient != 0)
          offset += coefficient * places[dim][digits[dim]].offset;
      at.push_back(offset);
    }
    slices[at[axis + 1]].push_back({std::move(at), std::move(steps)});
  }
  for (const auto &[place, elements] : slices) {
    std::vector<int64_t> key;
    for (const auto &[at, steps] : elements)
      llvm::append_range(key, at);
    IeeeMinMax::State &state = shared[key];
    bool isKnown = !state.empty();
    for (const auto &[at, steps] : elements) {
      if (isKnown)
        break;
      setSteps(steps);
      SmallVector<Value> arguments(op->getRegion(0).getNumArguments());
      arguments[inputs[0].argument.getArgNumber()] =
          read(inputs[0], digits, vector);
      Value value = createOnVectors(b, op, arguments, columns.lanes, combiner);
      state = state.empty() ? getIeeeMinMax().start(value)
                            : getIeeeMinMax().add(state, value);
    }
    IeeeMinMax::State joined = getIeeeMinMax().join(sum, state);
    sum.assign(joined.begin(), joined.end());
  }
}

Value WindowVectorizer::createTile(Value tensor) {
  int64_t numRows = 1;
  for (int64_t dim : outer)
    numRows *= int64_t(places[dim].size());
  Type element = getElementTypeOrSelf(tensor.getType());
  auto type = VectorType::get({columns.lanes}, element);
  output.source = tensor;
  SmallVector<Value> sums;
  int64_t numSums = numRows * columns.count;
  // All are read before one is written: a row may be there twice.
  for (int64_t i = 0; i < numSums; ++i) {
    Value sum;
    if (number)
      sum = vector::BroadcastOp::create(b, type, number);
    else if (usesStart)
      sum = read(output, getDigits(i / columns.count), i % columns.count);
    llvm::append_range(sums, start(sum));
  }
  size_t width = getWidth();
  std::optional<size_t> axis = findSharedAxis();
  SmallVector<Value> results;
  if (!axis)
    sums = accumulate(0, sums);
  shared.clear();
  for (int64_t i = 0; i < numSums; ++i) {
    auto sum = llvm::to_vector(ArrayRef(sums).slice(i * width, width));
    if (axis)
      gatherShared(*axis, getDigits(i / columns.count), i % columns.count, sum);
    results.push_back(finish(sum));
  }
  AffineMap map = AffineMap::getMinorIdentityMap(output.subscripts.size(), 1,
                                                 b.getContext());
  for (int64_t i = 0; i < numSums; ++i) {
    int64_t vector = i % columns.count;
    SmallVector<int64_t> digits = getDigits(i / columns.count);
    Value result = applyEpilogue(results[i], digits, vector);
    tensor = vector::TransferWriteOp::create(
                 b, tensor.getType(), result, tensor,
                 getIndices(output, digits, vector), AffineMapAttr::get(map),
                 isMasked(vector) ? mask : Value(), b.getBoolArrayAttr({true}))
                 ->getResult(0);
  }
  return tensor;
}

Value WindowVectorizer::create() {
  Value tensor = op.getDpsInits()[0];
  // A sum that starts from a fill starts from it in registers, unless a tile is
  // left in between.
  bool isInOneGo = llvm::all_of(outer, [&](int64_t dim) {
    return llvm::any_of(output.subscripts, [&](const LinearSubscript &s) {
      return s.coefficients[dim] != 0;
    });
  });
  auto fill = tensor.getDefiningOp<linalg::FillOp>();
  if (fill && isInOneGo &&
      fill.getInputs()[0].getType() == getElementTypeOrSelf(tensor)) {
    number = fill.getInputs()[0];
    tensor = fill.getOutputs()[0];
  }
  return createOuterLoops(0, tensor);
}

/// Whether the schedule is one for the op.
static LogicalResult check(linalg::LinalgOp op, const Schedule &schedule) {
  FailureOr<WindowInfo> info =
      matchWindow(op, emitDeclined(op, "cannot be a window"));
  if (failed(info))
    return failure();
  for (int64_t dim = 0, e = op.getNumLoops(); dim < e; ++dim)
    if (info->output.isFunctionOfDim(dim) ? schedule.tile[dim] == 0
                                          : schedule.tile[dim] > 1)
      return op.emitOpError("has a tile of ")
             << schedule.tile[dim] << " along d" << dim
             << ", which a window does not have there";
  if (schedule.ieeeMinMax && !isExtreme(op))
    return op.emitOpError(
        "is no maximum or minimum of floats for IEEE 754 semantics");
  if (linalg::GenericOp epilogue = getEpilogue(op))
    if (failed(matchEpilogue(epilogue,
                             emitDeclined(epilogue, "cannot be an epilogue"))))
      return failure();
  if (schedule.vectorDim != info->vectorDim)
    return op.emitOpError("has vectors along d")
           << schedule.vectorDim << ", which is not its result's last dim";
  return success();
}

namespace {
struct VectorizeWindowsPass : impl::VectorizeWindowsBase<VectorizeWindowsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (auto op : collectWithSchedule<linalg::LinalgOp>(getOperation(),
                                                         Schedule::Window)) {
      FailureOr<Schedule> schedule = Schedule::fromOp(op, op.getNumLoops());
      if (failed(schedule) || failed(check(op, *schedule)))
        return signalPassFailure();
      // What the epilogue reads has been computed where it stands.
      linalg::GenericOp epilogue = getEpilogue(op);
      Operation *last = epilogue ? epilogue.getOperation() : op.getOperation();
      rewriter.setInsertionPoint(last);
      Value result = WindowVectorizer(rewriter, op, *schedule).create();
      rewriter.replaceOp(last, result);
      if (epilogue)
        rewriter.eraseOp(op);
    }
  }
};
} // namespace

} // namespace ein
