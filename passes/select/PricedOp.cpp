//===- PricedOp.cpp - What prices of an op depend on ----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/select/PricedOp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "passes/analysis/ElementBytes.h"
#include "passes/analysis/VectorForms.h"
#include "target/OpCost.h"

using namespace mlir;

namespace ein {

/// Of the loops; a block's is that of a whole one, as far as that is known.
SmallVector<int64_t> findRanges(linalg::LinalgOp op,
                                const Surroundings &surroundings) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (surroundings.loops.empty())
    return ranges;
  for (auto [map, operand] :
       llvm::zip_equal(op.getIndexingMapsArray(), surroundings.operands))
    for (auto [expr, most] : llvm::zip(map.getResults(), operand.extents)) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim || ShapedType::isDynamic(most))
        continue;
      int64_t &range = ranges[dim.getPosition()];
      range = ShapedType::isDynamic(range) ? most : std::min(range, most);
    }
  return ranges;
}

PricedOp::PricedOp(linalg::LinalgOp op, const Surroundings &surroundings,
                   ArrayRef<int64_t> assumed)
    : op(op), surroundings(surroundings), maps(op.getIndexingMapsArray()) {
  for (auto [dim, size] : llvm::enumerate(findRanges(op, surroundings))) {
    bool isOpen = ShapedType::isDynamic(size);
    sizes.push_back(double(!isOpen           ? size
                           : assumed.empty() ? kAssumedSize
                                             : assumed[dim]));
    hasOpenSizes |= isOpen;
  }
  SmallVector<int64_t> lasts = llvm::map_to_vector(
      sizes, [](double size) { return std::max<int64_t>(size - 1, 0); });
  for (const Surroundings::Loop &loop : surroundings.loops)
    hasOpenSizes |= loop.isOpen;
  for (auto [number, value] : llvm::enumerate(op->getOperands())) {
    auto type = dyn_cast<ShapedType>(value.getType());
    SmallVector<double> strides(type ? type.getRank() : 0);
    double width = double(getScalarBytes(getElementTypeOrSelf(value)));
    double stride = width;
    for (size_t axis = strides.size(); axis-- > 0;) {
      strides[axis] = stride;
      int64_t size = type.getDimSize(axis);
      // As far as the loops go along it.
      stride *= double(
          ShapedType::isDynamic(size)
              ? maps[number].getSubMap({unsigned(axis)}).compose(lasts)[0] + 1
              : size);
    }
    widths.push_back(width);
    if (surroundings.loops.empty()) {
      axisStrides.push_back(std::move(strides));
      continue;
    }
    axisStrides.push_back(surroundings.operands[number].axisStrides);
    loopStrides.push_back(surroundings.operands[number].loopStrides);
  }
  readsResult = op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) ||
                op.getNumReductionLoops() != 0;
  strides.resize(getNumOperands());
  for (unsigned operand = 0; operand < getNumOperands(); ++operand)
    for (int64_t dim = 0, e = sizes.size(); dim < e; ++dim)
      strides[operand].push_back(computeStride(operand, dim));
  countBody();
}

/// A product that is added is one instruction; what has a formula is some.
void PricedOp::countBody() {
  double products = 0;
  for (Operation &inner : op->getRegion(0).front().without_terminator()) {
    if (isa<complex::MulOp>(inner))
      fmas += OpCost::kComplexProduct;
    else if (isa<arith::MulFOp, arith::MulIOp>(inner))
      ++products;
    else if (isa<arith::AddFOp, arith::AddIOp>(inner) && products > 0)
      --products, ++fmas;
    else if (hasFormula(&inner))
      fmas += OpCost::kFormula;
    else if (isa<arith::DivFOp>(inner))
      fmas += OpCost::kQuotient;
    else if (isa<arith::AddFOp, arith::SubFOp, arith::MaximumFOp,
                 arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp,
                 complex::AddOp, complex::SubOp>(inner))
      ++adds;
    else if (!isa<CastOpInterface, linalg::IndexOp>(inner) &&
             !inner.hasTrait<OpTrait::ConstantLike>())
      ++logic;
  }
  fmas += products;
}

double PricedOp::computeStride(unsigned operand, int64_t dim) const {
  double stride = 0;
  SmallVector<int64_t> unit(sizes.size(), 0), zero(sizes.size(), 0);
  unit[dim] = 1;
  SmallVector<int64_t> there = maps[operand].compose(unit),
                       origin = maps[operand].compose(zero);
  for (auto [axis, place] : llvm::enumerate(there))
    if (axis < axisStrides[operand].size())
      stride += double(place - origin[axis]) * axisStrides[operand][axis];
  return stride;
}

} // namespace ein
