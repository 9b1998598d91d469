//===- OrderContractions.cpp - Einsums of many inputs to pairs ----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order itself is found by analysis/ContractionOrder on plain sets of
// labels; this file translates to it and back.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/Einsums.h"
#include "passes/Passes.h"
#include "passes/analysis/ContractionOrder.h"

namespace ein {
#define GEN_PASS_DEF_ORDERCONTRACTIONS
#include "passes/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

static llvm::SmallBitVector toLabels(EinsumOp op, unsigned operand) {
  llvm::SmallBitVector labels(op.getNumLoops());
  for (unsigned dim : op.getDims(operand))
    labels.set(dim);
  return labels;
}

void orderContractions(RewriterBase &rewriter, EinsumOp op,
                       int64_t unknownSize) {
  unsigned numInputs = op.getInputs().size();
  if (numInputs < 3)
    return;

  ContractionNetwork network;
  for (int64_t size : op.getStaticLoopSizes())
    network.labelSizes.push_back(ShapedType::isDynamic(size) ? unknownSize
                                                             : size);
  for (unsigned i = 0; i < numInputs; ++i)
    network.operands.push_back(toLabels(op, i));
  network.output = toLabels(op, numInputs);
  if (ArrayAttr path = op.getPathAttr())
    for (Attribute group : path)
      network.groups.emplace_back(cast<DenseI64ArrayAttr>(group).asArrayRef());
  ContractionPath path = findContractionOrder(network);

  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  // Each loop's extent, from any operand that has it.
  SmallVector<OpFoldResult> extents(op.getNumLoops());
  for (auto [position, operand] : llvm::enumerate(op.getOperands()))
    for (auto [axis, dim] : llvm::enumerate(op.getDims(position)))
      if (!extents[dim])
        extents[dim] = tensor::getMixedSize(rewriter, loc, operand, axis);

  SmallVector<Value> tensors = llvm::to_vector(op.getInputs());
  SmallVector<SmallVector<unsigned>> dims;
  for (unsigned i = 0; i < numInputs; ++i)
    dims.push_back(op.getDims(i));
  Type elementType = getElementTypeOrSelf(op.getType());
  for (auto [index, step] : llvm::enumerate(path.steps)) {
    Value init = op.getInit();
    SmallVector<unsigned> kept = op.getDims(numInputs);
    if (index + 1 != path.steps.size()) {
      // In the order of the operands, so that neither has to be permuted more
      // than the other asks for.
      kept.clear();
      for (unsigned operand : {step.lhs, step.rhs})
        for (unsigned dim : dims[operand])
          if (step.result.test(dim) && !llvm::is_contained(kept, dim))
            kept.push_back(dim);
      SmallVector<OpFoldResult> sizes;
      for (unsigned dim : kept)
        sizes.push_back(extents[dim]);
      init = fillWithZero(
          rewriter, loc,
          tensor::EmptyOp::create(rewriter, loc, sizes, elementType));
    }
    tensors.push_back(createEinsum(rewriter, loc,
                                   {tensors[step.lhs], tensors[step.rhs]}, init,
                                   {dims[step.lhs], dims[step.rhs], kept}));
    dims.push_back(kept);
  }
  rewriter.replaceOp(op, tensors.back());
}

namespace {
struct OrderContractionsPass
    : impl::OrderContractionsBase<OrderContractionsPass> {
  using OrderContractionsBase::OrderContractionsBase;
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<EinsumOp> ops;
    getOperation().walk([&](EinsumOp op) {
      if (op.getInputs().size() > 2)
        ops.push_back(op);
    });
    for (EinsumOp op : ops) {
      orderContractions(rewriter, op, unknownSize);
      ++numOrdered;
    }
  }
};
} // namespace

} // namespace ein
