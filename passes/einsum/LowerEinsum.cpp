//===- LowerEinsum.cpp - Einsums of one or two inputs to linalg -----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each einsum becomes the most specific op that means it: `linalg.contract`
// wants a dim that both inputs have and the output lacks; a permutation of one
// input is `linalg.transpose`; what is left is a `linalg.generic` that
// multiplies. A `-0.0` that is added to the zero it starts from becomes `+0.0`;
// products without a sum overwrite instead, and so keep the sign.
//
//===----------------------------------------------------------------------===//

#include "ir/IndexNames.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/Einsums.h"
#include "passes/einsum/Passes.h"

namespace ein {
#define GEN_PASS_DEF_LOWEREINSUM
#include "passes/einsum/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

/// Whether `linalg.contract` verifies for the op's maps: some dim is reduced,
/// and every reduced dim is in both inputs.
static bool isContraction(EinsumOp op) {
  if (op.getInputs().size() != 2)
    return false;
  SmallVector<unsigned> lhs = op.getDims(0), rhs = op.getDims(1),
                        out = op.getDims(2);
  for (ArrayRef<unsigned> dims : {ArrayRef(lhs), ArrayRef(rhs)})
    if (llvm::SmallDenseSet<unsigned>(dims.begin(), dims.end()).size() !=
        dims.size())
      return false;
  bool reduces = false;
  for (unsigned dim = 0, e = op.getNumLoops(); dim < e; ++dim) {
    if (llvm::is_contained(out, dim))
      continue;
    if (!llvm::is_contained(lhs, dim) || !llvm::is_contained(rhs, dim))
      return false;
    reduces = true;
  }
  return reduces;
}

/// For a single input whose dims are those of the output in another order, the
/// permutation: output axis -> input axis.
static std::optional<SmallVector<int64_t>> getPermutation(EinsumOp op) {
  if (op.getInputs().size() != 1)
    return std::nullopt;
  AffineMap input = op.getMap(0), output = op.getOutputMap();
  if (!input.isPermutation() || !output.isPermutation())
    return std::nullopt;
  SmallVector<unsigned> inputDims = op.getDims(0);
  SmallVector<int64_t> permutation;
  for (unsigned dim : op.getDims(1))
    permutation.push_back(llvm::find(inputDims, dim) - inputDims.begin());
  return permutation;
}

void lowerEinsum(RewriterBase &rewriter, EinsumOp op) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  Value init = op.getInit();
  Value destination = getZeroFilled(init);

  if (isContraction(op)) {
    rewriter.replaceOpWithNewOp<linalg::ContractOp>(op, TypeRange(op.getType()),
                                                    op.getInputs(), init,
                                                    op.getIndexingMaps());
    return;
  }

  bool sameType = llvm::all_of(op.getInputs(), [&](Value input) {
    return getElementTypeOrSelf(input.getType()) ==
           getElementTypeOrSelf(op.getType());
  });
  std::optional<SmallVector<int64_t>> permutation = getPermutation(op);
  if (permutation && sameType && destination) {
    Value input = op.getInputs()[0];
    if (llvm::equal(*permutation, llvm::seq<int64_t>(0, permutation->size())))
      rewriter.replaceOpWithNewOp<linalg::CopyOp>(op, input, destination);
    else
      rewriter.replaceOpWithNewOp<linalg::TransposeOp>(op, input, destination,
                                                       *permutation);
    return;
  }

  // The output's dims first, whatever the maps say.
  SmallVector<AffineExpr> renumbering(op.getNumLoops());
  unsigned next = 0;
  for (unsigned dim : op.getDims(op.getInputs().size()))
    renumbering[dim] = rewriter.getAffineDimExpr(next++);
  unsigned outputRank = next;
  for (AffineExpr &expr : renumbering)
    if (!expr)
      expr = rewriter.getAffineDimExpr(next++);
  SmallVector<AffineMap> maps;
  for (unsigned i = 0, e = op.getInputs().size(); i < e; ++i)
    maps.push_back(
        op.getMap(i).replaceDimsAndSymbols(renumbering, {}, next, 0));
  SmallVector<unsigned> order(next);
  for (auto [dim, expr] : llvm::enumerate(renumbering))
    order[cast<AffineDimExpr>(expr).getPosition()] = dim;
  loc = selectIndexNames(loc, order);
  bool reduces = outputRank != next;
  bool accumulate = reduces || !destination;
  rewriter.replaceOp(op, createProduct(rewriter, loc, op.getInputs(), maps,
                                       accumulate ? init : destination,
                                       outputRank, next, accumulate));
}

namespace {
struct LowerEinsumPass : impl::LowerEinsumBase<LowerEinsumPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<EinsumOp> ops;
    getOperation().walk([&](EinsumOp op) { ops.push_back(op); });
    for (EinsumOp op : ops) {
      if (op.getInputs().size() > 2) {
        op.emitOpError("has more than two inputs; run "
                       "`ein-order-contractions` first");
        return signalPassFailure();
      }
      lowerEinsum(rewriter, op);
    }
  }
};
} // namespace

} // namespace ein
