//===- Target.h - The left side of a statement ------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: the statement, and later the form that has subscripts. Comes out:
// the tensor that is written, a new one or one that is there, and the index of
// each of its dims.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_TARGET_H
#define EIN_FRONTEND_CHECK_TARGET_H

#include "frontend/check/IndexTable.h"
#include "frontend/check/StatementContext.h"

namespace ein {

/// What is written, if it is a tensor.
struct ResolvedTarget {
  /// Invalid if nothing can have that name.
  TensorId id;
  /// Nothing is wrong with it.
  bool isSound = false;
};

/// The left side once its subscripts are known.
struct CheckedTarget {
  TensorId id;
  /// Whether its shape was known before the statement.
  bool hadShape = false;
  /// One subscript per dim.
  AccessSite site;
  std::vector<IndexId> indices;
  /// Of subscripts that are constants.
  llvm::SmallVector<IndexId, 2> constants;
  /// Each point writes where its subscripts say: `h(x(i))`, `C(i + j)`. There
  /// are no `indices` then, and `site.computedDims` are for the right side's
  /// checker.
  bool isScatter = false;
  /// The right side reads what the statement writes, of which nothing has been
  /// written before: see Order.h.
  bool isRecurrence = false;
};

/// Finds or declares what is written, and no more.
ResolvedTarget resolveTarget(const StatementContext &context);
/// A new name on the left; its type and shape may be written beside it.
ResolvedTarget declareTemporary(const StatementContext &context);
/// Nobody is to hear of it again.
void breakTarget(DefScope &scope, TensorId id);

/// `comprehension`: the statement when all notations are gone.
/// `isRecurrence`: see CheckedTarget.
llvm::FailureOr<CheckedTarget> checkTarget(const StatementContext &context,
                                           TensorId id,
                                           const ast::Statement &comprehension,
                                           IndexTable &table,
                                           bool isRecurrence);

/// Whether it is a name that means an index on the left, and no scalar or size.
bool isTargetIndex(const DefScope &scope, const ast::Expr &subscript);
/// `corr(i, i) = 1` after `corr(i, j) = …` writes the zeros of a diagonal.
void warnOfDiagonal(const StatementContext &context, TensorId id);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_TARGET_H
