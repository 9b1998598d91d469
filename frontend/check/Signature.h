//===- Signature.h - The signature of statements outside a def --*- C++ -*-===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes in: a def as it was parsed. Comes out: the same with the parameters,
// results and dims that its statements and the options imply.
//
//===----------------------------------------------------------------------===//

#ifndef EIN_FRONTEND_CHECK_SIGNATURE_H
#define EIN_FRONTEND_CHECK_SIGNATURE_H

#include "frontend/check/Callees.h"
#include "frontend/check/Sema.h"

namespace ein {

/// Gives a def of loose statements the signature they imply.
void inferSignature(ast::Def &def, const CheckOptions &options,
                    Callees &callees, DiagnosticEngine &diags);
/// Has `J` say `A.1` where nothing but `j` says what it is.
void nameImplicitSizes(ast::Def &def, const CheckOptions &options);
/// Whether a call is an access, if what it calls is no target. `y0(i)` is one:
/// who writes it has a vector, and not the Bessel function of an index.
bool isLooseAccess(const ast::Expr &call);
/// The same, where it is known how data is called.
bool isLooseAccess(const ast::Expr &call, const CheckOptions &options);
/// Whether anything in it is called, or accessed.
bool holdsCall(const ast::Expr &expr);

/// Gives the tensors of an elementwise def the rank that `rank` is bound to.
void expandRank(ast::Def &def, const CheckOptions &options,
                DiagnosticEngine &diags);
/// Leaves their rank to the call (OpenRank.h).
void openRank(ast::Def &def);

} // namespace ein

#endif // EIN_FRONTEND_CHECK_SIGNATURE_H
