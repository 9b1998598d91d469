//===- TransposeInRegisters.cpp - Transposes as exchanges of lanes ------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a block that is transposed while it is packed is one vector of a
// thousand elements. Upstream makes one shuffle of it (`Shuffle1D`), which LLVM
// takes apart into a permutation of two registers for each element or two.
//
// Choice: transpose squares of C x C by exchanges, one bit of the row's number
// with the same bit of the lane's at a time (Eklundh, "A Fast Computer Method
// for Matrix Transposing", IEEE Trans. Computers C-21(7), 1972). A stage is a
// shuffle of two rows for each row, which is one instruction where a row is a
// register. Upstream has that for 16 x 16 and 4 x 8 alone.
//
// Consequence: 64 shuffles for 256 floats on AVX-512. Where a row takes several
// registers, the stages of the high bits only rename them.
//
//===----------------------------------------------------------------------===//

#include "passes/vector/TransposeInRegisters.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace ein {

void transposeSquare(ImplicitLocOpBuilder &b, MutableArrayRef<Value> rows,
                     int64_t grain) {
  int64_t width = rows.size();
  for (int64_t bit = 1; bit < width; bit *= 2) {
    // Elements of the second row are numbered from `width` on.
    SmallVector<int64_t> upper, lower;
    auto append = [&](SmallVector<int64_t> &lanes, int64_t element) {
      for (int64_t part = 0; part < grain; ++part)
        lanes.push_back(element * grain + part);
    };
    for (int64_t element = 0; element < width; ++element) {
      bool isSet = element & bit;
      append(upper, isSet ? width + element - bit : element);
      append(lower, isSet ? width + element : element + bit);
    }
    for (int64_t row = 0; row < width; ++row) {
      if (row & bit)
        continue;
      Value first = rows[row], second = rows[row + bit];
      rows[row] = vector::ShuffleOp::create(b, first, second, upper);
      rows[row + bit] = vector::ShuffleOp::create(b, first, second, lower);
    }
  }
}

namespace {

struct TransposeInRegisters : OpRewritePattern<vector::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    VectorType type = op.getSourceVectorType();
    if (type.getRank() != 2 || type.isScalable() ||
        op.getPermutation() != ArrayRef<int64_t>{1, 0})
      return rewriter.notifyMatchFailure(op, "not of a matrix");
    int64_t height = type.getDimSize(0), width = type.getDimSize(1);
    if (width < 2 || width > kLongestRows || !llvm::isPowerOf2_64(width) ||
        height % width != 0)
      return rewriter.notifyMatchFailure(op, "not made of small squares");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value result =
        arith::ConstantOp::create(b, b.getZeroAttr(op.getResultVectorType()));
    for (int64_t begin = 0; begin < height; begin += width) {
      SmallVector<Value> rows;
      for (int64_t row = begin; row < begin + width; ++row)
        rows.push_back(vector::ExtractOp::create(b, op.getVector(), row));
      transposeSquare(b, rows);
      for (auto [row, value] : llvm::enumerate(rows))
        result = vector::InsertStridedSliceOp::create(
            b, value, result, ArrayRef<int64_t>{int64_t(row), begin},
            ArrayRef<int64_t>{1});
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

} // namespace

void populateTransposeInRegisters(RewritePatternSet &patterns,
                                  PatternBenefit benefit) {
  patterns.add<TransposeInRegisters>(patterns.getContext(), benefit);
}

} // namespace ein
