//===- Statement.h - The story of one statement -----------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: a statement as it was parsed. Comes out: the checked statement,
// appended to the def after those that it needs before it, or mistakes.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_STATEMENT_H
#define EIN_FRONTEND_CHECK_STATEMENT_H

#include "frontend/check/Scope.h"

namespace ein {

/// `isPartOfEinsum`: it is made of an einsum, so that places are inside its
/// string.
void checkStatement(DefScope &scope, const ast::Statement &source,
                    bool isPartOfEinsum = false);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_STATEMENT_H
