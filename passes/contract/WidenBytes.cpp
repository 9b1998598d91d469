//===- WidenBytes.cpp - Contractions of bytes in wider numbers ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No machine multiplies bytes, so a contraction of bytes is one of 16 bits, or
// of 32 where there is an instruction for such sums. Sums, products and what is
// combined bit by bit are right in their low bits, whatever wraps around.
// Maxima and minima are not: these are taken of what the wrapped product is in
// the high bits, where one factor is shifted to before, with zeros below it,
// and so are in the same order.
//
// No vectors are read of arrays of single bits, so a contraction of them is one
// of bytes that are 0 or 1, whose products are the same. On these a sum is an
// or, and what is signed is the other way round: true is -1. Neither are there
// vectors of indices in memory, which are numbers of 64 bits.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "passes/analysis/Raising.h"
#include "passes/contract/Elementwise.h"
#include "passes/contract/Passes.h"
#include "passes/contract/Transforms.h"

namespace ein {
#define GEN_PASS_DEF_WIDENBYTES
#include "passes/contract/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

/// A contraction on either way to say so.
struct Contraction {
  explicit Contraction(linalg::ContractOp op)
      : op(op), kind{vector::CombiningKind::ADD, op.getCast()},
        inputs(op.getDpsInputs()), init(op.getDpsInits()[0]),
        maps(op.getIndexingMapsArray()) {}
  explicit Contraction(ContractOp op)
      : op(op), kind{op.getKind(), op.getCast(), op.getRhsCast()},
        inputs{op.getLhs(), op.getRhs()}, init(op.getInit()),
        maps(op.getIndexingMapsArray()) {}

  Operation *op;
  ContractionKind kind;
  SmallVector<Value> inputs;
  Value init;
  SmallVector<AffineMap> maps;
};

class Widening {
public:
  Widening(RewriterBase &rewriter, const Contraction &contraction);

  LogicalResult run();

private:
  Value extend(Value source, Type type, bool isUnsigned);
  Value widen(Value source);
  Value widenInit();
  Operation *create(ArrayRef<Value> inputs, Value init);

  RewriterBase &rewriter;
  const Contraction &contraction;
  Location loc;
  ContractionKind kind;
  Type narrow, wide;
  bool isOfBits, isOfIndices;
  unsigned shift = 0;
};

} // namespace

/// How 0 and 1 are combined as bits are.
static vector::CombiningKind getKindOfBits(vector::CombiningKind kind) {
  switch (kind) {
  case vector::CombiningKind::ADD:
    return vector::CombiningKind::OR;
  case vector::CombiningKind::MINSI:
    return vector::CombiningKind::MAXUI;
  case vector::CombiningKind::MAXSI:
    return vector::CombiningKind::MINUI;
  default:
    return kind;
  }
}

Widening::Widening(RewriterBase &rewriter, const Contraction &contraction)
    : rewriter(rewriter), contraction(contraction),
      loc(contraction.op->getLoc()), kind(contraction.kind),
      narrow(getElementTypeOrSelf(contraction.init.getType())),
      isOfBits(narrow.isInteger(1)), isOfIndices(narrow.isIndex()) {
  if (isOfIndices) {
    wide = rewriter.getI64Type();
    return;
  }
  if (isOfBits) {
    kind = {getKindOfBits(kind.kind), linalg::TypeFn::cast_unsigned};
    // A byte is wide enough where there are no register tiles.
    wide = rewriter.getIntegerType(isMatrixProduct(contraction.maps) ? 16 : 8);
    return;
  }
  wide = rewriter.getIntegerType(kind.isSum() ? 32 : 16);
  switch (kind.kind) {
  case vector::CombiningKind::MAXSI:
  case vector::CombiningKind::MAXUI:
  case vector::CombiningKind::MINSI:
  case vector::CombiningKind::MINUI:
    shift = wide.getIntOrFloatBitWidth() - narrow.getIntOrFloatBitWidth();
    break;
  default:
    break;
  }
}

Value Widening::extend(Value source, Type type, bool isUnsigned) {
  return createElementwise(
      rewriter, loc, source, type, Value(),
      [&](OpBuilder &b, Location loc, Value value) -> Value {
        if (isOfIndices)
          return arith::IndexCastOp::create(b, loc, type, value);
        return convertScalarToDtype(b, loc, value, type, isUnsigned);
      });
}

/// With zeros below it where that matters.
Value Widening::widen(Value source) {
  bool isUnsigned = kind.cast == linalg::TypeFn::cast_unsigned;
  if (shift == 0)
    return extend(source, wide, isUnsigned);
  return createElementwise(
      rewriter, loc, source, wide, Value(),
      [&](OpBuilder &b, Location loc, Value value) -> Value {
        value = convertScalarToDtype(b, loc, value, wide, isUnsigned);
        Value amount =
            arith::ConstantOp::create(b, loc, b.getIntegerAttr(wide, shift));
        return arith::ShLIOp::create(b, loc, value, amount);
      });
}

/// What the contraction starts from.
Value Widening::widenInit() {
  auto getNumber = [&](const APInt &number) {
    unsigned width = wide.getIntOrFloatBitWidth();
    return isOfBits ? number.zext(width) : number.sext(width).shl(shift);
  };
  return createStart(rewriter, loc, contraction.init, wide, getNumber,
                     [&] { return widen(contraction.init); });
}

/// The contraction of other numbers.
Operation *Widening::create(ArrayRef<Value> inputs, Value init) {
  Operation *created;
  if (kind.isSum())
    created = createContraction(rewriter, loc, kind, init.getType(), inputs,
                                init, contraction.maps);
  else
    created = createContract(rewriter, loc, kind, init.getType(), inputs, init,
                             rewriter.getAffineMapArrayAttr(contraction.maps));
  copyDiscardableAttrs(contraction.op, created);
  return created;
}

LogicalResult Widening::run() {
  Operation *op = contraction.op;
  auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
  if (!llvm::all_of(op->getOperandTypes(), isTensor))
    return rewriter.notifyMatchFailure(op, "it is on buffers");
  auto isOf = [](Type type) {
    return [=](Value input) {
      return getElementTypeOrSelf(input.getType()) == type;
    };
  };
  SmallVector<Value> inputs = contraction.inputs;
  Type bit = rewriter.getI1Type(), byte = rewriter.getI8Type();
  rewriter.setInsertionPoint(op);
  if (!isOfBits && isa<IntegerType>(narrow) &&
      llvm::any_of(inputs, isOf(bit))) {
    // What counts bits counts bytes.
    for (auto [i, input] : llvm::enumerate(inputs))
      if (isOf(bit)(input))
        input = extend(input, byte,
                       kind.getCast(i) == linalg::TypeFn::cast_unsigned);
    Operation *ofBytes = create(inputs, contraction.init);
    rewriter.replaceOp(op, ofBytes);
    if (auto sum = dyn_cast<linalg::ContractOp>(ofBytes))
      (void)widenBytes(rewriter, sum);
    else if (auto other = dyn_cast<ContractOp>(ofBytes))
      (void)widenBytes(rewriter, other);
    return success();
  }
  if (!isOfBits && !isOfIndices && narrow != byte)
    return rewriter.notifyMatchFailure(op, "its numbers are no bytes");
  if (!llvm::all_of(inputs, isOf(narrow)))
    return rewriter.notifyMatchFailure(op, "its inputs are no bytes");
  bool isTaken = isOfIndices || (isOfBits ? !hasRepeatedDim(contraction.maps)
                                          // Others are no register tiles.
                                          : isMatrixProduct(contraction.maps));
  if (failed(matchLinalgContract(contraction.maps)) || !isTaken)
    return rewriter.notifyMatchFailure(op, "it is no product of matrices");

  // Packing extends bytes.
  if (isOfBits || isOfIndices)
    for (Value &input : inputs)
      input = extend(input, isOfBits ? byte : wide, /*isUnsigned=*/true);
  else if (shift != 0)
    inputs[0] = widen(inputs[0]);
  Value result = create(inputs, widenInit())->getResult(0);
  // What the contraction started from is read before.
  Value destination = contraction.init;
  if (auto fill = destination.getDefiningOp<linalg::FillOp>())
    destination = fill.getOutputs()[0];
  rewriter.replaceOp(
      op, createElementwise(
              rewriter, loc, result, narrow, destination,
              [&](OpBuilder &b, Location loc, Value value) -> Value {
                if (shift != 0) {
                  Value amount = arith::ConstantOp::create(
                      b, loc, b.getIntegerAttr(wide, shift));
                  value = arith::ShRUIOp::create(b, loc, value, amount);
                }
                if (isOfIndices)
                  return arith::IndexCastOp::create(b, loc, narrow, value);
                return arith::TruncIOp::create(b, loc, narrow, value);
              }));
  return success();
}

LogicalResult widenBytes(RewriterBase &rewriter, linalg::ContractOp op) {
  Contraction contraction(op);
  return Widening(rewriter, contraction).run();
}

LogicalResult widenBytes(RewriterBase &rewriter, ContractOp op) {
  Contraction contraction(op);
  return Widening(rewriter, contraction).run();
}

namespace {
struct WidenBytesPass : impl::WidenBytesBase<WidenBytesPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops) {
      if (auto contract = dyn_cast<linalg::ContractOp>(op))
        (void)widenBytes(rewriter, contract);
      else if (auto contract = dyn_cast<ContractOp>(op))
        (void)widenBytes(rewriter, contract);
    }
  }
};
} // namespace

} // namespace ein
