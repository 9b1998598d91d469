//===- ComputeFactors.cpp - Factors of products as arrays -----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: in `C(m, n) +=! (X(m, k) - z) * exp(W(k, n))` what is multiplied are
// no elements of arrays, so that it is no contraction. As loops, each exp is
// computed for each m anew, and nothing is in a register tile.
//
// Choice: where the factors are those of a product of matrices, each that is no
// element becomes an array of its own, which is small beside the products. Its
// numbers are what they were: an operation on elements rounds as before.
// Integers are kept as narrow as what may come out of their expression, of
// which upstream's ranges know: a difference of bytes is one of 16 bits, and
// machines have sums of products of these (`kPack` in Schedule.h). What is cast
// to as few bits is an array of these, and extended as the cast says.
//
// An array that is narrow by its range is signed, and a factor that is unsigned
// beside it becomes such an array, too.
//
//===----------------------------------------------------------------------===//

#include "ir/IndexNames.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "passes/analysis/BodyExpression.h"
#include "passes/analysis/Raising.h"
#include "passes/contract/Passes.h"
#include "passes/contract/Transforms.h"
#include "llvm/ADT/SetVector.h"

namespace ein {
#define GEN_PASS_DEF_COMPUTEFACTORS
#include "passes/contract/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

/// What is multiplied, or what is extended to it in the product.
struct Factor : BodyExpression {
  /// Whether it is an element.
  bool isElement = false;
  Operation *extension = nullptr;
};

class FactorComputer {
public:
  FactorComputer(RewriterBase &rewriter, linalg::GenericOp op)
      : b(rewriter), op(op), loc(op.getLoc()) {}

  LogicalResult run();

private:
  LogicalResult match();
  FailureOr<Factor> findFactor(Value value);
  bool isProductOfMatrices();
  ConstantIntRanges getRanges(Value value);
  Type getNarrowest(const Factor &factor);
  BodyExpression::Array createOperand(const Factor &factor);

  RewriterBase &b;
  linalg::GenericOp op;
  Location loc;
  Operation *combiner = nullptr, *product = nullptr;
  SmallVector<Factor, 2> factors;
  llvm::DenseMap<Value, ConstantIntRanges> ranges;
};

} // namespace

/// Whether the factors have rows, columns and sums, and nothing beside: then
/// each is smaller than what is gone over. One row or column is none.
bool FactorComputer::isProductOfMatrices() {
  AffineMap output = op.getIndexingMapsArray().back();
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  bool hasM = false, hasN = false, hasK = false;
  for (unsigned dim = 0, e = op.getNumLoops(); dim != e; ++dim) {
    bool lhs = factors[0].dims.test(dim), rhs = factors[1].dims.test(dim);
    if (!output.isFunctionOfDim(dim)) {
      if (!lhs || !rhs)
        return false;
      hasK = true;
    } else if (lhs != rhs) {
      (lhs ? hasM : hasN) |= sizes[dim] != 1;
    } else if (!lhs) {
      return false;
    }
  }
  return hasM && hasN && hasK;
}

LogicalResult FactorComputer::match() {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 ||
      op.getLibraryCall() ||
      !op.getIndexingMapsArray().back().isProjectedPermutation())
    return failure();
  Value accumulator = op.getRegionOutputArgs()[0];
  combiner = op.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  if (!combiner || combiner->getBlock() != op.getBody() ||
      combiner->getNumOperands() != 2 || !accumulator.hasOneUse() ||
      !llvm::is_contained(combiner->getOperands(), accumulator))
    return failure();
  product = combiner->getOperand(combiner->getOperand(0) == accumulator)
                .getDefiningOp();
  if (!isa_and_nonnull<arith::MulFOp, arith::MulIOp, complex::MulOp>(product) ||
      product->getBlock() != op.getBody())
    return failure();
  for (Value value : product->getOperands()) {
    FailureOr<Factor> factor = findFactor(value);
    if (failed(factor))
      return failure();
    factors.push_back(std::move(*factor));
  }
  return success(isProductOfMatrices() &&
                 !(factors[0].isElement && factors[1].isElement));
}

/// What an integer of the body may be.
ConstantIntRanges FactorComputer::getRanges(Value value) {
  auto known = ranges.find(value);
  if (known != ranges.end())
    return known->second;
  ConstantIntRanges result = ConstantIntRanges::maxRange(
      ConstantIntRanges::getStorageBitwidth(value.getType()));
  auto inferred =
      dyn_cast_or_null<InferIntRangeInterface>(value.getDefiningOp());
  if (inferred && llvm::all_of(inferred->getOperandTypes(),
                               [](Type type) { return type.isIntOrIndex(); })) {
    SmallVector<ConstantIntRanges> operands;
    for (Value operand : inferred->getOperands())
      operands.push_back(getRanges(operand));
    inferred.inferResultRanges(
        operands,
        [&](Value, const ConstantIntRanges &range) { result = range; });
  }
  ranges.try_emplace(value, result);
  return result;
}

/// The type of a factor's array: its own, or of as few bits as it needs.
Type FactorComputer::getNarrowest(const Factor &factor) {
  Type type = factor.value.getType();
  if (!type.isInteger())
    return type;
  ConstantIntRanges range = getRanges(factor.value);
  for (unsigned bits : {8, 16, 32})
    if (bits < type.getIntOrFloatBitWidth() &&
        range.smin().isSignedIntN(bits) && range.smax().isSignedIntN(bits))
      return b.getIntegerType(bits);
  return type;
}

/// Elements are extended as they are multiplied, and so are narrow integers
/// that are computed. Halves that are remain f32: `ein-fold-extensions` knows
/// whether they had better be an array of halves.
FailureOr<Factor> FactorComputer::findFactor(Value value) {
  FailureOr<BodyExpression> found = BodyExpression::find(op, value);
  if (failed(found))
    return failure();
  Factor whole{std::move(*found)};
  whole.isElement = whole.ops.empty() && whole.inputs.size() == 1;
  if (whole.ops.empty() ||
      !isa<arith::ExtSIOp, arith::ExtUIOp, arith::ExtFOp>(whole.ops.back()))
    return whole;
  Operation *extension = whole.ops.back();
  found = BodyExpression::find(op, extension->getOperand(0));
  assert(succeeded(found) && "it is part of what was found");
  Factor narrow{std::move(*found)};
  narrow.extension = extension;
  narrow.isElement = narrow.ops.empty() && narrow.inputs.size() == 1;
  auto getBits = [](Type type) { return type.getIntOrFloatBitWidth(); };
  unsigned bits = getBits(narrow.value.getType());
  bool isArray = whole.value.getType().isInteger() && bits % 8 == 0 &&
                 bits <= getBits(getNarrowest(whole));
  return narrow.isElement || isArray ? narrow : whole;
}

/// The factor's array: what it reads, or an elementwise op of its own.
BodyExpression::Array FactorComputer::createOperand(const Factor &factor) {
  // Dims lie as they do in the largest of what is read.
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap largest = AffineMap::get(op.getContext());
  for (unsigned number : factor.inputs)
    if (maps[number].getNumResults() > largest.getNumResults())
      largest = maps[number];
  Type type = factor.extension ? factor.value.getType() : getNarrowest(factor);
  return factor.createArray(b, op, largest, type, "a factor");
}

LogicalResult FactorComputer::run() {
  if (failed(match()))
    return b.notifyMatchFailure(op, "it is no product of what is computed");
  b.setInsertionPoint(op);
  Type type = product->getOperand(0).getType();
  bool isNarrow = llvm::any_of(factors, [&](const Factor &factor) {
    return !factor.isElement && !factor.extension &&
           getNarrowest(factor) != type;
  });
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (Factor &factor : factors) {
    if (factor.isElement && isNarrow &&
        isa_and_nonnull<arith::ExtUIOp>(factor.extension))
      factor = {*BodyExpression::find(op, factor.extension->getResult(0))};
    if (factor.isElement) {
      inputs.push_back(op.getDpsInputs()[factor.inputs[0]]);
      maps.push_back(op.getIndexingMapsArray()[factor.inputs[0]]);
    } else {
      BodyExpression::Array operand = createOperand(factor);
      inputs.push_back(operand.value);
      maps.push_back(operand.map);
    }
  }
  maps.push_back(op.getIndexingMapsArray().back());
  auto contraction = linalg::GenericOp::create(
      b, loc, op->getResultTypes(), inputs, op.getDpsInits(), maps,
      op.getIteratorTypesArray(),
      [&](OpBuilder &inner, Location at, ValueRange arguments) {
        IRMapping mapping;
        for (unsigned i = 0; i < 2; ++i) {
          Value value = arguments[i];
          if (Operation *extension = factors[i].extension) {
            IRMapping element;
            element.map(extension->getOperand(0), value);
            value = inner.clone(*extension, element)->getResult(0);
          } else if (value.getType() != type) {
            value = arith::ExtSIOp::create(inner, at, type, value);
          }
          mapping.map(product->getOperand(i), value);
        }
        mapping.map(op.getRegionOutputArgs()[0], arguments.back());
        inner.clone(*product, mapping);
        Value sum = inner.clone(*combiner, mapping)->getResult(0);
        linalg::YieldOp::create(inner, at, sum);
      });
  copyDiscardableAttrs(op, contraction);
  b.replaceOp(op, contraction.getResults());
  return success();
}

LogicalResult computeFactors(RewriterBase &rewriter, linalg::GenericOp op) {
  return FactorComputer(rewriter, op).run();
}

namespace {
struct ComputeFactorsPass : impl::ComputeFactorsBase<ComputeFactorsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) { ops.push_back(op); });
    for (linalg::GenericOp op : ops)
      (void)computeFactors(rewriter, op);
  }
};
} // namespace

} // namespace ein
