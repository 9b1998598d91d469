//===- DropUnitWindows.cpp - Windows of one position ----------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pointwise convolution is written as one with a window, of 1 by 1: it is a
// matrix product of the pixels by the filters, which `2 * h + kh` hides. With a
// step, the pixels are a slice of the image.
//
//===----------------------------------------------------------------------===//

#include "ir/IndexNames.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/Raising.h"
#include "passes/analysis/WindowAnalysis.h"
#include "passes/contract/Passes.h"
#include "llvm/ADT/SmallBitVector.h"

namespace ein {
#define GEN_PASS_DEF_DROPUNITWINDOWS
#include "passes/contract/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

/// An op all of whose windows have one position.
class UnitWindows {
public:
  UnitWindows(RewriterBase &rewriter, linalg::LinalgOp op)
      : rewriter(rewriter), op(op), isDropped(op.getNumLoops()) {}

  /// Whether the op is one, and without these dims reads at lone indices.
  bool match();
  void rewrite();

private:
  /// The dim that a subscript depends on without the dropped ones; -1 if it
  /// depends on none, none if on several.
  std::optional<int64_t> getLoneDim(const LinearSubscript &subscript);
  OpFoldResult getExtent(int64_t dim);
  /// What is read of an operand: itself or a slice of it, and its map.
  std::pair<Value, AffineMap> getOperand(OpOperand &operand);

  RewriterBase &rewriter;
  linalg::LinalgOp op;
  llvm::SmallBitVector isDropped;
  SmallVector<int64_t> kept;
};

} // namespace

std::optional<int64_t>
UnitWindows::getLoneDim(const LinearSubscript &subscript) {
  int64_t lone = -1;
  for (auto [dim, coefficient] : llvm::enumerate(subscript.coefficients)) {
    if (coefficient == 0 || isDropped[dim])
      continue;
    if (lone >= 0 || coefficient < 0)
      return std::nullopt;
    lone = dim;
  }
  return lone;
}

bool UnitWindows::match() {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() == 0 || op.hasIndexSemantics() ||
      !getWindowedInput(op))
    return false;
  if (auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
      generic && generic.getLibraryCall())
    return false;
  AffineMap output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!output.isProjectedPermutation())
    return false;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  // Slices of nothing start outside of it.
  if (llvm::is_contained(sizes, 0))
    return false;
  // What a sum of dims is of.
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto subscripts = getLinearSubscripts(op.getMatchingIndexingMap(input));
    if (!subscripts)
      return false;
    for (const LinearSubscript &subscript : *subscripts)
      for (auto [dim, coefficient] : llvm::enumerate(subscript.coefficients))
        if (coefficient != 0 && sizes[dim] == 1 &&
            !output.isFunctionOfDim(dim) &&
            llvm::count_if(subscript.coefficients,
                           [](int64_t c) { return c != 0; }) > 1)
          isDropped.set(dim);
  }
  if (isDropped.none())
    return false;
  for (int64_t dim = 0, e = op.getNumLoops(); dim < e; ++dim) {
    if (isDropped[dim])
      continue;
    // What is dynamic has to be somewhere at a lone index, to have its extent.
    AffineExpr expr = getAffineDimExpr(dim, op.getContext());
    if (ShapedType::isDynamic(sizes[dim]) &&
        llvm::none_of(op.getIndexingMapsArray(), [&](AffineMap map) {
          return map.getResultPosition(expr).has_value();
        }))
      return false;
    kept.push_back(dim);
  }
  // Every subscript then is one dim, and every dim is in some map.
  for (OpOperand *input : op.getDpsInputOperands()) {
    llvm::SmallBitVector seen(op.getNumLoops());
    bool drops = false, keepsOne = false;
    auto subscripts = getLinearSubscripts(op.getMatchingIndexingMap(input));
    for (const LinearSubscript &subscript : *subscripts) {
      std::optional<int64_t> dim = getLoneDim(subscript);
      if (!dim || (*dim >= 0 && seen[*dim]))
        return false;
      if (*dim >= 0)
        seen.set(*dim);
      else if (subscript.constant < 0)
        return false;
      drops |= *dim < 0;
      keepsOne |= *dim >= 0 && sizes[*dim] == 1;
    }
    // Which of several axes of extent 1 a slice leaves out its type does not
    // say, and upstream does not always take it for the same one.
    if (drops && keepsOne)
      return false;
  }
  return true;
}

/// How many iterations a kept dim has: what an operand that has it at a lone
/// index says.
OpFoldResult UnitWindows::getExtent(int64_t dim) {
  int64_t size = op.getStaticLoopRanges()[dim];
  if (!ShapedType::isDynamic(size))
    return rewriter.getIndexAttr(size);
  AffineExpr expr = rewriter.getAffineDimExpr(dim);
  for (OpOperand &operand : llvm::reverse(op->getOpOperands()))
    if (auto axis =
            op.getMatchingIndexingMap(&operand).getResultPosition(expr)) {
      Value value = operand.get();
      if (auto fill = value.getDefiningOp<linalg::FillOp>())
        value = fill.getOutputs()[0];
      return tensor::getMixedSize(rewriter, op.getLoc(), value, *axis);
    }
  return {};
}

std::pair<Value, AffineMap> UnitWindows::getOperand(OpOperand &operand) {
  MLIRContext *context = rewriter.getContext();
  Value source = operand.get();
  auto type = dyn_cast<RankedTensorType>(source.getType());
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!type)
    return {source, AffineMap::get(kept.size(), 0, context)};
  SmallVector<OpFoldResult> offsets, sizes, strides;
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> exprs;
  bool isSlice = false;
  SmallVector<LinearSubscript> subscripts = *getLinearSubscripts(map);
  for (auto [axis, subscript] : llvm::enumerate(subscripts)) {
    int64_t dim = *getLoneDim(subscript);
    bool isWindow = llvm::count_if(subscript.coefficients,
                                   [](int64_t c) { return c != 0; }) > 1;
    int64_t stride = dim < 0 ? 1 : subscript.coefficients[dim];
    OpFoldResult whole =
        tensor::getMixedSize(rewriter, op.getLoc(), source, axis);
    OpFoldResult size = dim < 0 ? rewriter.getIndexAttr(1)
                        : isWindow || stride != 1 || subscript.constant != 0
                            ? getExtent(dim)
                            : whole;
    offsets.push_back(rewriter.getIndexAttr(subscript.constant));
    sizes.push_back(size);
    strides.push_back(rewriter.getIndexAttr(stride));
    isSlice |=
        dim < 0 || stride != 1 || subscript.constant != 0 || size != whole;
    if (dim < 0)
      continue;
    shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
    exprs.push_back(
        rewriter.getAffineDimExpr(llvm::find(kept, dim) - kept.begin()));
  }
  AffineMap lone = AffineMap::get(kept.size(), 0, exprs, context);
  if (!isSlice)
    return {source, lone};
  Value slice = tensor::ExtractSliceOp::create(
      rewriter, op.getLoc(),
      RankedTensorType::get(shape, type.getElementType()), source, offsets,
      sizes, strides);
  return {slice, lone};
}

void UnitWindows::rewrite() {
  rewriter.setInsertionPoint(op);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto [value, map] = getOperand(*input);
    inputs.push_back(value);
    maps.push_back(map);
  }
  Value init = op.getDpsInits()[0];
  maps.push_back(getOperand(*op.getDpsInitOperand(0)).second);
  SmallVector<utils::IteratorType> iterators;
  SmallVector<unsigned> names;
  for (int64_t dim : kept) {
    iterators.push_back(op.getIteratorTypesArray()[dim]);
    names.push_back(dim);
  }
  auto generic = linalg::GenericOp::create(
      rewriter, selectIndexNames(op.getLoc(), names), TypeRange(init.getType()),
      inputs, init, maps, iterators);
  rewriter.cloneRegionBefore(op->getRegion(0), generic.getRegion(),
                             generic.getRegion().begin());
  copyDiscardableAttrs(op, generic);
  rewriter.replaceOp(op, generic);
}

namespace {
struct DropUnitWindowsPass : impl::DropUnitWindowsBase<DropUnitWindowsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    for (linalg::LinalgOp op : ops) {
      UnitWindows windows(rewriter, op);
      if (windows.match())
        windows.rewrite();
    }
  }
};
} // namespace

} // namespace ein
