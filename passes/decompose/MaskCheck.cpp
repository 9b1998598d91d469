//===- MaskCheck.cpp - Whether masked columns make a difference -----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The code that looks, before the product, whether masked columns would have
// changed anything: see MaskedColumns.cpp for why.
//
//===----------------------------------------------------------------------===//

#include "passes/decompose/MaskCheck.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/Combiner.h"
#include "passes/analysis/DimRoles.h"

using namespace mlir;

namespace ein {

static constexpr arith::FastMathFlags kAnyOrder =
    arith::FastMathFlags::reassoc | arith::FastMathFlags::contract;

/// Makes the op that computes what masked columns would be, row by row.
class CheckBuilder {
public:
  CheckBuilder(ImplicitLocOpBuilder &b, const MaskedColumns &found,
               const FusionGroup &group, MaskedColumns::GetTile getTile,
               function_ref<Value(linalg::LinalgOp)> getResult,
               ArrayRef<int64_t> tiles)
      : b(b), found(found), group(group), getTile(getTile),
        getResult(getResult), tiles(tiles) {}

  Value create(Value buffer);

private:
  /// An input of the op, at the rows of a block.
  struct Input {
    Value tile;
    AffineMap map;
  };
  unsigned addInput(Value tile, AffineMap map, ArrayRef<int64_t> dims);
  void collect(linalg::LinalgOp op, Value value);
  Value emit(linalg::LinalgOp op, Value value);
  Value getFailure(Value isRight);

  ImplicitLocOpBuilder &b;
  const MaskedColumns &found;
  const FusionGroup &group;
  MaskedColumns::GetTile getTile;
  function_ref<Value(linalg::LinalgOp)> getResult;
  ArrayRef<int64_t> tiles;
  SmallVector<Input> inputs;
  /// Which input an argument of an op's body is.
  llvm::DenseMap<Value, unsigned> places;
  llvm::DenseMap<Operation *, unsigned> results;
  IRMapping emitted;
  linalg::GenericOp check;
};

/// Rows of blocks are loops of the check, in their order; of others there is
/// one.
unsigned CheckBuilder::addInput(Value tile, AffineMap map,
                                ArrayRef<int64_t> dims) {
  SmallVector<AffineExpr> exprs;
  unsigned numLoops = llvm::count_if(tiles, [](int64_t t) { return t != 1; });
  for (AffineExpr expr : map.getResults()) {
    size_t row =
        llvm::find(dims, int64_t(cast<AffineDimExpr>(expr).getPosition())) -
        dims.begin();
    if (tiles[row] == 1)
      continue;
    unsigned loop =
        llvm::count_if(tiles.take_front(row), [](int64_t t) { return t != 1; });
    exprs.push_back(b.getAffineDimExpr(loop));
  }
  AffineMap ofRows = AffineMap::get(numLoops, 0, exprs, b.getContext());
  for (auto [number, input] : llvm::enumerate(inputs))
    if (input.tile == tile && input.map == ofRows)
      return number;
  inputs.push_back({tile, ofRows});
  return inputs.size() - 1;
}

/// Finds the inputs for a value.
void CheckBuilder::collect(linalg::LinalgOp op, Value value) {
  if (value == found.decided)
    return collect(op, found.arm);
  if (places.contains(value))
    return;
  if (OpOperand *operand = getOperand(op, value)) {
    if (found.getAxis(*operand) >= 0) {
      linalg::LinalgOp producer = getMember(operand->get(), group);
      return collect(producer,
                     producer.getBlock()->getTerminator()->getOperand(0));
    }
    unsigned place =
        addInput(getTile(*operand), op.getMatchingIndexingMap(operand),
                 group.find(op)->second);
    places[value] = place;
    return;
  }
  Operation *source = value.getDefiningOp();
  if (source && source->getBlock() == op.getBlock())
    for (Value operand : source->getOperands())
      collect(op, operand);
}

/// The value, in the body of the check.
Value CheckBuilder::emit(linalg::LinalgOp op, Value value) {
  if (value == found.decided)
    return emit(op, found.arm);
  if (Value known = emitted.lookupOrNull(value))
    return known;
  if (OpOperand *operand = getOperand(op, value)) {
    if (found.getAxis(*operand) < 0)
      return check.getBody()->getArgument(places.lookup(value));
    linalg::LinalgOp producer = getMember(operand->get(), group);
    return emit(producer, producer.getBlock()->getTerminator()->getOperand(0));
  }
  Operation *source = value.getDefiningOp();
  if (!source || source->getBlock() != op.getBlock())
    return value;
  for (Value operand : source->getOperands())
    emitted.map(operand, emit(op, operand));
  b.clone(*source, emitted);
  return emitted.lookup(value);
}

/// 1 if it is not so.
Value CheckBuilder::getFailure(Value isRight) {
  Type type = check.getBody()->getArguments().back().getType();
  Value zero = arith::ConstantOp::create(b, b.getFloatAttr(type, 0.0));
  Value one = arith::ConstantOp::create(b, b.getFloatAttr(type, 1.0));
  return arith::SelectOp::create(b, isRight, zero, one);
}

Value CheckBuilder::create(Value buffer) {
  // What is combined, by whom; the product's weights last.
  struct Known {
    linalg::LinalgOp op;
    Value value;
    Operation *combiner;
  };
  SmallVector<Known> all;
  for (auto &[operation, dims] : group) {
    int64_t columns = found.getColumns(operation);
    auto op = cast<linalg::LinalgOp>(operation);
    if (columns < 0 || op == found.product ||
        op.getIteratorTypesArray()[columns] == utils::IteratorType::parallel)
      continue;
    Operation *combiner = getCombiner(op);
    all.push_back({op, getCombined(op, combiner), combiner});
    if (!isa<arith::AddFOp>(combiner)) {
      AffineMap map = getInitMap(op);
      results[op] = addInput(getResult(op), map, dims);
    }
  }
  OpOperand &weights = found.product->getOpOperand(found.weights);
  linalg::LinalgOp last = getMember(weights.get(), group);
  all.push_back(
      {last, last.getBlock()->getTerminator()->getOperand(0), nullptr});
  for (Known &known : all)
    collect(known.op, known.value);

  SmallVector<Value> tensors;
  SmallVector<AffineMap> maps;
  for (Input &input : inputs) {
    tensors.push_back(input.tile);
    maps.push_back(input.map);
  }
  // Of rows of which nothing is read, one is all.
  unsigned numRows = llvm::count_if(tiles, [](int64_t t) { return t != 1; });
  SmallVector<AffineExpr> loops(numRows, b.getAffineConstantExpr(0));
  unsigned numLoops = 0;
  for (unsigned row = 0; row < numRows; ++row)
    if (llvm::any_of(maps,
                     [&](AffineMap map) { return map.isFunctionOfDim(row); }))
      loops[row] = b.getAffineDimExpr(numLoops++);
  for (AffineMap &map : maps)
    map = map.replaceDimsAndSymbols(loops, {}, numLoops, 0);
  maps.push_back(AffineMap::get(numLoops, 0, {}, b.getContext()));
  Type element = getElementTypeOrSelf(buffer.getType());
  Value zero = arith::ConstantOp::create(b, b.getFloatAttr(element, 0.0));
  Value start = linalg::FillOp::create(b, zero, buffer).getResult(0);
  SmallVector<utils::IteratorType> iterators(numLoops,
                                             utils::IteratorType::reduction);
  check = linalg::GenericOp::create(b, start.getType(), tensors, start, maps,
                                    iterators);
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Type> types;
  SmallVector<Location> locations(inputs.size() + 1, b.getLoc());
  for (Value tensor : tensors)
    types.push_back(getElementTypeOrSelf(tensor.getType()));
  types.push_back(element);
  Block *body = b.createBlock(&check.getRegion(), {}, types, locations);
  Value sum = body->getArguments().back();
  for (Known &known : all) {
    Value value = emit(known.op, known.value);
    Value isRight;
    auto compare = [&](arith::CmpFPredicate predicate, Value lhs, Value rhs) {
      return arith::CmpFOp::create(b, predicate, lhs, rhs);
    };
    if (!known.combiner || isa<arith::AddFOp>(known.combiner)) {
      Value none =
          arith::ConstantOp::create(b, b.getFloatAttr(value.getType(), 0.0));
      isRight = compare(arith::CmpFPredicate::OEQ, value, none);
    } else {
      // Equal ones could be zeros of two signs.
      Value result = body->getArgument(results.lookup(known.op));
      isRight = compare(isa<arith::MaximumFOp>(known.combiner)
                            ? arith::CmpFPredicate::OLT
                            : arith::CmpFPredicate::OGT,
                        value, result);
    }
    sum = arith::AddFOp::create(b, sum, getFailure(isRight), kAnyOrder);
  }
  linalg::YieldOp::create(b, sum);
  return check.getResult(0);
}

Value emitMaskCheck(ImplicitLocOpBuilder &b, const MaskedColumns &found,
                    const FusionGroup &group, MaskedColumns::GetTile getTile,
                    function_ref<Value(linalg::LinalgOp)> getResult,
                    ArrayRef<int64_t> tiles, Value buffer) {
  return CheckBuilder(b, found, group, getTile, getResult, tiles)
      .create(buffer);
}

Value createFiniteCheck(ImplicitLocOpBuilder &b, Value tensor, Value buffer) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Type element = type.getElementType();
  Value zero = arith::ConstantOp::create(b, b.getFloatAttr(element, 0.0));
  Value start = linalg::FillOp::create(b, zero, buffer).getResult(0);
  SmallVector<AffineMap> maps = {
      b.getMultiDimIdentityMap(type.getRank()),
      AffineMap::get(type.getRank(), 0, {}, b.getContext())};
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::reduction);
  return linalg::GenericOp::create(
             b, start.getType(), tensor, start, maps, iterators,
             [&](OpBuilder &body, Location loc, ValueRange arguments) {
               // Zero, or NaN.
               Value nothing =
                   arith::MulFOp::create(body, loc, arguments[0], zero);
               linalg::YieldOp::create(body, loc,
                                       arith::AddFOp::create(body, loc,
                                                             arguments[1],
                                                             nothing, kAnyOrder)
                                           .getResult());
             })
      .getResult(0);
}

} // namespace ein
