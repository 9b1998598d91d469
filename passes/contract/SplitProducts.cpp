//===- SplitProducts.cpp - Matrices of f32 as sums of halves --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: matrix units multiply bf16, of 8 significant bits, several times as
// fast as vectors multiply f32, of 24.
//
// Choice: a number is its nearest bf16 and that of what is left, 16 bits in
// all. Of the four products of such sums the one of the two rests is left out.
// The others are exact in f32, in which they are added, the smallest first. So
// a product of two numbers errs by at most
//
//   |low low| + |rest b| + |a rest| <= (2^-16 + 2 * 2^-16) |a b|
//
// and a little more of second order. The reference knows it (Statement.h).
//
// Consequence: three products of matrices, each of which is packed and tiled as
// those of bf16 are, and two arrays of halves for each factor. Sums stay f32's.
// What is larger than bf16's largest number, or infinite, makes NaN.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/Raising.h"
#include "passes/contract/Elementwise.h"
#include "passes/contract/Passes.h"

namespace ein {
#define GEN_PASS_DEF_SPLITPRODUCTS
#include "passes/contract/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

/// An array as the sum of two of halves.
struct Halves {
  Value high, low;
};

} // namespace

static Halves split(RewriterBase &rewriter, Location loc, Value array) {
  Type half = rewriter.getBF16Type(), wide = rewriter.getF32Type();
  auto create =
      [&](llvm::function_ref<Value(OpBuilder &, Location, Value)> build) {
        return createElementwise(rewriter, loc, array, half, Value(), build);
      };
  Value high = create([&](OpBuilder &b, Location loc, Value value) -> Value {
    return arith::TruncFOp::create(b, loc, half, value);
  });
  Value low = create([&](OpBuilder &b, Location loc, Value value) -> Value {
    Value nearest = arith::TruncFOp::create(b, loc, half, value);
    Value rest = arith::SubFOp::create(
        b, loc, value, arith::ExtFOp::create(b, loc, wide, nearest));
    return arith::TruncFOp::create(b, loc, half, rest);
  });
  return {high, low};
}

static bool isSplit(linalg::ContractOp op) {
  return op.hasPureTensorSemantics() &&
         isMatrixProduct(op.getIndexingMapsArray()) &&
         llvm::all_of(op->getOperandTypes(), [](Type type) {
           return getElementTypeOrSelf(type).isF32();
         });
}

static void splitProduct(RewriterBase &rewriter, linalg::ContractOp op) {
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  Value first = op.getDpsInputs()[0], second = op.getDpsInputs()[1];
  Halves lhs = split(rewriter, loc, first);
  Halves rhs = first == second ? lhs : split(rewriter, loc, second);
  Operation *product = nullptr;
  Value sums = op.getDpsInits()[0];
  for (auto [left, right] :
       {std::pair(lhs.low, rhs.high), std::pair(lhs.high, rhs.low),
        std::pair(lhs.high, rhs.high)}) {
    product = createContraction(rewriter, loc, ContractionKind(),
                                op->getResultTypes(), ValueRange{left, right},
                                sums, op.getIndexingMapsArray());
    copyDiscardableAttrs(op, product);
    sums = product->getResult(0);
  }
  rewriter.replaceOp(op, sums);
}

namespace {
struct SplitProductsPass : impl::SplitProductsBase<SplitProductsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::ContractOp> ops;
    getOperation().walk([&](linalg::ContractOp op) {
      if (isSplit(op))
        ops.push_back(op);
    });
    for (linalg::ContractOp op : ops)
      splitProduct(rewriter, op);
    numSplit += ops.size();
  }
};
} // namespace

} // namespace ein
