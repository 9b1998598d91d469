//===- RewriteDiagonal.h - Rewrites: diagonals ------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: a statement with an index on the left twice. Comes out: one that
// copies a temporary into the diagonal; the one that computes it is in the def
// already.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_REWRITEDIAGONAL_H
#define EIN_FRONTEND_CHECK_REWRITEDIAGONAL_H

#include "frontend/check/StatementContext.h"

namespace ein {

/// Whether a name is on the left twice and the right side is more than an
/// access of names on the left. What is wrong with either side is said when it
/// is lowered.
bool isDiagonalToSplit(const DefScope &scope,
                       const ast::Statement &comprehension);
/// Checks the first statement of the two, and returns the second.
llvm::FailureOr<ast::Statement>
splitDiagonal(const StatementContext &context, TensorId target,
              const ast::Statement &comprehension);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_REWRITEDIAGONAL_H
