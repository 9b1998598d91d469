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
#include "passes/analysis/WindowAnalysis.h"

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

std::optional<int64_t> getSquareDim(linalg::LinalgOp op, int64_t row) {
  int64_t group = getLastDim(op.getIndexingMapsArray().back());
  int64_t column = -1;
  for (OpOperand *input : getReadInputs(op)) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (getStepAlong(map, row))
      continue;
    std::optional<SmallVector<LinearSubscript>> subscripts =
        getLinearSubscripts(map);
    if (!subscripts)
      return std::nullopt;
    ArrayRef<int64_t> last = subscripts->back().coefficients;
    int64_t dim = -1;
    for (auto [other, coefficient] : llvm::enumerate(last))
      if (coefficient > 0 && int64_t(other) != group &&
          (dim < 0 || coefficient < last[dim]))
        dim = int64_t(other);
    bool isGroup = row == group || last[group] == 1;
    if (dim < 0 || !isGroup || (column >= 0 && column != dim))
      return std::nullopt;
    column = dim;
  }
  return column;
}

} // namespace ein
