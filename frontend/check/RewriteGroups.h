//===- RewriteGroups.h - Rewrites: dims of several labels -------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: a call of einsum in which dims have several labels. Comes out: the
// comprehension without such, or a checked statement that reshapes. What has to
// come before it is in the def already.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_REWRITEGROUPS_H
#define EIN_FRONTEND_CHECK_REWRITEGROUPS_H

#include "frontend/check/RewriteEinsum.h"

namespace ein {

llvm::FailureOr<RewrittenEinsum> rewriteGroups(const StatementContext &context,
                                               TensorId target,
                                               EinsumCall &call);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_REWRITEGROUPS_H
