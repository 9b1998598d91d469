//===- ExprRecurrence.h - Expressions: what a statement writes --*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: `y(i - 1)` in a statement that writes `y`, of which nothing has been
// written before. Comes out: the node that reads it, as if it were padded: with
// 0 where no `pad` says something else. Order.h has what becomes of that when
// ranges are known.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_EXPRRECURRENCE_H
#define EIN_FRONTEND_CHECK_EXPRRECURRENCE_H

#include "frontend/check/ExprBuilder.h"

namespace ein {

/// Whether the tensor is what a recurrence writes.
bool isSelfRead(const ExprBuilder &builder, TensorId id);
/// `access` alone, or in the call `source` of `pad` or `clamp`.
llvm::FailureOr<ExprId> lowerSelfRead(ExprBuilder &builder,
                                      ExprLowerer &lowerer,
                                      const ast::Expr &access,
                                      const ast::Expr &source, Outside outside);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_EXPRRECURRENCE_H
