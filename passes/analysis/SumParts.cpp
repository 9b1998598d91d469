//===- SumParts.cpp - Sums that are sums of parts -------------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/SumParts.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/analysis/Combiner.h"

using namespace mlir;

namespace ein {

FailureOr<SplitInfo> matchSplit(linalg::LinalgOp op, DeclineFn onDecline) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic && !isa<linalg::ContractOp>(op.getOperation()))
    return decline(onDecline, "it is neither a contraction nor a generic");
  if (generic && (generic.getLibraryCall() || generic.hasIndexSemantics()))
    return decline(onDecline, "it calls a library or reads its indices");
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 ||
      !op.getIndexingMapsArray().back().isProjectedPermutation() ||
      !isa<func::FuncOp>(op->getParentOp()))
    return decline(onDecline, "it has not one result, or is in a loop");
  for (AffineMap map : op.getIndexingMapsArray())
    if (!map.isProjectedPermutation())
      return decline(onDecline, "an access is not at lone indices");
  if (llvm::any_of(op.getDpsInputs(), [](Value input) {
        return !isa<RankedTensorType>(input.getType());
      }))
    return decline(onDecline, "an input is a scalar");
  Operation *combiner = getCombiner(op);
  if (!combiner)
    return decline(onDecline, "nothing known is accumulated");
  if (!isInAnyOrder(op, combiner))
    return decline(onDecline, "its values must be combined in their order");
  return SplitInfo{combiner, op.getIndexingMapsArray().back()};
}

} // namespace ein
