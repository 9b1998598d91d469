//===- ExprGather.h - Expressions: gathers ----------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: an access with a subscript that is computed, or one inside of `pad`
// or `clamp`. Comes out: the node that looks where it reads.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_EXPRGATHER_H
#define EIN_FRONTEND_CHECK_EXPRGATHER_H

#include "frontend/check/ExprBuilder.h"

namespace ein {

/// A subscript of a gather: linear if it can be, else computed.
llvm::FailureOr<ExprId> lowerPlace(ExprBuilder &builder, ExprLowerer &lowerer,
                                   const ast::Expr &subscript);

llvm::FailureOr<ExprId> lowerGather(ExprBuilder &builder, ExprLowerer &lowerer,
                                    TensorId id, const ast::Expr &expr,
                                    Outside outside);
/// `pad(access, value)` or `clamp(access)`.
llvm::FailureOr<ExprId> lowerOutside(ExprBuilder &builder, ExprLowerer &lowerer,
                                     const ast::Expr &expr, Outside outside);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_EXPRGATHER_H
