//===- SliceNest.h - Loops over the slices of a product --------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_DISTRIBUTE_SLICENEST_H
#define EIN_PASSES_DISTRIBUTE_SLICENEST_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/distribute/Extents.h"

namespace ein {

/// Where a slice of a tensor is: by dim the loop whose slices it is cut in,
/// none where it is whole.
using SlicedDims = llvm::SmallVector<std::optional<unsigned>>;

/// Loops that `ein-order-contractions` makes for `max-temp`: each goes through
/// the slices of a label, and what they compute is added to one result, or is a
/// slice of it.
struct SliceNest {
  llvm::SmallVector<mlir::scf::ForOp> loops; // outermost first
  llvm::SmallVector<int64_t> sizes;          // of a slice
  llvm::SmallVector<mlir::AffineExpr> extents;
  /// What is read from outside, in slices or as a whole.
  llvm::SmallVector<std::pair<mlir::Value, SlicedDims>> inputs;
  /// Of the result.
  SlicedDims result;
  mlir::Value init;

  /// A label of the result by which ranks can share a slice: its extent, null
  /// if there is none, and the dims of tensors, in the loops and around them,
  /// that have it.
  mlir::AffineExpr innerExtent;
  llvm::DenseSet<std::pair<mlir::Value, int64_t>> innerDims;
  bool isInner(mlir::Value tensor, int64_t dim) const {
    return innerDims.contains({tensor, dim});
  }
  void dropInner() {
    innerExtent = nullptr;
    innerDims.clear();
  }
};

/// Finds the label by which ranks can share a slice.
void findInnerLabel(SliceNest &nest, const Extents &extents);

/// None if the loop is anything else.
std::optional<SliceNest> matchSliceNest(mlir::scf::ForOp outermost,
                                        const Extents &extents);

} // namespace ein

#endif // EIN_PASSES_DISTRIBUTE_SLICENEST_H
