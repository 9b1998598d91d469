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
// computed, and the other half copied, which is priced as all else is.
//
//===----------------------------------------------------------------------===//

#include "passes/select/SelectSymmetric.h"
#include "passes/analysis/Symmetry.h"

using namespace mlir;

namespace ein {

Symmetric findSymmetric(linalg::LinalgOp op, const Schedule &schedule,
                        StringRef packing) {
  if (!isSymmetric(op, schedule.m, schedule.n))
    return Symmetric::Never;
  return packing == "always" || packing == "rows" ? Symmetric::Always
                                                  : Symmetric::Either;
}

} // namespace ein
