//===- OrderProducts.cpp - Products with index arithmetic to pairs --------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order is found by analysis/ProductSearch; here its steps are written. A
// step without arithmetic is an einsum of two, and so becomes a contraction;
// any other one is a generic that multiplies two operands in a window, or where
// conditions hold.
//
//===----------------------------------------------------------------------===//

#include "ir/IndexNames.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "order/ContractionOrder.h"
#include "passes/analysis/Einsums.h"
#include "passes/analysis/ElementBytes.h"
#include "passes/einsum/CheapestOrder.h"

using namespace mlir;

namespace ein {

/// The labels of a tensor's dims, in order.
using Labels = SmallVector<unsigned>;

namespace {

struct Factor {
  Value tensor;
  Labels dims;
};

/// Writes a product of many factors as products of two.
class ProductOrderer {
public:
  ProductOrderer(RewriterBase &rewriter, ProductOp op, int64_t unknownSize,
                 const ContractionOrderOptions &options);

  /// Whether it is products of two now.
  bool run();

private:
  void readOperands();
  Value emitSteps(const ContractionPath &path);
  Value emitCost(const ContractionPath &path);
  Value emitNest();
  Factor sumOwn(const Factor &factor, const ContractionPath::OwnSum &sum);
  Value emitStep(ArrayRef<Factor> factors, ArrayRef<Factor> conditions,
                 const llvm::SmallBitVector &loops, Value init,
                 ArrayRef<unsigned> result);
  Value inlineConditions(Value product, unsigned first, unsigned number);
  Value createInit(ArrayRef<unsigned> dims);
  SmallVector<Labels> layOut(const ContractionPath &path) const;
  void layOut(unsigned tensor, const llvm::SmallBitVector &labels,
              ArrayRef<unsigned> reader,
              SmallVectorImpl<Labels> &layouts) const;
  bool isSum(unsigned label) const { return label >= network.getNumIndices(); }
  const LabelSum &getSum(unsigned label) const {
    return network.sums[label - network.getNumIndices()];
  }
  /// Whether `label` is the index, or a sum of it and others.
  bool involves(unsigned label, unsigned index) const {
    return isSum(label) ? llvm::any_of(getSum(label).terms,
                                       [&](LabelSum::Term term) {
                                         return term.label == index;
                                       })
                        : label == index;
  }

  RewriterBase &rewriter;
  ProductOp op;
  const ContractionOrderOptions &options;
  Location loc; // with the names of all labels
  Labels output;
  SmallVector<Factor> factors, conditions;
  ContractionNetwork network;
  llvm::SmallBitVector dynamic;
  SmallVector<OpFoldResult> extents; // by label
};

} // namespace

ProductOrderer::ProductOrderer(RewriterBase &rewriter, ProductOp op,
                               int64_t unknownSize,
                               const ContractionOrderOptions &options)
    : rewriter(rewriter), op(op), options(options), loc(op.getLoc()) {
  for (int64_t extent : op.getStaticExtents())
    network.labelSizes.push_back(ShapedType::isDynamic(extent) ? unknownSize
                                                               : extent);
  extents = op.getMixedExtents();
  network.hasArithmetic = true;
  readOperands();
  unsigned numLabels = network.labelSizes.size();
  auto makeSet = [&](ArrayRef<unsigned> dims) {
    llvm::SmallBitVector labels(numLabels);
    for (unsigned dim : dims)
      labels.set(dim);
    return labels;
  };
  for (const Factor &factor : factors)
    network.operands.push_back(makeSet(factor.dims));
  for (const Factor &condition : conditions)
    network.conditions.push_back(makeSet(condition.dims));
  network.output = makeSet(output);
  network.elementBytes = getElementBytes(op.getType());
  if (ArrayAttr path = op.getPathAttr())
    for (Attribute group : path)
      network.groups.emplace_back(cast<DenseI64ArrayAttr>(group).asArrayRef());
  dynamic.resize(numLabels);
  for (auto [label, extent] : llvm::enumerate(op.getStaticExtents()))
    dynamic[label] = ShapedType::isDynamic(extent);
}

void ProductOrderer::readOperands() {
  unsigned numInputs = op.getInputs().size();
  unsigned numLoops = op.getNumLoops();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  SmallVector<std::string> names = getIndexNames(loc, numLoops);
  for (unsigned position = 0; position != op.getIndexingMaps().size();
       ++position) {
    Value tensor = op.getOperand(position);
    Labels dims;
    for (auto [axis, expr] :
         llvm::enumerate(op.getMap(position).getResults())) {
      LabelSum sum;
      SmallVector<DimTerm, 2> terms = *getDimTerms(expr);
      for (DimTerm term : terms)
        sum.terms.push_back({term.dim, term.coefficient});
      if (sum.terms.size() == 1 && sum.terms[0].coefficient == 1) {
        dims.push_back(sum.terms[0].label);
        continue;
      }
      std::string name;
      for (LabelSum::Term term : sum.terms)
        name +=
            (name.empty() ? "" : "+") +
            (term.coefficient == 1 ? ""
                                   : std::to_string(term.coefficient) + "*") +
            names[term.label];
      dims.push_back(network.addSum(std::move(sum)));
      if (dims.back() == extents.size()) {
        extents.push_back(tensor::getMixedSize(rewriter, loc, tensor, axis));
        names.push_back("(" + name + ")");
      }
    }
    if (position < numInputs)
      factors.push_back({tensor, dims});
    else if (position < numInputs + op.getConditions().size())
      conditions.push_back({tensor, dims});
    else
      output = dims;
  }
  if (isa<FusedLoc>(loc))
    loc = withIndexNames(loc, names);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

Value ProductOrderer::createInit(ArrayRef<unsigned> dims) {
  SmallVector<OpFoldResult> sizes;
  for (unsigned dim : dims)
    sizes.push_back(extents[dim]);
  Value init = tensor::EmptyOp::create(rewriter, loc, sizes,
                                       getElementTypeOrSelf(op.getType()));
  return fillWithZero(rewriter, loc, init);
}

/// Adds to `init`, whose dims are `result`, in loops over these and then what
/// else there is in `loops`.
Value ProductOrderer::emitStep(ArrayRef<Factor> factors,
                               ArrayRef<Factor> conditions,
                               const llvm::SmallBitVector &loops, Value init,
                               ArrayRef<unsigned> result) {
  auto isPlain = [&](const Factor &factor) {
    return llvm::all_of(factor.dims,
                        [&](unsigned dim) { return loops.test(dim); });
  };
  SmallVector<Value> inputs = llvm::map_to_vector(
      factors, [](const Factor &factor) { return factor.tensor; });
  if (factors.size() == 2 && conditions.empty() &&
      llvm::all_of(factors, isPlain))
    return createEinsum(
        rewriter, loc, inputs, init,
        {factors[0].dims, factors[1].dims, llvm::to_vector(result)});

  Labels order = llvm::to_vector(result);
  for (unsigned label : loops.set_bits())
    if (!llvm::is_contained(result, label))
      order.push_back(label);
  auto getLoop = [&](unsigned label) {
    return rewriter.getAffineDimExpr(llvm::find(order, label) - order.begin());
  };
  llvm::SmallBitVector hasExtent(network.labelSizes.size());
  for (unsigned label : result)
    hasExtent.set(label);
  SmallVector<AffineMap> maps;
  auto addMap = [&](ArrayRef<unsigned> dims) {
    SmallVector<AffineExpr> exprs;
    for (unsigned dim : dims) {
      if (loops.test(dim)) {
        exprs.push_back(getLoop(dim));
        continue;
      }
      AffineExpr expr = rewriter.getAffineConstantExpr(0);
      for (LabelSum::Term term : getSum(dim).terms)
        expr = expr + getLoop(term.label) * term.coefficient;
      exprs.push_back(expr);
    }
    maps.push_back(
        AffineMap::get(order.size(), 0, exprs, rewriter.getContext()));
  };
  for (const Factor &factor : factors) {
    addMap(factor.dims);
    for (unsigned dim : factor.dims)
      hasExtent.set(dim);
  }
  // Conditions do not count, as they may not stay operands.
  for (const Factor &condition : conditions) {
    inputs.push_back(condition.tensor);
    addMap(condition.dims);
  }
  for (unsigned label : order)
    if (!hasExtent.test(label)) {
      inputs.push_back(tensor::EmptyOp::create(
          rewriter, loc, extents[label], getElementTypeOrSelf(op.getType())));
      addMap(label);
    }
  bool reduces = order.size() != result.size();
  Value destination = getZeroFilled(init);
  bool accumulates = reduces || !conditions.empty() || !destination;
  Value product = createProduct(rewriter, selectIndexNames(loc, order), inputs,
                                factors.size(), conditions.size(), maps,
                                accumulates ? init : destination, result.size(),
                                order.size(), accumulates);
  return inlineConditions(product, factors.size(), conditions.size());
}

/// What a condition says is computed at each point, as in a nest of loops over
/// all indices: as a tensor it might be larger than anything else.
Value ProductOrderer::inlineConditions(Value product, unsigned first,
                                       unsigned number) {
  for (unsigned i = number; i-- > 0;) {
    Operation *step = product.getDefiningOp();
    OpOperand &operand = step->getOpOperand(first + i);
    if (!linalg::areElementwiseOpsFusable(&operand))
      continue;
    // One of its own, as what has other users is kept as a result.
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(step);
    Operation *own = rewriter.clone(*operand.get().getDefiningOp());
    rewriter.modifyOpInPlace(step, [&] { operand.set(own->getResult(0)); });
    FailureOr<linalg::ElementwiseOpFusionResult> fused =
        linalg::fuseElementwiseOps(rewriter, &operand);
    if (failed(fused))
      continue;
    fused->fusedOp->setLoc(step->getLoc());
    product = fused->replacements.lookup(product);
    rewriter.eraseOp(step);
    rewriter.eraseOp(own);
  }
  return product;
}

Factor ProductOrderer::sumOwn(const Factor &factor,
                              const ContractionPath::OwnSum &sum) {
  if (sum.loops.empty())
    return factor;
  Labels dims;
  for (unsigned dim : factor.dims) {
    if (sum.loops.test(dim)) {
      if (sum.result.test(dim) && !llvm::is_contained(dims, dim))
        dims.push_back(dim);
      continue;
    }
    for (LabelSum::Term term : getSum(dim).terms)
      if (sum.result.test(term.label) && !llvm::is_contained(dims, term.label))
        dims.push_back(term.label);
  }
  return {emitStep(factor, {}, sum.loops, createInit(dims), dims), dims};
}

/// Lays out what the step after it reads, and what that is made of: rows before
/// what is summed, and that before columns, which are the last dims of the
/// reader's result that it has.
void ProductOrderer::layOut(unsigned tensor, const llvm::SmallBitVector &labels,
                            ArrayRef<unsigned> reader,
                            SmallVectorImpl<Labels> &layouts) const {
  Labels kept, columns, summed;
  llvm::SmallBitVector left = labels;
  auto findLabel = [&](unsigned index) -> std::optional<unsigned> {
    for (unsigned label : left.set_bits())
      if (involves(label, index) || label == index)
        return label;
    return std::nullopt;
  };
  for (unsigned index : llvm::reverse(reader)) {
    std::optional<unsigned> label = findLabel(index);
    if (!label)
      break;
    columns.insert(columns.begin(), *label);
    left.reset(*label);
  }
  for (unsigned index : reader)
    if (std::optional<unsigned> label = findLabel(index)) {
      kept.push_back(*label);
      left.reset(*label);
    }
  llvm::append_range(summed, left.set_bits());
  // What has all of the result is rows.
  if (kept.empty() && columns.size() == reader.size())
    std::swap(kept, columns);
  Labels &layout = layouts[tensor];
  layout = kept;
  layout.append(summed);
  layout.append(columns);
}

SmallVector<Labels> ProductOrderer::layOut(const ContractionPath &path) const {
  unsigned numFactors = factors.size();
  SmallVector<Labels> layouts(numFactors + path.steps.size());
  layouts.back() = output;
  for (size_t i = path.steps.size(); i-- > 0;)
    for (unsigned child : {path.steps[i].lhs, path.steps[i].rhs})
      if (child >= numFactors)
        layOut(child, path.steps[child - numFactors].result,
               layouts[numFactors + i], layouts);
  return layouts;
}

Value ProductOrderer::emitSteps(const ContractionPath &path) {
  SmallVector<Factor> tensors;
  for (auto [factor, sum] : llvm::zip_equal(factors, path.ownSums))
    tensors.push_back(sumOwn(factor, sum));
  SmallVector<Labels> layouts = layOut(path);
  Location whole = loc;
  for (auto [number, step] : llvm::enumerate(path.steps)) {
    bool isLast = number + 1 == path.steps.size();
    loc = isLast ? whole : ofTensorPart(whole, number);
    SmallVector<Factor> here;
    for (unsigned i : step.conditions.set_bits())
      here.push_back(conditions[i]);
    const Labels &dims = layouts[tensors.size()];
    Value init;
    if (!isLast)
      init = createInit(dims);
    else if (auto fill = op.getInit().getDefiningOp<linalg::FillOp>())
      init = rewriter.clone(*fill)->getResult(0); // beside what overwrites it
    else
      init = op.getInit();
    Value result = emitStep({tensors[step.lhs], tensors[step.rhs]}, here,
                            step.loops, init, dims);
    tensors.push_back({result, dims});
  }
  return tensors.back().tensor;
}

/// The product as it is written, in one nest of loops.
Value ProductOrderer::emitNest() {
  llvm::SmallBitVector loops(network.labelSizes.size());
  loops.set(0, network.getNumIndices());
  return emitStep(factors, conditions, loops, op.getInit(), output);
}

Value ProductOrderer::emitCost(const ContractionPath &path) {
  SmallVector<StepPoints> steps;
  for (const ContractionStep &step : path.steps)
    steps.push_back({step.loops, step.result != step.loops});
  return emitOperations(rewriter, loc, steps, extents);
}

bool ProductOrderer::run() {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  SmallVector<ContractionPath> paths;
  if (factors.size() > 1)
    paths = findContractionOrders(network, dynamic, options);
  if (paths.empty()) {
    rewriter.replaceOp(op, emitNest());
    return false;
  }
  SmallVector<Value> costs;
  if (paths.size() > 1)
    for (const ContractionPath &path : paths)
      costs.push_back(emitCost(path));
  rewriter.replaceOp(
      op, emitCheapest(rewriter, loc, op.getType(), costs,
                       [&](unsigned i) { return emitSteps(paths[i]); }));
  return true;
}

bool orderProduct(RewriterBase &rewriter, ProductOp op, int64_t unknownSize,
                  const ContractionOrderOptions &options) {
  return ProductOrderer(rewriter, op, unknownSize, options).run();
}

} // namespace ein
