//===- RewriteEinsum.h - Rewrites: einsum strings ---------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: a statement that is a call of einsum. Comes out: the comprehension
// that it means, or a checked statement where it only reshapes.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_REWRITEEINSUM_H
#define EIN_FRONTEND_CHECK_REWRITEEINSUM_H

#include "frontend/check/EinsumCall.h"
#include "frontend/check/StatementContext.h"

namespace ein {

/// One of the two.
struct RewrittenEinsum {
  std::optional<ast::Statement> comprehension;
  std::optional<Statement> complete;
};

bool isEinsum(const StatementContext &context);
/// `target` is what the statement writes.
llvm::FailureOr<RewrittenEinsum> rewriteEinsum(const StatementContext &context,
                                               TensorId target);
/// linalg's `contract` is an einsum of two.
llvm::FailureOr<NamedOp> nameContract(const StatementContext &context);
/// What the call means; no dim is of several labels.
ast::Statement makeComprehension(const StatementContext &context,
                                 const EinsumCall &call);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_REWRITEEINSUM_H
