//===- ExprClauses.h - Expressions: what a where adds -----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: the clauses of a comprehension, without definitions. Comes out, in
// the result: conditions, and what has to exist.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_EXPRCLAUSES_H
#define EIN_FRONTEND_CHECK_EXPRCLAUSES_H

#include "frontend/check/ExprBuilder.h"

namespace ein {

llvm::LogicalResult lowerClauses(ExprBuilder &builder, ExprLowerer &lowerer,
                                 const ast::Statement &comprehension);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_EXPRCLAUSES_H
