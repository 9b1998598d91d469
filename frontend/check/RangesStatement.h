//===- RangesStatement.h - The ranges of a statement ------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: a statement with its indices and where they stand. Comes out: the
// extent of each, and every access inside of its tensor, now or by a check when
// the code runs. An index that is found not to start at 0 becomes one that
// does: in the subscripts of the statement, of `target` and of `expr`, and in
// `table`.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_RANGESSTATEMENT_H
#define EIN_FRONTEND_CHECK_RANGESSTATEMENT_H

#include "frontend/check/Expr.h"

namespace ein {

llvm::LogicalResult checkRanges(const StatementContext &context,
                                Statement &statement, CheckedTarget &target,
                                CheckedExpr &expr, IndexTable &table);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_RANGESSTATEMENT_H
