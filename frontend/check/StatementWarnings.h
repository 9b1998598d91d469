//===- StatementWarnings.h - What is allowed and seldom meant ---*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: what has been found out of a statement. Comes out: warnings, and
// nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_STATEMENTWARNINGS_H
#define EIN_FRONTEND_CHECK_STATEMENTWARNINGS_H

#include "frontend/check/Expr.h"

namespace ein {

/// Indices that may be others with a letter wrong, and ranges that no index
/// has.
void warnOfNames(const StatementContext &context,
                 const ast::Statement &comprehension,
                 const CheckedTarget &target, const IndexTable &table);
/// `last = A(N - 1)`, where nothing says that `N` is a size.
void warnOfSizesAsIndices(const StatementContext &context,
                          const CheckedExpr &expr, const IndexTable &table);
/// A sum of truth values is whether any holds.
void warnOfBoolSum(const StatementContext &context, UpdateKind update,
                   ElementType type, ExprId value, SourceRange range);
/// Types, ranges and the update are known; reductions are still in place.
void warnOfReadings(const StatementContext &context, const Statement &statement,
                    const CheckedTarget &target, const CheckedExpr &expr,
                    const IndexTable &table);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_STATEMENTWARNINGS_H
