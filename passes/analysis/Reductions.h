//===- Reductions.h - Reductions as vectors ---------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_ANALYSIS_REDUCTIONS_H
#define EIN_PASSES_ANALYSIS_REDUCTIONS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "passes/analysis/Decline.h"

namespace ein {

/// What `matchReduction` finds out.
struct ReductionInfo {
  mlir::AffineMap output;
  /// Whether the vectors lie along a dim that is reduced.
  bool isRow;
};

/// Whether `op` can be vectors along `dim`, which it reduces or its result has.
mlir::FailureOr<ReductionInfo> matchReduction(mlir::linalg::LinalgOp op,
                                              int64_t dim,
                                              DeclineFn onDecline = nullptr);

/// A reduction along a row by which the least index is found that a condition
/// holds at, as `argmax` ends: minsi(result, select(condition, index, none)).
struct Search {
  mlir::Value condition, index, none;
};

/// `op` as a search along `dim`, which grows with the index.
std::optional<Search> matchSearch(mlir::linalg::LinalgOp op, int64_t dim);

/// What extends the elements that `op` adds up; null if nothing does.
mlir::Operation *getSumExtension(mlir::linalg::LinalgOp op);

/// How many of the elements that `op` adds up along rows are as wide as a sum
/// of them: 4 of i8 in i32, 2 of bf16 in f32. One if they are not extended
/// first, or if processors extend but single ones, as of f16.
int64_t getWidening(mlir::linalg::LinalgOp op);

/// Two numbers that `op` multiplies to add up the products, as they are before
/// they are extended to be multiplied.
struct NarrowFactors {
  mlir::Value lhs, rhs;
  /// Of integers.
  bool isLhsUnsigned, isRhsUnsigned;
};

/// What sums of narrow numbers have, wherever there are instructions for them.
inline constexpr int64_t kNarrowSumBits = 32;

/// The factors of what `op` adds up in as many bits, if that is products of
/// integers or of bf16.
std::optional<NarrowFactors> getNarrowFactors(mlir::linalg::LinalgOp op);

/// Whether a lane of a vector along a row may get `widening` products of such
/// factors at once: as many as are as wide as it, or two if they become words,
/// which a pattern is for.
bool canAddProducts(mlir::linalg::LinalgOp op, int64_t widening,
                    bool isByPattern);

/// So many bytes are added up in words of 16 bits.
inline constexpr int64_t kBytesInWord = 256;

/// Whether `op` adds up bytes in words of 32 bits along columns, of which it
/// takes `rows` before the sums are written; along several dims or of an open
/// number (0) none can.
bool addsBytesOfColumns(mlir::linalg::LinalgOp op, int64_t dim, int64_t rows);

/// The input that has most dims, the first of several.
mlir::OpOperand *getLargestInput(mlir::linalg::LinalgOp op);

/// Whether `op` reduces rows, one sum along `dim` of one operand, that are not
/// known to begin with a vector of memory: most of their vectors are in two
/// cache lines each.
bool beginsAnywhere(mlir::linalg::LinalgOp op, int64_t dim, int64_t lanes);

} // namespace ein

#endif // EIN_PASSES_ANALYSIS_REDUCTIONS_H
