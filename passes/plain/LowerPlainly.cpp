//===- LowerPlainly.cpp - Ops by their definitions ------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Validation compares a module before a pass with the module after it, and has
// to execute both. How it executes them must not be how the pipelines do: a
// wrong order of contraction would make both of them wrong. So there is nothing
// to choose here. Each op becomes the loops that its description says.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "passes/analysis/Aggregates.h"
#include "passes/analysis/Einsums.h"
#include "passes/plain/Passes.h"

namespace ein {
#define GEN_PASS_DEF_LOWERPLAINLY
#include "passes/plain/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

/// The dims of a product's nest: those of the output in its order, then the
/// others. `map` is the output's.
static SmallVector<unsigned> getLoopOrder(AffineMap map) {
  SmallVector<unsigned> order;
  for (AffineExpr expr : map.getResults())
    order.push_back(cast<AffineDimExpr>(expr).getPosition());
  for (unsigned dim = 0, e = map.getNumDims(); dim < e; ++dim)
    if (!llvm::is_contained(order, dim))
      order.push_back(dim);
  return order;
}

/// `map` over the dims in `order`.
static AffineMap renumber(AffineMap map, ArrayRef<unsigned> order) {
  SmallVector<AffineExpr> dims(order.size());
  for (auto [loop, dim] : llvm::enumerate(order))
    dims[dim] = getAffineDimExpr(loop, map.getContext());
  return map.replaceDimsAndSymbols(dims, {}, order.size(), 0);
}

/// The op as one nest of loops over all dims. `extents`, if there are any, are
/// those of the dims: no operand need be as long as a dim of a sum.
static void lowerProduct(RewriterBase &rewriter, Operation *op,
                         ValueRange factors, ValueRange conditions, Value init,
                         ArrayAttr maps, ArrayRef<OpFoldResult> extents) {
  rewriter.setInsertionPoint(op);
  Location loc = op->getLoc();
  AffineMap output = cast<AffineMapAttr>(maps.getValue().back()).getValue();
  SmallVector<unsigned> order = getLoopOrder(output);
  SmallVector<Value> inputs = llvm::to_vector(factors);
  llvm::append_range(inputs, conditions);
  SmallVector<AffineMap> inputMaps;
  for (Attribute map : maps.getValue().drop_back())
    inputMaps.push_back(renumber(cast<AffineMapAttr>(map).getValue(), order));
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    inputs.push_back(
        tensor::EmptyOp::create(rewriter, loc, extent, rewriter.getI8Type()));
    inputMaps.push_back(renumber(
        AffineMap::get(order.size(), 0, rewriter.getAffineDimExpr(dim)),
        order));
  }
  rewriter.replaceOp(op, createProduct(rewriter, loc, inputs, factors.size(),
                                       conditions.size(), inputMaps, init,
                                       output.getNumResults(), order.size(),
                                       /*accumulate=*/true));
}

static LogicalResult lower(RewriterBase &rewriter, Operation *op) {
  if (auto einsum = dyn_cast<EinsumOp>(op)) {
    lowerProduct(rewriter, op, einsum.getInputs(), {}, einsum.getInit(),
                 einsum.getIndexingMaps(), {});
    return success();
  }
  if (auto product = dyn_cast<ProductOp>(op)) {
    rewriter.setInsertionPoint(op);
    lowerProduct(rewriter, op, product.getInputs(), product.getConditions(),
                 product.getInit(), product.getIndexingMaps(),
                 product.getMixedExtents());
    return success();
  }
  if (auto contract = dyn_cast<ContractOp>(op)) {
    rewriter.setInsertionPoint(op);
    rewriter.replaceOp(op, contract.generalize(rewriter));
    return success();
  }
  return decomposeAggregate(rewriter, op);
}

/// Takes the marks of `op` that say how to compile it.
static void dropMarks(Operation *op) {
  SmallVector<StringAttr> marks;
  for (NamedAttribute attribute : op->getDiscardableAttrs())
    if (isa_and_present<EinDialect>(attribute.getNameDialect()))
      marks.push_back(attribute.getName());
  for (StringAttr mark : marks)
    op->removeDiscardableAttr(mark);
}

namespace {
struct LowerPlainlyPass : impl::LowerPlainlyBase<LowerPlainlyPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<Operation *> ops;
    getOperation().getBody().walk([&](Operation *op) {
      dropMarks(op);
      if (isa<EinsumOp, ProductOp, ContractOp>(op) || isAggregate(op))
        ops.push_back(op);
    });
    for (Operation *op : ops)
      if (failed(lower(rewriter, op)))
        return signalPassFailure();
  }
};
} // namespace

} // namespace ein
