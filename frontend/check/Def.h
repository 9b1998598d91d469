//===- Def.h - One def: its signature and its results -----------*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: a def as it was parsed, with a signature. Comes out: the checked
// def. It counts only if no error was reported.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_DEF_H
#define EIN_FRONTEND_CHECK_DEF_H

#include "frontend/check/Callees.h"
#include "frontend/check/Sema.h"

namespace ein {

Def checkDef(const ast::Def &source, const CheckOptions &options,
             Callees &callees, DiagnosticEngine &diags);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_DEF_H
