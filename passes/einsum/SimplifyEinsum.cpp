//===- SimplifyEinsum.cpp - Diagonals and one-sided sums ------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `linalg.contract` refuses two things that einsums have: an input that repeats
// a dim (a diagonal), and a sum over a dim that only one input has. Both
// concern that input alone, and both make it smaller, so they are done first,
// before an order of contraction is looked for.
//
//===----------------------------------------------------------------------===//

#include "ir/IndexNames.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/Einsums.h"
#include "passes/einsum/Passes.h"

namespace ein {
#define GEN_PASS_DEF_SIMPLIFYEINSUM
#include "passes/einsum/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

/// By dim, how many operands have it, the output among them.
static SmallVector<unsigned> countHolders(EinsumOp op) {
  SmallVector<unsigned> counts(op.getNumLoops(), 0);
  SmallVector<unsigned> last(op.getNumLoops(), op.getNumOperands());
  for (unsigned i = 0, e = op.getNumOperands(); i < e; ++i)
    for (unsigned dim : op.getDims(i))
      if (std::exchange(last[dim], i) != i)
        ++counts[dim];
  return counts;
}

/// `input` with each dim once and none of `summed`: its diagonal, summed. The
/// result's dims are `keptDims`, in order of first appearance.
static Value reduceInput(OpBuilder &b, EinsumOp op, unsigned position,
                         const llvm::SmallDenseSet<unsigned> &summed,
                         SmallVectorImpl<unsigned> &keptDims) {
  Value input = op.getInputs()[position];
  // The loops: kept dims first, then summed ones.
  SmallVector<unsigned> loops;
  for (bool wantSummed : {false, true})
    for (unsigned dim : op.getDims(position))
      if (summed.contains(dim) == wantSummed &&
          !llvm::is_contained(loops, dim)) {
        loops.push_back(dim);
        if (!wantSummed)
          keptDims.push_back(dim);
      }

  Location loc = selectIndexNames(op.getLoc(), loops);
  SmallVector<OpFoldResult> extents(loops.size());
  SmallVector<AffineExpr> exprs;
  for (auto [axis, dim] : llvm::enumerate(op.getDims(position))) {
    unsigned loop = llvm::find(loops, dim) - loops.begin();
    exprs.push_back(b.getAffineDimExpr(loop));
    OpFoldResult extent = tensor::getMixedSize(b, loc, input, axis);
    if (!extents[loop] || isa<Attribute>(extent))
      extents[loop] = extent;
  }
  ArrayRef<OpFoldResult> kept = ArrayRef(extents).take_front(keptDims.size());

  // A sum has the precision of the result; a diagonal is what it is.
  Type elementType =
      getElementTypeOrSelf(!summed.empty() ? op.getType() : input.getType());
  Value init = tensor::EmptyOp::create(b, loc, kept, elementType);
  if (!summed.empty())
    init = fillWithZero(b, loc, init);
  AffineMap inputMap = AffineMap::get(loops.size(), 0, exprs, b.getContext());
  return createProduct(b, loc, {input}, {inputMap}, init, keptDims.size(),
                       loops.size(), /*accumulate=*/!summed.empty());
}

void simplifyEinsum(RewriterBase &rewriter, EinsumOp op) {
  if (op.getInputs().size() < 2)
    return;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);

  SmallVector<Value> inputs = llvm::to_vector(op.getInputs());
  SmallVector<SmallVector<unsigned>> dims;
  SmallVector<unsigned> numHolders = countHolders(op);
  bool changed = false;
  for (unsigned i = 0, e = inputs.size(); i < e; ++i) {
    SmallVector<unsigned> inputDims = op.getDims(i);
    llvm::SmallDenseSet<unsigned> distinct(inputDims.begin(), inputDims.end());
    llvm::SmallDenseSet<unsigned> summed;
    for (unsigned dim : inputDims)
      if (numHolders[dim] == 1)
        summed.insert(dim);
    if (!summed.empty() || distinct.size() != inputDims.size()) {
      inputDims.clear();
      inputs[i] = reduceInput(rewriter, op, i, summed, inputDims);
      changed = true;
    }
    dims.push_back(inputDims);
  }
  if (!changed)
    return;
  dims.push_back(op.getDims(inputs.size()));
  Value simplified =
      createEinsum(rewriter, op.getLoc(), inputs, op.getInit(), dims);
  auto einsum = simplified.getDefiningOp<EinsumOp>();
  einsum.setPathAttr(op.getPathAttr());
  einsum.setSharedAttr(op.getSharedAttr());
  rewriter.replaceOp(op, simplified);
}

namespace {
struct SimplifyEinsumPass : impl::SimplifyEinsumBase<SimplifyEinsumPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<EinsumOp> ops;
    getOperation().walk([&](EinsumOp op) { ops.push_back(op); });
    for (EinsumOp op : ops)
      simplifyEinsum(rewriter, op);
  }
};
} // namespace

} // namespace ein
