//===- AddUnitRows.cpp - A vector times a matrix as a matrix product ------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `y(n) +=! x(k) * B(k, n)` as loops sums along k, and reads B with a stride.
// The register tiles of a matrix product read rows of B, and need nothing more
// than a row dim of extent 1: x becomes 1 x K, y becomes 1 x N, which are
// views.
//
// A matrix times a vector, whose sum is along contiguous elements, is left
// alone: that loop reads whole vectors as it is.
//
//===----------------------------------------------------------------------===//

#include "ir/IndexNames.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "passes/analysis/Raising.h"
#include "passes/fused/Passes.h"

namespace ein {
#define GEN_PASS_DEF_ADDUNITROWS
#include "passes/fused/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

/// The position of the input that is a vector of a sum along which the result
/// is contiguous, and the other input as well; none if the op is another one.
static std::optional<unsigned> findVector(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics())
    return std::nullopt;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap output = maps[2];
  if (output.getNumResults() == 0)
    return std::nullopt;
  for (unsigned vector : {0u, 1u}) {
    AffineMap other = maps[1 - vector];
    bool hasSum = false, isVector = true;
    for (unsigned dim = 0, e = op.getNumLoops(); dim < e; ++dim) {
      bool isSummed = !output.isFunctionOfDim(dim);
      hasSum |= isSummed;
      // Only sums and batches, which both inputs have.
      isVector &=
          !maps[vector].isFunctionOfDim(dim) || other.isFunctionOfDim(dim);
      isVector &= !isSummed || maps[vector].isFunctionOfDim(dim);
    }
    AffineExpr last = output.getResults().back();
    unsigned n = cast<AffineDimExpr>(last).getPosition();
    if (hasSum && isVector && !maps[vector].isFunctionOfDim(n) &&
        other.getNumResults() != 0 && other.getResults().back() == last)
      return vector;
  }
  return std::nullopt;
}

/// The first dim of a type as the second of two, the first one being new.
static SmallVector<ReassociationIndices> getUnitDim(RankedTensorType type) {
  SmallVector<ReassociationIndices> dims(type.getRank());
  for (int64_t i = 0, e = type.getRank(); i < e; ++i)
    dims[i] = {i + 1};
  dims.front() = {0, 1};
  return dims;
}

/// `tensor` with a first dim of extent 1.
static Value addUnitDim(OpBuilder &b, Location loc, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape = {1};
  llvm::append_range(shape, type.getShape());
  SmallVector<OpFoldResult> sizes = {b.getIndexAttr(1)};
  llvm::append_range(sizes, tensor::getMixedSizes(b, loc, tensor));
  return tensor::ExpandShapeOp::create(b, loc, type.clone(shape), tensor,
                                       getUnitDim(type), sizes);
}

static void addUnitRow(RewriterBase &rewriter, linalg::LinalgOp op,
                       ContractionKind kind, unsigned vector) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  Value init = op.getDpsInits()[0];
  auto type = cast<RankedTensorType>(init.getType());
  // A fill of what is expanded, so that it is still seen to be the start.
  auto fill = init.getDefiningOp<linalg::FillOp>();
  Value destination = fill ? fill.getOutputs()[0] : init;
  Value start = addUnitDim(rewriter, loc, destination);
  if (fill)
    start = linalg::FillOp::create(rewriter, loc, fill.getInputs()[0], start)
                .getResult(0);

  SmallVector<Value> inputs = op.getDpsInputs();
  inputs[vector] = addUnitDim(rewriter, loc, inputs[vector]);
  unsigned numDims = op.getNumLoops() + 1;
  SmallVector<AffineMap> maps;
  for (auto [i, map] : llvm::enumerate(op.getIndexingMapsArray())) {
    SmallVector<AffineExpr> exprs;
    if (i == vector || i == 2)
      exprs.push_back(rewriter.getAffineDimExpr(numDims - 1));
    llvm::append_range(exprs, map.getResults());
    maps.push_back(AffineMap::get(numDims, 0, exprs, rewriter.getContext()));
  }
  SmallVector<std::string> names = getIndexNames(loc, op.getNumLoops());
  names.push_back("row");
  linalg::LinalgOp matrix =
      createContraction(rewriter, withIndexNames(loc, names), kind,
                        TypeRange(start.getType()), inputs, start, maps);
  rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(
      op, type, matrix->getResult(0), getUnitDim(type));
}

namespace {
struct AddUnitRowsPass : impl::AddUnitRowsBase<AddUnitRowsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    // Sums: those of an unsigned and a signed input are generics.
    SmallVector<std::pair<linalg::LinalgOp, ContractionKind>> ops;
    getOperation().walk([&](linalg::LinalgOp op) {
      std::optional<ContractionKind> kind = getContractionKind(op);
      if (kind && kind->isSum() &&
          (kind->isMixed() || isa<linalg::ContractOp>(op.getOperation())))
        ops.push_back({op, *kind});
    });
    for (auto [op, kind] : ops)
      if (std::optional<unsigned> vector = findVector(op))
        addUnitRow(rewriter, op, kind, *vector);
  }
};
} // namespace

} // namespace ein
