//===- RowColumns.h - What the columns of a group's rows are ----*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attention: rows of scores become weights, and these are multiplied by a
// matrix. The columns of the rows are what that product sums over, and each op
// of the group has one loop over them, or none.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_PASSES_ANALYSIS_ROWCOLUMNS_H
#define EIN_PASSES_ANALYSIS_ROWCOLUMNS_H

#include "passes/analysis/FusionGroups.h"

namespace ein {

class RowColumns {
public:
  /// None if the group does not end in such a product of floats, or has columns
  /// at other places than a lone index.
  static std::optional<RowColumns> find(const FusionGroup &group);

  /// The loop of an op over columns, -1 if it has none.
  int64_t getColumns(mlir::Operation *op) const {
    auto found = columns.find(op);
    return found == columns.end() ? -1 : found->second;
  }
  /// The axis of an operand along columns, -1 if it has none.
  int64_t getAxis(mlir::OpOperand &operand) const;

  /// The product that the weights are a factor of, and which factor they are.
  mlir::linalg::LinalgOp getProduct() const { return product; }
  unsigned getWeights() const { return weights; }

protected:
  RowColumns() = default;

  mlir::linalg::LinalgOp product;
  unsigned weights = 0;
  llvm::DenseMap<mlir::Operation *, int64_t> columns;

private:
  bool findProduct(const FusionGroup &group);
  bool findColumns(const FusionGroup &group);
};

/// The operand that an argument of a body is an element of; null for others.
mlir::OpOperand *getOperand(mlir::linalg::LinalgOp op, mlir::Value value);

} // namespace ein

#endif // EIN_PASSES_ANALYSIS_ROWCOLUMNS_H
