//===- UpdateType.h - What a statement accumulates in -----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: both sides of a statement and its update. Comes out: the
// accumulator's type, and the right side in that type. The target gets it if it
// has none yet.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_UPDATETYPE_H
#define EIN_FRONTEND_CHECK_UPDATETYPE_H

#include "frontend/check/Update.h"

namespace ein {

struct UpdateType {
  ElementType type;
  ExprId value;
};

/// What `acc=` says, at the statement's end or in `einsum(…)`.
llvm::FailureOr<std::optional<ElementType>>
resolveAccumulator(const StatementContext &context);

/// What it is given of `expr` are the nodes whose type is pending.
llvm::FailureOr<UpdateType> checkUpdateType(const StatementContext &context,
                                            TensorId target,
                                            const Update &update,
                                            const IndexTable &table,
                                            CheckedExpr &expr);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_UPDATETYPE_H
