//===- TransposeInRegisters.cpp - Transposes as exchanges of lanes ------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: of a transpose of a large vector upstream makes one shuffle
// (`Shuffle1D`), which LLVM takes apart into a permutation of two registers for
// each element or two.
//
// Choice: transpose squares of C x C by exchanges, one bit of the row's number
// with one of the lane's at a time (Eklundh, "A Fast Computer Method for Matrix
// Transposing", IEEE Trans. Computers C-21(7), 1972). A stage is a shuffle of
// two rows for each row, which is one instruction where a row is a register:
// inside of 128 bits the halves of both are interleaved, and of such parts
// every second one is taken. Exchanges of just two elements would be two
// instructions without masks. Upstream has that for 16 x 16 and 4 x 8 alone.
//
// Consequence: 64 shuffles for 256 floats on AVX-512, 24 for 64 on AVX2.
//
//===----------------------------------------------------------------------===//

#include "passes/vector/TransposeInRegisters.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace ein {

void transposeSquare(ImplicitLocOpBuilder &b, MutableArrayRef<Value> rows,
                     int64_t grain, bool exchanges) {
  // No machine's instructions interleave across parts of so many bits.
  constexpr int64_t kPartBits = 128;
  int64_t width = rows.size();
  int64_t bits =
      grain * getElementTypeOrSelf(rows[0].getType()).getIntOrFloatBitWidth();
  int64_t part =
      exchanges ? 1 : std::clamp<int64_t>(kPartBits / bits, 1, width);
  // A stage of `bit` has what is at `getFrom` of two rows; elements of the
  // second one are numbered from `width` on.
  auto runStage = [&](int64_t bit, function_ref<int64_t(int64_t)> getFrom,
                      int64_t toSecond) {
    SmallVector<int64_t> first, second;
    for (int64_t element = 0; element < width; ++element)
      for (int64_t lane = 0; lane < grain; ++lane) {
        first.push_back(getFrom(element) * grain + lane);
        second.push_back((getFrom(element) + toSecond) * grain + lane);
      }
    for (int64_t row = 0; row < width; ++row) {
      if (row & bit)
        continue;
      Value one = rows[row], other = rows[row + bit];
      rows[row] = vector::ShuffleOp::create(b, one, other, first);
      rows[row + bit] = vector::ShuffleOp::create(b, one, other, second);
    }
  };
  for (int64_t bit = 1; bit < part; bit *= 2)
    runStage(
        bit,
        [&](int64_t element) {
          int64_t inPart = element % part, piece = inPart / bit;
          return (piece % 2) * width + element - inPart + piece / 2 * bit +
                 inPart % bit;
        },
        part / 2);
  // The bits of a column's number are those of its row's in reverse.
  unsigned numBits = llvm::Log2_64(part);
  SmallVector<Value> columns(rows.size());
  for (auto [row, value] : llvm::enumerate(rows)) {
    int64_t column = row;
    for (unsigned bit = 0; bit < numBits; ++bit) {
      int64_t other = int64_t(1) << (numBits - 1 - bit);
      column = row >> bit & 1 ? column | other : column & ~other;
    }
    columns[column] = value;
  }
  llvm::copy(columns, rows.begin());
  for (int64_t bit = part; bit < width; bit *= 2)
    runStage(
        bit,
        [&](int64_t element) {
          if (exchanges)
            return element & bit ? width + element - bit : element;
          return element / part * 2 * part + element % part;
        },
        exchanges ? bit : part);
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
      transposeSquare(b, rows, /*grain=*/1, /*exchanges=*/true);
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
