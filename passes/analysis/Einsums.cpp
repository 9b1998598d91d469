//===- Einsums.cpp - Making einsums and products --------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/Einsums.h"
#include "ir/IndexNames.h"
#include "ir/LeadingDims.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace ein {

Value createZero(OpBuilder &b, Location loc, Type type) {
  auto complexType = dyn_cast<ComplexType>(type);
  if (!complexType)
    return arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  Attribute part = b.getZeroAttr(complexType.getElementType());
  return complex::ConstantOp::create(b, loc, type,
                                     b.getArrayAttr({part, part}));
}

Value fillWithZero(OpBuilder &b, Location loc, Value tensor) {
  Value zero = createZero(b, loc, getElementTypeOrSelf(tensor.getType()));
  return linalg::FillOp::create(b, loc, zero, tensor).getResult(0);
}

Value createEinsum(OpBuilder &b, Location loc, ValueRange inputs, Value init,
                   ArrayRef<SmallVector<unsigned>> dims) {
  llvm::SmallDenseMap<unsigned, unsigned> numbers;
  auto number = [&](unsigned dim) {
    return numbers.try_emplace(dim, numbers.size()).first->second;
  };
  for (unsigned dim : dims.back())
    number(dim);
  for (ArrayRef<unsigned> list : dims)
    for (unsigned dim : list)
      number(dim);
  SmallVector<unsigned> order(numbers.size());
  for (auto [dim, place] : numbers)
    order[place] = dim;

  SmallVector<AffineMap> maps;
  for (ArrayRef<unsigned> list : dims) {
    SmallVector<AffineExpr> exprs;
    for (unsigned dim : list)
      exprs.push_back(b.getAffineDimExpr(number(dim)));
    maps.push_back(AffineMap::get(numbers.size(), 0, exprs, b.getContext()));
  }
  return EinsumOp::create(b, selectIndexNames(loc, order), init.getType(),
                          inputs, init, b.getAffineMapArrayAttr(maps),
                          /*path=*/nullptr, /*shared=*/nullptr);
}

static Value multiply(OpBuilder &b, Location loc, Value lhs, Value rhs) {
  if (lhs.getType().isInteger())
    return arith::MulIOp::create(b, loc, lhs, rhs);
  if (isa<ComplexType>(lhs.getType()))
    return complex::MulOp::create(b, loc, lhs, rhs,
                                  arith::FastMathFlags::contract);
  return arith::MulFOp::create(b, loc, lhs, rhs,
                               arith::FastMathFlags::contract);
}

static Value add(OpBuilder &b, Location loc, Value lhs, Value rhs) {
  if (lhs.getType().isInteger())
    return arith::AddIOp::create(b, loc, lhs, rhs);
  constexpr arith::FastMathFlags flags =
      arith::FastMathFlags::reassoc | arith::FastMathFlags::contract;
  if (isa<ComplexType>(lhs.getType()))
    return complex::AddOp::create(b, loc, lhs, rhs, flags);
  return arith::AddFOp::create(b, loc, lhs, rhs, flags);
}

Value createProduct(OpBuilder &b, Location loc, ValueRange inputs,
                    unsigned numFactors, unsigned numConditions,
                    ArrayRef<AffineMap> inputMaps, Value init,
                    unsigned initRank, unsigned numLoops, bool accumulate) {
  SmallVector<AffineMap> maps = llvm::to_vector(inputMaps);
  maps.push_back(getLeadingDims(numLoops, initRank, b.getContext()));
  SmallVector<utils::IteratorType> iterators(numLoops,
                                             utils::IteratorType::reduction);
  std::fill_n(iterators.begin(), initRank, utils::IteratorType::parallel);
  Type elementType = getElementTypeOrSelf(init.getType());
  auto build = [&](OpBuilder &body, Location loc, ValueRange arguments) {
    Value product;
    for (Value factor : arguments.take_front(numFactors)) {
      if (factor.getType() != elementType)
        factor = arith::ExtFOp::create(body, loc, elementType, factor);
      product = product ? multiply(body, loc, product, factor) : factor;
    }
    if (accumulate)
      product = add(body, loc, arguments.back(), product);
    Value isPoint;
    for (Value condition : arguments.slice(numFactors, numConditions)) {
      Value zero = createZero(body, loc, condition.getType());
      Value holds = arith::CmpIOp::create(body, loc, arith::CmpIPredicate::ne,
                                          condition, zero);
      isPoint =
          isPoint ? arith::AndIOp::create(body, loc, isPoint, holds) : holds;
    }
    if (isPoint)
      product = arith::SelectOp::create(body, loc, isPoint, product,
                                        arguments.back());
    linalg::YieldOp::create(body, loc, product);
  };
  return linalg::GenericOp::create(b, loc, init.getType(), inputs, init, maps,
                                   iterators, build)
      .getResult(0);
}

bool isZero(Value number) {
  if (auto constant = number.getDefiningOp<complex::ConstantOp>())
    return llvm::all_of(
        constant.getValue().getAsRange<FloatAttr>(),
        [](FloatAttr part) { return part.getValue().isZero(); });
  return matchPattern(number, m_AnyZeroFloat()) ||
         matchPattern(number, m_Zero());
}

Value getZeroFilled(Value value) {
  auto fill = value.getDefiningOp<linalg::FillOp>();
  if (!fill || !isZero(fill.value()))
    return nullptr;
  return fill.output();
}

} // namespace ein
