//===- SplitPadding.h - What reductions pad is padded before ----*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: a statement whose ranges are known. Comes out: the same with the
// elements that `pad` gives a reduction in a temporary, which a statement
// before it writes, and with checks that `clamp` has an element to read.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_SPLITPADDING_H
#define EIN_FRONTEND_CHECK_SPLITPADDING_H

#include "frontend/check/StatementContext.h"

namespace ein {

void splitPadding(const StatementContext &context, const Statement &statement);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_SPLITPADDING_H
