//===- Transposition.cpp - Ops that transpose what they read --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/Transposition.h"
#include "passes/analysis/DimRoles.h"
#include "passes/analysis/Epilogue.h"

using namespace mlir;

namespace ein {

std::optional<TransposeDims> getTransposeDims(linalg::LinalgOp op) {
  AffineMap output = op.getIndexingMapsArray().back();
  if (op.getNumDpsInits() != 1 || op.getNumReductionLoops() != 0 ||
      op.getNumLoops() == 0 || !output.isPermutation())
    return std::nullopt;
  TransposeDims dims = {getLastDim(output), -1};
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (isContiguousAlong(map, dims.row))
      continue;
    if (!map.isProjectedPermutation())
      return std::nullopt;
    int64_t last = getLastDim(map);
    if (dims.column >= 0 && dims.column != last)
      return std::nullopt;
    dims.column = last;
  }
  return dims;
}

} // namespace ein
