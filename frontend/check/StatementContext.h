//===- StatementContext.h - What the steps of a statement share -*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps of the check of one statement get this: what names mean and where
// mistakes are reported, and the statement as it is written. A step takes what
// the steps before it found as structs, and returns what it finds as another. A
// step that is a class has the context as its base.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_STATEMENTCONTEXT_H
#define EIN_FRONTEND_CHECK_STATEMENTCONTEXT_H

#include "frontend/check/Scope.h"

namespace ein {

struct StatementContext {
  StatementContext(DefScope &scope, const ast::Statement &source,
                   bool isPartOfEinsum = false)
      : scope(scope), diags(scope.diags), source(source),
        isPartOfEinsum(isPartOfEinsum) {}

  DefScope &scope;
  DiagnosticEngine &diags;
  const ast::Statement &source;
  /// Made of an einsum, so that places are inside its string.
  bool isPartOfEinsum;
};

} // namespace ein

#endif // EIN_FRONTEND_CHECK_STATEMENTCONTEXT_H
