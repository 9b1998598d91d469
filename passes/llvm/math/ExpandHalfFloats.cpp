//===- ExpandHalfFloats.cpp - Half-precision conversions as integers ------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a machine has no instruction for it, LLVM calls the compiler's runtime
// library to convert f16 and bf16 (`__truncsfbf2`, `__extendhfsf2`), which an
// object may not need. So conversions become integer arithmetic, on vectors as
// well as on scalars: upstream's patterns for bf16, and ours for f16.
//
// To f32: exponent and fraction move to their places, and the exponent's bias
// is corrected; a subnormal number gets an exponent, whose value is subtracted
// again. To f16: half of the last place is added, and a bit more if the last
// bit is odd; a subnormal number is rounded by adding one half, whose last
// place is its own.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/analysis/CompileBudget.h"
#include "passes/llvm/math/HalfOrder.h"
#include "passes/llvm/math/MachineMath.h"
#include "passes/llvm/math/Passes.h"
#include "passes/schedule/MachineAttrs.h"

namespace ein {
#define GEN_PASS_DEF_EXPANDHALFFLOATS
#include "passes/llvm/math/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

/// Integer arithmetic on values of the shape of `like`.
struct Bits {
  ImplicitLocOpBuilder b;
  Type shape;

  Bits(OpBuilder &builder, Location loc, Value like)
      : b(loc, builder), shape(like.getType()) {}

  Type with(Type element) {
    if (auto shaped = dyn_cast<ShapedType>(shape))
      return shaped.clone(element);
    return element;
  }
  Value constant(uint32_t value) {
    Type type = with(b.getI32Type());
    Attribute attr = b.getI32IntegerAttr(static_cast<int32_t>(value));
    if (auto shaped = dyn_cast<ShapedType>(type))
      attr = DenseElementsAttr::get(shaped, attr);
    return arith::ConstantOp::create(b, cast<TypedAttr>(attr));
  }
  Value andWith(Value x, uint32_t y) {
    return arith::AndIOp::create(b, x, constant(y));
  }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, x, y); }
  Value left(Value x, unsigned by) {
    return arith::ShLIOp::create(b, x, constant(by));
  }
  Value right(Value x, unsigned by) {
    return arith::ShRUIOp::create(b, x, constant(by));
  }
  Value toFloat(Value x) {
    return arith::BitcastOp::create(b, with(b.getF32Type()), x);
  }
  Value toBits(Value x) {
    return arith::BitcastOp::create(b, with(b.getI32Type()), x);
  }
  Value select(arith::CmpIPredicate predicate, Value x, uint32_t y,
               Value whenTrue, Value whenFalse) {
    Value holds = arith::CmpIOp::create(b, predicate, x, constant(y));
    return arith::SelectOp::create(b, holds, whenTrue, whenFalse);
  }
};

} // namespace

static bool converts(Operation *op, bool (Type::*from)() const,
                     bool (Type::*to)() const) {
  return (getElementTypeOrSelf(op->getOperand(0).getType()).*from)() &&
         (getElementTypeOrSelf(op->getResult(0).getType()).*to)();
}

/// f16 to f32.
static Value expandExtension(OpBuilder &builder, arith::ExtFOp op) {
  Bits bits(builder, op.getLoc(), op.getIn());
  ImplicitLocOpBuilder &b = bits.b;
  Value half =
      arith::BitcastOp::create(b, bits.with(b.getI16Type()), op.getIn());
  half = arith::ExtUIOp::create(b, bits.with(b.getI32Type()), half);
  Value shifted = bits.left(bits.andWith(half, 0x7fff), 13);
  Value exponent = bits.andWith(shifted, 0x7c00u << 13);
  Value normal = bits.add(shifted, bits.constant(112u << 23));
  Value infinite = bits.add(shifted, bits.constant(224u << 23));
  Value magic = bits.toFloat(bits.constant(113u << 23));
  Value subnormal = bits.toFloat(bits.add(shifted, bits.constant(113u << 23)));
  subnormal = bits.toBits(arith::SubFOp::create(b, subnormal, magic));
  Value magnitude =
      bits.select(arith::CmpIPredicate::eq, exponent, 0, subnormal, normal);
  magnitude = bits.select(arith::CmpIPredicate::eq, exponent, 0x7c00u << 13,
                          infinite, magnitude);
  Value sign = bits.left(bits.andWith(half, 0x8000), 16);
  return bits.toFloat(arith::OrIOp::create(b, magnitude, sign));
}

/// f32 to f16.
static Value expandTruncation(OpBuilder &builder, arith::TruncFOp op) {
  Bits bits(builder, op.getLoc(), op.getIn());
  ImplicitLocOpBuilder &b = bits.b;
  Value single = bits.toBits(op.getIn());
  Value magnitude = bits.andWith(single, 0x7fffffff);
  Value odd = bits.andWith(bits.right(magnitude, 13), 1);
  Value rounded = bits.add(bits.add(magnitude, bits.constant(0xfff)), odd);
  Value half =
      bits.add(bits.right(rounded, 13), bits.constant(0u - (112 << 10)));
  constexpr uint32_t oneHalf = 0x3f000000;
  Value subnormal = arith::AddFOp::create(b, bits.toFloat(magnitude),
                                          bits.toFloat(bits.constant(oneHalf)));
  subnormal = bits.add(bits.toBits(subnormal), bits.constant(0u - oneHalf));
  // 2^-14 is the least normal number; 65520 is half of a place beyond the
  // largest one.
  half = bits.select(arith::CmpIPredicate::ult, magnitude, 0x38800000,
                     subnormal, half);
  half = bits.select(arith::CmpIPredicate::uge, magnitude, 0x477ff000,
                     bits.constant(0x7c00), half);
  half = bits.select(arith::CmpIPredicate::ugt, magnitude, 0x7f800000,
                     bits.constant(0x7e00), half);
  Value sign = bits.andWith(bits.right(single, 16), 0x8000);
  half = arith::OrIOp::create(b, half, sign);
  half = arith::TruncIOp::create(b, bits.with(b.getI16Type()), half);
  return arith::BitcastOp::create(b, op.getType(), half);
}

constexpr StringLiteral kFence = "llvm.arithmetic.fence";

/// `value`, of which LLVM does not see what it is.
static Value createFence(ImplicitLocOpBuilder &b, Value value) {
  return LLVM::CallIntrinsicOp::create(b, value.getType(),
                                       b.getStringAttr(kFence), value)
      ->getResult(0);
}

static bool isFence(Operation *op) {
  auto call = dyn_cast<LLVM::CallIntrinsicOp>(op);
  return call && call.getIntrin() == kFence;
}

/// Whether the last 16 bits of an integer are zero, as of a number of bf16.
static bool hasShortBits(Value integer) {
  constexpr unsigned kHalfBits = 16;
  APInt number;
  if (auto shift = integer.getDefiningOp<arith::ShLIOp>())
    return matchPattern(shift.getRhs(), m_ConstantInt(&number)) &&
           number.uge(kHalfBits);
  auto mask = integer.getDefiningOp<arith::AndIOp>();
  return mask && matchPattern(mask.getRhs(), m_ConstantInt(&number)) &&
         number.countr_zero() >= kHalfBits;
}

/// Whether the last 16 bits of `single` are zero if it is NaN: of numbers of
/// bf16, of constants, and of what instructions compute of these, which have
/// the NaN of an operand or one whose last bits are zero. So many ops were
/// `followed` for that.
static bool hasShortNaN(Value single, size_t &followed) {
  APFloat number(0.0f);
  if (matchPattern(single, m_ConstantFloat(&number)))
    return !number.isNaN();
  Operation *op = single.getDefiningOp();
  if (!op || followed == CompileBudget::kFollowedOps)
    return false;
  ++followed;
  if (auto cast = dyn_cast<arith::BitcastOp>(op))
    return hasShortBits(cast.getIn());
  if (isa<arith::SIToFPOp, arith::UIToFPOp>(op))
    return true;
  if (auto extension = dyn_cast<arith::ExtFOp>(op))
    return getElementTypeOrSelf(extension.getIn().getType()).isBF16();
  if (isFence(op))
    return hasShortNaN(op->getOperand(0), followed);
  bool isInstruction =
      isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
          arith::NegFOp, arith::SelectOp, math::FmaOp, math::SqrtOp,
          math::AbsFOp, vector::FMAOp, vector::BroadcastOp, vector::ShuffleOp>(
          op);
  unsigned first = isa<arith::SelectOp>(op) ? 1 : 0;
  return isInstruction &&
         llvm::all_of(op->getOperands().drop_front(first), [&](Value operand) {
           return hasShortNaN(operand, followed);
         });
}

static bool hasShortNaN(Value single) {
  size_t followed = 0;
  return hasShortNaN(single, followed);
}

/// The bits of f32 rounded to the upper 16 ones: half of the last place is
/// added, or a bit less if the last bit is even.
static Value roundUpperBits(Bits &bits, Value single) {
  ImplicitLocOpBuilder &b = bits.b;
  Value number = bits.toBits(single);
  Value odd = bits.andWith(bits.right(number, 16), 1);
  Value rounded = bits.add(bits.add(number, odd), bits.constant(0x7fff));
  if (hasShortNaN(single))
    return rounded;
  Value isNaN =
      arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, single, single);
  return arith::SelectOp::create(b, isNaN, bits.constant(0x7fc0 << 16),
                                 rounded);
}

static Value expandTruncationToBF16(OpBuilder &builder, Location loc,
                                    Value single) {
  Bits bits(builder, loc, single);
  ImplicitLocOpBuilder &b = bits.b;
  Value half = bits.right(roundUpperBits(bits, single), 16);
  half = arith::TruncIOp::create(b, bits.with(b.getI16Type()), half);
  return arith::BitcastOp::create(b, bits.with(b.getBF16Type()), half);
}

/// f32 to bf16 where registers of even and odd numbers take turns, in the
/// numbers' order: the odd ones are where they belong.
static Value joinHalves(OpBuilder &builder, vector::ShuffleOp op, Value single,
                        int64_t lanes) {
  Bits bits(builder, op.getLoc(), single);
  ImplicitLocOpBuilder &b = bits.b;
  int64_t count = op.getResultVectorType().getNumElements();
  Value rounded = roundUpperBits(bits, single);
  auto places = getHalvesTogether(count, lanes);
  auto take = [&](int64_t first) -> Value {
    SmallVector<int64_t> parity;
    for (int64_t number = first; number < count; number += 2)
      parity.push_back(places[number]);
    return vector::ShuffleOp::create(b, rounded, rounded, parity);
  };
  Value even = take(0), odd = take(1);
  auto words = cast<VectorType>(even.getType());
  auto getSplat = [&](int32_t number) -> Value {
    return arith::ConstantOp::create(
        b, DenseElementsAttr::get(words, b.getI32IntegerAttr(number)));
  };
  auto halves = VectorType::get({count}, b.getI16Type());
  auto asHalves = [&](Value integers) -> Value {
    return vector::BitCastOp::create(b, halves, integers);
  };
  Value low = asHalves(arith::ShRUIOp::create(b, even, getSplat(16)));
  SmallVector<int64_t> byTurns;
  for (int64_t i = 0; i < count; ++i)
    byTurns.push_back(i % 2 == 0 ? i : count + i);
  Value joined = vector::ShuffleOp::create(b, low, asHalves(odd), byTurns);
  return arith::BitcastOp::create(b, op.getType(), joined);
}

/// f64 to the f32 that is next to it towards zero, with its last bit set if
/// they differ. What is between two halves, or between these and their middle,
/// stays there, so that the half is as if it were rounded once.
static Value roundToOdd(OpBuilder &builder, arith::TruncFOp op) {
  Bits bits(builder, op.getLoc(), op.getIn());
  ImplicitLocOpBuilder &b = bits.b;
  Value wide = op.getIn();
  Value single = arith::TruncFOp::create(b, bits.with(b.getF32Type()), wide);
  Value back = arith::ExtFOp::create(b, wide.getType(), single);
  // Of numbers with the same sign, and so of their bits.
  Type type = bits.with(b.getI64Type());
  Value isBeyond = arith::CmpIOp::create(
      b, arith::CmpIPredicate::ugt, arith::BitcastOp::create(b, type, back),
      arith::BitcastOp::create(b, type, wide));
  // None of a NaN.
  Value differs =
      arith::CmpFOp::create(b, arith::CmpFPredicate::ONE, back, wide);
  Value nearest = bits.toBits(single);
  Value cut = arith::SelectOp::create(
      b, isBeyond, bits.add(nearest, bits.constant(~0u)), nearest);
  cut = arith::OrIOp::create(b, cut, bits.constant(1));
  return bits.toFloat(arith::SelectOp::create(b, differs, cut, nearest));
}

namespace {

/// f16 and bf16 to f64 by way of f32.
struct SplitExtension : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    if (!converts(op, &Type::isF16, &Type::isF64) &&
        !converts(op, &Type::isBF16, &Type::isF64))
      return rewriter.notifyMatchFailure(op, "not from half to double");
    Bits bits(rewriter, op.getLoc(), op.getIn());
    Value single = arith::ExtFOp::create(
        rewriter, op.getLoc(), bits.with(rewriter.getF32Type()), op.getIn());
    rewriter.replaceOpWithNewOp<arith::ExtFOp>(op, op.getType(), single);
    return success();
  }
};

/// f64 to f16 and bf16 by way of f32.
struct SplitTruncation : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    if (!converts(op, &Type::isF64, &Type::isF16) &&
        !converts(op, &Type::isF64, &Type::isBF16))
      return rewriter.notifyMatchFailure(op, "not from double to half");
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(),
                                                 roundToOdd(rewriter, op));
    return success();
  }
};

/// f32 to bf16 by an instruction, which takes what is subnormal for zero: where
/// a vector has such a number, which is rare, all of it is rounded by integers,
/// in a branch.
struct RoundByInstruction : OpRewritePattern<arith::TruncFOp> {
  RoundByInstruction(MLIRContext *context,
                     const VectorInstructions &instructions)
      : OpRewritePattern(context, /*benefit=*/3), instructions(instructions) {}
  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    FormulaValue single(b, op.getIn());
    if (!converts(op, &Type::isF32, &Type::isBF16) ||
        !hasHalfRounding(instructions, single))
      return rewriter.notifyMatchFailure(op, "no instruction rounds it");
    auto branch = scf::IfOp::create(
        b, isAnySubnormal(instructions, single),
        [&](OpBuilder &inner, Location loc) {
          scf::YieldOp::create(inner, loc,
                               expandTruncationToBF16(inner, loc, op.getIn()));
        },
        [&](OpBuilder &inner, Location loc) {
          ImplicitLocOpBuilder usual(loc, inner);
          FormulaValue number(usual, op.getIn());
          scf::YieldOp::create(usual, roundToBF16(instructions, number));
        });
    rewriter.replaceOp(op, branch.getResults());
    return success();
  }

private:
  VectorInstructions instructions;
};

/// As upstream's does, but for NaN whose last bits are known.
struct RoundByIntegers : OpRewritePattern<arith::TruncFOp> {
  RoundByIntegers(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/2) {}
  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    if (!converts(op, &Type::isF32, &Type::isBF16) || !hasShortNaN(op.getIn()))
      return rewriter.notifyMatchFailure(op, "upstream's pattern rounds it");
    rewriter.replaceOp(
        op, expandTruncationToBF16(rewriter, op.getLoc(), op.getIn()));
    return success();
  }
};

struct ExpandExtension : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    if (!converts(op, &Type::isF16, &Type::isF32))
      return rewriter.notifyMatchFailure(op, "not from f16 to f32");
    rewriter.replaceOp(op, expandExtension(rewriter, op));
    return success();
  }
};

struct ExpandTruncation : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    if (!converts(op, &Type::isF32, &Type::isF16))
      return rewriter.notifyMatchFailure(op, "not from f32 to f16");
    rewriter.replaceOp(op, expandTruncation(rewriter, op));
    return success();
  }
};

struct ExpandHalfFloatsPass : impl::ExpandHalfFloatsBase<ExpandHalfFloatsPass> {
  using ExpandHalfFloatsBase::ExpandHalfFloatsBase;
  void runOnOperation() override {
    VectorInstructions instructions = getInstructions(getOperation());
    if (instructions.lookUps && instructions.fma)
      addByFma();
    joinAllHalves(instructions);
    RewritePatternSet patterns(&getContext());
    arith::populateExpandBFloat16Patterns(patterns);
    patterns.add<RoundByInstruction>(&getContext(), instructions);
    patterns.add<RoundByIntegers, SplitExtension, SplitTruncation>(
        &getContext());
    if (!onlyBFloat16)
      patterns.add<ExpandExtension, ExpandTruncation>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    if (onlyBFloat16 && instructions.lookUps && !instructions.avx512)
      joinRegisters(instructions);
  }

private:
  /// What is rounded next is added by an FMA with a one that LLVM does not see:
  /// additions share units with conversions, where products do not.
  void addByFma() {
    SmallVector<Operation *> sums;
    getOperation().walk([&](arith::TruncFOp rounding) {
      Operation *sum = rounding.getIn().getDefiningOp();
      auto isProduct = [](Value operand) {
        return operand.getDefiningOp<arith::MulFOp>() != nullptr;
      };
      if ((converts(rounding, &Type::isF32, &Type::isF16) ||
           converts(rounding, &Type::isF32, &Type::isBF16)) &&
          isa_and_present<arith::AddFOp, arith::SubFOp>(sum) &&
          isa<VectorType>(sum->getResult(0).getType()) && sum->hasOneUse() &&
          llvm::none_of(sum->getOperands(), isProduct))
        sums.push_back(sum);
    });
    for (Operation *sum : sums) {
      ImplicitLocOpBuilder b(sum->getLoc(), sum);
      Type type = sum->getResult(0).getType();
      Value one = arith::ConstantOp::create(b, b.getF32FloatAttr(1));
      one = vector::BroadcastOp::create(b, type, createFence(b, one));
      Value term = sum->getOperand(1);
      if (isa<arith::SubFOp>(sum))
        term = arith::NegFOp::create(b, term);
      sum->getResult(0).replaceAllUsesWith(
          math::FmaOp::create(b, sum->getOperand(0), one, term));
      sum->erase();
    }
  }

  /// A register of f16 is two that are rounded. LLVM would store each by the
  /// instruction that rounds it, which takes twice the time of both.
  void joinRegisters(const VectorInstructions &instructions) {
    SmallVector<arith::TruncFOp> roundings;
    getOperation().walk([&](arith::TruncFOp op) {
      auto type = dyn_cast<VectorType>(op.getType());
      if (type && type.getRank() == 1 && type.getElementType().isF16() &&
          type.getNumElements() * type.getElementTypeBitWidth() ==
              instructions.vectorBits)
        roundings.push_back(op);
    });
    for (arith::TruncFOp op : roundings) {
      ImplicitLocOpBuilder b(op.getLoc(), &getContext());
      b.setInsertionPointAfter(op);
      Value fence = createFence(b, op);
      op->getResult(0).replaceAllUsesExcept(fence, fence.getDefiningOp());
    }
  }
  /// Where registers of even and odd numbers take turns.
  void joinAllHalves(const VectorInstructions &instructions) {
    constexpr unsigned kSingleBits = 32;
    int64_t lanes = instructions.vectorBits / kSingleBits;
    SmallVector<vector::ShuffleOp> shuffles;
    getOperation().walk([&](vector::ShuffleOp op) {
      int64_t count = op.getResultVectorType().getNumElements();
      auto rounding = op.getV1().getDefiningOp<arith::TruncFOp>();
      if (rounding && converts(rounding, &Type::isF32, &Type::isBF16) &&
          op.getV1().getType() == op.getType() && count % (2 * lanes) == 0 &&
          op.getMask() == ArrayRef(getHalvesTogether(count, lanes)))
        shuffles.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (vector::ShuffleOp op : shuffles) {
      auto rounding = op.getV1().getDefiningOp<arith::TruncFOp>();
      rewriter.setInsertionPoint(op);
      ImplicitLocOpBuilder b(op.getLoc(), rewriter);
      if (hasHalfRounding(instructions, {b, rounding.getIn()}))
        continue;
      rewriter.replaceOp(op, joinHalves(rewriter, op, rounding.getIn(), lanes));
    }
  }
};

} // namespace
} // namespace ein
