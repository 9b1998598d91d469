//===- HalfBits.cpp - Half-precision numbers that are only chosen ---------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a statement on f16 or bf16 that only chooses, or changes signs,
// converts each number to f32 and back. What comes out is one of the numbers
// that went in, and rounding it takes most of the time.
//
// Choice: it is done with the bits. As signed integers, the larger one is the
// larger float unless both have a sign: then it is the lesser one as unsigned
// integers. A NaN without a sign is above all numbers as signed integers. One
// with a sign is above all as unsigned ones, and rare. For the lesser float all
// of that is the other way round.
//
//===----------------------------------------------------------------------===//

#include "passes/llvm/math/HalfBits.h"
#include "ir/EinDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/CompileBudget.h"
#include "passes/analysis/VectorForms.h"
#include "passes/llvm/math/FormulaValue.h"

using namespace mlir;

namespace ein {
namespace {

/// Numbers in f32 that are numbers of a half-precision type, as their bits.
class HalfBits {
public:
  HalfBits(ImplicitLocOpBuilder &b, VectorType type)
      : b(b), type(type),
        semantics(cast<FloatType>(type.getElementType()).getFloatSemantics()) {}

  /// Whether `value` is such a number, as far as is looked.
  bool isHalf(Value value);
  /// Its bits.
  FormulaValue get(Value value);

private:
  std::optional<APFloat> getConstant(Value value);
  Value getOfAll(Value value);
  FormulaValue create(Value value);
  FormulaValue getExtreme(Operation *op);
  FormulaValue getLiteral(const APFloat &number) {
    auto bits = DenseElementsAttr::get(
        type.clone(b.getI16Type()),
        IntegerAttr::get(b.getI16Type(), number.bitcastToAPInt()));
    return {b, arith::ConstantOp::create(b, cast<TypedAttr>(bits))};
  }

  ImplicitLocOpBuilder &b;
  VectorType type;
  const llvm::fltSemantics &semantics;
  size_t followed = 0;
  /// The bits of what several choose from.
  llvm::DenseMap<Value, Value> known;
};

} // namespace

/// The constant that all of `value` is, if it is a number of this type.
std::optional<APFloat> HalfBits::getConstant(Value value) {
  DenseFPElementsAttr numbers;
  if (!matchPattern(value, m_Constant(&numbers)) || !numbers.isSplat())
    return std::nullopt;
  auto number = numbers.getSplatValue<APFloat>();
  bool isChanged = false;
  number.convert(semantics, APFloat::rmNearestTiesToEven, &isChanged);
  if (isChanged || number.isNaN())
    return std::nullopt;
  return number;
}

/// The half-precision number that all of `value` is; null if it is none.
Value HalfBits::getOfAll(Value value) {
  auto broadcast = value.getDefiningOp<vector::BroadcastOp>();
  auto extension = broadcast
                       ? broadcast.getSource().getDefiningOp<arith::ExtFOp>()
                       : nullptr;
  return extension && extension.getIn().getType() == type.getElementType()
             ? extension.getIn()
             : Value();
}

bool HalfBits::isHalf(Value value) {
  if (getConstant(value) || getOfAll(value))
    return true;
  Operation *op = value.getDefiningOp();
  if (auto extension = dyn_cast_or_null<arith::ExtFOp>(op))
    return extension.getIn().getType() == type;
  if (!op || !choosesFloat(op) || followed == CompileBudget::kFollowedOps)
    return false;
  ++followed;
  unsigned condition = isa<arith::SelectOp>(op) ? 1 : 0;
  return llvm::all_of(op->getOperands().drop_front(condition),
                      [&](Value operand) { return isHalf(operand); });
}

FormulaValue HalfBits::getExtreme(Operation *op) {
  bool isMaximum = isa<arith::MaximumFOp>(op);
  FormulaValue x = get(op->getOperand(0)), y = get(op->getOperand(1));
  using Bits = FormulaValue;
  auto getLarger = [&](Bits x, Bits y) -> Bits {
    return {b, arith::MaxSIOp::create(b, x.getValue(), y.getValue())};
  };
  auto getMostUnsigned = [&](Bits x, Bits y) -> Bits {
    return {b, arith::MaxUIOp::create(b, x.getValue(), y.getValue())};
  };
  // Where a constant has no sign, not both have one, and it is no NaN.
  std::optional<APFloat> constant = getConstant(op->getOperand(1));
  bool hasPositive = constant && !constant->isNegative();
  Bits chosen =
      isMaximum
          ? getLarger(x, y)
          : Bits(b, arith::MinSIOp::create(b, x.getValue(), y.getValue()));
  Bits mostUnsigned = constant ? x : getMostUnsigned(x, y);
  if (!hasPositive) {
    Bits other =
        isMaximum
            ? Bits(b, arith::MinUIOp::create(b, x.getValue(), y.getValue()))
            : getMostUnsigned(x, y);
    chosen = chosen.isNegative().select(other, chosen);
  }
  Bits rare = isMaximum ? mostUnsigned : constant ? x : getLarger(x, y);
  Value isRare = arith::CmpIOp::create(
      b, isMaximum ? arith::CmpIPredicate::ugt : arith::CmpIPredicate::sgt,
      rare.getValue(),
      getLiteral(APFloat::getInf(semantics, /*Negative=*/isMaximum))
          .getValue());
  auto select =
      arith::SelectOp::create(b, isRare, rare.getValue(), chosen.getValue());
  select->setAttr(EinDialect::kSeldomAttr, b.getUnitAttr());
  return {b, select};
}

FormulaValue HalfBits::get(Value value) {
  if (Value bits = known.lookup(value))
    return {b, bits};
  FormulaValue bits = create(value);
  known.insert({value, bits.getValue()});
  return bits;
}

FormulaValue HalfBits::create(Value value) {
  constexpr int64_t kMagnitude = 0x7fff, kSign = -0x8000;
  if (std::optional<APFloat> constant = getConstant(value))
    return getLiteral(*constant);
  auto bits = type.clone(b.getI16Type());
  if (Value number = getOfAll(value))
    return {b,
            vector::BroadcastOp::create(
                b, bits, arith::BitcastOp::create(b, b.getI16Type(), number))};
  Operation *op = value.getDefiningOp();
  if (auto extension = dyn_cast<arith::ExtFOp>(op))
    return {b, arith::BitcastOp::create(b, bits, extension.getIn())};
  if (isa<arith::MaximumFOp, arith::MinimumFOp>(op))
    return getExtreme(op);
  if (auto choice = dyn_cast<arith::SelectOp>(op))
    return FormulaValue(b, choice.getCondition())
        .select(get(choice.getTrueValue()), get(choice.getFalseValue()));
  FormulaValue x = get(op->getOperand(0));
  if (isa<math::AbsFOp>(op))
    return x & kMagnitude;
  if (isa<arith::NegFOp>(op))
    return x ^ x.literal(kSign);
  return (x & kMagnitude) | (get(op->getOperand(1)) & kSign);
}

namespace {

struct HalfPattern {
  const VectorInstructions &instructions;
  bool nativeF16;

  /// Whether what is computed of vectors of `type` may be by bits.
  bool isFor(VectorType type) const {
    Type element = type.getElementType();
    return !type.isScalable() && type.getRank() != 0 &&
           (element.isBF16() || (element.isF16() && !nativeF16));
  }
};

/// What is rounded to the type of halves that it is one of.
struct KeepHalf : OpRewritePattern<arith::TruncFOp>, HalfPattern {
  KeepHalf(MLIRContext *context, HalfPattern pattern)
      : OpRewritePattern(context), HalfPattern(pattern) {}
  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type || !isFor(type) ||
        !getElementTypeOrSelf(op.getIn().getType()).isF32())
      return rewriter.notifyMatchFailure(op, "no vector of halves");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    HalfBits halves(b, type);
    if (!halves.isHalf(op.getIn()))
      return rewriter.notifyMatchFailure(op, "may be rounded");
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(
        op, type, halves.get(op.getIn()).getValue());
    return success();
  }
};

/// The larger or the lesser of halves, where these fill registers: of f32 it
/// would be more instructions for half as many numbers.
template <typename OpT> struct ChooseHalf : OpRewritePattern<OpT>, HalfPattern {
  ChooseHalf(MLIRContext *context, HalfPattern pattern)
      : OpRewritePattern<OpT>(context), HalfPattern(pattern) {}
  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    auto extension = op.getLhs().template getDefiningOp<arith::ExtFOp>();
    auto type = extension ? dyn_cast<VectorType>(extension.getIn().getType())
                          : VectorType();
    if (!type || !isFor(type) || !getElementTypeOrSelf(op.getType()).isF32() ||
        type.getNumElements() * type.getElementTypeBitWidth() <
            instructions.vectorBits)
      return rewriter.notifyMatchFailure(op, "no registers of halves");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    HalfBits halves(b, type);
    if (!halves.isHalf(op))
      return rewriter.notifyMatchFailure(op, "not of halves alone");
    Value chosen = arith::BitcastOp::create(b, type, halves.get(op).getValue());
    rewriter.replaceOpWithNewOp<arith::ExtFOp>(op, op.getType(), chosen);
    return success();
  }
};

} // namespace

void populateHalfBitsPatterns(RewritePatternSet &patterns,
                              const VectorInstructions &instructions,
                              bool nativeF16) {
  HalfPattern pattern = {instructions, nativeF16};
  patterns.add<KeepHalf, ChooseHalf<arith::MaximumFOp>,
               ChooseHalf<arith::MinimumFOp>>(patterns.getContext(), pattern);
}

} // namespace ein
