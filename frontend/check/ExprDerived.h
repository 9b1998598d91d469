//===- ExprDerived.h - Expressions: functions made of others ----*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: a call of a function that is an expression of others. Comes out:
// that expression, with the operands in place of the parameters.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_EXPRDERIVED_H
#define EIN_FRONTEND_CHECK_EXPRDERIVED_H

#include "frontend/check/ExprBuilder.h"

namespace ein {

llvm::FailureOr<ExprId> lowerDerived(ExprBuilder &builder, ExprLowerer &lowerer,
                                     const ast::Expr &expr,
                                     const DerivedFn &function);
/// `rng(min, max, seed)`: a linear congruential generator that takes in one
/// index on the left after the other, as linalg.fill_rng_2d does for two.
llvm::FailureOr<ExprId> lowerRng(ExprBuilder &builder, ExprLowerer &lowerer,
                                 const ast::Expr &expr);
/// The tree of a body, every node of which is at `range`.
ast::ExprPtr parseFunctionBody(llvm::StringRef body, SourceRange range);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_EXPRDERIVED_H
