//===- SplitReductions.h - Reductions become statements ---------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: a statement whose ranges are known, and the reductions inside of it.
// Comes out: a statement for each of them in the def, inner ones first; the one
// that is left reads the temporaries that they write, and has only the indices
// that are its own.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_SPLITREDUCTIONS_H
#define EIN_FRONTEND_CHECK_SPLITREDUCTIONS_H

#include "frontend/check/Expr.h"

namespace ein {

llvm::LogicalResult splitReductions(const StatementContext &context,
                                    const CheckedExpr &expr,
                                    const IndexTable &table,
                                    Statement &statement);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_SPLITREDUCTIONS_H
