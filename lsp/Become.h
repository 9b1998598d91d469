//===- Become.h - What a statement becomes ----------------------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef EIN_LSP_BECOME_H
#define EIN_LSP_BECOME_H

#include "frontend/program/Program.h"

namespace ein::lsp {

/// The op that a checked statement is at the level `contract`, and what its
/// indices are in it: "a `contract` with batch `b`, rows `m`, columns `n`,
/// reduced `k`".
std::string describeOp(const Def &def, const Statement &statement);

/// How many points a statement has, in terms of sizes: `M * N * K`.
std::string printPoints(const Def &def, const Statement &statement);

} // namespace ein::lsp

#endif // EIN_LSP_BECOME_H
