//===- FusionGroups.h - Ops that work on the same rows -------------*- C++
//-*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Softmax, a normalisation: several ops of which each works row by row, on rows
// that are the same for all of them. What a row is, is said by dims: each op
// has a loop for each of them. Where one op reads what another writes, it reads
// the row that it works on. So all ops may be done for one row before the next.
// An op may also combine the rows, as a sum does; what it makes is known behind
// the last one.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_ANALYSIS_FUSIONGROUPS_H
#define EIN_PASSES_ANALYSIS_FUSIONGROUPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "passes/analysis/Decline.h"
#include "llvm/ADT/MapVector.h"

namespace ein {

/// The ops of a group, in their order, and the loops of each that go over rows,
/// from the outermost inwards.
using FusionGroup =
    llvm::MapVector<mlir::Operation *, llvm::SmallVector<int64_t>>;

/// The axes of an operand along which rows lie, -1 for dims that it does not
/// have; none if one of the dims is part of a subscript.
std::optional<llvm::SmallVector<int64_t>>
getRowAxes(mlir::AffineMap map, llvm::ArrayRef<int64_t> dims);

/// The op of the group that computes a value; null if none does.
mlir::linalg::LinalgOp getMember(mlir::Value value, const FusionGroup &group);

/// What `op` writes to, behind a fill that is for it alone: that is done anew
/// for each row.
mlir::Value getDestination(mlir::linalg::LinalgOp op);
mlir::linalg::FillOp getStart(mlir::linalg::LinalgOp op);

/// Whether something else than the ops of the group reads the result.
bool isReadOutside(mlir::linalg::LinalgOp op, const FusionGroup &group);

/// Whether the destination of `op` is memory that nothing has been written to.
bool isNew(mlir::linalg::LinalgOp op);

/// Whether the body of `op` takes elements, at subscripts of its own, of what
/// an op of the group computes: they may be of any row.
bool readsInBody(mlir::linalg::LinalgOp op, const FusionGroup &group);

/// Whether `op` combines all rows, and so is read by none of the group.
bool combinesRows(mlir::linalg::LinalgOp op, llvm::ArrayRef<int64_t> dims);

/// What `matchRows` finds out: per operand, the axes along which rows lie, as
/// `getRowAxes` has them.
struct RowInfo {
  llvm::SmallVector<llvm::SmallVector<int64_t>> axes;
};

/// Whether `op` can be done row by row.
mlir::FailureOr<RowInfo> matchRows(mlir::linalg::LinalgOp op,
                                   llvm::ArrayRef<int64_t> dims,
                                   DeclineFn onDecline = nullptr);

/// Whether the ops can become one loop.
mlir::LogicalResult matchGroup(const FusionGroup &group,
                               DeclineFn onDecline = nullptr);

} // namespace ein

#endif // EIN_PASSES_ANALYSIS_FUSIONGROUPS_H
