//===- Elementwise.cpp - An array from each element of another ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/contract/Elementwise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace ein {

Value createElementwise(
    RewriterBase &rewriter, Location loc, Value source, Type element,
    Value destination,
    function_ref<Value(OpBuilder &, Location, Value)> build) {
  auto shape = cast<RankedTensorType>(source.getType());
  if (!destination)
    destination = tensor::EmptyOp::create(
        rewriter, loc, tensor::getMixedSizes(rewriter, loc, source), element);
  AffineMap map = rewriter.getMultiDimIdentityMap(shape.getRank());
  SmallVector<utils::IteratorType> iterators(shape.getRank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             rewriter, loc, destination.getType(), source, destination,
             ArrayRef<AffineMap>{map, map}, iterators,
             [&](OpBuilder &b, Location loc, ValueRange arguments) {
               linalg::YieldOp::create(b, loc,
                                       build(b, loc, arguments.front()));
             })
      .getResult(0);
}

Value createStart(RewriterBase &rewriter, Location loc, Value init,
                  Type element,
                  function_ref<APInt(const APInt &number)> getNumber,
                  function_ref<Value()> convert) {
  auto fill = init.getDefiningOp<linalg::FillOp>();
  APInt number;
  if (!fill || !matchPattern(fill.getInputs()[0], m_ConstantInt(&number)))
    return convert();
  Value empty = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, init), element);
  Value constant = arith::ConstantOp::create(
      rewriter, loc, rewriter.getIntegerAttr(element, getNumber(number)));
  return linalg::FillOp::create(rewriter, loc, constant, empty).getResult(0);
}

} // namespace ein
