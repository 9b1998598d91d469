//===- ExprReduce.h - Expressions: reductions -------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: `sum<k>(x)`. Comes out: the access of a temporary, and the reduction
// that writes it, noted in the result. One that is all of the right side is the
// statement's update instead.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_EXPRREDUCE_H
#define EIN_FRONTEND_CHECK_EXPRREDUCE_H

#include "frontend/check/ExprBuilder.h"

namespace ein {

llvm::FailureOr<ExprId> lowerReduction(ExprBuilder &builder,
                                       ExprLowerer &lowerer,
                                       const ast::Expr &expr);

/// The reducer that is the statement's update, if its right side is one; null
/// if `value` is a temporary, or no reduction.
const Reducer *getWholeReducer(const DefScope &scope, TensorId target,
                               const ast::Statement &comprehension);
llvm::FailureOr<ExprId> lowerWholeReduction(ExprBuilder &builder,
                                            ExprLowerer &lowerer,
                                            const ast::Statement &comprehension,
                                            const Reducer &reducer);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_EXPRREDUCE_H
