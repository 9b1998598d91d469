//===- VectorizeGroups.h - Register tiles of groups of k --------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of `ein-vectorize` that makes one step of a register tile whose
// operands are packed in groups of k (`Schedule::kPack`).
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_VECTOR_VECTORIZEGROUPS_H
#define EIN_PASSES_VECTOR_VECTORIZEGROUPS_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "passes/analysis/TileProduct.h"
#include "passes/schedule/ScheduledOps.h"

namespace ein {

class GroupedTile {
public:
  GroupedTile(mlir::ImplicitLocOpBuilder &b, mlir::linalg::LinalgOp op,
              const TileProduct &product, const Schedule &schedule);

  /// What the loop over groups carries, for a tile [mr, nr].
  mlir::Value toSums(mlir::Value tile);
  /// How many groups are whole.
  mlir::Value getDepth();
  /// The sums after the group `k`.
  mlir::Value multiply(mlir::Value k, mlir::Value sums);
  /// The sums after what is left of rows that do not end with a group.
  mlir::Value multiplyRest(mlir::Value sums);
  mlir::Value toTile(mlir::Value sums);

private:
  bool hasBlocks() const { return schedule.dotRows == 2; }
  mlir::Value read(mlir::Value panel, mlir::Value k);
  mlir::Value readRows(mlir::Value k, bool isWhole = true);
  mlir::Value move(mlir::Value numbers);
  mlir::Value create(mlir::Value left, mlir::Value right, mlir::Value sums);
  mlir::Value createColumnSums();

  mlir::ImplicitLocOpBuilder &b;
  mlir::Value lhs, rhs;
  TileProduct product;
  const Schedule &schedule;
  /// Rows of A that may end within a group, [m, k]; null if they do not.
  mlir::Value matrix;
  /// Whether A is no panel, but rows of groups, [m, k, group], and whether its
  /// numbers are moved as they are read.
  bool isInPlace, isMoved;
};

} // namespace ein

#endif // EIN_PASSES_VECTOR_VECTORIZEGROUPS_H
