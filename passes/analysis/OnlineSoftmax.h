//===- OnlineSoftmax.h - Softmax by blocks of columns -----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of attention, what is added up along a row is relative to the row's maximum,
// which is known when all columns have been seen. With the maximum so far, sums
// are those of other weights, all by the same factor: when a larger one comes,
// exp(old - new) makes up for that (Milakov and Gimelshein, "Online normalizer
// calculation for softmax", 2018; Dao et al., "FlashAttention", 2022). So a
// block of columns may be done with before the next one. Whether a group allows
// that is found here; FuseColumnBlocks.cpp does it.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_ANALYSIS_ONLINESOFTMAX_H
#define EIN_PASSES_ANALYSIS_ONLINESOFTMAX_H

#include "mlir/IR/BuiltinAttributes.h"
#include "passes/analysis/RowColumns.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace ein {

class OnlineSoftmax : public RowColumns {
public:
  /// None if something along the columns is neither the maximum nor a sum of
  /// multiples of exp(x - maximum), where x is what the maximum is of; or if
  /// the program asks for sums in their order.
  static std::optional<OnlineSoftmax> find(const FusionGroup &group);

  /// The maximum of a row.
  mlir::linalg::GenericOp getTop() const { return top; }
  /// What is combined along columns and known behind the last one: the maximum
  /// and the sums, the product among them, in their order.
  llvm::ArrayRef<mlir::linalg::LinalgOp> getAccumulators() const {
    return accumulators;
  }

  /// Ops without columns that need none of the accumulators.
  bool isBefore(mlir::Operation *op) const { return before.contains(op); }
  /// Ops with columns.
  bool isInside(mlir::Operation *op) const { return getColumns(op) >= 0; }

private:
  friend class OnlineFinder;

  mlir::linalg::GenericOp top;
  llvm::SmallVector<mlir::linalg::LinalgOp> accumulators;
  llvm::SmallPtrSet<mlir::Operation *, 8> before;
};

} // namespace ein

#endif // EIN_PASSES_ANALYSIS_ONLINESOFTMAX_H
