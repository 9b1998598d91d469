//===- Order.h - Statements whose points have an order ----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: a statement whose ranges are known. Comes out: whether its points
// are taken one after the other, which elements they write then, and in which
// direction the indices run. That is so of
//
//  * scatters, whose left side is no slice;
//  * recurrences, which read what they write. Nothing of their target has been
//    written before, or the elements that they start from alone.
//
// Any other statement that reads its target reads what was there before it.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_ORDER_H
#define EIN_FRONTEND_CHECK_ORDER_H

#include "frontend/check/Expr.h"

namespace ein {

/// Whether the statement is a recurrence on a target that is new, which has a
/// type from then on.
bool isRecurrence(const StatementContext &context, TensorId id,
                  const ast::Statement &comprehension);
llvm::LogicalResult decideRecurrenceType(const StatementContext &context,
                                         TensorId id,
                                         const ast::Statement &comprehension);

llvm::LogicalResult decideOrder(const StatementContext &context,
                                Statement &statement,
                                const CheckedTarget &target,
                                const CheckedExpr &expr);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_ORDER_H
