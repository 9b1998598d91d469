//===- RewriteWhole.h - Rewrites: whole tensors -----------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is of whole tensors, rather than of their elements.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_REWRITEWHOLE_H
#define EIN_FRONTEND_CHECK_REWRITEWHOLE_H

#include "frontend/check/Scope.h"

namespace ein {

/// A tensor with dims by its name alone, or what yields one.
bool isWholeTensor(const DefScope &scope, const ast::Expr &expr);
/// The same, or operators and functions of such.
bool holdsWholeTensor(const DefScope &scope, const ast::Expr &expr);

/// `i`, `j`, …, as examples have them.
std::string makeIndexName(size_t number);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_REWRITEWHOLE_H
