//===- ExprPlaces.h - Expressions: computed subscripts ----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: a subscript. Comes out: whether it is linear in indices and sizes,
// and whether what is computed in it is surely inside.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_EXPRPLACES_H
#define EIN_FRONTEND_CHECK_EXPRPLACES_H

#include "frontend/check/IndexTable.h"
#include "frontend/check/Scope.h"

namespace ein {

/// Whether a subscript is linear, or there is an access, a function or the like
/// in it. What is wrong is for those to say that lower it.
bool isComputed(const DefScope &scope, const IndexTable &table,
                const ast::Expr &subscript);

/// dividend / divisor, of what is never negative by a positive constant.
struct QuotientPlace {
  Affine dividend;
  int64_t divisor;
};
std::optional<QuotientPlace> getQuotient(const Def &def, ExprId place);

/// An integer that is the same at all points and for all sizes.
std::optional<int64_t> getConstant(const Expr &expr);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_EXPRPLACES_H
