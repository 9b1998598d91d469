//===- OrderContractions.cpp - Einsums of many inputs to pairs ----------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order itself is found by analysis/ContractionOrder on plain sets of
// labels; this file translates to it and back, for einsums (OrderProducts.cpp
// does for products with index arithmetic). Where sizes are dynamic, the
// cheapest order may depend on them, by a factor of the sizes: then there are
// two orders or three, and a branch on what each of them costs. Where
// temporaries may not take as much memory as they would, there are loops over
// slices round the steps (analysis/Slicing).
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "order/Slicing.h"
#include "order/StepLayouts.h"
#include "passes/analysis/Einsums.h"
#include "passes/analysis/ElementBytes.h"
#include "passes/einsum/CheapestOrder.h"
#include "passes/einsum/ContractionSteps.h"
#include "passes/einsum/Passes.h"
#include "passes/select/StepPricer.h"

namespace ein {
#define GEN_PASS_DEF_ORDERCONTRACTIONS
#include "passes/einsum/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {

static llvm::SmallBitVector toLabels(EinsumOp op, unsigned operand) {
  llvm::SmallBitVector labels(op.getNumLoops());
  for (unsigned dim : op.getDims(operand))
    labels.set(dim);
  return labels;
}

namespace {

/// Writes an einsum of many inputs as einsums of two.
class Orderer {
public:
  Orderer(RewriterBase &rewriter, EinsumOp op, int64_t unknownSize,
          const ContractionOrderOptions &options, const OpenStepPricer &pricer);

  LogicalResult run();

private:
  SmallVector<Layout> findLayouts(const ContractionPath &path);
  void emitShared(const ContractionPath &path);
  Value emitSteps(const ContractionPath &path);
  Value emitCost(const ContractionPath &path);

  RewriterBase &rewriter;
  EinsumOp op;
  const ContractionOrderOptions &options;
  const OpenStepPricer &pricer;
  Location loc;
  ContractionNetwork network;
  /// Labels whose sizes are not known.
  llvm::SmallBitVector dynamic;
  /// Each loop's extent, from any operand that has it.
  SmallVector<OpFoldResult> extents;
  /// By the network's number, as far as they are written.
  SmallVector<SharedValue> shared;
};

} // namespace

Orderer::Orderer(RewriterBase &rewriter, EinsumOp op, int64_t unknownSize,
                 const ContractionOrderOptions &options,
                 const OpenStepPricer &pricer)
    : rewriter(rewriter), op(op), options(options), pricer(pricer),
      loc(op.getLoc()), dynamic(op.getNumLoops()), extents(op.getNumLoops()) {
  for (auto [label, size] : llvm::enumerate(op.getStaticLoopSizes())) {
    bool isDynamic = ShapedType::isDynamic(size);
    network.labelSizes.push_back(isDynamic ? unknownSize : size);
    if (isDynamic)
      dynamic.set(label);
  }
  unsigned numInputs = op.getInputs().size();
  for (unsigned i = 0; i < numInputs; ++i)
    network.operands.push_back(toLabels(op, i));
  network.output = toLabels(op, numInputs);
  network.elementBytes = getElementBytes(op.getType());
  if (ArrayAttr path = op.getPathAttr())
    for (Attribute group : path)
      network.groups.emplace_back(cast<DenseI64ArrayAttr>(group).asArrayRef());
  // What others keep takes memory.
  if (ArrayAttr shared = op.getSharedAttr(); shared && !options.maxTempBytes)
    for (Attribute pair : shared) {
      ArrayRef<int64_t> members = cast<DenseI64ArrayAttr>(pair).asArrayRef();
      network.shared.push_back({static_cast<unsigned>(members[0]),
                                static_cast<unsigned>(members[1])});
    }
}

SmallVector<Layout> Orderer::findLayouts(const ContractionPath &path) {
  SmallVector<Layout> dims;
  for (unsigned operand = 0; operand < op->getNumOperands(); ++operand)
    dims.push_back(op.getDims(operand));
  size_t numDynamic = 0;
  for (const llvm::SmallBitVector &labels : network.operands)
    numDynamic = std::max<size_t>(numDynamic, (labels & dynamic).count());
  ContractionNetwork sized = network;
  for (unsigned label : dynamic.set_bits())
    sized.labelSizes[label] =
        countExtent(network.labelSizes[label], numDynamic);
  return findStepLayouts(sized, path, dims,
                         [&](ArrayRef<double> sizes, ArrayRef<unsigned> lhs,
                             ArrayRef<unsigned> rhs,
                             ArrayRef<unsigned> result) {
                           return pricer(sizes, dynamic, lhs, rhs, result);
                         });
}

/// Writes the shared products that the path has, so that they are found equal
/// to what others compute: outside the branches of other orders.
void Orderer::emitShared(const ContractionPath &path) {
  SmallVector<Layout> layouts = findLayouts(path);
  SmallVector<SharedValue> tensors;
  for (auto [i, input] : llvm::enumerate(op.getInputs()))
    tensors.push_back({input, op.getDims(i)});
  shared.resize(network.shared.size());
  for (auto [i, step] : llvm::enumerate(path.steps)) {
    tensors.push_back({});
    if (!step.shared)
      continue;
    SharedValue &value = shared[*step.shared];
    if (!value.tensor) {
      const SharedValue &lhs = tensors[step.lhs], &rhs = tensors[step.rhs];
      value.dims = layouts[i];
      SmallVector<OpFoldResult> sizes;
      for (unsigned dim : value.dims)
        sizes.push_back(extents[dim]);
      Value empty = tensor::EmptyOp::create(rewriter, loc, sizes,
                                            getElementTypeOrSelf(op.getType()));
      value.tensor = createEinsum(rewriter, loc, {lhs.tensor, rhs.tensor},
                                  fillWithZero(rewriter, loc, empty),
                                  {lhs.dims, rhs.dims, value.dims});
    }
    tensors.back() = value;
  }
}

Value Orderer::emitSteps(const ContractionPath &path) {
  return emitContractionSteps(rewriter, op, network, path, extents,
                              findLayouts(path), shared);
}

Value Orderer::emitCost(const ContractionPath &path) {
  SmallVector<llvm::SmallBitVector> tensors(network.operands);
  SmallVector<StepPoints> steps;
  for (const ContractionStep &step : path.steps) {
    llvm::SmallBitVector labels = tensors[step.lhs] | tensors[step.rhs];
    if (!step.shared)
      steps.push_back({labels, step.result != labels});
    tensors.push_back(step.result);
  }
  return emitOperations(rewriter, loc, steps, extents);
}

LogicalResult Orderer::run() {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  for (auto [position, operand] : llvm::enumerate(op.getOperands()))
    for (auto [axis, dim] : llvm::enumerate(op.getDims(position)))
      if (!extents[dim])
        extents[dim] = tensor::getMixedSize(rewriter, loc, operand, axis);
  SmallVector<ContractionPath> paths =
      findContractionOrders(network, dynamic, options);
  if (options.maxTempBytes != 0 &&
      paths[0].temporaryBytes > options.maxTempBytes)
    return op.emitError("has temporaries of ")
           << static_cast<uint64_t>(paths[0].temporaryBytes)
           << " bytes at least, and may have " << options.maxTempBytes;
  for (const ContractionPath &path : paths)
    emitShared(path);
  SmallVector<Value> costs;
  if (paths.size() > 1)
    for (const ContractionPath &path : paths)
      costs.push_back(emitCost(path));
  rewriter.replaceOp(
      op, emitCheapest(rewriter, loc, op.getType(), costs,
                       [&](unsigned i) { return emitSteps(paths[i]); }));
  return success();
}

namespace {
struct OrderContractionsPass
    : impl::OrderContractionsBase<OrderContractionsPass> {
  using OrderContractionsBase::OrderContractionsBase;
  void runOnOperation() override {
    ContractionOrderOptions options;
    std::optional<PathStrategy> wanted = parsePathStrategy(strategy);
    if (!wanted) {
      getOperation().emitError("there is no strategy `")
          << strategy << "` for the order of contraction";
      return signalPassFailure();
    }
    options.strategy = *wanted;
    options.effort = effort;
    options.seed = seed;
    options.maxTempBytes = maxTemp;
    options.wantsOne = oneOrder;
    IRRewriter rewriter(&getContext());
    SmallVector<EinsumOp> ops;
    getOperation().walk([&](EinsumOp op) {
      if (op.getInputs().size() > 2)
        ops.push_back(op);
    });
    // Statements of one function have steps in common.
    llvm::DenseMap<Type, OpenStepPricer> pricers;
    for (EinsumOp op : ops) {
      OpenStepPricer &pricer = pricers[getElementTypeOrSelf(op.getType())];
      if (!pricer) {
        FailureOr<OpenStepPricer> created =
            createStepPricer(op, {triple, cpu, features, sveBits, machine},
                             getElementTypeOrSelf(op.getType()));
        if (failed(created))
          return signalPassFailure();
        pricer = std::move(*created);
      }
      if (failed(Orderer(rewriter, op, unknownSize, options, pricer).run()))
        return signalPassFailure();
      ++numOrdered;
    }
    SmallVector<ProductOp> products;
    getOperation().walk([&](ProductOp op) { products.push_back(op); });
    for (ProductOp op : products)
      numOrdered += orderProduct(rewriter, op, unknownSize, options);
    SmallVector<linalg::GenericOp> generics;
    getOperation().walk([&](linalg::GenericOp op) { generics.push_back(op); });
    for (linalg::GenericOp op : generics)
      orderSemiring(rewriter, op, unknownSize, options);
  }
};
} // namespace

} // namespace ein
