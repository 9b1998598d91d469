//===- RollEpilogues.cpp - Epilogues of functions, row by row -------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: an epilogue of a few additions is well off on the registers that the
// sums are in. A function is not: a tile of 6 by 64 floats is 24 vectors, and a
// hyperbolic tangent of each is some 30 instructions with a dozen constants,
// so nothing stays in registers, and the constants are kept alive round the
// loop over k, where LLVM then has none left for its addresses.
//
// Choice: the tile is written first, and a loop over its rows reads each from
// where it was just written, computes the function of it, and writes it again.
// A row is as many vectors as a function wants side by side. The loop becomes a
// function of its own later (`ein-outline-kernels`). Sums that come from memory
// anyway, as those of outer products do, have all of their epilogues so.
//
// Consequence: a load and a store more for each vector, in L1; 140 instructions
// instead of 800; and a branch instead of a select in the blocks of k that are
// not the last.
//
//===----------------------------------------------------------------------===//

#include "passes/vector/RollEpilogues.h"
#include "ir/EinDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/analysis/VectorForms.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace ein {
namespace {

/// What is computed between the sums of a register tile and its only write.
class Epilogue {
public:
  /// The epilogue that `write` writes; none if it is not worth a loop, or not
  /// of a form that is known.
  static std::optional<Epilogue> find(vector::TransferWriteOp write);
  void roll(RewriterBase &rewriter);

private:
  bool collect(Value value);
  bool canRead(vector::TransferReadOp read);
  Value readRow(ImplicitLocOpBuilder &b, vector::TransferReadOp read,
                Value row);
  Value createRow(ImplicitLocOpBuilder &b, Value sums, Value row);
  Value getNumRows(ImplicitLocOpBuilder &b);

  vector::TransferWriteOp write;
  /// The sums; the tile that they become; and where that is, null if it is
  /// always.
  Value sums, result, isLast;
  /// What is computed, after what it is computed of.
  SetVector<Operation *> ops;
};

} // namespace

/// The tensor that a value is a part, or a later state, of.
static Value getRoot(Value value) {
  while (true) {
    if (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>()) {
      value = slice.getSource();
    } else if (auto insert = value.getDefiningOp<tensor::InsertSliceOp>()) {
      value = insert.getDest();
    } else if (auto pad = value.getDefiningOp<tensor::PadOp>()) {
      value = pad.getSource();
    } else if (auto loop = value.getDefiningOp<scf::ForOp>()) {
      value = loop.getTiedLoopInit(cast<OpResult>(value))->get();
    } else if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      OpOperand *init = loop ? loop.getTiedLoopInit(argument) : nullptr;
      if (!init)
        return value;
      value = init->get();
    } else {
      return value;
    }
  }
}

/// Whether this is what a register tile has summed up; without a loop if there
/// is one step. Blocks become rows one by one.
static bool areSums(Value value) {
  return isa_and_nonnull<scf::ForOp, vector::ContractionOp, DotProductsOp,
                         TileProductsOp, vector::InsertOp>(
      value.getDefiningOp());
}

/// Whether they are in no registers of vectors, and are more than these hold:
/// the sums of outer products, one group of k at a time.
static bool areInMemory(Value sums) {
  if (auto loop = sums.getDefiningOp<scf::ForOp>())
    sums = loop.getTiedLoopYieldedValue(
                   loop.getRegionIterArgs()[cast<OpResult>(sums)
                                                .getResultNumber()])
               ->get();
  auto products = sums.getDefiningOp<TileProductsOp>();
  return products && products.getLhs().getType().getDimSize(1) == 1;
}

/// A constant whose elements are all the same.
static SplatElementsAttr getSplat(Value value) {
  SplatElementsAttr splat;
  return matchPattern(value, m_Constant(&splat)) ? splat : SplatElementsAttr();
}

/// Whether a row of what is read can be read by itself, and is not of what the
/// epilogue writes.
bool Epilogue::canRead(vector::TransferReadOp read) {
  AffineMap map = read.getPermutationMap();
  if (read.getMask() || !isa<RankedTensorType>(read.getBase().getType()) ||
      getRoot(read.getBase()) == getRoot(write.getBase()))
    return false;
  // Along columns it is contiguous, or one element.
  auto column = dyn_cast<AffineDimExpr>(map.getResult(1));
  return !column || column.getPosition() + 1 == map.getNumDims();
}

bool Epilogue::collect(Value value) {
  auto type = cast<VectorType>(result.getType());
  auto valueType = dyn_cast<VectorType>(value.getType());
  if (!valueType || valueType.getShape() != type.getShape())
    return false;
  Operation *op = value.getDefiningOp();
  if (!op || value == sums)
    return value == sums;
  if (ops.contains(op) || getSplat(value))
    return true;
  if (auto read = dyn_cast<vector::TransferReadOp>(op))
    return canRead(read);
  if (auto broadcast = dyn_cast<vector::BroadcastOp>(op))
    return !isa<VectorType>(broadcast.getSourceType());
  if (op->getBlock() == write->getBlock() && op->getNumResults() == 1 &&
      op->getNumRegions() == 0 && isPure(op) && hasVectorForm(op) &&
      OpTrait::hasElementwiseMappableTraits(op)) {
    if (!llvm::all_of(op->getOperands(),
                      [&](Value operand) { return collect(operand); }))
      return false;
    ops.insert(op);
    return true;
  }
  // There are sums once.
  if (sums || !areSums(value))
    return false;
  sums = value;
  return true;
}

std::optional<Epilogue> Epilogue::find(vector::TransferWriteOp write) {
  auto isZero = [](Value index) { return isZeroInteger(index); };
  VectorType type = write.getVectorType();
  auto tensorType = dyn_cast<RankedTensorType>(write.getBase().getType());
  if (!tensorType || tensorType.getRank() != 2 || type.getRank() != 2 ||
      type.getDimSize(0) < 2 || write.getMask() ||
      !write.getPermutationMap().isIdentity() ||
      !llvm::all_of(write.getIndices(), isZero))
    return std::nullopt;
  Epilogue epilogue;
  epilogue.write = write;
  epilogue.result = write.getVector();
  if (auto select = epilogue.result.getDefiningOp<arith::SelectOp>()) {
    // In other blocks than the last the sums stay what they are.
    auto condition = select.getCondition().getDefiningOp<vector::BroadcastOp>();
    if (areSums(select.getFalseValue()) && condition &&
        condition.getSource().getType().isInteger(1)) {
      epilogue.isLast = condition.getSource();
      epilogue.sums = select.getFalseValue();
      epilogue.result = select.getTrueValue();
    }
  }
  if (!epilogue.collect(epilogue.result) || !epilogue.sums ||
      epilogue.ops.empty() ||
      (llvm::none_of(epilogue.ops, hasFormula) && !areInMemory(epilogue.sums)))
    return std::nullopt;
  return epilogue;
}

/// Row `row` of what `read` reads.
Value Epilogue::readRow(ImplicitLocOpBuilder &b, vector::TransferReadOp read,
                        Value row) {
  AffineMap map = read.getPermutationMap();
  SmallVector<Value> indices(read.getIndices());
  if (auto dim = dyn_cast<AffineDimExpr>(map.getResult(0)))
    indices[dim.getPosition()] =
        b.createOrFold<arith::AddIOp>(indices[dim.getPosition()], row);
  VectorType type = read.getVectorType();
  auto rowType =
      VectorType::get(type.getShape().drop_front(), type.getElementType());
  if (!isa<AffineDimExpr>(map.getResult(1))) {
    Value element = tensor::ExtractOp::create(b, read.getBase(), indices);
    return vector::BroadcastOp::create(b, rowType, element);
  }
  return vector::TransferReadOp::create(
      b, rowType, read.getBase(), indices, read.getPadding(),
      AffineMap::getMinorIdentityMap(map.getNumDims(), 1, b.getContext()),
      ArrayRef<bool>{read.getInBoundsValues()[1]});
}

/// What the epilogue makes of a row of the sums.
Value Epilogue::createRow(ImplicitLocOpBuilder &b, Value sumsOfRow, Value row) {
  IRMapping rows;
  rows.map(sums, sumsOfRow);
  auto getRowType = [](Value value) {
    auto type = cast<VectorType>(value.getType());
    return VectorType::get(type.getShape().drop_front(), type.getElementType());
  };
  auto getRow = [&](Value value) {
    if (Value known = rows.lookupOrNull(value))
      return known;
    Value made;
    if (SplatElementsAttr splat = getSplat(value)) {
      made = arith::ConstantOp::create(b, splat.resizeSplat(getRowType(value)));
    } else if (auto read = value.getDefiningOp<vector::TransferReadOp>()) {
      made = readRow(b, read, row);
    } else {
      auto broadcast = value.getDefiningOp<vector::BroadcastOp>();
      made = vector::BroadcastOp::create(b, getRowType(value),
                                         broadcast.getSource());
    }
    rows.map(value, made);
    return made;
  };
  for (Operation *op : ops) {
    SmallVector<Value> operands =
        llvm::map_to_vector(op->getOperands(), getRow);
    Operation *ofRow =
        b.create(op->getLoc(), op->getName().getIdentifier(), operands,
                 TypeRange(getRowType(op->getResult(0))), op->getAttrs());
    rows.map(op->getResult(0), ofRow->getResult(0));
  }
  return getRow(result);
}

/// How many rows C has in the tile; none in a block that is not the last.
Value Epilogue::getNumRows(ImplicitLocOpBuilder &b) {
  int64_t most = write.getVectorType().getDimSize(0);
  Value base = write.getBase();
  int64_t known = cast<RankedTensorType>(base.getType()).getDimSize(0);
  Value rows = arith::ConstantIndexOp::create(
      b, ShapedType::isDynamic(known) ? most : std::min(known, most));
  if (ShapedType::isDynamic(known))
    rows = arith::MinSIOp::create(b, tensor::DimOp::create(b, base, 0), rows);
  if (!isLast)
    return rows;
  return arith::SelectOp::create(b, isLast, rows,
                                 arith::ConstantIndexOp::create(b, 0));
}

void Epilogue::roll(RewriterBase &rewriter) {
  ImplicitLocOpBuilder b(write.getLoc(), rewriter);
  b.setInsertionPoint(write);
  VectorType type = write.getVectorType();
  auto rowType =
      VectorType::get(type.getShape().drop_front(), type.getElementType());
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value padding =
      arith::ConstantOp::create(b, b.getZeroAttr(type.getElementType()));
  bool inBounds[] = {write.getInBoundsValues()[1]};
  AffineMap map = AffineMap::getMinorIdentityMap(2, 1, b.getContext());
  Value numRows = getNumRows(b);
  rewriter.modifyOpInPlace(
      write, [&]() { write.getValueToStoreMutable().assign(sums); });
  b.setInsertionPointAfter(write);
  auto loop = scf::ForOp::create(
      b, zero, numRows, one, ValueRange{write.getResult()},
      [&](OpBuilder &inner, Location, Value row, ValueRange carried) {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToEnd(inner.getInsertionBlock());
        Value sumsOfRow = vector::TransferReadOp::create(
            b, rowType, carried[0], ValueRange{row, zero}, padding, map,
            ArrayRef<bool>(inBounds));
        Value written = vector::TransferWriteOp::create(
                            b, createRow(b, sumsOfRow, row), carried[0],
                            ValueRange{row, zero}, ArrayRef<bool>(inBounds))
                            .getResult();
        scf::YieldOp::create(b, written);
      });
  loop->setAttr(EinDialect::kEpilogueAttr, b.getUnitAttr());
  rewriter.replaceAllUsesExcept(write.getResult(), loop.getResult(0), loop);
}

void rollEpilogues(RewriterBase &rewriter, func::FuncOp function) {
  SmallVector<vector::TransferWriteOp> writes;
  function.walk(
      [&](vector::TransferWriteOp write) { writes.push_back(write); });
  for (vector::TransferWriteOp write : writes)
    if (std::optional<Epilogue> epilogue = Epilogue::find(write))
      epilogue->roll(rewriter);
}

} // namespace ein
