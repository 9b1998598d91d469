//===- Rewrite.h - From every notation to comprehensions --------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: a statement in any notation. Comes out: the comprehension that it
// means, with an index for each dim; statements that have to come before it are
// in the def already.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_REWRITE_H
#define EIN_FRONTEND_CHECK_REWRITE_H

#include "frontend/check/StatementContext.h"

namespace ein {

struct RewrittenStatement {
  /// What is left to be checked; the source, if nothing was to be rewritten.
  std::optional<ast::Statement> comprehension;
  /// Or else a statement that has been checked.
  std::optional<Statement> complete;
  std::optional<NamedOp> namedOp;

  const ast::Statement &get(const ast::Statement &source) const {
    return comprehension ? *comprehension : source;
  }
};

/// `target` is what the statement writes.
llvm::FailureOr<RewrittenStatement>
rewriteStatement(const StatementContext &context, TensorId target);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_REWRITE_H
