//===- WidenHalfFloats.cpp - Compute with half precision in f32 -----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: most machines convert f16 and bf16 and do not compute with them, so
// that each operation is one in f32 between conversions. AVX512-FP16 and Arm's
// half precision compute with twice as many numbers of f16 at once.
//
// Choice: upstream's two passes widen, but with those instructions f16 keeps
// the operations that are one. Numbers stay what they are: f32 has more than
// twice the bits of f16, so that a sum, a product, a quotient or a root that
// was rounded to f32 first is rounded to the same f16 (Figueroa, "When is
// Double Rounding Innocuous?", SIGNUM Newsletter 30(3), 1995). The other way
// round, a root that is only rounded is one of f16, and the larger of two
// numbers that were extended is the larger one, extended. A product that is
// added may be rounded once, as in f32. Remainders, conversions of integers and
// functions are widened as before. So are sums across a vector, which round
// once.
//
// Consequence: a statement that computes in f16 has no conversions, and one
// that computes in f32, as is the default, no fewer roundings than it had.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/llvm/math/HalfBits.h"
#include "passes/llvm/math/Passes.h"
#include "passes/schedule/MachineAttrs.h"

namespace ein {
#define GEN_PASS_DEF_WIDENHALFFLOATS
#include "passes/llvm/math/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

Type withElement(Type like, Type element) {
  auto shaped = dyn_cast<ShapedType>(like);
  return shaped ? shaped.clone(element) : element;
}

/// The f16 that was extended to `value`, which may be a constant; null if there
/// is none.
Value getNarrow(PatternRewriter &rewriter, Value value) {
  Type half = withElement(value.getType(), rewriter.getF16Type());
  if (auto extension = value.getDefiningOp<arith::ExtFOp>())
    return extension.getIn().getType() == half ? extension.getIn() : Value();
  FloatAttr number;
  DenseFPElementsAttr numbers;
  if (matchPattern(value, m_Constant(&numbers)) && numbers.isSplat())
    number = numbers.getSplatValue<FloatAttr>();
  else if (!matchPattern(value, m_Constant(&number)))
    return {};
  APFloat narrow = number.getValue();
  bool isChanged = false;
  narrow.convert(APFloat::IEEEhalf(), APFloat::rmNearestTiesToEven, &isChanged);
  if (isChanged || narrow.isNaN())
    return {};
  auto attr = rewriter.getFloatAttr(rewriter.getF16Type(), narrow);
  auto shaped = dyn_cast<ShapedType>(half);
  return arith::ConstantOp::create(
      rewriter, value.getLoc(),
      shaped ? TypedAttr(DenseElementsAttr::get(shaped, Attribute(attr)))
             : TypedAttr(attr));
}

/// max(extf x, extf y) -> extf max(x, y)
template <typename OpT> struct NarrowExtreme : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32() ||
        (!op.getLhs().template getDefiningOp<arith::ExtFOp>() &&
         !op.getRhs().template getDefiningOp<arith::ExtFOp>()))
      return rewriter.notifyMatchFailure(op, "not of numbers of f16 in f32");
    Value left = getNarrow(rewriter, op.getLhs());
    Value right = left ? getNarrow(rewriter, op.getRhs()) : Value();
    if (!right)
      return rewriter.notifyMatchFailure(op, "not of numbers of f16");
    Value narrow =
        OpT::create(rewriter, op.getLoc(), left, right, op.getFastmath());
    rewriter.replaceOpWithNewOp<arith::ExtFOp>(op, op.getType(), narrow);
    return success();
  }
};

/// truncf sqrt(extf x) -> sqrt(x), and truncf extf x -> x
struct NarrowTruncation : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    Value wide = op.getIn();
    if (!getElementTypeOrSelf(op.getType()).isF16() ||
        !getElementTypeOrSelf(wide.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "not from f32 to f16");
    if (auto extension = wide.getDefiningOp<arith::ExtFOp>()) {
      if (extension.getIn().getType() != op.getType())
        return rewriter.notifyMatchFailure(op, "not of an f16 in f32");
      rewriter.replaceOp(op, extension.getIn());
      return success();
    }
    auto root = wide.getDefiningOp<math::SqrtOp>();
    auto extension =
        root ? root.getOperand().getDefiningOp<arith::ExtFOp>() : nullptr;
    if (!extension || extension.getIn().getType() != op.getType())
      return rewriter.notifyMatchFailure(op, "not the root of an f16 in f32");
    rewriter.replaceOpWithNewOp<math::SqrtOp>(op, extension.getIn(),
                                              root.getFastmath());
    return success();
  }
};

/// Upstream's extension of functions to f32 leaves this one out.
struct ExtendFma : OpRewritePattern<math::FmaOp> {
  ExtendFma(MLIRContext *context, bool nativeF16)
      : OpRewritePattern(context), nativeF16(nativeF16) {}
  LogicalResult matchAndRewrite(math::FmaOp op,
                                PatternRewriter &rewriter) const override {
    Type element = getElementTypeOrSelf(op.getType());
    if (!element.isBF16() && (!element.isF16() || nativeF16))
      return rewriter.notifyMatchFailure(op, "is an instruction");
    Type single = withElement(op.getType(), rewriter.getF32Type());
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(
          arith::ExtFOp::create(rewriter, op.getLoc(), single, operand));
    Value result = math::FmaOp::create(rewriter, op.getLoc(), operands[0],
                                       operands[1], operands[2]);
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), result);
    return success();
  }
  bool nativeF16;
};

struct WidenHalfFloatsPass : impl::WidenHalfFloatsBase<WidenHalfFloatsPass> {
  using WidenHalfFloatsBase::WidenHalfFloatsBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ExtendFma>(&getContext(), nativeF16);
    if (nativeF16) {
      patterns.add<NarrowExtreme<arith::MaximumFOp>,
                   NarrowExtreme<arith::MinimumFOp>,
                   NarrowExtreme<arith::MaxNumFOp>,
                   NarrowExtreme<arith::MinNumFOp>, NarrowTruncation>(
          &getContext());
      // A reciprocal in f16 is not as good as the one in f32 that it was.
      getOperation().walk([](arith::DivFOp op) {
        if (getElementTypeOrSelf(op.getType()).isF16())
          op.setFastmath(op.getFastmath() & ~arith::FastMathFlags::arcp);
      });
    }
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))) ||
        failed(widenArithmetic()) || failed(widenFunctions()))
      return signalPassFailure();
    // Upstream's emulation allows each result in f32 to go on as it is. It is
    // rounded: a value may not depend on how much of it was computed at once.
    getOperation().walk([](arith::TruncFOp op) { op.removeFastmathAttr(); });
    RewritePatternSet choices(&getContext());
    VectorInstructions instructions = getInstructions(getOperation());
    populateHalfBitsPatterns(choices, instructions, nativeF16);
    if (failed(applyPatternsGreedily(getOperation(), std::move(choices))))
      signalPassFailure();
  }

private:
  /// Whether f16 is left alone by an op that is an instruction.
  bool isKept(Operation *op) {
    auto isBrain = [](Type type) {
      return getElementTypeOrSelf(type).isBF16();
    };
    return nativeF16 && llvm::none_of(op->getOperandTypes(), isBrain) &&
           llvm::none_of(op->getResultTypes(), isBrain);
  }

  LogicalResult widenArithmetic() {
    Builder b(&getContext());
    TypeConverter converter;
    arith::populateEmulateUnsupportedFloatsConversions(
        converter, {b.getF16Type(), b.getBF16Type()}, b.getF32Type());
    RewritePatternSet patterns(&getContext());
    arith::populateEmulateUnsupportedFloatsPatterns(patterns, converter);
    ConversionTarget target(getContext());
    arith::populateEmulateUnsupportedFloatsLegality(target, converter);
    if (nativeF16)
      target.addDynamicallyLegalOp<
          arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
          arith::NegFOp, arith::CmpFOp, arith::MaximumFOp, arith::MinimumFOp,
          arith::MaxNumFOp, arith::MinNumFOp, vector::FMAOp>(
          [&](Operation *op) { return isKept(op) || converter.isLegal(op); });
    return applyPartialConversion(getOperation(), target, std::move(patterns));
  }

  LogicalResult widenFunctions() {
    Builder b(&getContext());
    llvm::SetVector<Type> supported;
    supported.insert(b.getF32Type());
    supported.insert(b.getF64Type());
    TypeConverter converter;
    math::populateExtendToSupportedTypesTypeConverter(converter, supported,
                                                      b.getF32Type());
    RewritePatternSet patterns(&getContext());
    math::populateExtendToSupportedTypesPatterns(patterns, converter);
    ConversionTarget target(getContext());
    math::populateExtendToSupportedTypesConversionTarget(target, converter);
    if (nativeF16)
      target.addDynamicallyLegalOp<math::SqrtOp>(
          [&](Operation *op) { return isKept(op) || converter.isLegal(op); });
    return applyPartialConversion(getOperation(), target, std::move(patterns));
  }
};

} // namespace
} // namespace ein
