//===- InvertDivisors.cpp - Divisions become products ---------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a softmax divides a row by its sum, a mean all elements by how many
// there are. A division of vectors takes as long as ten to twenty products.
//
// Choice: r = 1 / s is computed once, and for each x
//
//   q = x r,  q' = q + (x - q s) r,
//
// where what is in parentheses is exact by FMA (Markstein, "Computation of
// elementary functions on the IBM RISC System/6000 processor", 1990). The sum
// that is rounded to q' is within 2^-23 units in the last place of x / s, so q'
// is not the quotient rounded only where that is as near to the middle of two
// numbers.
//
// Of a term of a sum whose order is free q is good enough: it is within 1.5
// units.
//
// Where q is infinite, NaN or zero, q' may be NaN or another zero; then q is
// right. A divisor whose reciprocal would be infinite is a denormal number:
// divisor and dividends are then multiplied by a power of two first, which is
// exact, or infinite where the quotient is as well.
//
//===----------------------------------------------------------------------===//

#include "passes/llvm/math/InvertDivisors.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace ein {
namespace {
/// A divisor as it is multiplied by: x / s is (factor x) * inverse, and
/// divisor = factor s. There is no factor if it is known to be 1.
struct Inverse {
  Value factor, divisor, inverse;
  /// The product is the quotient.
  bool isExact = false;
};
} // namespace

/// The operand of a conversion, say, of vectors; null for all else.
static Value getOnlyOperand(Value vector) {
  Operation *op = vector.getDefiningOp();
  bool isElementwise = op && op->getNumOperands() == 1 &&
                       OpTrait::hasElementwiseMappableTraits(op) && isPure(op);
  return isElementwise ? op->getOperand(0) : Value();
}

/// What all elements of `vector` are computed from, a number or a vector
/// without dims; null if they are not the same ones.
static Value getSplat(Value vector) {
  while (Value operand = getOnlyOperand(vector))
    vector = operand;
  auto broadcast = vector.getDefiningOp<vector::BroadcastOp>();
  if (!broadcast)
    return {};
  auto type = dyn_cast<VectorType>(broadcast.getSource().getType());
  return !type || type.getRank() == 0 ? broadcast.getSource() : Value();
}

/// The number that all elements of `vector` are, which has a splat.
static Value createNumber(ImplicitLocOpBuilder &b, Value vector) {
  if (Value operand = getOnlyOperand(vector)) {
    Operation *op = vector.getDefiningOp();
    return b
        .create(b.getLoc(), op->getName().getIdentifier(),
                createNumber(b, operand), getElementTypeOrSelf(vector),
                op->getAttrs())
        ->getResult(0);
  }
  Value source = vector.getDefiningOp<vector::BroadcastOp>().getSource();
  if (!isa<VectorType>(source.getType()))
    return source;
  return vector::ExtractOp::create(b, source, ArrayRef<int64_t>{});
}

/// The outermost of the loops right round `op` that do not change `value`; null
/// if even the innermost one does.
static scf::ForOp getLoopThatKeeps(Value value, Operation *op) {
  scf::ForOp outermost;
  for (auto loop = op->getParentOfType<scf::ForOp>();
       loop && loop.isDefinedOutsideOfLoop(value);
       loop = dyn_cast<scf::ForOp>(loop->getParentOp()))
    outermost = loop;
  return outermost;
}

static Value createLiteral(ImplicitLocOpBuilder &b, Type type, double number) {
  return arith::ConstantOp::create(b, b.getFloatAttr(type, number));
}

/// What a constant is multiplied by; nothing if LLVM knows better: of zero,
/// say.
static FailureOr<Inverse> invertConstant(ImplicitLocOpBuilder &b,
                                         const APFloat &number,
                                         VectorType type) {
  if (!number.isNormal())
    return failure();
  auto create = [&](const APFloat &value) -> Value {
    return arith::ConstantOp::create(
        b, DenseElementsAttr::get(
               type, FloatAttr::get(type.getElementType(), value)));
  };
  APFloat inverse(number.getSemantics(), 1);
  inverse.divide(number, APFloat::rmNearestTiesToEven);
  if (!inverse.isNormal())
    return failure();
  return Inverse{Value(), create(number), create(inverse),
                 number.getExactInverse(nullptr)};
}

static Inverse invert(ImplicitLocOpBuilder &b, Value number, VectorType type) {
  Type element = type.getElementType();
  bool isSingle = element.isF32();
  double least = isSingle ? 0x1p-126 : 0x1p-1022;
  double factor = isSingle ? 0x1p24 : 0x1p53;
  auto spread = [&](Value value) -> Value {
    return vector::BroadcastOp::create(b, type, value);
  };
  Value one = createLiteral(b, element, 1);
  // What was an integer is not tiny.
  if (isa_and_present<arith::SIToFPOp, arith::UIToFPOp>(number.getDefiningOp()))
    return {Value(), spread(number),
            spread(arith::DivFOp::create(b, one, number))};
  Value magnitude = math::AbsFOp::create(b, number);
  Value isTiny = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, magnitude,
                                       createLiteral(b, element, least));
  Value scale = arith::SelectOp::create(b, isTiny,
                                        createLiteral(b, element, factor), one);
  Value divisor = arith::MulFOp::create(b, number, scale);
  Value inverse = arith::DivFOp::create(b, one, divisor);
  return {spread(scale), spread(divisor), spread(inverse)};
}

/// Whether all that happens to the quotient is that it is added to others in
/// any order.
static bool isTerm(arith::DivFOp op) {
  auto sum = op->hasOneUse() ? dyn_cast<arith::AddFOp>(*op->user_begin())
                             : arith::AddFOp();
  return sum &&
         bitEnumContainsAny(sum.getFastmath(), arith::FastMathFlags::reassoc);
}

static Value multiply(ImplicitLocOpBuilder &b, arith::DivFOp op,
                      const Inverse &inverse) {
  Value x = op.getLhs();
  if (inverse.isExact || (!inverse.factor && isTerm(op)))
    return arith::MulFOp::create(b, x, inverse.inverse,
                                 op.getFastmath() |
                                     arith::FastMathFlags::contract);
  if (inverse.factor)
    x = arith::MulFOp::create(b, x, inverse.factor);
  Value q = arith::MulFOp::create(b, x, inverse.inverse);
  Value rest =
      math::FmaOp::create(b, arith::NegFOp::create(b, q), inverse.divisor, x);
  Value better = math::FmaOp::create(b, rest, inverse.inverse, q);
  Value isBetter =
      arith::CmpFOp::create(b, arith::CmpFPredicate::ONE, better, q);
  return arith::SelectOp::create(b, isBetter, better, q);
}

/// The quotient by a product; null if its divisor is not known before a loop.
static Value createProduct(ImplicitLocOpBuilder &b, arith::DivFOp op) {
  auto type = dyn_cast<VectorType>(op.getType());
  if (!type || type.isScalable() ||
      !(type.getElementType().isF32() || type.getElementType().isF64()))
    return {};
  DenseFPElementsAttr constant;
  if (matchPattern(op.getRhs(), m_Constant(&constant))) {
    if (!constant.isSplat())
      return {};
    FailureOr<Inverse> inverse =
        invertConstant(b, constant.getSplatValue<APFloat>(), type);
    return succeeded(inverse) ? multiply(b, op, *inverse) : Value();
  }
  Value splat = getSplat(op.getRhs());
  scf::ForOp loop = splat ? getLoopThatKeeps(splat, op) : scf::ForOp();
  if (!loop)
    return {};
  Inverse inverse;
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(loop);
    inverse = invert(b, createNumber(b, op.getRhs()), type);
  }
  return multiply(b, op, inverse);
}

void invertDivisors(Operation *root, const VectorInstructions &instructions) {
  SmallVector<arith::DivFOp> divisions;
  root->walk([&](arith::DivFOp op) {
    if (bitEnumContainsAny(op.getFastmath(), arith::FastMathFlags::arcp))
      divisions.push_back(op);
  });
  for (arith::DivFOp op : divisions) {
    op.setFastmath(op.getFastmath() & ~arith::FastMathFlags::arcp);
    // Without FMA what a quotient leaves of the dividend is not exact.
    if (!instructions.fma)
      continue;
    ImplicitLocOpBuilder b(op.getLoc(), op);
    if (Value product = createProduct(b, op)) {
      op.replaceAllUsesWith(product);
      op.erase();
    }
  }
}

} // namespace ein
