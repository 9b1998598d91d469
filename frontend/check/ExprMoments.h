//===- ExprMoments.h - Expressions: mean, var, std --------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: the lowered operand of `mean<k>(x)`, `var<k>(x)` or `std<k>(x)`.
// Comes out: the sums that it is made of.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_EXPRMOMENTS_H
#define EIN_FRONTEND_CHECK_EXPRMOMENTS_H

#include "frontend/check/ExprBuilder.h"

namespace ein {

/// They divide, and so integers are for the program to convert. `type` is that
/// of what is reduced.
llvm::LogicalResult checkMoment(DiagnosticEngine &diags, const Reducer &reducer,
                                ElementType type, const ast::Expr &expr);
llvm::FailureOr<ExprId> addMoment(ExprBuilder &builder, const ast::Expr &expr,
                                  const Reducer &reducer, ExprId value,
                                  llvm::ArrayRef<IndexId> reduced,
                                  ElementType type);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_EXPRMOMENTS_H
