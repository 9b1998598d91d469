//===- SelectSymmetric.cpp - Products that are symmetric ------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `C(i, j) +=! A(i, k) * A(j, k)` is symmetric: a product is the same whichever
// factor comes first, and both sums go along k in one order. Half of C is
// computed; to move an element of the other half costs about as much as some
// tens of multiply-adds.
//
//===----------------------------------------------------------------------===//

#include "passes/select/SelectSymmetric.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/analysis/Symmetry.h"

using namespace mlir;

namespace ein {

/// A square is some register tiles wide, and one of f64 fits L1 twice over.
static constexpr int64_t kSquare = 64;

int64_t selectSymmetric(linalg::LinalgOp op, const Schedule &schedule,
                        StringRef packing) {
  if (!isSymmetric(op, schedule.m, schedule.n))
    return 0;
  if (packing == "always" || packing == "rows")
    return kSquare;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  auto isLess = [&](int64_t dim, int64_t least) {
    return !ShapedType::isDynamic(sizes[dim]) && sizes[dim] < least;
  };
  return isLess(schedule.m, kLeastSymmetricRows) ||
                 isLess(schedule.n, kLeastSymmetricRows) ||
                 isLess(schedule.k, kLeastSymmetricDepth)
             ? 0
             : kSquare;
}

} // namespace ein
