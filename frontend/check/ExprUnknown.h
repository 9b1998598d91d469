//===- ExprUnknown.h - Expressions: unknown names ---------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: a name that means nothing where it stands. Comes out: a mistake that
// says what to write.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_EXPRUNKNOWN_H
#define EIN_FRONTEND_CHECK_EXPRUNKNOWN_H

#include "frontend/check/IndexTable.h"
#include "frontend/check/StatementContext.h"

namespace ein {

/// `table`: what else could have been meant.
llvm::LogicalResult reportUnknown(const DefScope &scope, const ast::Expr &expr,
                                  const IndexTable &table = {});
/// `C(i, j) = matmul(A, B)` has its subscripts too many.
llvm::LogicalResult reportCallInExpression(const StatementContext &context,
                                           const ast::Expr &expr);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_EXPRUNKNOWN_H
