//===- ComplexSums.cpp - Sums of products of complex numbers --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/vector/ComplexSums.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/analysis/Combiner.h"
#include "passes/analysis/ComplexVectors.h"
#include "passes/analysis/VectorBody.h"

using namespace mlir;

namespace ein {

/// Sums may be contracted. Those of vectors keep their order.
static constexpr arith::FastMathFlags kFlags = arith::FastMathFlags::contract;

std::optional<ComplexSum> ComplexSum::find(linalg::LinalgOp op,
                                           Operation *combiner) {
  if (!isa_and_present<complex::AddOp>(combiner) || looksAtParts(op))
    return std::nullopt;
  Value combined = getCombined(op, combiner);
  auto product =
      combined ? combined.getDefiningOp<complex::MulOp>() : complex::MulOp();
  // A product that must round is none to be contracted.
  if (!product || !product->hasOneUse() ||
      !bitEnumContainsAny(product.getFastmath(), kFlags))
    return std::nullopt;
  ComplexSum sum;
  sum.element = product.getType();
  for (Value factor : product->getOperands()) {
    auto conjugate = factor.getDefiningOp<complex::ConjOp>();
    sum.isConjugated.push_back(bool(conjugate));
    sum.factors.push_back(conjugate ? conjugate.getComplex() : factor);
  }
  return sum;
}

/// A vector in which the lanes of the parts are `re` and `im`.
static Value createPairs(ImplicitLocOpBuilder &b, Type part, int64_t lanes,
                         double re, double im) {
  SmallVector<Attribute> values;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    values.push_back(b.getFloatAttr(part, re));
    values.push_back(b.getFloatAttr(part, im));
  }
  auto type = VectorType::get({2 * lanes}, part);
  return arith::ConstantOp::create(b, DenseElementsAttr::get(type, values));
}

SmallVector<Value> ComplexSum::start(ImplicitLocOpBuilder &b,
                                     int64_t lanes) const {
  // What is subtracted at the end is a positive zero.
  Type part = getPartType(element);
  bool isLess = isConjugated[0] == isConjugated[1];
  return {createPairs(b, part, lanes, -0.0, isLess ? 0.0 : -0.0),
          createPairs(b, part, lanes, isConjugated[1] ? 0.0 : -0.0,
                      isConjugated[0] ? 0.0 : -0.0)};
}

SmallVector<Value> ComplexSum::add(ImplicitLocOpBuilder &b, ValueRange sums,
                                   Value x, Value y) const {
  auto fuse = [&](Value other, Value sum) -> Value {
    Value product = arith::MulFOp::create(b, x, other, kFlags);
    return arith::AddFOp::create(b, sum, product, kFlags);
  };
  return {fuse(y, sums[0]), fuse(swapParts(b, y), sums[1])};
}

SmallVector<Value> ComplexSum::join(ImplicitLocOpBuilder &b, ValueRange first,
                                    ValueRange second) const {
  return {arith::AddFOp::create(b, first[0], second[0], kFlags),
          arith::AddFOp::create(b, first[1], second[1], kFlags)};
}

/// The sums of the even and of the odd lanes.
static ComplexParts addPairs(ImplicitLocOpBuilder &b, Value vector) {
  for (int64_t count = cast<VectorType>(vector.getType()).getDimSize(0);
       count > 2; count /= 2) {
    auto low = llvm::to_vector(llvm::seq<int64_t>(0, count / 2));
    auto high = llvm::to_vector(llvm::seq<int64_t>(count / 2, count));
    Value first = vector::ShuffleOp::create(b, vector, vector, low);
    Value second = vector::ShuffleOp::create(b, vector, vector, high);
    vector = arith::AddFOp::create(b, first, second, kFlags);
  }
  return {vector::ExtractOp::create(b, vector, int64_t(0)),
          vector::ExtractOp::create(b, vector, int64_t(1))};
}

Value ComplexSum::finish(ImplicitLocOpBuilder &b, ValueRange sums) const {
  auto plus = [&](Value x, Value y) -> Value {
    return arith::AddFOp::create(b, x, y);
  };
  auto minus = [&](Value x, Value y) -> Value {
    return arith::SubFOp::create(b, x, y);
  };
  auto [ac, bd] = addPairs(b, sums[0]);
  auto [ad, bc] = addPairs(b, sums[1]);
  bool isFirst = isConjugated[0], isSecond = isConjugated[1];
  Value re = isFirst == isSecond ? minus(ac, bd) : plus(ac, bd);
  Value im = isFirst == isSecond ? plus(ad, bc)
             : isFirst           ? minus(ad, bc)
                                 : minus(bc, ad);
  if (isFirst && isSecond)
    im = arith::NegFOp::create(b, im);
  return complex::CreateOp::create(b, element, re, im);
}

/// Whether both are the same element.
static bool areSame(linalg::LinalgOp op, Value x, Value y) {
  if (x == y)
    return true;
  auto first = dyn_cast<BlockArgument>(x), second = dyn_cast<BlockArgument>(y);
  if (!first || !second || first.getOwner() != op.getBlock() ||
      second.getOwner() != op.getBlock())
    return false;
  OpOperand *one = op.getMatchingOpOperand(first),
            *other = op.getMatchingOpOperand(second);
  return one->get() == other->get() &&
         op.getMatchingIndexingMap(one) == op.getMatchingIndexingMap(other);
}

/// What `product` multiplies the parts `PartOp` of.
template <typename PartOp>
static std::optional<PartProducts> matchProduct(Value product) {
  auto op = product.getDefiningOp<arith::MulFOp>();
  if (!op || !bitEnumContainsAny(op.getFastmath(), kFlags))
    return std::nullopt;
  auto lhs = op.getLhs().getDefiningOp<PartOp>(),
       rhs = op.getRhs().getDefiningOp<PartOp>();
  if (!lhs || !rhs)
    return std::nullopt;
  return PartProducts{lhs.getComplex(), rhs.getComplex()};
}

/// Numbers whose real parts, and whose imaginary ones, `sum` is the products
/// of.
static std::optional<PartProducts> matchParts(linalg::LinalgOp op,
                                              arith::AddFOp sum) {
  for (bool isSwapped : {false, true}) {
    auto re = matchProduct<complex::ReOp>(isSwapped ? sum.getRhs()
                                                    : sum.getLhs()),
         im = matchProduct<complex::ImOp>(isSwapped ? sum.getLhs()
                                                    : sum.getRhs());
    if (re && im &&
        ((areSame(op, re->lhs, im->lhs) && areSame(op, re->rhs, im->rhs)) ||
         (areSame(op, re->lhs, im->rhs) && areSame(op, re->rhs, im->lhs))))
      return re;
  }
  return std::nullopt;
}

/// The factors of a product whose real part `part` is, one of them without
/// being conjugated.
static std::optional<PartProducts> matchConjugate(complex::ReOp part) {
  auto product = part.getComplex().getDefiningOp<complex::MulOp>();
  if (!product || !bitEnumContainsAny(product.getFastmath(), kFlags))
    return std::nullopt;
  auto lhs = product.getLhs().getDefiningOp<complex::ConjOp>(),
       rhs = product.getRhs().getDefiningOp<complex::ConjOp>();
  if (bool(lhs) == bool(rhs))
    return std::nullopt;
  return PartProducts{lhs ? lhs.getComplex() : product.getLhs(),
                      rhs ? rhs.getComplex() : product.getRhs()};
}

std::optional<PartProducts> PartProducts::find(linalg::LinalgOp op,
                                               Operation *combiner) {
  auto add = dyn_cast_if_present<arith::AddFOp>(combiner);
  Value combined = add && bitEnumContainsAny(add.getFastmath(),
                                             arith::FastMathFlags::reassoc)
                       ? getCombined(op, combiner)
                       : Value();
  if (!combined)
    return std::nullopt;
  std::optional<PartProducts> product;
  if (auto sum = combined.getDefiningOp<arith::AddFOp>())
    product = matchParts(op, sum);
  else if (auto part = combined.getDefiningOp<complex::ReOp>())
    product = matchConjugate(part);
  if (!product || !hasVectorsOf(product->lhs.getType()) ||
      getPartType(product->lhs.getType()) != combined.getType())
    return std::nullopt;
  return PartProducts{product->lhs, product->rhs};
}

} // namespace ein
