//===- RewriteWhole.h - Rewrites: whole tensors -----------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: a statement of whole tensors, `C = A + B`. Comes out: what it says
// of each element.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_REWRITEWHOLE_H
#define EIN_FRONTEND_CHECK_REWRITEWHOLE_H

#include "frontend/check/StatementContext.h"

namespace ein {

/// A tensor with dims by its name alone, or what yields one.
bool isWholeTensor(const DefScope &scope, const ast::Expr &expr);
/// The same, or operators and functions of such.
bool holdsWholeTensor(const DefScope &scope, const ast::Expr &expr);

/// `i`, `j`, …, as examples have them.
std::string makeIndexName(size_t number);

/// Whether the statement is of whole tensors, einsum and calls aside.
bool isOfWholeTensors(const StatementContext &context);
/// `target` is what it writes.
llvm::FailureOr<ast::Statement> rewriteWhole(const StatementContext &context,
                                             TensorId target);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_REWRITEWHOLE_H
