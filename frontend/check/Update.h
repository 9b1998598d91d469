//===- Update.h - What a statement does to its target -----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: both sides of a statement. Comes out: whether the points of the
// right side are assigned or taken in, and what from. `=` sums a product over
// what is not on the left; anything else that it would have to sum is a
// mistake.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_UPDATE_H
#define EIN_FRONTEND_CHECK_UPDATE_H

#include "frontend/check/Expr.h"

namespace ein {

struct Update {
  UpdateKind kind = UpdateKind::Assign;
  /// The target starts from the identity of it.
  bool fromIdentity = false;
};

llvm::FailureOr<Update> checkUpdate(const StatementContext &context,
                                    const ast::Statement &comprehension,
                                    const CheckedTarget &target,
                                    const CheckedExpr &expr,
                                    const IndexTable &table);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_UPDATE_H
