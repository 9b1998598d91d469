//===- Symmetry.cpp - Products with symmetric results ---------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/Symmetry.h"

using namespace mlir;

namespace ein {

bool isSymmetric(linalg::LinalgOp op, int64_t m, int64_t n) {
  if (op.getDpsInputs()[0] != op.getDpsInputs()[1] ||
      !op.getDpsInits()[0].getDefiningOp<linalg::FillOp>())
    return false;
  // With m and n exchanged, the first factor is read where the second one is.
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<AffineExpr> exchanged;
  for (int64_t dim = 0, e = op.getNumLoops(); dim < e; ++dim)
    exchanged.push_back(getAffineDimExpr(dim == m   ? n
                                         : dim == n ? m
                                                    : dim,
                                         op.getContext()));
  return maps[0].replaceDimsAndSymbols(exchanged, {}, op.getNumLoops(), 0) ==
         maps[1];
}

} // namespace ein
