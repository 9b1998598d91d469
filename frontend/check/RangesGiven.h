//===- RangesGiven.h - The ranges that a where gives ------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: the clauses `i in a:b step s`. Comes out: what they say of each
// index.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_RANGESGIVEN_H
#define EIN_FRONTEND_CHECK_RANGESGIVEN_H

#include "frontend/check/IndexTable.h"
#include "frontend/check/Scope.h"

namespace ein {

llvm::FailureOr<GivenRanges>
checkGivenRanges(DefScope &scope, const ast::Statement &comprehension);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_RANGESGIVEN_H
