//===- VerifyDiagnostics.h - Diagnostics against expected-error comments -*- C++
//-*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A test says in comments what it provokes, next to the line that does:
//
//   # expected-error @+1 {{unknown name `x`}}
//   C(i) = x
//   # expected-note @-1 {{did you mean}}
//
// `expected-error`, `-warning` and `-note` stand for one diagnostic each, of
// that severity, on the line given (`@+N`, `@-N`, by default the same line, or
// `@unknown` for one without a place), whose message contains the text.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_SOURCE_VERIFYDIAGNOSTICS_H
#define EIN_FRONTEND_SOURCE_VERIFYDIAGNOSTICS_H

#include "frontend/source/Diagnostics.h"

namespace ein {

/// Succeeds if `diagnostics` are what the comments of `file` expect, no more
/// and no less; otherwise says on `os` what differs.
llvm::LogicalResult verifyDiagnostics(const Sources &file,
                                      llvm::ArrayRef<Diagnostic> diagnostics,
                                      llvm::raw_ostream &os);

} // namespace ein

#endif // EIN_FRONTEND_SOURCE_VERIFYDIAGNOSTICS_H
