//===- TileColumns.cpp - Vectors along the result -----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile of the result stays in registers, row by row in vectors; the loops
// over what is summed carry it.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/analysis/Combiner.h"
#include "passes/analysis/ComplexVectors.h"
#include "passes/analysis/VectorBody.h"
#include "passes/vector/TileVectorizer.h"

using namespace mlir;

namespace ein {

static constexpr int64_t kByteBits = 8;

//===----------------------------------------------------------------------===//
// Partial results
//===----------------------------------------------------------------------===//

/// The values that a sum is which begins with `value`.
TileVectorizer::Values TileVectorizer::start(Value value) {
  if (hasMoved())
    return {value,
            arith::ConstantOp::create(b, b.getZeroAttr(value.getType()))};
  if (isPlain)
    return startPlain(value);
  return isIeeeMinMax ? Values(getIeeeMinMax().start(value)) : Values{value};
}

Value TileVectorizer::finish(ValueRange sum) {
  if (hasMoved())
    return arith::SubIOp::create(b, sum[0], sum[1]);
  return isIeeeMinMax && !isPlain ? getIeeeMinMax().finish(sum) : sum[0];
}

TileVectorizer::Values TileVectorizer::join(ValueRange first,
                                            ValueRange second) {
  if (products)
    return products->join(b, first, second);
  if (isPlain)
    return joinPlain(first, second);
  if (isIeeeMinMax)
    return Values(getIeeeMinMax().join(first, second));
  Values joined;
  for (auto [one, other] : llvm::zip_equal(first, second))
    joined.push_back(combine(one, other));
  return joined;
}

/// The combiner on other values, vectors or numbers.
Value TileVectorizer::combine(Value first, Value second) {
  if (isa<VectorType>(first.getType()) && isa<ComplexType>(element))
    return combineInPairs(b, combiner, first, second);
  return b
      .create(b.getLoc(), combiner->getName().getIdentifier(),
              ValueRange{first, second}, TypeRange(first.getType()),
              combiner->getAttrs())
      ->getResult(0);
}

/// The body with a sum; without one, what it combines with that.
Value TileVectorizer::computeBody(IRMapping &values, Value sum) {
  if (sum)
    values.map(output.argument, sum);
  bool isPart = !sum && usesStart;
  return createVectorBody(b, op, values, columns.lanes * group,
                          isPart ? combiner : nullptr);
}

/// An accumulator with a vector of more elements than it has lanes, without
/// those that the mask leaves out.
Value TileVectorizer::addWidely(Value sum, Value value, Value mask) {
  Operation *extension = value.getDefiningOp();
  bool isUnsigned = isa_and_present<arith::ExtUIOp>(extension);
  if (isUnsigned || isa_and_present<arith::ExtSIOp, arith::ExtFOp>(extension))
    value = extension->getOperand(0);
  if (mask)
    value = leaveOut(value, mask);
  return WideSumOp::create(b, sum.getType(), value, sum, isUnsigned);
}

/// The lanes of a mask, and in the others what changes no sum: of floats, the
/// negative zero.
Value TileVectorizer::leaveOut(Value value, Value mask) {
  auto type = cast<VectorType>(value.getType());
  TypedAttr zero = b.getZeroAttr(type);
  if (auto floats = dyn_cast<FloatType>(type.getElementType()))
    zero = DenseElementsAttr::get(
        type, APFloat::getZero(floats.getFloatSemantics(), /*Negative=*/true));
  return arith::SelectOp::create(b, mask, value,
                                 arith::ConstantOp::create(b, zero));
}

/// Half of the range of a vector's integers.
static Value createHalf(ImplicitLocOpBuilder &b, Value like) {
  auto type = cast<VectorType>(like.getType());
  APInt sign = APInt::getSignMask(type.getElementTypeBitWidth());
  return arith::ConstantOp::create(
      b, DenseElementsAttr::get(type,
                                b.getIntegerAttr(type.getElementType(), sign)));
}

/// A vector as `count` groups.
static Value toGroups(ImplicitLocOpBuilder &b, Value vector, int64_t count) {
  auto type = cast<VectorType>(vector.getType());
  return vector::ShapeCastOp::create(
      b,
      VectorType::get({count, type.getNumElements() / count},
                      type.getElementType()),
      vector);
}

/// An accumulator with products of more elements than it has lanes. One that is
/// moved by half of its range makes sums too large by that times the other
/// one's numbers, which are added up beside it. Where there is no instruction
/// for bytes they are words, for which there is a pattern.
TileVectorizer::Values
TileVectorizer::addProducts(ValueRange sums, IRMapping &values, Value mask) {
  constexpr unsigned kWord = 16;
  auto sumType = cast<VectorType>(sums[0].getType());
  bool isOfIntegers = sumType.getElementType().isInteger();
  bool isOfWords = isOfIntegers && schedule.dot.empty();
  Values numbers = createVectorValues(b, op, values, columns.lanes,
                                      {factors->lhs, factors->rhs});
  bool isUnsigned[] = {factors->isLhsUnsigned, factors->isRhsUnsigned};
  for (auto [i, factor] :
       llvm::enumerate(ArrayRef<Value>{factors->lhs, factors->rhs})) {
    Value &number = numbers[i];
    // What is read has zeros there.
    if (mask && !isa<BlockArgument>(factor))
      number = leaveOut(number, mask);
    auto type = cast<VectorType>(number.getType());
    if (!isOfWords || type.getElementTypeBitWidth() == kWord)
      continue;
    VectorType words = type.clone(b.getIntegerType(kWord));
    number = isUnsigned[i]
                 ? arith::ExtUIOp::create(b, words, number).getResult()
                 : arith::ExtSIOp::create(b, words, number).getResult();
    isUnsigned[i] = false;
  }
  Value half;
  if (hasMoved()) {
    half = createHalf(b, numbers[0]);
    numbers[0] = arith::XOrIOp::create(b, numbers[0], half);
    isUnsigned[0] = !isUnsigned[0];
  }
  StringAttr intrinsic;
  IntegerAttr bits;
  if (!schedule.dot.empty()) {
    intrinsic = b.getStringAttr(schedule.dot);
    bits = b.getI64IntegerAttr(schedule.dotBits);
  }
  int64_t count = sumType.getNumElements();
  Value right = toGroups(b, numbers[1], count);
  auto add = [&](Value left, Value sum) {
    return DotProductsOp::create(b, sumType, toGroups(b, left, count), right,
                                 sum, isOfIntegers && isUnsigned[0],
                                 isOfIntegers && isUnsigned[1], intrinsic, bits,
                                 schedule.dotScalable, schedule.dotSwapped);
  };
  Values results = {add(numbers[0], sums[0])};
  if (half)
    results.push_back(add(half, sums[1]));
  return results;
}

/// An accumulator with the products of all parts of two vectors, which are as
/// many again as it has lanes.
Value TileVectorizer::addParts(Value sum, IRMapping &values, Value mask) {
  constexpr arith::FastMathFlags kFlags = arith::FastMathFlags::contract;
  Values pair = createVectorValues(b, op, values, columns.lanes,
                                   {partProducts->lhs, partProducts->rhs});
  int64_t count = cast<VectorType>(sum.getType()).getNumElements();
  auto getHalf = [&](Value vector, int64_t begin) -> Value {
    return vector::ExtractStridedSliceOp::create(
        b, vector, ArrayRef<int64_t>{begin}, ArrayRef<int64_t>{count},
        ArrayRef<int64_t>{1});
  };
  Value kept;
  if (mask)
    kept = leaveOut(arith::MulFOp::create(b, pair[0], pair[1], kFlags),
                    getPartMask(mask, partProducts->lhs.getType()));
  for (int64_t begin : {int64_t(0), count}) {
    Value product = kept
                        ? getHalf(kept, begin)
                        : arith::MulFOp::create(b, getHalf(pair[0], begin),
                                                getHalf(pair[1], begin), kFlags)
                              .getResult();
    sum = arith::AddFOp::create(b, sum, product, kFlags);
  }
  return sum;
}

/// A partial result along a row with one more vector, of which those elements
/// that the mask leaves out do not count.
TileVectorizer::Values TileVectorizer::add(ValueRange sum, IRMapping &values,
                                           Value mask) {
  // Of products, operands are zeros there.
  auto leaveOutAll = [&](Values changed) {
    if (mask && schedule.kind != Schedule::Dot)
      for (auto [value, old] : llvm::zip_equal(changed, sum))
        value =
            arith::SelectOp::create(b, getPartMask(mask, element), value, old);
    return changed;
  };
  if (products) {
    Values pair = createVectorValues(b, op, values, columns.lanes,
                                     products->getFactors());
    return leaveOutAll(products->add(b, sum, pair[0], pair[1]));
  }
  if (partProducts)
    return {addParts(sum[0], values, mask)};
  if (columns.lanes > getSumLanes())
    return factors
               ? addProducts(sum, values, mask)
               : Values{addWidely(sum[0], computeBody(values, Value()), mask)};
  if (hasMoved())
    return {computeBody(values, sum[0]), sum[1]};
  if (!isIeeeMinMax)
    return leaveOutAll({computeBody(values, sum[0])});
  Value value = computeBody(values, Value());
  if (mask)
    value = arith::SelectOp::create(
        b, mask, value,
        vector::BroadcastOp::create(b, value.getType(),
                                    createNeutral(b, combiner)));
  return isPlain ? addPlain(sum, value)
                 : Values(getIeeeMinMax().add(sum, value));
}

//===----------------------------------------------------------------------===//
// A tile
//===----------------------------------------------------------------------===//

/// Words of unsigned bytes: what is added up is the words, and their upper
/// bytes. Signed bytes are moved by half of their range.
TileVectorizer::Values TileVectorizer::addBytes(ValueRange sums, Value value) {
  Operation *extension = value.getDefiningOp();
  auto type = cast<VectorType>(sums[0].getType());
  auto getSplat = [&](int64_t number) -> Value {
    APInt bits(type.getElementTypeBitWidth(), number);
    return arith::ConstantOp::create(
        b, DenseElementsAttr::get(
               type, b.getIntegerAttr(type.getElementType(), bits)));
  };
  Value words =
      vector::BitCastOp::create(b, type, extension->getOperand(0)).getResult();
  if (isa<arith::ExtSIOp>(extension))
    words = arith::XOrIOp::create(b, words, getSplat(0x8080));
  Value upper = arith::ShRUIOp::create(b, words, getSplat(kByteBits));
  return {arith::AddIOp::create(b, sums[0], words),
          arith::AddIOp::create(b, sums[1], upper)};
}

/// The sums of both bytes, by turns, as wide as the result. Words wrap, but
/// what is left of their sum without the upper bytes is that of the lower ones.
Value TileVectorizer::finishBytes(ValueRange sums) {
  auto words = cast<VectorType>(sums[0].getType());
  Value bits = arith::ConstantOp::create(
      b, DenseElementsAttr::get(
             words, b.getIntegerAttr(words.getElementType(), kByteBits)));
  Value lower = arith::SubIOp::create(b, sums[0],
                                      arith::ShLIOp::create(b, sums[1], bits));
  auto type = VectorType::get({columns.lanes}, element);
  Value sum = arith::ExtUIOp::create(
      b, type, vector::InterleaveOp::create(b, lower, sums[1]));
  if (isa<arith::ExtUIOp>(getSumExtension(op)))
    return sum;
  AffineExpr from = b.getAffineDimExpr(0), to = b.getAffineDimExpr(1);
  const Range &rows = ranges[inner.front()];
  Value moved = arith::IndexCastOp::create(
      b, element,
      toValue(
          apply((to - from) * (1 << (kByteBits - 1)), {rows.begin, rows.end})));
  return arith::SubIOp::create(b, sum,
                               vector::BroadcastOp::create(b, type, moved));
}

/// A vector of sums with products of one group by each of a vector's. What is
/// shorter than a register has a pattern.
Value TileVectorizer::multiplyGroups(Value single, Value vectors, Value sum) {
  auto sumType = cast<VectorType>(sum.getType());
  auto type = cast<VectorType>(vectors.getType());
  int64_t lanes = sumType.getNumElements();
  Type bits = b.getIntegerType(sumType.getElementTypeBitWidth());
  Value group =
      vector::BitCastOp::create(b, VectorType::get({1}, bits), single);
  Value all = vector::BitCastOp::create(
      b, type,
      vector::BroadcastOp::create(b, VectorType::get({lanes}, bits),
                                  vector::ExtractOp::create(b, group, 0)));
  bool isOfIntegers = sumType.getElementType().isInteger();
  bool isWhole =
      !schedule.dot.empty() &&
      (lanes * sumType.getElementTypeBitWidth()) % schedule.dotBits == 0;
  return DotProductsOp::create(
      b, sumType, toGroups(b, all, lanes), toGroups(b, vectors, lanes), sum,
      isOfIntegers && grouped->isSingleUnsigned != schedule.dotOffset,
      isOfIntegers && grouped->areVectorsUnsigned,
      isWhole ? b.getStringAttr(schedule.dot) : StringAttr(),
      isWhole ? b.getI64IntegerAttr(schedule.dotBits) : IntegerAttr(),
      isWhole && schedule.dotScalable, schedule.dotSwapped);
}

/// One step of the sums: the body for each vector of the tile. Of groups, one
/// factor of which is moved by half of its range, what is too much then is
/// added up behind them, once for all rows.
TileVectorizer::Values TileVectorizer::addToColumns(ValueRange sums) {
  Known known(inputs.size());
  Values results;
  auto getInput = [&](IRMapping &values, OpOperand *input) {
    return values.lookup(op.getMatchingBlockArgument(input));
  };
  for (int64_t row = 0, e = getNumRows(); row < e; ++row) {
    SmallVector<int64_t> digits = getDigits(row);
    for (int64_t vector = 0; vector < columns.count; ++vector) {
      IRMapping values = readInputs(digits, vector, known);
      size_t first = results.size();
      if (grouped) {
        Value single = getInput(values, grouped->single);
        if (schedule.dotOffset)
          single = arith::XOrIOp::create(b, single, createHalf(b, single));
        results.push_back(multiplyGroups(
            single, getInput(values, grouped->vectors), sums[first]));
        continue;
      }
      if (isPlain) {
        Value value = computeBody(values, Value());
        witness(value);
        llvm::append_range(results, join(sums[first], value));
      } else if (isIeeeMinMax)
        llvm::append_range(results,
                           getIeeeMinMax().add(sums.slice(first, getWidth()),
                                               computeBody(values, Value())));
      else if (addsBytes())
        llvm::append_range(results, addBytes(sums.slice(first, getWidth()),
                                             computeBody(values, Value())));
      else
        results.push_back(computeBody(values, sums[first]));
    }
  }
  for (int64_t vector = 0;
       grouped && schedule.dotOffset && vector < columns.count; ++vector) {
    IRMapping values = readInputs(getDigits(0), vector, known);
    Value half = createHalf(b, getInput(values, grouped->single));
    results.push_back(multiplyGroups(half, getInput(values, grouped->vectors),
                                     sums[results.size()]));
  }
  // The witness of plain maxima.
  llvm::append_range(results, sums.drop_front(results.size()));
  return results;
}

/// Two steps of maxima at once, along `dim`, take fewer instructions.
TileVectorizer::Values TileVectorizer::addPairToColumns(ValueRange sums,
                                                        int64_t dim) {
  if (isPlain) {
    Values first = addToColumns(sums);
    ++places[dim].front().offset;
    Values second = addToColumns(first);
    keepWitness(second);
    return second;
  }
  auto compute = [&]() {
    Known known(inputs.size());
    Values results;
    for (int64_t row = 0, e = getNumRows(); row < e; ++row)
      for (int64_t vector = 0; vector < columns.count; ++vector) {
        IRMapping values = readInputs(getDigits(row), vector, known);
        results.push_back(computeBody(values, Value()));
      }
    return results;
  };
  Values first = compute();
  ++places[dim].front().offset;
  Values second = compute(), results;
  for (auto [i, value] : llvm::enumerate(first))
    llvm::append_range(
        results, getIeeeMinMax().add(sums.slice(i * getWidth(), getWidth()),
                                     value, second[i]));
  return results;
}

/// What the epilogue makes of sums, if there is one.
Value TileVectorizer::applyEpilogue(
    Value sum, ArrayRef<int64_t> shape,
    function_ref<Value(const Operand &)> readOperand) {
  if (!epilogue)
    return sum;
  IRMapping values;
  for (const Operand &operand : epilogueInputs)
    values.map(operand.argument, readOperand(operand));
  values.map(epilogue.getRegionOutputArgs()[0], sum);
  return createVectorBody(b, epilogue, values, shape);
}

Value TileVectorizer::write(Value value, Value tensor, ArrayRef<int64_t> digits,
                            int64_t vector) {
  Values indices = getIndices(output, digits, vector);
  Value target = toUnits(tensor, indices);
  AffineMap map =
      AffineMap::getMinorIdentityMap(indices.size(), 1, b.getContext());
  Value written =
      vector::TransferWriteOp::create(
          b, target.getType(), value, target, indices, AffineMapAttr::get(map),
          isMasked(vector) ? getPartMask(mask, element) : Value(),
          b.getBoolArrayAttr({true}))
          ->getResult(0);
  return ReinterpretOp::get(b, b.getLoc(), written, element);
}

/// The vectors of the tile, as the sums make them.
TileVectorizer::Values TileVectorizer::sumUp(StartOf getStart) {
  Values sums;
  int64_t numSums = getNumRows() * columns.count;
  auto forEach = [&](StartOf create) {
    for (int64_t i = 0; i < numSums; ++i)
      create(getDigits(i / columns.count), i % columns.count);
  };
  // All are read before one is written: a row may be there twice.
  forEach([&](ArrayRef<int64_t> digits, int64_t vector) {
    if (addsBytes()) {
      auto words = VectorType::get({columns.lanes / 2}, b.getI16Type());
      sums.append(2, arith::ConstantOp::create(b, b.getZeroAttr(words)));
      return Value();
    }
    Value value = getStart(digits, vector);
    llvm::append_range(sums, start(isPlain ? getPlainStart(value) : value));
    return value;
  });
  if (isPlain && !areSumsStraight()) {
    sums.push_back(Value());
    keepWitness(sums);
  }
  bool isOffset = grouped && schedule.dotOffset;
  if (isOffset)
    sums.append(
        columns.count,
        createSplat(b, arith::ConstantOp::create(b, b.getZeroAttr(element)),
                    columns.lanes));
  size_t width = getWidth();
  std::optional<size_t> axis = findSharedAxis();
  if (!axis) {
    auto addStep = [&](ValueRange before) { return addToColumns(before); };
    auto addPair = [&](ValueRange before, int64_t dim) {
      return addPairToColumns(before, dim);
    };
    if (isIeeeMinMax)
      sums = accumulate(0, sums, addStep, addPair);
    else
      sums = accumulate(0, sums, addStep);
  }
  shared.clear();
  computed.clear();
  Values results;
  forEach([&](ArrayRef<int64_t> digits, int64_t vector) {
    auto sum =
        llvm::to_vector(ArrayRef(sums).slice(results.size() * width, width));
    if (axis)
      gatherShared(*axis, digits, vector, sum);
    if (isOffset)
      sum[0] = arith::SubIOp::create(b, sum[0], sums[numSums + vector]);
    results.push_back(addsBytes()
                          ? combine(getStart(digits, vector), finishBytes(sum))
                          : finish(sum));
    return results.back();
  });
  if (isPlain && !areSumsStraight())
    witness(sums.back());
  return results;
}

Value TileVectorizer::createColumns(Value tensor) {
  output.source = tensor;
  squares.clear();
  int64_t numSums = getNumRows() * columns.count;
  auto getStart = [&](ArrayRef<int64_t> digits, int64_t vector) -> Value {
    if (number)
      return createSplat(b, number, columns.lanes);
    return usesStart ? read(output, digits, vector) : Value();
  };
  Values results = areMaximaPlain() ? takeMaxima(getStart) : sumUp(getStart);
  for (int64_t i = 0; i < numSums; ++i) {
    // What would be behind the last row of a square is written to it, before
    // that is.
    int64_t place =
        squareDim >= 0 && squareRows.isClamped ? numSums - 1 - i : i;
    int64_t vector = place % columns.count;
    SmallVector<int64_t> digits = getDigits(place / columns.count);
    Value value = applyEpilogue(
        results[place], columns.lanes,
        [&](const Operand &operand) { return read(operand, digits, vector); });
    tensor = write(value, tensor, digits, vector);
  }
  return tensor;
}

} // namespace ein
