//===- ExprAccess.h - Expressions: accesses of tensors ----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: `A(i, j)`. Comes out: the node that reads an element, or the mistake
// that is in it. Where a tensor is read is noted for the ranges.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_EXPRACCESS_H
#define EIN_FRONTEND_CHECK_EXPRACCESS_H

#include "frontend/check/ExprBuilder.h"

namespace ein {

/// Whether the tensor has been written and is of a known shape.
llvm::LogicalResult checkReadable(DefScope &scope, TensorId id,
                                  const ast::Expr &expr);
/// `rank` subscripts are not what the tensor has.
llvm::LogicalResult reportRank(const DefScope &scope, TensorId id,
                               SourceRange range, bool hasSubscripts,
                               size_t rank);

/// `A(i, j)`, or the name of something without dims.
llvm::FailureOr<ExprId> lowerAccess(ExprBuilder &builder, ExprLowerer &lowerer,
                                    TensorId id, const ast::Expr &expr);
/// An access all of whose subscripts are linear.
llvm::FailureOr<AccessSite> lowerSite(ExprBuilder &builder, TensorId id,
                                      const ast::Expr &access,
                                      llvm::StringRef what = "subscript");
/// An index on the left, a size, or else an index that is reduced over.
llvm::FailureOr<Affine> resolveSubscriptName(ExprBuilder &builder,
                                             const ast::Expr &name);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_EXPRACCESS_H
