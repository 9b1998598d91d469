//===- VectorBody.cpp - An op's body on vectors ---------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/VectorBody.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/analysis/Combiner.h"
#include "passes/analysis/ComplexVectors.h"
#include "passes/analysis/VectorForms.h"

using namespace mlir;

namespace ein {

/// Whether `op`, on complex numbers, has a form on vectors of their parts.
static bool hasComplexForm(Operation *op) {
  auto areVectors = [](TypeRange types) {
    return llvm::all_of(types, hasVectorsOf);
  };
  return isa<complex::ConstantOp, complex::CreateOp, complex::ReOp,
             complex::ImOp, complex::AddOp, complex::SubOp, complex::MulOp,
             complex::NegOp, complex::ConjOp, complex::EqualOp,
             complex::NotEqualOp>(op) &&
         areVectors(op->getOperandTypes()) && areVectors(op->getResultTypes());
}

static bool canBeVector(Operation &op) {
  if (hasComplexForm(&op))
    return true;
  return op.getNumResults() == 1 && op.getNumRegions() == 0 &&
         hasVectorForm(&op) && isSpeculatable(&op) &&
         (op.hasTrait<OpTrait::ConstantLike>() ||
          OpTrait::hasElementwiseMappableTraits(&op));
}

bool canBeVectors(linalg::LinalgOp op) {
  return llvm::all_of(op.getBlock()->without_terminator(), canBeVector);
}

bool canBeVectors(ArrayRef<Operation *> ops) {
  return llvm::all_of(ops, [](Operation *op) { return canBeVector(*op); });
}

/// Of these types vectors are computed with; narrower floats are only read.
static bool isComputedWith(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth() == 1 || integer.getWidth() % 8 == 0;
  return type.isF32() || type.isF64();
}

bool isArithmeticOfVectors(linalg::LinalgOp op) {
  auto isVectorOp = [](Operation &inner) {
    return isa<arith::ArithDialect>(inner.getDialect()) &&
           llvm::all_of(inner.getResultTypes(), isComputedWith) &&
           (inner.hasTrait<OpTrait::ConstantLike>() ||
            (OpTrait::hasElementwiseMappableTraits(&inner) &&
             isSpeculatable(&inner)));
  };
  Block &body = *op.getBlock();
  return body.getTerminator()->getNumOperands() == 1 &&
         llvm::all_of(body.without_terminator(), isVectorOp);
}

SmallVector<Operation *> getNeeded(linalg::LinalgOp op, ValueRange values) {
  SmallVector<Operation *> needed;
  llvm::SmallDenseSet<Value> wanted(values.begin(), values.end());
  for (Operation &inner : llvm::reverse(op.getBlock()->without_terminator()))
    if (llvm::any_of(inner.getResults(),
                     [&](Value result) { return wanted.contains(result); })) {
      needed.push_back(&inner);
      wanted.insert(inner.operand_begin(), inner.operand_end());
    }
  std::reverse(needed.begin(), needed.end());
  return needed;
}

bool hasFormulas(linalg::LinalgOp op) {
  return llvm::any_of(op.getBlock()->without_terminator(),
                      [](Operation &inner) { return hasFormula(&inner); });
}

/// Whether a value of the body is the same number for all elements.
static bool isUniform(linalg::LinalgOp op, Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && argument.getOwner() == op.getBlock())
    return !isa<ShapedType>(op.getMatchingOpOperand(argument)->get().getType());
  Operation *source = value.getDefiningOp();
  return !source || source->getBlock() != op.getBlock() ||
         source->hasTrait<OpTrait::ConstantLike>();
}

static bool takesApart(linalg::LinalgOp op, Operation &inner) {
  // A number that is put together is so once.
  if (isa<complex::CreateOp>(inner))
    return !isUniform(op, inner.getOperand(0)) ||
           !isUniform(op, inner.getOperand(1));
  return isa<complex::ReOp, complex::ImOp, complex::EqualOp,
             complex::NotEqualOp>(inner) ||
         (isa<arith::SelectOp>(inner) &&
          isa<ComplexType>(inner.getResult(0).getType()));
}

bool looksAtParts(linalg::LinalgOp op) {
  return llvm::any_of(op.getBlock()->without_terminator(),
                      [&](Operation &inner) { return takesApart(op, inner); });
}

namespace {
/// Writes a body on vectors.
class BodyBuilder {
public:
  BodyBuilder(ImplicitLocOpBuilder &b, linalg::LinalgOp op,
              const IRMapping &arguments, ArrayRef<int64_t> shape,
              bool takesApart)
      : b(b), shape(shape), takesApart(takesApart),
        isNamed(!isa<linalg::GenericOp>(op.getOperation())) {
    for (auto [from, to] : arguments.getValueMap())
      (isa<VectorType>(to.getType()) ? whole : scalars).map(from, to);
  }

  /// A value as a vector; from outside it is the same in all lanes.
  Value lift(Value value);
  void create(Operation &inner);

private:
  /// Whether a value is the same in all lanes; one from outside is.
  bool isScalar(Value value) {
    return scalars.contains(value) ||
           (!whole.contains(value) && !parts.contains(value));
  }
  ComplexParts liftParts(Value value);
  void createComplex(Operation &inner);
  ComplexParts createParts(Operation &inner);
  Value createWhole(Operation &inner);

  ImplicitLocOpBuilder &b;
  /// Values as vectors, and those that are the same in all lanes.
  IRMapping whole, scalars;
  /// Complex values that have been taken apart.
  llvm::DenseMap<Value, ComplexParts> parts;
  SmallVector<int64_t> shape;
  bool takesApart, isNamed;
};
} // namespace

Value BodyBuilder::lift(Value value) {
  if (!whole.contains(value)) {
    auto found = parts.find(value);
    whole.map(value,
              found != parts.end()
                  ? putTogether(b, found->second)
                  : createSplat(b, scalars.lookupOrDefault(value), shape));
  }
  return whole.lookup(value);
}

ComplexParts BodyBuilder::liftParts(Value value) {
  auto found = parts.find(value);
  if (found == parts.end())
    found = parts.insert({value, takeApart(b, lift(value))}).first;
  return found->second;
}

static arith::FastMathFlags getFlags(Operation &op) {
  auto floats = dyn_cast<arith::ArithFastMathInterface>(op);
  return floats ? floats.getFastMathFlagsAttr().getValue()
                : arith::FastMathFlags::none;
}

/// An op on complex numbers that yields one, on their parts.
ComplexParts BodyBuilder::createParts(Operation &inner) {
  arith::FastMathFlags flags = getFlags(inner);
  auto get = [&](unsigned operand) {
    return liftParts(inner.getOperand(operand));
  };
  if (isa<complex::CreateOp>(inner))
    return {lift(inner.getOperand(0)), lift(inner.getOperand(1))};
  if (isa<complex::MulOp>(inner))
    return multiplyParts(b, get(0), get(1), flags);
  if (isa<complex::NegOp, complex::ConjOp>(inner)) {
    auto [re, im] = get(0);
    if (isa<complex::NegOp>(inner))
      re = arith::NegFOp::create(b, re, flags);
    return {re, arith::NegFOp::create(b, im, flags)};
  }
  if (isa<arith::SelectOp>(inner)) {
    Value bits = lift(inner.getOperand(0));
    ComplexParts then = get(1), otherwise = get(2);
    return {arith::SelectOp::create(b, bits, then.re, otherwise.re),
            arith::SelectOp::create(b, bits, then.im, otherwise.im)};
  }
  ComplexParts x = get(0), y = get(1);
  if (isa<complex::AddOp>(inner))
    return {arith::AddFOp::create(b, x.re, y.re, flags),
            arith::AddFOp::create(b, x.im, y.im, flags)};
  assert(isa<complex::SubOp>(inner) && "canBeVectors lets no other op pass");
  return {arith::SubFOp::create(b, x.re, y.re, flags),
          arith::SubFOp::create(b, x.im, y.im, flags)};
}

/// The same as they lie in memory.
Value BodyBuilder::createWhole(Operation &inner) {
  arith::FastMathFlags flags = getFlags(inner);
  Value x = lift(inner.getOperand(0));
  if (isa<complex::CreateOp>(inner))
    return putTogether(b, {x, lift(inner.getOperand(1))});
  if (isa<complex::NegOp>(inner))
    return arith::NegFOp::create(b, x, flags);
  if (isa<complex::ConjOp>(inner))
    return conjugateInPairs(b, x);
  Value y = lift(inner.getOperand(1));
  if (isa<complex::AddOp>(inner))
    return arith::AddFOp::create(b, x, y, flags);
  if (isa<complex::SubOp>(inner))
    return arith::SubFOp::create(b, x, y, flags);
  assert(isa<complex::MulOp>(inner) && "canBeVectors lets no other op pass");
  // That a factor is conjugated is another sign.
  for (unsigned factor : {0u, 1u}) {
    Value other = factor == 0 ? y : x;
    bool isNumber = isSplat(other);
    auto conjugate = inner.getOperand(factor).getDefiningOp<complex::ConjOp>();
    bool isConjugated = conjugate && whole.contains(conjugate.getComplex());
    if (!isNumber && !isConjugated)
      continue;
    Value part =
        isConjugated ? lift(conjugate.getComplex()) : (factor == 0 ? x : y);
    return isNumber ? multiplyByNumber(b, other, part, flags, isConjugated)
                    : multiplyInPairs(b, part, other, flags, isConjugated);
  }
  // What is put together is taken apart for nothing.
  if (y.getDefiningOp<vector::InterleaveOp>())
    std::swap(x, y);
  return multiplyInPairs(b, x, y, flags);
}

void BodyBuilder::createComplex(Operation &inner) {
  Value result = inner.getResult(0);
  if (isa<complex::ReOp, complex::ImOp>(inner)) {
    auto [re, im] = liftParts(inner.getOperand(0));
    whole.map(result, isa<complex::ReOp>(inner) ? re : im);
    return;
  }
  if (isa<complex::EqualOp, complex::NotEqualOp>(inner)) {
    ComplexParts x = liftParts(inner.getOperand(0));
    ComplexParts y = liftParts(inner.getOperand(1));
    auto compare = [&](arith::CmpFPredicate predicate, Value lhs, Value rhs) {
      return arith::CmpFOp::create(b, predicate, lhs, rhs).getResult();
    };
    if (isa<complex::EqualOp>(inner))
      whole.map(result, arith::AndIOp::create(
                            b, compare(arith::CmpFPredicate::OEQ, x.re, y.re),
                            compare(arith::CmpFPredicate::OEQ, x.im, y.im)));
    else
      whole.map(result, arith::OrIOp::create(
                            b, compare(arith::CmpFPredicate::UNE, x.re, y.re),
                            compare(arith::CmpFPredicate::UNE, x.im, y.im)));
    return;
  }
  if (takesApart)
    parts.insert({result, createParts(inner)});
  else
    whole.map(result, createWhole(inner));
}

/// Lets a multiplication and an addition be one instruction.
static void allowContraction(Operation *op) {
  if (auto product = dyn_cast<arith::MulFOp>(op))
    product.setFastmath(arith::FastMathFlags::contract);
  if (auto sum = dyn_cast<arith::AddFOp>(op))
    sum.setFastmath(arith::FastMathFlags::contract);
}

void BodyBuilder::create(Operation &inner) {
  Value result = inner.getResult(0);
  // The parts of a complex constant are constants themselves.
  if (isa<complex::ConstantOp>(inner)) {
    whole.map(result, createSplat(b, result, shape));
    return;
  }
  auto isComplex = [](Type type) { return isa<ComplexType>(type); };
  if (llvm::any_of(inner.getOperandTypes(), isComplex) ||
      isComplex(result.getType()))
    return createComplex(inner);
  if (llvm::all_of(inner.getOperands(),
                   [&](Value operand) { return isScalar(operand); })) {
    b.clone(inner, scalars);
    return;
  }
  SmallVector<Value> operands = llvm::map_to_vector(
      inner.getOperands(), [&](Value operand) { return lift(operand); });
  Operation *wide = b.create(
      b.getLoc(), inner.getName().getIdentifier(), operands,
      TypeRange(getVectorType(result.getType(), shape)), inner.getAttrs());
  if (isNamed)
    allowContraction(wide);
  whole.map(result, wide->getResult(0));
}

SmallVector<Value> createVectorValues(ImplicitLocOpBuilder &b,
                                      linalg::LinalgOp op,
                                      const IRMapping &vectors,
                                      ArrayRef<int64_t> shape,
                                      ValueRange values) {
  SmallVector<Operation *> needed = getNeeded(op, values);
  bool areParts = llvm::any_of(
      needed, [&](Operation *inner) { return takesApart(op, *inner); });
  BodyBuilder builder(b, op, vectors, shape, areParts);
  for (Operation *inner : needed)
    if (!vectors.contains(inner->getResult(0)))
      builder.create(*inner);
  return llvm::map_to_vector(values,
                             [&](Value value) { return builder.lift(value); });
}

Value createVectorBody(ImplicitLocOpBuilder &b, linalg::LinalgOp op,
                       const IRMapping &vectors, ArrayRef<int64_t> shape,
                       Operation *combiner) {
  Value value = combiner ? getCombined(op, combiner)
                         : op.getBlock()->getTerminator()->getOperand(0);
  return createVectorValues(b, op, vectors, shape, value)[0];
}

Value createLaneMask(ImplicitLocOpBuilder &b, int64_t lanes, Value count) {
  // Upstream's op for it would compare numbers of 64 bits.
  auto type = VectorType::get({lanes}, b.getI32Type());
  SmallVector<int32_t> numbers =
      llvm::to_vector(llvm::seq<int32_t>(0, int32_t(lanes)));
  Value numbered = arith::ConstantOp::create(
      b, type, DenseIntElementsAttr::get(type, numbers));
  Value end = vector::BroadcastOp::create(
      b, type, arith::IndexCastOp::create(b, b.getI32Type(), count));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::slt, numbered, end);
}

} // namespace ein
