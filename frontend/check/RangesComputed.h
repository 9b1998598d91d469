//===- RangesComputed.h - What computed subscripts can be -------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: a statement whose ranges are known. Comes out, in the nodes of its
// subscripts: which of them cannot be outside, and which divisions in them
// cannot be by zero.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_RANGESCOMPUTED_H
#define EIN_FRONTEND_CHECK_RANGESCOMPUTED_H

#include "frontend/program/Program.h"

namespace ein {

/// `id`: the right side, or another root.
void findSafePlaces(Def &def, const Statement &statement, ExprId id);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_RANGESCOMPUTED_H
