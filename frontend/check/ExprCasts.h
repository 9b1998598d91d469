//===- ExprCasts.h - Expressions: casts -------------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: a call that has its operand read in another type. Comes out: the
// node that converts, with the operand in a type of its own.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_EXPRCASTS_H
#define EIN_FRONTEND_CHECK_EXPRCASTS_H

#include "frontend/check/ExprBuilder.h"

namespace ein {

/// `f32(x)` and `cast<f32>(x)`.
llvm::FailureOr<ExprId> lowerCast(ExprBuilder &builder, ExprLowerer &lowerer,
                                  const ast::Expr &expr,
                                  const ast::Name &typeName, bool isUnsigned);
/// ods-gen's `std_extf(x)`, which has no word for the type. A target without a
/// type has that of what it is given.
llvm::FailureOr<ExprId> lowerTargetCast(ExprBuilder &builder,
                                        ExprLowerer &lowerer,
                                        const ast::Expr &expr, bool isUnsigned);
/// `max_unsigned`, `min_unsigned` and `div_unsigned`, which take the bits of
/// signed integers for those of unsigned ones. OpDSL needs them, having no
/// signs in its types.
llvm::FailureOr<ExprId> lowerUnsigned(ExprBuilder &builder,
                                      ExprLowerer &lowerer,
                                      const ast::Expr &expr,
                                      llvm::StringRef name, BinaryFn function);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_EXPRCASTS_H
