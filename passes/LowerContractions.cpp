//===- LowerContractions.cpp - Vector contractions to FMAs --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A step of k multiplies a column of A's panel by a row of B's. As an outer
// product this is MR fused multiply-adds, each of a row of the tile with B's
// row and one element of A, which the processor broadcasts as it loads it. So
// the elements of A are read as scalars: a vector of them would have to be
// taken apart again.
//
//===----------------------------------------------------------------------===//

#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/Passes.h"

namespace ein {
#define GEN_PASS_DEF_LOWERCONTRACTIONS
#include "passes/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {
struct LowerContractionsPass
    : impl::LowerContractionsBase<LowerContractionsPass> {
  void runOnOperation() override {
    if (failed(lowerContractions()) || failed(lowerTransfers()))
      signalPassFailure();
  }

private:
  /// From here on: no contraction, no outer product; transfers are in the order
  /// of their memory.
  LogicalResult lowerContractions() {
    RewritePatternSet patterns(&getContext());
    vector::populateVectorContractLoweringPatterns(
        patterns, vector::VectorContractLowering::OuterProduct);
    vector::populateVectorOuterProductLoweringPatterns(patterns);
    vector::populateVectorTransferPermutationMapLoweringPatterns(patterns);
    vector::TransferReadOp::getCanonicalizationPatterns(patterns,
                                                        &getContext());
    vector::ExtractOp::getCanonicalizationPatterns(patterns, &getContext());
    return applyPatternsGreedily(getOperation(), std::move(patterns));
  }

  /// From here on: transfers have rank 1 and are in bounds, or are masked.
  LogicalResult lowerTransfers() {
    RewritePatternSet patterns(&getContext());
    vector::populateScalarVectorTransferLoweringPatterns(
        patterns, /*benefit=*/10, /*allowMultipleUses=*/true);
    vector::populateVectorTransposeLoweringPatterns(
        patterns, vector::VectorTransposeLowering::Shuffle1D);
    populateVectorToSCFConversionPatterns(
        patterns, VectorTransferToSCFOptions().enableFullUnroll());
    return applyPatternsGreedily(getOperation(), std::move(patterns));
  }
};
} // namespace
} // namespace ein
