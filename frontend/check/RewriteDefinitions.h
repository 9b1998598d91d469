//===- RewriteDefinitions.h - Rewrites: what a where defines ----*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: a statement with clauses `x = expr`. Comes out: the same without
// them, each name replaced by what it is defined as.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_REWRITEDEFINITIONS_H
#define EIN_FRONTEND_CHECK_REWRITEDEFINITIONS_H

#include "frontend/check/Scope.h"

namespace ein {

llvm::FailureOr<ast::Statement>
expandDefinitions(const DefScope &scope, const ast::Statement &comprehension);

/// What a clause gives a meaning to has none yet.
llvm::LogicalResult checkClauseName(const DefScope &scope,
                                    const ast::Name &name);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_REWRITEDEFINITIONS_H
