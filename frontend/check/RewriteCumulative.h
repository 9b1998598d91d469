//===- RewriteCumulative.h - Cumulative sums --------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: a comprehension. Comes out: the same, where `cumsum<i>(x(i, j))` is
// an element of a temporary that a recurrence along `i` writes before; or that
// recurrence itself, if it is all of the right side.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_REWRITECUMULATIVE_H
#define EIN_FRONTEND_CHECK_REWRITECUMULATIVE_H

#include "frontend/check/StatementContext.h"

namespace ein {

bool hasCumulative(const ast::Statement &comprehension);
llvm::FailureOr<ast::Statement>
rewriteCumulative(const StatementContext &context, TensorId target,
                  const ast::Statement &comprehension);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_REWRITECUMULATIVE_H
