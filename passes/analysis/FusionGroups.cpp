//===- FusionGroups.cpp - Ops that work on the same rows
//---------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/FusionGroups.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "passes/analysis/DimRoles.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace ein {

std::optional<SmallVector<int64_t>> getRowAxes(AffineMap map,
                                               ArrayRef<int64_t> dims) {
  SmallVector<int64_t> axes;
  for (int64_t dim : dims) {
    axes.push_back(-1);
    for (auto [axis, expr] : llvm::enumerate(map.getResults())) {
      if (!expr.isFunctionOfDim(dim))
        continue;
      if (!isa<AffineDimExpr>(expr) || axes.back() >= 0)
        return std::nullopt;
      axes.back() = axis;
    }
  }
  return axes;
}

linalg::LinalgOp getMember(Value value, const FusionGroup &group) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  return op && group.contains(op) ? op : linalg::LinalgOp();
}

linalg::FillOp getStart(linalg::LinalgOp op) {
  return op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
}

Value getDestination(linalg::LinalgOp op) {
  linalg::FillOp fill = getStart(op);
  return fill ? fill.getOutputs()[0] : op.getDpsInits()[0];
}

bool isReadOutside(linalg::LinalgOp op, const FusionGroup &group) {
  return llvm::any_of(op->getUsers(),
                      [&](Operation *user) { return !group.contains(user); });
}

bool isNew(linalg::LinalgOp op) {
  return getDestination(op).getDefiningOp<tensor::EmptyOp>() != nullptr;
}

bool readsInBody(linalg::LinalgOp op, const FusionGroup &group) {
  auto readsMember = [&](Operation *inner) {
    return llvm::any_of(inner->getOperands(), [&](Value value) {
      return getMember(value, group) != nullptr;
    });
  };
  return op->getRegion(0)
      .walk([&](Operation *inner) {
        return readsMember(inner) ? WalkResult::interrupt()
                                  : WalkResult::advance();
      })
      .wasInterrupted();
}

bool combinesRows(linalg::LinalgOp op, ArrayRef<int64_t> dims) {
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  return llvm::any_of(dims, [&](int64_t dim) {
    return iterators[dim] == utils::IteratorType::reduction;
  });
}

FailureOr<RowInfo> matchRows(linalg::LinalgOp op, ArrayRef<int64_t> dims,
                             DeclineFn onDecline) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if ((!generic && !isa<linalg::ContractOp>(op.getOperation())) ||
      (generic && generic.getLibraryCall()))
    return decline(onDecline, "it is neither a contraction nor a generic");
  if (!op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
      op.getNumDpsInits() != 1)
    return decline(onDecline, "it has not one result");
  if (llvm::any_of(dims, [&](int64_t dim) {
        return dim < 0 || dim >= int64_t(op.getNumLoops());
      }))
    return decline(onDecline, "it has not as many dims as the rows");
  bool areCombined = combinesRows(op, dims);
  // Sums go on from block to block of one dim.
  if (areCombined && dims.size() != 1)
    return decline(onDecline, "a dim of the rows is not parallel");
  RowInfo info;
  for (AffineMap map : op.getIndexingMapsArray()) {
    std::optional<SmallVector<int64_t>> axes = getRowAxes(map, dims);
    if (!axes)
      return decline(onDecline, "a row is not at a lone index");
    info.axes.push_back(std::move(*axes));
  }
  // The result's map is the last one.
  if (!getInitMap(op).isProjectedPermutation() ||
      (!areCombined && llvm::is_contained(info.axes.back(), -1)))
    return decline(onDecline, "its result does not have the rows");
  return info;
}

/// Whether all that the ops read of each other is of the row that they are at,
/// and known there.
static bool areAligned(const FusionGroup &group,
                       const llvm::DenseMap<Operation *, RowInfo> &rows) {
  for (auto &[operation, dims] : group) {
    auto op = cast<linalg::LinalgOp>(operation);
    if (readsInBody(op, group))
      return false;
    ArrayRef<SmallVector<int64_t>> axes = rows.at(operation).axes;
    for (OpOperand &operand : op->getOpOperands()) {
      auto producer = operand.get().getDefiningOp<linalg::LinalgOp>();
      const auto *it = producer ? group.find(producer) : group.end();
      if (it != group.end() &&
          (axes[operand.getOperandNumber()] != rows.at(producer).axes.back() ||
           combinesRows(producer, it->second)))
        return false;
    }
  }
  return true;
}

/// Whether something between the ops needs what they compute, and gives them
/// what they need.
static bool isInterrupted(const FusionGroup &group) {
  Operation *last = group.back().first;
  llvm::SmallPtrSet<Operation *, 16> later;
  for (Operation *op = group.front().first; op; op = op->getNextNode()) {
    bool depends = false;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *source = operand.getDefiningOp()) {
          Operation *ancestor = op->getBlock()->findAncestorOpInBlock(*source);
          depends |= ancestor && ancestor != op &&
                     (later.contains(ancestor) ||
                      (!group.contains(op) && group.contains(ancestor)));
        }
    });
    if (depends && group.contains(op))
      return true;
    if (depends)
      later.insert(op);
    if (op == last)
      return false;
  }
  return true;
}

LogicalResult matchGroup(const FusionGroup &group, DeclineFn onDecline) {
  if (group.empty())
    return decline(onDecline, "there are none");
  llvm::DenseMap<Operation *, RowInfo> rows;
  size_t numRows = group.front().second.size();
  for (auto &[operation, dims] : group) {
    auto op = dyn_cast<linalg::LinalgOp>(operation);
    if (!op || dims.size() != numRows || numRows == 0 ||
        operation->getBlock() != group.front().first->getBlock())
      return decline(
          onDecline,
          "they are not all structured ops in one place, with as many dims "
          "of rows each");
    FailureOr<RowInfo> info = matchRows(op, dims, onDecline);
    if (failed(info))
      return failure();
    rows.insert({op, std::move(*info)});
  }
  if (!areAligned(group, rows))
    return decline(
        onDecline,
        "one reads other rows of what another computes than its own");
  if (isInterrupted(group))
    return decline(onDecline, "another op is between them");
  for (auto &[operation, dims] : group) {
    auto op = cast<linalg::LinalgOp>(operation);
    Value init = op.getDpsInits()[0];
    auto previous = init.getDefiningOp<linalg::LinalgOp>();
    // What is updated is given up by the one that computed it.
    if (previous && group.contains(previous)) {
      Operation *last = operation;
      if (!llvm::all_of(init.getUsers(), [&](Operation *user) {
            return user == last ||
                   (group.contains(user) && user->isBeforeInBlock(last));
          }))
        return decline(onDecline, "what one updates is read by others");
      continue;
    }
    // What is read of new memory is its fill.
    bool isRead = op.payloadUsesValueFromOperand(op.getDpsInitOperand(0));
    if (!isReadOutside(op, group) && isRead && !getStart(op) &&
        op.getNumReductionLoops() != 0)
      return decline(onDecline, "a temporary starts from what is elsewhere");
  }
  return success();
}

} // namespace ein
